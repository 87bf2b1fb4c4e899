"""What of a vault git may be shown: its own files, never what lies in a repository of its own inside it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from memcli.errors import Refused

RULES = (".gitignore", ".gitattributes")  # files that git opens by itself wherever they lie
OWN = (".git", ".mem")


def listed(root: Path) -> tuple[list[str], list[str]]:
    """(files, nested repositories), both relative and sorted; links are files and are not followed."""
    names: list[str] = []
    nested: list[str] = []
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        try:
            entries = list(os.scandir(root / prefix))
        except OSError:  # a closed folder holds nothing that could be committed
            continue
        if prefix and any(entry.name.lower() == ".git" for entry in entries):
            nested.append(prefix.rstrip("/"))
            continue
        for entry in entries:
            name = prefix + entry.name
            if entry.name in RULES:
                _must_be_plain(entry.path, name)
            if not prefix and entry.name.lower() in OWN:
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(f"{name}/")
            elif entry.is_symlink() or entry.is_file(follow_symlinks=False):
                names.append(name)
    return sorted(names), sorted(nested)


def rules_are_plain(root: Path, paths: Iterable[str]) -> None:
    """Refused when a file git would open on its way to these paths is anything but a regular one."""
    folders = {folder for path in paths for folder in Path(path).parents}
    for folder in sorted(folders):
        for name in RULES:
            _must_be_plain(os.fspath(root / folder / name), (folder / name).as_posix())


def is_within(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _must_be_plain(path: str, name: str) -> None:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode):
        what = "a link" if stat.S_ISLNK(mode) else "a folder" if stat.S_ISDIR(mode) else "no regular file"
        raise Refused(f"{name} is {what}", "git would have to read it: remove it, or make it a plain file")
