"""Talks and exports with values that make no sense are read as far as they go."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.features.learn.chats import turns_of_chat
from memcli.features.learn.exports import turns_of_json
from memcli.features.learn.find import find_atoms
from memcli.features.learn.transcript import USER, Utterance
from tests.conftest import Ran

Mem = Callable[..., Ran]


def test_an_impossible_time_is_no_time() -> None:
    turns = turns_of_chat("[2026-11-20 10:00] Anna: hi\n[25:61] Bob: hello\n[10:02] Anna: tea?\n", {"Anna"})
    assert turns and turns[0].text == "hi"


@pytest.mark.parametrize("at", [[], {"id": "a"}, 5])
def test_a_node_may_be_called_anything(at: object) -> None:
    value = {"mapping": {"a": {"message": None, "parent": at}}, "current_node": at}
    assert not turns_of_json(json.dumps([value]), print)


def test_a_long_sentence_and_a_strange_home_are_no_files(mem: Mem) -> None:
    long = mem("learn", "I live in Bonn and " + "walk " * 80)
    assert long.code == 2 and "is not a file" in long.err
    assert mem("learn", "~nosuchuser/x").code in (2, 3)


@pytest.mark.parametrize("odd", ["“", "我“", "【我", '{"a', "and "])
def test_a_row_of_signs_that_nobody_closes_is_read_through_once(odd: str) -> None:
    """Read so much that reading on from each sign to the end, as some patterns did, would take minutes."""
    assert not find_atoms([Utterance(USER, odd * 50_000, 1)])


def test_a_link_to_itself_is_told(mem: Mem, folder: Path) -> None:
    (folder / "loop.md").symlink_to("loop.md")
    ran = mem("learn", "loop.md")
    assert ran.code not in (0, 70) and "loop.md is not a file" in ran.err
