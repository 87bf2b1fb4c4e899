"""A model's words in a snapshot: later, held to what the rules are held to, and never over a person's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memcli.features.talk.ending import end_session
from memcli.features.talk.model_rewrite import breaks
from memcli.jobs import work
from memcli.session import start
from memcli.vault import queue
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.features.talk.talks import talked
from tests.features.talk.test_ending import ASKED, DONE, parts
from tests.told_model import asked, model

GOOD = {"wanted": "a table at the Harbour for four", "limits": "no nuts", "outcome": "Friday 27 November, 19:30"}


def ended(folder: Path, tmp_path: Path, told: dict[str, str]) -> tuple[Vault, str]:
    """A talk that has ended, and the file of its snapshot; the model will tell this of it."""
    tmp_path.joinpath("model").mkdir()
    vault = opened(folder, llm__command=model(tmp_path / "model", json.dumps(told)), llm__offline=False)
    session = start(vault)
    talked(vault, session, ASKED, DONE, tools=("book_table",))
    return vault, end_session(vault, session).snapshots[0]


@pytest.mark.slow
def test_a_model_writes_it_later_in_place_of_the_rules(folder: Path, tmp_path: Path) -> None:
    vault, path = ended(folder, tmp_path, GOOD)
    front, by_rules = parts(vault, path)
    weight = by_rules[by_rules.index("[importance::") :]
    assert "Wanted: a table" not in by_rules and not (tmp_path / "model" / "asked.jsonl").exists()
    assert not work(vault).failed
    assert parts(vault, path) == (
        front,
        f"Wanted: a table at the Harbour for four. Limits: no nuts. Outcome: Friday 27 November, 19:30. {weight}",
    )
    assert DONE in asked(tmp_path / "model")[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"outcome": "Friday at 20:30"}, "nobody said 20:30"),
        ({"outcome": "Ella booked it"}, "nobody said ella"),
        ({"outcome": " ".join(["table"] * 70)}, "long, and 45 are the most"),
        (dict.fromkeys(GOOD, ""), "the model told nothing"),
    ],
)
def test_what_nobody_said_or_is_too_long_leaves_the_rules_words(
    folder: Path, tmp_path: Path, changed: dict[str, str], why: str
) -> None:
    vault, path = ended(folder, tmp_path, GOOD | changed)
    before = parts(vault, path)
    assert not work(vault).failed
    assert parts(vault, path) == before and any(why in note for note in vault.notices)


@pytest.mark.slow
def test_what_a_person_wrote_into_it_or_took_away_stays_so(folder: Path, tmp_path: Path) -> None:
    vault, path = ended(folder, tmp_path, GOOD)
    (folder / path).write_text("---\nexpires: 2026-11-28\n---\nThe table is for five.\n", encoding="utf-8")
    assert not work(vault).failed
    assert parts(vault, path)[1] == "The table is for five.\n"
    (folder / path).unlink()
    work(vault, again=True)
    assert not (folder / path).exists()


def test_without_a_model_nothing_waits(folder: Path) -> None:
    vault = opened(folder)
    session = start(vault)
    talked(vault, session, ASKED, DONE, tools=("book_table",))
    assert end_session(vault, session).snapshots and not queue.jobs(vault)


def test_a_chinese_one_is_measured_in_characters(vault: Vault) -> None:
    talk = talked(vault, start(vault), "帮我订周五晚上七点的位子，四个人，不要辣", "订好了，周五19:00，海港餐厅。")
    messages = talk[-1].session.messages
    assert not breaks(
        {"wanted": "订周五晚上七点的位子，四个人", "limits": "不要辣", "outcome": "海港餐厅，19:00"}, messages
    )
    assert "100 are the most" in breaks({"wanted": "订位子" * 40}, messages)
    assert breaks({"wanted": "订周五20:00的位子"}, messages) == "nobody said 20:00"
