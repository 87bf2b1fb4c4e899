"""`mem sync`: bring this vault and its remote together. Logs and journals merge by union; any other conflict is named
and undone, so that the vault is never left half-merged.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memcli.errors import MissingPart, Refused, UsageError
from memcli.vault import files, git, trust
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
    if (risky := trust.risky_git(root)) and not trust.is_trusted(root, vault.environ):
        raise Refused(f"this repository's config runs {', '.join(risky)}", "look at it, then `mem trust`")
    remotes = git.ask(root, "remote").out.split()
    if not remotes:
        raise UsageError("no remote to sync with", "git remote add origin ADDRESS, once, in the vault's folder")
    remote = "origin" if "origin" in remotes else remotes[0]
    files.make_cache(vault.cache)
    with locked(vault.cache / "lock", vault.settings.write.lock_timeout, "sync"):
        if state := git.busy(root):
            raise Refused(f"a git {state} is under way in this vault", f"finish it with git, or git {state} --abort")
        saved = _save(vault)
        branch = git.ask(root, "symbolic-ref", "--short", "HEAD").out.strip()
        if not branch:
            raise Refused("the vault is not on a branch", "git switch main")
        pulled = 0
        for _ in range(3):  # somebody else may push between our pull and our push
            pulled += _pull(root, remote, branch)
            pushed = _push(root, remote, branch)
            if pushed is not None:
                return Synced(remote, saved, pulled, pushed)
    raise Refused(f"{remote} keeps changing", "try again in a minute")


def _save(vault: Vault) -> bool:
    """Commit edits made by hand, so that they travel too and a rebase has a clean ground."""
    if not git.ask(vault.root, "status", "--porcelain").out.strip():
        return False
    git.ask(vault.root, "add", "--all")
    done = git.ask(vault.root, "commit", "--quiet", "-m", "mem sync: edits made by hand")
    if not done.ok:
        raise Refused(f"the edits in the vault can't be committed: {done.why}", "nothing was changed")
    return True


def _pull(root: Path, remote: str, branch: str) -> int:
    fetched = git.ask(root, "fetch", "--quiet", remote, timeout=NETWORK)
    if not fetched.ok:
        raise MissingPart(f"{remote} can't be reached: {fetched.why}", "your memory is whole; sync again later")
    theirs = f"refs/remotes/{remote}/{branch}"
    if not git.ask(root, "rev-parse", "--verify", "--quiet", theirs).ok:
        return 0  # the remote is still empty
    count = _count(root, f"HEAD..{theirs}") if git.ask(root, "rev-parse", "--verify", "--quiet", "HEAD").ok else 0
    if count == 0:
        return 0
    rebased = git.ask(root, "rebase", "--quiet", theirs, timeout=NETWORK)
    if not rebased.ok:
        both = git.ask(root, "diff", "--name-only", "--diff-filter=U").out.split("\n")
        git.ask(root, "rebase", "--abort")
        names = ", ".join(name for name in both if name)
        what = f"both sides changed the same lines of {names}" if names else rebased.why
        raise Refused(what, f"nothing was changed here; git pull --rebase {remote} {branch} lets you settle it by hand")
    return count


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
