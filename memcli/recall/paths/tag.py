"""Find memories by their tags: the tag path.

The question has the tag, or a word that `tags.yaml` maps to it. A question about what is left to do finds open tasks,
one about what was finished the ticked ones, and one for the decisions those that are marked as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from memcli.recall.query import Query
from memcli.recall.search_state import VaultSearch
from memcli.recall_path import RecallPath
from memcli.text.later import compile_later
from memcli.vault import layout
from memcli.vault.entries import BOXES, Entry
from memcli.vault.filter import matches_tag
from memcli.vault.search import LinePattern

MOST_FILES, MOST_OF_A_FILE = 40, 500
_TASK_LINE = r"^\s*(?:[-*+]|\d+[.)])\s+\[{}\]"  # with the sign in its box
TASK_PATTERNS = {"open": _TASK_LINE.format(" "), "done": _TASK_LINE.format("[xX]")}
DECISION = r"\[type:: *decision\]"
TASK = 0.6  # strength of a task or a decision when the question asks for those of its state

_COMPILED = {state: compile_later(box) for state, box in TASK_PATTERNS.items()} | {"decision": compile_later(DECISION)}


def find_entries(search: VaultSearch) -> Iterator[Entry]:
    """Yield the entries with an asked or hinted tag, from the files that show one, newest names first."""
    names = tuple(tag.lower() for tag in (*search.query.tags, *search.query.hinted_tags))
    box = _COMPILED.get(_mark_of(search.query))
    if not names and not box:
        return
    shown = search.findings.files_with(
        lambda line: _line_has_tag(line.lower(), names) or (box is not None and box.search(line) is not None)
    )
    for path in sorted(shown, reverse=True)[:MOST_FILES]:
        carrying = (entry for entry in search.whole_file(path) if strength(search, entry) > 0)
        yield from islice(carrying, MOST_OF_A_FILE)


def strength(search: VaultSearch, entry: Entry) -> float:
    """Return 1 for a tag in the question, less for one that a word only hints at. A parent tag includes its
    children."""
    if not (search.query.tags or search.query.hinted_tags or _mark_of(search.query)):
        return 0.0
    if any(_has_tag(entry, tag) for tag in search.query.tags):
        return 1.0
    doubt = 1.0
    for tag, sureness in search.query.hinted_tags.items():
        if _has_tag(entry, tag):
            doubt *= 1 - sureness
    if is_asked(search.query, entry):
        doubt *= 1 - TASK
    return 1 - doubt


def _mark_of(query: Query) -> str:
    """Return which marked memories a question asks for: open or done tasks, decisions, or "" for none."""
    return "decision" if query.wants_decisions else query.task


def is_asked(query: Query, entry: Entry) -> bool:
    """Return whether an entry is a task of the state in question, one that is done in the time in question, or a
    decision where the question asks for those."""
    if query.wants_decisions:
        return entry.type == "decision"
    if not query.task or entry.task != query.task:
        return False
    if query.task == "open" or not query.spans:
        return True
    finished = layout.day_in(entry.fields.get("done", "")) or entry.day
    return finished is not None and any(span.first <= finished <= span.last for span in query.spans)


def _has_tag(entry: Entry, wanted: str) -> bool:
    return any(matches_tag(own, wanted) for own in entry.tags)


def _line_has_tag(line: str, names: tuple[str, ...]) -> bool:
    """Return whether a line carries one of the tags: written in a note, or listed in front matter."""
    if not any(name in line for name in names):
        return False
    bare = line.strip(" -'\"")
    return any(f"#{name}" in line or bare.startswith(name) for name in names) or bare.startswith("tag")


def looks(query: Query) -> Iterable[LinePattern]:
    """Yield what to look for: a tag stands with its `#` in a note, and without it in front matter."""
    for tag in (*query.tags, *query.hinted_tags):
        yield LinePattern(tag.lower(), re.escape(tag))
    if query.task:
        yield LinePattern(f"[{BOXES[query.task]}]", TASK_PATTERNS[query.task])
    elif query.wants_decisions:
        yield LinePattern("decision", DECISION)


PATH = RecallPath("tag", "tag", 1.0, find_entries, strength, leads=True, looks=looks)
