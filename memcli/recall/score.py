"""Score memories: add up the parts, each in [0, 1], times their weights. Tune recall with the two tables below."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime
from typing import NamedTuple

from memcli.recall import nature
from memcli.recall.paths import PATHS, semantic, text, time
from memcli.recall.paths.text import WordMatch
from memcli.recall.paths.time import SPAN
from memcli.recall.query import Query
from memcli.recall.search_state import VaultSearch
from memcli.recall.value_kinds import OF_PEOPLE, find_asked_value, holds_value
from memcli.text import phrases
from memcli.text.words import lead_of
from memcli.vault import journal
from memcli.vault.entries import Entry, without_time

# The parts of a score: those of the paths, and what a memory says by itself; docs/recall.md tells what each means.
# `tests/bench/ranker.py` fits the weights on all development sets together, each judged by the weights of the others.
OTHER_PARTS = {
    "near": 0.7,  # its neighbour in a conversation matches the question
    "day": 1.2,  # the file of its day matches the question
    "lead": 0.8,  # it was said by the person whom the question is about (`Name: …`)
    "fit": 0.35,  # it has the shape of an answer: a decision for what was decided, an age for how old
    "change": 0.5,  # it reports a change, and the question asks how things are now
    "newness": 0.2,  # how new it is, so that the newer of two equal memories comes first
    "importance": 0.1,  # as marked
    "use": 0.05,  # how recently an answer cited it (`mem cite`)
}
PRESETS: dict[str, dict[str, float]] = {
    "default": {path.part: path.weight for path in PATHS} | OTHER_PARTS,
    "layered": {},  # those of the default; `layers` selects the memories
    "classic": {"time": 0.3, "tag": 0.4, "file": 0.3},
}  # fmt: skip

# What a kind of question changes: weights that replace the preset's. `dated`: it asks for a time, `whole`: for all of
# it; `tagged`: it has a #tag; `now`: it asks how things are; `prompt`: it tells before it asks, and is about the
# present work; `talk`: it is several turns of a conversation, which may be about things long ago.
SHIFTS: dict[str, dict[str, float]] = {
    "prompt": {"newness": 1.4},
    "talk": {"newness": 0.0},
    "dated": {"time": 1.8},
    "whole": {"time": round(sum(PRESETS["default"].values()) + 0.75, 2)},  # more than all else together
    "tagged": {"tag": 1.5},
    "who": {"file": 0.3},
    "decision": {"importance": 0.15},
    "recent": {"newness": 0.7},
    "now": {"newness": 0.7},
}
SHARPNESS = 3.7  # one memory is e^(SHARPNESS * difference of scores) times as likely to answer as another

BESIDE_MEANING = 0.65  # factor on every weight with a model: one part more must not make the odds of the others smaller
SUPERSEDED = 0.8  # factor on the score of a superseded memory
OLD = 3650  # days; an older memory gets nothing for newness
UNDATED = 0.5  # newness of a memory without a day in a prompt, where newness counts much: what lasts is not old

# Parts that show, with any value above 0, that a memory is on the subject.
_LEADING = (*(path.part for path in PATHS if path.leads), "lead", "near")


class ScoredMemory(NamedTuple):
    """Hold a memory with its score and how it came about."""

    entry: Entry
    score: float
    parts: Mapping[str, float]
    paths: tuple[str, ...]
    matched: tuple[str, ...]  # words of the question that stand in it

    @property
    def relevant(self) -> bool:
        """Return whether the memory matches a part of the question. Being new or in a file with a priority is not
        enough."""
        return any(self.parts[part] > 0 for part in _LEADING) or "dated" in self.paths


def find_weights(search: VaultSearch) -> dict[str, float]:
    """Return the weights in force: the preset, shifted by the kind of question, then what `mem.yaml` says."""
    chosen = search.vault.settings.recall
    base = dict.fromkeys(PRESETS["default"], 0.0) | (PRESETS[chosen.preset] or PRESETS["default"])
    if chosen.preset != "classic":  # this preset must stay as published
        for kind in find_kinds(search.query):
            base |= SHIFTS.get(kind, {})
        if base["meaning"] and semantic.find_meanings(search):
            base = {part: BESIDE_MEANING * value for part, value in base.items()}
    return base | chosen.weights


def find_kinds(query: Query) -> list[str]:
    """Return the kinds that apply to the question. Each shifts weights, and a later one overrides an earlier one."""
    marks = {
        "prompt": query.is_prompt,
        "talk": query.is_conversation,
        "now": not query.spans and query.says("now"),
        "dated": bool(query.named_spans),
        "whole": bool(query.spans) and query.is_general,
        "tagged": bool(query.tags),
    }
    return [query.kind, *(mark for mark, holds in marks.items() if holds)]


def score(search: VaultSearch, by_path: Mapping[str, list[Entry]]) -> list[ScoredMemory]:
    """Return all candidates, best first. Ties: newer first, then by path and line."""
    named = text.find_starting_words(search)
    about = frozenset(named) if len(named) == 1 else frozenset() if named else search.query.about
    matches, talk = text.match_words(search), nature.find_conversation_traits(search)
    weight = find_weights(search)
    no_match = WordMatch()
    used = journal.last_used(search.vault.root, search.vault.notice)
    value = find_asked_value(search.query)
    proof = value if value in OF_PEOPLE else None
    changed = None  # a pattern of notes that tell of a change, where the question asks what holds
    if weight["change"] and search.query.asks_what_holds:
        changed = phrases.pattern("recall", "tells of a change", phrases.LANGUAGES)
    paths: dict[Entry, list[str]] = {}
    for name, entries in by_path.items():
        for entry in entries:
            paths.setdefault(entry, []).append(name)
    scored = []
    for entry, ways in paths.items():
        match = matches.get(entry, no_match)
        parts = _score_parts(search, entry, match, about, named, talk)
        if proof and match.matched and holds_value(without_time(entry.words), proof):
            parts["fit"] = 1.0
        tells = changed and match.matched and changed.search(entry.body.lower())
        parts["change"] = match.covers * (1 - talk.share) if tells else 0.0
        parts["use"] = citation_recency(search, used.get(entry.hash)) if used else 0.0
        total = sum([weight[part] * value for part, value in parts.items() if value])
        if entry.superseded:
            total *= SUPERSEDED
        if time.asked_spans(search) and parts["time"] >= SPAN:
            ways = [*ways, "dated"]
        scored.append(ScoredMemory(entry, total, parts, tuple(ways), match.matched))
    scored.sort(
        key=lambda each: (
            -round(each.score, 9),
            -(each.entry.day or date.min).toordinal(),
            each.entry.path,
            each.entry.line,
        )
    )
    return scored


def _score_parts(
    search: VaultSearch, entry: Entry, match: WordMatch, about: frozenset[str], named: tuple[str, ...],
    talk: nature.ConversationTraits,
) -> dict[str, float]:  # fmt: skip
    lead = lead_of(entry.raw)
    first = len(named) > 1 and lead == named[0]
    return {path.part: path.strength(search, entry) for path in PATHS} | {
        "near": match.near * talk.share,
        "day": match.file,
        "lead": talk.tells.get(lead, 0.0) * (1.0 if lead in about else 0.25 if first else 0.0),
        "fit": _rate_form(entry, search.query, match, talk.share),
        "newness": newness(search, entry),
        "importance": entry.importance or 0.0,
    }


def newness(search: VaultSearch, entry: Entry) -> float:
    """Return how new a memory is: 1 today, 0 after ten years. The value falls fast at first and then slowly."""
    if entry.day is None:
        return UNDATED if search.query.is_prompt else 0.0
    return max(0.0, 1 - math.log1p(abs((search.today - entry.day).days)) / math.log1p(OLD))


def citation_recency(search: VaultSearch, last: datetime | None) -> float:
    """Return how recently the memory was cited: exp(-k * days), or 0 if never."""
    if last is None:
        return 0.0
    days = max(0.0, (search.vault.now - last).total_seconds() / 86400)
    return math.exp(-max(0.0, search.vault.settings.recall.use_decay) * days)


def _rate_form(entry: Entry, query: Query, match: WordMatch, talk: float) -> float:
    """Return how well the entry's form fits an answer to this kind of question, from 0 to 1. Its type or task box
    counts everywhere; the wording counts only in a conversation, and only if the entry has a word of the question."""
    if entry.type == query.kind or (query.task and entry.task):
        return 1.0 if entry.task in (None, query.task or "open") else 0.0
    if not match.matched or not talk or query.is_prompt:
        return 0.0
    shape = phrases.pattern("recall", f"answers {query.kind}", phrases.LANGUAGES)
    # `Anna: …` names nobody but the speaker; `Decided: …` is what was decided.
    body = entry.body.split(":", 1)[-1] if query.kind == "name" and lead_of(entry.raw) else entry.body
    return talk if shape.search(body if query.kind == "name" else body.lower()) else 0.0
