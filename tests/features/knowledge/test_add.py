"""Putting documents on the shelf, and what happens to them there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from memcli.errors import UsageError
from memcli.evidence import Want
from memcli.features.knowledge import add as door
from memcli.features.knowledge import change, cut, store, text_copies
from memcli.features.knowledge.documents import KnowledgeDocument, UserMetadata
from memcli.features.knowledge.intake import AddedDocuments
from memcli.features.knowledge.sources import Options
from memcli.index import sync
from memcli.index.models import Model
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.index.conftest import model, model_folder  # noqa: F401

PAPERS = {
    "tea.md": "---\ntags: [drinks/tea]\ndate: 2025-03-02\n---\n# Tea\n\nLeaves are withered.\n\n## Green\n\n绿茶要杀青。\n",
    "sub/trees.txt": "A B-tree keeps its keys sorted.",
    "dump.jsonl": '{"id": "1", "title": "Kombucha", "text": "It is fermented."}\n{"id": "2", "title": "Kefir", "text": "Grains."}\n',
}


def nothing(text: str) -> tuple[str, list[str]]:
    return text, []


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A folder of documents outside the vault."""
    for name, text in PAPERS.items():
        (tmp_path / "papers" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "papers" / name).write_text(text, encoding="utf-8")
    return tmp_path / "papers"


def add(vault: Vault, *given: Path | str, options: Options = Options(), **more: Any) -> AddedDocuments:
    return door.add(vault, [str(each) for each in given], options, more.pop("redact", nothing), **more)


def shelved(vault: Vault, status: str = "active") -> dict[str, str]:
    """Title and text of all documents."""
    found = store.open_reader(vault)
    assert found
    listed = found.documents(Want(status=status))
    return {each.title: found.text(each.doc, each.version) for each in listed}


def test_a_folder_is_taken_in_and_found_again_by_its_words_tags_and_dates(vault: Vault, papers: Path) -> None:
    done = add(vault, papers, options=Options(UserMetadata(tags=("reading",), meta={"shelf": "3"})))
    assert (done.files, done.documents, done.broken) == (3, 4, [])
    there = store.open_reader(vault)
    assert there
    hit = there.words("杀青", 5, Want(tags=("reading", "drinks")))[0]
    assert (hit.row.title, hit.row.trail, hit.row.date) == ("Tea", "Tea", "2025-03-02")
    assert hit.meta == {"shelf": "3"}
    assert hit.row.origin == str(papers / "tea.md")
    assert {each.row.title for each in there.words("fermented grains", 5)} == {"Kombucha", "Kefir"}


def test_a_line_that_was_taken_out_of_its_file_goes_and_what_can_t_be_read_stays(vault: Vault, papers: Path) -> None:
    kombucha, kefir = PAPERS["dump.jsonl"].splitlines()
    add(vault, papers)
    (papers / "dump.jsonl").write_text(f"{kefir}\n", encoding="utf-8")
    assert add(vault).gone == 1
    assert {"Kefir", "Tea"} <= set(shelved(vault)) and "Kombucha" not in shelved(vault)
    (papers / "dump.jsonl").write_text(f'{kombucha}\n{{"id": "2", "ti\n', encoding="utf-8")  # half written
    assert add(vault).gone == 0
    assert {"Kefir", "Kombucha"} <= set(shelved(vault))
    (papers / "dump.jsonl").write_text('{"text": "cups cost 5 euros"}\n', encoding="utf-8")
    add(vault, options=Options(keep=True))
    assert {"Kefir", "Kombucha"} <= set(shelved(vault, "archived"))
    (papers / "dump.jsonl").write_text('{"text": "cups cost 7 euros"}\n', encoding="utf-8")
    add(vault)
    assert "cups cost 7 euros" in shelved(vault).values() and "cups cost 5 euros" not in shelved(vault).values()


def test_an_address_keeps_its_file_when_its_title_changes(vault: Vault) -> None:
    made = [
        text_copies.write_page(vault, KnowledgeDocument("https://tea.example/a", title, text, "web"))
        for title, text in (("Tea", "Leaves."), ("All about tea", "Leaves are withered."))
    ]
    assert made[0] == made[1] and "withered" in (vault.root / made[0]).read_text("utf-8")


def test_only_what_changed_is_read_again(vault: Vault, papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(vault, papers)
    (papers / "tea.md").write_text("# Tea\n\nLeaves are rolled.\n", encoding="utf-8")
    (papers / "new.md").write_text("Whey is what is left of cheese.", encoding="utf-8")
    (papers / "sub" / "trees.txt").touch()
    done = add(vault)
    assert (done.files, done.documents, done.replaced, done.unchanged) == (3, 2, 1, 3)
    assert shelved(vault)["Tea"] == "# Tea\n\nLeaves are rolled."
    monkeypatch.setattr(cut, "cut_pieces", None)  # nothing is left to cut
    assert add(vault).unchanged == 5


def test_a_file_that_is_gone_takes_its_document_along_but_a_drive_that_is_not_there_takes_none(
    vault: Vault, papers: Path
) -> None:
    add(vault, papers)
    (papers / "tea.md").unlink()
    assert add(vault).gone == 1
    assert "Tea" not in shelved(vault)
    papers.rename(papers.parent / "elsewhere")
    assert add(vault).gone == 0
    assert len(shelved(vault)) == 3
    assert any("is not here" in each for each in vault.notices)


def test_keep_archives_what_a_document_said_before(vault: Vault, papers: Path) -> None:
    add(vault, papers / "tea.md", options=Options(keep=True))
    (papers / "tea.md").write_text("# Tea\n\nLeaves are rolled.\n", encoding="utf-8")
    add(vault)
    assert "withered" in shelved(vault, "archived")["Tea"]
    (copy,) = (vault.root / "archive" / "knowledge").iterdir()
    assert "withered" in copy.read_text(encoding="utf-8")


def test_a_lost_shelf_is_made_anew_of_what_the_vault_says(vault: Vault, papers: Path) -> None:
    add(vault, papers, options=Options(UserMetadata(tags=("reading",)), keep=True))
    add(vault, text="# Note\n\nSourdough needs salt.\n")
    (papers / "tea.md").write_text("# Tea\n\nLeaves are rolled.\n", encoding="utf-8")
    add(vault)
    change.archive(vault, ["Kefir"])
    change.remove(vault, [str(papers / "sub" / "trees.txt")])
    before = {
        (each.origin, each.version if each.status == "active" else 0, each.status, each.title, *each.tags)
        for each in all_of(vault)
    }
    shutil.rmtree(vault.cache)
    add(vault)
    after = {
        (each.origin, each.version if each.status == "active" else 0, each.status, each.title, *each.tags)
        for each in all_of(vault)
    }
    assert {each[:1] + each[2:] for each in after} == {each[:1] + each[2:] for each in before}
    assert len(after) == 5
    assert "withered" in shelved(vault, "archived")["Tea"]


def all_of(vault: Vault) -> list[store.ShelvedDocument]:
    found = store.open_reader(vault)
    assert found
    return found.documents(Want(status=""))


def test_keep_without_a_path_keeps_the_old_version_of_whatever_changed(vault: Vault, papers: Path) -> None:
    add(vault, papers)
    (papers / "tea.md").write_text("# Tea\n\nLeaves are dried.\n", encoding="utf-8")
    add(vault, options=Options(keep=True))
    assert "withered" in shelved(vault, "archived")["Tea"] and "dried" in shelved(vault)["Tea"]
    (papers / "sub" / "trees.txt").unlink()
    add(vault, options=Options(keep=True))
    assert set(shelved(vault, "archived")) == {"Tea", "trees"}


def test_a_source_named_again_keeps_what_was_said_of_it(vault: Vault, papers: Path) -> None:
    add(vault, papers, options=Options(UserMetadata(tags=("reading",), meta={"shelf": "3"}), keep=True))
    for given in (UserMetadata(), UserMetadata(meta={"room": "2"})):
        for source in (papers, papers / "tea.md"):
            add(vault, source, options=Options(given))
    there = store.open_reader(vault)
    assert there
    assert all("reading" in each.tags and json.loads(each.meta)["shelf"] == "3" for each in there.documents(Want()))
    (papers / "tea.md").write_text("# Tea\n\nLeaves are dried.\n", encoding="utf-8")
    add(vault, papers)
    assert "withered" in shelved(vault, "archived")["Tea"]


def test_a_shelf_made_anew_keeps_versions_apart_and_what_was_restored(vault: Vault, papers: Path) -> None:
    add(vault, papers, options=Options(keep=True))
    (papers / "tea.md").write_text("# Tea\n\nIt is roasted.\n")
    add(vault)
    change.archive(vault, ["trees"])
    change.restore(vault, ["trees"])
    for _ in range(2):
        shutil.rmtree(vault.cache / "knowledge")
        add(vault)
        there = store.open_reader(vault)
        assert there
        versions = [(each.title, each.version, each.status) for each in there.documents(Want(status=""))]
        assert [each for each in versions if each[0] == "Tea"] == [("Tea", 1, "archived"), ("Tea", 2, "active")]
        assert "withered" in shelved(vault, "archived")["Tea"] and "roasted" not in shelved(vault, "archived")["Tea"]
        assert shelved(vault)["Tea"] == "# Tea\n\nIt is roasted." and "trees" in shelved(vault)
        assert "trees" not in shelved(vault, "archived")
    (papers / "tea.md").write_text("# Tea\n\nIt is smoked.\n")
    add(vault)
    texts = [path.read_text() for path in sorted((vault.root / "archive" / "knowledge").glob("tea-*.md"))]
    assert ["withered" in each for each in texts] == [True, False] and "roasted" in texts[1]


def test_whoever_is_interrupted_goes_on_where_it_was(
    vault: Vault, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "BATCH", 1)
    written = iter(range(2))

    def until_then(self: store.DocumentTable, *given: Any) -> None:
        next(written)
        whole(self, *given)

    whole = store.DocumentTable.write_rows
    with monkeypatch.context() as patch:
        patch.setattr(store.DocumentTable, "write_rows", until_then)
        with pytest.raises((StopIteration, RuntimeError)):
            add(vault, papers)
    assert len(shelved(vault)) == 3
    done = add(vault)
    assert len(shelved(vault)) == 4
    assert done.documents + done.unchanged == 4
    assert done.replaced == 0


def test_archived_and_removed_documents_stay_so_until_they_are_named(vault: Vault, papers: Path) -> None:
    add(vault, papers)
    change.archive(vault, ["Kefir"])
    change.remove(vault, [str(papers / "tea.md")])
    (papers / "tea.md").write_text("# Tea\n\nNew.\n", encoding="utf-8")
    assert add(vault).left_out == 1
    assert set(shelved(vault)) == {"Kombucha", "trees"}
    change.restore(vault, ["Kefir"])
    add(vault, papers / "tea.md")
    assert set(shelved(vault)) == {"Kombucha", "trees", "Kefir", "Tea"}
    with pytest.raises(UsageError):
        change.restore(vault, ["Kefir"])


def test_the_end_of_a_path_or_a_title_names_one_document_and_never_several(vault: Vault, papers: Path) -> None:
    (papers / "sub" / "tea.md").write_text("# Tea\n\nIt is roasted.\n")
    add(vault, papers)
    assert [each.origin for each in change.find_documents(vault, "trees.txt")] == [str(papers / "sub" / "trees.txt")]
    assert [each.origin for each in change.find_documents(vault, "sub/tea.md")] == [str(papers / "sub" / "tea.md")]
    for name in ("tea.md", "Tea"):
        with pytest.raises(UsageError, match="could be any of 2"):
            change.remove(vault, [name])
    assert len(change.remove(vault, [str(papers / "tea.md")])) == 1


def test_a_source_is_removed_with_all_of_its_documents(vault: Vault, papers: Path) -> None:
    add(vault, papers)
    add(vault, text="Sourdough needs salt.")
    assert len(change.remove(vault, [str(papers)])) == 4
    assert add(vault).files == 0
    assert len(shelved(vault)) == 1
    assert add(vault, papers).documents == 4


def test_a_document_of_the_vault_goes_to_its_archive(vault: Vault) -> None:
    (path,) = add(vault, text="# Note\n\nSourdough needs salt.").kept
    change.remove(vault, ["Note"])
    assert not (vault.root / path).exists()
    assert "Sourdough" in (vault.root / "archive" / path).read_text(encoding="utf-8")
    assert add(vault).documents == 0


def test_what_was_piped_in_is_kept_once(vault: Vault) -> None:
    for _ in range(2):
        (path,) = add(vault, text="Sourdough needs salt.", options=Options(UserMetadata("Bread", ("food",)))).kept
    assert path.startswith("knowledge/bread-")
    assert len(list((vault.root / "knowledge").iterdir())) == 1
    assert shelved(vault) == {"Bread": "Sourdough needs salt."}
    assert all_of(vault)[0].tags == ["food"]


def test_secrets_reach_neither_shelf_nor_disk(vault: Vault, papers: Path) -> None:
    def redact(text: str) -> tuple[str, list[str]]:
        return text.replace("hunter2", "[X]"), ["password"] if "hunter2" in text else []

    (papers / "tea.md").write_text("# hunter2\n\nIt is hunter2.\n", encoding="utf-8")
    add(vault, papers, redact=redact)
    add(vault, text="Again hunter2", redact=redact)
    assert "It is [X]." in shelved(vault)["[X]"]
    said = [path.read_bytes() for path in vault.root.rglob("*") if path.is_file()]
    assert not any(b"hunter2" in each for each in said)
    assert any(each.startswith("blacked out a password in ") for each in vault.notices)


def test_a_broken_file_stops_nothing_and_is_named(vault: Vault, papers: Path) -> None:
    (papers / "bad.md").write_bytes(b"\x00\x01\x02")
    (papers / "empty.md").write_text("\n")
    done = add(vault, papers)
    assert done.documents == 4
    assert {Path(each.origin).name for each in done.broken} == {"bad.md", "empty.md"}


def test_memories_are_no_documents(vault: Vault) -> None:
    (vault.root / "MEMORY.md").write_text("- I like tea\n")
    (vault.root / "notes").mkdir()
    (vault.root / "notes" / "a.md").write_text("- mine\n")
    (vault.root / "notes" / "b.txt").write_text("A manual.")
    with pytest.raises(UsageError):
        add(vault, vault.root)
    assert add(vault, vault.root / "notes").documents == 1
    assert any("memories, or links" in each for each in vault.notices)
    with pytest.raises(UsageError):
        add(vault, vault.root / "nowhere")


def test_a_vault_of_a_stranger_does_not_choose_what_is_read(vault: Vault, papers: Path) -> None:
    (vault.root / "journal").mkdir()
    (vault.root / "journal" / "knowledge.jsonl").write_text(json.dumps({"action": "add", "source": str(papers)}) + "\n")
    (vault.root / "knowledge").mkdir()
    (vault.root / "knowledge" / "out.md").symlink_to(papers / "tea.md")
    (vault.root / "knowledge" / "in.md").write_text("Sourdough needs salt.")
    assert add(vault).documents == 1
    assert any("was not named on this machine" in each for each in vault.notices)
    assert any("links that lead out" in each for each in vault.notices)
    assert add(vault, papers).documents == 4
    shutil.rmtree(vault.root / "knowledge")
    (vault.root / "knowledge").symlink_to(papers)
    assert add(vault).documents == 0
    assert any("knowledge leads out of the vault" in each for each in vault.notices)


def test_a_lost_book_costs_a_second_look_and_no_more(vault: Vault, papers: Path) -> None:
    add(vault, papers)
    (vault.cache / "knowledge" / "index.db").write_bytes(b"noise" * 999)
    done = add(vault)
    assert (done.files, done.documents, done.unchanged) == (3, 0, 4)


def test_the_nearest_source_says_how_a_file_is_taken_in(vault: Vault, papers: Path) -> None:
    add(vault, papers, options=Options(UserMetadata(tags=("all",))))
    add(vault, papers / "sub", options=Options(UserMetadata(tags=("deep",))))
    add(vault)
    add(vault, papers, options=Options(UserMetadata(tags=("all",))))
    assert {each.title: each.tags for each in all_of(vault)}["trees"] == ["deep"]


def test_vectors_are_computed_once_and_only_of_texts_the_model_reads(folder: Path, papers: Path, model: Model) -> None:  # noqa: F811
    vault = opened(folder, index__model="tiny")
    done = add(vault, papers)
    assert done.embedded == 3  # not the one in Chinese
    there = store.open_reader(vault)
    assert there and there.dim == model.dim and there.stats().vectors == 3
    (vault.cache / "knowledge" / "chunks.lance").rename(vault.root / "away")
    assert (again := add(vault)).embedded == 0 and again.known == 3


def test_another_model_makes_the_shelf_anew_and_says_so(folder: Path, papers: Path, model: Model) -> None:  # noqa: F811
    add(opened(folder), papers)
    vault = opened(folder, index__model="tiny")
    assert add(vault).documents == 4
    assert vault.notices == ["the model is tiny now, it was none: the knowledge store is made anew"]
    assert add(vault).unchanged == 4


def test_a_damaged_shelf_is_made_anew_and_said(vault: Vault, papers: Path) -> None:
    add(vault, papers)
    for file in vault.cache.rglob("*.lance"):
        if file.is_file():
            file.write_bytes(b"noise")
    store.open_table.cache_clear()
    assert add(vault).documents == 4
    assert any("made anew" in each for each in vault.notices)


def test_the_shelf_is_put_in_order_now_and_then(vault: Vault, papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync, "WRITES", 3)
    add(vault, papers)
    for number in range(3):
        (papers / "tea.md").write_text(f"# Tea\n\nVersion {number}.\n")
        add(vault)
    there = store.open_reader(vault)
    assert there and max(there.stats().indexes.values()) <= 1


def test_the_journal_is_all_that_is_kept_of_it(vault: Vault, papers: Path) -> None:
    add(vault, papers, options=Options(UserMetadata(tags=("reading",)), 300, True))
    add(vault, papers, options=Options(UserMetadata(tags=("reading",)), 300, True))
    (line,) = (vault.root / "journal" / "knowledge.jsonl").read_text().splitlines()
    assert json.loads(line) | {"at": ""} == {
        "at": "", "by": "me", "action": "add", "source": str(papers), "tags": ["reading"], "limit": 300, "keep": True,
    }  # fmt: skip


def test_another_limit_cuts_an_unchanged_document_anew(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "mill.md").write_text(
        "# Mill\n\n" + "".join(f"River {n} runs past the old mill.\n\n" for n in range(60)), encoding="utf-8"
    )
    whole = add(vault, tmp_path / "mill.md").chunks
    assert add(vault, tmp_path / "mill.md", options=Options(limit=60)).chunks > whole
    assert add(vault, tmp_path / "mill.md", options=Options(limit=60)).chunks == 0
