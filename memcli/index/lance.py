"""What both tables need of LanceDB, the sidecar's and the shelf's: opening, asking, keeping in order. Imported late: it is heavy."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from memcli.errors import MemError, MissingPart, VaultError
from memcli.index.catalog import Damaged
from memcli.vault import files

APPROXIMATE = 50_000  # rows from which on the vectors get an index of their own: built in seconds, 0.4 KB a row
PROBES, REFINE = 50, 3  # its rough distances choose three times what is wanted, then the vectors themselves decide
WRITES = 40  # after that many a table is put in order; a write of many rows counts as several
ROWS = 250  # that count as a write more
_KEPT = timedelta(hours=1)  # older versions go; a reader that is slower than that has to ask again
_AT_ONCE = timedelta(milliseconds=1)


def base(address: str, options: Mapping[str, str] | None = None, **more: str) -> Any:
    """The LanceDB database at an address, every read of which sees what was last written."""
    os.putenv("LANCE_LOG", "error")  # its warnings are for its makers, and would stand between our lines
    try:
        import lancedb
    except ImportError as error:
        raise MissingPart(f"LanceDB can't be loaded: {error}", "pip install lancedb") from error
    kept: dict[str, Any] = {"read_consistency_interval": timedelta(0), **more}
    return lancedb.connect(address, storage_options=dict(options) if options else None, **kept)


def made(base: Any, name: str, schema: Any, indexes: Mapping[str, Any]) -> Any:
    """A new table with its indexes."""
    table = base.create_table(name, schema=schema)
    table.set_unenforced_primary_key("id")  # else writers at once would double rows
    for column, kind in indexes.items():
        table.create_index(column, config=kind)
    return table


def merge(table: Any, rows: Any, gone: str) -> None:
    """Write rows in one step, each in place of the one that has its id; what else meets the condition `gone` goes."""
    change = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
    change.when_not_matched_by_source_delete(gone).execute(rows, on_bad_vectors="null")  # to have none is no mistake


def words(split: bool = False) -> Any:
    """The index of words: ICU cuts Chinese offline, English words are stemmed. With `split` also what dots and underscores join."""
    from lancedb.index import FTS

    return FTS(base_tokenizer="icu/split" if split else "icu", with_position=False)


def by_words(table: Any, query: str) -> Any:
    return table.search(query, query_type="fts", fts_columns="text")


def by_meaning(table: Any, vector: Any) -> Any:
    found = table.search(vector, vector_column_name="vector").distance_type("cosine")
    return found.nprobes(PROBES).refine_factor(REFINE)


def listed(found: Any, condition: str, most: int, columns: Sequence[str], score: str) -> list[dict[str, Any]]:
    """The best rows among those that meet the condition, each with its score: the greater the better."""
    if condition:
        found = found.where(condition, prefilter=True)
    rows: list[dict[str, Any]] = found.select([*columns, score]).limit(most).to_list()
    for row in rows:
        row["score"] = 1 - row.pop(score) if score == "_distance" else row.pop(score)
    return rows


def settle(table: Any, vectors: bool, due: bool, new: bool) -> None:
    """When it is due, fold the latest rows into the indexes (until then they are searched one by one), join small
    files and let old versions go: of a new table all, else only those that no reader can still be reading."""
    from lancedb.index import IvfSq

    made = {name for each in table.list_indices() for name in each.columns}
    if vectors and "vector" not in made and table.count_rows("vector is not null") >= APPROXIMATE:
        table.create_index("vector", config=IvfSq(distance_type="cosine"))
    if due or new:
        table.optimize(cleanup_older_than=_AT_ONCE if new else _KEPT)


def arrow(schema: Any, rows: Sequence[Any], vectors: Sequence[bytes | None]) -> Any:
    """Rows, whose attributes are called like the columns, and the vectors that some of them have."""
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


def among(column: str, values: Sequence[str]) -> str:
    return f"{column} IN ({', '.join(map(quoted, values))})" if values else "false"


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@contextmanager
def sound(mark: Path) -> Iterator[None]:
    """LanceDB has no exceptions of its own for a table that is broken or gone: whatever goes wrong is that."""
    try:
        yield
    except MemError:
        raise
    except Exception as error:
        said = brief(error)
        if any(sign in said for sign in ("No space left", "Permission denied", "Read-only")):
            raise VaultError(f"the index can't be written: {said}", "recall works by the files until it can") from error
        with suppress(MemError):
            files.create_exclusive(mark)
        raise Damaged(f"the index is damaged ({said})", "mem index makes it anew") from error


def brief(error: Exception) -> str:
    """What went wrong, in a line."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return re.sub(r", \S+\.rs:\d+:\d+$", "", lines[0])[:200]  # where in its source is of no use to anybody
