"""Query a vault's repository: whether it exists, unfinished merges and rebases, and what is not committed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from memcli.message import Message, some
from memcli.vault import files, opener
from memcli.vault.git import program
from memcli.vault.git.program import Answer, Ask

# bytes; hosts accept no larger file, and with one in the history nothing could be pushed any more
LARGEST = 100 * 2**20
MOST_NAMED = 8
_UNFINISHED = {
    "MERGE_HEAD": "merge", "rebase-merge": "rebase", "rebase-apply": "rebase", "CHERRY_PICK_HEAD": "cherry-pick",
}  # fmt: skip


def is_repository(root: Path) -> bool:
    """Return whether the vault itself is a repository; lying inside another project's repository does not count."""
    return os.path.lexists(root / ".git")


def git_dir(root: Path) -> Path:
    """Return the folder in which git keeps this repository: `.git`, or the folder that a file of that name names."""
    place = root / ".git"
    text = read_small(place) if place.is_file() else ""
    return root / text.removeprefix("gitdir:").strip() if text.startswith("gitdir:") else place


def read_small(path: Path, most: int = 2**20) -> str:
    """Return the text of a file that git may read, or why it can't be read; nothing there can block us."""
    try:
        handle = opener.descriptor(path)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return Message("can't be read: {WHY}", WHY=error.strerror)
    with os.fdopen(handle, "rb") as source:
        return source.read(most).decode("utf-8", "replace")


def unfinished(root: Path) -> str:
    """Return the name of a merge or rebase that somebody left unfinished, or ""."""
    home = git_dir(root)
    return next((what for mark, what in _UNFINISHED.items() if os.path.lexists(home / mark)), "")


def stage(root: Path, ask: Ask) -> tuple[Answer, list[str]]:
    """Update the index from the files; return git's answer and the files that it is not given."""
    asked = ("ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard")
    changed = dict.fromkeys(ask(*asked, timeout=120).names)
    left_out = [name for name in changed if _is_left_out(root, name)]
    given = [name for name in changed if name not in left_out]
    if not given:
        return Answer(0, b"", ""), left_out
    return ask("add", "--all", *program.LISTED, timeout=120, stdin=program.listed(given)), left_out


def uncommitted(root: Path, paths: list[str]) -> list[str]:
    """Return which of these files, or files in these folders, differ from the last commit or are new."""
    words = ("--no-optional-locks", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    changed = program.ask(root, *words, "--ignore-submodules=all", "--", *paths, timeout=120)
    return [name for line in changed.names if not _is_left_out(root, name := line[3:])]


def _is_left_out(root: Path, name: str) -> bool:
    """Return whether git is not given a file: a repository of its own, or one too large for any host."""
    return name.endswith("/") or files.size_of(root / name) > LARGEST


def left_out(names: list[str]) -> str:
    """Return the notice that says which files git was not given."""
    folders, most = [name.endswith("/") for name in names], LARGEST // 2**20
    if all(folders):
        what: str = "repositories of their own"
    elif any(folders):
        what = Message("repositories of their own and files of more than {n} MB", n=most)
    else:
        what = Message("files of more than {n} MB", n=most)
    return Message("left alone, {WHAT}: {NAMES}", WHAT=what, NAMES=some(names, MOST_NAMED))


@contextmanager
def staged_copy(root: Path) -> Iterator[tuple[Ask, list[str]]]:
    """Yield a git that works on a temporary copy of the index, updated from the files, and the files left out of it."""
    from tempfile import TemporaryDirectory  # every write loads this module

    with TemporaryDirectory() as folder:
        index, objects, own = Path(folder, "index"), Path(folder, "objects"), git_dir(root) / "index"
        if own.exists():
            shutil.copyfile(own, index)
        objects.mkdir()
        known = program.ask(root, "rev-parse", "--git-path", "objects").out.strip()
        places = {
            "GIT_INDEX_FILE": str(index),
            "GIT_OBJECT_DIRECTORY": str(objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": str((root / known).resolve()),
        }
        ask = partial(program.ask, root, variables=places)
        yield ask, stage(root, ask)[1]
