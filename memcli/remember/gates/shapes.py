"""Find named values that have a shape: door codes, recovery codes, seed phrases, personal numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memcli.remember.gates import structure
from memcli.remember.gates.labels import LabelPlace, line_begin, line_end
from memcli.remember.gates.patterns import patterns
from memcli.remember.gates.value import CELL, NEAR, OWN, SAID, SPACE, has_unit, is_day
from memcli.text.later import compile_later

_SORTS = ("digits", "code", "base32", "seed", "number", "short")
SHAPES = dict(zip(_SORTS, patterns(*(f"shape {sort}" for sort in _SORTS)), strict=True))
_COUNTED, _COUNTS, _PIN_OF, _LOCK, _LOCK_OF, _CODE_OF = patterns(
    "counted code", "code of something", "pin of something", "lock", "lock of something", "code of a lock"
)
_SAID = compile_later(r"(?: (?:is|are)\b)?")
_PROSE = frozenset("the and for with that this are was you from have not but which will can our your".split())


def values(text: str, place: LabelPlace) -> Iterator[tuple[int, int]]:
    """Yield where values of the label's shape stand after, under or before it."""
    sort = place.label.value
    shape = SHAPES[sort]
    if sort == "seed":
        yield from _seeds(text, place, shape)
        return
    end = line_end(text, place.stop, place.stop + structure.SIDE)
    last = -1
    counted = place.label.word in ("code", "lock", "locker code") and (
        _COUNTED.search(text, max(0, place.start - 60), place.stop) or _COUNTS.match(text, place.stop)
    )
    for match in () if counted else shape.finditer(text, place.stop, min(end, place.stop + structure.REACH)):
        how = structure.relation(text, place, match.start())
        row = last >= 0 and not re.search(r"[^ ,，、;/和&]", text[last : match.start()])
        if row or _is_so(match[0], how, place, text[match.end() : match.end() + 8], text[place.stop : match.start()]):
            yield match.span()
            last = match.end()
    for stretch in structure.candidates(text, place):
        if stretch.how in (CELL, OWN) or (stretch.start > end and stretch.alone):
            for match in shape.finditer(text, stretch.start, stretch.stop):
                own = OWN if stretch.how == NEAR and match.span() == (stretch.start, stretch.stop) else stretch.how
                if _is_so(match[0], own, place, text[match.end() : match.end() + 8], ""):
                    yield match.span()
    begin = line_begin(text, place.start, structure.REACH)
    for match in shape.finditer(text, begin, place.start):
        named = text.startswith(" is ", match.end()) if sort == "number" else sort == "code" and " " in match[0]
        if named and structure.first_words().match(text[match.end() : place.start]):
            yield match.span()


def _seeds(text: str, place: LabelPlace, shape: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    begin = _SAID.match(text, place.stop).end()  # type: ignore[union-attr]
    match = shape.search(text, begin, begin + 500)
    rest = text[match.end() : line_end(text, match.end())] if match else ""
    if not match or not (
        _is_whole(match[0], text[place.stop : match.start()], rest)
        or re.search(r"\d[.)]", match[0])
        or re.search(r"[:=：→>\"'\n是为]|\b(?:is|are)\b", text[place.stop : match.start()])
    ):
        return
    if len(_PROSE & set(match[0].split())) < 2:
        yield match.span()


def _is_whole(words: str, gap: str, rest: str) -> bool:
    """Return whether words after a label, up to the end of their line, are as many as a seed has, and no prose."""
    seed_words = re.findall(r"[^\W\d]+", words)
    return not gap.strip() and not rest.strip(" .") and len(seed_words) % 3 == 0 and not _PROSE & {*seed_words}


def _is_so(value: str, how: int, place: LabelPlace, after: str, gap: str) -> bool:
    sort, digits = place.label.value, sum(map(str.isdigit, value))
    if sort == "base32":
        return True
    if (
        is_day(value)
        or has_unit(value, after)
        or (how >= SPACE and place.label.word.isascii() and re.fullmatch(r"(?:19|20)\d\d", value))
    ):
        return False
    if sort == "number":
        compact = re.sub(r"\W", "", value)
        return (
            6 <= len(compact) <= 20
            and digits >= (3 if how <= SPACE and len(compact) > 8 else 5)
            and (how < NEAR or len(gap) < 45)
        )
    if sort == "short":
        return how <= SPACE
    if sort == "digits":
        if place.label.word.startswith("alarm") and re.fullmatch(r"0[4-9][0-5][05]|1\d[0-5]0", value):
            return False  # a time for an alarm clock
        if re.fullmatch(r"\d(?:-\d){3,5}", value):
            return True
        # "the door code for the plot 4471, ask Glenys"
        ends = re.match(r"\s*(?:[,.;!()，。；！（）–—]|\s-\s|\Z)", after)
        if ends and digits >= 4 and place.label.word == "code" and _CODE_OF.fullmatch(gap.strip()):
            return True
        if place.label.word in ("code", "lock"):
            single = re.fullmatch(r"\d(?:-\d){3,5}|(?!20[0-3]\d\Z)\d{4,6}[A-Z#*]?|[A-Z]\d{3,5}", value)
            return digits >= 4 and (how in (CELL, OWN) or (how <= SPACE and bool(single)))
        if ends and digits >= 4 and place.label.word.startswith(("pin", "пин")) and _PIN_OF.fullmatch(gap.strip()):
            return True
        if ends and how == NEAR and 4 <= digits <= 6 and _LOCK.search(place.label.word):
            return _LOCK_OF.fullmatch(gap.strip()) is not None
        spelt = not digits or "个" in value
        return (how < NEAR and (spelt or digits >= (3 if how <= SAID or not after.strip() else 4))) or (
            digits >= 6 and bool(re.search(r"(?:[,，：:]|'s|is|是) ?\Z", gap))
        )
    return _is_code(value, how, digits, place)


def _is_code(value: str, how: int, digits: int, place: LabelPlace) -> bool:
    grouped = re.fullmatch(r"[a-z]{4}(?:[ -][a-z]{4}){3}", value)
    if how == NEAR:
        return bool(digits and re.search(r"\w-\w", value) and re.search("[A-Za-z]", value)) or digits >= 20
    if grouped:
        return how <= SAID
    if not digits:
        capitals = re.fullmatch(r"[A-Z]{4,6}(?:-[A-Z]{4,6})+", value)
        return bool(capitals) or (
            not place.label.word.isascii() and how <= SAID and value.islower() and len(value) < 20
        )
    return digits >= 4 or (len(value) >= 4 and digits < len(value) and (how <= SAID or len(value) >= 6))
