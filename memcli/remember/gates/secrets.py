"""Find keys, tokens, passwords and similar strings: by their format, by their name, or by their randomness.

`tokens` holds formats and `labels` names; `structure` finds where a named value stands, and `value` judges it.
"""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from memcli.remember.gates import shapes, structure, tokens
from memcli.remember.gates.labels import LabelPlace, SecretLabel, find_labels, same_length_lower
from memcli.remember.gates.patterns import patterns
from memcli.remember.gates.sensitive import Finding
from memcli.remember.gates.value import CELL, NEAR, SIGN, is_talk, is_value
from memcli.text.later import compile_later
from memcli.text.plain import WALL, Plain, join_across_gaps

Span = tuple[str, int, int]

_PRIVATE, _STRING, _PUBLIC, _PUBLISHED = patterns("private key", "string", "public", "published")
_DECLARED, _SECRET, _DATA = patterns("declared secret", "kind of a secret", "data of a secret")
_FIELD = compile_later(r"^[ \t]+[\w.-]{1,80}:[ \t]*[\"']?([^\s\"'#|>{$][^\n\"']{3,})", re.M)
_CELL_CODE = compile_later(r"[#*]?\d(?:[ #*-]?\d){3,9}[#*]?")  # a cell in a column of PINs
_GROUPS = compile_later(r"(?=(?:[^\d]*\d){4})(?=(?:[^A-Z]*[A-Z]){6})[A-Z\d]{4}(?:-[A-Z\d]{4}){5}")  # of FileVault
_AGAIN = compile_later(r"(?:[^\w\n]|_){0,5}")
_BREAK = compile_later(r"(?<=[A-Za-z0-9+/_-]{8})[ \t]*\\?\n[ \t>|]*(?=[A-Za-z0-9+/_=-]{8})")


def find_private_keys(seen: Plain) -> Iterator[Finding]:
    for match in _PRIVATE.finditer(seen.text):
        yield Finding("private_key", *seen.span(*match.span()))


def find_by_format(seen: Plain) -> Iterator[Finding]:
    """Yield texts with the format of a key, and secrets in commands, anywhere in the text."""
    for kind, start, stop in _formatted(seen.text, same_length_lower(seen.text)):
        yield Finding(kind, *seen.span(start, stop))


def find_secrets(seen: Plain) -> Iterator[Finding]:
    for kind, start, stop in _in(seen.text):
        yield Finding(kind, *seen.span(start, stop))
    if _BREAK.search(seen.text):  # a key that continues in the next line
        whole = join_across_gaps(seen, _BREAK, _goes_on)
        low = same_length_lower(whole.text)
        for kind, start, stop in _unnamed(whole.text, low) if whole.text != seen.text else ():
            begin, end = whole.span(start, stop)
            if end - begin > stop - start:
                yield Finding(kind, begin, end)


def _in(text: str) -> Iterator[Span]:
    low = same_length_lower(text)
    yield from _unnamed(text, low)
    yield from _declared(text)
    named = find_labels(text, low)
    for place, following in itertools.zip_longest(named, named[1:]):
        if following and following.label is place.label and _AGAIN.fullmatch(text, place.stop, following.start):
            continue  # the same name repeated
        yield from _named(text, place)


def _formatted(text: str, low: str) -> Iterator[Span]:
    for kind, start, stop in tokens.find_tokens(text, low):
        if not is_talk(text[start:stop].lstrip("$")):  # hashes of Unix begin with $
            yield kind, start, stop


def _declared(text: str) -> Iterator[Span]:
    """Yield the values that a file of settings declares to be secret in its own syntax."""
    if '"' not in text and ":" not in text:
        return
    for match in _DECLARED.finditer(text):
        start, stop = match.span(match.lastindex or 0)
        if not is_talk(text[start:stop]):
            yield "password", start, stop
    if "Secret" in text and _SECRET.search(text):
        for data in _DATA.finditer(text):
            for value in _FIELD.finditer(text, *data.span(2)):
                yield "password", *value.span(1)


def _unnamed(text: str, low: str) -> Iterator[Span]:
    """Yield secrets that can be recognized without a name beside them."""
    yield from _formatted(text, low)
    published = [match.span() for match in _PUBLISHED.finditer(text)]
    begins = [start for start, _ in published]
    for match in _STRING.finditer(text):
        before = bisect_left(begins, match.start()) - 1
        if before >= 0 and match.start() < published[before][1]:
            continue
        if _is_random(match[0]) and not _PUBLIC.search(text, max(0, match.start() - 320), match.start()):
            yield "high_entropy", *match.span()


def _named(text: str, place: LabelPlace) -> Iterator[Span]:
    """Yield the values of a label: all in its lines and cells, and the likeliest ones in its own line."""
    label = _assigned(text, place)
    if label.value in shapes.SHAPES:
        yield from ((label.kind, *span) for span in shapes.values(text, place))
        if label.value != "code":
            for cell in structure.candidates(text, place):
                if cell.how == CELL and _CELL_CODE.fullmatch(text, cell.start, cell.stop):
                    yield label.kind, cell.start, cell.stop
            return
    settled = NEAR + 1
    for candidate in structure.candidates(text, place):
        if candidate.how > SIGN and candidate.how >= settled:
            continue
        value, after = text[candidate.start : candidate.stop], text[candidate.stop : candidate.stop + 8]
        if WALL not in value and is_value(value, candidate.how, label, candidate.alone, candidate.quoted, after):
            yield label.kind, candidate.start, candidate.stop
            settled = candidate.how


def _assigned(text: str, place: LabelPlace) -> SecretLabel:
    """Return the label of a place. Within the name of a variable it surely means a secret: `JWT_SECRET`."""
    label = place.label
    within = (
        text[place.start - 1 : place.start] in ("_", "-", ".") and text[place.start - 2 : place.start - 1].isalnum()
    )
    if (within and label.value == "secret") or (label.word == "secret_key" and text[place.stop :].lstrip()[:1] == "="):
        return label._replace(value="password")
    return label


def _goes_on(gap: re.Match[str]) -> bool:
    """Return whether a line break stands in the middle of a key, so that both sides look like a part of one."""
    left = re.search(r"[A-Za-z0-9+/_-]{8,200}\Z", gap.string[max(0, gap.start() - 200) : gap.start()])
    right = re.match(r"[A-Za-z0-9+/_=-]{8,200}", gap.string[gap.end() : gap.end() + 200])
    return bool(left and right and _is_part(left[0]) and _is_part(right[0]))


def _is_part(text: str) -> bool:
    """Return whether a text may be a piece of a key: digits among letters, or upper and lower case mixed."""
    cases = [sign.isupper() for sign in text if sign.isalpha()]
    mixed = any(map(str.isdigit, text)) and bool(cases)
    return mixed or sum(a != b for a, b in itertools.pairwise(cases)) * 3 > len(cases)


def _is_random(text: str) -> bool:
    """Return whether a text looks random: both cases and digits, changing often."""
    if _GROUPS.fullmatch(text):
        return True
    if re.fullmatch(
        r"(?:PL|UU|OL)[\w-]{32}|Qm[1-9A-HJ-NP-Za-km-z]{44}|[a-z]{2,7}_\w+|(?:com|org|net|io|so|dev|app)/.+", text
    ):
        # a list of videos, the id of public content, or an id with a telling prefix (price_…)
        return False
    core = re.sub(r"\Asha\d{3}-.*", "", text.rstrip("="))  # a checksum
    signs = [2 if sign.isdigit() else 1 if sign.isupper() else 0 for sign in core if sign.isalnum()]
    if len(set(signs)) < 3 or len(core) - len(signs) > len(core) / 8 or (signs.count(2) < 2 and len(core) < 36):
        return False
    changes = sum(a != b for a, b in itertools.pairwise(signs)) / len(signs)
    spread = -sum(n / len(core) * math.log2(n / len(core)) for n in Counter(core).values())
    return changes > 0.4 and spread > 0.75 * math.log2(len(core))
