"""Find the dates in a text that another date explains. They name no day of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from memcli.text.later import compile_later

if TYPE_CHECKING:
    from . import DateSpan

_FIGURE = compile_later("[0-9]")
# Between a vague day and the exact one that explains it: 一个月后复查，就是 11 月 14 号; in a month, that is 14 November.
_EXPLAINED = compile_later(r"[^,。;]{0,8},? ?(?:也?就是|即|that is,?|that's|i\.e\.,?) ?(?:on )?", re.I)


def find_explained(
    plain: str, spans: list[DateSpan], weekdays: list[DateSpan], clause: Callable[[int], str]
) -> Iterator[DateSpan]:
    """Yield the vague dates that an exact one follows, and the bare weekdays after a day in figures that they fall
    on."""
    for vague, exact in pairwise(spans):
        if _FIGURE.search(exact.text) and _EXPLAINED.fullmatch(plain[vague.stop : exact.start]):
            yield vague
    exact_days = [span for span in spans if span.first == span.last and _FIGURE.search(span.text)]
    for one in weekdays:
        for day in exact_days:  # due 2 December, Wednesday 8:00 slot
            is_same = day.stop <= one.start and day.first.weekday() == one.first.weekday()
            if is_same and clause(day.start) == clause(one.start):
                yield one
