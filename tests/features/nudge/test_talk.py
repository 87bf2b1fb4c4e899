"""In a talk: what a prompt may ask and bring up, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from memcli import session
from memcli.features.nudge import choose, outcomes, propose
from memcli.session import SessionMessage, start
from memcli.vault.vault import Vault
from tests.conftest import Ran, opened
from tests.features import import_feature

prompt = import_feature("memcli.features.talk.prompt")
PromptRequest, build, state = prompt.PromptRequest, prompt.build, prompt.state
say = import_feature("memcli.features.talk.saying").say
talks = import_feature("tests.features.talk.prompt.conftest")
home_of_lin, rounds, talk = talks.home_of_lin, talks.rounds, talks.talk

__all__ = ["home_of_lin"]  # a fixture
Mem = Callable[..., Ran]


def test_the_assistant_speaks_first(folder: Path) -> None:
    """A greeting is answered with what was promised; work is not interrupted; a no is a no, and heeded in future."""
    (folder / "logs").mkdir(exist_ok=True)
    (folder / "logs/2026-11-02.md").write_text("- 答应老周帮他看看房租合同\n", encoding="utf-8")
    vault = opened(folder)
    (worth,) = propose.proposals(vault)
    assert worth.kind == "task" and worth.citation == "logs/2026-11-02.md:1" and "19 days ago" in worth.why

    talk = session.start(vault)
    assert "房租合同" not in said_first(vault, talk.id, "缓存的锁竞争怎么解决？")
    assert "worth bringing up: 答应老周帮他看看房租合同" in said_first(vault, talk.id, "你好")
    assert "房租合同" not in said_first(vault, talk.id, "谢谢")  # once a day

    outcomes.record_answer(vault, worth.id, "declined")
    assert propose.proposals(opened(folder, datetime(2026, 11, 30, 9))) == []
    assert outcomes.Outcomes(vault).rates()["task"].declined == 1


def said_first(vault: Vault, talk: str, words: str) -> str:
    """The prompt for what the user says, handed to a model."""
    built = prompt.build(vault, prompt.PromptRequest(words, session=talk))
    prompt.note_sent(vault, built)
    return built.layer("questions").text


def test_an_answer_to_a_question_is_noted_once(vault: Vault) -> None:
    session = start(vault)
    asked = choose.questions(vault, session.id)
    assert asked and say(vault, session, SessionMessage("user", "hello")).nudge is None
    choose.note_asked(vault, session.id, asked)
    came = say(vault, session, SessionMessage("user", "I'd rather not say"))
    assert came.nudge and came.nudge.kind == "refused"
    assert say(vault, session, SessionMessage("user", "what now?")).nudge is None


def test_the_model_is_told_what_is_worth_proposing_until_the_user_refuses(home_of_lin: Path) -> None:
    talk(home_of_lin, rounds(1))
    vault, wanted = opened(home_of_lin, nudge__most=0), state.PROPOSE[1]
    made = build(vault, PromptRequest("hello", session="abcd"))
    assert wanted in made.layer("state").text and wanted not in build(vault, PromptRequest("hello")).text
    assert (
        wanted
        not in build(
            opened(home_of_lin, nudge__questions=0, nudge__most=0), PromptRequest("hello", session="abcd")
        ).text
    )
    choose.note_asked(vault, made.session, made.questions)
    choose.note_reply(vault, made.session, "I'd rather not say")
    assert wanted not in build(vault, PromptRequest("hello", session="abcd")).text


def test_what_is_asked_and_used_is_noted_only_by_what_was_printed(mem: Mem, folder: Path) -> None:
    (folder / "labels.yaml").write_text("- {name: 家, aliases: [home], address: 12 Example Road}\n", encoding="utf-8")
    session = mem("session", "start").out.strip()
    asked = mem("prompt", "navigate home", "--session", session)
    assert "# Not known yet" in asked.out
    assert '"event":"asked"' in (folder / "journal" / "nudges.jsonl").read_text(encoding="utf-8")
    assert "# Not known yet" not in mem("prompt", "navigate home", "--session", session).out  # once a day
    uses = [path for path in (folder / "journal").rglob("*.jsonl") if "家" in path.read_text(encoding="utf-8")]
    assert len(uses) == 1


def test_an_answer_is_noted_when_something_else_was_brought_up_beside_the_question(vault: Vault) -> None:
    (vault.root / "logs").mkdir(exist_ok=True)
    (vault.root / "logs/2026-11-02.md").write_text("- 答应老周帮他看看房租合同\n", encoding="utf-8")
    session = start(vault)
    choose.note_asked(vault, session.id, choose.questions(vault, session.id))
    worth = propose.proposals(vault)
    assert worth
    outcomes.note_brought(vault, worth, session.id)
    came = say(vault, session, SessionMessage("user", "I'd rather not say"))
    assert came.nudge and came.nudge.kind == "refused"
