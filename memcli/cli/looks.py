"""What text takes of a terminal: colours, cells, and where lines end. Pure functions, for `Terminal`."""

from __future__ import annotations

import os
import re
from collections.abc import Collection

BOLD, DIM, RED, GREEN, YELLOW, CYAN = "1", "2", "31", "32", "33", "36"
# Begins a colour of ours on its way to a stream. It differs from run to run, so that no text can bring its own.
OURS = f"\x1b{os.urandom(8).hex()}"

# Patterns are compiled when they are used: what is piped needs none of them.
_COLOUR = rf"{OURS}\[\d+m"
_LEAD = r"\s*(?:[-*+>·▁-█] |\[\d+\] |:\d+ )*"  # what an item begins with
_WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"  # Chinese characters and their punctuation
_WORD = rf"\s*(?:{_COLOUR})*(?:[{_WIDE}](?:{_COLOUR}|[、。，．：；！？）」』】》])*|[^\s{_WIDE}]+)|\s+"


def painted(text: str, style: str) -> str:
    return f"{OURS}[{style}m{text}{OURS}[0m"


def marked(text: str, words: Collection[str], style: str = BOLD) -> str:
    """The text with these words painted."""
    longest_first = sorted(words, key=len, reverse=True)
    any_word = "|".join((r"\b" if word[:1].isascii() else "") + re.escape(word) for word in longest_first)
    return re.sub(any_word, lambda match: painted(match[0], style), text, flags=re.I | re.A) if any_word else text


def wrapped(line: str, width: int) -> list[str]:
    """The line in pieces of at most `width` cells, cut between words or between Chinese characters; what goes on below
    stands under the words of an item, not under its mark."""
    if cells(line) <= width:
        return [line]
    lead = re.match(_LEAD, re.sub(_COLOUR, "", line))
    pieces, below = [""], " " * min(len(lead[0]) if lead else 0, width // 2)
    for word in re.findall(_WORD, line):
        if pieces[-1].strip() and cells(pieces[-1] + word.rstrip()) > width:
            pieces.append(below + word.lstrip())
        else:
            pieces[-1] += word
    return pieces


def clipped(text: str, width: int, words: Collection[str] = ()) -> str:
    """The text in at most `width` cells, with `…` where it was cut; the first of the words in it is not cut off."""
    if cells(text) <= width:
        return text
    first = min((at for word in words if (at := text.lower().find(word.lower())) >= 0), default=0)
    if cells(text[:first]) > width // 2:
        text = "…" + text[first - width // 8 :]
    used = 0
    for at, sign in enumerate(text):
        used += cells(sign)
        if used >= width:
            return text[:at].rstrip() + "…"
    return text


def cells(text: str) -> int:
    """How many terminal cells a text takes."""
    if OURS in text:
        text = re.sub(_COLOUR, "", text)
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)
