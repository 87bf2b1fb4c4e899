"""`mem knowledge` through its real process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran

Mem = Callable[..., Ran]


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "tea.md").write_text(
        "---\ndate: 2025-03-02\n---\n# Tea\n\nLeaves are withered. 绿茶要杀青。\n"
    )
    (tmp_path / "papers" / "bad.pdf").write_bytes(b"%PDF-1.4 nonsense")
    return tmp_path / "papers"


def test_documents_are_added_listed_shown_archived_restored_and_removed(mem: Mem, folder: Path, papers: Path) -> None:
    ran = mem("knowledge", "add", ".", "-t", "reading", "--meta", "shelf=3", cwd=papers)
    assert (ran.code, ran.out) == (0, "1 document in 1 piece, 1 left out\n")
    assert ran.err.startswith(f"left out: {papers}/bad.pdf: ")
    (told,) = json.loads(mem("knowledge", "list", "-t", "reading", "--json").out)["documents"]
    assert (told["title"], told["date"], told["meta"], told["version"]) == ("Tea", "2025-03-02", {"shelf": "3"}, 1)
    id = told["doc"][:8]
    assert mem("knowledge", "list").out.split() == [id, "v1", "2025-03-02", "Tea", f"{papers}/tea.md"]
    assert "绿茶要杀青" in mem("knowledge", "show", "tea.md", cwd=papers).out
    assert mem("knowledge", "archive", id).out == f"archived {id}  Tea  {papers}/tea.md\n"
    assert mem("knowledge", "list").out == ""
    assert "archived" in mem("knowledge", "list", "--all").out
    assert mem("knowledge", "restore", "Tea").code == 0
    assert json.loads(mem("knowledge", "stats", "--json").out)["documents"] == 1
    assert "1 document in 1 piece, words only" in mem("status").out
    assert "✓ knowledge: 1 document" in mem("doctor").out
    assert mem("knowledge", "remove", id).code == 2
    assert mem("knowledge", "remove", id, "--yes").out == f"removed {id}  Tea  {papers}/tea.md\n"
    assert json.loads(mem("knowledge", "list", "--json").out)["documents"] == []


def test_what_is_piped_in_is_kept_without_its_secrets(mem: Mem, folder: Path) -> None:
    ran = mem(
        "knowledge", "add", "-", "--title", "Notes", "--json", stdin="The password: hunter2xyz. Call +86 138 0013 8000."
    )
    done = json.loads(ran.out)
    assert (done["documents"], len(done["kept"])) == (1, 1)
    assert done["notices"] == ["blacked out a password in what was given"]
    text = (folder / done["kept"][0]).read_text()
    assert "hunter2xyz" not in text
    assert "138 0013 8000" in text


def test_what_can_not_be_done_is_told_with_the_way_out(mem: Mem, folder: Path) -> None:
    for words, code, said in [
        (("add",), 0, "nothing to read: mem knowledge add PATH names a source"),
        (("list",), 0, ""),
        (("add", "nowhere"), 2, "no such file or folder"),
        (("add", "-"), 2, "nothing was piped in"),
        (("add", "-t", "x"), 2, "belong to a source"),
        (("add", "x", "--meta", "x"), 2, "KEY=VALUE"),
        (("add", "x", "--engine", "steam"), 2, "local or ray"),
        (("show", "x"), 2, "no known document is called 'x'"),
    ]:
        ran = mem("knowledge", *words)
        assert (ran.code, said in ran.out + ran.err) == (code, True), (words, ran)
    (folder / "other").mkdir()
    ran = mem("knowledge", "stats", MEM_VAULT=str(folder / "other"))
    assert (ran.code, ran.out, ran.err) == (0, "", "no documents yet: mem knowledge add PATH\n")


def test_what_a_person_wrote_below_a_typed_text_stays_when_it_is_typed_again(mem: Mem, folder: Path) -> None:
    for _ in range(2):
        assert mem("knowledge", "add", "-", "--title", "Tap", stdin="The tap drips when the washer is worn.").code == 0
        (copy,) = (folder / "knowledge").glob("tap-*.md")
        copy.write_text(copy.read_text("utf-8") + "hand line\n", encoding="utf-8")
    assert copy.read_text("utf-8").count("hand line") == 2
