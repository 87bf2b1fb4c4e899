"""Parse only the relevant parts of a large file, so that no single file makes a recall slow."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import accumulate, repeat

from memcli.text.later import compile_later
from memcli.vault.entries import REACH

LARGE = 2**16  # characters; a file up to this size is parsed whole
MOST_PIECES = 250  # pieces of a larger file: enough memories for several budgets

# Searched in the whole text at once: testing each line takes longer than the recall itself.
# The leading line end makes the search fast.
_BEGIN = compile_later(r"\n(?:(?=[-*+][ \t]|\d{1,9}[.)][ \t]|#)|(?<=\n\n)(?=\S)|(?<=\A\n)(?=\S))")
_FRAME = compile_later(r"\n(?=[ \t]*(?:#|```|~~~|<!--|%%|=+[ \t]*$|-+[ \t]*$))", re.M)


def cut_to_matches(text: str, worth: Mapping[int, float]) -> str:
    """Return the pieces of a text around its best lines, its first and last pieces, and the framing lines.

    Framing lines are headings, fences and comments. All other lines become empty, so that line numbers stay the same.
    `worth` maps a line to how much of the question it has.
    """
    starts = [0, *(match.end() for match in _BEGIN.finditer(text))]  # a memory may begin there
    lines = list(accumulate(map(text.count, repeat("\n"), starts, starts[1:]), initial=0))  # the same as numbers
    value: dict[int, float] = defaultdict(float)
    for line, rarity in worth.items():
        value[bisect_right(lines, line - 1) - 1] += rarity
    selected = {bisect_right(starts, place) - 1 for place in _find_framing_lines(text)}
    most = len(selected) + MOST_PIECES
    ends = (at for pair in zip(range(len(starts)), reversed(range(len(starts))), strict=True) for at in pair)
    for at in (*sorted(value, key=lambda at: (-value[at], -at)), *ends):
        if len(selected) >= most:
            break
        selected.update(at + step for step, _ in REACH if 0 <= at + step < len(starts))
    shown, end = [], 0
    for at in sorted(selected):
        stop = starts[at + 1] if at + 1 < len(starts) else len(text)
        shown += [_blank(text[end : starts[at]]), text[starts[at] : stop]]
        end = stop
    return "".join([*shown, _blank(text[end:])])


def _blank(text: str) -> str:
    return "\n".join([" " * len(line) for line in text.split("\n")])


def _find_framing_lines(text: str) -> Iterator[int]:
    """Yield the offsets of the lines that other lines depend on, such as headings and front matter."""
    front_end = text.find("\n---") if text.startswith("---") else 0
    if front_end > 0:
        yield from (match.end() for match in re.finditer("\\A|\n", text[:front_end]))
    yield from (match.end() - 1 for match in _FRAME.finditer("\n" + text))
    yield from (match.start() for match in re.finditer("-->", text))
