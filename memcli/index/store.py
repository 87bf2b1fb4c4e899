"""Open or make a LanceDB table, search it by words and by meaning, write it in one step and keep it in order.

The tables of memories (`index.memory_table`) and of documents (`knowledge.store`) use it: a `TableKind` lists their
columns and indexes. LanceDB is imported when a table is opened, not before: it is heavy.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from uuid import uuid4

from memcli.errors import MemError, MissingPart, VaultError
from memcli.extras import how_to_install
from memcli.index.catalog import UnreadableIndex
from memcli.message import Message
from memcli.vault import cache_files

APPROXIMATE = 50_000  # rows from which the vectors get an index: it is built in seconds and takes 0.4 KB a row
PROBES, REFINE = 50, 3  # its rough distances choose three times as many as wanted, then the vectors themselves decide
_OLD_VERSIONS = timedelta(hours=1)  # how long they are kept; a slower reader has to ask again
_AT_ONCE = timedelta(milliseconds=1)
_NOTES = ("mem.schema", "mem.model", "mem.print", "mem.made")  # kept with the columns, so that they travel along
_NOT_DAMAGE = ("No space left", "Permission denied", "Read-only")
PATIENCE = 8.0  # seconds in which a remote address must have answered once
_REMOTE_REASONS = (
    r'message: "([^"]+)"',
    r"<Message>([^<]+)",
    r"(Connection refused|timed out|dns error[^,)]*|was not found)",
)


@dataclass(frozen=True)
class TableKind:
    """Describe one kind of table. Every table has a unique `id` and a `text` that is searched."""

    called: str  # its name in messages
    version: str  # raise it with every change of columns or tokenizer: tables of another version are made anew
    fix: str  # the command that makes it anew
    tokenizer: str  # splits `text` into words
    columns: Mapping[str, str]  # name → text, int, float or list (of texts)
    exact: tuple[str, ...] = ()  # columns with an index for single values and ranges
    few: tuple[str, ...] = ()  # columns with an index for few different values
    lists: tuple[str, ...] = ()
    meanwhile: str = ""  # says what still works while the table can't be written


class Address(NamedTuple):
    """Say where a table is, in the form that LanceDB takes."""

    url: str
    options: tuple[tuple[str, str], ...]
    folder: Path | None  # None when it is remote
    table: str = "chunks"

    @property
    def remote(self) -> bool:
        return self.folder is None

    @property
    def exists(self) -> bool:
        """Return whether there is a table. The network is not used, so a remote table counts as existing."""
        return self.folder is None or bool(
            cache_files.names(self.folder / f"{self.table}.lance" / "_versions", ".manifest")
        )

    @property
    def stamp(self) -> tuple[int, int]:
        """Return a stamp that changes when a folder's table is made anew."""
        info = (self.folder / f"{self.table}.lance").stat() if self.folder and self.exists else None
        return (info.st_ino, info.st_mtime_ns) if info else (0, 0)


class TableOptions(NamedTuple):
    """Hold what is recorded with a new table: the model of its vectors."""

    dim: int = 0  # 0 means no vectors
    model: str = ""
    print: str = ""  # fingerprint of the model


class LanceTable:
    """Give access to an open table. Readers see every finished write at once, and never half of one."""

    kind: ClassVar[TableKind]

    def __init__(self, at: Address, make: TableOptions | None = None) -> None:
        """Open the table at an address; with `make`, create a new one."""
        self.at = at
        with self.sound():
            if at.remote:  # reports an unreachable address within seconds; writers try again
                _answered(at)
            base = database(at)
            self._table = self._made(base, make) if make else base.open_table(at.table)
            self.schema = self._table.schema
        known = self.schema.metadata or {}
        self.version, self.model, self.print, self.made = (known.get(name.encode(), b"").decode() for name in _NOTES)
        self.dim = self.schema.field("vector").type.list_size if "vector" in self.schema.names else 0

    def _made(self, base: Any, make: TableOptions) -> Any:
        table = base.create_table(self.at.table, schema=_schema(self.kind, make))
        table.set_unenforced_primary_key("id")  # without it, simultaneous writers would duplicate rows
        for column, config in indexes(self.kind).items():
            table.create_index(column, config=config)
        return table

    # -- reading -----------------------------------------------------------------------------------------------------

    def rows(self, columns: Sequence[str], condition: str = "") -> Any:
        """Return these columns of all rows that meet the condition, as an Arrow table."""
        with self.sound():
            found = self._table.search()
            return (found.where(condition) if condition else found).select(list(columns)).limit(None).to_arrow()

    def count(self, condition: str | None = None) -> int:
        with self.sound():
            return int(self._table.count_rows(condition))

    def best_by_words(self, query: str, most: int, columns: Sequence[str], condition: str = "") -> list[dict[str, Any]]:
        """Return the rows that have words of the query, best first (BM25), each with its `score`."""
        with self.sound():
            found = self._table.search(query, query_type="fts", fts_columns="text")
            return self._best(found, "_score", most, columns, condition)

    def best_by_meaning(
        self, vector: Any, most: int, columns: Sequence[str], condition: str = ""
    ) -> list[dict[str, Any]]:
        """Return the rows whose meaning is nearest, with their cosine as `score`, or [] where there are no vectors."""
        if not self.dim:
            return []
        with self.sound():
            found = self._table.search(vector, vector_column_name="vector").distance_type("cosine")
            found = found.nprobes(PROBES).refine_factor(REFINE)
            return self._best(found, "_distance", most, columns, condition)

    def _best(self, found: Any, score: str, most: int, columns: Sequence[str], condition: str) -> list[dict[str, Any]]:
        if condition:
            found = found.where(condition, prefilter=True)
        rows: list[dict[str, Any]] = found.select([*columns, score]).limit(most).to_list()
        for row in rows:
            row["score"] = 1 - row.pop(score) if score == "_distance" else row.pop(score)
        return rows

    # -- writing -----------------------------------------------------------------------------------------------------

    def merge(self, rows: Any, gone: str) -> None:
        """Write rows in one step, each replacing the one with its id. Delete other rows that meet condition `gone`."""
        with self.sound():
            change = self._table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            # a missing vector is not a mistake
            change.when_not_matched_by_source_delete(gone).execute(rows, on_bad_vectors="null")

    def settle(self, due: bool, new: bool = False) -> None:
        """Fold the latest rows into the indexes when that is due; until then they are searched one by one.

        Also join small files, and delete old versions: of a new table all, else those that no reader can still read.
        """
        from lancedb.index import IvfSq

        with self.sound():
            made = {name for each in self._table.list_indices() for name in each.columns}
            if self.dim and "vector" not in made and self.count("vector is not null") >= APPROXIMATE:
                self._table.create_index("vector", config=IvfSq(distance_type="cosine"))
            if due or new:
                self._table.optimize(cleanup_older_than=_AT_ONCE if new else _OLD_VERSIONS)

    # -- what goes wrong ---------------------------------------------------------------------------------------------

    @contextmanager
    def sound(self) -> Iterator[None]:
        """Turn errors of LanceDB into ours: it has none for a broken or missing table, so any error counts as that."""
        try:
            yield
        except MemError:
            raise
        except Exception as error:
            reason, called = brief(error), self.kind.called
            if self.at.remote:
                fix = "look at knowledge.store and knowledge.options; the rest of mem works without it"
                place, why = f"{called} at {self.at.url}", _remote_reason(str(error))
                raise MissingPart("{name} can't be used: {WHY}", fix, name=place, WHY=why) from error
            if any(sign in reason for sign in _NOT_DAMAGE):
                fix = self.kind.meanwhile
                raise VaultError("{name} can't be written: {WHY}", fix, name=called, WHY=reason) from error
            self.found_damaged()
            fix = Message("{command} makes it anew", command=self.kind.fix)
            raise UnreadableIndex("{name} is damaged ({WHY})", fix, name=called, WHY=reason) from error

    def found_damaged(self) -> None:
        """Record that the table was found damaged. Kinds of tables that need it override this."""


def _answered(at: Address) -> None:
    """Raise the error of a remote address that does not answer. LanceDB itself would retry for minutes."""
    from threading import Thread

    failures: list[Exception] = []

    def ask() -> None:
        try:
            database(at, client_max_retries="0")
        except Exception as error:
            failures.append(error)

    asking = Thread(target=ask, name=f"source {at.url}", daemon=True)  # one with this name keeps no process alive
    asking.start()
    asking.join(PATIENCE)
    if asking.is_alive():
        fix = "look at knowledge.store; the rest of mem works without it"
        raise MissingPart("{place} has not answered in {n} seconds", fix, place=at.url, n=f"{PATIENCE:g}")
    for failure in failures:
        raise failure


def database(at: Address, **options: str) -> Any:
    """Return the LanceDB database at an address. Every read sees what was last written."""
    for name in ("LANCE_LOG", "LANCEDB_LOG"):  # its warnings are for its developers and would appear between our lines
        os.putenv(name, "error")
    try:
        import lancedb
    except ImportError as error:
        raise MissingPart("LanceDB can't be loaded: {WHY}", how_to_install("lancedb"), WHY=error) from error
    # options of LanceDB's own cloud
    cloud = ("api_key", "region", "host_override") if at.url.startswith("db://") else ()
    more: dict[str, Any] = {name: value for name, value in at.options if name in cloud}
    return lancedb.connect(
        at.url, storage_options=dict(at.options) | options or None, read_consistency_interval=timedelta(0), **more
    )


def arrow(schema: Any, rows: Sequence[Any], vectors: Sequence[bytes | None]) -> Any:
    """Return rows as an Arrow table. Their attributes are named like the columns; a vector may be None."""
    import numpy as np
    import pyarrow as pa  # type: ignore[import-untyped]

    columns = [
        pa.array([getattr(row, field.name) for row in rows], field.type) for field in schema if field.name != "vector"
    ]
    if "vector" in schema.names:
        dim = schema.field("vector").type.list_size
        empty = bytes(dim * 2)
        flat = np.frombuffer(b"".join(each or empty for each in vectors), np.float16)
        mask = pa.array([each is None for each in vectors], pa.bool_())
        columns.append(pa.FixedSizeListArray.from_arrays(pa.array(flat), dim, mask=mask))
    return pa.Table.from_arrays(columns, schema=schema)


def _schema(kind: TableKind, make: TableOptions) -> Any:
    """Return the columns, together with the model of the vectors and an id of this making of the table."""
    import pyarrow as pa

    types = {"text": pa.string(), "int": pa.int32(), "float": pa.float32(), "list": pa.list_(pa.string())}
    columns = [pa.field(name, types[column], nullable=name != "id") for name, column in kind.columns.items()]
    if make.dim:
        columns.append(pa.field("vector", pa.list_(pa.float16(), make.dim)))
    notes = (kind.version, make.model, make.print, uuid4().hex)
    return pa.schema(columns, metadata=dict(zip(_NOTES, notes, strict=True)))


def indexes(kind: TableKind) -> dict[str, Any]:
    """Return the indexes of words (ICU cuts Chinese offline, English is stemmed) and of columns in conditions."""
    from lancedb.index import FTS, Bitmap, BTree, LabelList

    words = {"text": FTS(base_tokenizer=kind.tokenizer, with_position=False)}
    columns = {name: BTree() for name in kind.exact} | {name: Bitmap() for name in kind.few}
    return words | columns | {name: LabelList() for name in kind.lists}


def among(column: str, values: Sequence[str]) -> str:
    """Return the condition that a column has one of these values."""
    return f"{column} IN ({', '.join(map(quoted, values))})" if values else "false"


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def brief(error: Exception) -> str:
    """Return what went wrong, in one line."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return re.sub(r", \S+\.rs:\d+:\d+$", "", lines[0])[:200]  # removes the position in LanceDB's source


def _remote_reason(story: str) -> str:
    """Return the innermost reason from a long error of many layers."""
    for pattern in _REMOTE_REASONS:
        if reasons := re.findall(pattern, story):
            return str(reasons[-1])[:200]
    return brief(Exception(story))
