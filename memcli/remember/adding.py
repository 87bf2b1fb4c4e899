"""Add one memory to today's log, or to the file for its type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time

from memcli.errors import Refused, UsageError
from memcli.message import joined
from memcli.remember import days
from memcli.remember.change import superseding
from memcli.remember.conflicts.moved_day import find_moved
from memcli.remember.gates import duplicate
from memcli.remember.gates.gate import GateResult, TurnedAway, Verdict, check_hourly_limit, judge
from memcli.remember.places import HOMES, Place, find_place
from memcli.text.clean import harmless
from memcli.text.later import compile_later
from memcli.vault import edit, entries, files, journal, layout, names
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault
from memcli.vault.write import WriteResult, write_vault

_NAME = compile_later(r"[^\W_][\w.-]*")
FIRST_YEAR, LAST_YEAR = 1000, 9000  # leaves room in the calendar for days that are computed from this one
MIDDLING, AGAIN = 0.5, 0.1  # default importance, and the increase when the memory is added again


@dataclass(frozen=True)
class Memory:
    """Hold what somebody wants remembered."""

    text: str
    tags: tuple[str, ...] = ()
    type: str = ""
    importance: float | None = None
    to: str = ""  # a file, or `FILE#Heading`
    at: datetime | None = None  # when it was said, if not now
    confidence: float | None = None  # confidence of an inference; None: the user said it outright
    replaces: str = ""  # the id of the memory that this one replaces
    source: str = ""  # the program that brought it, "" if a person typed it
    day: date | None = None  # the day it belongs to, if its time is unknown


@dataclass(frozen=True)
class AddResult:
    entry: Entry
    written: WriteResult
    verdicts: tuple[Verdict, ...] = ()
    again: bool = False  # it existed already and was marked as seen again
    moves: Entry | None = None  # the memory whose day it moves, which is superseded


class _WriteRace(Exception):
    """Signal that another program wrote the same memory after the gates had checked."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry


def add(
    vault: Vault, memory: Memory, dry_run: bool = False, *, force: bool = False, allow_sensitive: bool = False
) -> AddResult:
    """Write one memory that passes the gates, and return it. With `dry_run` only return what would be written and
    where.

    `force` skips the gates of worth and duplicates, never the one for what is sensitive.
    """
    memory, text = _prepare(vault, memory)
    check_hourly_limit(vault)
    day = _when(vault, memory).date()
    replaced = vault.find_entry(memory.replaces) if memory.replaces else None
    if replaced and replaced.task == "open" and not entries.is_task(text):  # it may tell what came of the task
        vault.notice("{id} was an open task, and this is none: --type task makes it one", id=replaced.id)
    by_hand = not (vault.agent or memory.at)  # an agent must not change the owner's notes, nor an import newer ones
    moves = find_moved(vault, text, day) if by_hand and not replaced else None
    place = find_place(vault, memory.to, memory.type, _when(vault, memory))
    item = _make_item(vault, memory, text, place.path)
    passed = judge(
        vault, text, place.path, names=(*memory.tags, memory.type, memory.to), day=day,
        day_is_named=memory.day is not None, force=force or replaced is not None, allow_sensitive=allow_sensitive,
        confidence=memory.confidence,
        is_labelled=by_hand and not memory.source and any((*memory.tags, memory.type, memory.to, memory.day)),
    )  # fmt: skip
    if passed.refused:
        if not dry_run:
            journal.count(vault, "refused", passed.refused.gate)
        raise TurnedAway(passed)
    if passed.merged:
        return _mark_seen(vault, memory, passed, passed.merged, dry_run)
    for verdict in passed.verdicts:
        if verdict.reason:
            vault.notice(joined(verdict.reason, verdict.hint))
    if passed.text != text:
        item = _make_item(vault, memory, passed.text, place.path)
    _check_id_is_free(vault, place.path, item)
    if dry_run:
        _, entry = place.insert(place.text, item)
        return AddResult(entry, WriteResult("add", ()), passed.verdicts, moves=moves)
    if layout.kind_of(place.path) in layout.NOT_RECALLED:
        vault.notice("what lies in {path} is kept, but not recalled", path=place.path)

    def find_repeated(before: str) -> Entry | None:
        """Return the same memory if another program, such as a second hook, wrote it after the gates had checked."""
        if before == place.text or not vault.settings.gates.duplicate or force or replaced:
            return None
        return duplicate.find_in_file(vault, place.path, before, passed.text, day, memory.day is not None)

    try:
        entry, written = _write(vault, place, item, replaced or moves, find_repeated)
    except _WriteRace as race:
        return _mark_seen(vault, memory, passed, race.entry, dry_run)
    return AddResult(entry, written, passed.verdicts, moves=moves)


def _prepare(vault: Vault, memory: Memory) -> tuple[Memory, str]:
    """Return the memory with its type and day, and its text as it is written. Raise UsageError if there is no text, or
    for a day far away."""
    text = harmless(memory.text).strip("\n")
    if not text.strip():
        raise UsageError("the text is empty: there is nothing to remember", 'mem add "what you want remembered"')
    if not FIRST_YEAR <= _when(vault, memory).year <= LAST_YEAR:
        raise UsageError("{day} is too far away", day=_when(vault, memory).date())
    memory = replace(memory, type=names.type_name(memory.type)) if memory.type else memory
    if near := names.find_near_type(memory.type) if memory.type else "":
        vault.notice("'{type}' is a type of its own; did you mean '{name}'?", type=memory.type, name=near)
    task = names.task_in(text) if memory.type in ("", "task") else ""
    if task or memory.type == "task":  # a task is written as a box, not as a type
        memory, text = replace(memory, type=""), text if entries.is_task(text) else f"[ ] {task or text}"
    return _resolve_dates(vault, memory, text) if memory.at is None else (memory, text)


def _write(
    vault: Vault, place: Place, item: str, gone: Entry | None, find_repeated: Callable[[str], Entry | None]
) -> tuple[Entry, WriteResult]:
    """Write an item, and mark the entry that it supersedes as gone. Raise _WriteRace if it is there meanwhile."""
    found: list[Entry] = []
    ids: list[str] = []  # filled while the file is written

    def insert(before: str) -> str:
        if repeated := find_repeated(before):
            raise _WriteRace(repeated)
        after, entry = place.insert(before, item)
        found[:], ids[:] = [entry], [entry.id]
        return after

    marks = superseding(gone, place.path, lambda: found[0]) if gone else []
    written = write_vault(vault, "add", [(place.path, insert), *marks], ids)
    return found[0], written


def _resolve_dates(vault: Vault, memory: Memory, text: str) -> tuple[Memory, str]:
    """Return the memory with the day at its head, and the text with words of time resolved. These then mean the same
    later."""
    resolved = days.resolve_days(text, memory.day or vault.today)
    if memory.day or memory.to or memory.type in HOMES or entries.is_task(text):
        return memory, resolved
    return replace(memory, day=days.leading_day(text, vault.today)), resolved


def _mark_seen(vault: Vault, memory: Memory, passed: GateResult, old: Entry, dry_run: bool) -> AddResult:
    """Mark a known memory as seen again and raise its importance. Its words and its id stay."""
    if tags := [f"#{tag}" for tag in (each.lstrip("#") for each in memory.tags) if tag not in old.tags]:
        vault.notice(
            "{other} says it already, without {tags}; mem edit {id} adds it",
            other=old.place,
            tags=" ".join(tags),
            id=old.id,
        )
    found = [old]

    def put(before: str) -> str:
        here = next((each for each in entries.parse_document(old.path, before).entries if each.hash == old.hash), old)
        day = _when(vault, memory).date().isoformat()
        more = AGAIN if here.fields.get("seen") != day else 0.0  # a hook that fires all day long must not raise it
        importance = max(here.importance or MIDDLING, memory.importance or 0.0) + more
        raw = edit.with_fields(here.raw, seen=day, importance=f"{min(1.0, importance):.2g}")
        after = edit.replace_entry(old.path, before, here, raw)
        found[:] = [each for each in entries.parse_document(old.path, after).entries if each.hash == old.hash] or [old]
        return after

    if dry_run:
        put(files.read_file(vault.root / old.path, old.path).text)
        return AddResult(found[0], WriteResult("seen", ()), passed.verdicts, again=True)
    written = write_vault(vault, "seen", [(old.path, put)], [old.id])
    return AddResult(found[0], written, passed.verdicts, again=True)


def _make_item(vault: Vault, memory: Memory, text: str, path: str) -> str:
    """Return the memory as a list item for the file at `path`. Raise Refused if a line is too long, UsageError if it is
    empty."""
    kind = layout.kind_of(path)
    when = memory.at or vault.now
    has_time = when.time() != time() or not memory.at  # a talk of which only the day is known begins at midnight
    is_timed = kind == "log" and has_time and not (memory.day or entries.says_when(text))
    lead = when.strftime("%H:%M") if is_timed else ""
    new = edit.list_item(lead, *_split_notes(text, memory, vault, kind))
    if (longest := max(map(len, new.split("\n")))) > entries.LONGEST_LINE:  # nothing would read it again
        raise Refused(
            "a line of {n} characters is a document, no memory", "put it into knowledge/ as a file", n=longest
        )
    if not entries.parse_document(path, new).entries:
        raise UsageError("there are no words to remember in that", 'mem add "what you want remembered"')
    return new


def _check_id_is_free(vault: Vault, path: str, item: str) -> None:
    entry = entries.parse_document(path, item).entries[0]
    taken = [each for each in vault.matches(entry.id) if layout.is_memory(each.path)] if entry.block_id else []
    if taken:
        raise Refused(
            "{name} is the id of {place} already",
            "choose another, or leave it out",
            name=entry.id,
            place=taken[0].place,
        )


def _when(vault: Vault, memory: Memory) -> datetime:
    return memory.at or (datetime.combine(memory.day, time()) if memory.day else vault.now)


def _split_notes(text: str, memory: Memory, vault: Vault, kind: str) -> tuple[str, list[str]]:
    """Return the text, and the tags and inline fields for the flags."""
    tags = [f"#{tag.lstrip('#')}" for tag in memory.tags]
    if bad := [tag for tag in tags if entries.tags_in(tag) != [tag[1:]]]:
        raise UsageError("'{tag}' is not a tag", "letters, digits, - _ and /, and not digits alone", tag=bad[0])
    have = {f"#{tag}" for tag in entries.tags_in(text)}
    fields: dict[str, str] = {}
    if memory.type:
        if not _NAME.fullmatch(memory.type):
            raise UsageError(
                "'{type}' is not a type", "one word: decision, fact, preference, task, insight …", type=memory.type
            )
        fields["type"] = memory.type
    if memory.importance is not None:
        if not 0 <= memory.importance <= 1:
            raise UsageError("importance {n} is not between 0 and 1", n=f"{memory.importance:g}")
        fields["importance"] = f"{memory.importance:g}"
    if memory.confidence is not None:
        fields["confidence"] = f"{memory.confidence:g}"
    if memory.source:
        fields["source"] = memory.source
    if kind != "log" and "[date::" not in text:
        fields["date"] = _when(vault, memory).date().isoformat()
    given_inline = {name: value for name, value in fields.items() if f"[{name}::" in text}
    notes = [tag for tag in dict.fromkeys(tags) if tag not in have]
    return edit.with_fields(text, **given_inline), [
        *notes,
        *(f"[{n}:: {v}]" for n, v in fields.items() if n not in given_inline),
    ]
