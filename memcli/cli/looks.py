"""Compute how text looks on a terminal: colours, width in cells, line breaks. Holds pure functions for `Terminal`."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence

BOLD, DIM, RED, GREEN, YELLOW, CYAN = "1", "2", "31", "32", "33", "36"
# This mark begins our own colours on their way to a stream. It is random, so no text can contain it.
OURS = f"\x1b{os.urandom(8).hex()}"
WIDEST = 40  # cells; a longer value widens its own row and not the column
NARROW = 30  # cells; a last column with less room stands below its row

# Patterns are compiled when they are used, because piped output needs none of them.
_COLOUR = rf"{OURS}\[\d+m"
_LEAD = r"\s*(?:[-*+>·▁-█] |\[\d+\] |:\d+ )*"  # the marker of a list item
_WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"  # Chinese characters and their punctuation
_WORD = rf"\s*(?:{_COLOUR})*(?:[{_WIDE}](?:{_COLOUR}|[、。，．：；！？）」』】》])*|[^\s{_WIDE}]+)|\s+"


def painted(text: str, style: str) -> str:
    return f"{OURS}[{style}m{text}{OURS}[0m"


def marked(text: str, words: Collection[str]) -> str:
    """Return the text with these words painted."""
    longest_first = sorted(words, key=len, reverse=True)
    any_word = "|".join((r"\b" if word[:1].isascii() else "") + re.escape(word) for word in longest_first)
    return re.sub(any_word, lambda match: painted(match[0], BOLD), text, flags=re.I | re.A) if any_word else text


def wrapped(line: str, width: int, lead: str = _LEAD) -> list[str]:
    """Return the line cut into pieces of at most `width` cells, between words or Chinese characters. The further pieces
    are indented to the text after `lead`, by default the marker of a list item."""
    if cells(line) <= width:
        return [line]
    before = re.match(lead, re.sub(_COLOUR, "", line))
    pieces, below = [""], " " * min(cells(before[0]) if before else 0, width // 2)
    for word in re.findall(_WORD, line):
        if pieces[-1].strip() and cells(pieces[-1] + word.rstrip()) > width:
            pieces.append(below + word.lstrip())
        else:
            pieces[-1] += word
    return pieces


def clipped(text: str, width: int, words: Collection[str] = ()) -> str:
    """Return the text in at most `width` cells, with `…` where it was cut. The cut keeps the first of `words`
    visible."""
    if cells(text) <= width:
        return text
    first = min((at for word in words if (at := text.lower().find(word.lower())) >= 0), default=0)
    if cells(text[:first]) > width // 2:
        start = max(0, first - width // 8)
        while start and cells(text[start - 1 :]) < width:  # near the end there is room for more of what comes before
            start -= 1
        return clipped("…" + text[start:], width)
    used = 0
    for at, sign in enumerate(text):
        used += cells(sign)
        if used >= width:
            return text[:at].rstrip() + "…"
    return text


def aligned(
    rows: Sequence[Sequence[str]], width: int, clip: bool, words: Collection[str]
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield each row as its first cells, padded to aligned columns, and the lines of its last cell: the first one goes
    beside them, and is "" without room for it. Lines have at most `width` cells, if that is not 0: `clip` cuts the last
    cell, else it is broken between words."""
    widths = [
        max((size for row in rows if len(row) > at and (size := cells(row[at])) <= WIDEST), default=0)
        for at in range(max(map(len, rows), default=0))
    ]
    for *before, last in rows:
        padded = [text + " " * (widths[at] - cells(text)) for at, text in enumerate(before)]
        used = sum(cells(text) + 2 for text in padded)
        if not width or used + cells(last) <= width:
            yield padded, [last]
            continue
        is_beside = width - used >= NARROW
        indent = used if is_beside else min(4, used)
        pieces = [clipped(last, width - indent, words)] if clip else wrapped(last, width - indent, "")
        below = [" " * indent + piece for piece in pieces]
        yield padded, [pieces[0], *below[1:]] if is_beside else ["", *below]


def cells(text: str) -> int:
    """Return how many terminal cells a text takes."""
    if OURS in text:
        text = re.sub(_COLOUR, "", text)
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)
