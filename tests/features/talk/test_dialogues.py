"""The labelled dialogues that topic shifts are measured on: whole, balanced, and fit to be trusted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any


def _read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (Path(__file__).parent / name).open(encoding="utf-8")]


DIALOGUES = _read("dialogues.jsonl")
MORE = _read("dialogues_more.jsonl")  # came later, and are terser; "fresh" among them was never tuned on


def test_every_dialogue_is_a_talk_of_two_who_take_turns() -> None:
    for dialogue in [*DIALOGUES, *MORE]:
        assert set(dialogue) == {"id", "lang", "split", "turns"}
        assert 8 <= len(dialogue["turns"]) <= 20, dialogue["id"]
        for number, turn in enumerate(dialogue["turns"]):
            assert set(turn) == {"role", "content", "shift"}
            assert turn["role"] == ("user", "assistant")[number % 2], (dialogue["id"], number)
            assert turn["content"].strip()


def test_only_a_users_later_words_open_another_topic() -> None:
    for dialogue in [*DIALOGUES, *MORE]:
        shifts = [number for number, turn in enumerate(dialogue["turns"]) if turn["shift"]]
        assert len(shifts) <= 3
        assert all(number > 0 and number % 2 == 0 for number in shifts), dialogue["id"]


def test_both_languages_and_both_halves_are_there_in_like_number() -> None:
    kinds = Counter((dialogue["lang"], dialogue["split"]) for dialogue in DIALOGUES)
    assert set(kinds) == {("en", "dev"), ("en", "held"), ("zh", "dev"), ("zh", "held")}
    assert min(kinds.values()) >= 20
    without = sum(not any(turn["shift"] for turn in dialogue["turns"]) for dialogue in DIALOGUES)
    assert without >= 20, "talks that never leave their topic are what false alarms are seen on"


def test_the_later_ones_are_as_many_as_they_claim() -> None:
    kinds = Counter((dialogue["lang"], dialogue["split"]) for dialogue in MORE)
    assert kinds == {("zh", "dev"): 40, ("en", "dev"): 20, ("zh", "fresh"): 16, ("en", "fresh"): 16}
    without = sum(not any(turn["shift"] for turn in dialogue["turns"]) for dialogue in MORE)
    assert without >= 20


def test_no_dialogue_is_there_twice() -> None:
    everything = [*DIALOGUES, *MORE]
    assert len({dialogue["id"] for dialogue in everything}) == len(everything)
    texts = Counter(turn["content"] for d in everything for turn in d["turns"] if len(turn["content"]) > 14)
    assert not [text for text, times in texts.items() if times > 1]
