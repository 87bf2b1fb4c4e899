"""Synchronise a vault with its remote for `mem sync`, merged entry by entry in one round of git, or not at all."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from memcli.errors import MissingPart, Refused, UsageError
from memcli.message import Message
from memcli.vault import layout, trust
from memcli.vault.git import conflicts, locks, program, repository
from memcli.vault.git.commit import BY_HAND, dates
from memcli.vault.lock import lock_vault
from memcli.vault.vault import Vault

NETWORK = 60.0  # seconds for one exchange with the remote
_OVERTAKEN = ("[rejected]", "fetch first", "non-fast-forward", "cannot lock ref")  # another machine pushed first
_ALL_NAMES = ("ls-tree", "-r", "--name-only")


@dataclass(frozen=True)
class SyncResult:
    remote: str
    saved: bool  # whether edits made by hand were committed first
    pulled: int  # number of commits
    pushed: int


def sync(vault: Vault) -> SyncResult:
    """Commit uncommitted edits, merge what the remote has, and push. Refuse, changing nothing, on a contradiction.
    Without a remote, the edits are committed all the same."""
    root = vault.root
    if not repository.is_repository(root):
        raise UsageError("this vault is not a git repository", "mem init --git makes it one")
    trust.must_run_git(root, vault.environ)
    with lock_vault(vault, "sync"), locks.recorded(root, vault.cache):
        return _sync(vault, Exchange(vault))


def _sync(vault: Vault, exchange: Exchange) -> SyncResult:
    remote = exchange.remote
    if state := repository.unfinished(vault.root):
        hint = Message("finish it with git, or git {state} --abort", state=state)
        raise Refused("a git {state} is under way in this vault", hint, state=state)
    if not exchange.branch:
        raise Refused("the vault is not on a branch", "git switch main")
    if not remote:
        return SyncResult("", _holds_edits(exchange.save()), 0, 0)
    exchange.fetch()
    saved = exchange.save()
    start = exchange.head()
    pulled = 0
    for _ in range(3):  # somebody else may push between our pull and our push
        try:
            pulled += exchange.pull()
        except BaseException:  # restore the state before: edits made by hand are uncommitted again
            if start and exchange.head() != start:  # an earlier round has merged already
                exchange.move(start)
            if saved:
                exchange.unsave()
            raise
        pushed = exchange.push()
        if pushed is not None:
            return SyncResult(remote, _holds_edits(saved), pulled, pushed)
        exchange.fetch()
    raise Refused("{remote} keeps changing", "try again in a minute", remote=remote)


def _holds_edits(names: list[str]) -> bool:
    return not all(map(layout.is_journal, names))


class Exchange:
    """Carry out the steps of a round. Each changes the vault as a whole or not at all."""

    def __init__(self, vault: Vault) -> None:
        self.vault, self.root = vault, vault.root
        self._ask = partial(program.ask, self.root)
        names = self._ask("remote").out.split()
        self.remote = "origin" if "origin" in names else (names or [""])[0]
        self.branch = self._ask("symbolic-ref", "--short", "HEAD").out.strip()

    def fetch(self) -> None:
        """Fetch what the remote has. Raise Refused when it has other branches than ours, and none of its name."""
        fetched = self._ask("fetch", "--quiet", self.remote, timeout=NETWORK)
        if not fetched.ok:
            hint = (
                "if the address is wrong: git remote set-url {remote} ADDRESS; "
                "else sync again later, your memory is whole"
            )
            hint = Message(hint, remote=self.remote)
            raise MissingPart("{remote} can't be reached: {WHY}", hint, remote=self.remote, WHY=fetched.why)
        listed = self._ask("for-each-ref", "--format=%(refname:lstrip=3)", f"refs/remotes/{self.remote}").out
        others = [name for name in listed.split() if name != "HEAD"]
        if others and self.branch not in others:
            why, branches = "{remote} has no branch '{theirs}', but {branches}", ", ".join(others)
            hint = Message("git branch -m {branch} if that is the same memory", branch=others[0])
            raise Refused(why, hint, remote=self.remote, theirs=self.branch, branches=branches)

    def save(self) -> list[str]:
        """Commit what is uncommitted, edits and the journal. Return the names of these files."""
        staged, left_out = repository.stage(self.root, self._ask)
        if left_out:
            self.vault.notice(repository.left_out(left_out))
        if not staged.ok:
            raise Refused("the vault can't be read by git: {WHY}", "nothing was changed", WHY=staged.why)
        changed = ("diff", "--cached", "--name-only", "--ignore-submodules=all") if self.head() else ("ls-files",)
        names = self._ask(*changed, "-z").names
        if not names:
            return []
        what = "journal" if all(map(layout.is_journal, names)) else BY_HAND
        done = self._ask("commit", "--quiet", "-m", f"mem sync: {what}", variables=dates(self.vault.now))
        if not done.ok:
            why = program.plain(done)
            raise Refused("the edits in the vault can't be committed: {WHY}", "nothing was changed", WHY=why)
        return names

    def unsave(self) -> None:
        """Undo `save`: the edits made by hand are uncommitted again."""
        if not self._ask("reset", "--quiet", "HEAD~1").ok:
            self._ask("update-ref", "-d", "HEAD")  # it was the first commit

    def head(self) -> str:
        """Return our commit, or "" before the first one."""
        return self._find_commit("HEAD")

    def their_head(self) -> str:
        """Return the remote's commit, or "" while the remote is empty."""
        return self._find_commit(f"refs/remotes/{self.remote}/{self.branch}")

    def _find_commit(self, name: str) -> str:
        return self._ask("rev-parse", "--verify", "--quiet", name).out.strip()

    def count_commits(self, commits: str, merges: bool = True) -> int:
        """Return the number of commits; merges are counted only with `merges`."""
        answer = self._ask("rev-list", "--count", *(() if merges else ("--no-merges",)), commits)
        return int(answer.out) if answer.ok else 0

    def merge(self, theirs: str) -> str:
        """Merge our commits and theirs in a separate folder, and return the merge commit."""
        for killed in self.vault.cache.glob("sync-*"):  # by a `mem sync` that was killed
            shutil.rmtree(killed, ignore_errors=True)
        self._ask("worktree", "prune")
        with TemporaryDirectory(prefix="sync-", dir=self.vault.cache) as folder:
            copy = Path(folder, "work")
            made = self._ask("worktree", "add", "--quiet", "--detach", str(copy), "HEAD", timeout=NETWORK)
            if not made.ok:
                raise Refused("the merge can't be prepared: {WHY}", "nothing was changed", WHY=made.why)
            variables, settings = dates(self.vault.now), conflicts.SETTINGS
            ask = partial(program.ask, copy, timeout=NETWORK, variables=variables, settings=settings)
            try:
                return conflicts.merge_commits(ask, theirs, f"{self.remote}/{self.branch}")
            finally:
                self._ask("worktree", "remove", "--force", "--force", str(copy))

    def move(self, target: str) -> None:
        """Change the files to those of a commit. Raise Refused where that would lose something."""
        self._guard(target)
        self._ask("update-index", "-q", "--refresh", timeout=NETWORK)  # a file that was only touched is not a change
        words = ("reset", "--quiet", "--keep", target) if self.head() else ("merge", "--quiet", "--ff-only", target)
        done = self._ask(*words, timeout=NETWORK)
        if not done.ok:
            raise Refused("the vault was changed while it was merged: {WHY}", "sync again", WHY=done.why)

    def _guard(self, target: str) -> None:
        """Raise Refused when a commit would put files where `mem` keeps its own, or over some that git doesn't keep."""
        listed = self._ask("ls-tree", "--name-only", "-z", target).names
        if wrong := [name for name in listed if name.lower() == layout.CACHE]:
            why = "{remote} has a file at {path}, which is not a place for memories"
            raise Refused(why, "nothing was changed", remote=self.remote, path=wrong[0])
        if lost := self._in_the_way(target):
            why = "{remote} brings {path}, and a file of yours that git does not keep lies there"
            hint = "move or rename yours, then sync again; nothing was changed"
            raise Refused(why, hint, remote=self.remote, path=lost)

    def _in_the_way(self, target: str) -> str:
        """Return a file of a commit that would replace one that git ignores and does not spare, or ""."""
        words = ("diff", "--name-only", "--no-renames", "--diff-filter=A", "HEAD") if self.head() else _ALL_NAMES
        new = {name.lower(): name for name in self._ask(*words, "-z", target, timeout=NETWORK).names}
        taken = {str(place): name for low, name in new.items() for place in (low, *PurePosixPath(low).parents)}
        for own in self._ask("ls-files", "--others", "-z", timeout=NETWORK).names if new else ():
            place = own.lower().rstrip("/")
            above = (place[:at] for at, sign in enumerate(place) if sign == "/")
            if name := taken.get(place) or next((new[folder] for folder in above if folder in new), ""):
                return name
        return ""

    def pull(self) -> int:
        """Bring in the remote's commits and return how many there were."""
        theirs = self.their_head()
        if not theirs:
            return 0  # the remote is still empty
        ours = self.head()
        new = f"HEAD..{theirs}" if ours else theirs
        if not self.count_commits(new):
            return 0
        number = self.count_commits(new, merges=False)
        self.move(self.merge(theirs) if ours and self.count_commits(f"{theirs}..HEAD") else theirs)
        return number

    def push(self) -> int | None:
        """Push, and return how many commits were pushed, or None when the remote moved on in the meantime."""
        theirs = self.their_head()
        ahead = f"{theirs}..HEAD" if theirs else "HEAD"
        if not self.count_commits(ahead):
            return 0
        number = self.count_commits(ahead, merges=False)
        words = ("push", "--quiet", "--set-upstream", self.remote, f"HEAD:refs/heads/{self.branch}")
        done = self._ask(*words, timeout=NETWORK)
        if done.ok:
            return number
        if any(sign in done.err for sign in _OVERTAKEN):
            return None
        hint = "your memory is whole; sync again later"
        raise MissingPart("{remote} does not take the push: {WHY}", hint, remote=self.remote, WHY=done.why)
