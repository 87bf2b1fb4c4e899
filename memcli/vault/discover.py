"""Which vault is meant, and where a user's own files lie. Only text and `os`: the client of `mem watch` asks here too,
and must not wait for `pathlib`."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG = "mem.yaml"
CACHE = ".mem"


def find(given: str | None, environ: Mapping[str, str], here: str) -> str | None:
    """The vault that is meant: the flag, `MEM_VAULT`, the nearest folder above with a `mem.yaml`, the user's own."""
    return named(given or environ.get("MEM_VAULT"), here) or nearest(here) or own(environ)


def named(folder: str | None, here: str) -> str | None:
    """A folder as somebody put it."""
    return os.path.join(here, os.path.expanduser(folder)) if folder else None


def nearest(here: str) -> str | None:
    """The nearest folder with a `mem.yaml`, from here upwards."""
    folder = here
    while not os.path.isfile(os.path.join(folder, CONFIG)):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder


def own(environ: Mapping[str, str]) -> str | None:
    """The user's own vault in its usual place, if there is one."""
    default = os.path.join(data_home(environ), "vault")
    return default if os.path.isdir(default) else None


def config_home(environ: Mapping[str, str]) -> str:
    """The folder of the user's own settings, by the XDG rules (`%APPDATA%` on Windows)."""
    return _home(environ, "XDG_CONFIG_HOME", "APPDATA", ".config")


def data_home(environ: Mapping[str, str]) -> str:
    """Where the default vault and the list of trusted vaults lie."""
    return _home(environ, "XDG_DATA_HOME", "LOCALAPPDATA", ".local/share")


def cache_home(environ: Mapping[str, str]) -> str:
    """Where lies what can be made again at any time."""
    return _home(environ, "XDG_CACHE_HOME", "LOCALAPPDATA", ".cache")


def _home(environ: Mapping[str, str], variable: str, windows: str, usual: str) -> str:
    if environ.get(variable):
        return os.path.join(environ[variable], "mem")
    if sys.platform == "win32" and environ.get(windows):
        return os.path.join(environ[windows], "mem")
    return os.path.join(os.path.expanduser("~"), usual, "mem")
