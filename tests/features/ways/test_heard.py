"""What talks tell of ways of working: heard, proposed, asked about, and only then written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memcli import jobs, remember, session
from memcli.errors import UsageError
from memcli.features.ways import patterns, writing
from memcli.features.ways.offer import advise
from memcli.features.ways.patterns import Try
from memcli.features.ways.talk_ways import (
    outcome_in,
    propose_ended,
    propose_lessons,
    propose_outcome,
    steps_in,
)
from memcli.session import SessionMessage
from memcli.text.transcripts import TranscriptTurn
from memcli.vault import queue
from memcli.vault.vault import Vault
from tests.features import needs
from tests.session import records

ROLES = ("user", "assistant")
PLAN = "I'll do it like this:\n\n1. **Measure** the slowest calls\n2. Add an index — where it is missing\n3. Measure again\n"


def talk(*texts: str) -> list[TranscriptTurn]:
    return [TranscriptTurn(ROLES[at % 2], text, f"2026-11-20T10:{at:02}") for at, text in enumerate(texts)]


def confirmed(vault: Vault) -> None:
    for doubt in remember.waiting_doubts(vault):
        if doubt.heard:
            remember.settle(vault, doubt, "confirm")


def test_a_talk_that_ends_well_is_proposed_and_written_only_when_confirmed(vault: Vault) -> None:
    (heard,) = propose_ended(vault, talk("Please speed up the orders API", PLAN, "perfect, thanks"))
    assert (heard.goal, heard.steps) == (
        "speed up the orders API", ("Measure", "Add an index", "Measure again"),
    )  # fmt: skip
    assert not patterns.read_patterns(vault)
    (doubt,) = remember.waiting_doubts(vault)
    assert (doubt.kind, doubt.choices) == ("pattern", ("confirm", "drop", "skip"))
    remember.settle(vault, doubt, "confirm")
    (way,) = patterns.read_patterns(vault).ways
    assert (way.count, way.good, way.tries[0].at) == (1, 1, "2026-11-20T10:02")
    assert not remember.waiting_doubts(vault)


def test_a_talk_that_ends_badly_keeps_why(vault: Vault) -> None:
    propose_ended(vault, talk("Please speed up the orders API", PLAN, "that made it worse, revert it"))
    confirmed(vault)
    assert (
        patterns.read_patterns(vault).ways[0].tries[0].line
        == "2026-11-20T10:02 bad, 120 s: that made it worse, revert it"
    )


def test_what_is_dropped_is_not_asked_again(vault: Vault) -> None:
    said = talk("Please speed up the orders API", PLAN, "perfect, thanks")
    propose_ended(vault, said)
    remember.settle(vault, remember.waiting_doubts(vault)[0], "drop")
    assert not propose_ended(vault, said) and not remember.waiting_doubts(vault) and not patterns.read_patterns(vault)


@pytest.mark.parametrize(
    "said",
    [
        ("Please speed up the orders API", PLAN, "and what about the index?"),  # nobody says how it ended
        ("Please speed up the orders API", "Done.", "perfect, thanks"),  # no steps
        ("thanks a lot", PLAN, "perfect, thanks"),  # no task
        ("Please speed up the orders API", PLAN, "will that have worked perfectly?"),
        ("我的生日是五月", "- 记住了\n- 五月", "太好了吗？"),
    ],
)
def test_a_talk_that_lacks_one_of_the_three_tells_nothing(vault: Vault, said: tuple[str, ...]) -> None:
    assert propose_ended(vault, talk(*said)) == []


def test_what_went_wrong_and_then_went_well_are_two_ways_to_one_goal(vault: Vault) -> None:
    heard = propose_ended(
        vault,
        talk(
            "帮我快速调研一下竞品", "好的，我同时进行：\n1. 官网信息\n2. 用户评价", "又被限流了，失败了", "1. 先看官网\n2. 再看评价",
            "太好了",
        ),
    )  # fmt: skip
    assert [(each.good, each.strategy) for each in heard] == [(False, "parallel"), (True, "sequential")]
    assert {each.goal for each in heard} == {"调研一下竞品"} and heard[0].indicators == ("快速",)


def test_the_same_steps_again_are_a_try_of_the_way_that_is_known(vault: Vault) -> None:
    way, _ = writing.keep_way(vault, "speed up an API", ["measure", "add an index", "measure again"])
    (heard,) = propose_ended(vault, talk("the orders API is slow, please speed it up", PLAN, "great, it works"))
    assert (heard.kind, heard.way) == ("tried", way.id)
    confirmed(vault)
    (known,) = patterns.read_patterns(vault).ways
    assert known.count == 1


def test_secrets_are_not_proposed(vault: Vault) -> None:
    said = "no, that's wrong, the card 4111 1111 1111 1111 was charged"
    assert propose_ended(vault, talk("Please speed up the orders API", PLAN, said)) == []
    journal = vault.root / "journal/patterns.jsonl"
    assert not journal.exists() or "4111" not in journal.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("said", "good"),
    [
        ("that did the trick", True), ("搞定了", True), ("it still fails", False), ("还是报错", False),
        ("thanks, now the next one", None), ("does it work?", None), ("perfect, but it still fails", None),
    ],
)  # fmt: skip
def test_how_it_ended_is_heard_where_it_is_said(said: str, good: bool | None) -> None:
    assert outcome_in(said) is good


def test_a_list_is_taken_for_steps_and_prose_is_not() -> None:
    assert steps_in("Two things:\n- [x] write the test\n- [ ] fix it: the real cause\n\nDone.") == (
        "write the test",
        "fix it",
    )
    assert steps_in("步骤：\n① 备份\n② 迁移") == ("备份", "迁移")
    assert steps_in("First I measured. Then I fixed it.") == ()
    assert steps_in("- only one") == ()


def test_a_session_ends_with_an_outcome(vault: Vault) -> None:
    open_session = session.start(vault, title="prices")
    for role, text in (("user", "compare the prices of three hotels"), ("assistant", "Done.")):
        tools = ("search", "read_page") if role == "assistant" else ()
        open_session = records.record(vault, open_session, SessionMessage(role, text, tools=tools))
    turns = [TranscriptTurn(message.role, message.content) for message in open_session.messages]
    heard = propose_outcome(vault, turns, False, "two were sold out", tools=open_session.tools, seconds=90)
    assert heard.steps == ("search", "read_page") and heard.seconds == 90 and heard.tokens > 0
    assert [each.heard for each in remember.waiting_doubts(vault)] == [heard]


def test_a_session_without_a_task_or_steps_says_what_to_do_instead(vault: Vault) -> None:
    with pytest.raises(UsageError, match="no steps"):
        propose_outcome(vault, talk("speed up the orders API", "Done."), True)
    with pytest.raises(UsageError, match="no task"):
        propose_outcome(vault, talk("hi"), True)


@needs("learn")
def test_what_a_hook_left_is_heard_by_the_work_that_waits(vault: Vault, tmp_path: Path) -> None:
    place = tmp_path / "talk.jsonl"
    lines = [
        {"type": said.role, "message": {"role": said.role, "content": said.text}, "timestamp": f"{said.at}:00Z"}
        for said in talk("Please speed up the orders API", PLAN, "perfect, thanks")
    ]
    place.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    queue.queue_job(vault, "transcript", "one", {"path": str(place)})
    assert not jobs.work(vault).failed
    assert [doubt.heard.goal for doubt in remember.waiting_doubts(vault) if doubt.heard] == ["speed up the orders API"]


def test_a_journal_from_a_stranger_breaks_nothing(folder: Path, vault: Vault) -> None:
    (folder / "journal").mkdir()
    odd = [
        {"heard": {"kind": "way", "goal": "x", "steps": 5, "good": "?"}}, {"heard": 7}, {"heard": {"kind": "failure", "goal": ["a"]}},
        {"heard": {"kind": "failure", "goal": "y", "severity": 99}},
    ]  # fmt: skip
    (folder / "journal/patterns.jsonl").write_text("\n".join(map(json.dumps, odd)) + "\nhalf a li", encoding="utf-8")
    assert all(doubt.heard and doubt.heard.severity == 3 for doubt in remember.waiting_doubts(vault))


# -- the scene of the memory chapter: a strategy learnt from two failures ----------------------------------------------


def test_two_failures_for_one_reason_warn_before_the_third(vault: Vault) -> None:
    """A team of agents researches side by side and is rate limited, twice; asked once more, somebody is warned."""
    side_by_side, _ = writing.keep_way(
        vault, "research competitors", ["their sites", "reviews", "prices"], strategy=patterns.PARALLEL,
        agents=["scout: sites", "reader: reviews"],
    )  # fmt: skip
    side_by_side, _ = writing.record_try(
        vault, side_by_side, Try("2026-11-18T10:00", False, note="429 rate limit after 3")
    )
    assert not advise(vault, "quickly research our competitors").warnings
    writing.record_try(vault, side_by_side, Try("2026-11-20T09:00", False, note="hit the rate limit again, 429"))
    (warning,) = advise(vault, "quickly research our competitors").warnings
    assert warning.failure.mitigation == "one after the other, not at once"
    assert len(warning.places) == 2 and warning.failure.severity == 3
    assert not advise(vault, "quickly research our competitors").ways


def test_what_was_learnt_is_proposed_once_and_kept_with_its_mitigation(vault: Vault) -> None:
    way, _ = writing.keep_way(vault, "调研竞品", ["官网", "评价"], strategy=patterns.PARALLEL)
    for day in (18, 20):
        way, _ = writing.record_try(vault, way, Try(f"2026-11-{day}", False, note="被限流了。下次一个一个来"))
    assert len(propose_lessons(vault)) == 1 and propose_lessons(vault) == []
    confirmed(vault)
    (failure,) = patterns.read_patterns(vault).failures
    assert (failure.went_wrong, failure.mitigation) == ("被限流了。", "下次一个一个来")
    (warning,) = advise(vault, "帮我快速调研一下竞品").warnings
    assert warning.failure.id == failure.id


def test_the_way_that_went_well_instead_is_the_mitigation(vault: Vault) -> None:
    bad, _ = writing.keep_way(vault, "write the quarterly report", ["ask everybody", "paste it together"])
    for day in (18, 20):
        bad, _ = writing.record_try(vault, bad, Try(f"2026-11-{day}", False, note="the figures did not match"))
    good, _ = writing.keep_way(vault, "write the quarterly report", ["export the figures", "write around them"])
    writing.record_try(vault, good, Try("2026-11-21", True))
    found = advise(vault, "draft the report for this quarter")
    assert [each.way.id for each in found.ways] == [good.id]
    assert "export the figures → write around them" in found.warnings[0].failure.mitigation


def test_two_failures_for_two_reasons_teach_nothing(vault: Vault) -> None:
    way, _ = writing.keep_way(vault, "bake bread", ["knead", "wait"])
    for day, note in ((18, "the oven was cold"), (20, "nobody bought yeast")):
        way, _ = writing.record_try(vault, way, Try(f"2026-11-{day}", False, note=note))
    assert propose_lessons(vault) == []


def test_steps_that_say_nothing_and_more_tools_than_a_way_has_steps_are_left_out(vault: Vault) -> None:
    turns = [
        TranscriptTurn("user", "deploy the billing service to staging"),
        TranscriptTurn("assistant", "1. build\n2. **  **\n3. push"),
    ]
    assert propose_outcome(vault, turns, True).steps == ("build", "push")
    many = [f"tool {n}" for n in range(30)]
    made = propose_outcome(vault, [TranscriptTurn("user", "migrate the orders table to Postgres")], True, tools=many)
    writing.take_heard(vault, made)
    assert len(patterns.read_patterns(vault).ways[0].steps) == writing.STEPS
