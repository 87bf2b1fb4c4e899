"""A change of topic is seen, and what only looks like one is not; measured on dialogues written by somebody else."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.errors import MissingPart
from memcli.features.talk.model_rewrite import is_shift
from memcli.features.talk.topic import topic_shift
from memcli.text.entities import entities
from tests.conftest import opened
from tests.features.talk.test_dialogues import DIALOGUES, MORE
from tests.rows import check_rows

FLAT = [
    "My landlord wants to raise the rent by 18 percent.",
    "That is above most caps; check the local index.",
    "He announced it by text message.",
    "It has to be in writing, on paper.",
]
REDIS = ["How do I set a TTL on a key in Redis?", "Use EXPIRE key seconds."]
SOUP = ["番茄牛腩汤要炖多久？", "小火一个半小时。", "要不要先焯水", "要，冷水下锅，加姜片。"]


LATER = [dialogue for dialogue in MORE if dialogue["split"] == "dev"]  # "fresh" is nobody's to look at every day


def f1(dialogues: Sequence[dict[str, Any]], language: str) -> float:
    """Over all user turns but the first of each dialogue, with all that was said before them."""
    hits = missed = wrong = 0
    for dialogue in dialogues:
        turns = dialogue["turns"]
        for at in range(2, len(turns), 2):
            if dialogue["lang"] in (language, language or dialogue["lang"]):
                before = [turn["content"] for turn in turns[:at]]
                found, wanted = topic_shift(before, turns[at]["content"]) is not None, turns[at]["shift"]
                hits, missed, wrong = (
                    hits + (found and wanted),
                    missed + (wanted and not found),
                    wrong + (found and not wanted),
                )
    return 2 * hits / (2 * hits + missed + wrong)


@pytest.mark.parametrize(("language", "least"), [("", 0.85), ("en", 0.87), ("zh", 0.82)])
def test_shifts_of_the_labelled_dialogues_by_rules_alone(language: str, least: float) -> None:
    """The goal is 0.85 for both languages together; of each, these are floors under what was reached."""
    assert f1(DIALOGUES, language) >= least


@pytest.mark.parametrize(("language", "least"), [("", 0.73), ("en", 0.65), ("zh", 0.76)])
def test_shifts_of_the_later_dialogues_which_are_terser(language: str, least: float) -> None:
    """They are made of the short questions that rules know least about. Floors, below the goal: it is not reached here."""
    assert f1(LATER, language) >= least


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (FLAT, "My cat has been limping since yesterday, should I take her to the vet?"),
        (FLAT, "On another note, which lens is best for portraits?"),
        (FLAT, "Change of subject."),
        (REDIS, "How do I back up a PostgreSQL database?"),
        (SOUP, "对了，我的自行车链条老是掉，怎么修？"),
        (SOUP, "换个话题吧"),
        (SOUP, "笔记本蓝屏了，重装系统要备份哪些文件？"),
    ],
)
def test_another_topic_is_a_shift(before: Sequence[str], now: str) -> None:
    found = topic_shift(before, now)
    assert found and 0.5 <= found.score <= 1 and found.why


@check_rows(
    ("before", "now"),
    [
        (FLAT, "Why?"),
        (FLAT, "and what about the deposit?"),
        (FLAT, "By the way, does the index apply to furnished flats too?"),
        (FLAT, "ok thanks"),
        (FLAT, "Could he evict me for that?"),
        (REDIS, "Can I do that in PostgreSQL?"),
        (SOUP, "那土豆什么时候放呢"),
        (SOUP, "为什么"),
        (SOUP, "好的"),
        (SOUP, "牛肉还是有点硬怎么办"),
        ([], "Which lens is best for portraits?"),
        (FLAT, "   "),
    ],
)
def test_a_follow_up_is_none(before: Sequence[str], now: str) -> None:
    assert topic_shift(before, now) is None


def test_entities_are_names_numbers_and_technical_terms() -> None:
    assert {"lisbon", "ella", "28", "max_size"} <= entities("We meet Ella in Lisbon, take tram 28, and set max_size.")
    assert {"redis", "边城", "2026"} <= entities("用 Redis 做缓存，2026 年再读《边城》")
    assert entities("nothing here to name") == set()


@given(st.lists(st.text(max_size=60), max_size=7), st.text(max_size=120))
def test_any_text_gives_an_answer_and_always_the_same(before: list[str], now: str) -> None:
    assert topic_shift(before, now) == topic_shift(before, now)


def test_a_model_confirms_or_does_not(folder: Path) -> None:
    script = folder.parent / "llm.py"
    for said in (True, False):
        script.write_text(f"print({json.dumps(json.dumps({'shift': said}))})", encoding="utf-8")
        assert is_shift(opened(folder, llm__command=f"{sys.executable} {script}"), FLAT, "And my cat?") is said
    with pytest.raises(MissingPart):
        is_shift(opened(folder), FLAT, "And my cat?")
