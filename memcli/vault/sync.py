"""Synchronise a vault with its remote for `mem sync`.

Both sides are merged entry by entry. On a contradiction, which is named, nothing is changed, so that the vault is
never left half-merged.
"""

from __future__ import annotations

from dataclasses import dataclass

from memcli.errors import MissingPart, Refused, UsageError
from memcli.message import Message
from memcli.vault import trust
from memcli.vault.git import locks, repository
from memcli.vault.git.exchange import Exchange
from memcli.vault.lock import vault_locked
from memcli.vault.vault import Vault


@dataclass(frozen=True)
class SyncResult:
    remote: str
    saved: bool  # whether edits made by hand were committed first
    pulled: int  # number of commits
    pushed: int


def sync(vault: Vault) -> SyncResult:
    """Commit uncommitted edits, merge what the remote has, and push. Refuse, changing nothing, on a contradiction."""
    root = vault.root
    if not repository.is_repository(root):
        raise UsageError("this vault is not a git repository", "mem init makes it one")
    trust.must_run_git(root, vault.environ)
    with vault_locked(vault, "sync"), locks.recorded(root, vault.cache, "mem sync") as started:
        return _sync(vault, Exchange(vault, started))


def _sync(vault: Vault, exchange: Exchange) -> SyncResult:
    remote = exchange.remote
    if not remote:
        raise UsageError("no remote to sync with", "git remote add origin ADDRESS, once, in the vault's folder")
    if state := repository.unfinished(vault.root):
        raise Refused(
            "a git {state} is under way in this vault",
            Message("finish it with git, or git {state} --abort", state=state),
            state=state,
        )
    if not exchange.branch:
        raise Refused("the vault is not on a branch", "git switch main")
    _fetch(exchange)
    saved = exchange.save()
    start = exchange.head()
    pulled = 0
    for _ in range(3):  # somebody else may push between our pull and our push
        try:
            pulled += _pull(exchange)
        except BaseException:  # restore the state before: edits made by hand are uncommitted again
            if start and exchange.head() != start:  # an earlier round has merged already
                exchange.move(start)
            if saved:
                exchange.unsave()
            raise
        pushed = _push(exchange)
        if pushed is not None:
            return SyncResult(remote, saved, pulled, pushed)
        _fetch(exchange)
    raise Refused("{remote} keeps changing", "try again in a minute", remote=remote)


def _fetch(exchange: Exchange) -> None:
    exchange.fetch()
    others = exchange.branches()
    if others and exchange.branch not in others:
        raise Refused(
            "{remote} has no branch '{theirs}', but {branches}",
            Message("git branch -m {branch} if that is the same memory", branch=others[0]),
            remote=exchange.remote,
            theirs=exchange.branch,
            branches=", ".join(others),
        )


def _pull(exchange: Exchange) -> int:
    """Bring in the remote's commits and return how many there were."""
    theirs = exchange.theirs()
    if not theirs:
        return 0  # the remote is still empty
    begun = exchange.begun()
    new = f"HEAD..{theirs}" if begun else theirs
    if not exchange.count(new):
        return 0
    number = exchange.count(new, merges=False)
    ours = begun and exchange.count(f"{theirs}..HEAD") > 0
    exchange.move(exchange.merged(theirs) if ours else theirs)
    return number


def _push(exchange: Exchange) -> int | None:
    """Push, and return how many commits were pushed, or None when the remote moved on in the meantime."""
    theirs = exchange.theirs()
    ahead = f"{theirs}..HEAD" if theirs else "HEAD"
    if not exchange.count(ahead):
        return 0
    number = exchange.count(ahead, merges=False)
    done = exchange.push()
    if done.ok:
        return number
    if "[rejected]" in done.err or "fetch first" in done.err or "non-fast-forward" in done.err:
        return None
    raise MissingPart(
        "{remote} does not take the push: {WHY}",
        "your memory is whole; sync again later",
        remote=exchange.remote,
        WHY=done.why,
    )
