"""How well dates are read: python tests/bench/dates.py FILE.json [--misses]

The file is a list of {"text", "today", "must", "may"}: the days that are read must hold all of `must` and stay within
`must` and `may`; with both empty the text holds no date. Both are lists of [first, last], as 2026-11-21.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from memcli.text import dates


def days(periods: Iterable[Iterable[str]]) -> set[date]:
    named: set[date] = set()
    for period in periods:
        first, last = map(date.fromisoformat, period)
        named |= {first + timedelta(step) for step in range((last - first).days + 1)}
    return named


def is_right(case: dict[str, Any], spans: Iterable[dates.DateSpan]) -> bool:
    must, may = days(case["must"]), days(case["may"])
    read = days((str(span.first), str(span.last)) for span in spans)
    return must <= read <= must | may


def cases(path: Path) -> list[dict[str, Any]]:
    written = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    known: list[dict[str, Any]] = json.loads(written)
    return known


def language(text: str) -> str:
    return "zh" if any("\u4e00" <= c <= "\u9fff" for c in text) else "en"


def main(path: str, misses: bool) -> None:
    right, asked = Counter[str](), Counter[str]()
    for case in cases(Path(path)):
        read = dates.find_asked_dates(case["text"], date.fromisoformat(case["today"]))
        asked[language(case["text"])] += 1
        if is_right(case, read):
            right[language(case["text"])] += 1
        elif misses:
            print(case, [f"{span.text}: {span.first}..{span.last}" for span in read], sep="\n    ")
    for spoken in sorted(asked):
        print(f"{spoken}: {right[spoken]} of {asked[spoken]}, {right[spoken] / asked[spoken]:.1%}")


if __name__ == "__main__":
    main(sys.argv[1], "--misses" in sys.argv)
