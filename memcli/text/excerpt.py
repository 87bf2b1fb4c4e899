"""Choose an excerpt that fits a budget: whole sentences around the best one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from memcli.text.sentences import sentences, whole_before

LONGEST = 40  # characters of a token, at most: bounds a text that is too long to count
READ = 100_000  # characters of a text in which the best sentence is searched
BEFORE = 60  # characters shown before the first word of the question in a sentence that is too long

Spots = Sequence[tuple[int, str, float]]  # positions of words of the question: offset, word, weight


def best_excerpt(text: str, budget: int, count: Callable[[str], int], spots: Callable[[str], Spots]) -> tuple[str, int]:
    """Return as many whole sentences around the best one as fit into `budget` tokens, and the number of tokens.

    When even the best one does not fit, return its beginning, or "" when nothing fits. `…` stands for what is left out.
    The best sentence has most of the question's words, or is the first.
    """
    parts = sentences(text[:READ])
    if not parts:
        return "", 0
    starts = [0]
    for part in parts:
        starts.append(starts[-1] + len(part))
    found = spots(text[:READ])
    words_of_sentences: dict[int, dict[str, float]] = {}
    for place, word, weight in found:
        words_of_sentences.setdefault(bisect_left(starts, place + 1) - 1, {})[word] = weight
    best = min(words_of_sentences, key=lambda at: (-sum(words_of_sentences[at].values()), at), default=0)

    def shown(first: int, last: int) -> str:
        kept = text[starts[first] : starts[last]].strip()
        return "… " * (first > 0) + kept + " …" * (starts[last] < len(text))

    def fits(first: int, last: int) -> bool:
        return starts[last] - starts[first] <= budget * LONGEST and count(shown(first, last)) <= budget

    if fits(best, best + 1):
        before = best > 0 and fits(best - 1, best + 1)  # include the sentence before, and then the ones that follow
        first = best - before
        last = _find_most(best + 1, len(parts), lambda at: fits(first, at))
        first -= _find_most(0, first, lambda more: fits(first - more, last))
        return shown(first, last), count(shown(first, last))
    inside = [place - starts[best] for place, *_ in found if starts[best] <= place < starts[best + 1]]
    return _cut_sentence(parts[best], min(inside, default=0), budget, count)


def _cut_sentence(sentence: str, place: int, budget: int, count: Callable[[str], int]) -> tuple[str, int]:
    """Return as much of one sentence as fits, and its tokens.

    It starts at the sentence's start, or shortly before `place` when that is out of reach.
    """
    for begin in (0, whole_before(sentence, max(0, place - BEFORE))):
        rest = sentence[begin : begin + budget * LONGEST].lstrip()
        mark = "…" if begin else ""
        size = _find_most(0, len(rest), lambda at: count(mark + rest[:at].rstrip() + "…") <= budget)  # noqa: B023
        size = whole_before(rest, size) if begin + size < len(sentence) else size
        if begin + size > place:
            break
    shown = mark + rest[:size].rstrip() + "…" if size else ""
    return shown, count(shown) if shown else 0


def _find_most(low: int, high: int, fits: Callable[[int], bool]) -> int:
    """Return the largest number from `low` to `high` that fits. `low` is known to fit."""
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low
