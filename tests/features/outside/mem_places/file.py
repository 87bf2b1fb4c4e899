"""Files that end in `.places`: a place a line."""

from __future__ import annotations

from collections.abc import Iterator

from memcli.extend import Format, Item, Statement, Tree


def read(tree: Tree) -> Iterator[Item]:
    for name in tree.ending(".places"):
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            yield Statement(line, f"places:{name}:{number}", tags=("place",))


FORMAT = Format("lists of places", lambda tree: bool(tree.ending(".places")), read)
