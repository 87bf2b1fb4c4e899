"""Find cells of tables in a text: the column under a heading, or the cell beside a name. Cells are separated by
bars, commas, tabs or gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memcli.remember.gates.labels import LabelPlace, line_at
from memcli.remember.gates.value import CELL, SIGN, ValueCandidate
from memcli.text.later import compile_later

ROWS = 400  # rows of a table, at most

_SEPARATOR = compile_later(r"[ \t]*\|?[ \t:|+-]*-[ \t:|+-]*\Z")
_GAP = compile_later(r" {2,}")
_WORDS = compile_later(r"\S+(?: \S+)*")


def cells(text: str, place: LabelPlace, begin: int, end: int) -> Iterator[ValueCandidate]:
    """Yield the column under a heading cell, or the cell beside a name. The table is in Markdown, or has commas or
    tabs."""
    row = text[begin:end]
    mark = next((mark for mark in ("|", "\t", ";", ",") if mark in row.strip(" \t")), "")
    under = line_at(text, end + 1) if text.startswith("\n", end) else ""
    if not mark:
        yield from _aligned(text, place, begin, end)
        return
    separated = mark == "|" and "-" in under and bool(_SEPARATOR.match(under))
    header = mark == "|" and _is_header(row.strip().strip("|"), mark, under.strip().strip("|"))
    if separated or header or row.lstrip().startswith("|"):
        if header and not separated:
            bare = not row.lstrip().startswith("|")  # its rows have no bar at the beginning either
            yield from _column(text, end + 1, "|", row.count("|", 0, place.start - begin) + bare, row)
            return
        if separated:
            yield from _column(text, end + 1 + len(under) + 1, "|", row.count("|", 0, place.start - begin), row)
            return
        spans = list(_spans(text, begin, end, "|"))
        nth = next((number for number, (start, stop) in enumerate(spans) if start <= place.start <= stop), -1)
        if 0 <= nth < len(spans) - 1 and len(text[slice(*spans[nth])]) < 60:
            beside = _cell(text, *spans[nth + 1])
            yield ValueCandidate(beside.start, beside.stop, SIGN)
    elif mark != "|" and _is_header(row, mark, under):
        yield from _column(text, end + 1, mark, row.count(mark, 0, place.start - begin), row)


def _is_header(row: str, mark: str, under: str) -> bool:
    """Return whether a row holds names of columns: short, without digits, as many as the next line has cells."""
    names = row.split(mark)
    return (
        under.count(mark) == row.count(mark)
        and all(
            0 < len(name.strip()) <= 30 and not any(map(str.isdigit, name)) and len(name.split()) < 4 for name in names
        )
        and not re.search(r"[:=.!?]", row)
    )


def _aligned(text: str, place: LabelPlace, begin: int, end: int) -> Iterator[ValueCandidate]:
    """Yield a column of a table whose cells are separated by gaps: the cells below the heading."""
    names = [match.span() for match in _WORDS.finditer(text, begin, end)]
    if not 2 <= len(names) <= 8 or not _GAP.search(text[begin:end].strip()) or re.search(r"[:=.!?]", text[begin:end]):
        return
    nth = next((number for number, (start, stop) in enumerate(names) if start <= place.start < stop), -1)
    at = end + 1
    for _ in range(ROWS):
        row = line_at(text, at)
        cells = [match.span() for match in _WORDS.finditer(row)]
        if nth < 0 or row == text[begin:end] or len(cells) < 2 or not _GAP.search(row.strip()):
            return
        left, right = names[nth][0] - begin, names[nth][1] - begin
        for start, stop in cells:
            if start < right and stop > left:
                yield ValueCandidate(at + start, at + stop, CELL, True)
        at += len(row) + 1


def _column(text: str, at: int, mark: str, nth: int, head: str) -> Iterator[ValueCandidate]:
    for _ in range(ROWS):
        row = line_at(text, at)
        if at > len(text) or mark not in row or abs(row.count(mark) - head.count(mark)) > 1 or row == head:
            return
        spans = list(_spans(text, at, at + len(row), mark))
        shift = int(mark == "|" and not row.lstrip().startswith("|"))
        if 0 <= nth - shift < len(spans) and not _SEPARATOR.match(row):
            yield _cell(text, *spans[nth - shift])
        at += len(row) + 1


def _spans(text: str, begin: int, end: int, mark: str) -> Iterator[tuple[int, int]]:
    start = begin
    for stop in [*(match.start() for match in re.finditer(rf"(?<!\\){re.escape(mark)}", text[begin:end])), end - begin]:
        yield start, begin + stop
        start = begin + stop + 1


def _cell(text: str, start: int, stop: int) -> ValueCandidate:
    match = re.compile(r"[\s\"'`*_]*(.*?)[\s\"'`*_]*\Z").match(text[start:stop])
    a, b = match.span(1) if match else (0, stop - start)
    return ValueCandidate(start + a, start + b, CELL, True)
