"""What is asked is read by rules: the kind of question, its words, which documents are meant, whom "it" means."""

from __future__ import annotations

import json
import time
from datetime import date
from pathlib import Path

import pytest

from memcli.evidence import Want
from memcli.features.ask import understand
from memcli.features.ask.understand import by_rules, classify, entities, keywords, resolve
from memcli.text import phrases
from memcli.text.phrases import LANGUAGES
from memcli.text.tables import rows
from tests.rows import check_rows

TODAY = date(2026, 11, 21)
ASKED = [json.loads(line) for line in (Path(__file__).parent / "asked.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_kind_of_a_question_is_told_in_nine_of_ten() -> None:
    assert len(ASKED) >= 80
    right = sum(classify(each["text"])[0] == each["intent"] for each in ASKED)
    assert right / len(ASKED) >= 0.9


@check_rows("each", [e for e in ASKED if e["intent"] in ("memory", "knowledge")], ids=lambda e: e["text"])
def test_no_question_is_taken_for_small_talk_or_an_order(each: dict[str, str]) -> None:
    assert classify(each["text"])[0] in ("memory", "knowledge")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("how do I descale the espresso machine?", ("descale", "espresso", "machine")),
        ("龙井和碧螺春有什么区别", ("龙井和碧螺春", "区别")),
        ("Ray 和 Spark 哪个更适合批处理", ("Ray", "Spark", "更适合批处理")),
        ("what is it", ()),
    ],
)
def test_the_words_that_carry_a_question(text: str, said: tuple[str, ...]) -> None:
    assert keywords(text) == said


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Which year did Port Orvane flood?", ("Port Orvane",)),
        ("what does HNSW do better than ivf_pq2", ("HNSW", "ivf_pq2")),
        ("《山海经》里有没有鱼", ("山海经",)),
        ("The bridge at Lyon", ("Lyon",)),
        ("how does it work", ()),
    ],
)
def test_names_are_found_as_they_are_written(text: str, named: tuple[str, ...]) -> None:
    assert entities(text) == named


def said(*texts: str) -> list[tuple[str, str]]:
    return [("user", text) for text in texts]


@pytest.mark.parametrize(
    ("before", "now", "meant"),
    [
        ("tell me about the Orvane bridge", "who built it?", "who built Orvane?"),
        ("is Dana Okafor a chemist", "where does she teach?", "where does Dana Okafor teach?"),
        ("explain HNSW", "what are its parameters", "what are HNSW's parameters"),
        ("龙井是什么茶，《茶经》写过吗", "它是谁写的？", "茶经是谁写的？"),
        ("刹车片什么时候该换", "它多少钱", "它多少钱 (刹车片 该换)"),
        ("how is oolong tea oxidised", "and green tea?", "and green tea? (oolong tea oxidised)"),
    ],
)
def test_what_only_the_talk_explains_is_put_in(before: str, now: str, meant: str) -> None:
    assert resolve(now, said(before)) == meant


@pytest.mark.parametrize(
    "now",
    [
        "is it safe to reheat rice",
        "what time is it in Lyon",
        "who built the Orvane bridge?",
        "吉他怎么调音",
        "其他人的看法呢",
        "how is bread made from rye and barley flour at home",
    ],
)
def test_what_stands_alone_is_left_alone(now: str) -> None:
    assert resolve(now, said("tell me about HNSW")) == now


def test_without_a_talk_before_nothing_is_put_in() -> None:
    assert resolve("who built it?", []) == "who built it?"


@check_rows(
    ("text", "want"),
    [
        ("tag:ml type:paper reranking", Want(("ml",), ("paper",))),
        ("what about #cache project:orca status:archived", Want(("cache",), project="orca", status="archived")),
        ("papers from 2024 about reranking", Want(since=date(2024, 1, 1), until=date(2024, 12, 31))),
        ("notes written last week", Want(since=date(2026, 11, 9), until=date(2026, 11, 15))),
        ("上周的文档里有没有缓存", Want(since=date(2026, 11, 9), until=date(2026, 11, 15))),
        ("2024年发表的论文", Want(since=date(2024, 1, 1), until=date(2024, 12, 31))),
        ("what happened in the 2019 flood", Want()),
        ("2019年的洪水有多大", Want()),
        ("C# and F#, which is older?", Want()),
    ],
)
def test_only_what_says_so_filters_documents(text: str, want: Want) -> None:
    assert by_rules(text, TODAY).want == want


def test_filters_are_no_words_of_the_question() -> None:
    found = by_rules("tag:ml what is #reranking type:paper", TODAY)
    assert found.query == "what is reranking"


@pytest.mark.parametrize(
    "part",
    [
        "哈",
        "hi ",
        "ha",
        "a-",
        "Aa ",
        "how can ",
        "papers in ",
        "…",
        "[",
        "#",
        "tag:",
        "好的",
        "é",
        "it is ",
        "1",
        "把",
        '"',
        "他 ",
    ],
)
def test_no_question_takes_long_to_read(part: str) -> None:
    began = time.process_time()
    by_rules(part * 2000 + "\u4e00x", TODAY, [("user", part * 2000)])
    assert time.process_time() - began < 5  # one that never ends, not one that is slow


def test_every_sign_takes_its_examples_and_leaves_its_counterexamples() -> None:
    for language in LANGUAGES:
        table = Path(understand.__file__).parent / "language" / language / "understand.txt"
        for row in rows(table, examples=True):
            assert row.get("takes") and row.get("leaves"), row
            for text in row["takes"]:
                assert understand.says(row["sign"][0], text), (row["sign"], text)
            for text in row["leaves"]:
                assert not understand.says(row["sign"][0], text), (row["sign"], text)


def test_only_the_language_of_a_text_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    phrases.table.cache_clear()
    monkeypatch.setattr(phrases, "rows", lambda path: read.append(path.parent.name) or rows(path))
    phrases.pattern.cache_clear()
    classify("Who built the bridge?")
    assert set(read) == {"en"}
    classify("谁造了这座桥？")
    assert set(read) == {"en", "zh"}
