"""What a user asks for the whole of a talk: how to answer, what to talk about, what not. Text in, plain data out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

KEYS = (
    "language", "length", "only", "avoid", "tables", "bullets", "emoji", "code", "steps", "name", "tone", "units",
    "currency", "secrecy", "rule",
)  # fmt: skip
GATHERED = ("avoid", "rule")  # one more is beside the others, not instead of them
ALL = "*"  # the key that lifts every anchor


@dataclass(frozen=True)
class Anchor:
    """One instruction that holds until it is overridden; an empty value lifts what held (`*`: everything)."""

    key: str
    value: str
    said: str = ""  # the words it was found in


def found(text: str) -> list[Anchor]:
    """The instructions for the talk in what a user said, in the order in which they were said."""
    return []


def applied(held: Mapping[str, str], anchors: Iterable[Anchor]) -> dict[str, str]:
    """The anchors in force after some more were said: the fold that whoever keeps them needs."""
    now = dict(held)
    for anchor in anchors:
        if not anchor.value:
            now = {} if anchor.key == ALL else {key: value for key, value in now.items() if key != anchor.key}
        elif anchor.key in GATHERED and (before := now.get(anchor.key, "")):
            if anchor.value not in before.split("; "):
                now[anchor.key] = f"{before}; {anchor.value}"
        else:
            now[anchor.key] = anchor.value
    return now
