"""Check what works and what does not, each with a fix. Features add checks of their own."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from memcli.errors import MemError, MissingPart
from memcli.message import Message, joined
from memcli.vault import file_checks, files, grep, history, layout, queue, trust
from memcli.vault.check import BROKEN, NOTE, OK, Check
from memcli.vault.git import locks, program
from memcli.vault.git.repository import is_repository, uncommitted, unfinished
from memcli.vault.settings import resolve
from memcli.vault.vault import Vault


@dataclass(frozen=True)
class Status:
    """Hold what `mem status` shows of a vault."""

    root: str
    memories: dict[str, int]  # by kind of file
    files: int
    last_write: str  # ISO time of the newest file, or ""
    repository: bool
    branch: str = ""
    uncommitted: int = 0
    last_commit: str = ""
    asked: bool = False  # whether git was asked
    waiting: int = 0  # jobs in the queue
    aside: int = 0  # jobs in the queue that failed for good


def checks(vault: Vault) -> Iterator[Check]:
    """Yield every check of the vault itself."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check("python", OK, version)
    yield _search()
    yield _settings(vault)
    yield _writable(vault)
    yield from _git(vault)
    yield from _trusted(vault)
    yield from file_checks.checks(vault)


def status(vault: Vault) -> Status:
    kinds: Counter[str] = Counter()
    newest, number = 0.0, 0
    for document in vault.documents():
        number += 1
        kinds[layout.kind_of(document.path)] += len(document.entries)
        if info := files.stat_of(vault.root / document.path):
            newest = max(newest, info.st_mtime)
    last_write = datetime.fromtimestamp(newest).isoformat(timespec="seconds") if newest else ""
    jobs = queue.jobs(vault)
    here = Status(
        str(vault.root), dict(sorted(kinds.items())), number, last_write, is_repository(vault.root),
        waiting=len(jobs), aside=sum(job.aside for job in jobs),
    )  # fmt: skip
    if not here.repository:
        return here
    if why := trust.why_no_git(vault.root, vault.environ):
        vault.notice("git was not asked: {WHY}", WHY=why)
        return here
    try:
        ask = history.open_git(vault)
        last = ask("log", "-1", "--format=%h %cI %s").out.strip()
        if last:
            commit, at, subject = last.split(" ", 2)
            at = at[:16].replace("T", " ")
            last = Message("{commit} {at} {what}", commit=commit, at=at, what=history.described(subject))
        branch = ask("symbolic-ref", "--quiet", "--short", "HEAD").out.strip()
        dirty = _uncommitted_edits(vault)
    except MissingPart:
        return here
    return replace(here, branch=branch, uncommitted=len(dirty), last_commit=last, asked=True)


def _uncommitted_edits(vault: Vault) -> list[str]:
    """Return the files that are not committed. Those of the journal wait for the next write or sync."""
    return [name for name in uncommitted(vault.root, ["."]) if not layout.is_journal(name)]


def _search() -> Check:
    if grep.engine() is grep.by_python:
        fix = "pip install python-ripgrep, where there is a build of it"
        return Check("search", NOTE, "by Python's re, slower: python-ripgrep can't be loaded", fix)
    return Check("search", OK, "by python-ripgrep")


def _settings(vault: Vault) -> Check:
    try:
        resolve(vault.root / layout.CONFIG, vault.environ, {}, trusted=False)
    except MemError as error:
        return Check("settings", BROKEN, error.message, error.hint or "mend it; until then only doctor works")
    if odd := vault.resolved.odd:
        return Check("settings", NOTE, joined(*odd), "what is unknown, or set again further down, counts for nothing")
    if vault.resolved.origins:
        return Check("settings", OK, "{n} set, mem config list shows them", n=len(vault.resolved.origins))
    return Check("settings", OK, "all defaults")


def _writable(vault: Vault) -> Check:
    if not vault.cache.exists():  # a mere check creates no folder
        if os.access(vault.root, os.W_OK):
            return Check("writing", OK, "{root} can be written", root=vault.root)
        return Check("writing", BROKEN, "{root} can't be written", "reading and recall work without", root=vault.root)
    try:
        files.make_cache(vault.cache)
        files.write_file(vault.cache / "probe", "x")
        files.remove(vault.cache / "probe")
    except MemError as error:
        return Check("writing", BROKEN, error.message, "make the folder writable; reading and recall work without")
    return Check("writing", OK, "{root} can be written", root=vault.root)


def _git(vault: Vault) -> Iterator[Check]:
    if not shutil.which("git"):
        yield Check("git", NOTE, "not installed: no history, no sync", "install git")
        return
    if not is_repository(vault.root):
        yield Check("git", NOTE, "the vault is not a repository: no history, no sync", f"mem init --git {vault.root}")
        return
    if why := trust.why_no_git(vault.root, vault.environ):
        yield Check("git", NOTE, "not asked: {WHY}", "mem trust shows and asks", WHY=why)
    else:
        yield from _repository(vault)


def _repository(vault: Vault) -> Iterator[Check]:
    ask = history.open_git(vault)
    yield from _locked(vault)
    if state := unfinished(vault.root):
        what = Message("a {state} was left unfinished", state=state)
        yield Check("git", BROKEN, what, Message("finish it, or git {state} --abort", state=state))
        return
    if not ask("var", "GIT_COMMITTER_IDENT").ok:
        fix = 'git config --global user.name "…" and user.email "…"'
        yield Check("git", BROKEN, "git does not know who you are, nothing is committed", fix)
        return
    if program.is_own(vault.root):
        yield Check("git", NOTE, program.NOBODY, program.WHO)
    unsaved = len(_uncommitted_edits(vault))
    changed = Message("repository, {n} file{s} uncommitted", n=unsaved)
    yield Check("git", OK, changed if unsaved else "repository, all committed")
    waiting = ask("rev-list", "--count", "--no-merges", "HEAD..@{upstream}")  # of what was fetched last
    if waiting.ok and (number := int(waiting.out)):
        behind = Message("{n} commit{s} of another machine wait to be merged", n=number)
        yield Check("sync", NOTE, behind, "mem sync merges, or says why it can't")


def _locked(vault: Vault) -> Iterator[Check]:
    """Check for git's lock files. The next write removes those of a killed `mem`; the others are left to the user."""
    ours = locks.left(vault.root, vault.cache)
    for lock in locks.present(vault.root):
        if lock in ours:
            why = Message(".git/{lock} is left over from a killed `mem`", lock=lock.name)
            yield Check("git", NOTE, why, "the next write removes it")
        elif lock.name in ("index.lock", "HEAD.lock"):
            why = Message(".git/{lock} is there, nothing is committed", lock=lock.name)
            yield Check("git", BROKEN, why, "remove it if no git is running")


def _trusted(vault: Vault) -> Iterator[Check]:
    try:
        asked = {name: value for name, value in trust.guarded(vault.root).items() if name != "git"}
    except MemError:  # broken settings have a check of their own
        return
    if asked and not trust.is_agreed(vault.root, vault.environ):
        names = ", ".join(asked)
        yield Check("trust", NOTE, "ignored until you agree: {names}", "mem trust shows and asks", names=names)
    elif asked:
        yield Check("trust", OK, "you agreed to {names}", names=", ".join(asked))
