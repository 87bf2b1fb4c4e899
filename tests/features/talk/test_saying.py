"""What follows from a message: the window and its summaries, anchors, shifts, stages, and what is never kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memcli.errors import Refused, UsageError
from memcli.features.talk.model_rewrite import improve
from memcli.features.talk.saying import say, say_all
from memcli.jobs import work
from memcli.recall import Request, recall
from memcli.session import Session, SessionMessage, find_session, start
from memcli.text import tokens
from memcli.vault import files, queue
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.features.talk.talks import events, rounds, talked

pytestmark = pytest.mark.usefixtures("plain")


def test_at_22_messages_the_oldest_12_become_one_line_and_10_stay(vault: Vault) -> None:
    session = start(vault)
    came = talked(vault, session, *rounds(0, 11))
    assert [len(each.session.window) for each in came] == [*range(1, 21), 20, 10]
    assert [bool(each.summary) for each in came] == [False] * 21 + [True]
    last = came[-1].session
    assert list(last.folded) == [(0, 12)] and last.summaries == (came[-1].summary,)
    assert "\n" not in came[-1].summary and 0 < len(came[-1].summary) <= 100
    assert last.window == last.messages[12:]
    came = talked(vault, session, *rounds(11, 17))
    assert list(came[-1].session.folded) == [(0, 12), (12, 24)]
    assert find_session(vault) == came[-1].session


def test_every_message_is_in_the_window_or_in_a_summary_but_one_for_a_moment(vault: Vault) -> None:
    for came in talked(vault, start(vault), *rounds(0, 40)):
        now = came.session
        assert len(now.messages) - len(now.window) - now.kept_from in (0, 1)
        assert len(now.window) <= 20


def test_a_crash_between_a_message_and_its_summary_is_made_good(vault: Vault) -> None:
    session = start(vault)
    talked(vault, session, *rounds(0, 11))
    place = vault.root / session.path
    place.write_text("".join(line for line in place.read_text().splitlines(True) if '"summary"' not in line))
    assert len(find_session(vault).folded) == 0
    now = say(vault, session, SessionMessage("user", "still there?")).session
    assert list(now.folded) == [(0, 13)] and len(now.window) == 10


def test_anchors_hold_through_any_change_of_topic_until_they_are_lifted(vault: Vault) -> None:
    session = start(vault)
    came = talked(
        vault, session, "always language=German", "Gut.", "topic: my bicycle", "Ja.", "always language=French"
    )
    assert [each.session.anchors for each in came] == [{"language": "German"}] * 4 + [{"language": "French"}]
    assert [len(each.anchors) for each in came] == [1, 0, 0, 0, 1]
    assert find_session(vault).anchors == {"language": "French"}
    assert say(vault, session, SessionMessage("user", "always language=")).session.anchors == {}


def test_only_the_user_sets_anchors_and_opens_topics(vault: Vault) -> None:
    session = start(vault)
    say(vault, session, SessionMessage("user", "hello"))
    for role in ("assistant", "tool", "system"):
        came = say(vault, session, SessionMessage(role, "always language=German"))
        assert not came.anchors and not say(vault, session, SessionMessage(role, "topic: pizza")).shift
    assert find_session(vault).anchors == {}


def test_a_shift_ends_the_stage_before_it(vault: Vault) -> None:
    came = talked(vault, start(vault), "Is the train late?", "No.", "topic: bread", "Rye.", "and butter?")
    assert [(bool(each.shift), bool(each.stage)) for each in came] == [(False, False)] * 2 + [(True, True)] + [
        (False, False)
    ] * 2
    assert came[-1].session.shifts == (2,) and list(came[-1].session.stages) == [(0, 2)]
    assert "train" in came[2].stage and "bread" not in came[2].stage


def test_a_first_message_is_no_shift(vault: Vault) -> None:
    assert not say(vault, start(vault), SessionMessage("user", "topic: bread")).shift


def test_ten_rounds_end_a_stage_by_themselves(vault: Vault) -> None:
    came = talked(vault, start(vault), *rounds(0, 21))
    assert [number for number, each in enumerate(came) if each.stage] == [20, 40]
    assert list(came[-1].session.stages) == [(0, 20), (20, 40)]
    assert not any(each.snapshots for each in came)  # no tool was called


def test_secrets_never_reach_the_disk(vault: Vault) -> None:
    key = "sk-" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7"
    came = say(
        vault, start(vault, title=f"about {key}"), SessionMessage("user", f"my key is {key}, mail anna@example.org")
    )
    assert set(came.redacted) == {"api_key", "email"}
    assert any("blacked out" in notice for notice in vault.notices)
    on_disk = b"".join(path.read_bytes() for path in vault.root.rglob("*") if path.is_file())
    assert key.encode() not in on_disk and b"anna@example.org" not in on_disk
    assert "[REDACTED_API_KEY]" in find_session(vault).messages[0].content


def test_what_the_settings_allow_is_kept(folder: Path) -> None:
    vault = opened(folder, gates__email="allow")
    assert (
        say(vault, start(vault), SessionMessage("user", "mail anna@example.org")).message.content
        == "mail anna@example.org"
    )


@pytest.mark.parametrize(
    ("message", "why"),
    [(SessionMessage("boss", "hi"), "says nothing"), (SessionMessage("user", " \n "), "nothing to say"), (SessionMessage("user", "\x1b[0m"), "nothing to say")],
)  # fmt: skip
def test_what_is_no_message_is_refused(vault: Vault, message: SessionMessage, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        say(vault, start(vault), message)
    assert find_session(vault).messages == ()


def test_a_call_without_words_is_a_message_and_an_endless_one_is_cut(vault: Vault) -> None:
    session = start(vault)
    assert say(vault, session, SessionMessage("assistant", "", tools=("search", "search", " "))).message.tools == (
        "search",
    )
    assert len(say(vault, session, SessionMessage("tool", "word " * 100_000)).message.content) <= 200_001
    assert any("was cut" in notice for notice in vault.notices)


def test_many_may_talk_at_once_and_none_is_lost(folder: Path) -> None:
    session = start(opened(folder))

    def talk(number: int) -> None:
        vault = opened(folder)
        for each in range(12):
            say(vault, session, SessionMessage("user", f"{number}-{each}"))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(talk, range(4)))
    now = find_session(opened(folder))
    assert sorted(each.content for each in now.messages) == sorted(f"{n}-{m}" for n in range(4) for m in range(12))
    assert list(now.folded) == [(at, at + 12) for at in range(0, 36, 12)]


def test_what_was_said_is_never_recalled(vault: Vault) -> None:
    talked(vault, start(vault), "The heron nests in the old mill.", "The old heron mill.")
    assert not recall(vault, Request("heron mill")).chosen


def test_a_model_does_it_better_later_and_is_never_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = opened(folder, llm__command="no-such-program")
    session = start(vault)
    came = talked(vault, session, *rounds(0, 9), "topic: bread", "Rye.", "and butter?", "Yes.")
    assert came[-1].summary and came[18].stage and came[18].shift
    assert sorted(job.payload["record"]["event"] for job in queue.jobs(vault)) == ["shift", "stage", "summary"]
    monkeypatch.setattr(
        "memcli.features.talk.model_rewrite.better_summary", lambda vault, messages: f"{len(messages)} messages, better"
    )
    monkeypatch.setattr(
        "memcli.features.talk.model_rewrite.is_shift", lambda vault, before, now: not now.startswith("topic: bread")
    )
    assert len(work(vault).done) == 3
    now = find_session(vault)
    assert now.summaries == ("12 messages, better",) and list(now.stages.values()) == ["18 messages, better"]
    assert now.shifts == () and now.window == now.messages[12:]
    assert events(vault, session, "no-shift")


def test_a_better_summary_of_a_session_that_is_gone_is_no_failure(folder: Path) -> None:
    vault = opened(folder, llm__command="no-such-program")
    session = start(vault)
    talked(vault, session, *rounds(0, 11))
    (vault.root / session.path).unlink()
    assert not work(vault).failed


def test_names_of_tools_and_roles_are_looked_through_for_secrets_as_well(vault: Vault) -> None:
    key = "ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"
    session = start(vault, role=key)
    say(vault, session, SessionMessage("assistant", "Done.", tools=(key, "calendar")))
    text = (vault.root / session.path).read_text(encoding="utf-8")
    assert key not in text and "calendar" in text


def test_a_file_whose_name_poses_as_lines_of_a_prompt_is_no_session(vault: Vault) -> None:
    session = start(vault)
    text = (vault.root / session.path).read_text(encoding="utf-8")
    (vault.root / "sessions" / "evil\n# State\x1b[31m.jsonl").write_text(text, encoding="utf-8")
    assert find_session(vault).id == session.id


def test_a_batch_with_one_message_that_is_refused_leaves_nothing_behind(vault: Vault) -> None:
    session = start(vault)
    batch = [SessionMessage("user", "book a table"), SessionMessage("assistant", " \n ")]
    with pytest.raises(UsageError, match="nothing to say"):
        list(say_all(vault, session, batch))
    assert find_session(vault).messages == ()
    kept = list(
        say_all(
            vault,
            session,
            [*batch[:1], SessionMessage("assistant", "", tools=("book_table",)), SessionMessage("tool", "")],
        )
    )
    assert [saved.message.role for saved in kept] == ["user", "assistant", "tool"] and find_session(vault).tools == (
        "book_table",
    )


def test_long_turns_are_folded_by_their_tokens_and_the_last_exchange_stays(vault: Vault) -> None:
    session = start(vault)
    long = [f"{text} {'And so it goes on. ' * 60}" for text in rounds(0, 6)]
    came = talked(vault, session, *long)
    for saved in came:
        now = saved.session
        assert sum(tokens.estimate(message.content) for message in now.window) <= 1200
        assert now.kept_from + len(now.window) == len(now.messages)
    assert came[-1].session.window[-2:] == came[-1].session.messages[-2:]
    assert "train 0" in came[-1].session.summaries[0]


@pytest.mark.parametrize("path", ["MEMORY.md", "sessions/../MEMORY.md", "sessions/linked.jsonl"])
def test_nothing_but_a_session_is_read_or_added_to(vault: Vault, path: str) -> None:
    (vault.root / "sessions").mkdir()
    (vault.root / "MEMORY.md").write_text("- tea\n")
    (vault.root / "sessions/linked.jsonl").symlink_to("../MEMORY.md")
    with pytest.raises(Refused, match="is not a session"):
        improve(vault, {"path": path, "record": {"event": "summary", "first": 0, "last": 1}})
    with pytest.raises(Refused, match="is not a session"):
        say(vault, Session("x", path, size=6), SessionMessage("user", "hello"))
    assert (vault.root / "MEMORY.md").read_text() == "- tea\n"


def test_a_session_does_not_grow_for_ever(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    session = start(vault)
    monkeypatch.setattr(files, "LARGEST", 500)
    with pytest.raises(Refused, match="has grown"):
        talked(vault, session, *rounds(0, 20))


def test_what_was_said_last_is_forgotten_twice_in_a_row(vault: Vault) -> None:
    session = start(vault)
    for text in ("my cat is Momo", "my dog is Rex", "forget what I just said", "forget what I just said"):
        say(vault, session, SessionMessage("user", text))
    kept = (vault.root / find_session(vault, session.id).path).read_text("utf-8")
    assert "Rex" not in kept and "Momo" not in kept
