"""Find lasting things to bring up: decisions to review, facts that disagree, people who are no longer mentioned."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise

from memcli.features.nudge.candidate import NudgeCandidate
from memcli.features.nudge.notes import Note, Notes
from memcli.features.nudge.wording import CLAUSE_END, NUMBER, ahead, keys, says, sentences
from memcli.message import Message
from memcli.text.dates import DateSpan

SOON = 1  # days before its day that a decision is brought up
BY = 5  # the same in days, if it is to be made by that day
PART, MONTHS_END = 6, 10  # days before the last one: a week, and the longest span that means the end of a month
LOOK = 30  # for so many days after its day, a decision is brought up
LOST = 45  # for so many days after its reason has gone, a decision is brought up
NEWS = 30  # days after which disagreements are left to `mem review`
OFTEN = 4  # days on which somebody must have been mentioned
QUIET = 61  # days without a mention before somebody is brought up
LONGER = 3  # the silence must be so many times as long as usual
GONE = 180  # days after which somebody is no longer brought up
REASON, CLAUSE = 0.3, 0.6  # share of a reason's words, or of a last clause's, that tells that it has gone


def decisions(notes: Notes) -> Iterator[NudgeCandidate]:
    for note in notes.all:
        if note.entry.task in ("done", "cancelled"):
            continue
        if note.dated:
            yield from _look_again(note, notes)
        if says("decided", note.text) and (reason := _reason(note.text)):
            yield from _reason_gone(note, reason, notes)


def _look_again(note: Note, notes: Notes) -> Iterator[NudgeCandidate]:
    written = note.day or notes.today
    for sentence in sentences(note.text):
        match = says("again", sentence)
        decided = note.lasting and says("decided", note.text)
        if not match and not decided:
            continue
        spans = [span for span in ahead(sentence, written) if span.last > written]
        after = [span for span in spans if match and span.stop > match.start()] or [
            span for span in spans if match or NUMBER.search(span.text)
        ]
        for span in after[-1:]:
            first, soonest = _when_to_look(span, written)
            if soonest <= notes.today <= first + timedelta(days=LOOK):
                why = Message("to be looked at again, {when}", when=span.text)
                yield NudgeCandidate("decision", note, why, due=first, stage=int(notes.today >= first))
            return


def _when_to_look(span: DateSpan, written: date) -> tuple[date, date]:
    """Return the day to look at something again, and the first day to bring it up. The end of a month means its last
    week."""
    if span.first == written and span.first.day != 1:  # the span means "by" or "until" a day
        return span.last, span.last - timedelta(days=BY)
    if PART <= (span.last - span.first).days <= MONTHS_END and (span.last + timedelta(days=1)).day == 1:
        return span.last - timedelta(days=PART), span.last - timedelta(days=PART)
    return span.first, span.first - timedelta(days=SOON)


def _reason(text: str) -> str:
    """Return the words after "because", else the last clause, which is often the reason; "" if there is only one
    clause, or if the last one has a figure: 定金交了 1000."""
    if match := says("reason", text):
        return CLAUSE_END.split(text[match.end() :].strip(), maxsplit=1)[0]
    clauses = [part for part in CLAUSE_END.split(text) if part.strip()]
    return clauses[-1] if len(clauses) > 1 and not NUMBER.search(clauses[-1]) else ""


def _reason_gone(note: Note, reason: str, notes: Notes) -> Iterator[NudgeCandidate]:
    share = REASON if says("reason", note.text) else CLAUSE
    for other in notes.about(keys(reason), notes.after(note), share):
        if says("gone", other.text) and other.day and (notes.today - other.day).days <= LOST:
            why = Message("its reason may be gone: {text}", text=other.text)
            yield NudgeCandidate("decision", note, why, weight=0.9, more=(other,), about=note.entry.hash + "reason")
            return


def disagreements(notes: Notes) -> Iterator[NudgeCandidate]:
    from memcli import remember  # not needed if this kind is switched off

    by_entry = {note.entry: note for note in notes.all if note.lasting or note.entry.type}
    for one, other in remember.disagreeing(list(by_entry)):
        first, last = by_entry[one], by_entry[other]
        days = [note.day for note in (first, last) if note.day]
        if not days or (notes.today - max(days)).days <= NEWS:
            yield NudgeCandidate(
                "disagree", last, Message("disagrees with: {text}", text=first.text), weight=0.7, more=(first,)
            )


def quiet_people(notes: Notes) -> Iterator[NudgeCandidate]:
    """Yield people who were often written about, and then no longer."""
    for name in {**notes.people, **notes.met}:
        mentions = [note for note in notes.logs if name.lower() in note.text.lower() and note.day]
        days = sorted({note.day for note in mentions if note.day})
        if len(days) < OFTEN or not QUIET <= (notes.today - days[-1]).days <= GONE:
            continue
        gaps = sorted((after - before).days for before, after in pairwise(days))
        usual = gaps[len(gaps) // 2]
        if (notes.today - days[-1]).days >= LONGER * usual and not says("farewell", mentions[-1].text):
            why = Message("not written about since {day}", day=days[-1])
            yield NudgeCandidate("person", mentions[-1], why, weight=0.5, about=f"{name} {days[-1]}")
