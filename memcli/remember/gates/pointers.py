"""Hide the parts of a note that only refer to something: link targets, file names, known fields of the front matter,
embedded data and drawings. Text there that looks like a secret is a name or a picture, unless it has the format of a
key; such formats are searched in the unchanged text.

The shapes are rows of `patterns.txt`. Each begins with a character of its own, so that the time grows only linearly
with the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memcli.remember.gates.patterns import patterns
from memcli.text.later import compile_later
from memcli.text.plain import WALL

_SIGNS = compile_later(r"://|\]\(|\[\[|\]:|=[\"']|\w\.[A-Za-z]|base64,|\A---|```|\[source:: ")
_MOST_FRONT = 20_000  # characters of a front matter, at most


def hide_pointers(text: str) -> str:
    """Return the text with its pointing parts hidden, keeping its length."""
    if not _SIGNS.search(text):
        return text
    pieces: list[str] = []
    done = 0
    for start, stop in sorted(_pointed(text)):
        start = max(start, done)
        if start < stop:
            pieces += (text[done:start], re.sub(r"[^\n]", WALL, text[start:stop]))
            done = stop
    return "".join(pieces) + text[done:]


def _pointed(text: str) -> Iterator[tuple[int, int]]:
    *shapes, field, drawing, words = patterns(
        "link target", "file name", "embedded data", "known field", "drawing", "words of a drawing"
    )
    for shape in shapes:
        for match in shape.finditer(text):
            yield match.span(match.lastindex or 0)
    if text.startswith("---\n") and (end := text.find("\n---", 3, _MOST_FRONT)) > 0:
        for match in field.finditer(text, 0, end):
            yield match.span(1)
    for match in drawing.finditer(text):
        at, stop = match.span(1)
        for said in words.finditer(text, at, stop):
            yield at, said.start(1) - 1
            at = said.end(1) + 1
        yield at, stop
