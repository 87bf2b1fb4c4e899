"""The LanceDB table of entries: the only module that knows LanceDB. It is imported when a table is opened, not before."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memcli.errors import MissingPart, VaultError
from memcli.index.book import Damaged
from memcli.index.texts import Row
from memcli.vault.vault import Filter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER, NAME = "lance", "entries"
DAMAGED = "damaged"  # laid beside the table by whoever finds it so; the next refresh makes it anew
SCHEMA = "1"  # to be raised with every change of columns or tokenizer: other tables are made anew
APPROXIMATE = 50_000  # rows from which on the vectors get an index of their own: built in seconds, 0.4 KB a row
PROBES, REFINE = 50, 3  # its rough distances choose three times what is wanted, then the vectors themselves decide
WRITES = 40  # after that many the table is put in order; a write of many rows counts as several
KEPT = timedelta(hours=1)  # older versions go; a reader that is slower than that has to ask again
ROWS = 250  # that count as a write more
AT_ONCE = timedelta(milliseconds=1)


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
    return any((cache / FOLDER / f"{NAME}.lance" / "_versions").glob("*.manifest"))


def damaged(cache: Path) -> bool:
    return (cache / FOLDER / DAMAGED).exists()


def remove(cache: Path) -> None:
    folder = cache / FOLDER
    if folder.is_symlink():  # a vault from a stranger must not choose where we write
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)


class Table:
    """The open table. Readers see every finished write at once, and never half of one."""

    def __init__(self, cache: Path, dim: int, make: bool = False) -> None:
        os.putenv("LANCE_LOG", "error")  # its warnings are for its makers, and would stand between our lines
        try:
            import lancedb
        except ImportError as error:
            raise MissingPart(f"LanceDB can't be loaded: {error}", "pip install lancedb") from error
        self.dim, self._mark = dim, cache / FOLDER / DAMAGED
        with _sound(self._mark):
            base: Any = lancedb.connect(str(cache / FOLDER), read_consistency_interval=timedelta(0))
            self._table: Any = base.create_table(NAME, schema=_schema(dim)) if make else base.open_table(NAME)
            if make:
                self._table.set_unenforced_primary_key("id")  # else writers at once would double rows
                for column, kind in _indexes().items():
                    self._table.create_index(column, config=kind)

    def write(self, rows: Sequence[Row], vectors: Sequence[bytes | None], paths: Sequence[str]) -> None:
        """All rows of the files in `paths`, in one step; what else stood there goes."""
        with _sound(self._mark):
            change = self._table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            change.when_not_matched_by_source_delete(_among("path", paths)).execute(
                _arrow(rows, vectors, self.dim),
                on_bad_vectors="null",  # those without a vector are no mistake
            )

    def settle(self, due: bool, new: bool) -> None:
        """When it is due, fold the latest rows into the indexes (until then they are searched one by one), join small
        files and let old versions go: of a new table all, else only those that no reader can still be reading."""
        from lancedb.index import IvfSq

        with _sound(self._mark):
            made = {name for each in self._table.list_indices() for name in each.columns}
            if self.dim and "vector" not in made and self._table.count_rows("vector is not null") >= APPROXIMATE:
                self._table.create_index("vector", config=IvfSq(distance_type="cosine"))
            if due or new:
                self._table.optimize(cleanup_older_than=AT_ONCE if new else KEPT)

    def words(self, query: str, most: int, want: Filter | None = None) -> list[Hit]:
        """Rows that have words of the query, best first (BM25)."""
        with _sound(self._mark):
            found = self._table.search(query, query_type="fts", fts_columns="text")
            return self._hits(found, most, want, "_score")

    def near(self, vector: Any, most: int, want: Filter | None = None) -> list[Hit]:
        """Rows whose meaning is nearest, with their cosine; none where there are no vectors."""
        if not self.dim:
            return []
        with _sound(self._mark):
            found = self._table.search(vector, vector_column_name="vector").distance_type("cosine")
            hits = self._hits(found.nprobes(PROBES).refine_factor(REFINE), most, want, "_distance")
        return [hit._replace(score=1 - hit.score) for hit in hits]

    def _hits(self, found: Any, most: int, want: Filter | None, score: str) -> list[Hit]:
        condition = _where(want)
        if condition:
            found = found.where(condition, prefilter=True)
        columns = [name for name in Hit._fields if name != "score"]
        listed = found.select([*columns, score]).limit(most).to_list()
        return [Hit(**{name: each[name] for name in columns}, score=each[score]) for each in listed]

    def vectors(self, paths: Sequence[str] | None = None) -> Vectors:
        """Everything that has a vector, or what these files have, for those who keep it in memory."""
        with _sound(self._mark):
            columns = ["path", "line", "parent", "hash", "vector"]
            condition = "vector is not null" + (f" AND {_among('path', list(paths))}" if paths is not None else "")
            found = self._table.search().where(condition).select(columns).limit(None).to_arrow()
            names, lines, parents, hashes = (found[name].to_pylist() for name in columns[:4])
            matrix = found["vector"].combine_chunks().flatten().to_numpy().reshape(-1, self.dim)
            return Vectors(names, lines, parents, hashes, matrix)

    def ids(self) -> dict[str, tuple[str, str]]:
        """Of every row, by its id: path and hash of its text."""
        with _sound(self._mark):
            found = self._table.search().select(["id", "path", "hash"]).limit(None).to_arrow()
            return {id: (path, hash) for id, path, hash in zip(*(c.to_pylist() for c in found.columns), strict=True)}


def _indexes() -> dict[str, Any]:
    from lancedb.index import FTS, Bitmap, BTree, LabelList

    words = FTS(base_tokenizer="icu", with_position=False)
    return {"text": words, "path": BTree(), "day": BTree(), "kind": Bitmap(), "agent": Bitmap(), "tags": LabelList()}


def _schema(dim: int) -> Any:
    import pyarrow as pa  # type: ignore[import-untyped]

    text = pa.string()
    columns = [pa.field("id", text, nullable=False), *((name, text) for name in ("path", "trail", "kind", "day"))]
    columns += [(name, text) for name in ("agent", "parent", "hash", "text")]
    columns += [(name, pa.int32()) for name in ("line", "last_line", "tokens")]
    columns += [("importance", pa.float32()), ("tags", pa.list_(text))]
    return pa.schema([*columns, ("vector", pa.list_(pa.float16(), dim))] if dim else columns)


def _arrow(rows: Sequence[Row], vectors: Sequence[bytes | None], dim: int) -> Any:
    import numpy as np
    import pyarrow as pa

    schema = _schema(dim)
    columns = [
        pa.array([getattr(row, field.name) for row in rows], field.type) for field in schema if field.name != "vector"
    ]
    if dim:
        empty = bytes(dim * 2)
        flat = np.frombuffer(b"".join(each or empty for each in vectors), np.float16)
        mask = pa.array([each is None for each in vectors], pa.bool_())
        columns.append(pa.FixedSizeListArray.from_arrays(pa.array(flat), dim, mask=mask))
    return pa.Table.from_arrays(columns, schema=schema)


def _where(want: Filter | None) -> str:
    """What of a filter the columns can tell; globs and types are judged by who reads the entry."""
    want = want or Filter()
    terms = [_among("agent", ["", want.agent] if want.agent else [""])]
    terms += [f"array_has(tags, {_quoted(tag.lower().lstrip('#'))})" for tag in want.tags]
    terms += [_among("kind", sorted(want.kinds))] if want.kinds else []
    terms += [f"day >= '{want.since}' AND day != ''"] if want.since else []
    terms += [f"day <= '{want.until}' AND day != ''"] if want.until else []
    place = want.path.strip("/").removeprefix("./")
    if place and not any(sign in place for sign in "*?["):
        terms.append(f"(path = {_quoted(place)} OR starts_with(path, {_quoted(place + '/')}))")
    return " AND ".join(terms)


def _among(column: str, values: Sequence[str]) -> str:
    return f"{column} IN ({', '.join(map(_quoted, values))})" if values else "false"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@contextmanager
def _sound(mark: Path) -> Iterator[None]:
    """LanceDB has no exceptions of its own for a table that is broken or gone: whatever goes wrong is that."""
    try:
        yield
    except Exception as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        said = re.sub(r", \S+\.rs:\d+:\d+$", "", lines[0])[:200]  # where in its source is of no use to anybody
        if any(sign in said for sign in ("No space left", "Permission denied", "Read-only")):
            raise VaultError(f"the index can't be written: {said}", "recall works by the files until it can") from error
        with suppress(OSError):
            mark.touch()
        raise Damaged(f"the index is damaged ({said})", "mem index makes it anew") from error
