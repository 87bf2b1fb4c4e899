"""The LanceDB table of entries. It is imported when a table is opened, not before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memcli.index import lance
from memcli.index.texts import Row
from memcli.vault import cache_files
from memcli.vault.vault import Filter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER, NAME = "lance", "entries"
DAMAGED = "damaged"  # laid beside the table by whoever finds it so; the next refresh makes it anew
SCHEMA = "1"  # to be raised with every change of columns or tokenizer: other tables are made anew


class Hit(NamedTuple):
    """A row that was found; the greater the score the better, comparable within one answer."""

    path: str
    line: int
    last_line: int
    parent: str
    hash: str
    score: float


class Vectors(NamedTuple):
    """All vectors, and the rows they belong to."""

    paths: list[str]
    lines: list[int]
    parents: list[str]
    hashes: list[str]
    matrix: NDArray[np.float16]


def exists(cache: Path) -> bool:
    """Whether there is a table at all; nothing is opened."""
    return bool(cache_files.names(cache / FOLDER / f"{NAME}.lance" / "_versions", ".manifest"))


def damaged(cache: Path) -> bool:
    return (cache / FOLDER / DAMAGED).exists()


def remove(cache: Path) -> None:
    cache_files.remove_tree(cache / FOLDER)


class Table:
    """The open table. Readers see every finished write at once, and never half of one."""

    def __init__(self, cache: Path, dim: int, make: bool = False) -> None:
        self.dim, self._mark = dim, cache / FOLDER / DAMAGED
        with lance.sound(self._mark):
            base = lance.base(str(cache_files.cleared(cache / FOLDER)))
            self._table = lance.made(base, NAME, _schema(dim), _indexes()) if make else base.open_table(NAME)

    def write(self, rows: Sequence[Row], vectors: Sequence[bytes | None], paths: Sequence[str]) -> None:
        """All rows of the files in `paths`, in one step; what else stood there goes."""
        with lance.sound(self._mark):
            lance.merge(self._table, lance.arrow(_schema(self.dim), rows, vectors), lance.among("path", paths))

    def settle(self, due: bool, new: bool) -> None:
        """Put it in order when it is due."""
        with lance.sound(self._mark):
            lance.settle(self._table, bool(self.dim), due, new)

    def words(self, query: str, most: int, want: Filter | None = None) -> list[Hit]:
        """Rows that have words of the query, best first (BM25)."""
        with lance.sound(self._mark):
            return self._hits(lance.by_words(self._table, query), most, want, "_score")

    def near(self, vector: Any, most: int, want: Filter | None = None) -> list[Hit]:
        """Rows whose meaning is nearest, with their cosine; none where there are no vectors."""
        if not self.dim:
            return []
        with lance.sound(self._mark):
            return self._hits(lance.by_meaning(self._table, vector), most, want, "_distance")

    def _hits(self, found: Any, most: int, want: Filter | None, score: str) -> list[Hit]:
        columns = [name for name in Hit._fields if name != "score"]
        return [Hit(**each) for each in lance.listed(found, _where(want), most, columns, score)]

    def vectors(self, paths: Sequence[str] | None = None) -> Vectors:
        """Everything that has a vector, or what these files have, for those who keep it in memory."""
        with lance.sound(self._mark):
            columns = ["path", "line", "parent", "hash", "vector"]
            condition = "vector is not null" + (f" AND {lance.among('path', list(paths))}" if paths is not None else "")
            found = self._table.search().where(condition).select(columns).limit(None).to_arrow()
            names, lines, parents, hashes = (found[name].to_pylist() for name in columns[:4])
            matrix = found["vector"].combine_chunks().flatten().to_numpy().reshape(-1, self.dim)
            return Vectors(names, lines, parents, hashes, matrix)

    def ids(self) -> dict[str, tuple[str, str]]:
        """Of every row, by its id: path and hash of its text."""
        with lance.sound(self._mark):
            found = self._table.search().select(["id", "path", "hash"]).limit(None).to_arrow()
            return {id: (path, hash) for id, path, hash in zip(*(c.to_pylist() for c in found.columns), strict=True)}


def _indexes() -> dict[str, Any]:
    from lancedb.index import Bitmap, BTree, LabelList

    return {
        "text": lance.words(),
        "path": BTree(),
        "day": BTree(),
        "kind": Bitmap(),
        "agent": Bitmap(),
        "tags": LabelList(),
    }


def _schema(dim: int) -> Any:
    import pyarrow as pa  # type: ignore[import-untyped]

    text = pa.string()
    columns = [pa.field("id", text, nullable=False), *((name, text) for name in ("path", "trail", "kind", "day"))]
    columns += [(name, text) for name in ("agent", "parent", "hash", "text")]
    columns += [(name, pa.int32()) for name in ("line", "last_line", "tokens")]
    columns += [("importance", pa.float32()), ("tags", pa.list_(text))]
    return pa.schema([*columns, ("vector", pa.list_(pa.float16(), dim))] if dim else columns)


def _where(want: Filter | None) -> str:
    """What of a filter the columns can tell; globs and types are judged by who reads the entry."""
    want = want or Filter()
    terms = [lance.among("agent", ["", want.agent] if want.agent else [""])]
    terms += [f"array_has(tags, {lance.quoted(tag.lower().lstrip('#'))})" for tag in want.tags]
    terms += [lance.among("kind", sorted(want.kinds))] if want.kinds else []
    terms += [f"day >= '{want.since}' AND day != ''"] if want.since else []
    terms += [f"day <= '{want.until}' AND day != ''"] if want.until else []
    place = want.path.strip("/").removeprefix("./")
    if place and not any(sign in place for sign in "*?["):
        terms.append(f"(path = {lance.quoted(place)} OR starts_with(path, {lance.quoted(place + '/')}))")
    return " AND ".join(terms)
