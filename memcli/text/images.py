"""Pictures in a model's words are taken out: whoever shows one fetches it from the address it names, and that address
may carry away what the model had read."""

from __future__ import annotations

import re
from collections.abc import Callable

# No part may hold another's beginning: however many begin and never end, each sign is read once.
_IMAGE = re.compile(r"!\[([^\[\]\n]*)\]\([^()\n]*\)?|<img\b[^<>]*>?", re.I)
_BEGUN = re.compile(r"(?:!(?:\[[^\[\]\n]*(?:\](?:\([^()\n]*)?)?)?|<(?:im?)?|<img\b[^<>]*)\Z", re.I)
_LEFT = re.compile(r"!(?=\[)|<(?=img\b)", re.I)  # its address stands elsewhere, or what was taken out made one


def without_images(text: str) -> str:
    """The text with the words of its pictures, and no picture."""
    return _LEFT.sub(r"\g<0> ", _IMAGE.sub(r"\1", text))


class ImageFilter:
    """The same for text that comes in pieces: what may yet become a picture is held back."""

    def __init__(self, hear: Callable[[str], None]) -> None:
        self._hear, self._rest = hear, ""

    def add(self, piece: str) -> None:
        self._rest += piece
        stop = _begun(self._rest)
        clean = without_images(self._rest[:stop])  # which may end in half a picture, too
        held = _begun(clean)
        self._rest = clean[held:] + self._rest[stop:]
        self._pass_on(clean[:held])

    def end(self) -> None:
        self._pass_on(without_images(self._rest))
        self._rest = ""

    def _pass_on(self, piece: str) -> None:
        if piece:
            self._hear(piece)


def _begun(text: str) -> int:
    """Where a picture begins that has no end yet; the end of the text if none does."""
    match = _BEGUN.search(text)
    return match.start() if match else len(text)
