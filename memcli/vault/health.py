"""Check what works and what does not, each with a way to mend it. Features add checks of their own."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from unicodedata import normalize

from memcli import filenames
from memcli.errors import MemError, MissingPart
from memcli.vault import chain, files, grep, history, journal, layout, queue, schema, trust, yaml_read
from memcli.vault import state as states
from memcli.vault.git import locks, program
from memcli.vault.git.repository import Repository, is_repository, unfinished
from memcli.vault.settings import resolve
from memcli.vault.vault import Filter, Vault

OK, NOTE, BROKEN = "ok", "note", "broken"


@dataclass(frozen=True)
class Check:
    """Hold one line of `mem doctor`."""

    name: str
    state: str  # OK, NOTE (works, but you may want to know) or BROKEN
    detail: str
    mend: str = ""


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
    yield _search(vault)
    yield _settings(vault)
    yield _writable(vault)
    yield from _git(vault)
    yield from _trusted(vault)
    yield from checks_of_memories(vault)
    yield from _forgotten(vault)
    yield from _data_files(vault)
    yield from _links(vault)
    yield from _names(vault)
    yield from _queue(vault)
    yield from _audit(vault)


def status(vault: Vault) -> Status:
    kinds: Counter[str] = Counter()
    newest, number = 0.0, 0
    for document in vault.documents():
        number += 1
        kinds[layout.kind_of(document.path)] += len(document.entries)
        if info := files.stat_of(vault.root / document.path):
            newest = max(newest, info.st_mtime)
    last_write = datetime.fromtimestamp(newest).isoformat(timespec="seconds") if newest else ""
    here = Status(str(vault.root), dict(sorted(kinds.items())), number, last_write, is_repository(vault.root))
    waiting = queue.jobs(vault)
    here = replace(here, waiting=len(waiting), aside=sum(job.aside for job in waiting))
    if not here.repository:
        return here
    if why := trust.why_no_git(vault.root, vault.environ):
        vault.notice(f"git was not asked: {why}")
        return here
    try:
        with history.asking(vault) as repository:
            dirty = _uncommitted(repository)
            last = repository.ask("log", "-1", "--format=%h %cI %s").out.strip()
            branch = repository.branch()
    except MissingPart:
        return here
    return replace(here, branch=branch, uncommitted=len(dirty), last_commit=last, asked=True)


def _uncommitted(repository: Repository) -> list[str]:
    """Return the files that differ from the last commit."""
    repository.stage()
    start = history.latest(repository)
    return repository.ask("diff", "--cached", "--name-only", "-z", "--ignore-submodules=all", start).names


def _search(vault: Vault) -> Check:
    engine = grep.engine(str(vault.root), vault.environ.get("PATH", ""))
    if engine.fallback:
        mend = "pip install python-ripgrep; where it has no build, install ripgrep"
        return Check("search", NOTE, f"by {engine.name}, slower: python-ripgrep can't be loaded", mend)
    return Check("search", OK, f"by {engine.name}")


def _settings(vault: Vault) -> Check:
    try:
        resolve(vault.root / layout.CONFIG, vault.environ, {}, trusted=False)
    except MemError as error:
        return Check("settings", BROKEN, error.message, error.hint or "mend it; until then only doctor works")
    if vault.resolved.origins:
        return Check("settings", OK, f"{len(vault.resolved.origins)} set, mem config list shows them")
    return Check("settings", OK, "all defaults")


def _writable(vault: Vault) -> Check:
    if not vault.cache.exists():  # a mere check creates no folder
        if os.access(vault.root, os.W_OK):
            return Check("writing", OK, f"{vault.root} can be written")
        return Check("writing", BROKEN, f"{vault.root} can't be written", "reading and recall work without")
    try:
        files.make_cache(vault.cache)
        files.write_file(vault.cache / "probe", "x")
        files.remove(vault.cache / "probe")
    except MemError as error:
        return Check("writing", BROKEN, error.message, "make the folder writable; reading and recall work without")
    return Check("writing", OK, f"{vault.root} can be written")


def _git(vault: Vault) -> Iterator[Check]:
    if not shutil.which("git"):
        yield Check("git", NOTE, "not installed: no history, no sync", "install git")
        return
    if not is_repository(vault.root):
        yield Check("git", NOTE, "the vault is not a repository: no history, no sync", f"mem init {vault.root}")
        return
    if why := trust.why_no_git(vault.root, vault.environ):
        yield Check("git", NOTE, f"not asked: {why}", "mem trust shows and asks")
    else:
        yield from _repository(vault)


def _repository(vault: Vault) -> Iterator[Check]:
    with history.asking(vault) as repository:
        yield from _locked(vault)
        if state := unfinished(vault.root):
            yield Check("git", BROKEN, f"a {state} was left unfinished", f"finish it, or git {state} --abort")
            return
        if not repository.ask("var", "GIT_COMMITTER_IDENT").ok:
            mend = 'git config --global user.name "…" and user.email "…"'
            yield Check("git", BROKEN, "git does not know who you are, nothing is committed", mend)
            return
        if program.is_own(vault.root):
            yield Check("git", NOTE, program.NOBODY, program.WHO)
        unsaved = len(_uncommitted(repository))
    changed = f"repository, {unsaved} file{'s' * (unsaved != 1)} uncommitted"
    yield Check("git", OK, changed if unsaved else "repository, all committed")


def _locked(vault: Vault) -> Iterator[Check]:
    """Check for git's lock files. The next write removes those of a killed `mem`; the others are left to the user."""
    ours = locks.left(vault.root, vault.cache)
    for lock in locks.present(vault.root):
        if lock in ours:
            yield Check(
                "git", NOTE, f".git/{lock.name} was left by a `mem` that was killed", "the next write takes it away"
            )
        elif lock.name in ("index.lock", "HEAD.lock"):
            why = f".git/{lock.name} is there, nothing is committed"
            yield Check("git", BROKEN, why, "remove it if no git is running")


def _trusted(vault: Vault) -> Iterator[Check]:
    try:
        asked = {name: value for name, value in trust.guarded(vault.root).items() if name != "git"}
    except MemError:  # broken settings have a check of their own
        return
    if asked and not trust.is_agreed(vault.root, vault.environ):
        yield Check("trust", NOTE, f"ignored until you agree: {', '.join(asked)}", "mem trust shows and asks")
    elif asked:
        yield Check("trust", OK, f"you agreed to {', '.join(asked)}")


def checks_of_memories(vault: Vault) -> Iterator[Check]:
    """Check that the memories that the caller may see can be read."""
    wrong: list[str] = []
    number = entries = 0
    for path in vault.files(Filter()):
        try:
            document = vault.document(path)
        except MemError as error:
            wrong.append(error.message)
            continue
        number, entries = number + 1, entries + len(document.entries)
        if document.problem:
            wrong.append(document.problem)
    yield Check("memories", OK, f"{entries} in {number} files")
    for message in wrong:
        yield Check("file", BROKEN, message, "mend or remove it; everything else works")


def _forgotten(vault: Vault) -> Iterator[Check]:
    """Check for memories that are both archived and live, as plain git leaves them: it merges lines, not memories."""
    kept = [{e.id: e.place for e in vault.entries(want)} for want in (Filter(), Filter(kinds=frozenset({"archive"})))]
    for id in sorted(kept[0].keys() & kept[1].keys()):
        what = f"{id} is live in {kept[0][id]} and archived in {kept[1][id]}"
        yield Check("forgotten", NOTE, what, f"mem forget {id}, unless it was said again since")


def _data_files(vault: Vault) -> Iterator[Check]:
    for path in layout.walk(vault.root, (".yaml", ".yml")):
        if path == layout.CONFIG:
            continue
        try:
            yaml_read.load(files.read_file(vault.root / path, path).text, path)
        except MemError as error:
            yield Check("file", BROKEN, error.message, error.hint or "mend it; everything else works")
    told = len(vault.notices)
    states.read_state(vault)
    for notice in vault.notices[told:]:
        yield Check("state", NOTE, notice, "mem state list shows what counts, mem state set KEY VALUE changes it")
    for flaw, change in schema.wrong(vault):
        yield Check("value", NOTE, flaw.message, f"{change}, or mend the file; until then what can be read counts")
    for record in (journal.place(vault.root, journal.AUDIT),):
        if record.exists() and not os.access(record, os.W_OK):
            yield Check("journal", BROKEN, f"{record.name} can't be written", "make it writable")


def _links(vault: Vault) -> Iterator[Check]:
    """Check for links that are not followed (they may form a circle or leave the vault) and for unreadable folders."""
    left_out: list[str] = []
    read = set(layout.walk(vault.root, tell=left_out.append))
    for folder, folders, names in os.walk(vault.root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in [*folders, *(name for name in names if name.endswith(layout.MARKDOWN))]:
            path = (Path(folder) / name).relative_to(vault.root).as_posix()
            if not (vault.root / path).is_symlink() or path in read:
                continue
            if name in folders:
                yield Check(
                    "link", NOTE, f"{path} is a linked folder, what lies in it is not read", "move the notes in"
                )
            else:
                yield Check("link", NOTE, f"{path} leads nowhere or out of the vault, it is not read", "remove it")
    for line in left_out:
        yield Check("file", BROKEN, line, "make it readable, split or remove it; everything else works")


def _names(vault: Vault) -> Iterator[Check]:
    """Check for names that a Mac or Windows can't hold: the vault could not move there."""
    paths = list(layout.walk(vault.root))
    for path in paths:
        if why := next(filter(None, map(filenames.windows_refuses, path.split("/"))), ""):
            yield Check("name", NOTE, f"{path}: {why}", "rename it, should the vault ever go there")
    alike: dict[str, str] = {}
    for path in paths:
        if (other := alike.setdefault(normalize("NFC", path).casefold(), path)) != path:
            mend = "rename one of them, should the vault ever go there"
            yield Check("name", NOTE, f"{other} and {path} are one file on a Mac and on Windows", mend)


def _queue(vault: Vault) -> Iterator[Check]:
    waiting = queue.jobs(vault)
    if late := [job for job in waiting if not job.aside]:
        yield Check("queue", NOTE, f"{len(late)} job(s) wait, since {late[0].at[:16]}", "mem work does them")
    for job in waiting:
        if job.aside:
            mend = f"mem work --retry tries it again, mem work --drop '{job.id}' gives it up"
            yield Check("queue", BROKEN, f"{job.kind} {job.id} failed for good: {job.error}", mend)


def _audit(vault: Vault) -> Iterator[Check]:
    """Check that the audit journal is unaltered, by its own hashes and by git's copy."""
    name = f"{layout.JOURNAL}/{journal.AUDIT}.jsonl"
    try:
        text = files.tail(files.inside(vault.root, name), journal.LARGEST, name)
    except MemError as error:
        yield Check("audit", BROKEN, error.message, "remove it; the next write begins another")
        return
    found = list(chain.flaws(text))
    for grave, state in ((True, BROKEN), (False, NOTE)):
        if lines := [f"line {number} {what}" for number, what, bad in found if bad == grave]:
            more = f" and {len(lines) - 5} more" if len(lines) > 5 else ""
            yield Check("audit", state, f"{name}: {', '.join(lines[:5])}{more}", "mem log and git show what was there")
    if shutil.which("git") and trust.runs_git(vault.root, vault.environ):
        with history.asking(vault) as repository:
            kept = repository.ask("cat-file", "blob", f"HEAD:{name}")
            if kept.ok and (gone := chain.lost(kept.out, text)):
                mend = f"git checkout HEAD -- {name} brings them back"
                yield Check("audit", BROKEN, f"{name}: {gone} line(s) that git has are altered or gone", mend)
