"""Git in a vault whose owner here has agreed to what its config asks for: filters and helpers run, hooks never do."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from memcli.errors import MissingPart, Refused
from memcli.vault.git import conflicts, program
from memcli.vault.git.commit import dates
from memcli.vault.git.program import Answer
from memcli.vault.vault import Vault

NETWORK = 60.0  # seconds for one exchange with the remote
_COMMITTED = re.compile(r"^\[.*?([0-9a-f]{4,40})\]", re.M)


def commit(root: Path, paths: list[str], message: str, at: datetime) -> tuple[str, str]:
    """Commit these paths, what is staged stays as it is; returns (short commit id, why not)."""
    if gone := [path for path in paths if not (root / path).exists()]:
        known = program.ask(root, "ls-files", "-z", "--", *gone).names
        paths = [path for path in paths if path not in gone or path in known]
    listed = os.fsencode("\0".join(paths))
    ignored = program.ask(root, "--no-literal-pathspecs", "check-ignore", "-z", "--stdin", stdin=listed).names
    paths = [path for path in paths if path not in ignored]
    if not paths:
        return "", "the file is ignored by .gitignore"
    added = program.ask(root, "add", "--all", "--", *paths)
    if not added.ok:
        return "", program.plain(added)
    done = program.ask(root, "commit", "-m", message, "--only", "--", *paths, variables=dates(at))
    if not done.ok:
        nothing = "nothing to commit" in done.out + done.err or "no changes added" in done.out + done.err
        return "", "" if nothing else program.plain(done)
    short = _COMMITTED.search(done.out)
    return short[1] if short else "", ""


class History:
    """What is asked of a repository's past, and what the files say against it."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.index, self.objects = root, folder / "index", folder / "objects"

    def ask(self, *words: str, timeout: float = 30, stdin: bytes | None = None, users: bool = True) -> Answer:
        return program.ask(self.root, *words, timeout=timeout, stdin=stdin, variables=self._places())

    def stage(self) -> list[str]:
        """Have a copy of the index say what the files say; its objects are thrown away with it."""
        own = self.root / ".git" / "index"
        if own.exists():
            shutil.copyfile(own, self.index)
        self.objects.mkdir(exist_ok=True)
        self.ask("add", "--all", timeout=120)
        return []

    def _places(self) -> dict[str, str]:
        if not self.objects.exists():
            return {}
        there = program.ask(self.root, "rev-parse", "--git-path", "objects").out.strip()
        alternate = str((self.root / there).resolve())
        return {
            "GIT_INDEX_FILE": str(self.index),
            "GIT_OBJECT_DIRECTORY": str(self.objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": alternate,
        }


@contextmanager
def history(root: Path) -> Iterator[History]:
    with TemporaryDirectory() as folder:
        yield History(root, Path(folder))


class Exchange:
    """One round of synchronising, with git as the vault's config wants it."""

    def __init__(self, vault: Vault) -> None:
        self.vault, self.root = vault, vault.root
        names = program.ask(self.root, "remote").out.split()
        self.remote = "origin" if "origin" in names else (names or [""])[0]
        self.branch = program.ask(self.root, "symbolic-ref", "--short", "HEAD").out.strip()

    def fetch(self) -> None:
        fetched = program.ask(self.root, "fetch", "--quiet", self.remote, timeout=NETWORK)
        if not fetched.ok:
            raise unreachable(self.remote, fetched)

    def branches(self) -> list[str]:
        """The names of the remote's branches."""
        listed = program.ask(
            self.root, "for-each-ref", "--format=%(refname:lstrip=3)", f"refs/remotes/{self.remote}"
        ).out
        return [name for name in listed.split() if name != "HEAD"]

    def save(self) -> bool:
        if not program.ask(self.root, "status", "--porcelain", "--ignore-submodules=all").out:
            return False
        program.ask(self.root, "add", "--all")
        done = program.ask(self.root, "commit", "--quiet", "-m", SAVED, variables=dates(self.vault.now))
        if not done.ok:
            raise Refused(f"the edits in the vault can't be committed: {program.plain(done)}", "nothing was changed")
        return True

    def unsave(self) -> None:
        program.ask(self.root, "reset", "--quiet", "HEAD~1")

    def begun(self) -> bool:
        return program.ask(self.root, "rev-parse", "--verify", "--quiet", "HEAD").ok

    def theirs(self) -> str:
        """The remote's commit; empty while the remote is."""
        name = f"refs/remotes/{self.remote}/{self.branch}"
        return program.ask(self.root, "rev-parse", "--verify", "--quiet", name).out.strip()

    def count(self, commits: str, merges: bool = True) -> int:
        """Return the number of commits; those that only put two sides together count with `merges`."""
        words = ("rev-list", "--count", *(() if merges else ("--no-merges",)))
        answer = program.ask(self.root, *words, commits)
        return int(answer.out) if answer.ok else 0

    def merged(self, theirs: str) -> str:
        """Put our commits and theirs together in a folder aside, and return the commit that has both."""
        self._prune()
        with TemporaryDirectory(prefix="sync-", dir=self.vault.cache) as folder:
            copy = Path(folder, "work")
            words = ("worktree", "add", "--quiet", "--detach", str(copy), "HEAD")
            made = program.ask(self.root, *words, timeout=NETWORK)
            if not made.ok:
                raise Refused(f"the merge can't be prepared: {made.why}", "nothing was changed")
            ask = partial(
                program.ask, copy, timeout=NETWORK, variables=dates(self.vault.now), settings=conflicts.SETTINGS
            )
            try:
                return conflicts.merged(ask, theirs)
            finally:
                program.ask(self.root, "worktree", "remove", "--force", "--force", str(copy))

    def move(self, target: str) -> None:
        words = ("reset", "--quiet", "--keep", target) if self.begun() else ("merge", "--quiet", "--ff-only", target)
        done = program.ask(self.root, *words, timeout=NETWORK)
        if not done.ok:
            raise Refused(f"the vault was changed while it was merged: {done.why}", "sync again")

    def push(self) -> Answer:
        words = ("push", "--quiet", "--set-upstream", self.remote, f"HEAD:refs/heads/{self.branch}")
        return program.ask(self.root, *words, timeout=NETWORK)

    def _prune(self) -> None:
        """Have git forget the work folders of a `mem sync` that was killed."""
        for folder in self.vault.cache.glob("sync-*"):
            shutil.rmtree(folder, ignore_errors=True)
        program.ask(self.root, "worktree", "prune")


SAVED = "mem sync: edits made by hand"


def unreachable(remote: str, fetched: Answer) -> MissingPart:
    return MissingPart(
        f"{remote} can't be reached: {fetched.why}",
        f"if the address is wrong: git remote set-url {remote} ADDRESS; else sync again later, your memory is whole",
    )
