"""`mem sync`: bring this vault and its remote together. Logs and journals merge by union; any other conflict is named
and undone, so that the vault is never left half-merged.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from memcli.errors import MissingPart, Refused, UsageError
from memcli.vault import files, git, trust
from memcli.vault.create import templates
from memcli.vault.lock import locked
from memcli.vault.vault import Vault

NETWORK = 60.0  # seconds for one exchange with the remote


@dataclass(frozen=True)
class Synced:
    remote: str
    saved: bool  # edits made by hand were committed first
    pulled: int  # commits
    pushed: int


def sync(vault: Vault) -> Synced:
    """Commit what lies around, pull with rebase, push. Refused, with nothing changed, when the two sides contradict."""
    root = vault.root
    if not git.is_repository(root):
        raise UsageError("this vault is not a git repository", "mem init makes it one")
    if bars := trust.bars(root, vault.environ):
        raise Refused(bars, "look at it, then `mem trust`")
    remotes = git.ask(root, "remote").out.split()
    if not remotes:
        raise UsageError("no remote to sync with", "git remote add origin ADDRESS, once, in the vault's folder")
    remote = "origin" if "origin" in remotes else remotes[0]
    files.make_cache(vault.cache)
    with locked(vault.cache / "lock", vault.settings.write.lock_timeout, "sync"):
        if state := git.busy(root):
            raise Refused(f"a git {state} is under way in this vault", f"finish it with git, or git {state} --abort")
        branch = git.ask(root, "symbolic-ref", "--short", "HEAD").out.strip()
        if not branch:
            raise Refused("the vault is not on a branch", "git switch main")
        _fetch(root, remote, branch)
        saved = _save(vault)
        pulled = 0
        for _ in range(3):  # somebody else may push between our pull and our push
            try:
                pulled += _pull(vault, f"refs/remotes/{remote}/{branch}")
            except Refused:
                if saved:  # as it was: the edits made by hand are uncommitted again
                    git.ask(root, "reset", "--quiet", "HEAD~1")
                raise
            pushed = _push(root, remote, branch)
            if pushed is not None:
                return Synced(remote, saved, pulled, pushed)
            _fetch(root, remote, branch)
    raise Refused(f"{remote} keeps changing", "try again in a minute")


def _fetch(root: Path, remote: str, branch: str) -> None:
    fetched = git.ask(root, "fetch", "--quiet", remote, timeout=NETWORK)
    if not fetched.ok:
        raise MissingPart(
            f"{remote} can't be reached: {fetched.why}",
            f"if the address is wrong: git remote set-url {remote} ADDRESS; else sync again later, your memory is whole",
        )
    listed = git.ask(root, "for-each-ref", "--format=%(refname:lstrip=3)", f"refs/remotes/{remote}").out.split()
    others = [name for name in listed if name != "HEAD"]
    if others and branch not in others:
        raise Refused(
            f"{remote} has no branch '{branch}', but {', '.join(others)}",
            f"git branch -m {others[0]} if that is the same memory",
        )


def _save(vault: Vault) -> bool:
    """Commit edits made by hand, so that they travel too and a rebase has a clean ground."""
    if not git.changed(vault.root):
        return False
    git.ask(vault.root, "add", "--all")
    done = git.ask(vault.root, "commit", "--quiet", "-m", "mem sync: edits made by hand", at=vault.now)
    if not done.ok:
        raise Refused(f"the edits in the vault can't be committed: {git.plain(done)}", "nothing was changed")
    return True


def _pull(vault: Vault, theirs: str) -> int:
    """Bring in the remote's commits; their number."""
    root = vault.root
    if not git.ask(root, "rev-parse", "--verify", "--quiet", theirs).ok:
        return 0  # the remote is still empty
    begun = git.ask(root, "rev-parse", "--verify", "--quiet", "HEAD").ok
    count = _count(root, f"HEAD..{theirs}") if begun else _count(root, theirs)
    if count == 0:
        return 0
    target = theirs if not begun or _count(root, f"{theirs}..HEAD") == 0 else _rebased(vault, theirs)
    words = ("reset", "--quiet", "--keep", target) if begun else ("merge", "--quiet", "--ff-only", target)
    done = git.ask(root, *words, timeout=NETWORK)
    if not done.ok:
        raise Refused(f"the vault was changed while it was merged: {done.why}", "sync again")
    return count


def _rebased(vault: Vault, theirs: str) -> str:
    """Our commits on top of theirs, made in a copy: whatever goes wrong there, the vault has not been touched."""
    copy = vault.cache / "sync"
    _remove(vault.root, copy)
    try:
        made = git.ask(vault.root, "worktree", "add", "--quiet", "--detach", str(copy), "HEAD", timeout=NETWORK)
        if not made.ok:
            raise Refused(f"the merge can't be prepared: {made.why}", "nothing was changed")
        union = f"core.attributesFile={templates() / 'gitattributes'}"  # for a vault that has none of its own
        done = git.ask(copy, "-c", union, "rebase", "--quiet", theirs, timeout=NETWORK, at=vault.now)
        if done.ok:
            return git.ask(copy, "rev-parse", "HEAD").out.strip()
        names = ", ".join(git.ask(copy, "diff", "--name-only", "--diff-filter=U").out.split("\n")[:-1])
        raise Refused(
            f"both sides changed the same lines of {names}" if names else done.why,
            "nothing was changed here; git pull --rebase lets you settle it by hand, then mem sync again",
        )
    finally:
        _remove(vault.root, copy)


def _remove(root: Path, copy: Path) -> None:
    if copy.exists():
        git.ask(root, "worktree", "remove", "--force", "--force", str(copy))
        shutil.rmtree(copy, ignore_errors=True)
    git.ask(root, "worktree", "prune")


def _push(root: Path, remote: str, branch: str) -> int | None:
    """Commits pushed; None when the remote moved on in the meantime."""
    theirs = f"refs/remotes/{remote}/{branch}"
    known = git.ask(root, "rev-parse", "--verify", "--quiet", theirs).ok
    ahead = _count(root, f"{theirs}..HEAD") if known else _count(root, "HEAD")
    if ahead == 0:
        return 0
    done = git.ask(root, "push", "--quiet", "--set-upstream", remote, f"HEAD:refs/heads/{branch}", timeout=NETWORK)
    if done.ok:
        return ahead
    if "[rejected]" in done.err or "fetch first" in done.err or "non-fast-forward" in done.err:
        return None
    raise MissingPart(f"{remote} does not take the push: {done.why}", "your memory is whole; sync again later")


def _count(root: Path, commits: str) -> int:
    answer = git.ask(root, "rev-list", "--count", commits)
    return int(answer.out) if answer.ok else 0
