"""The shelf itself: what is found, under which conditions, and what a change of a document leaves behind."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from memcli.errors import MemError
from memcli.evidence import Want
from memcli.features.knowledge import store as shelf
from memcli.features.knowledge.documents import DocumentPiece, KnowledgeDocument, PieceRow, head_of, rows_of
from memcli.features.knowledge.store import DocumentTable
from memcli.index.catalog import UnreadableIndex
from memcli.index.store import Address, TableOptions

ADDED = "2026-11-21T14:30:00"


def made(folder: Path, dim: int = 0) -> DocumentTable:
    return DocumentTable(
        Address(str(folder), (), folder), TableOptions(dim, "tiny" if dim else "", "abc" if dim else "")
    )


def paper(origin: str, *texts: str, title: str = "", **known: object) -> KnowledgeDocument:
    return KnowledgeDocument(origin, title or origin.partition(".")[0], "\n\n".join(texts), "markdown", **known)  # type: ignore[arg-type]


def lines(document: KnowledgeDocument, version: int = 1, **more: str) -> list[PieceRow]:
    texts = document.text.split("\n\n")
    pieces = [DocumentPiece(at, 2 * at + 1, f"Part {at}", text, len(text) // 4) for at, text in enumerate(texts)]
    return rows_of(document, pieces, ADDED, version, **more)


def put(store: DocumentTable, *documents: KnowledgeDocument, **how: bool) -> None:
    found = [row for each in documents for row in lines(each)]
    store.write_rows(found, [None] * len(found), **how)


@pytest.fixture
def store(tmp_path: Path) -> DocumentTable:
    found = made(tmp_path / "shelf")
    put(
        found,
        paper(
            "tea.md", "Leaves are withered before rolling", "茶叶在揉捻之前要先萎凋", tags=("drinks/tea",), lang="en"
        ),
        paper("db.md", "A B-tree keeps keys sorted", "写放大是日志结构合并树的代价", type="paper", date="2025-03-02"),
        paper("old.md", "B-trees were new then", project="history", date="1972-05-01"),
    )
    return found


def found(store: DocumentTable, query: str, want: Want = Want()) -> set[tuple[str, int]]:
    return {(hit.row.origin, hit.row.number) for hit in store.words(query, 10, want)}


def test_words_find_pieces_in_english_and_chinese_by_their_text_and_by_their_title(store: DocumentTable) -> None:
    assert found(store, "withering leaves") == {("tea.md", 0)}
    assert found(store, "萎凋") == {("tea.md", 1)}
    assert ("db.md", 1) in found(store, "合并树的代价")
    assert {origin for origin, _ in found(store, "tea")} == {"tea.md"}  # its file is called so, its text says 茶
    put(store, paper("api.md", "set read_consistency_interval in db.toml"))
    assert found(store, "consistency interval") == found(store, "toml") == {("api.md", 0)}
    hit = store.words("withering leaves", 1)[0]
    assert (hit.row.text, hit.row.trail, hit.row.line) == ("Leaves are withered before rolling", "Part 0", 1)
    assert store.words("nowhere", 5) == []


def test_a_filter_decides_before_anything_is_searched(store: DocumentTable) -> None:
    for want, origins in [
        (Want(tags=("drinks",)), {"tea.md"}),
        (Want(tags=("#Drinks/Tea",)), {"tea.md"}),
        (Want(types=("paper",)), {"db.md"}),
        (Want(project="history"), {"old.md"}),
        (Want(since=date(2000, 1, 1)), {"db.md"}),
        (Want(until=date(1972, 5, 1)), {"old.md"}),
        (Want(tags=("it's",)), set()),
        (Want(status="archived"), set()),
    ]:
        assert {origin for origin, _ in found(store, "part", want)} == origins
        assert {each.origin for each in store.documents(want)} == origins


def test_the_nearest_meaning_is_found_where_there_are_vectors(tmp_path: Path) -> None:
    store = made(tmp_path / "shelf", dim=4)
    known = lines(paper("a.md", "one", "two", "three"))
    vectors = [np.eye(4, dtype=np.float16)[at].tobytes() for at in range(2)]
    store.write_rows(known, [*vectors, None])
    hits = store.near(np.array([1, 0.2, 0, 0], np.float32), 5)
    assert [hit.row.text for hit in hits] == ["one", "two"]
    assert 0.9 < hits[0].score <= 1.0
    assert (store.stats().vectors, store.model) == (2, "tiny")
    assert made(tmp_path / "words").near(np.zeros(4), 5) == []


def test_a_changed_document_takes_the_place_of_its_older_version(store: DocumentTable) -> None:
    store.write_rows(lines(paper("tea.md", "Steam stops oxidation"), 2), [None])
    assert found(store, "oxidation") == {("tea.md", 0)}
    assert found(store, "withered") == set()
    assert [each.version for each in store.documents(Want(status="")) if each.origin == "tea.md"] == [2]
    assert ("old.md", 0) in found(store, "trees")


def test_keep_archives_the_older_version_in_the_same_step(store: DocumentTable) -> None:
    before = store._table.version
    store.write_rows(lines(paper("tea.md", "Steam stops oxidation"), 2), [None], keep=True)
    assert store._table.version == before + 1
    assert found(store, "withered") == set()
    assert found(store, "withered", Want(status="")) == {("tea.md", 0)}
    versions = [(each.version, each.status) for each in store.documents(Want(status="")) if each.origin == "tea.md"]
    assert versions == [(1, "archived"), (2, "active")]
    store.write_rows(lines(paper("tea.md", "Only the third"), 3), [None])  # without keep: the archived one stays
    assert [each.version for each in store.documents(Want(status="archived"))] == [1]
    put(
        store,
        paper(
            "tea.md", "Leaves are withered before rolling", "茶叶在揉捻之前要先萎凋", tags=("drinks/tea",), lang="en"
        ),
    )
    assert len(store.documents(Want(status=""))) == 3  # what it said before, it says again: once


def test_writing_the_same_twice_doubles_nothing(store: DocumentTable) -> None:
    rows = store.stats().chunks
    put(store, paper("old.md", "B-trees were new then", project="history", date="1972-05-01"))
    assert store.stats().chunks == rows


def test_the_text_of_a_document_has_its_pieces_in_their_order(store: DocumentTable) -> None:
    doc = paper("tea.md", "").id
    assert store.text(doc, 1).endswith("茶叶在揉捻之前要先萎凋") and len(store.text(doc, 1)) > 20
    assert store.text(doc, 2) == ""


def test_versions_are_archived_restored_and_removed(store: DocumentTable) -> None:
    doc = paper("tea.md", "").id
    first = [each for each in store.documents() if each.doc == doc]
    store.mark(first, "archived")
    assert found(store, "萎凋") == set()
    assert store.stats()[:2] == (2, 1)
    store.mark(first, "active")
    assert found(store, "萎凋") == {("tea.md", 1)}
    store.remove(first)
    assert store.stats()[:3] == (2, 0, 3)


def test_what_another_writes_is_seen_at_once(store: DocumentTable) -> None:
    other = DocumentTable(store.at)
    put(other, paper("new.md", "Kombucha is fermented"))
    assert found(store, "kombucha") == {("new.md", 0)}


def test_a_broken_shelf_says_how_to_make_it_anew(store: DocumentTable) -> None:
    assert store.at.folder
    for file in store.at.folder.rglob("*.lance"):
        if file.is_file():
            file.write_bytes(b"\0" * 40)
    with pytest.raises(UnreadableIndex) as caught:
        DocumentTable(store.at).documents()
    assert "rebuild" in caught.value.hint
    shelf.drop_table(store.at)
    assert not store.at.exists


@pytest.mark.parametrize(
    "title, trail, said",
    [
        ("Tea", "Tea > Green", "Tea > Green"),
        ("Tea", "Green", "Tea > Green"),
        ("", "Green", "Green"),
        ("Tea", "", "Tea"),
        ("", "", ""),
    ],
)
def test_the_head_of_a_piece_says_its_title_once(title: str, trail: str, said: str) -> None:
    assert head_of(title, trail) == said


def test_an_address_nobody_answers_is_told_within_seconds() -> None:
    options = {"aws_region": "x", "aws_access_key_id": "a", "aws_secret_access_key": "b", "allow_http": "true"}
    options |= {"aws_endpoint": "http://127.0.0.1:9", "client_max_retries": "0", "client_retry_timeout": "1"}
    with pytest.raises(MemError) as caught:
        DocumentTable(Address("s3://bucket/path", tuple(options.items()), None))
    assert caught.value.code == 5
    assert caught.value.message.startswith("the knowledge store at s3://bucket/path can't be used: ")
    assert len(caught.value.message) < 300


def test_tags_have_an_index_of_their_own(store: DocumentTable) -> None:
    indexed = {name: each.index_type for each in store._table.list_indices() for name in each.columns}  # type: ignore[union-attr]
    assert indexed["tags"] == "LabelList" and indexed["status"] == "Bitmap" and indexed["doc"] == "BTree"
