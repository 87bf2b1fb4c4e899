"""Find the names of secrets and the phrases that give one, from the tables `labels.txt` and `prose.txt`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from memcli.text import tables
from memcli.text.hanzi import simplified
from memcli.text.later import compile_later
from memcli.text.plain import plain

LABELS, PROSE = (Path(__file__).with_name(name) for name in ("labels.txt", "prose.txt"))

_PUBLIC = compile_later(r"public[ _-]?\Z", re.I)
_CYRILLIC = compile_later("[\u0400-\u04ff]")
_COMPOUND = compile_later(r"\bpalabras? \Z", re.I)
_KATAKANA = compile_later("[\u30a1-\u30fa\u30fc]")
_EASTERN = "\u3000"  # from this character on there are no spaces between words
_BY_ITSELF = 4  # a word of at most so many letters must stand alone: `pin`, not `shipping`


class SecretLabel(NamedTuple):
    """Hold a name for a secret: its kind for the gate, and what its value looks like."""

    word: str
    kind: str
    value: str


class LabelPlace(NamedTuple):
    """Hold where a label stands in a text."""

    label: SecretLabel
    start: int
    stop: int


@lru_cache(maxsize=1)
def labels() -> tuple[tuple[str, SecretLabel], ...]:
    """Return all labels by their words in lower case. A word in capitals in the table only matches capitals."""
    known: dict[str, SecretLabel] = {}
    for row in tables.rows(LABELS):
        for word in itertools.chain.from_iterable(map(_spellings, comma_separated(row["words"]))):
            known.setdefault(word, SecretLabel(word, row["kind"][0], row["value"][0]))
    return tuple((word.lower(), label) for word, label in known.items())


def _spellings(word: str) -> list[str]:
    """Return a word as it looks in normalized text. Cyrillic letters that look like Latin ones are read as these, by
    their case."""
    if not _CYRILLIC.search(word):
        return [simplified(word)]
    return [plain(each).text for each in (word, word.capitalize(), word.upper())]


def same_length_lower(text: str) -> str:
    """Return a text in lower case with the same length: capitals that become two characters stay."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)


def find_labels(text: str, low: str) -> list[LabelPlace]:
    """Return where labels stand, in order, and the longest of two that overlap. `low` is the text in lower case, of
    the same length. 锁屏密码 asks for digits, and the 密码 in it for any password, so both count."""
    found = [place for word, label in labels() if word in low for place in _standing(text, low, word, label)]
    found.sort(key=lambda place: (place.start, -place.stop))
    places: list[LabelPlace] = []
    for place in found:
        last = places[-1] if places else None
        is_within = last is not None and place.start < last.stop
        if not last or not is_within or (last.label.value == "digits" and place.stop == last.stop):
            places.append(place)
    return places


def _standing(text: str, low: str, word: str, label: SecretLabel) -> Iterator[LabelPlace]:
    """Yield where a word occurs: `db_password`, `adminPassword`, `API-Key`, but not `tokenizer`."""
    at = low.find(word)
    while at >= 0:
        stop = at + len(word)
        part = len(word) == 1 and text[at - 1 : at] >= _EASTERN and text[at - 1] not in "帐账号"  # 密 of 秘密
        part = part or _goes_on(text, at, stop)
        if not part and (word[-1] >= _EASTERN or _is_bounded(text, low, at, stop, label.word)):
            for plural in ("es", "s"):
                if len(word) > _BY_ITSELF and low.startswith(plural, stop) and not _is_small(text, stop + len(plural)):
                    stop += len(plural)
                    break
            if label.kind != "api_key" or not _PUBLIC.search(text, max(0, at - 8), at):
                yield LabelPlace(label, at, stop)
        at = low.find(word, stop)


def _goes_on(text: str, at: int, stop: int) -> bool:
    """Return whether a word is only a part of a longer one: キー of キーボード, 暗号 of 暗号化, `clave` of `palabra clave`."""
    if text[stop : stop + 1] in ("化", "화") or _COMPOUND.search(text, max(0, at - 10), at):
        return True
    within = stop - at < 3 and at and _KATAKANA.match(text, at - 1)
    return bool(_KATAKANA.match(text, stop - 1) and (within or _KATAKANA.match(text, stop)))


def _is_bounded(text: str, low: str, at: int, stop: int, word: str) -> bool:
    capitals = word.isupper()
    if capitals and text[at:stop] != word:
        return False
    if _is_small(text, stop) and not (len(word) > _BY_ITSELF and re.match("e?s(?![a-zà-ÿ])", text[stop : stop + 3])):
        return False
    before = text[at - 1 : at]
    if capitals or len(word) <= _BY_ITSELF:
        return not before.isalpha() or before >= _EASTERN
    return not (_is_small(text, at - 1) and _is_small(text, at))


def _is_small(text: str, at: int) -> bool:
    """Return whether a small letter of an alphabet stands at a position."""
    return 0 <= at < len(text) and text[at].islower() and text[at] < _EASTERN


def comma_separated(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield from filter(None, (word.strip() for word in line.split(", ")))


@lru_cache(maxsize=8)
def words_under(way: str) -> frozenset[str]:
    """Return the words of all languages under one key of `prose.txt`: says, first, talk, units."""
    rows = tables.rows(PROSE)
    words = (word for row in rows for word in comma_separated(row.get(way, ())))
    return frozenset(each.lower() for word in words for each in _spellings(word))


def line_end(text: str, at: int, most: int | None = None) -> int:
    """Return the position where the line ends, or `most` if it goes on there."""
    end = text.find("\n", at, most)
    return end if end >= 0 else len(text) if most is None else min(most, len(text))


def line_begin(text: str, at: int, most: int) -> int:
    """Return the position where the line begins, or `most` characters before."""
    begin = max(0, at - most)
    return max(text.rfind("\n", begin, at) + 1, begin)


def line_at(text: str, at: int) -> str:
    return text[at : line_end(text, at)] if at <= len(text) else ""
