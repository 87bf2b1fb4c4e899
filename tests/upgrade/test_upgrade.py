"""A vault that an older `mem` has laid, with its index, tables, journal and undo, goes on as if nothing had happened.

`vault-of-21-november.tar.xz` was made by `mem` as it was on that day: `init`, six kinds of memories, a document, a
session, `index`. It is never made anew; a later format gets a second one beside it.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest

from tests.conftest import Ran
from tests.features import needs

Mem = Callable[..., Ran]
OLD = sorted(Path(__file__).parent.glob("*.tar.xz"))


@pytest.fixture(params=OLD, ids=lambda path: path.name)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    with tarfile.open(request.param) as archive:
        for member in archive:
            if file := archive.extractfile(member):
                place = tmp_path / member.name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(file.read())
    return tmp_path / "v"


def test_there_is_an_old_vault() -> None:
    assert OLD


def test_all_of_it_is_recalled_and_the_tables_are_brought_up_to_date(mem: Mem, old: Path) -> None:
    def run(*words: str) -> str:
        done = mem("--vault", str(old), *words)
        assert done.code == 0, (words, done.err)
        return done.out

    before = {path: path.read_bytes() for path in old.rglob("*.md") if ".mem" not in path.parts}
    assert "Redis replaces the local cache" in run("recall", "why redis")
    assert "Anna is afraid of dogs" in run("recall", "dogs")
    assert "Basel" in run("profile", "list")
    assert "tea" in run("prefer", "list")
    assert "Example Road" in run("label", "list")
    assert "short" in run("state", "list")
    run("status")
    run("doctor")
    run("index")
    assert "Anna" in run("recall", "dogs")
    assert {path: path.read_bytes() for path in before} == before, "reading and indexing changes no note"


@needs("knowledge")
def test_its_documents_are_listed(mem: Mem, old: Path) -> None:
    assert "zebra" in mem("--vault", str(old), "knowledge", "list").out


@needs("knowledge", "ask")
def test_its_documents_answer(mem: Mem, old: Path) -> None:
    assert "its own stripes" in mem("--vault", str(old), "ask", "--evidence", "does a zebra have stripes").out


def test_what_was_written_before_is_taken_back_after_what_is_written_now(mem: Mem, old: Path) -> None:
    assert mem("--vault", str(old), "add", "Bruno is afraid of cats").code == 0
    assert mem("--vault", str(old), "undo").code == 0
    assert "cats" not in mem("--vault", str(old), "recall", "Bruno").out
    taken_back = mem("--vault", str(old), "undo")
    assert taken_back.code == 0, taken_back.err
    assert "short" not in mem("--vault", str(old), "state", "list").out


def test_without_its_cache_it_says_the_same(mem: Mem, old: Path) -> None:
    words = ("--vault", str(old), "recall", "what about the cache and the dogs")
    kept = mem(*words).out
    rmtree(old / ".mem")
    assert mem(*words).out == kept
