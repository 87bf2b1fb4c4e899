"""Learning by a model: a real program that answers well, badly, or with what nobody said."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memcli import llm
from memcli.errors import UsageError
from memcli.features.learn import model, transcript
from memcli.features.learn.proposing import propose
from memcli.remember.atoms import Atom, LearnResult
from memcli.remember.proposals import ONCE, why_not
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.features.learn.measures.learn import Score, score
from tests.features.learn.test_by_others import SETS as ALL

CHAT = "User: I never wear hats.\nI usually take the stairs, my mail is tom@example.com.\nAssistant: You live in Berlin.\nUser: bye"
HATS = {
    "type": "preference", "text": "Tom wears no hats", "key": "hats", "value": "none", "message": 0,
    "quote": "I never wear hats", "lasting": True, "confidence": 0.9,
}  # fmt: skip


@pytest.fixture
def told(folder: Path, tmp_path: Path) -> Callable[..., tuple[LearnResult, Vault, str]]:
    """What is proposed when the model gives these answers in turn, and what it was asked."""

    def ask(*answers: object, rules: bool = False) -> tuple[LearnResult, Vault, str]:
        said = tmp_path / "asked.txt"
        said.write_text("", encoding="utf-8")
        (tmp_path / "answers.json").write_text(
            json.dumps([a if isinstance(a, str) else json.dumps(a) for a in answers]), encoding="utf-8"
        )
        (tmp_path / "model.py").write_text(
            f"import json, sys\nsaid, answers = {str(said)!r}, {str(tmp_path / 'answers.json')!r}\n"
            "open(said, 'a', encoding='utf-8').write(sys.stdin.buffer.read().decode() + '\\0')\n"
            "turn = open(said, encoding='utf-8').read().count('\\0')\n"
            "sys.stdout.buffer.write(json.load(open(answers))[turn - 1].encode())\n",
            encoding="utf-8",
        )
        command = f"{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'model.py'))}"
        vault = opened(folder, llm__command=command, llm__timeout=20.0)
        return propose(vault, CHAT, rules=rules), vault, said.read_text(encoding="utf-8")

    return ask


def of_model(found: LearnResult) -> list[Atom]:
    """What the model named; beside it stands what the rules found and it did not."""
    return [atom for atom in found.atoms if atom.why == "the model found it"]


def test_the_model_is_asked_once_and_what_it_names_is_proposed(
    told: Callable[..., tuple[LearnResult, Vault, str]],
) -> None:
    found, _, asked = told({"memories": [HATS]})
    (atom,) = of_model(found)
    assert (found.by, atom.type, atom.key, atom.value, atom.line) == ("model", "preference", "hats", "none", 1)
    assert asked.count("\0") == 1


def test_what_is_sensitive_is_blacked_out_before_it_is_asked(
    told: Callable[..., tuple[LearnResult, Vault, str]],
) -> None:
    _, vault, asked = told({"memories": []})
    assert vault.notices[0] == "redacted before the model was asked: email"
    assert "tom@example.com" not in asked and "[REDACTED_EMAIL]" in asked
    assert "I never wear" in asked


@pytest.mark.parametrize(
    "wrong",
    [
        {"quote": "I adore hats"},
        {"message": 1, "quote": "You live in Berlin"},
        {"message": 7},
        {"message": -1},
    ],
)
def test_what_the_user_did_not_say_is_left_out_and_told(
    told: Callable[..., tuple[LearnResult, Vault, str]], wrong: dict[str, object]
) -> None:
    found, vault, _ = told({"memories": [HATS | wrong]})
    assert found.by == "model" and not of_model(found)
    assert vault.notices[-1] == "left out 1 of 1 that the model named: you did not say so"


def test_an_answer_out_of_shape_is_asked_for_again(told: Callable[..., tuple[LearnResult, Vault, str]]) -> None:
    found, _, asked = told({"memories": [HATS | {"type": "secret plan"}]}, {"memories": [HATS]})
    assert len(of_model(found)) == 1 and asked.count("\0") == 2


@pytest.mark.parametrize("answer", ["", "I'd rather not.", '{"memories": [', '{"memories": "all"}', "[]"])
def test_rules_do_it_when_the_model_fails_twice(
    told: Callable[..., tuple[LearnResult, Vault, str]], answer: str
) -> None:
    found, vault, _ = told(answer, answer)
    assert found.by == "rules" and "hats" in found.atoms[0].text.lower()
    assert any(notice.startswith("learnt by rules alone: ") for notice in vault.notices)


def test_rules_can_be_asked_for(told: Callable[..., tuple[LearnResult, Vault, str]]) -> None:
    found, _, asked = told(rules=True)
    assert found.by == "rules" and not asked


def test_what_the_model_concludes_is_inferred_and_what_was_said_outright_is_not(
    told: Callable[..., tuple[LearnResult, Vault, str]],
) -> None:
    stairs = HATS | {"text": "takes stairs", "key": "stairs", "value": "usually", "quote": "I usually take the stairs"}
    found, _, _ = told({"memories": [HATS, stairs]})
    assert [(atom.key, atom.stated) for atom in of_model(found)] == [("hats", True), ("stairs", False)]


def test_a_label_without_a_name_is_kept_as_a_fact(told: Callable[..., tuple[LearnResult, Vault, str]]) -> None:
    found, _, _ = told({"memories": [{**HATS, "type": "label", "key": "", "value": ""}]})
    assert [(atom.type, atom.key) for atom in of_model(found)] == [("fact", "")]


JAZZ = {"text": "Likes jazz", "message": 0, "quote": "I like jazz", "lasting": True, "confidence": 0.99}
OSLO = {"type": "profile", "text": "Lives in Oslo", "key": "city", "value": "Oslo"}


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("I like jazz.", {"type": "profile", "key": "occupation", "value": "jazz musician"}),
        ("I like jazz.", {"type": "profile", "key": "music", "value": "hates jazz"}),
        ("I like jazz.", {"type": "fact", "text": "Sings in a choir on Sundays"}),
        ("My wife is called Ingrid.", {"type": "label", "key": "husband", "value": "Ingrid", "quote": "called Ingrid"}),
        ("If I moved to Oslo I'd ski.", OSLO | {"quote": "moved to Oslo"}),
        ("Maybe I live in Oslo soon.", OSLO | {"quote": "I live in Oslo"}),
        ("I used to live in Oslo.", OSLO | {"quote": "live in Oslo"}),
        (
            "No jazz for me tonight.",
            {"type": "preference", "key": "jazz", "value": "no jazz", "quote": "No jazz for me"},
        ),
        ("我以前住苏州", OSLO | {"value": "苏州", "quote": "住苏州"}),
    ],
)
def test_what_the_model_concludes_from_other_words_is_not_kept_unasked(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, said: str, named: dict[str, object]
) -> None:
    answer = llm.ModelAnswer("", {"memories": [JAZZ | named]}, 0.0, 1)
    monkeypatch.setattr(llm, "ask", lambda *_, **__: answer)
    atoms = model.find_atoms(vault, transcript.read_transcript(f"User: {said}"))
    assert not [atom for atom in atoms if atom.why == "the model found it" and not why_not(atom)]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("I like jazz.", {"type": "preference", "key": "music", "value": "jazz"}),
        ("We live in Oslo now, all of us.", OSLO | {"quote": "We live in Oslo now"}),
        ("Assistant: Where do you live?\nUser: Oslo, with the kids", OSLO | {"message": 1, "quote": "Oslo"}),
        ("If it rains I take the tram, never the bike.",
         {"type": "preference", "key": "rain", "value": "tram", "text": "takes the tram when it rains",
          "quote": "If it rains I take the tram"}),
    ],
)  # fmt: skip
def test_what_the_model_names_in_the_users_own_words_is_kept(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, said: str, named: dict[str, object]
) -> None:
    answer = llm.ModelAnswer("", {"memories": [JAZZ | named]}, 0.0, 1)
    monkeypatch.setattr(llm, "ask", lambda *_, **__: answer)
    talk = said if ":" in said else f"User: {said}"
    atoms = model.find_atoms(vault, transcript.read_transcript(talk))
    assert [atom for atom in atoms if atom.why == "the model found it" and not why_not(atom)]


# -- measured on talks of others, with an endpoint that is emulated ----------------------------------------------------

SETS = {name: talks[::4] for name, talks in ALL.items()}
TYPES = {"anchor": "preference"}
Answers = Callable[[dict[str, Any]], list[dict[str, Any]]]


def nothing(talk: dict[str, Any]) -> list[dict[str, Any]]:
    return []


def all_of_it(talk: dict[str, Any]) -> list[dict[str, Any]]:
    """What somebody who understands the talk would name, with the words it stands in."""
    found = []
    for want in talk["want"]:
        for at, turn in enumerate(talk["talk"]):
            if want["must"] and want["must"][0] in turn["text"]:
                kind = TYPES.get(want["type"], want["type"])
                more = {"key": want["key"], "value": want["value"], "message": at, "quote": turn["text"][:500]}
                found.append({"type": kind, "text": want["value"], "lasting": True, "confidence": 0.9, **more})
                break
    return found


def made_up(talk: dict[str, Any]) -> list[dict[str, Any]]:
    """What nobody said, and what others said, under the user's name."""
    others = [at for at, turn in enumerate(talk["talk"]) if turn["speaker"] == "assistant"]
    said = {"type": "fact", "text": "lives on the moon", "lasting": True, "confidence": 1.0}
    return [{**said, "message": 0, "quote": "I live on the moon"}] + [
        {**said, "message": at, "quote": talk["talk"][at]["text"][:500]} for at in others
    ]


@pytest.fixture
def scored(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Answers], Score]:
    """A set of talks, learnt from with a model that answers so."""

    def measure(name: str, answers: Answers) -> Score:
        def learnt(talk: dict[str, Any]) -> list[Atom]:
            answer = llm.ModelAnswer("", {"memories": answers(talk)}, 0.0, 1)
            monkeypatch.setattr(llm, "ask", lambda *_, **__: answer)
            lines = "\n".join(json.dumps({"role": turn["speaker"], "content": turn["text"]}) for turn in talk["talk"])
            try:
                messages = transcript.read_transcript(lines, [talk["me"]] if talk["me"] else [])
            except UsageError:
                return []
            return [atom for atom in model.find_atoms(vault, messages) if why_not(atom) != ONCE]

        return score(SETS[name], learnt)

    return measure


@pytest.mark.parametrize("name", SETS)
def test_a_model_that_names_nothing_costs_nothing(scored: Callable[[str, Answers], Score], name: str) -> None:
    assert scored(name, nothing).f1 == score(SETS[name]).f1


@pytest.mark.parametrize("name", SETS)
def test_a_model_that_understands_is_better_than_rules(scored: Callable[[str, Answers], Score], name: str) -> None:
    by_model, by_rules = scored(name, all_of_it), score(SETS[name])
    assert by_model.recall >= by_rules.recall and by_model.f1 >= by_rules.f1
    assert not by_model.wrong


@pytest.mark.parametrize("name", SETS)
def test_a_model_that_makes_things_up_is_not_believed(scored: Callable[[str, Answers], Score], name: str) -> None:
    assert scored(name, made_up).f1 == score(SETS[name]).f1
