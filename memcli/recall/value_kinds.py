"""Say which value a question asks for, and whether a text has one of that kind."""

from __future__ import annotations

import re

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
    return _compile_value(value).search(text) is not None


def find_words_and_values(asked: Query, text: str) -> list[tuple[int, str, float]]:
    """Return (offset, word, weight) for each place in a text that has a word of the question, or the value it asks
    for."""
    value = find_asked_value(asked)
    values = [(match.start(), "", 1.0) for match in _compile_value(value).finditer(text)] if value else []
    return asked.spots(text) + values


def _compile_value(value: str) -> re.Pattern[str]:
    return phrases.pattern("recall", f"has {value}", phrases.LANGUAGES)
