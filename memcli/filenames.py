"""Check what a file may be called, and find how its name is stored on disk: systems differ in both."""

from __future__ import annotations

import os
from pathlib import Path

from memcli import system
from memcli.message import Message

_PORTS = (f"{port}{n}" for port in ("com", "lpt") for n in "123456789¹²³")
_DEVICES = frozenset(("con", "prn", "aux", "nul", "conin$", "conout$", *_PORTS))


def impossible(name: str) -> str:
    """Return why a file can't have this name on this system, or "" when it can."""
    return windows_refuses(name) if system.WINDOWS else ""


def windows_refuses(name: str) -> str:
    """Return why a file can't have this name on Windows, or "" when it can.

    There `NUL.md` is a device, and what follows a colon is a hidden part of the file.
    """
    if name.partition(".")[0].rstrip(" ").lower() in _DEVICES:
        return "a device on Windows"
    if sign := next((sign for sign in name if sign in '<>:"|?*' or sign < " "), ""):
        return Message("no name on Windows, because of {sign}", sign=repr(sign))
    return "no name on Windows, because of its end" if name.endswith((".", " ")) else ""


def as_stored(root: Path, name: str) -> Path:
    """Return the path of a name as the disk stores it. A Mac may store accents as separate characters."""
    path = root / name  # this is `name` itself when it is absolute
    if name.isascii() or os.path.lexists(path):
        return path
    from unicodedata import normalize  # few names need it

    return next(filter(os.path.lexists, (root / normalize(form, name) for form in ("NFC", "NFD"))), path)
