"""Whether a message opens another topic than the last rounds were about. Text in, plain data out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memcli.text import words

if TYPE_CHECKING:
    from memcli.vault.vault import Vault

Alike = Callable[[str, Sequence[str]], float]  # how near a text is to the mean of others, 0 to 1


@dataclass(frozen=True)
class Shift:
    score: float  # from 0.5, which is a shift just so, to 1
    why: str


def shifted(before: Sequence[str], now: str, alike: Alike | None = None) -> Shift | None:
    """A shift, if `now` is one. `before`: the texts of the last turns, oldest first; the last three rounds count."""
    if not before or not re.match(r"by the way|on another note|对了|另外|换个话题", now.strip(), re.I):
        return None
    return Shift(0.9, "says so")


def entities(text: str) -> set[str]:
    """Names, numbers and technical terms, in lower case."""
    return {word.lower() for word in words.WORD.findall(text) if not word.islower()}


def confirmed(vault: Vault, before: Sequence[str], now: str) -> bool:
    """Whether a language model sees a shift as well; MissingPart when there is none."""
    raise NotImplementedError
