"""The tag path: what carries a tag that was asked for, or that a word of the question stands for."""

from __future__ import annotations

from collections.abc import Iterator

from memcli.recall.field import Field
from memcli.vault.entries import Entry

MOST_FILES = 40


def find(field: Field) -> Iterator[Entry]:
    """Entries with an asked or hinted tag, from the files that show one, newest names first."""
    wanted = (*field.query.tags, *field.query.hinted)
    if not wanted:
        return
    marks = tuple(f"#{tag.lower()}" for tag in wanted)
    shown = [path for path, hits in field.hits.items() if any(_shows(hit.text.lower(), marks) for hit in hits)]
    for path in sorted(shown, reverse=True)[:MOST_FILES]:
        yield from (entry for entry in field.entries(path) if strength(entry, field) > 0)


def strength(entry: Entry, field: Field) -> float:
    """1 for a tag asked for, less for one that a word only hints at; a parent tag stands for its children."""
    own = [tag.lower() for tag in entry.tags]
    if _any(own, field.query.tags):
        return 1.0
    return 0.6 if _any(own, field.query.hinted) else 0.0


def _any(own: list[str], wanted: tuple[str, ...]) -> bool:
    return any(tag == each.lower() or tag.startswith(each.lower() + "/") for tag in own for each in wanted)


def _shows(line: str, marks: tuple[str, ...]) -> bool:
    return any(mark in line for mark in marks) or line.lstrip(" -").startswith(("tags", "tag:"))
