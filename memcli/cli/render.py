"""Render memories as one line, in full, or as JSON, for every command that shows them."""

from __future__ import annotations

from typing import Any

from memcli.cli.looks import CYAN, DIM, GREEN, YELLOW
from memcli.cli.terminal import Terminal
from memcli.text.clean import harmless, one_line
from memcli.vault import entries
from memcli.vault.entries import BOXES, Entry


def as_json(entry: Entry) -> dict[str, Any]:
    """Return an entry as a dictionary with stable keys. What the entry lacks is null or empty."""
    return {
        "id": entry.id,
        "hash": entry.hash,
        "path": entry.path,
        "line": entry.line,
        "last_line": entry.last_line,
        "day": entry.day.isoformat() if entry.day else None,
        "time": entry.time,
        "kind": entry.kind,
        "type": entry.type,
        "task": entry.task,
        "tags": list(entry.tags),
        "importance": entry.importance,
        "superseded": entry.superseded,
        "trail": list(entry.trail),
        "fields": entry.fields,
        "links": list(entry.links),
        "text": harmless(entry.body),
    }


def row(terminal: Terminal, entry: Entry) -> list[str]:
    """Return the columns of a memory in a list: id, day, place and text."""
    when = " ".join(part for part in (entry.day.isoformat() if entry.day else "", entry.time or "") if part)
    box = f"[{BOXES[entry.task]}] " if entry.task else ""
    old = f"({terminal.translate('superseded')}) " if entry.superseded else ""
    return [entry.id, when, one_line(entry.place), box + old + words_of(entry)]


def words_of(entry: Entry) -> str:
    """Return the memory's words in one line, without the time at their head."""
    return one_line(entries.without_time(entry.words) if entry.time else entry.words)


ROW_STYLES = (YELLOW, GREEN, DIM, "")


def print_memory(terminal: Terminal, entry: Entry) -> None:
    """Print one memory with everything that is known of it."""
    facts = [entry.place, entry.day.isoformat() if entry.day else terminal.translate("undated")]
    facts += [terminal.speech.translate_part(entry.type or entry.kind)]
    facts += [f"#{tag}" for tag in entry.tags]
    terminal.out(terminal.paint(entry.id, YELLOW) + "  " + terminal.paint(one_line(" · ".join(facts)), DIM))
    if entry.trail:
        terminal.out(terminal.paint(" > ".join(map(one_line, entry.trail)), CYAN))
    terminal.prose(harmless(entry.raw))
    if entry.superseded:
        terminal.out(terminal.paint(terminal.translate("superseded by {id}", id=one_line(entry.superseded)), YELLOW))
