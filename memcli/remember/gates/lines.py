"""Lines of a text, and what a stretch of one may be to a label."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """A stretch that may be the value of a label."""

    start: int
    stop: int
    how: int
    alone: bool = False
    quoted: bool = False


def line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def line_at(text: str, at: int) -> str:
    return text[at : line_end(text, at)] if at <= len(text) else ""
