"""Split text into sentences, and find where it may be cut: never inside a number, a word, or an amount with its unit.

No other module splits sentences. Abbreviations and units stand in `language/*/sentences.txt`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memcli.text.later import compile_later
from memcli.text.tables import LANGUAGE_FOLDER, rows
from memcli.text.words import CJK

LONGEST = 120  # characters of a word that is never cut; a longer one is a key or noise

_STOPS = "。！？；"  # these end a sentence, whatever follows
_CLOSING = r"\"'”’」』)）\]】*_"
_DIGITS = r"\d零〇一二两三四五六七八九十百千万亿半几"
_LETTER = rf"[^\W\d_{CJK}]"
_SIGN = rf"[^\s{CJK}，。；、：！？…（）「」『』“”《》]"  # a character of a word between spaces
_GAP = compile_later(rf"[\s{CJK}，。；、：！？…]")
_MARKS = compile_later(rf"(?P<marks>[.!?…;{_STOPS}]+)(?P<closing>[{_CLOSING}]*)\s*|\n+")


def sentences(text: str) -> list[str]:
    """Return the text cut after each sentence and line feed, in English or Chinese. The pieces joined are the text."""
    pieces: list[str] = []
    start = item = 0
    for match in _MARKS.finditer(text):
        at, end = match.span()
        if not match["marks"]:
            if text[max(0, at - 8) : at].rstrip(" \t")[-1:].isdigit() and whole_before(text, end) < end:
                continue  # the line is wrapped before the unit of its number
            item = 0
        elif number := _item(text[max(start, at - 40) : at], item, start >= at - 40) if match["marks"] == "." else 0:
            item = number
            continue
        elif not _ends(text[max(start, at - 40) : at], match, text[end : end + 1]):
            continue
        pieces.append(text[start:end])
        start = end
    return [*pieces, text[start:]] if start < len(text) else pieces


def whole_before(text: str, at: int) -> int:
    """Return the last position up to `at` where a cut leaves words, numbers and amounts whole.

    It is `at` itself when one of them is too long.
    """
    if not 0 < at < len(text):
        return at
    start = max(0, at - LONGEST)
    if start:
        gap = _GAP.search(text, start, at)
        if not gap:
            return at
        start = gap.end()
    for match in _never_cut().finditer(text, start, at + LONGEST):
        if match.start() >= at:
            break
        if match.end() > at:
            return match.start()
    return at


def whole_pieces(text: str) -> list[str]:
    """Return the pieces between which a text may be cut, each with the space before it.

    The pieces joined are the text.
    """
    return _atom().findall(text)


def beginning(text: str, most: int) -> str:
    """Return the beginning of a text, at most `most` characters, with nothing in it cut in two.

    Only a first word that is itself longer is cut.
    """
    return text[: whole_before(text, most) or most] if len(text) > most else text


def _ends(before: str, match: re.Match[str], after: str) -> bool:
    """Return whether these marks end the sentence before them."""
    marks, spaced = match["marks"], match[0][-1:].isspace()
    if not after or any(mark in marks for mark in _STOPS):
        return True
    if not spaced and not re.match(f"[{CJK}]", after):
        return False  # within a number, the name of a file, an address
    if re.fullmatch(r"…+|\.{2,}", marks):
        return spaced and (after.isupper() or "\n" in match[0])  # a pause, unless something new begins
    if match["closing"].strip("*_") and after.islower():
        return False  # "Stop!" she said
    if marks == ";":
        return not re.search(r"&#?\w{1,10}\Z", before)  # &amp;
    return marks != "." or not _is_abbreviated(before, match[0], after)


def _is_abbreviated(before: str, stop: str, after: str) -> bool:
    """Return whether a full stop, with the space behind it, belongs to the word before it."""
    found = re.search(rf"(?:{_LETTER}\.?)+\Z", before)
    if not found:
        return False
    word = found[0]
    if re.fullmatch("[A-HJ-Z]", word):  # an initial, unless it ends a number (4471-B) or a line
        return "\n" not in stop and not re.search(r"\d-?\Z", before[: found.start()])
    names = {word, word[0].lower() + word[1:]}
    for kind, words in _abbreviations().items():
        if not words.isdisjoint(names):
            return {"goes on": True, "before a number": after.isdigit(), "may end": after.islower()}[kind]
    return False


def _item(before: str, last: int, is_all: bool) -> int:
    """Return the number of the list item that a full stop marks (`1. milk 2. eggs`), or 0 when it marks none.

    It is -1 for a letter that opens a list.
    """
    found = re.search(r"(?:\A|(?<=[\s:：;；,，(（]))(?P<number>\d{1,3}|[a-z]|[ivx]{1,4}|[A-HJ-Z])\Z", before)
    if not found:
        return 0
    opens = is_all and not before[: found.start()].strip(" \t\n-*+>•#")
    if not found["number"].isdigit():
        return -1 if opens else 0
    number = int(found["number"])
    listed = number == last + 1 and (last > 0 or re.search(r"[:：;；,，(（]\s*\Z", before[: found.start()]))
    return number if number and (opens or listed) else 0


@lru_cache(maxsize=1)
def _atom() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{_never_cut().pattern}|\S)|\s+")


@lru_cache(maxsize=1)
def _never_cut() -> re.Pattern[str]:
    """Return the pattern of what is never cut: a word, or an amount with its units, in Chinese or English."""
    count = rf"[{_DIGITS}](?:[{_DIGITS}.,:/~–-]*[{_DIGITS}])?"
    chinese = rf"第?[￥¥]?{count}\s?(?:{_units('zh')})(?:\s?{count}\s?(?:{_units('zh')}))*半?"
    number = rf"(?:[€$£¥₹]\s?|[A-Z]{{3}}[ ])?[(~+-]*\d{_SIGN}*(?:[ \u00a0\u202f]\d{{3}}(?!\d))*"
    unit = rf"[ \u00a0\u202f]{_LETTER}{_SIGN}*|[ \t]*\n[ \t>]*(?:{_units('en')})(?!\w)"
    return re.compile(rf"{chinese}|{number}(?:(?<![.,;:!?)])(?:{unit}))?|[{_DIGITS}]{{2,}}|{_SIGN}+")


@lru_cache(maxsize=2)
def _units(language: str) -> str:
    """Return the units of a language as a pattern, longest first."""
    lines = [line for row in rows(LANGUAGE_FOLDER / language / "sentences.txt") for line in row.get("units", [])]
    return "|".join(map(re.escape, sorted(" ".join(lines).split(), key=len, reverse=True)))


@lru_cache(maxsize=1)
def _abbreviations() -> dict[str, frozenset[str]]:
    """Return the abbreviations by what a full stop after them means."""
    table = (row for row in rows(LANGUAGE_FOLDER / "en" / "sentences.txt") if "stop" in row)
    return {row["stop"][0]: frozenset(" ".join(row["words"]).split()) for row in table}
