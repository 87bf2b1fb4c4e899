"""Look back on a week or a project: what was decided, what changed, what is open, what came up again and again.

There are at most ten lines, and each cites its memories. Rules make them, or a language model (`model`). Only lines
that somebody agrees to are written, one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from memcli import llm
from memcli.errors import MemError, Refused
from memcli.features.reflect.topics import Topic, topics
from memcli.message import Message
from memcli.remember import AddResult, Memory, add, ask_later
from memcli.text import phrases
from memcli.text.clean import one_line
from memcli.text.messages import translated
from memcli.text.sentences import sentences
from memcli.vault import vault_language
from memcli.vault.entries import Entry
from memcli.vault.vault import Filter, Vault

WEEK = timedelta(days=6)  # today is the seventh day
BEFORE = 8 * WEEK  # how far back to look for what comes up all the time
MOST = 10  # lines
WIDTH = 160  # characters of a line
KINDS = {  # the kinds in order, with the number of lines of each before spare ones are distributed
    "decided": 3,
    "changed": 2,
    "open": 3,
    "again": 2,
}
HEADS = {"decided": "Decided", "changed": "Changed", "open": "Open", "again": "Came up again"}
DECIDED = ("decision", "decisions", "决定", "决策")  # headings above decisions

_TIME = re.compile(r"\A(?:\*\*)?(?:\d{4}-\d\d-\d\d[ T,:：]*)?(?:\d{1,2}:\d\d(?::\d\d)?\s+)?")


@dataclass(frozen=True)
class Line:
    """Hold one thing worth seeing again, and where it stands."""

    kind: str
    text: str
    entries: tuple[Entry, ...]

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(entry.place for entry in self.entries))

    @property
    def cited(self) -> str:
        """Return the line with its citations, as it may be kept."""
        return f"{self.text} ({', '.join(self.places)})"


@dataclass(frozen=True)
class Reflection:
    """Hold a look back on some days, or on a project."""

    since: date | None
    until: date | None
    project: str
    lines: tuple[Line, ...]
    by: str = "rules"  # or model
    read: int = 0  # number of memories
    dropped: int = 0  # lines of a model that their citations don't support


def _back(day: date, days: int) -> date:
    """Return the day so many days before, or the first of the calendar."""
    return date.fromordinal(max(1, day.toordinal() - days))


def look_back(
    vault: Vault, since: date | None = None, until: date | None = None, project: str = "", *,
    rules: bool = False,
) -> Reflection:  # fmt: skip
    """Return a look back on the last seven days by default, or on all that is known of a project. Use the configured
    model, or rules if there is none or `rules` is set."""
    if not (since or project):
        since = _back(until or vault.today, WEEK.days)
    until = until or vault.today
    found = entries_of(vault, since, until, project)
    if found and not rules and llm.available(vault):
        from memcli.features.reflect.model import by_model  # few look back with a model

        try:
            lines, dropped = by_model(vault, found)
            if dropped:
                vault.notice("{n} of the model's lines were dropped: what they cite does not say so", n=dropped)
            if lines:
                return Reflection(since, until, project, lines, "model", len(found), dropped)
        except MemError as error:
            vault.notice("looked back by rules alone: {WHY}", WHY=error.message)
    last = since and _back(since, 1)
    before = entries_of(vault, _back(last, BEFORE.days), last) if last else []
    return Reflection(
        since, until, project, by_rules(found, before, project, vault_language.vault_language(vault)), read=len(found)
    )


def keep_line(vault: Vault, line: Line) -> AddResult:
    """Write a line into insights.md, with its citations. Raise Refused if a gate refuses it."""
    if any(line.cited in entry.raw for entry in vault.entries(paths=["insights.md", f"{vault.space}insights.md"])):
        raise Refused("it stands in insights.md")
    # It was agreed to: that its citation looks like the output of mem is no reason against it.
    return add(vault, Memory(line.cited, type="insight", at=vault.now), force=True)


def propose_line(vault: Vault, line: Line) -> None:
    """Queue a line, so that `mem review` asks whether to keep it."""
    ask_later(vault, "insight", line.cited)


def entries_of(vault: Vault, since: date | None, until: date | None, project: str = "") -> list[Entry]:
    """Return the memories to look back on, oldest first: of the days, and of the project if one is named."""
    found = [
        entry for entry in vault.entries(Filter(since, until))
        if entry.day and entry.kind != "snapshot" and (not project or _concerns(entry, project))
    ]  # fmt: skip
    return sorted(found, key=lambda entry: (entry.day or date.min, entry.time or "", entry.path, entry.line))


def by_rules(
    found: Sequence[Entry], before: Iterable[Entry] = (), project: str = "", language: str = ""
) -> tuple[Line, ...]:
    """Return the lines for some memories. `before` are older ones: their open tasks are still open, and they show what
    comes up all the time anyway."""
    before = [*before]
    changed = [entry for entry in found if _changed(entry)]
    decided = [entry for entry in found if entry not in changed and _decided(entry)]
    open_ = [entry for entry in found if entry not in changed and _open(entry)]
    open_ += [entry for entry in before if found and entry.task == "open"]
    superseded = _superseded(found)
    others = [entry for entry in changed if not any(entry in line.entries for line in superseded)]
    made = {
        "decided": _make_lines("decided", decided, _latest),
        "changed": [*superseded, *_make_lines("changed", [entry for entry in others if not entry.superseded], _latest)],
        "open": _make_lines("open", open_, _latest),
        "again": [
            Line("again", translated(_told_of(topic), language), topic.cited)
            for topic in topics(found, before, project)
            if topic.name
        ],
    }  # fmt: skip
    return _shared_out(made)


def _shared_out(made: dict[str, list[Line]]) -> tuple[Line, ...]:
    """Give each kind its share, and the spare lines to kinds that have more, in their order."""
    taken = {kind: list(made[kind][:most]) for kind, most in KINDS.items()}
    for kind, most in KINDS.items():
        room = MOST - sum(map(len, taken.values()))
        taken[kind] += made[kind][most : most + room] if kind != "again" else []
    return tuple(line for kind in KINDS for line in taken[kind])[:MOST]


def _told_of(topic: Topic) -> Message:
    return Message("{topic}: {n} times on {m} days", topic=topic.name, n=len(topic.entries), m=topic.days)


def _make_lines(kind: str, found: list[Entry], order: Callable[[Entry], tuple[float, ...]]) -> list[Line]:
    ranked = sorted(found, key=order, reverse=True)
    tells = {"decided": _says_decided, "changed": _says_changed}.get(kind)
    lines = (Line(kind, _sentence(entry, tells) or first_line(entry), (entry,)) for entry in ranked)
    return list({line.text.casefold(): line for line in lines}.values())


def _sentence(entry: Entry, tells: Callable[[str], bool] | None) -> str:
    """Return the sentence of a long memory that tells what its line is about, or "" where the first line does."""
    if tells is None or len(entry.words) <= WIDTH:
        return ""
    return one_line(next(filter(tells, _sentences(entry)), ""), WIDTH)


def _latest(entry: Entry) -> tuple[float, ...]:
    """Return a sort key: marked importance first, then the user's own, then the newest."""
    own = 0.0 if _says("somebody else", entry.words) else 1.0
    return entry.importance or 0.0, own, float((entry.day or date.min).toordinal()), float(entry.line)


def _superseded(found: Sequence[Entry]) -> list[Line]:
    """Return a line for each memory that another one superseded, citing both."""
    lines = []
    for old in found:
        name = (old.superseded or "").lstrip("^")
        new = next((each for each in found if name and (each.block_id == name or each.hash.startswith(name))), None)
        if new:
            lines.append(
                Line("changed", f"{first_line(new, WIDTH // 2)} (before: {first_line(old, WIDTH // 2)})", (new, old))
            )
    return lines


def _sentences(entry: Entry) -> list[str]:
    return sentences(_TIME.sub("", entry.words))  # a time is no new number


def _decided(entry: Entry) -> bool:
    if entry.type == "decision" or any(title.casefold() in DECIDED for title in entry.trail):
        return True
    return entry.type is None and any(map(_says_decided, _sentences(entry)))


def _says_decided(text: str) -> bool:
    return _says("decided", text)


def _changed(entry: Entry) -> bool:
    if entry.superseded:
        return True
    return entry.task is None and entry.type != "decision" and any(map(_says_changed, _sentences(entry)))


def _says_changed(text: str) -> bool:
    """Return whether a sentence says that something changed, or a number: a rent, a pay, a price."""
    signs = ("changed in notes", "number in notes")
    new_number = all(phrases.pattern("differs", sign, phrases.LANGUAGES).search(text) for sign in signs)
    return _says("changed", text) or new_number


def _open(entry: Entry) -> bool:
    asks = entry.type == "question" or entry.words.rstrip().endswith(("?", "？"))
    return entry.task == "open" or (asks and entry.task is None)


def _says(sign: str, text: str) -> bool:
    return phrases.find_phrase("reflect/reflect", sign, text) is not None


def first_line(entry: Entry, width: int = WIDTH) -> str:
    """Return the first line of a memory, without its time."""
    return one_line(_TIME.sub("", entry.words.split("\n", 1)[0]), width)


def _concerns(entry: Entry, project: str) -> bool:
    """Return whether a memory is about a project: by a tag, its words, the headings above it, or its file."""
    low = project.casefold().lstrip("#")
    if any(part == low for tag in entry.tags for part in tag.casefold().split("/")):
        return True
    return any(low in text.casefold() for text in (entry.words, *entry.trail, entry.path))
