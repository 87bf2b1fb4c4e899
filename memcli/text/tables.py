"""The one reader of the package's tables: rules of language and formats of secrets, kept as data that anybody can read.

A table is a text file. A row is some lines `key: value`; an empty line ends it; `#` begins a comment. A key may be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

Row = dict[str, list[str]]  # what each key says, in order

_EXAMPLES = ("takes:", "leaves:")  # what a rule takes and what it leaves alone: for people and for tests


def rows(path: Path, examples: bool = False) -> Iterator[Row]:
    """The rows of a table; without their examples, unless those are asked for: a rule works without them."""
    row: Row = {}
    for line in [*path.read_text(encoding="utf-8").split("\n"), ""]:
        if not line.strip():
            if row:
                yield row
            row = {}
        elif line[0] != "#" and (examples or not line.startswith(_EXAMPLES)):
            key, _, value = line.partition(": ")
            row.setdefault(key.rstrip(":"), []).append(value.strip())
