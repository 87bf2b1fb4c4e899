"""Write the format `own` as one JSON list, for programs that don't read lines. `own` reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memcli.features.move.formats.own import line
from memcli.format import Format, Statement


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    yield "[\n"
    for number, each in enumerate(statements):
        yield (",\n" if number else "") + line(each)
    yield "\n]\n"


FORMAT = Format("memories as a JSON list", write=write_items)
