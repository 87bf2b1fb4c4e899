"""Check that the files of a vault are readable and unaltered, and that their names work on other systems."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

from memcli import filenames
from memcli.errors import MemError
from memcli.message import Message, some
from memcli.vault import chain, files, history, journal, layout, queue, schema, trust, yaml_read
from memcli.vault import state as states
from memcli.vault.check import BROKEN, NOTE, OK, Check
from memcli.vault.entries import ID_LENGTH
from memcli.vault.vault import Filter, Vault


def checks(vault: Vault) -> Iterator[Check]:
    """Yield the checks of all files."""
    yield from _memories(vault)
    yield from _forgotten(vault)
    yield from _superseded(vault)
    yield from _data_files(vault)
    yield from _links(vault)
    yield from _names(vault)
    yield from _queue(vault)
    yield from _audit(vault)


def _memories(vault: Vault) -> Iterator[Check]:
    """Check that the memories can be read."""
    wrong: list[tuple[str, str]] = []
    number = entries = 0
    for path in vault.files(Filter()):
        try:
            document = vault.document(path)
        except MemError as error:
            wrong.append((error.message, error.hint))
            continue
        number, entries = number + 1, entries + len(document.entries)
        if document.problem:
            wrong.append((document.problem, ""))
    yield Check("memories", OK, "{n} in {files} files", n=entries, files=number)
    for message, hint in wrong:
        yield Check("file", BROKEN, message, hint or "mend or remove it; everything else works")


def _forgotten(vault: Vault) -> Iterator[Check]:
    """Check for memories that are both archived and live. A plain git merge leaves such, because it merges lines."""
    archived = (e for e in vault.entries(Filter(kinds=frozenset({"archive"}))) if "archived" in e.fields)  # not undone
    live, gone = ({e.id: e.place for e in found} for found in (vault.entries(), archived))
    for id in sorted(live.keys() & gone.keys()):
        what = Message("{id} is live in {place} and archived in {kept}", id=id, place=live[id], kept=gone[id])
        yield Check("forgotten", NOTE, what, Message("mem forget {id}, unless it was said again since", id=id))


def _superseded(vault: Vault) -> Iterator[Check]:
    """Check for marks of a memory that is not there: an edit by hand of its words gave it another id."""
    entries = [e for want in (Filter(), Filter(kinds=frozenset({"archive"}))) for e in vault.entries(want)]
    there = {e.block_id for e in entries} | {e.hash[:ID_LENGTH] for e in entries}
    for entry in entries:
        name = (entry.superseded or "").removeprefix("^")
        if name and not {name, name[:ID_LENGTH]} & there:
            what = Message("{place} is superseded by {id}, which is not there", place=entry.place, id=name)
            yield Check("superseded", NOTE, what, Message("mem supersede {id} NEW names another", id=entry.id))


def _data_files(vault: Vault) -> Iterator[Check]:
    for path in layout.walk(vault.root, (".yaml", ".yml")):
        if path == layout.CONFIG:
            continue
        try:
            yaml_read.load(files.read_file(vault.root / path, path).text, path)
        except MemError as error:
            yield Check("file", BROKEN, error.message, error.hint or "mend it; everything else works")
    notices_before = len(vault.notices)
    states.read_state(vault)
    for notice in vault.notices[notices_before:]:
        yield Check("state", NOTE, notice, "mem state list shows what counts, mem state set KEY VALUE changes it")
    for flaw, change in schema.wrong(vault):
        fix = Message("{change}, or mend the file; until then what can be read counts", change=change)
        yield Check("value", NOTE, flaw.message, fix)
    record = journal.place(vault.root, journal.AUDIT)
    if record.exists() and not os.access(record, os.W_OK):
        yield Check("journal", BROKEN, "{root} can't be written", "make it writable", root=record.name)


def _links(vault: Vault) -> Iterator[Check]:
    """Check for links that are not followed (they may form a circle or leave the vault) and for unreadable folders."""
    left_out: dict[str, str] = {}
    read = set(layout.walk(vault.root, tell=left_out.__setitem__))
    for folder, folders, names in os.walk(vault.root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in [*folders, *(name for name in names if name.endswith(layout.MARKDOWN))]:
            path = (Path(folder) / name).relative_to(vault.root).as_posix()
            if not (vault.root / path).is_symlink() or path in read:
                continue
            what, fix = "{path} leads nowhere or out of the vault, it is not read", "remove it"
            if name in folders:
                what, fix = "{path} is a linked folder, what lies in it is not read", "move the notes in"
            yield Check("link", NOTE, what, fix, path=path)
    for path, why in left_out.items():
        fix = "make it readable, split or remove it; everything else works"
        yield Check("file", BROKEN, "{place}: {WHY}", fix, place=path, WHY=why)


def _names(vault: Vault) -> Iterator[Check]:
    """Check for names that a Mac or Windows can't hold: the vault could not move there."""
    paths = list(layout.walk(vault.root))
    fix = "rename it, should the vault ever go there"
    for path in paths:
        if why := next(filter(None, map(filenames.windows_refuses, path.split("/"))), ""):
            yield Check("name", NOTE, "{place}: {WHY}", fix, place=path, WHY=why)
    alike: dict[str, str] = {}
    for path in paths:
        if (other := alike.setdefault(normalize("NFC", path).casefold(), path)) != path:
            what = Message("{name} and {path} are one file on a Mac and on Windows", name=other, path=path)
            yield Check("name", NOTE, what, "rename one of them, should the vault ever go there")


def _queue(vault: Vault) -> Iterator[Check]:
    waiting = queue.jobs(vault)
    if late := [job for job in waiting if not job.aside]:
        since = late[0].at[:16]
        yield Check("queue", NOTE, "{n} job(s) wait, since {time}", "mem work does them", n=len(late), time=since)
    for job in waiting:
        if job.aside:
            what = Message("{KIND} {id} failed for good: {WHY}", KIND=job.kind, id=job.id, WHY=job.error)
            fix = Message("mem work --retry tries it again, mem work --drop '{id}' gives it up", id=job.id)
            yield Check("queue", BROKEN, what, fix)


def _audit(vault: Vault) -> Iterator[Check]:
    """Check that the audit journal is unaltered, by its own hashes and by git's copy."""
    name = f"{layout.JOURNAL}/{journal.AUDIT}.jsonl"
    try:
        text = files.tail(files.inside(vault.root, name), journal.LARGEST, name)
    except MemError as error:
        yield Check("audit", BROKEN, error.message, "remove it; the next write begins another")
        return
    found = list(chain.find_flaws(text))
    for grave, state in ((True, BROKEN), (False, NOTE)):
        lines: list[str] = [Message("line {n} {WHAT}", n=n, WHAT=what) for n, what, bad in found if bad == grave]
        if lines:
            fix = "mem log and git show what was there"
            yield Check("audit", state, Message("{name}: {LINES}", name=name, LINES=some(lines, 5)), fix)
    if shutil.which("git") and trust.runs_git(vault.root, vault.environ):
        committed = history.open_git(vault)("cat-file", "blob", f"HEAD:{name}")
        if committed.ok and (gone := chain.count_lost(committed.out, text)):
            what = Message("{name}: {n} line(s) that git has are altered or gone", name=name, n=gone)
            yield Check("audit", BROKEN, what, Message("git checkout HEAD -- {name} brings them back", name=name))
