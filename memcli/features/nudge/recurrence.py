"""Find recurring things: open topics that come up again, and insights that several days share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from memcli.features.nudge.candidate import NudgeCandidate
from memcli.features.nudge.notes import Note, Notes
from memcli.features.nudge.wording import says
from memcli.message import Message

TIMES = 3  # days on which a topic must have come up
SPAN = 150  # days back within which it must have come up
FRESH = 45  # the most days since the last time
COMMON = 2  # a word that is in more than so many times the lines of a group is not a topic
SHARED = 2  # keys that all lines of an insight must share


def topics(notes: Notes) -> Iterator[NudgeCandidate]:
    """Yield topics that came up again and again as open questions and were never settled."""
    recent = notes.since(notes.today - timedelta(days=SPAN))
    open_ended = [note for note in recent if not note.entry.task and _wonders(note)]
    for key, group in _groups(notes, open_ended, recent):
        last = group[-1]
        ended = any(says("decided", note.text) or says("cancelled", note.text) or says("done", note.text)
                    for note in notes.after(last) if key in note.low)  # fmt: skip
        if not ended:
            why = Message("came up on {n} days and has no end", n=len(_days(group)))
            yield NudgeCandidate("topic", last, why, weight=0.6, more=tuple(group[:-1]), about=key)


def insights(notes: Notes) -> Iterator[NudgeCandidate]:
    """Yield lessons that several days share and that no insight states yet."""
    recent = notes.since(notes.today - timedelta(days=SPAN))
    taught = [note for note in recent if not note.entry.task and says("insight", note.text) and not _wonders(note)]
    known = [note for note in notes.lasting if note.entry.kind == "insight"]
    for key, group in _groups(notes, taught, recent):
        shared = frozenset.intersection(*(note.keys for note in group))
        if len(shared) >= SHARED and not any(notes.about(shared, known, 0.6)):
            why = Message("noted on {n} days", n=len(_days(group)))
            yield NudgeCandidate("insight", group[-1], why, weight=0.5, more=tuple(group[:-1]), about=key)


def _wonders(note: Note) -> bool:
    return bool(says("undecided", note.text) or "?" in note.text or "？" in note.text)


def _groups(notes: Notes, lines: Sequence[Note], recent: Sequence[Note]) -> Iterator[tuple[str, list[Note]]]:
    """Yield groups of lines from several days that share a key which is rare in other lines. Each line is in one
    group."""
    by_key: dict[str, list[Note]] = defaultdict(list)
    for note in lines:
        for key in note.keys:
            by_key[key].append(note)
    taken: set[Note] = set()
    for key, group in sorted(by_key.items(), key=lambda item: (-len(_days(item[1])), item[0])):
        group = [note for note in group if note not in taken]
        if len(_days(group)) < TIMES or (notes.today - max(_days(group))).days > FRESH:
            continue
        if sum(key in note.low for note in recent) <= COMMON * len(group):
            taken.update(group)
            yield key, group


def _days(group: Sequence[Note]) -> set[date]:
    return {note.day for note in group if note.day}
