"""Rows written side by side as fragments of the table, by workers who know nothing of each other, and the one step in which
they become part of it. Nobody sees a fragment before that; what is never committed is cleaned away with old versions.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from memcli.errors import Busy
from memcli.index import lance as ours
from memcli.knowledge.address import NAME
from memcli.knowledge.rows import ACTIVE, ARCHIVED
from memcli.knowledge.store import Shelved, Store

ASKED = 1000  # documents named in one condition


@dataclass(frozen=True)
class Table:
    """The table as it was before a wave, for every worker to find."""

    url: str
    options: dict[str, str]
    version: int
    schema: Any

    @staticmethod
    def of(store: Store) -> Table:
        import lance

        url, options = f"{store.at.url}/{NAME}.lance", dict(store.at.options)
        data = lance.dataset(url, storage_options=options)
        return Table(url, options, data.version, data.schema)

    def open(self) -> Any:
        import lance

        return lance.dataset(self.url, version=self.version, storage_options=self.options)

    def write(self, rows: Any) -> list[str]:
        """Rows as fragments that nobody sees yet; what they are is given back as JSON."""
        from lance.fragment import write_fragments

        if not len(rows):
            return []
        made = write_fragments(rows, self.url, schema=self.schema, storage_options=self.options)
        return [json.dumps(each.to_json()) for each in made]

    def known(self, docs: Sequence[str]) -> dict[str, Shelved]:
        """What the shelf has of these documents: the active version, else the latest archived one."""
        data = self.open()
        rows: list[dict[str, Any]] = []
        for some in _some(docs) if data.count_rows() else ():
            condition = f"number = 0 AND {ours.among('doc', some)}"
            rows += data.scanner(columns=list(Shelved._fields), filter=condition).to_table().to_pylist()
        rows.sort(key=lambda row: (row["status"] == ACTIVE, row["version"]))
        return {row["doc"]: Shelved(**row) for row in rows}


@dataclass
class Wave:
    """What was written, but is not part of the table before it is committed."""

    table: Table
    told: list[Any] = field(default_factory=list)
    replaced: dict[str, str] = field(default_factory=dict)  # hashes of new versions, by document
    kept: set[str] = field(default_factory=set)  # of them, those whose older versions are archived
    fragments: list[str] = field(default_factory=list)
    embedded: int = 0

    def commit(self) -> None:
        """New rows come and old ones go in one step; somebody else's write in between is an error and changes nothing."""
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
        except Exception as error:  # Lance has none of its own for a conflict
            raise Busy(
                f"the knowledge store was changed meanwhile: {ours.brief(error)}", "run the same again"
            ) from error

    def _gone(self, data: Any) -> dict[int, Any]:
        """Fragments that lose rows, each with what is left of it."""
        docs: dict[int, set[str]] = defaultdict(set)
        for each in _some(list(self.replaced)):
            rows = data.scanner(columns=["doc"], filter=ours.among("doc", each), with_row_address=True).to_table()
            for doc, place in zip(rows["doc"].to_pylist(), rows["_rowaddr"].to_pylist(), strict=True):
                docs[place >> 32].add(doc)
        found = {}
        for number, some in docs.items():
            same = ours.among("hash", sorted({self.replaced[doc] for doc in some}))  # a text that came back
            condition = f"{ours.among('doc', sorted(some))} AND (status = '{ACTIVE}' OR {same})"
            before = data.get_fragment(number)
            left = before.delete(condition)
            if left is None or left.to_json() != before.metadata.to_json():
                found[number] = left
        return found

    def _archived(self, data: Any) -> list[str]:
        """The versions that were active, written once more as archived ones."""
        if not self.kept:
            return []
        import pyarrow as pa  # type: ignore[import-untyped]

        old = [
            data.scanner(filter=f"{ours.among('doc', each)} AND status = '{ACTIVE}'").to_table()
            for each in _some(sorted(self.kept))
        ]
        rows = pa.concat_tables(old)
        at = rows.schema.get_field_index("status")
        return self.table.write(
            rows.set_column(at, rows.schema.field(at), pa.array([ARCHIVED] * len(rows), pa.string()))
        )


def _some(docs: Sequence[str]) -> Iterator[Sequence[str]]:
    yield from (docs[first : first + ASKED] for first in range(0, len(docs), ASKED))
