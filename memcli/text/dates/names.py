"""Recognize English words of time in names by their capitals: The Day After Tomorrow, the Sunday Times."""

from __future__ import annotations

import re

from memcli.text.later import compile_later

_SENTENCE = compile_later(r"[A-Za-z,] $")  # what precedes a word inside a sentence
# A word that promises a date, or the beginning of a sentence: "on Friday Anna called".
_PROMISED = compile_later(
    r"(?:^|[^\w ] ?|\b(?:on|this|last|next|by|since|until|till|from|before|after|and|or|to|between) )$", re.I
)
# The words before a person's name.
_NAMED = compile_later(
    r"\b(?:(?:nick)?named|companion|character|aunt|uncle|cousin|cat|dog|kitten|puppy|Mrs?\.?|Ms\.?|Dr\.?) $", re.I
)
_OF_TIME = compile_later(
    r"\b(?:in|on|this|last|next|since|until|till|from|before|after|early|mid|late|during|to|and|"
    r"end of|start of|beginning of) $",
    re.I,
)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b"
_CAPITAL = compile_later(rf" (?!I\b|{_MONTH}|(?:Morning|Afternoon|Evening|Night)\b)[A-Z]")
_SURNAME = compile_later(rf" (?!{_MONTH}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)[A-Z][a-z]{{2,}}")
_PROGRAM = compile_later(r" (?:Morning|Night)s? [A-Z]")  # Saturday Night Fever


def is_name(text: str, start: int, stop: int, kind: str) -> bool:
    """Return whether a capitalized word of this kind of time is part of a name.

    Days of the week always have a capital.
    """
    if text.isupper():
        return False
    if kind != "day" and _NAMED.search(text[max(0, start - 12) : start]):
        return True
    if kind in ("name", "verb"):  # August Strindberg
        return bool(not _OF_TIME.search(text[max(0, start - 14) : start]) and _SURNAME.match(text, stop))
    if kind == "weekday":
        promised = _PROMISED.search(text[max(0, start - 9) : start])
        return bool(_PROGRAM.match(text, stop) or (not promised and _CAPITAL.match(text, stop)))
    return kind in ("day_word", "daypart", "day") and bool(_SENTENCE.search(text[:start]))
