"""Seal the lines of a journal: each line names the hashes of the last lines its writer saw, and its own.

Two machines write one journal and git merges it by union, so it is not a single chain: the first line written after a
merge names the ends of both branches. An altered line no longer fits its hash. A removed line is missed by the line
that names it. Nothing names the last line, and somebody who rewrites every hash leaves no trace here: comparing with
git's copy finds both (`lost`). There is no secret in it: it shows that something happened and prevents nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from memcli.text.later import compile_later

WINDOW = 256 * 1024  # bytes at the end of a journal that are searched for the ends of its branches

_SEAL = compile_later(r',"prev":"([0-9a-f ]*)"(,"hash":"([0-9a-f]{32})"\})\r?$', re.M)


def seal(record: str, tail: str) -> str:
    """Return a JSON object as the next line after `tail`, with the hashes that it follows and its own hash."""
    seals = _SEAL.findall(tail)
    named = {each for prev, _, _ in seals for each in prev.split()}
    ends = dict.fromkeys(own for _, _, own in seals if own not in named)
    begun = f'{record[:-1]},"prev":"{" ".join(ends)}"'
    return f'{begun},"hash":"{_digest(begun)}"}}'


def find_flaws(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield (line number, what is wrong, whether somebody must have tampered) for each flaw below the first seal."""
    lines = text.split("\n")
    seals = [_SEAL.search(line) for line in lines]
    present = {seal[3] for seal in seals if seal}
    begun = False
    for number, (line, seal) in enumerate(zip(lines, seals, strict=True), 1):
        if seal:
            begun = True
            if _digest(line[: seal.start(2)]) != seal[3]:
                yield number, "was altered", True
            elif not present.issuperset(seal[1].split()):
                yield number, "follows a line that is gone", True
        elif begun and line.strip():
            yield number, "has no hash: torn, or by another program", False


def count_lost(before: str, now: str) -> int:
    """Return how many lines of an earlier state of the file were altered or removed."""
    old, new = ({line.rstrip("\r") for line in text.split("\n") if line} for text in (before, now))
    return len(old - new)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
