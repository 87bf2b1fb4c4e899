"""What of a vault git may be shown: its own files, never what lies in a repository of its own inside it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from memcli.errors import Refused
from memcli.vault import files

RULES = (".gitignore", ".gitattributes")  # files that git opens by itself wherever they lie
OWN = (".git", ".mem")
LARGEST = 100 * 2**20  # bytes; git would read a larger file whole, at each look, and hosts do not take it
LEFT_ALONE = f"left alone, repositories of their own and files of more than {LARGEST // 2**20} MB"


def listed(root: Path) -> tuple[list[str], list[str]]:
    """(files, what git leaves alone: nested repositories and what is too large), both relative and sorted; links are
    files and are not followed."""
    names: list[str] = []
    left_alone: list[str] = []
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        try:
            entries = list(os.scandir(root / prefix))
        except OSError:  # a closed folder holds nothing that could be committed
            continue
        if prefix and any(entry.name.lower() == ".git" for entry in entries):
            left_alone.append(prefix.rstrip("/"))
            continue
        for entry in entries:
            name = prefix + entry.name
            if entry.name in RULES:
                _must_be_plain(root / name, name)
            if not prefix and entry.name.lower() in OWN:
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(f"{name}/")
            elif entry.is_symlink():
                names.append(name)
            elif entry.is_file(follow_symlinks=False):
                (left_alone if files.size_of(root / name) > LARGEST else names).append(name)
    return sorted(names), sorted(left_alone)


def rules_are_plain(root: Path, paths: Iterable[str]) -> None:
    """Refused when a file git would open on its way to these paths is anything but a regular one."""
    folders = {folder for path in paths for folder in Path(path).parents}
    for folder in sorted(folders):
        for name in RULES:
            _must_be_plain(root / folder / name, (folder / name).as_posix())


def is_within(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _must_be_plain(path: Path, name: str) -> None:
    info = files.stat_of(path, follow=False)
    if info and not stat.S_ISREG(mode := info.st_mode):
        what = "a link" if stat.S_ISLNK(mode) else "a folder" if stat.S_ISDIR(mode) else "no regular file"
        raise Refused(f"{name} is {what}", "git would have to read it: remove it, or make it a plain file")
