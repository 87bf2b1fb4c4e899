"""Known-item search over 306 documents: among the first ten passages stands the one that answers. `test_sets` looks after the sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memcli.features.ask import pipeline as deep
from memcli.features.ask import understand
from memcli.features.ask.pipeline import AskRequest
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.features import import_feature

HERE = Path(__file__).parent
EVERY = 5  # a run of all 736 gives the same figure and takes five times as long


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


QUESTIONS = read(HERE / "questions.jsonl")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    import_feature("memcli.features.knowledge")
    from tests.features.knowledge.shelves import document, lay

    vault = opened(tmp_path_factory.mktemp("corpus"))
    found = [each for file in sorted((HERE / "corpus").glob("*.jsonl")) for each in read(file)]
    lay(vault, [
        document(each["id"], each["text"], title=each["title"], tags=tuple(each["tags"]), date=each["date"], lang=each["lang"])
        for each in found
    ])  # fmt: skip
    return vault


def share(vault: Vault, questions: list[dict[str, Any]], said: Any) -> float:
    def holds(each: dict[str, Any]) -> bool:
        return " ".join(each["evidence"].split()) in " ".join(said(each["q"]).split())

    return sum(map(holds, questions)) / len(questions)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_words_alone_find_the_evidence_in_nine_of_ten(corpus: Vault, lang: str) -> None:
    some = [each for each in QUESTIONS if each["lang"] == lang][::EVERY]

    def said(question: str) -> str:
        return "\n".join(each.text for each in deep.ask(corpus, AskRequest(question, only=("knowledge",))).items)

    assert len(some) >= 50
    assert share(corpus, some, said) >= 0.9


def test_a_prompt_gets_it_in_three_hundred_tokens_in_three_of_four(corpus: Vault) -> None:
    assert share(corpus, QUESTIONS[:: 2 * EVERY], lambda question: deep.evidence(corpus, question).text) >= 0.75


def test_no_question_about_the_world_is_taken_for_small_talk_or_an_order() -> None:
    every = [*QUESTIONS, *read(HERE / "unanswerable.jsonl")]
    assert {understand.classify(each["q"])[0] for each in every} <= {understand.KNOWLEDGE, understand.MEMORY}
