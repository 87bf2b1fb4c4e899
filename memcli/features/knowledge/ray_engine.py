"""Run the Ray engine: workers read, cut and embed by the functions of one process, and write fragments in parallel.

Readers see no fragment before its wave is committed, in one step or not at all.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import socket
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from memcli.errors import Busy, MissingPart, UsageError, VaultError
from memcli.features.knowledge.documents import ACTIVE, ARCHIVED, KnowledgeDocument, PieceRow, Unreadable
from memcli.features.knowledge.intake import Ingest, IntakeReport, IntakeResult, Item, group_items
from memcli.features.knowledge.store import DocumentTable, ShelvedDocument, few_at_once
from memcli.index.embed import Embedder
from memcli.index.models import Model
from memcli.index.store import among, arrow, brief
from memcli.message import Message

GROUP, WAVE = 8 * 2**20, 4 * 2**30  # bytes that a worker reads at a time, and bytes between two commits
MANY = 2_000_000  # rows; from this number on all workers build the indexes, below it one does
PATIENCE = 5.0  # seconds for a cluster to accept a connection
INDEXES: dict[str, tuple[str, dict[str, Any]]] = {
    "text": ("FTS", {"base_tokenizer": DocumentTable.kind.tokenizer, "with_position": False}),
    **{name: ("BTREE", {}) for name in DocumentTable.kind.exact},
    **{name: ("BITMAP", {}) for name in DocumentTable.kind.few},
}


def waves(
    store: DocumentTable, items: Sequence[Item], taker: Ingest, model: Model | None, address: str = "",
    tell: Callable[[int], object] = int,  # gets the number of finished parts of a wave
) -> Iterator[Wave]:  # fmt: skip
    """Take in the items in waves, each to be committed before the next. Workers must find the model and the files."""
    if not items:
        return
    with _cluster(address) as ray:
        for some in group_items(items, WAVE):
            table = TableVersion.newest(store)
            claims = ray.remote(num_cpus=0)(_Claims).remote()
            take = partial(_take, table, taker, lambda *said, claims=claims: ray.get(claims.claim.remote(*said)))
            groups = [{"number": at, "group": pickle.dumps(each)} for at, each in enumerate(group_items(some, GROUP))]
            data = ray.data.from_items(groups, override_num_blocks=len(groups)).map(take)
            if model:  # each worker loads it once
                many = ray.data.ActorPoolStrategy(min_size=1, max_size=max(1, int(ray.cluster_resources()["CPU"])))
                data = data.map(_Writer, fn_constructor_args=(table, model), compute=many)
            else:
                data = data.map(_Writer(table, None))
            yield _gathered(table, data.iter_rows(), tell)


def index(store: DocumentTable, address: str = "") -> bool:
    """Compact and index the table with all workers, if there is too much new for one; return whether it was done."""
    if store.stats().indexes.get("text", 0) < MANY:
        return False
    table = TableVersion.newest(store)
    with _cluster(address) as ray:
        import lance_ray

        given = {"storage_options": table.options, "num_workers": max(1, int(ray.cluster_resources()["CPU"]))}
        lance_ray.compact_files(table.url, **given)
        for column, (kind, how) in INDEXES.items():
            named = {"column": column, "name": f"{column}_idx", "index_type": kind}
            lance_ray.create_scalar_index(table.url, **named, **how, **given)
        if store.dim and store.stats().vectors >= MANY:
            lance_ray.create_index(table.url, "vector", "IVF_SQ", "vector_idx", metric="cosine", **given)
    store.settle(due=True)
    return True


def _take(
    table: TableVersion, taker: Ingest, claim: Callable[[int, list[str]], set[str]], item: dict[str, Any]
) -> dict[str, Any]:
    """Return a group of parts as rows."""
    group = pickle.loads(item["group"])
    found = [taker.read_documents(each) for each in group]
    docs = [each.id for listed in found for each in listed if isinstance(each, KnowledgeDocument)]
    mine, known = claim(item["number"], docs), table.known(docs)
    taken = []
    for each, listed in zip(group, found, strict=True):
        once = {one.id: one for one in listed if isinstance(one, KnowledgeDocument) and one.id in mine}
        mine -= once.keys()
        taken.append(taker.take(each, [*once.values(), *(one for one in listed if isinstance(one, Unreadable))], known))
    return {"taken": pickle.dumps(taken)}


class _Writer:
    """Embed and write rows in a worker."""

    def __init__(self, table: TableVersion, model: Model | None) -> None:
        self.table, self.embedder = table, Embedder(model, {}) if model else None

    def __call__(self, item: dict[str, Any]) -> dict[str, Any]:
        done: list[IntakeResult] = pickle.loads(item["taken"])
        rows = [row for each in done for row in each.rows]
        vectors = self._vectors(rows)
        fragments = self.table.write_rows(arrow(self.table.schema, rows, vectors)) if rows else []
        replaced = {row.doc: row.hash for row in rows if row.version > 1}
        return {"written": pickle.dumps(([each.report for each in done], replaced, fragments, sum(map(bool, vectors))))}

    def _vectors(self, rows: Sequence[PieceRow]) -> list[bytes | None]:
        if not self.embedder or "vector" not in self.table.schema.names:
            return [None] * len(rows)
        texts = [row.text for row in rows if self.embedder.model.reads(row.text)]
        found = iter(self.embedder.stored(texts))
        return [next(found) if self.embedder.model.reads(row.text) else None for row in rows]


class _Claims:
    """Assign a document that occurs twice in a wave to the first group, which keeps it when it is run again."""

    def __init__(self) -> None:
        self._owners: dict[str, int] = {}

    def claim(self, group: int, docs: Sequence[str]) -> set[str]:
        return {doc for doc in docs if self._owners.setdefault(doc, group) == group}


def _gathered(table: TableVersion, written: Iterable[dict[str, Any]], tell: Callable[[int], object]) -> Wave:
    wave = Wave(table)
    for each in written:
        reports, replaced, fragments, embedded = pickle.loads(each["written"])
        wave.reports += reports
        wave.embedded += embedded
        wave.replaced |= replaced
        wave.kept.update(old.doc for report in reports if report.options.keep for old in report.olds)
        wave.fragments += fragments
        tell(len(wave.reports))
    return wave


def check(address: str = "", shelf: str = "") -> None:
    """Raise MissingPart when the engine or the cluster is missing. Ray itself takes minutes to report it."""
    if shelf.startswith("db://"):
        fix = "leave out --engine, or let knowledge.store be a bucket"
        raise UsageError("Ray's workers can't write to LanceDB's cloud", fix)
    try:
        import lance_ray  # noqa: F401
        import ray  # noqa: F401
    except ImportError as error:
        raise MissingPart("the Ray engine can't be loaded: {WHY}", "pip install 'memcli[ray]'", WHY=error) from error
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), PATIENCE).close()
        except (OSError, OverflowError) as error:
            what = Message("no Ray cluster answers at {place}: {WHY}", place=address, WHY=brief(error))
            raise MissingPart(what, "ray start --head") from error


@contextmanager
def _cluster(address: str) -> Iterator[Any]:
    """Yield Ray, on this machine or on a running cluster, with its reports on usage switched off."""
    check(address)
    import ray
    from ray._common.usage import usage_lib

    usage_lib.set_usage_stats_enabled_via_env_var(False)
    for name in ("ray", "ray.data"):
        logging.getLogger(name).setLevel(logging.ERROR)
    mine, here = not ray.is_initialized(), os.getcwd()
    if mine:
        local: dict[str, Any] = {} if address else {"include_dashboard": False}
        os.chdir(Path(__file__).parents[2])  # workers import from there, and not from a vault that may be a stranger's
        try:
            with warnings.catch_warnings():  # Lance warns of forks; Ray's are followed by another program at once
                warnings.simplefilter("ignore")
                ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR, **local)
        except (OSError, ValueError, RuntimeError) as error:
            raise MissingPart("Ray does not start: {WHY}", "ray status shows a cluster", WHY=brief(error)) from error
        finally:
            os.chdir(here)
    ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        yield ray
    except ray.exceptions.RayError as error:
        fix = "what was committed stays; run the same again"
        raise VaultError("Ray gave up: {WHY}", fix, WHY=brief(error)) from error
    finally:
        if mine:
            ray.shutdown()


@dataclass(frozen=True)
class TableVersion:
    """Describe the table as it was before a wave, for every worker."""

    url: str
    options: dict[str, str]
    version: int
    schema: Any

    @staticmethod
    def newest(store: DocumentTable) -> TableVersion:
        import lance

        url, options = f"{store.at.url}/{store.at.table}.lance", dict(store.at.options)
        data = lance.dataset(url, storage_options=options)
        return TableVersion(url, options, data.version, data.schema)

    def open(self) -> Any:
        import lance

        return lance.dataset(self.url, version=self.version, storage_options=self.options)

    def write_rows(self, rows: Any) -> list[str]:
        """Write rows as fragments that nobody sees yet, and return the description of each as JSON."""
        from lance.fragment import write_fragments

        if not len(rows):
            return []
        made = write_fragments(rows, self.url, schema=self.schema, storage_options=self.options)
        return [json.dumps(each.to_json()) for each in made]

    def known(self, docs: Sequence[str]) -> dict[str, ShelvedDocument]:
        """Return these documents as the shelf has them: the active version, else the latest archived one."""
        data = self.open()
        rows: list[dict[str, Any]] = []
        for some in few_at_once(docs) if data.count_rows() else ():
            condition = f"number = 0 AND {among('doc', some)}"
            rows += data.scanner(columns=list(ShelvedDocument._fields), filter=condition).to_table().to_pylist()
        rows.sort(key=lambda row: (row["status"] == ACTIVE, row["version"]))
        return {row["doc"]: ShelvedDocument(**row) for row in rows}


@dataclass
class Wave:
    """Hold a wave that was written and becomes part of the table when it is committed."""

    table: TableVersion
    reports: list[IntakeReport] = field(default_factory=list)
    replaced: dict[str, str] = field(default_factory=dict)  # hashes of new versions, by document
    kept: set[str] = field(default_factory=set)  # those whose older versions are archived
    fragments: list[str] = field(default_factory=list)
    embedded: int = 0

    def commit(self) -> None:
        """Add new rows and remove old ones in one step. A write by another process in between is an error."""
        import lance

        data, at = self.table.open(), self.table
        gone = self._gone(data)
        new = [lance.FragmentMetadata.from_json(each) for each in self.fragments + self._archived(data)]
        if not new:
            return
        emptied = [number for number, left in gone.items() if left is None]
        step = lance.LanceOperation.Update(
            removed_fragment_ids=emptied, updated_fragments=[left for left in gone.values() if left], new_fragments=new
        )
        try:
            lance.LanceDataset.commit(
                at.url, step if gone else lance.LanceOperation.Append(new), read_version=at.version,
                storage_options=at.options,
            )  # fmt: skip
        except Exception as error:  # Lance has no exception for a conflict
            fix = "run the same again"
            raise Busy("the knowledge store was changed meanwhile: {WHY}", fix, WHY=brief(error)) from error

    def _gone(self, data: Any) -> dict[int, Any]:
        """Return the fragments that lose rows, each with what is left of it."""
        docs: dict[int, set[str]] = defaultdict(set)
        for each in few_at_once(list(self.replaced)):
            rows = data.scanner(columns=["doc"], filter=among("doc", each), with_row_address=True).to_table()
            for doc, place in zip(rows["doc"].to_pylist(), rows["_rowaddr"].to_pylist(), strict=True):
                docs[place >> 32].add(doc)
        found = {}
        for number, some in docs.items():
            same = among("hash", sorted({self.replaced[doc] for doc in some}))  # a text that came back
            condition = f"{among('doc', sorted(some))} AND (status = '{ACTIVE}' OR {same})"
            before = data.get_fragment(number)
            left = before.delete(condition)
            if left is None or left.to_json() != before.metadata.to_json():
                found[number] = left
        return found

    def _archived(self, data: Any) -> list[str]:
        """Write the versions that were active once more as archived ones, and return the fragments."""
        if not self.kept:
            return []
        import pyarrow as pa  # type: ignore[import-untyped]

        old = [
            data.scanner(filter=f"{among('doc', each)} AND status = '{ACTIVE}'").to_table()
            for each in few_at_once(sorted(self.kept))
        ]
        rows = pa.concat_tables(old)
        at = rows.schema.get_field_index("status")
        archived = pa.array([ARCHIVED] * len(rows), pa.string())
        return self.table.write_rows(rows.set_column(at, rows.schema.field(at), archived))
