"""English words of time that are part of a name, told by their capitals: The Day After Tomorrow, the Sunday Times."""

from __future__ import annotations

import re

_SENTENCE = re.compile(r"[A-Za-z,] $")  # what stands before a word inside one
# A word that promises a date, or the beginning of a sentence: "on Friday Anna called".
_PROMISED = re.compile(
    r"(?:^|[^\w ] ?|\b(?:on|this|last|next|by|since|until|till|from|before|after|and|or|to|between) )$", re.I
)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b"
_CAPITAL = re.compile(rf" (?!I\b|{_MONTH}|(?:Morning|Afternoon|Evening|Night)\b)[A-Z]")
_PROGRAM = re.compile(r" (?:Morning|Night)s? [A-Z]")  # Saturday Night Fever


def is_name(text: str, start: int, stop: int, kind: str) -> bool:
    """Whether a word with a capital, of that kind of time, is one of a name. Days of the week always have theirs."""
    if text.isupper():
        return False
    if kind == "weekday":
        promised = _PROMISED.search(text[max(0, start - 9) : start])
        return bool(_PROGRAM.match(text, stop) or (not promised and _CAPITAL.match(text, stop)))
    return kind in ("day_word", "daypart", "day") and bool(_SENTENCE.search(text[:start]))
