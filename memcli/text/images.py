"""Remove images from a model's answer.

A program that shows an image fetches it from its address, and that address may leak what the model had read.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memcli.text.later import compile_later

# No part can contain the start of another, so each character is read once, however many never end.
_IMAGE = compile_later(r"!\[([^\[\]\n]*)\]\([^()\n]*\)?|<img\b[^<>]*>?", re.I)
_BEGUN = compile_later(r"(?:!(?:\[[^\[\]\n]*(?:\](?:\([^()\n]*)?)?)?|<(?:im?)?|<img\b[^<>]*)\Z", re.I)
_LEFT = compile_later(r"!(?=\[)|<(?=img\b)", re.I)  # the address is not beside it, or removing text created this mark


def without_images(text: str) -> str:
    """Return the text with the captions of its images but without the images."""
    return _LEFT.sub(r"\g<0> ", _IMAGE.sub(r"\1", text))


class ImageFilter:
    """Filter text that arrives in pieces like `without_images`, and hold back what may still become an image."""

    def __init__(self, hear: Callable[[str], None]) -> None:
        self._hear, self._rest = hear, ""

    def add(self, piece: str) -> None:
        self._rest += piece
        stop = _begun(self._rest)
        clean = without_images(self._rest[:stop])  # this part may also end in an unfinished image
        begun = _begun(clean)
        self._rest = clean[begun:] + self._rest[stop:]
        self._pass_on(clean[:begun])

    def end(self) -> None:
        self._pass_on(without_images(self._rest))
        self._rest = ""

    def _pass_on(self, piece: str) -> None:
        if piece:
            self._hear(piece)


def _begun(text: str) -> int:
    """Return the position where an unfinished image begins, or the length of the text when there is none."""
    match = _BEGUN.search(text)
    return match.start() if match else len(text)
