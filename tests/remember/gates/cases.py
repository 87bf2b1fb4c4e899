"""The labelled texts of the sensitive gate. Keys in the files are holes, filled anew: no real shape of a key lies in the repository."""

from __future__ import annotations

import hashlib
import random
import re
import string
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SETS = {
    "A": string.ascii_letters + string.digits,
    "L": string.ascii_letters,
    "U": string.ascii_uppercase + "234567",
    "H": "0123456789abcdef",
    "D": string.digits,
    "B": string.ascii_letters + string.digits + "+/",
    "h": string.ascii_lowercase + string.digits,
    "u": string.ascii_lowercase + "234567",
    "X": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
}
_HOLE = re.compile(r"\{(PRIVATE|ricx|n|[ALUHDBhuX]\d+|card4?:\d+:\d+|ric(?:4|zw)?:\d{6}:\d{8})\}")
_MARKED = re.compile("⟦(.*?)⟧", re.S)


@dataclass(frozen=True)
class Case:
    kind: str  # empty: nothing in it is sensitive
    text: str
    secrets: tuple[str, ...] = ()

    @property
    def kept_aside(self) -> bool:
        """A third that the rules were not made on."""
        return hashlib.sha1(self.text.encode()).digest()[0] % 3 == 0


def positives(name: str = "sensitive") -> list[Case]:
    """The labelled texts: `sensitive`, or `fresh`, which the rules were not made on."""
    found = []
    for line in (HERE / f"{name}_positive.tsv").read_text(encoding="utf-8").splitlines():
        kind, text = line.split("\t", 1)
        text = _whole(text, line)
        text = re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), text)
        text = re.sub(r"(?<!\\)\\n", "\n", text)
        found.append(Case(kind, _MARKED.sub(r"\1", text), tuple(_MARKED.findall(text))))
    return found


def negatives(name: str = "sensitive") -> list[Case]:
    lines = (HERE / f"{name}_negative.txt").read_text(encoding="utf-8").splitlines()
    return [Case("", _whole(line, line)) for line in lines]


def filled(text: str, seed: str) -> tuple[str, list[str]]:
    """A text with its holes filled, and what they were filled with."""
    chance, holes = random.Random(seed), []

    def fill(match: re.Match[str]) -> str:
        holes.append(_filled(match[1], chance))
        return holes[-1]

    return _HOLE.sub(fill, text), holes


def _whole(text: str, seed: str) -> str:
    chance = random.Random(seed)
    return _HOLE.sub(lambda match: _filled(match[1], chance), text)


def _filled(hole: str, chance: random.Random) -> str:
    if hole == "n":
        return "\n"
    if hole == "PRIVATE":
        return hole
    if hole == "ricx":
        return next(r for r in (_resident("110105", "19491231", chance) for _ in range(1000)) if r.endswith("X"))
    if hole[0] in SETS and hole[1:].isdigit():
        return "".join(chance.choice(SETS[hole[0]]) for _ in range(int(hole[1:])))
    what, first, second = hole.split(":")
    if what.startswith("card"):
        digits = first + "".join(chance.choice(string.digits) for _ in range(int(second) - len(first) - 1))
        digits += next(d for d in string.digits if _luhn(digits + d))
        return re.sub(r"(\d{4})(?=\d)", r"\1 ", digits) if what == "card4" else digits
    number = _resident(first, second, chance)
    gap = {"ric4": " ", "riczw": "\u200b"}.get(what, "")
    return gap.join((number[:6], number[6:14], number[14:]))


def _resident(place: str, born: str, chance: random.Random) -> str:
    digits = place + born + "".join(chance.choice(string.digits) for _ in range(3))
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return digits + "10X98765432"[sum(int(d) * w for d, w in zip(digits, weights, strict=True)) % 11]


def _luhn(digits: str) -> bool:
    doubled = [int(d) if n % 2 == 0 else sum(divmod(int(d) * 2, 10)) for n, d in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0
