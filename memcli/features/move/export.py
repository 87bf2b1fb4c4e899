"""Export the memories that a filter selects, and count the facts that the format can't hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from pathlib import Path

from memcli.errors import Refused, UsageError
from memcli.features.move import keyed_records
from memcli.features.move.formats import FORMATS, load
from memcli.features.move.formats.records import number_in
from memcli.format import Format, Statement
from memcli.message import Message
from memcli.remember import redacted
from memcli.text.clean import one_line
from memcli.vault import cache_files, files
from memcli.vault.entries import BOXES, Entry
from memcli.vault.gates import KINDS, REDACT
from memcli.vault.tags import without_end_tags
from memcli.vault.vault import Filter, Vault

_DAY = re.compile(r"\d{4}(?:-\d\d){1,2}(?: \w+)?|undated")
# The fields of a statement beside its words, and their names for a person.
FIELDS: dict[str, Callable[[Statement], object]] = {
    "date": lambda each: each.at,
    "time": lambda each: each.at and each.at.time() != time(),
    "type": lambda each: each.type,
    "tags": lambda each: each.tags,
    "confidence": lambda each: each.confidence is not None,
    "importance": lambda each: each.importance is not None,
    "author": lambda each: each.author,
    "id": lambda each: each.source,
    "successor": lambda each: each.superseded,
    "heading": lambda each: each.heading,
}


@dataclass
class ExportResult:
    """Hold an export. Its numbers are complete once all of it was read."""

    format: Format
    pieces: Iterator[str] = iter(())
    files: Iterator[tuple[str, str]] = iter(())  # for a format that is a folder: names, and text to append
    memories: int = 0
    lost: Counter[str] = field(default_factory=Counter)  # how often the format could not hold something


def exportable() -> list[str]:
    """Return the names of the formats that can be written."""
    return [name for name in FORMATS if load(name).write or load(name).write_files]


def export(vault: Vault, want: Filter, to: str, redact: bool = False) -> ExportResult:
    """Return the export of the selected memories.

    `redact` blacks out all that the gates know. Raise UsageError when the format can't be written.
    """
    if to not in (known := exportable()):
        raise UsageError("mem does not write {format}", Message("one of {names}", names=", ".join(known)), format=to)
    format = load(to)
    exported = ExportResult(format)
    counted = _counted(exported, statements(vault, want, redact))
    if format.write:
        exported.pieces = format.write(counted)
    elif format.write_files:
        exported.files = format.write_files(counted)
    return exported


def write_folder(exported: ExportResult, folder: Path) -> int:
    """Write an export that is a folder, and return the number of files. Raise Refused when the folder is not empty."""
    if folder.exists() and (not folder.is_dir() or cache_files.names(folder, "") or cache_files.folders(folder)):
        raise Refused("{folder} is not empty", "name a folder that is not there yet", folder=folder)
    names = set()
    for name, text in exported.files:
        files.extend(folder / name, text)
        names.add(name)
    return len(names)


def write_new_file(exported: ExportResult, file: Path) -> None:
    """Write an export to a new file. Raise Refused when the file exists."""
    if not files.create_exclusive(file):
        raise Refused("{path} is there already", "name a file that is not there yet", path=file)
    for piece in exported.pieces:
        files.extend(file, piece)


def _counted(exported: ExportResult, given: Iterator[Statement]) -> Iterator[Statement]:
    for each in given:
        exported.memories += 1
        exported.lost.update(name for name in exported.format.loses if FIELDS[name](each))
        yield each


def statements(vault: Vault, want: Filter, redact: bool = False) -> Iterator[Statement]:
    """Yield the selected memories, oldest first within each file; then the profile, preferences and labels."""
    rules = dict.fromkeys(KINDS, REDACT)
    for each in (*map(_statement, vault.entries(want)), *keyed_records.export_keyed_records(vault, want)):
        plain = _plain(each, rules) if redact else each
        if plain.text:
            yield plain


def _plain(each: Statement, rules: dict[str, str]) -> Statement:
    return replace(each, text=redacted(each.text, rules)[0], record={})


def _statement(entry: Entry) -> Statement:
    fields, text = entry.fields, entry.words
    at = None
    if entry.day:
        clock = time.fromisoformat(entry.time) if entry.time else _clock(fields.get("date", ""))
        at = datetime.combine(entry.day, clock)
        text = text.removeprefix(f"{entry.time} ") if entry.time else text
    if entry.task:
        text = f"[{BOXES[entry.task]}] {text}"
    return Statement(
        without_end_tags(text), fields.get("source") or f"mem:{entry.id.lstrip('^')}", entry.type or "", at, entry.tags,
        number_in(fields.get("confidence")), entry.importance, fields.get("author", ""),
        f"mem:{entry.superseded}" if entry.superseded and ":" not in entry.superseded else entry.superseded or "",
        _heading(entry), block=entry.block_id or "",
    )  # fmt: skip


def _heading(entry: Entry) -> str:
    """Return the headings above a memory, without those that only name its day."""
    titles = [title for title in entry.trail if not _DAY.fullmatch(title)]
    return " > ".join(one_line(title) for title in titles) or entry.fields.get("heading", "")


def _clock(date: str) -> time:
    """Return the time of day in a date, as imported memories have it, or midnight when there is none."""
    try:
        return datetime.fromisoformat(date.strip()).time()
    except ValueError:
        return time()
