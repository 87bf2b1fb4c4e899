"""Choosing what goes into the block: nothing twice, no near-repeats of what is better said already, never over budget."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from memcli.recall.score import Scored
from memcli.text import words
from memcli.text.clean import sentences

POOL = 3  # times as many candidates as will fit are compared with each other
SAME = 0.9  # likeness from which two memories say the same
SMALLEST = 8  # tokens of room below which nothing worth reading fits
MISSES = 12  # in a row that do not fit; what ranks below them would only fill up
LONGEST = 40  # characters a token can at most be thought to stand for, when a text is too long to count
READ = 100_000  # characters in which the best place of a text is looked for
BEFORE = 60  # characters shown before the first word of the question, where a sentence itself is too long

Spots = Sequence[tuple[int, str, float]]  # where words of the question stand: place, word, weight

# What makes two memories differ however alike they are: figures, days, and whether something is so or not.
_TELLING = re.compile(
    r"\d+|[一二两三四五六七八九十百千万零〇]|[今明昨前后]天|[不没未别]|\b(?:no|not|never|none|without|\w+n['’]t|yesterday|today|tonight|tomorrow"
    r"|\w+day|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|third|twice|half"
    r"|january|february|march|april|may|june|july|august|september|october|november|december)\b",
    re.I,
)
_AT = re.compile(r"\A\d{1,2}:\d\d(?::\d\d)?\s+")  # the same again at another time of day is the same


@dataclass(frozen=True)
class Chosen:
    """A memory that made it into the block, with the words that are shown of it."""

    scored: Scored
    text: str
    cut: bool = False


def diverse(ranked: list[Scored], keep: int, balance: float) -> list[Scored]:
    """Maximal marginal relevance over the best `POOL * keep`: relevance against likeness to what is chosen already."""
    pool = ranked[: POOL * keep]
    best = pool[0].score if pool and pool[0].score > 0 else 1.0
    features = _as_bits([words.features(each.entry.words) for each in pool])
    sizes = [each.bit_count() for each in features]
    likeness = [0.0] * len(pool)
    left = list(range(len(pool)))
    order: list[Scored] = []
    while left:
        at = max(left, key=lambda i: balance * pool[i].score / best - (1 - balance) * likeness[i])
        left.remove(at)
        if likeness[at] >= SAME:
            continue  # it says nothing new
        order.append(pool[at])
        mine, size = features[at], sizes[at]
        for other in left:
            shared = (mine & features[other]).bit_count()
            if not shared:
                continue
            like = shared / (size + sizes[other] - shared)  # Jaccard's
            if like > likeness[other]:
                if like >= SAME and not _same(pool[at].entry.words, pool[other].entry.words):
                    like = max(likeness[other], math.nextafter(SAME, 0.0))
                likeness[other] = like
    return order + ranked[POOL * keep :]


def _as_bits(sets: Sequence[frozenset[str]]) -> list[int]:
    """Sets of words as numbers with a bit for each word: thousands of them are compared with each other."""
    number: dict[str, int] = {}
    return [sum(1 << number.setdefault(word, len(number)) for word in each) for each in sets]


def _same(one: str, other: str) -> bool:
    """Whether two texts of the same words say the same: no other figure or day, and what they share in one order, but
    for a word that may open a sentence or end it: "now the cache is redis"."""
    one, other = (_AT.sub("", text, count=1) for text in (one, other))
    if [each.lower() for each in _TELLING.findall(one)] != [each.lower() for each in _TELLING.findall(other)]:
        return False
    shared = words.features(one) & words.features(other)
    mine, others = ([each for each in words.sequence(text) if each in shared] for text in (one, other))
    return others in (mine, mine[1:] + mine[:1], mine[-1:] + mine[:-1]) and (mine == others or len(mine) > 2)


def pack(
    ranked: Iterable[Scored],
    room: int,
    most: int,
    cost: Callable[[Scored, str, bool], int],
    shown: Callable[[Scored], str],
    head: Callable[[Scored], str],
    spots: Callable[[str], Spots] = lambda text: (),
) -> list[Chosen]:
    """Best first, what does not fit is passed over. `cost` counts tokens of a memory, with its group's head or without.

    Only the best memory is cut to fit: half a sentence of the tenth best helps nobody. `spots` tells where to cut.
    """
    chosen: list[Chosen] = []
    opened: set[str] = set()
    said: set[str] = set()
    misses = 0
    for each in ranked:
        if len(chosen) >= most or room < SMALLEST or misses >= MISSES:
            break
        text = shown(each)
        same = " ".join(each.entry.words.split()).casefold()
        if not text or same in said:
            continue
        new = head(each) not in opened
        need = cost(each, text, new) if len(text) <= room * LONGEST else room + 1
        cut = False
        if need > room:
            if chosen:
                misses += 1
                continue
            text, need = _shortened(text, room, partial(_cost_of, cost, each, new), spots)
            cut = True
            if not text:
                continue
        misses = 0
        room -= need
        opened.add(head(each))
        said.add(same)
        chosen.append(Chosen(each, text, cut))
    return chosen


def _cost_of(cost: Callable[[Scored, str, bool], int], scored: Scored, with_head: bool, text: str) -> int:
    return cost(scored, text, with_head)


def _shortened(text: str, room: int, count: Callable[[str], int], spots: Callable[[str], Spots]) -> tuple[str, int]:
    """As many whole sentences around the best one as fit, else as many characters, with `…` for what is left out; empty
    when not even that fits. The best one has most of the question's words, or is the first."""
    parts = sentences(text[:READ])
    if not parts:
        return "", 0
    starts = [0]
    for part in parts:
        starts.append(starts[-1] + len(part))
    found = spots(text[:READ])
    said: dict[int, dict[str, float]] = {}
    for place, word, weight in found:
        said.setdefault(bisect_left(starts, place + 1) - 1, {})[word] = weight
    best = min(said, key=lambda at: (-sum(said[at].values()), at), default=0)

    def shown(first: int, last: int) -> str:
        kept = text[starts[first] : starts[last]].strip()
        return "… " * (first > 0) + kept + " …" * (starts[last] < len(text))

    def fits(first: int, last: int) -> bool:
        return starts[last] - starts[first] <= room * LONGEST and count(shown(first, last)) <= room

    if fits(best, best + 1):
        before = best > 0 and fits(best - 1, best + 1)  # what leads up to it; the rest of the room goes to what follows
        first = best - before
        last = _most(best + 1, len(parts), lambda at: fits(first, at))
        first -= _most(0, first, lambda more: fits(first - more, last))
        return shown(first, last), count(shown(first, last))
    inside = [place - starts[best] for place, *_ in found if starts[best] <= place < starts[best + 1]]
    return _within(parts[best], min(inside, default=0), room, count)


def _within(sentence: str, place: int, room: int, count: Callable[[str], int]) -> tuple[str, int]:
    """As much of one sentence as fits: from its start, or from shortly before `place` when that would not be reached."""
    for begin in (0, max(0, place - BEFORE)):
        rest = sentence[begin : begin + room * LONGEST].lstrip()
        if begin and " " in rest[:BEFORE]:
            rest = rest[rest.index(" ") + 1 :]
        mark = "…" if begin else ""
        size = _most(0, len(rest), lambda at: count(mark + rest[:at].rstrip() + "…") <= room)  # noqa: B023
        if begin + size > place:
            break
    kept = mark + rest[:size].rstrip() + "…" if size else ""
    return kept, count(kept) if kept else 0


def _most(low: int, high: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to `high` that fits; `low` does."""
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low
