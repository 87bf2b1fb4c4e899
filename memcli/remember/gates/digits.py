"""Find numbers that identify a person: phones, payment cards and ids of residents. They are checked by check digits and
number plans.

A regex only proposes runs of digits; the libraries that judge them are loaded when there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from memcli.remember.gates.patterns import patterns
from memcli.text.later import compile_later

_SPELT = compile_later(r"(?<![零〇一二三四五六七八九幺])[零〇一二三四五六七八九幺]{11}(?![零〇一二三四五六七八九幺])")
_RUN = compile_later(r"(?<!\d)(?<!\d\.)\+?\(?\d(?:[ \t\n().–_-]{0,4}\d){6,}", re.A)

# A day, a span of days, months or years, or a time is not part of a phone number.
_YEAR, _MONTH, _DAY = r"(?:19|20)\d\d", r"(?:1[0-2]|0?[1-9])", r"(?:3[01]|[12]\d|0?[1-9])"
_SHORT_DATE = rf"{_YEAR}(?:1[0-2]|0[1-9])(?:3[01]|[12]\d|0[1-9])"
_ONE_DATE = (
    rf"(?:{_YEAR}[-/.–]{_MONTH}(?:[-/.–]{_DAY})?|{_DAY}[-/.]{_MONTH}[-/.]{_YEAR}|{_YEAR} {_MONTH} {_DAY}"
    rf"|{_YEAR} ?[-–/] ?{_YEAR}"
    rf"|(?<!\d[ .)–-]){_SHORT_DATE}|[0-2]?\d:[0-5]\d(?::[0-5]\d)?)(?!\d)"
)
_DATES = compile_later(rf"(?<![\d+])(?<!\d[.)–-])(?<!\+\d\d ){_ONE_DATE}(?:[-–/ T]{{1,3}}{_ONE_DATE})*", re.A)
_FIRST_YEAR = compile_later(rf"(?:{_YEAR}|{_SHORT_DATE})\Z")
_CALL, _COUNTED, _NO_CALL, _UNIT, _GLUED, _CARDED, _BEHIND_CARD, _BEFORE_CARD, _MAESTRO, _SSN, _ACCOUNT = patterns(
    "call",
    "counted number",
    "no call",
    "unit of a number",
    "glued to a number",
    "card before a number",
    "behind a card",
    "before a card",
    "maestro",
    "social security",
    "account before a number",
)
_CALLED = compile_later(rf"(?:{_CALL.pattern})[^\d\n]{{0,24}}\Z", re.I)
_EASTERN = compile_later(r"[\u3400-\u9fff] \Z")
_REGIONS = ("US", "CN", "TW", "HK", "GB", "DE", "FR", "JP", "KR", "IN", "AU", "BR", "ES", "IT")
_FRACTION = compile_later(r"(?<!\d)0\.\Z")
_CARD = compile_later(
    r"4(?:\d{15}|\d{18})|(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)\d+|3[47]\d{13}|(?:6011|64[4-9]|65)\d+"
    r"|35(?:2[89]|[3-8])\d+"
    r"|3(?:0[0-5]|[689])\d+|(?:62|81)\d+"
)


def _shapes(listed: str) -> set[tuple[int, ...]]:
    return {tuple(map(int, shape.split("-"))) for shape in listed.split()}


# Lengths of the groups in which people write such numbers.
_EMBOSSED = _shapes("4-4-4-4 4-4-4-4-3 4-4-4-4-2 6-13 4-6-5 4-6-4")
_EMBOSSED |= _shapes("8-4-4 4-8-4 4-4-8 8-8 4-12 12-4")  # two groups run together where the gap is hidden
_RESIDENT = _shapes("6-8-4 6-8-3 6-4-4-4 6-4-4-3")
_DIALLED = _shapes("4-4 2-8 2-4-4 3-4-4 3-8 3-3-4 1-3-3-4 3-7 4-7 4-8 4-4-4 4-3-4")
_ISSUED = _shapes("6-4-4-5 6-4-5 6-4-4-2")  # the bank's first six digits, then the rest
_SHAPES = _EMBOSSED | _RESIDENT | _DIALLED | _ISSUED | {(3, 2, 4)} | {(length,) for length in range(7, 20)}


@dataclass(frozen=True)
class _Number:
    """Hold groups of digits that may belong together."""

    text: str  # the whole text
    start: int
    stop: int
    digits: str
    groups: tuple[int, ...]  # the length of each group
    signs: frozenset[str]  # the characters between the groups
    called: bool  # the words before it are about phones

    def after(self, said: re.Pattern[str]) -> bool:
        return bool(said.search(self.text, max(0, self.start - 40), self.start))

    @property
    def plus(self) -> bool:
        return self.text[max(0, self.start - 2) : self.start].rstrip("(").endswith("+")


def find_numbers(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _SPELT.finditer(text):  # a mobile number of China, read aloud
        if match[0][0] in "一幺" and match[0][1] in "三四五六七八九":
            yield "phone", *match.span()
    if not _RUN.search(text):
        return
    yield from _runs(text, _own_number)
    yield from _runs(_DATES.sub(lambda match: "~" * len(match[0]), text), _phone)


def _runs(text: str, judge: Callable[[_Number], tuple[str, int, int] | None]) -> Iterator[tuple[str, int, int]]:
    calls = judge is _phone and _CALL.search(text)
    for run in _RUN.finditer(text):
        groups = [match.span() for match in re.compile(r"\d+").finditer(text, run.start(), run.end())]
        lengths = tuple(stop - start for start, stop in groups)
        called = bool(calls and _CALLED.search(text, max(0, run.start() - 40), run.start()))
        dialled = called or run[0].startswith(("+", "(+", "00"))
        at = 0
        while at < len(groups):
            free = dialled and at == 0
            for size in range(min(len(groups) - at, 10 if free else 5), 0, -1):
                if not free and lengths[at : at + size] not in _SHAPES:
                    continue  # a long table of numbers must not take long
                number = _number(text, groups[at : at + size], called and at == 0)
                if number and (hit := judge(number)):
                    rest = groups[at + size :]
                    if dialled and at == 0 and len(rest) == 1 and 2 < lengths[-1] < 5:  # the end of a mistyped number
                        hit, size = (*hit[:2], rest[0][1]), size + 1
                    yield hit
                    at += size - 1
                    break
            at += 1


def _number(text: str, groups: list[tuple[int, int]], called: bool) -> _Number | None:
    """Return the number in these groups, or None if they are a part of something longer."""
    start, stop = groups[0][0], groups[-1][1]
    digits = "".join(text[a:b] for a, b in groups)
    if not 7 <= len(digits) <= 20:
        return None
    if re.match("[A-Za-z_]", text[start - 1 : start]) and not _GLUED.search(text, max(0, start - 5), start):
        return None
    if re.match("[A-WYZa-wyz_]", text[stop : stop + 1]):
        return None  # x may be the last character of a resident id
    between = frozenset("".join(text[b:a] for (_, b), (a, _) in pairwise(groups)))
    return _Number(text, start, stop, digits, tuple(b - a for a, b in groups), between, called)


def _own_number(number: _Number) -> tuple[str, int, int] | None:
    """Return the kind and span of an id, a card or an account, or None."""
    after = number.text[number.stop : number.stop + 1]
    if len(number.digits) == 17 and after in ("x", "X") and _is_resident(number.digits + "X"):
        return "national_id", number.start, number.stop + 1
    if after in ("x", "X"):
        return None
    if (len(number.digits) == 18 and _is_resident(number.digits)) or _is_ssn(number):
        return "national_id", number.start, number.stop
    if _is_card(number):
        return "card", number.start, number.stop
    is_account = 12 <= len(number.digits) <= 20 and number.after(_ACCOUNT)
    return ("iban", number.start, number.stop) if is_account else None


def _phone(number: _Number) -> tuple[str, int, int] | None:
    if set(number.groups) == {2} and not number.called and not number.plus:
        return None  # bytes
    if re.fullmatch(r"(?:\d{1,3}\.){3}\d{1,3}", number.text[number.start : number.stop]):
        return None
    if number.signs & {"\n", "_"} or number.text[number.stop : number.stop + 1] in ("x", "X") or not _is_phone(number):
        return None
    start = number.start
    while number.text[start - 1 : start] == "+" or (number.text[start - 1 : start] == "(" and ")" in number.signs):
        start -= 1
    return "phone", start, number.stop


def _is_resident(digits: str) -> bool:
    if not re.match(r"[1-8]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])", digits):
        return False
    from stdnum.cn import ric  # its list of places has gaps, but its check digit is reliable

    return bool(ric.calc_check_digit(digits) == digits[-1])


def _is_card(number: _Number) -> bool:
    if not 14 <= len(number.digits) <= 19 or number.after(_FRACTION):
        return False
    if len(number.digits) > 15 and number.digits[0] in "34569" and number.after(_CARDED):
        return True
    if number.digits[0] in "234568" and (number.after(_BEFORE_CARD) or _BEHIND_CARD.match(number.text, number.stop)):
        return not number.after(_COUNTED)  # also one that was mistyped
    if number.after(_MAESTRO):
        return True
    if not _CARD.fullmatch(number.digits):
        return False
    if len(number.digits) == 14 and number.digits[:2] not in ("30", "36", "38", "39"):
        return False
    if number.groups not in _EMBOSSED and len(number.groups) > 1:
        return False
    from stdnum import luhn

    return bool(luhn.is_valid(number.digits))


def _is_ssn(number: _Number) -> bool:
    grouped, named = number.groups == (3, 2, 4), number.after(_SSN)
    if len(number.digits) != 9 or not (named or (grouped and number.signs == {"-"})):
        return False
    if grouped and named:
        return True
    from stdnum.us import ssn

    return bool(ssn.is_valid(f"{number.digits[:3]}-{number.digits[3:5]}-{number.digits[5:]}"))


def _is_phone(number: _Number) -> bool:
    digits, groups, signs = number.digits, number.groups, number.signs
    plus = number.plus
    if plus or (digits.startswith("00") and len(digits) > 10):
        return _dials("+" + (digits if plus else digits[2:]), None, made_up=len(digits) > 9)
    if number.after(_COUNTED):
        return False
    called = number.called
    if groups == (4, 3, 3) and digits.startswith("09") and signs == {"-"}:
        return _dials(digits, "TW", made_up=True)
    if groups in ((2, 4, 4), (2, 8)) and re.match(r"0[2-8]", digits) and "-" in signs and _dials(digits, "TW"):
        return True
    if (
        groups == (4, 4)
        and signs == {" "}
        and re.match(r"[235-9]", digits)
        and number.after(_EASTERN)
        and not _UNIT.match(number.text, number.stop)
    ):
        return _dials(digits, "HK")
    if groups == (3, 4, 4) and re.match(r"020[378]", digits):
        return _dials(digits, "GB", made_up=True)
    if groups == (3, 4, 4) and re.match(r"0[5-9]0", digits) and signs == {"-"}:
        return _dials(digits, "JP")
    if re.fullmatch(r"1[3-9]\d{9}", digits) and groups in ((11,), (3, 4, 4), (3, 8)) and signs <= {" ", "-"}:
        return _dials(digits, "CN")
    if digits[0] == "0" and len(groups) > 1 and groups[0] in (3, 4) and ("-" in signs or ")" in signs or called):
        return _dials(digits, "CN") or (called and _dials_anywhere(digits))
    if groups in ((3, 3, 4), (1, 3, 3, 4)) and (called or ")" in signs or signs in ({"-"}, {"."})):
        return _dials(digits, "US", made_up=signs != {"."} and digits[0] > "1")
    if not called or len(digits) > 13 or number.after(_NO_CALL) or _UNIT.match(number.text, number.stop):
        return False
    if _FIRST_YEAR.match(digits[: groups[0]]) or (max(groups) < 3 and digits[0] != "0"):  # days, hours, scores
        return False
    return _dials_anywhere(digits)


def _dials_anywhere(digits: str) -> bool:
    return any(_dials(digits, region) for region in _REGIONS)


def _dials(digits: str, region: str | None, made_up: bool = False) -> bool:
    """Return whether the number can be called. With `made_up`, accept possible numbers, too, like the 555 of films."""
    import phonenumbers

    judge = phonenumbers.is_possible_number if made_up else phonenumbers.is_valid_number
    try:
        return judge(phonenumbers.parse(digits, region))
    except phonenumbers.NumberParseException:
        return False
