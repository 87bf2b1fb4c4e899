"""The shelf: the LanceDB table of documents' pieces. Besides the sidecar's table the only place that knows LanceDB."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import uuid4

from memcli.errors import MemError, MissingPart, VaultError
from memcli.index import lance
from memcli.index.catalog import Damaged
from memcli.knowledge import address
from memcli.knowledge.address import NAME, Address
from memcli.knowledge.documents import Want
from memcli.knowledge.rows import ACTIVE, ARCHIVED, SCHEMA, Row, noted, schema
from memcli.vault import cache_files
from memcli.vault.vault import Vault

AT_ONCE = 1000  # documents named in one condition


class Hit(NamedTuple):
    """A piece that was found; the greater the score the better, comparable within one answer."""

    row: Row  # its text without the head
    score: float

    @property
    def meta(self) -> dict[str, Any]:
        return meta(self.row)

    @property
    def place(self) -> str:
        return _place(self.row)


class Shelved(NamedTuple):
    """A document on the shelf, in one of its versions."""

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


class Stats(NamedTuple):
    documents: int
    archived: int  # of them; versions, that is
    chunks: int
    vectors: int
    model: str  # whose vectors
    kinds: dict[str, int]
    langs: dict[str, int]
    indexes: dict[str, int]  # rows of each that still wait to be folded in
    size: int  # bytes, of a folder


class Store:
    """The open shelf. Readers see every finished write at once, and never half of one."""

    def __init__(self, at: Address, make: tuple[int, str, str] | None = None) -> None:
        """`make` is dimension, name and fingerprint of the model, for a new one."""
        self.at = at
        with self._sound():
            if (
                at.remote
            ):  # one that can't be reached is to be told within seconds; whoever writes for hours tries again
                lance.base(at.url, dict(at.options) | {"client_max_retries": "0"}, **_cloud(at))
            base = lance.base(at.url, dict(at.options), **_cloud(at))
            self._table = (
                lance.made(base, NAME, schema(*make, uuid4().hex), _indexes()) if make else base.open_table(NAME)
            )
            self._schema = self._table.schema
        self.version, self.model, self.print, self.made = noted(self._schema)
        self.dim = self._schema.field("vector").type.list_size if "vector" in self._schema.names else 0

    # -- reading -----------------------------------------------------------------------------------------------------

    def words(self, query: str, most: int, want: Want = Want()) -> list[Hit]:
        """Pieces that have words of the query, best first (BM25)."""
        with self._sound():
            return self._hits(lance.by_words(self._table, query), most, want, "_score")

    def near(self, vector: Any, most: int, want: Want = Want()) -> list[Hit]:
        """Pieces whose meaning is nearest, with their cosine; none where there are no vectors."""
        if not self.dim:
            return []
        with self._sound():
            return self._hits(lance.by_meaning(self._table, vector), most, want, "_distance")

    def around(self, doc: str, version: int, numbers: Iterable[int] = ()) -> list[Row]:
        """These pieces of a document, or all of them, in their order."""
        condition = f"doc = {lance.quoted(doc)} AND version = {int(version)}"
        if listed := sorted({int(each) for each in numbers}):
            condition += f" AND number IN ({', '.join(map(str, listed))})"
        with self._sound():
            found = self._table.search().where(condition).select(list(Row._fields)).limit(None).to_list()
        return sorted((_row(each) for each in found), key=lambda row: row.number)

    def documents(self, want: Want = Want()) -> list[Shelved]:
        """Documents, a version each."""
        with self._sound():
            condition = " AND ".join(["number = 0", *_where(want)])
            found = self._table.search().where(condition).select(list(Shelved._fields)).limit(None).to_arrow()
            columns = [found[name].to_pylist() for name in Shelved._fields]
        return sorted(
            (Shelved(*each) for each in zip(*columns, strict=True)), key=lambda each: (each.origin, each.version)
        )

    def size(self) -> tuple[int, int]:
        """Active documents, and pieces of all."""
        with self._sound():
            return self._table.count_rows(f"number = 0 AND status = '{ACTIVE}'"), self._table.count_rows()

    def stats(self) -> Stats:
        versions = self.documents(Want(status=""))
        live = [each for each in versions if each.status == ACTIVE]
        with self._sound():
            chunks = self._table.count_rows()
            vectors = self._table.count_rows("vector is not null") if self.dim else 0
            waiting = {}
            for each in self._table.list_indices():
                told = self._table.index_stats(each.name)
                waiting[each.columns[0]] = told.num_unindexed_rows if told else chunks
        folder = self.at.folder
        size = cache_files.size(folder) if folder else 0
        return Stats(
            len(live), len(versions) - len(live), chunks, vectors, self.model, _counted(each.kind for each in live),
            _counted(each.lang for each in live), waiting, size,
        )  # fmt: skip

    def _hits(self, found: Any, most: int, want: Want, score: str) -> list[Hit]:
        listed = lance.listed(found, " AND ".join(_where(want)), most, Row._fields, score)
        return [Hit(_row(each), each["score"]) for each in listed]

    # -- writing -----------------------------------------------------------------------------------------------------

    def write(self, rows: Sequence[Row], vectors: Sequence[bytes | None], keep: bool = False) -> None:
        """All rows of some documents, in one step: what was active of them goes, or with `keep` is archived."""
        docs = sorted({row.doc for row in rows})
        gone = f"{lance.among('doc', docs)} AND status = '{ACTIVE}'"
        with self._sound():
            new = lance.arrow(self._schema, rows, vectors)
            if keep:
                new = _with_archived(self._table.search().where(gone).limit(None).to_arrow(), new)
            lance.merge(self._table, new, gone)

    def append(self, rows: Sequence[Row], vectors: Sequence[bytes | None]) -> None:
        """Rows beside what there is of their documents."""
        with self._sound():
            lance.merge(self._table, lance.arrow(self._schema, rows, vectors), "false")

    def mark(self, docs: Sequence[tuple[str, int]], status: str) -> None:
        """Archive or restore versions of documents."""
        for some in _some(docs):
            with self._sound():
                self._table.update(where=_versions(some), values={"status": status})

    def remove(self, docs: Sequence[tuple[str, int]]) -> None:
        for some in _some(docs):
            with self._sound():
                self._table.delete(_versions(some))

    def settle(self, due: bool, new: bool = False) -> None:
        """Put it in order when it is due."""
        with self._sound():
            lance.settle(self._table, bool(self.dim), due, new)

    @contextmanager
    def _sound(self) -> Iterator[None]:
        try:
            yield
        except MemError:
            raise
        except Exception as error:
            said = lance.brief(error)
            if self.at.remote:
                raise MissingPart(
                    f"the knowledge store at {self.at.url} can't be used: {_reason(str(error))}",
                    "look at knowledge.store and knowledge.options; the rest of mem works without it",
                ) from error
            if any(sign in said for sign in ("No space left", "Permission denied", "Read-only")):
                raise VaultError(f"the knowledge store can't be written: {said}") from error
            opened.cache_clear()
            raise Damaged(
                f"the knowledge store is damaged ({said})", "mem knowledge add --rebuild makes it anew"
            ) from error


@lru_cache(2)
def opened(at: Address, stamp: tuple[int, int]) -> Store:
    """One open shelf a process: whoever stays keeps it warm."""
    return Store(at)


def opened_at(at: Address) -> Store | None:
    """The shelf at an address; None when there is none. A network is asked when the address is one."""
    if not at.exists:
        return None
    try:
        return opened(at, at.stamp)
    except MissingPart as error:
        if "was not found" in str(error.__cause__):
            return None
        raise


def reader(vault: Vault) -> Store | None:
    """The shelf to read from; None when there is none. What was made by another version of mem is none, and it is said."""
    found = opened_at(address.of(vault))
    if found and found.version != SCHEMA:
        vault.notice("the knowledge store was made by another version of mem: mem knowledge add --rebuild")
        return None
    return found


def drop(at: Address) -> None:
    """Throw the table away."""
    opened.cache_clear()
    if at.folder is None:
        lance.base(at.url, dict(at.options), **_cloud(at)).drop_table(NAME, ignore_missing=True)
    else:
        cache_files.remove_tree(at.folder / f"{NAME}.lance")


def _cloud(at: Address) -> dict[str, str]:
    """What LanceDB's own cloud wants to know in another way."""
    names = ("api_key", "region", "host_override")
    return {name: value for name, value in at.options if name in names} if at.url.startswith("db://") else {}


def _indexes() -> dict[str, Any]:
    from lancedb.index import Bitmap, BTree, LabelList

    exact = {name: BTree() for name in ("id", "doc", "date", "project")}
    few = {name: Bitmap() for name in ("status", "kind", "type")}
    return {"text": lance.words(split=True), **exact, **few, "tags": LabelList()}


def _where(want: Want) -> list[str]:
    terms = [f"status = {lance.quoted(want.status)}"] if want.status else []
    terms += [f"array_has(tags, {lance.quoted(tag.lower().lstrip('#'))})" for tag in want.tags]
    terms += [lance.among("type", want.types)] if want.types else []
    terms += [lance.among("kind", want.kinds)] if want.kinds else []
    terms += [lance.among("doc", want.docs)] if want.docs else []
    terms += [f"project = {lance.quoted(want.project)}"] if want.project else []
    terms += [f"date >= '{want.since}' AND date != ''"] if want.since else []
    terms += [f"date <= '{want.until}~' AND date != ''"] if want.until else []
    return terms


def meta(of: Row | Shelved) -> dict[str, Any]:
    found = json.loads(of.meta) if of.meta else {}
    return found if isinstance(found, dict) else {}


def _place(of: Row | Shelved) -> str:
    """Where it comes from: an address it was fetched from rather than the file it is kept in."""
    said = str(meta(of).get("source") or "")
    return said if said.startswith(("https://", "http://")) else of.origin  # no document poses as another file


def _row(found: dict[str, Any]) -> Row:
    row = Row(**{name: found[name] for name in Row._fields})
    return row._replace(text=row.text.partition("\n")[2])


def _with_archived(old: Any, new: Any) -> Any:
    """New rows, and the old ones as archived; what says the same as a new one is not kept twice."""
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.compute as pc  # type: ignore[import-untyped]

    old = old.select(new.schema.names).filter(pc.invert(pc.is_in(old["id"], new["id"])))
    at = new.schema.get_field_index("status")
    old = old.set_column(at, new.schema.field(at), pa.array([ARCHIVED] * len(old), pa.string()))
    return pa.concat_tables([new, old.cast(new.schema)])


def _versions(docs: Sequence[tuple[str, int]]) -> str:
    return " OR ".join(f"(doc = {lance.quoted(doc)} AND version = {int(version)})" for doc, version in docs)


def _some(docs: Sequence[tuple[str, int]]) -> Iterator[Sequence[tuple[str, int]]]:
    yield from (docs[first : first + AT_ONCE] for first in range(0, len(docs), AT_ONCE))


def _counted(values: Iterable[str]) -> dict[str, int]:
    from collections import Counter

    return dict(Counter(values).most_common())


def _reason(said: str) -> str:
    """Of a long story told by many layers, the last word."""
    for sign in (
        r'message: "([^"]+)"',
        r"<Message>([^<]+)",
        r"(Connection refused|timed out|dns error[^,)]*|was not found)",
    ):
        if found := re.findall(sign, said):
            return str(found[-1])[:200]
    return lance.brief(Exception(said))
