"""The documents and questions that deep search is measured on: every answer is where its question says it is."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


DOCUMENTS = {row["id"]: row for path in sorted((HERE / "corpus").glob("*.jsonl")) for row in rows(path)}
QUESTIONS = rows(HERE / "questions.jsonl")
UNANSWERABLE = rows(HERE / "unanswerable.jsonl")


def length(text: str) -> int:
    """Words, or characters where Chinese is written."""
    return len(re.findall(r"[\u4e00-\u9fff]", text)) or len(text.split())


def test_documents_are_many_in_both_languages_and_none_is_there_twice() -> None:
    assert len(DOCUMENTS) == sum(len(rows(path)) for path in (HERE / "corpus").glob("*.jsonl")) >= 300
    langs = Counter(row["lang"] for row in DOCUMENTS.values())
    assert set(langs) == {"en", "zh"} and min(langs.values()) >= 145
    assert (
        len({row["title"] for row in DOCUMENTS.values()})
        == len({row["text"] for row in DOCUMENTS.values()})
        == len(DOCUMENTS)
    )


def test_a_document_has_a_title_tags_a_day_and_a_text_of_its_size() -> None:
    for row in DOCUMENTS.values():
        assert set(row) == {"id", "title", "text", "tags", "date", "lang"}
        assert row["title"] and row["tags"] and date.fromisoformat(row["date"])
        assert 60 <= length(row["text"]) <= 1200, row["id"]
    long = [row for row in DOCUMENTS.values() if length(row["text"]) >= 800]
    assert len(long) >= 12 and all(row["text"].count("\n# ") >= 4 for row in long)


def test_documents_stand_in_clusters_so_that_search_is_hard() -> None:
    near = Counter(tag for row in DOCUMENTS.values() for tag in row["tags"])
    assert sum(times >= 7 for times in near.values()) >= 20


def test_the_evidence_of_a_question_is_in_its_document_and_points_at_one_place() -> None:
    for row in QUESTIONS:
        assert set(row) == {"q", "lang", "docs", "evidence", "kind"}
        first, *others = row["docs"]
        assert DOCUMENTS[first]["text"].count(row["evidence"]) == 1, row["q"]
        assert row["lang"] == DOCUMENTS[first]["lang"] and all(other in DOCUMENTS for other in others)
        elsewhere = {name for name, document in DOCUMENTS.items() if row["evidence"] in document["text"]}
        assert elsewhere <= set(row["docs"]), row["q"]


def test_questions_are_of_all_kinds_and_each_is_asked_once() -> None:
    assert len({row["q"] for row in QUESTIONS}) == len(QUESTIONS) >= 160
    for lang in ("en", "zh"):
        mine = [row for row in QUESTIONS if row["lang"] == lang]
        share = {kind: number / len(mine) for kind, number in Counter(row["kind"] for row in mine).items()}
        assert set(share) == {"word", "paraphrase", "detail", "cross"}
        assert 0.45 <= len(mine) / len(QUESTIONS) <= 0.55
        assert share["paraphrase"] >= 0.4 and 0.3 <= share["word"] <= 0.45
    assert all(len(row["docs"]) > 1 for row in QUESTIONS if row["kind"] == "cross")


def test_what_no_document_answers_is_asked_too() -> None:
    asked = {row["q"] for row in UNANSWERABLE}
    assert len(asked) == len(UNANSWERABLE) == 30 and not asked & {row["q"] for row in QUESTIONS}
    assert Counter(row["lang"] for row in UNANSWERABLE) == {"en": 15, "zh": 15}
