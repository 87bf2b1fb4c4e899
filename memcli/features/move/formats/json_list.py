"""Write the format `own` as one JSON list, for programs that don't read lines. `own` reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memcli.features.move.formats import own
from memcli.features.move.formats.records import json_list
from memcli.format import Format, Statement


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    return json_list(map(own.as_record, statements), "[\n", "\n]\n")


FORMAT = Format("memories as a JSON list", write=write_items)
