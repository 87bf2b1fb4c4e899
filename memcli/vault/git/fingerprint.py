"""Find what git could be made to run in a repository, or where it could be led.

That is keys of the config and files that it includes, hooks, drivers named by attributes, addresses that are not
plain, and a `.git` that is elsewhere. An ordinary repository has none of it. It is read here without git; a file
that can't be read is itself listed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from memcli.text.later import compile_later
from memcli.vault.git import config
from memcli.vault.git.repository import git_dir, is_repository, read_small

DEEPEST = 10  # levels of files that include another
_HOST = r"(?:(?!-)[\w.~+%:-]+@)?(?:(?!-)[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])"
_URL = compile_later(rf"(?:https|ssh)://{_HOST}(?::\d+)?/[^\x00-\x20\x7f]*")
_SCP_LIKE = compile_later(rf"{_HOST}:(?!-)(?!:)[^\x00-\x20\x7f]*")  # user@host:path; `ext::…` would be a program
_ADDRESS = compile_later(r"remote\.(.*)\.(?:url|pushurl)")
_INCLUDES = compile_later(r"include(?:if\..*)?\.path")
_DRIVER = compile_later(r"(?:^|\s)(?:filter|diff|merge)=(?!(?:union|binary|text)(?:\s|$))", re.M)
_ELSEWHERE = ("commondir", "gitdir", "config.worktree", "objects/info/alternates", "objects/info/http-alternates")


def could_run(root: Path) -> dict[str, str]:
    """Return by name what would take effect if git ran in this folder; {} for an ordinary repository and for none."""
    return dict(_found(root)) if is_repository(root) else {}


def _found(root: Path) -> Iterator[tuple[str, str]]:
    place, home = root / ".git", git_dir(root)
    if place.is_symlink() or not place.is_dir():
        yield ".git", os.readlink(place) if place.is_symlink() else read_small(place) or "not what git expects there"
    for name in _ELSEWHERE:
        if os.path.lexists(home / name):
            yield f".git/{name}", _describe_file(home / name)
    common = read_small(home / "commondir").strip()
    base = home / common if common else home
    text = read_small(base / "config")
    pairs = config.parse(text)
    for number, (name, value) in enumerate(config.asking(pairs)):
        yield name if number == 0 or name != config.UNREADABLE else f"{name} ({number})", value
    yield from _included(base, pairs)
    hooks = next((value for name, value in pairs if name == "core.hookspath"), "")
    yield from _hooks((root / Path(os.path.expanduser(hooks))) if hooks else base / "hooks")
    for file, name in ((root / ".gitattributes", ".gitattributes"), (base / "info/attributes", ".git/info/attributes")):
        if lines := [line.strip() for line in read_small(file).splitlines() if _DRIVER.search(line)]:
            yield name, "; ".join(lines)
    for name, value in pairs:
        if (match := _ADDRESS.fullmatch(name)) and (why := _why_not(root, value)):
            yield name, f"{value} ({why})"
        elif match and match[1].startswith("-"):
            yield name, value


def _included(base: Path, pairs: list[config.Pair], depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the files that the config includes, each with a hash of its content."""
    for name, value in pairs:
        if not _INCLUDES.fullmatch(name):
            continue
        path = base / Path(os.path.expanduser(value))
        yield f"{name} {value}", _digest(path)
        if depth < DEEPEST:
            yield from _included(path.parent, config.parse(read_small(path)), depth + 1)


def _hooks(folder: Path) -> Iterator[tuple[str, str]]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        if not name.endswith(".sample"):
            yield f"hooks/{name}", _digest(folder / name)


def _digest(path: Path) -> str:
    """Return a short hash of what a file holds, and where it lies when it is a link."""
    if path.is_symlink():
        return f"a link to {os.readlink(path)}, {_digest(path.resolve())}" if path.exists() else "a link to nothing"
    if path.is_dir():
        return "a folder"
    return hashlib.sha256(read_small(path).encode()).hexdigest()[:12]


def _describe_file(path: Path) -> str:
    return f"a link to {os.readlink(path)}" if path.is_symlink() else read_small(path, 2**16).strip()


def _why_not(root: Path, url: str) -> str:
    """Return why an address is not plain, or "" for https, ssh, or a folder outside the vault."""
    if url.startswith("file://") or os.path.isabs(url) or (url and ":" not in url.split("/", 1)[0]):
        path = unquote(url.removeprefix("file://")) if url.startswith("file://") else url
        return _why_not_folder(root, Path(os.path.normpath(os.path.join(root, Path(os.path.expanduser(path))))))
    if _URL.fullmatch(url) or ("://" not in url and "::" not in url and _SCP_LIKE.fullmatch(url)):
        return ""
    return "neither https nor ssh"


def _why_not_folder(root: Path, folder: Path) -> str:
    home = root.resolve()
    try:
        places = (folder, folder.resolve())
    except (OSError, RuntimeError):
        return "a link that leads round in a circle"
    inside = any(one.is_relative_to(home) or one.is_relative_to(root) or home.is_relative_to(one) for one in places)
    return "lies in the vault itself" if inside else ""
