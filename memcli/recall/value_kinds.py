"""Say which value a question asks for, and whether a text has one of that kind."""

from __future__ import annotations

from memcli.recall.query import Query
from memcli.text import phrases

# A question for one of these has no answer where no memory on the subject has one. They are tried in this order. The
# phrases that ask for it (`wants …`) and the shapes that have it (`has …`) are in `language/*/recall.txt`.
PROOFS = ("phone number", "e-mail address", "birthday", "age", "reference")
OF_PEOPLE = PROOFS[:4]  # a memory that has one of these is likely the answer; a claim and a passport have numbers, too
# Many notes have one of these, so it proves little where it is found.
COMMON = ("full name", "address", "colour", "height", "weight", "temperature", "clock", "price", "number")


def find_asked_value(asked: Query) -> str | None:
    """Return which value a question asks for, or None. A task that only mentions one asks for none."""
    if asked.is_prompt or asked.says("order"):
        return None
    return next((value for value in (*PROOFS, *COMMON) if asked.says(f"wants {value}")), None)


def holds_value(text: str, value: str) -> bool:
    """Return whether a text has a value of this kind."""
    return phrases.pattern("recall", f"has {value}", phrases.LANGUAGES).search(text) is not None
