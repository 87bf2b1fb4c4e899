"""Find the vault that is meant, and the folders of a user's own files.

Only text and `os` are used: the client of `mem watch` imports this too and must not wait for `pathlib`.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG = "mem.yaml"
CACHE = ".mem"


def find_vault(given: str | None, environ: Mapping[str, str], here: str) -> str | None:
    """Return the vault of the flag, of `MEM_VAULT`, the nearest one upwards, or the user's own; or None."""
    return named(given or environ.get("MEM_VAULT"), here) or nearest(here) or own(environ)


def named(folder: str | None, here: str) -> str | None:
    """Return the path of a folder that the user named, or None when none was named."""
    return os.path.join(here, os.path.expanduser(folder)) if folder else None


def nearest(here: str) -> str | None:
    """Return the nearest folder with a `mem.yaml`, from `here` upwards, or None."""
    folder = here
    while not os.path.isfile(os.path.join(folder, CONFIG)):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder


def own(environ: Mapping[str, str]) -> str | None:
    """Return the user's own vault in its usual place, or None when it doesn't exist."""
    default = os.path.join(data_home(environ), "vault")
    return default if os.path.isdir(default) else None


def config_home(environ: Mapping[str, str]) -> str:
    """Return the folder of the user's settings, by the XDG rules (`%APPDATA%` on Windows)."""
    return _home(environ, "XDG_CONFIG_HOME", "APPDATA", ".config")


def data_home(environ: Mapping[str, str]) -> str:
    """Return the folder of the default vault and of the list of trusted vaults."""
    return _home(environ, "XDG_DATA_HOME", "LOCALAPPDATA", ".local/share")


def cache_home(environ: Mapping[str, str]) -> str:
    """Return the folder for files that can be made again at any time."""
    return _home(environ, "XDG_CACHE_HOME", "LOCALAPPDATA", ".cache")


def _home(environ: Mapping[str, str], variable: str, windows: str, usual: str) -> str:
    if environ.get(variable):
        return os.path.join(environ[variable], "mem")
    if sys.platform == "win32" and environ.get(windows):
        return os.path.join(environ[windows], "mem")
    return os.path.join(os.path.expanduser("~"), usual, "mem")
