"""What in a vault's `.git`, and in the repositories inside the vault, would count if git were let loose on it.

Everything is asked about that is not known to be harmless. What is stored differently by it bars git from the vault
altogether, the rest bars it from the network.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from memcli.errors import Refused
from memcli.vault import files
from memcli.vault.git import config, work_tree
from memcli.vault.git.dot_git import GitDir, is_repository

_ELSEWHERE = (
    "commondir", "gitdir", "config.worktree", "objects/info/alternates", "objects/info/http-alternates",
)  # fmt: skip
_FILES = ("HEAD", "config", "index", "packed-refs", "shallow", "info/exclude", "info/attributes")
_FOLDERS = ("objects", "objects/info", "objects/pack", "refs", "refs/heads", "refs/remotes", "info", "logs")
MOST_NESTED = 50  # repositories inside the vault that are named


def bars(root: Path) -> dict[str, str]:
    """What keeps git from the vault altogether; quick, since every write asks."""
    if not is_repository(root):
        return {}
    home = GitDir(root)
    try:
        home.place("HEAD")
        asked = {name: value for name, value in config.asking(_pairs(home)) if config.stores(name)}
    except Refused as error:
        return {".git": error.message}
    asked.update((f".git/{name}", _told(home, name)) for name in _ELSEWHERE if _is_there(home, name))
    for kind, names in ((stat.S_ISREG, _FILES), (stat.S_ISDIR, _FOLDERS)):
        for name in names:
            asked.update(_not_of_kind(home.path / name, f".git/{name}", kind))
    for folder in ("objects/pack", "objects/info"):
        asked.update(_irregular(home, folder))
    return asked


def deep_bars(root: Path) -> dict[str, str]:
    """As `bars`, and every single object is looked at: git is about to read any of them."""
    asked = bars(root)
    if asked or not is_repository(root):
        return asked
    home = GitDir(root)
    for folder in home.names("objects"):
        asked.update(_irregular(home, f"objects/{folder}"))
    return asked


def network(root: Path) -> dict[str, str]:
    """What keeps `mem sync` from a vault, beside that."""
    if not is_repository(root):
        return {}
    with suppress(Refused):
        pairs = _pairs(GitDir(root))
        asked = {name: value for name, value in config.asking(pairs) if not config.stores(name)}
        from memcli.vault.git import remotes  # only what goes over the network; every `mem add` asks here

        return {**asked, **dict(remotes.odd(root, pairs))}
    return {}  # `bars` tells


def everything(root: Path) -> dict[str, str]:
    """All that an agreement is asked for: the above, and the repositories that lie in the vault."""
    if not is_repository(root):
        return {}
    asked = {**deep_bars(root), **network(root)}
    try:
        _, nested = work_tree.listed(root)
    except Refused as error:
        return {**asked, "work tree": error.message}
    for name in nested[:MOST_NESTED]:
        try:
            inner = [f"{key} = {value}" for key, value in config.asking(_pairs(GitDir(root / name)))]
        except Refused as error:
            inner = [error.message]
        asked[f"{name}/.git"] = ", ".join(["a repository of its own", *inner])
    if len(nested) > MOST_NESTED:
        asked["…"] = f"and {len(nested) - MOST_NESTED} more repositories of their own"
    return asked


def named(asked: dict[str, str]) -> str:
    """In one line what is asked for."""
    keys = [name for name in asked if not name.startswith(".git")]
    places = [name for name in asked if name.startswith(".git")]
    said = [f"this repository's config runs or sets {', '.join(keys)}"] if keys else []
    said += [f"git would be led astray by {', '.join(places[:8])}"] if places else []
    return "; ".join(said)


def _pairs(home: GitDir) -> list[config.Pair]:
    return config.parse((home.read("config", 2**20) or b"").decode("utf-8", "replace"))


def _is_there(home: GitDir, name: str) -> bool:
    with suppress(Refused):
        return home.has(name)
    return False  # a folder on the way is no folder, and is named itself


def _told(home: GitDir, name: str) -> str:
    try:
        return (home.read(name, 2**16) or b"").decode("utf-8", "replace").strip()
    except Refused as error:
        return error.message


def _irregular(home: GitDir, folder: str) -> dict[str, str]:
    """What in a folder of objects is neither a plain file nor, among its parts, a plain folder."""
    asked: dict[str, str] = {}
    with suppress(OSError, Refused):
        for entry in os.scandir(home.place(f"{folder}/x").parent):
            if entry.is_dir(follow_symlinks=False):
                asked.update(_irregular(home, f"{folder}/{entry.name}"))
            elif not entry.is_file(follow_symlinks=False):
                asked.update(_not_of_kind(Path(entry.path), f".git/{folder}/{entry.name}", stat.S_ISREG))
    return asked


def _not_of_kind(path: Path, name: str, kind: Callable[[int], bool]) -> dict[str, str]:
    info = files.stat_of(path, follow=False)
    if info is None or kind(info.st_mode):
        return {}
    return {name: f"a link to {os.readlink(path)}" if stat.S_ISLNK(info.st_mode) else "not what git expects there"}
