"""Lines that vouch for each other: each names the hashes of the last lines its writer saw, and its own.

Two machines write one journal and git merges it by union, so it is no single chain: the first line written after a
merge names the ends of both. A line that is altered no longer fits its hash, a line that is taken out is missed by the
one that names it. The last line has nobody to miss it, and who rewrites every hash leaves no trace here: what git has
of the file tells those (`lost`). There is no secret in it: it shows that something happened, it prevents nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

WINDOW = 256 * 1024  # bytes at the end of a journal in which the ends of its branches are looked for

_SEAL = re.compile(r',"prev":"([0-9a-f ]*)"(,"hash":"([0-9a-f]{32})"\})\r?$', re.M)


def sealed(record: str, tail: str) -> str:
    """A JSON object as the next line after `tail`, with whom it follows and its own hash."""
    seals = _SEAL.findall(tail)
    named = {each for prev, _, _ in seals for each in prev.split()}
    ends = dict.fromkeys(own for _, _, own in seals if own not in named)
    begun = f'{record[:-1]},"prev":"{" ".join(ends)}"'
    return f'{begun},"hash":"{_digest(begun)}"}}'


def flaws(text: str) -> Iterator[tuple[int, str, bool]]:
    """(line, what is wrong with it, whether somebody must have meddled). Lines before the first sealed one are old."""
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


def lost(before: str, now: str) -> int:
    """How many lines of an earlier state of the file are altered or gone."""
    return len(
        {line.rstrip("\r") for line in before.split("\n") if line} - {line.rstrip("\r") for line in now.split("\n")}
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
