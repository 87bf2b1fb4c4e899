"""A round of a talk: what is kept, what the model is given, and what a model that fails leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memcli import session
from memcli.features.talk import turn
from memcli.remember import learning
from memcli.remember.conflicts import change_queue
from memcli.remember.proposals import Addition, is_news
from memcli.vault import labels, preferences, profile
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.features import needs

needs_learn = pytest.mark.skipif(not learning.is_possible(), reason="nothing learns here")


def model(folder: Path, says: str, **more: object) -> Vault:
    """A vault with a model that keeps what it was given beside the vault, and runs a line of shell."""
    return opened(folder, llm__command=f"cat > '{folder.parent}/asked'; {says}", llm__timeout=20.0, **more)


@pytest.fixture
def asked(folder: Path) -> Callable[[], str]:
    return lambda: (folder.parent / "asked").read_text(encoding="utf-8")


def nobody(piece: str) -> None:
    pass


def told(talk: session.Session) -> list[tuple[str, str]]:
    return [(each.role, each.content) for each in talk.messages]


def test_a_round_is_kept_and_heard_and_stands_in_the_next_prompt(folder: Path, asked: Callable[[], str]) -> None:
    vault = model(folder, "printf '好的, noted.'")
    heard: list[str] = []
    done = turn.take_round(vault, session.start(vault), "what about tea?", heard.append)
    assert ("".join(heard), done.answer, done.cut, done.failure) == ("好的, noted.", "好的, noted.", False, None)
    assert told(done.session) == [("user", "what about tea?"), ("assistant", "好的, noted.")]
    done = turn.take_round(vault, done.session, "and coffee?", nobody)
    assert asked().count("what about tea?") == 1
    assert asked().index("what about tea?") < asked().index("好的, noted.") < asked().rindex("and coffee?")
    assert asked().count("and coffee?") == 1


@needs_learn
def test_what_the_user_says_is_learnt_by_rules_unless_not_wanted(folder: Path) -> None:
    vault = model(folder, "echo fine")
    talk = session.start(vault)
    silent = turn.take_round(vault, talk, "I'm a potter", nobody, learn=False)
    assert (silent.learnt, profile.read_profile(vault)) == ((), {})
    done = turn.take_round(vault, silent.session, "I'm a potter. 我老婆叫苏晴。", nobody)
    assert {each.atom.type for each in done.learnt if isinstance(each, Addition)} == {"profile", "label"}
    assert profile.read_profile(vault)["occupation"] == "potter"
    assert [each.value for each in labels.read_labels(vault)] == ["苏晴"]


@needs_learn
def test_what_was_not_asked_to_be_kept_is_kept_where_it_is_agreed_to(folder: Path) -> None:
    vault = model(folder, "echo fine")
    asked: list[str] = []

    def agree(atom: Any) -> bool:
        asked.append(atom.value)
        return atom.value == "potter"

    done = turn.take_round(vault, session.start(vault), "I'm a potter. 我老婆叫苏晴。", nobody, learn=agree)
    assert [memory.atom.value for memory in done.learnt] == ["potter"] and set(asked) == {"potter", "苏晴"}
    asked.clear()
    done = turn.take_round(vault, done.session, "记住，我老婆叫苏晴。", nobody, learn=agree)
    assert [memory.atom.value for memory in done.learnt] == ["苏晴"] and not asked


@needs_learn
def test_what_is_kept_leads_back_to_the_message_it_came_from(folder: Path) -> None:
    vault = model(folder, "echo fine")
    talk = turn.take_round(vault, session.start(vault), "hello there", nobody).session
    done = turn.take_round(vault, talk, "We decided to use Valkey for the cache.", nobody)
    (kept,) = done.learnt
    entry = vault.find_entry(kept.place)
    assert entry.fields["from"] == f"{talk.id}#3"
    assert done.session.messages[2].content.startswith("We decided") and "#3" not in entry.words


@needs_learn
def test_what_the_model_says_is_learnt_only_where_the_user_agrees(folder: Path) -> None:
    vault = model(folder, "echo 'You are a potter. You live in Porto.'")
    done = turn.take_round(vault, session.start(vault), "what do you know of me?", nobody)
    assert done.learnt == ()
    assert not profile.read_profile(vault)


def test_a_secret_reaches_neither_the_model_nor_the_disk(folder: Path, asked: Callable[[], str]) -> None:
    key = "sk-" + "a1B2c3D4e5" * 4
    vault = model(folder, "echo fine")
    done = turn.take_round(vault, session.start(vault), f"my api key is {key}", nobody)
    assert "[REDACTED_API_KEY]" in done.said.message.content
    assert key not in asked()
    number = "13812345678"
    said = turn.take_round(
        vault, done.session, f"我老婆叫苏晴，她的邮箱是 su@example.org。我老婆的电话是{number}。", nobody
    )
    assert set(said.said.redacted) == {"email", "phone"}
    for secret in (key, number, "su@example.org"):
        assert not [each for each in folder.rglob("*") if each.is_file() and secret.encode() in each.read_bytes()]


def test_an_answer_that_is_stopped_is_kept_as_far_as_it_was_heard(folder: Path) -> None:
    vault = model(folder, "printf 'first words'; sleep 30")

    def stop(piece: str) -> None:
        raise KeyboardInterrupt

    done = turn.take_round(vault, session.start(vault), "tell me all", stop)
    assert (done.answer, done.cut, done.failure) == ("first words … (cut)", True, None)
    assert told(done.session)[-1] == ("assistant", "first words … (cut)")


@pytest.mark.parametrize(("says", "kept"), [("exit 3", 1), ("printf half; exit 3", 2)])
def test_a_model_that_fails_ends_the_round_and_not_the_talk(folder: Path, says: str, kept: int) -> None:
    vault = model(folder, says)
    done = turn.take_round(vault, session.start(vault), "hello there", nobody)
    assert done.failure and "ended with 3" in done.failure.message
    assert len(done.session.messages) == kept
    assert done.answer == ("half … (cut)" if kept == 2 else "")
    again = turn.take_round(model(folder, "echo fine"), done.session, "and now?", nobody)
    assert again.answer == "fine"


@needs("nudge")
def test_a_question_is_noted_as_asked_when_the_model_was_given_it(folder: Path, asked: Callable[[], str]) -> None:
    vault = model(folder, "echo 'Where do you live?'")
    done = turn.take_round(vault, session.start(vault), "plan my evening", nobody)
    assert [each.key for each in done.prompt.questions] == ["home", "work"]
    assert done.prompt.questions[0].text in asked()
    turn.take_round(vault, done.session, "rather not say", nobody)
    journal = (folder / "journal" / "nudges.jsonl").read_text(encoding="utf-8")
    assert journal.count('"asked"') == journal.count('"refused"') == 2
    assert not turn.take_round(vault, done.session, "fine, what else?", nobody).prompt.questions


@needs_learn
def test_how_to_answer_in_this_talk_is_no_preference_for_ever(folder: Path) -> None:
    vault = model(folder, "echo fine")
    done = turn.take_round(vault, session.start(vault), "From now on answer in German, please.", nobody)
    done = turn.take_round(vault, done.session, "I'm a potter.", nobody)
    assert done.session.anchors.get("language") and not preferences.read_preferences(vault)
    assert profile.read_profile(vault)["occupation"] == "potter"
    turn.take_round(vault, done.session, "以后别走延安高架", nobody)
    assert len(preferences.read_preferences(vault)) == 1


@needs_learn
def test_a_chat_keeps_what_is_asked_for_though_nobody_agrees(folder: Path) -> None:
    vault = opened(folder, llm__command="cat > /dev/null; echo fine", llm__timeout=20.0)
    for said in ("Remember that the spare key is at Olga's", "记住：备用钥匙在奥尔加家"):
        turn.take_round(vault, session.start(vault), said, nobody, learn=lambda atom: False)
    kept = (folder / "MEMORY.md").read_text(encoding="utf-8")
    assert kept.count("the spare key is at Olga's") == 1 and kept.count("备用钥匙在奥尔加家") == 1


@needs_learn
def test_a_chat_has_review_ask_about_what_is_not_sure(folder: Path) -> None:
    vault = opened(folder, llm__command="cat > /dev/null; echo fine", llm__timeout=20.0)
    done = turn.take_round(vault, session.start(vault), "Remember the bins go out on Tuesdays", nobody)
    assert [is_news(memory) for memory in done.learnt] == [True]
    assert [change.value for change in change_queue.waiting_changes(vault)] == ["the bins go out on Tuesdays"]
