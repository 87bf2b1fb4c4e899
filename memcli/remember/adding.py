"""Add one memory to today's log, or to the file for its type."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import date, datetime, time

from memcli.errors import Refused, UsageError
from memcli.message import joined
from memcli.remember import days
from memcli.remember.change import superseding
from memcli.remember.conflicts.moved_day import find_moved
from memcli.remember.gates import GateResult, TurnedAway, Verdict, duplicate, judge, too_often
from memcli.text.clean import harmless, one_line
from memcli.text.later import compile_later
from memcli.vault import edit, entries, files, journal, layout, markdown, names, vault_language
from memcli.vault.entries import Entry
from memcli.vault.vault import Filter, Vault
from memcli.vault.write import WriteResult, write_vault

_NAME = compile_later(r"[^\W_][\w.-]*")
# Memories of these types last, so they get a file of their own instead of the day's log.
HOMES = {
    "fact": "MEMORY.md", "preference": "MEMORY.md", "decision": "MEMORY.md",
    "insight": "insights.md", "project": "projects.md",
}  # fmt: skip
HEADINGS = {  # the headings of the templates
    "decision": ("decisions", "decision", "决定", "决策"), "fact": ("other facts", "facts", "其他事实", "事实"),
}  # fmt: skip
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
    text = harmless(memory.text).strip("\n")
    if not text.strip():
        raise UsageError("the text is empty: there is nothing to remember", 'mem add "what you want remembered"')
    if not FIRST_YEAR <= _when(vault, memory).year <= LAST_YEAR:
        raise UsageError("{day} is too far away", day=_when(vault, memory).date())
    memory = replace(memory, type=names.type_name(memory.type)) if memory.type else memory
    task = names.task_in(text) if memory.type in ("", "task") else ""
    if task or memory.type == "task":  # a task is written as a box, not as a type
        memory, text = replace(memory, type=""), text if entries.is_task(text) else f"[ ] {task or text}"
    if memory.at is None:
        memory, text = _dated(vault, memory, text)
    if too_often(vault):
        most = vault.settings.gates.agent_hourly
        raise Refused(
            "{agent} has added {count} memories within the hour",
            "gates.agent_hourly is the limit",
            agent=vault.agent,
            count=most,
        )
    replaced = vault.find_entry(memory.replaces) if memory.replaces else None
    by_hand = not (vault.agent or memory.at)  # an agent must not change the owner's notes, nor an import newer ones
    moves = find_moved(vault, text, _when(vault, memory).date()) if by_hand and not replaced else None
    target, _, heading = memory.to.partition("#")
    path = _home(vault, memory, target)
    kind = layout.kind_of(path)
    new = _item(vault, memory, text, path)
    looked = files.read_or_empty(vault.root / path, path).text
    heading = heading or ("" if target else _heading(memory.type, looked))
    passed = judge(
        vault, text, path, names=(*memory.tags, memory.type, memory.to),
        day=_when(vault, memory).date(), day_is_named=memory.day is not None,
        force=force or replaced is not None, allow_sensitive=allow_sensitive, confidence=memory.confidence,
    )  # fmt: skip
    if passed.refused:
        if not dry_run:
            journal.count(vault, "refused", passed.refused.gate)
        raise TurnedAway(passed)
    if passed.merged:
        return _seen(vault, memory, passed, passed.merged, dry_run)
    for verdict in passed.verdicts:
        if verdict.reason:
            vault.notice(joined(verdict.reason, verdict.hint))
    if passed.text != text:
        new = _item(vault, memory, passed.text, path)
    if (made := entries.parse_document(path, new).entries[0]).block_id:
        _is_free(vault, made.id)
    header = (
        f"# {vault_language.day_heading(vault, _when(vault, memory).date())}\n"
        if kind == "log" and vault.settings.write.heading
        else ""
    )
    found: list[Entry] = []
    ids: list[str] = []

    def put(before: str) -> str:
        if (
            before != looked and vault.settings.gates.duplicate and not (force or replaced)
        ):  # two hooks may fire at the same moment
            day = _when(vault, memory).date()
            if old := duplicate.find_in_file(vault, path, before, passed.text, day, memory.day is not None):
                raise _WriteRace(old)
        after = edit.append_item(path, before, new, header, one_line(heading))
        found[:] = [_last(path, after, new)]
        ids[:] = [found[0].id]
        return after

    if dry_run:
        put(files.read_or_empty(vault.root / path, path).text)
        return AddResult(found[0], WriteResult("add", ()), passed.verdicts, moves=moves)
    if kind in layout.NOT_RECALLED:
        vault.notice("what lies in {path} is kept, but not recalled", path=path)
    try:
        gone = replaced or moves
        marks = superseding(gone, lambda: found[0]) if gone else []
        written = write_vault(vault, "add", [(path, put), *marks], ids)
    except _WriteRace as meanwhile:
        return _seen(vault, memory, passed, meanwhile.entry, dry_run)
    return AddResult(found[0], written, passed.verdicts, moves=moves)


def _dated(vault: Vault, memory: Memory, text: str) -> tuple[Memory, str]:
    """Return the memory with the day at its head, and the text with words of time resolved. These then mean the same
    later."""
    text = days.resolve_days(text, memory.day or vault.today)
    if memory.day or memory.to or memory.type in HOMES or entries.is_task(text):
        return memory, text
    return replace(memory, day=days.leading_day(text, vault.today)), text


def _seen(vault: Vault, memory: Memory, passed: GateResult, old: Entry, dry_run: bool) -> AddResult:
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


def _item(vault: Vault, memory: Memory, text: str, path: str) -> str:
    """Return the memory as a list item for the file at `path`. Raise Refused if a line is too long, UsageError if it is
    empty."""
    kind = layout.kind_of(path)
    is_timed = kind == "log" and not (memory.day or entries.says_when(text))
    lead = _when(vault, memory).strftime("%H:%M") if is_timed else ""
    new = edit.list_item(lead, *_noted(text, memory, vault, kind))
    if (longest := max(map(len, new.split("\n")))) > entries.LONGEST_LINE:  # nothing would read it again
        raise Refused(
            "a line of {n} characters is a document, no memory", "put it into knowledge/ as a file", n=longest
        )
    if not entries.parse_document(path, new).entries:
        raise UsageError("there are no words to remember in that", 'mem add "what you want remembered"')
    return new


def _is_free(vault: Vault, name: str) -> None:
    taken = [each for each in vault.matches(name) if layout.is_memory(each.path)]
    if taken:
        raise Refused(
            "{name} is the id of {place} already", "choose another, or leave it out", name=name, place=taken[0].place
        )


def _home(vault: Vault, memory: Memory, target: str) -> str:
    """Return the file a memory belongs to, relative to the vault."""
    space = vault.space
    if target:
        there = target if os.path.isabs(target) else space + target
        if vault.agent and not os.path.normpath(os.path.relpath(vault.root / there, vault.root)).startswith(space):
            raise Refused("{place} is not in the space of {agent}", place=target, agent=vault.agent)
        return _inside(vault, there)
    if memory.type in HOMES:
        return space + HOMES[memory.type]
    day = _when(vault, memory).date()
    wanted = _inside(vault, space + _when(vault, memory).strftime(vault.settings.write.log))
    if (vault.root / wanted).exists():
        return wanted
    others = vault.files(Filter(day, day, kinds=frozenset({"log"})))
    same = [p for p in others if layout.day_of(p) == day and layout.split(p)[0] == space]
    return same[0] if same else wanted


def _heading(type: str, text: str) -> str:
    """Return the heading for memories of a type, or "" if the file has none."""
    titles = (block.title for block in markdown.blocks(text) if block.kind == markdown.HEADING)
    return next((title for title in titles if title.casefold() in HEADINGS.get(type, ())), "")


def _when(vault: Vault, memory: Memory) -> datetime:
    return memory.at or (datetime.combine(memory.day, time()) if memory.day else vault.now)


def _inside(vault: Vault, name: str) -> str:
    """Return `name` as a path below the vault, to a Markdown file. Raise UsageError or Refused if memories in it
    would not be found."""
    if not name.endswith(layout.MARKDOWN):
        if vault.place(name).is_file():
            raise UsageError("{name} is not Markdown, memories in it would not be found", "--to FILE.md", name=name)
        name += ".md"
    path = vault.place(name).relative_to(vault.root.resolve()).as_posix()
    if any(part.startswith(".") for part in path.split("/")):
        raise Refused("{path} is hidden, memories in it would not be found", path=path)
    return path


def _noted(text: str, memory: Memory, vault: Vault, kind: str) -> tuple[str, list[str]]:
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


def _last(path: str, text: str, new: str) -> Entry:
    """Return the entry just written: the last one with the same text."""
    plain = new.rstrip()
    return [e for e in entries.parse_document(path, text).entries if e.raw.replace("\r\n", "\n") == plain][-1]
