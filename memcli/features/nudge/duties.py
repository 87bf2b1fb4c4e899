"""Find duties and coming days: open tasks, promises, things the user waits for, and near dates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from memcli.features.nudge.candidate import OVER, NudgeCandidate
from memcli.features.nudge.notes import Note, Notes
from memcli.features.nudge.wording import CLAUSE_END, NUMBER, ahead, is_off, plans, says, sentences
from memcli.message import Message
from memcli.remember.durations import BEGINS
from memcli.text import dates, phrases
from memcli.text.dates import DateSpan
from memcli.text.words import CJK_RUN

_WRITTEN = re.compile(r"[0-9]|月")  # in a date that says the day itself, as "today" does not
BARE = 183  # a task's day without a year, more than so many days ahead, is taken as past
WEEK = timedelta(days=7)
OPEN = 14  # days until a promise, or something waited for, is brought up
FORGOTTEN = 60  # days after which it is no longer brought up, unless it is an open box
REACH = 300  # how many days back tasks are looked for
OVERDUE = 45  # for so many days after its day, a box is brought up; a line without one for OPEN days
PLANS = 200  # how many days back a log may name a day that is still to come
AFTERWARDS = 7  # days to do what is due after something
# The longest time in days that an event may take. A longer span does not name one.
LENGTHS = {"birth": 31, "trip": 16, "appointment": 7, "date": 9}
RUNNING = ("appointment", "date")  # told until their last day; others are no news once they have begun
LEAD = {"birth": 1, "task": 7, "appointment": 2, "trip": 5, "birthday": 5, "anniversary": 5, "ends": 28, "date": 7}
_MORE = {"a": "1", "an": "1", "fourteen": "14", "thirty": "30", "sixty": "60", "ninety": "90"}
_NAME = re.compile(r"([A-Z][^\W\d]+(?=['’]s\s*$)|[一-鿿]{2,3}(?=的?\s*$))")
_UNITS = {"day": 1, "week": 7, "month": 30, "天": 1, "周": 7, "星期": 7, "月": 30}


def tasks(notes: Notes) -> Iterator[NudgeCandidate]:
    """Yield open boxes with a day, and promises and things waited for that have long been open."""
    for note in notes.all:
        is_kept = note.open or note.entry.kind == "log" or says("monthly", note.text) is not None
        if note.entry.task in ("done", "cancelled") or not is_kept:
            continue
        if note.day and (notes.today - note.day).days > (REACH if note.open or note.dated else FORGOTTEN):
            continue
        bound = next((sign for sign in ("promise", "waiting") if says(sign, note.text)), "")
        if note.open and not bound and (says("addressed", note.text) or notes.somebody(note.text)):
            bound = "person"
        if not (note.open or bound or _ought(note)):
            continue
        if is_off(note.text):
            continue
        due = _due(note, notes.today, bound)
        if (not due and not bound) or (says("someday", note.text) and not (bound or (note.open and due))):
            continue
        candidate = _dated(note, due, notes.today) if due else _undated(note, bound, notes.today)
        if candidate and not (notes.settled(note) or notes.moved(note)):
            yield candidate


def _ought(note: Note) -> bool:
    """Return whether a line without a box states a duty of its writer with a day."""
    ought = says("ought", note.text) or says("monthly", note.text)
    is_others = says("others", note.text) or says("birthday", note.text)  # which `days` brings up
    return bool(note.dated and ought and not is_others)


def _due(note: Note, today: date, bound: str) -> DateSpan | None:
    """Return the day a task is due, or None: the first that is named as such, by 10 December, or else the first. A day
    that is more likely past is ignored."""
    written = today if says("monthly", note.text) else note.day or today
    signs = (bound,) if bound in ("promise", "waiting") else ("ought", "monthly")
    told = () if note.open else (one for one in sentences(note.text) if any(says(sign, one) for sign in signs))
    text = next(iter(told), note.text)  # of a longer line, the sentence with the duty
    begin = _promise_begin(text, written) if bound == "promise" and not note.open else 0
    spans = [_after(span) for span in ahead(text, written) if span.last >= written and span.stop > begin]
    field = note.entry.fields.get("due")
    if field and (named := ahead(field, written)):
        return named[0]
    may_wait = note.open or bound != "waiting"
    near = [  # a span that has begun means "by" or "before" a day
        span for span in spans
        if span.first <= written < span.last or (may_wait and (span.last - written).days <= BARE)
    ]  # fmt: skip
    return dates.choose_due(near)


def _promise_begin(text: str, written: date) -> int:
    """Return where the clause with a promise begins, if what stands before it is neither a duty nor a day alone."""
    match = says("promise", text)
    begin = max((end.end() for end in CLAUSE_END.finditer(text, 0, match.start() + 1)), default=0) if match else 0
    before = text[:begin].strip(" ,，")
    return 0 if says("ought", before) or before in (span.text for span in ahead(before, written)) else begin


def _after(span: DateSpan) -> DateSpan:
    """Return the week after a span if the task is due after it, else the span itself."""
    if not says("after", span.text) or span.first == span.last - timedelta(days=AFTERWARDS):
        return span
    return span._replace(first=span.last + timedelta(days=1), last=span.last + timedelta(days=AFTERWARDS))


def _dated(note: Note, due: DateSpan, today: date) -> NudgeCandidate | None:
    # 10号之前 is told as the 10th, and brought up as early as if the 9th were its day.
    last, is_chinese = due.last, CJK_RUN.search(due.text) is not None
    day = last + timedelta(days=dates.excludes_its_day(due.text) and is_chinese)
    written, late = note.day or last - timedelta(days=LEAD["task"] + 1), (today - day).days
    # What expires takes time. A task that was written today is not brought up today, unless it is due tomorrow.
    lead = LEAD["ends" if says("expires", note.text) and says("contract", note.text) else "task"]
    soonest = max(last - timedelta(days=lead), min(last - timedelta(days=1), written + timedelta(days=1)))
    longest = OVERDUE if note.open else OPEN
    if late > longest or today < max(soonest, due.first if says("after", due.text) else soonest):
        return None
    return NudgeCandidate("task", note, _when("due", day, today), due=day, stage=_stage(late))


def _stage(late: int) -> int:
    """Return the stage of a task that is so many days late: weeks before its day, days before it, on the eve, on the
    day, after it."""
    return OVER if late > 0 else late + 2 if late >= -1 else 0 if late >= -LEAD["task"] else -1


def _undated(note: Note, bound: str, today: date) -> NudgeCandidate | None:
    if not bound or note.day is None or not OPEN <= (today - note.day).days <= (REACH if note.open else FORGOTTEN):
        return None
    days = (today - note.day).days
    why = {
        "promise": Message("promised {n} days ago", n=days), "waiting": Message("waited for since {day}", day=note.day),
        "person": Message("open for {n} days", n=days),
    }[bound]  # fmt: skip
    return NudgeCandidate("task", note, why, weight=0.8)


def days(notes: Notes) -> Iterator[NudgeCandidate]:
    """Yield birthdays and anniversaries, things that end, appointments and trips."""
    yield from _of_people(notes)
    yearly = set[tuple[str, date | None]]()  # a day that comes every year may stand in many logs
    for note in notes.all:
        if note.entry.task or not note.dated or is_off(note.text):
            continue
        known = [*_yearly(note, notes), *_ending(note, notes)]
        if known:
            yield from (each for each in known if note.lasting or (each.kind, each.due) not in yearly)
            yearly |= {(each.kind, each.due) for each in known}
        elif any(says(sign, note.text) for sign in ("birthday", "anniversary")) and not any(
            says(sign, note.text) for sign in ("trip", "appointment")
        ):
            continue  # `_yearly` handles these; a table that is booked for one is an appointment
        elif says("again", note.text) or (note.lasting and says("decided", note.text)):
            continue
        elif note.day is None or (notes.today - note.day).days <= PLANS:
            yield from _planned(note, notes)


def _yearly(note: Note, notes: Notes) -> Iterator[NudgeCandidate]:
    kind = next((kind for kind in ("birthday", "anniversary") if says(kind, note.text)), "")
    if not kind or (kind == "birthday" and not _of_ours(note, notes)):
        return
    spans = [
        span for span in ahead(_without_year(note.text), notes.today) if note.lasting or _WRITTEN.search(span.text)
    ]
    for span in spans[:1]:
        yield from _coming(note, kind, span, notes.today)


def _of_ours(note: Note, notes: Notes) -> bool:
    """Return whether a birthday concerns somebody in the user's life: it stands in lasting memory, or names a relative
    or somebody whom other notes name, too."""
    if note.entry.kind in ("memory", "profile"):
        return True
    match = says("birthday", note.text)
    whose = note.text[: match.start()] if match else ""
    return notes.somebody(whose or note.text) or notes.often(_name_in(whose))


def _name_in(whose: str) -> str:
    """Return the name at the end of the words before a birthday: Donal of Donal's, 老谢 of 老谢 11 月 23 号; else ""."""
    for span in reversed(ahead(whose, date(2000, 1, 1))):
        whose = f"{whose[: span.start]}{whose[span.stop :]}"
    match = _NAME.search(whose)
    return match[1] if match else ""


def _without_year(text: str) -> str:
    """Return a text without the years of its dates, because birthdays come every year."""
    text = re.sub(r"\b(?:19|20)\d\d-(0[1-9]|1[0-2])-(\d\d)\b", lambda m: f"{int(m[2])} {_MONTHS[int(m[1])]}", text)
    return re.sub(r"(?<=\w)(?:,? | of )(?:19|20)\d\d\b|(?:19|20)\d\d年", "", text)


_MONTHS = ("", *"January February March April May June July August September October November December".split())


def _of_people(notes: Notes) -> Iterator[NudgeCandidate]:
    """Yield the days in the front matter of files about people."""
    for document in notes.documents:
        for key, value in document.front.items():
            kind = next((kind for kind in ("birthday", "anniversary") if says(kind, key.replace("_", " "))), "")
            if kind and document.entries is not None and (note := notes.front(document, key)):
                for span in ahead(_without_year(str(value)), notes.today)[:1]:
                    yield from _coming(note, kind, span, notes.today)


def _ending(note: Note, notes: Notes) -> Iterator[NudgeCandidate]:
    """Yield contracts and the like, weeks before they end or before notice must be given."""
    for sentence in sentences(note.text):
        if says("monthly", sentence):
            continue  # a duty of every month is a task
        over = says("expires", sentence) or (says("contract", note.text) and says("ends", sentence))
        match = over or (not says("others", sentence) and says("ought", sentence))
        if not match or not (note.lasting or (over and says("contract", note.text))):  # in a log much else ends
            continue
        written = note.day or notes.today
        spans = sorted(ahead(sentence, written), key=lambda span: _distance(span, match))
        ends = [span.last for span in spans if span.last > written and not says("begins", sentence[span.stop :])]
        for end in ends[:1]:
            day = end - timedelta(days=_notice(note.text))  # the last day to give notice
            if 0 <= (day - notes.today).days <= LEAD["ends"]:
                stage = int((day - notes.today).days <= 15)
                why = _when("ends" if day == end else Message("ends on {day}, notice", day=end), day, notes.today)
                yield NudgeCandidate("day", note, why, due=day, stage=stage)
            return


def _distance(span: DateSpan, match: re.Match[str]) -> int:
    """Return how many characters lie between a day and the words about it."""
    return max(0, span.start - match.end(), match.start() - span.stop)


def _notice(text: str) -> int:
    """Return how many days before the end notice must be given, or 0."""
    if not says("notice", text) or not (amount := says("number", text)):
        return 0
    word = re.match(r"\d+|[a-z]+|[一-鿿]+?(?=个|天|周|星期|月)", amount[0].lower())
    unit = next((days for name, days in _UNITS.items() if name in amount[0].lower()), 0)
    return unit * (_number(word[0]) if word else 0)


def _number(word: str) -> int:
    """Return the number that a word or figures mean; 0 if it is none."""
    if tens := re.fullmatch("([二三四五六七八九])十([一二三四五六七八九]?)", word):
        return 10 * _number(tens[1]) + (_number(tens[2]) if tens[2] else 0)
    plain = _MORE.get(word) or phrases.numbers_in_words().get(word, word)
    return int(plain) if plain.isdigit() else 0


def _planned(note: Note, notes: Notes) -> Iterator[NudgeCandidate]:
    """Yield the appointments and trips that a note names with their day."""
    written = note.day or notes.today
    for sentence in sentences(note.text):
        if says("monthly", sentence):
            continue  # a duty of every month is a task
        if says("others", sentence) or says("someday", sentence):
            continue
        kind = next((kind for kind in ("birth", "trip", "appointment") if says(kind, sentence)), "")
        for span in plans(sentence, written):
            if kind == "appointment" and span.first == span.last and BEGINS.search(sentence[: span.start]):
                kind = ""  # "from 1 December the phones divert at 6 pm"
            length = (span.last - span.first).days
            sure = kind or (NUMBER.search(span.text) and not says("after", span.text))
            over = span.last if (kind or "date") in RUNNING else span.first
            if not sure or over < notes.today or span.first < written or length > LENGTHS[kind or "date"]:
                continue
            if note.day is None and span not in plans(sentence, written - WEEK):
                continue  # without a day, Friday is every Friday
            # What was written today is not brought up today, unless it is tomorrow.
            is_due = written < span.first and (notes.today > written or (span.first - written).days == 1)
            # In a note without a day, "until Friday" begins today, too.
            if is_due or (note.day is None and (kind or span.first == span.last)):
                if not (notes.called_off(note) or notes.moved(note)):
                    yield from _coming(note, kind or "date", span, notes.today)
                return


def _coming(note: Note, kind: str, span: DateSpan, today: date) -> Iterator[NudgeCandidate]:
    what = "comes" if kind == "date" else kind
    day = max(span.first, min(today, span.last)) if kind in RUNNING else span.first
    if today <= day <= today + timedelta(days=LEAD[kind]):
        why = _when(what, day, today)
        if span.first < day or (day < span.last and not NUMBER.search(span.text)):  # "next week" is not its Monday
            why = Message("{WHAT} between {day} and {last}", WHAT=what, day=span.first, last=span.last)
        # One of an unknown kind comes once: its day is no news.
        stage = int(day == today and kind != "date")
        yield NudgeCandidate("day", note, why, due=day, stage=stage, plain=kind == "date")


def _when(what: str, day: date, today: date) -> str:
    left = (day - today).days
    if left < -1:
        return Message("{WHAT} {n} days ago, on {day}", WHAT=what, n=-left, day=day)
    near = {-1: "{WHAT} yesterday", 0: "{WHAT} today", 1: "{WHAT} tomorrow"}
    return Message(near.get(left, "{WHAT} in {n} days, on {day}"), WHAT=what, n=left, day=day)
