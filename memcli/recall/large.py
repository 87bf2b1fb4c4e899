"""Large files: read where they know most of the question, so that no single file makes a recall slow."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping

from memcli.vault.entries import REACH

LARGE = 2**16  # characters of a file that is read whole
MOST_PIECES = 250  # of a larger one: as many memories as fill several budgets

_MARKER = re.compile(r"[-*+][ \t]|\d{1,9}[.)][ \t]|#")
_FRAME = re.compile(r"[ \t]*(?:#|```|~~~|<!--|%%|=+\s*$|-+\s*$)")


def excerpt(text: str, worth: Mapping[int, float]) -> str:
    """The pieces of a text around its best lines, then the first and last ones, and all that frames them (headings,
    fences, comments); the rest is empty, so that every line keeps its number and place. `worth` says of a line how much
    it knows of the question."""
    lines = text.split("\n")
    starts = [at for at, line in enumerate(lines) if not at or _begins(line, lines[at - 1])]
    value: dict[int, float] = defaultdict(float)
    for line, known in worth.items():
        value[bisect_right(starts, line - 1) - 1] += known
    kept = {bisect_right(starts, at) - 1 for at in _framing(lines)}
    most = len(kept) + MOST_PIECES
    ends = (at for pair in zip(range(len(starts)), reversed(range(len(starts))), strict=True) for at in pair)
    for at in (*sorted(value, key=lambda at: (-value[at], -at)), *ends):
        if len(kept) >= most:
            break
        kept.update(at + step for step, _ in REACH if 0 <= at + step < len(starts))
    for at, (start, stop) in enumerate(zip(starts, [*starts[1:], len(lines)], strict=True)):
        if at not in kept:
            lines[start:stop] = [" " * len(line) for line in lines[start:stop]]
    return "\n".join(lines)


def _begins(line: str, above: str) -> bool:
    """Whether a memory may begin here: an item, a heading, whatever follows an empty line."""
    return bool(line) and not line[0].isspace() and (not above or _MARKER.match(line) is not None)


def _framing(lines: list[str]) -> list[int]:
    """The lines that give others their meaning, front matter among them."""
    head = next((at for at, line in enumerate(lines[1:], 1) if line[:3] == "---"), 0) if lines[0][:3] == "---" else 0
    return [*range(head), *(at for at, line in enumerate(lines) if _FRAME.match(line) or "-->" in line)]
