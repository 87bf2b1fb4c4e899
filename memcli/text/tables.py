"""Read the package's tables: rules of language and formats of secrets, kept as data that anybody can read.

A table is a text file. A row is some lines `key: value`, and a key may be repeated; an empty line ends it. `#` begins a
comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from memcli import contributions
from memcli.text.later import compile_later

Row = dict[str, list[str]]  # the values of each key, in order
LANGUAGE_FOLDER = Path(__file__).parents[1] / "language"  # the tables; those of one language are in a folder of its own

_PIECE = compile_later(r"\{([^\W\d][^{}]*)\}")
_GROUP = compile_later(r"(?<!\\)\((?!\?)")
_VALUE = compile_later(r"\(\?<(?P<name>[a-z_]+)>")
_EXAMPLES = ("takes:", "leaves:")  # texts that a rule must match and must not match: for people and for tests


def read_table_text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def rows(path: Path, examples: bool = False) -> Iterator[Row]:
    """Yield the rows of a table.

    Their examples are left out unless `examples` asks for them, since a rule works without them.
    """
    row: Row = {}
    for line in [*read_table_text(path).split("\n"), ""]:
        if not line.strip():
            if row:
                yield row
            row = {}
        elif line[0] != "#" and (examples or not line.startswith(_EXAMPLES)):
            key, _, value = line.partition(": ")
            row.setdefault(key.rstrip(":"), []).append(value.strip())


def spread_rows(language: str, name: str) -> Iterator[Row]:
    """Yield the rows of a table of translations, then those of the tables with this name that features have.

    What is no translation is left out: the tables of a package from outside were not tested.
    """
    for folder in (LANGUAGE_FOLDER, *contributions.folders("language")):
        if (path := folder / language / name).is_file():
            yield from (row for row in rows(path) if {"en", "says"} <= row.keys())


def expression(ways: Sequence[str], pieces: Mapping[str, str] | None = None) -> str:
    """Return several phrases as one regular expression.

    Plain brackets only group, `{piece}` is one of `pieces`, and `(?<name>…)` captures a value. Python needs a separate
    name for each of these: `city`, `city__2`.
    """
    seen: Counter[str] = Counter()

    def numbered(match: re.Match[str]) -> str:
        name = match["name"]
        seen[name] += 1
        return f"(?P<{name}__{seen[name]}>" if seen[name] > 1 else f"(?P<{name}>"

    whole = _VALUE.sub(numbered, _GROUP.sub("(?:", "|".join(ways)))
    return _PIECE.sub(lambda match: (pieces or {})[match[1]], whole)
