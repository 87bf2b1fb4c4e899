"""With a model, the watcher keeps the index and its own eye for meaning up to date, and asks by meaning too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.index import memory_table
from tests.conftest import Ran
from tests.index.tiny import build
from tests.watch.conftest import Watched, start, until

Mem = Callable[..., Ran]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("models") / "tiny")


def by_meaning(mem: Mem, question: str) -> str:
    """What only meaning finds."""
    said = json.loads(mem("recall", question, "--json").out)
    return " ".join(memory["text"] for memory in said["memories"]) if said["matched"] else ""


def test_a_model_chosen_while_it_runs_is_taken_up(watched: Watched, mem: Mem, tiny: Path) -> None:
    (watched.folder / "notes" / "plans.md").write_text("- our sabbatical is in June\n", encoding="utf-8")
    assert "sabbatical" not in by_meaning(mem, "holiday")
    assert mem("model", "add", str(tiny)).code == 0
    assert mem("model", "use", "tiny").code == 0
    until(lambda: watched.status()["meaning"])
    assert "sabbatical" in by_meaning(mem, "holiday")
    assert watched.answers(lambda: mem("recall", "holiday", "--semantic")) == mem(
        "recall", "holiday", "--semantic", MEM_LANE="off"
    )
    (watched.folder / "notes" / "dog.md").write_text("- the puppy is called Rex\n", encoding="utf-8")
    until(lambda: "Rex" in by_meaning(mem, "dog"))
    (watched.folder / "notes" / "dog.md").unlink()
    assert "Rex" not in mem("recall", "dog").out
    assert watched.status()["trouble"] == ""


def test_a_broken_index_is_made_anew_and_recall_goes_on(notes: Path, mem: Mem, tiny: Path) -> None:
    assert mem("model", "add", str(tiny)).code == 0
    assert mem("model", "use", "tiny").code == 0
    with start(notes) as watched:
        until(lambda: watched.status()["meaning"])
        for path in (notes / ".mem" / memory_table.FOLDER).rglob("*"):
            if path.is_file():
                path.write_bytes(b"rubbish")
        (notes / ".mem" / "index.db").write_bytes(b"rubbish")
        (notes / "notes" / "tea.md").write_text("- green tea at four\n", encoding="utf-8")
        assert "green tea" in mem("recall", "tea").out
        until(lambda: "green tea" in by_meaning(mem, "drink"))
        until(lambda: mem("index", "--check").code == 0)  # the watcher may still be writing


def test_a_kill_in_the_middle_of_a_refresh_leaves_something_to_go_on_with(notes: Path, mem: Mem, tiny: Path) -> None:
    (notes / "many.md").write_text("".join(f"- tea number {n} was drunk\n" for n in range(3000)), encoding="utf-8")
    assert mem("model", "add", str(tiny)).code == 0
    assert mem("model", "use", "tiny").code == 0
    with start(notes) as first:
        until((notes / ".mem" / "index.db").exists)
        first.process.kill()
        first.process.wait()
        with start(notes) as second:
            until(lambda: second.status()["meaning"])
            assert mem("index", "--check").code == 0
