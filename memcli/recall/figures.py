"""Find the figures of a question that are one word: 17:30, 35%, HE-12, 5 k, 3号; and the other way to write a number."""

from __future__ import annotations

import re

from memcli.text import words
from memcli.text.later import compile_later
from memcli.text.words import Form, Term

_CODE = compile_later(
    r"(?<![A-Za-z\d_-])[A-Za-z]{1,3}\d{0,4}(?:-[A-Za-z]?\d{1,6}[A-Za-z]?)+(?![A-Za-z\d_-])"
)  # HE-12, r1-s2
_GROUPED = compile_later(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,])")  # 1,310
_CLOCK = compile_later(r"(?<![A-Za-z\d:])\d{1,3}(?::\d{1,3}){1,2}(?![A-Za-z\d:])")  # 17:30, 16:9, 1:02:33
_SHARE = compile_later(r"(?<![A-Za-z\d_.])(\d+(?:\.\d+)?) ?%")
_NUMBERED = compile_later(r"(?<!\d)(\d{1,4}|[一二三四五六七八九十])号(?=[^\s\d码])")  # 3号棚, 二号线
_HAN_FIGURES = "零一二三四五六七八九十"
_VERB = compile_later(r"\b([a-z]{2,8})[ -](up|out|back|off|down|over|in)\b")
_JOINED_VERB = compile_later(r"([a-z]{3,8})(up|out|back|off|down|over)")  # rollback, setup
_JOINED_CODE = compile_later(r"([a-z]{2,5})(\d{1,6}[a-z]?)")  # wd1219
_AMOUNT = compile_later(
    r"(?<![A-Za-z\d_.,:/-])(\d+(?:\.\d+)?) ?(k|[kmc]?g|[kmc]?m|[mc]?l|h|min|[kmgt]b|ms|px|kwh?|w|v|mph)"
    r"(?![A-Za-z\d_-])",
    re.I,
)


def find_figures(text: str) -> tuple[dict[str, Term], str]:
    """Return the terms for the figures of a text, and the text without those whose parts are no words."""
    found: dict[str, Term] = {}
    for clock in dict.fromkeys(_CLOCK.findall(text)):  # its single numbers also occur in the times of many notes
        padded = [f"0{clock}"] if clock[1] == ":" else []
        found[clock] = Term(clock, tuple(map(words.whole, [clock, *padded])))
    for share in _SHARE.findall(text):  # 35% says more than 35
        found[f"{share}%"] = Term(f"{share}%", (words.whole(share, " ?(?:%|per ?cent)"),))
    text = _SHARE.sub(" ", _CLOCK.sub(" ", text))
    for amount, unit in _AMOUNT.findall(text.lower()):
        found[amount + unit] = Term(amount + unit, (words.whole(amount + unit), words.whole(f"{amount} {unit}")))
    for name in _NUMBERED.findall(text):
        number = name if name.isascii() else str(_HAN_FIGURES.index(name))
        written = [words.literal(f"{_HAN_FIGURES[int(number)]}号")] if int(number) < len(_HAN_FIGURES) else []
        found[f"{number}号"] = Term(f"{number}号", (words.whole(number, "号"), *written))
    text = _GROUPED.sub(lambda number: number[0].replace(",", ""), _AMOUNT.sub(" ", _NUMBERED.sub(" ", text)))
    for code in map(str.lower, _CODE.findall(text)):
        found[code] = Term(code, tuple(words.whole(code.replace("-", gap)) for gap in ("-", " ", "")))
    return found, text


def spell_otherwise(word: str, text: str) -> tuple[Form, ...]:
    """Return other spellings of a word of a text: of 1310 the one with commas, of "rollback" the one in two words, of
    the "roll" of "roll back" the one in one, and of wd1219 WD-1219."""
    if len(word) > 3 and word.isdecimal() and word.isascii() and word[0] != "0":
        return (words.whole(f"{int(word):,}"),)
    if apart := _JOINED_VERB.fullmatch(word) or _JOINED_CODE.fullmatch(word):
        return (words.whole(" ".join(apart.groups())), words.whole("-".join(apart.groups())))
    return tuple(words.form(word + particle) for verb, particle in _VERB.findall(text.lower()) if verb == word)
