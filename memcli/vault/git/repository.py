"""Query a vault's repository: whether it exists, unfinished merges and rebases, and its history."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from memcli.message import Message, some
from memcli.vault import files, opener
from memcli.vault.git import program
from memcli.vault.git.program import Answer

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


def stage(root: Path, variables: Mapping[str, str] = program.NONE) -> tuple[Answer, list[str]]:
    """Update the index from the files; return git's answer and the files that it is not given.

    The latter are repositories of their own, and files too large for any host.
    """
    asked = ("ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard")
    changed = dict.fromkeys(program.ask(root, *asked, timeout=120, variables=variables).names)
    left_out = [name for name in changed if name.endswith("/") or files.size_of(root / name) > LARGEST]
    listed = os.fsencode("".join(f"{name}\0" for name in changed if name not in left_out))
    words = ("add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul")
    if not listed:
        return Answer(0, b"", ""), left_out
    return program.ask(root, *words, timeout=120, stdin=listed, variables=variables), left_out


def uncommitted(root: Path, paths: list[str]) -> list[str]:
    """Return which of these files, or files in these folders, differ from the last commit or are new."""
    words = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all")
    return [line[3:] for line in program.ask(root, *words, "--", *paths).names]


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


class Repository:
    """Query the history of a repository, and compare the files with it."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.index, self.objects = root, folder / "index", folder / "objects"

    def ask(self, *words: str, timeout: float = 30, stdin: bytes | None = None) -> Answer:
        return program.ask(self.root, *words, timeout=timeout, stdin=stdin, variables=self._places())

    def stage(self) -> list[str]:
        """Update a temporary copy of the index from the files, and return the files that were left out.

        Its objects are thrown away together with it.
        """
        own = git_dir(self.root) / "index"
        if own.exists():
            shutil.copyfile(own, self.index)
        self.objects.mkdir(exist_ok=True)
        return stage(self.root, self._places())[1]

    def branch(self) -> str:
        return self.ask("symbolic-ref", "--quiet", "--short", "HEAD").out.strip()

    def _places(self) -> dict[str, str]:
        if not self.objects.exists():
            return {}
        there = program.ask(self.root, "rev-parse", "--git-path", "objects").out.strip()
        return {
            "GIT_INDEX_FILE": str(self.index),
            "GIT_OBJECT_DIRECTORY": str(self.objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": str((self.root / there).resolve()),
        }
