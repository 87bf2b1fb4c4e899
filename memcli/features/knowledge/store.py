"""Keep the table of documents: a row for each piece of each version. It may be remote, and others may use it too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from memcli.errors import MissingPart
from memcli.evidence import Want
from memcli.features.knowledge import address
from memcli.features.knowledge.documents import ACTIVE, ARCHIVED, PieceRow
from memcli.index.store import Address, LanceTable, TableKind, among, arrow, database, quoted
from memcli.text.stitch import stitch_pieces
from memcli.vault import cache_files, json_read
from memcli.vault.vault import Vault

AT_ONCE = 1000  # documents named in one condition


class PieceHit(NamedTuple):
    """Hold a piece that was found. A greater score is better; scores are comparable within one answer."""

    row: PieceRow  # its text without the head
    score: float

    @property
    def meta(self) -> dict[str, Any]:
        return meta_of(self.row)

    @property
    def place(self) -> str:
        return _place(self.row)


class ShelvedDocument(NamedTuple):
    """Describe one version of a document on the shelf."""

    doc: str
    version: int
    status: str
    origin: str
    title: str
    lang: str
    kind: str
    tags: list[str]
    type: str
    project: str
    date: str
    meta: str
    added: str
    hash: str
    pieces: int

    @property
    def place(self) -> str:
        return _place(self)


class ShelfStats(NamedTuple):
    documents: int
    archived: int  # archived versions of documents
    chunks: int
    vectors: int
    model: str  # the model of the vectors
    kinds: dict[str, int]
    langs: dict[str, int]
    indexes: dict[str, int]  # rows that are not in each index yet
    size: int  # bytes; only for a folder


class DocumentTable(LanceTable):
    """Give access to the open table of documents."""

    kind = TableKind(
        called="the knowledge store",
        version="1",
        fix="mem knowledge add --rebuild",
        tokenizer="icu/split",  # splits at dots and underscores too
        columns=dict.fromkeys(PieceRow._fields, "text")
        | dict.fromkeys(("version", "number", "pieces", "tokens", "line"), "int")
        | {"tags": "list"},
        exact=("id", "doc", "date", "project"),
        few=("status", "kind", "type"),
        lists=("tags",),
    )

    def found_damaged(self) -> None:
        open_table.cache_clear()

    # -- reading -----------------------------------------------------------------------------------------------------

    def words(self, query: str, most: int, want: Want = Want()) -> list[PieceHit]:
        """Return pieces that have words of the query, best first (BM25)."""
        return [_hit(row) for row in self.best_by_words(query, most, PieceRow._fields, _where(want))]

    def near(self, vector: Any, most: int, want: Want = Want()) -> list[PieceHit]:
        """Return the pieces whose meaning is nearest, with their cosine; none when there are no vectors."""
        return [_hit(row) for row in self.best_by_meaning(vector, most, PieceRow._fields, _where(want))]

    def text(self, doc: str, version: int) -> str:
        """Return the whole text of a version of a document."""
        rows = self.rows(PieceRow._fields, f"doc = {quoted(doc)} AND version = {int(version)}").to_pylist()
        return stitch_pieces([_row(row).text for row in sorted(rows, key=lambda row: row["number"])])

    def active(self) -> list[PieceRow]:
        """Return all pieces that can be found."""
        return [_row(row) for row in self.rows(PieceRow._fields, _where(Want())).to_pylist()]

    def documents(self, want: Want = Want()) -> list[ShelvedDocument]:
        """Return the documents, one for each version."""
        condition = " AND ".join(filter(None, ("number = 0", _where(want))))
        columns = (column.to_pylist() for column in self.rows(ShelvedDocument._fields, condition).columns)
        found = (ShelvedDocument(*values) for values in zip(*columns, strict=True))
        return sorted(found, key=lambda document: (document.origin, document.version))

    def size(self) -> tuple[int, int]:
        """Return the number of active documents, and the number of pieces of all."""
        return self.count(f"number = 0 AND status = '{ACTIVE}'"), self.count()

    def stats(self) -> ShelfStats:
        versions = self.documents(Want(status=""))
        live = [each for each in versions if each.status == ACTIVE]
        chunks, vectors = self.count(), self.count("vector is not null") if self.dim else 0
        waiting = {}
        with self.sound():
            for index in self._table.list_indices():
                known = self._table.index_stats(index.name)
                waiting[index.columns[0]] = known.num_unindexed_rows if known else chunks
        size = cache_files.size(self.at.folder) if self.at.folder else 0
        kinds, langs = Counter(each.kind for each in live), Counter(each.lang for each in live)
        return ShelfStats(
            len(live), len(versions) - len(live), chunks, vectors, self.model, dict(kinds.most_common()),
            dict(langs.most_common()), waiting, size,
        )  # fmt: skip

    # -- writing -----------------------------------------------------------------------------------------------------

    def write_rows(self, rows: Sequence[PieceRow], vectors: Sequence[bytes | None], keep: bool = False) -> None:
        """Write all rows of some documents in one step. Their active rows are replaced, or with `keep` archived."""
        gone = f"{among('doc', sorted({row.doc for row in rows}))} AND status = '{ACTIVE}'"
        new = arrow(self.schema, rows, vectors)
        if keep:
            new = _with_archived(self.rows(self.schema.names, gone), new)
        self.merge(new, gone)

    def append(self, rows: Sequence[PieceRow], vectors: Sequence[bytes | None]) -> None:
        """Add rows beside the ones that their documents have."""
        self.merge(arrow(self.schema, rows, vectors), "false")

    def mark(self, documents: Sequence[ShelvedDocument], status: str) -> None:
        """Archive or restore versions of documents."""
        for condition in _conditions(documents):
            with self.sound():
                self._table.update(where=condition, values={"status": status})

    def remove(self, documents: Sequence[ShelvedDocument]) -> None:
        for condition in _conditions(documents):
            with self.sound():
                self._table.delete(condition)


@lru_cache(2)
def open_table(at: Address, stamp: tuple[int, int]) -> DocumentTable:
    """Return the open shelf. A process keeps one, so a process that stays keeps it warm."""
    return DocumentTable(at)


def open_table_at(at: Address) -> DocumentTable | None:
    """Return the shelf at an address, or None when there is none. This uses the network when the address is remote."""
    if not at.exists:
        return None
    try:
        return open_table(at, at.stamp)
    except MissingPart as error:
        if "was not found" in str(error.__cause__):
            return None
        raise


def open_reader(vault: Vault) -> DocumentTable | None:
    """Return the table to read from, or None when there is none.

    A table made by another version of mem is not used, and a notice says so.
    """
    found = open_table_at(address.address_of(vault))
    if found and found.version != DocumentTable.kind.version:
        vault.notice("the knowledge store was made by another version of mem: mem knowledge add --rebuild")
        return None
    return found


def drop_table(at: Address) -> None:
    """Delete the table."""
    open_table.cache_clear()
    if at.folder is None:
        database(at).drop_table(at.table, ignore_missing=True)
    else:
        cache_files.remove_tree(at.folder / f"{at.table}.lance")


def _where(want: Want) -> str:
    terms = [f"status = {quoted(want.status)}"] if want.status else []
    terms += [f"array_has(tags, {quoted(tag.lower().lstrip('#'))})" for tag in want.tags]
    terms += [among("type", want.types)] if want.types else []
    terms += [f"project = {quoted(want.project)}"] if want.project else []
    terms += [f"date >= '{want.since}' AND date != ''"] if want.since else []
    terms += [f"date <= '{want.until}~' AND date != ''"] if want.until else []
    return " AND ".join(terms)


def meta_of(of: PieceRow | ShelvedDocument) -> dict[str, Any]:
    return json_read.parse_mapping(of.meta)


def _place(of: PieceRow | ShelvedDocument) -> str:
    """Return the place of a document: the address it was fetched from rather than the file it is kept in."""
    source = str(meta_of(of).get("source") or "")
    return source if source.startswith(("https://", "http://")) else of.origin  # no document may imitate a file


def _hit(found: dict[str, Any]) -> PieceHit:
    return PieceHit(_row(found), found["score"])


def _row(found: dict[str, Any]) -> PieceRow:
    row = PieceRow(**{name: found[name] for name in PieceRow._fields})
    return row._replace(text=row.text.partition("\n")[2])


def _with_archived(old: Any, new: Any) -> Any:
    """Return the new rows, and the old ones as archived. An old row that equals a new one is not kept twice."""
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.compute as pc  # type: ignore[import-untyped]

    old = old.select(new.schema.names).filter(pc.invert(pc.is_in(old["id"], new["id"])))
    at = new.schema.get_field_index("status")
    old = old.set_column(at, new.schema.field(at), pa.array([ARCHIVED] * len(old), pa.string()))
    return pa.concat_tables([new, old.cast(new.schema)])


def _conditions(documents: Sequence[ShelvedDocument]) -> Iterator[str]:
    """Yield conditions that name these versions, a limited number in each."""
    names = [f"(doc = {quoted(each.doc)} AND version = {int(each.version)})" for each in documents]
    yield from map(" OR ".join, few_at_once(names))


def few_at_once(names: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the names in groups that one condition can hold."""
    yield from (names[first : first + AT_ONCE] for first in range(0, len(names), AT_ONCE))
