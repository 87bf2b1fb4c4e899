"""Choose an excerpt that fits a budget: the whole sentences that say most of what is asked, and those around them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence

from memcli.text.sentences import sentences, whole_before

LONGEST = 40  # characters of a token, at most: bounds a text that is too long to count
READ = 100_000  # characters of a text in which the best sentence is searched
TRIED = 8  # sentences with words of the question that are tried, best first
AGAIN = 0.3  # weight of a word in a further sentence
BEFORE = 60  # characters shown before the first word of the question in a sentence that is too long

Spots = Sequence[tuple[int, str, float]]  # positions of words of the question: offset, word, weight


def best_excerpt(text: str, budget: int, count: Callable[[str], int], spots: Callable[[str], Spots]) -> tuple[str, int]:
    """Return as many whole sentences as fit into `budget` tokens, and the number of tokens.

    When even the best one does not fit, return its beginning, or "" when nothing fits. `…` stands for what is left out.
    The best sentence has most of the question's words, or is the first; others that have words of it come next.
    """
    parts = sentences(text[:READ])
    if not parts:
        return "", 0
    starts = [0]
    for part in parts:
        starts.append(starts[-1] + len(part))
    # A place may lie behind the text: "İ" has two characters in lower case.
    found = [(min(place, starts[-1] - 1), word, weight) for place, word, weight in spots(text[:READ])]
    words_of_sentences: dict[int, dict[str, float]] = {}
    for place, word, weight in found:
        words_of_sentences.setdefault(bisect_left(starts, place + 1) - 1, {})[word] = weight
    telling = _order_by_words(words_of_sentences) or [0]
    best = telling[0]
    shown = {best}

    def render(kept: set[int]) -> str:
        pieces = (("… " if at and at - 1 not in kept else "") + parts[at] for at in sorted(kept))
        return "".join(pieces).strip() + " …" * (starts[max(kept) + 1] < len(text))

    def fits(kept: set[int]) -> bool:
        return sum(len(parts[at]) for at in kept) <= budget * LONGEST and count(render(kept)) <= budget

    def extend(step: int, most: int) -> None:
        """Show as many of the next sentences in one direction as fit."""
        number = _find_most(0, most, lambda n: fits(shown | {best + step * each for each in range(1, n + 1)}))
        shown.update(best + step * each for each in range(1, number + 1))

    if fits(shown):
        for at in (*telling[1:], best - 1):
            if at >= 0 and fits(shown | {at}):
                shown.add(at)
        extend(1, len(parts) - 1 - best)
        extend(-1, best)
        return render(shown), count(render(shown))
    inside = [place - starts[best] for place, *_ in found if starts[best] <= place < starts[best + 1]]
    return _cut_sentence(parts[best], min(inside, default=0), budget, count)


def _order_by_words(words_of_sentences: Mapping[int, Mapping[str, float]]) -> list[int]:
    """Return the sentences that have words of the question, each time the one that adds most to those before it. A word
    that is there already counts `AGAIN`."""
    left, seen, order = dict(words_of_sentences), set[str](), list[int]()
    while left and len(order) < TRIED:
        gain = {
            at: sum(weight * (AGAIN if word in seen else 1.0) for word, weight in found.items())
            for at, found in left.items()
        }
        best = min(gain, key=lambda at: (-gain[at], at))
        order.append(best)
        seen.update(left.pop(best))
    return order


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
