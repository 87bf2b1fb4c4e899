"""What is asked of the talk itself is done: to begin afresh, to unsay what was said, to take up the last talk."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.errors import UsageError
from memcli.features.talk.ending import end_session
from memcli.features.talk.prompt import PromptRequest, build
from memcli.features.talk.saying import say
from memcli.features.talk.snapshot import snapshot, summarise
from memcli.session import SessionMessage, find_session, latest_session, start
from memcli.text import requests
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.features.talk.talks import talked

TALK = (
    "Which flat in Lisbon has three rooms?",
    "The one in Rua Augusta, 900 euros.",
    "Answer in German from now on.",
    "Gut.",
)


def test_a_cleared_talk_counts_no_more_and_is_kept(vault: Vault) -> None:
    session = start(vault)
    talked(vault, session, *TALK)
    saved = say(vault, session, SessionMessage("user", "清空对话"))
    now = find_session(vault, session.id)
    assert saved.request == "clear" and now == saved.session
    assert (now.anchors, now.window, now.summaries, len(now.messages)) == ({}, (), (), 5)
    say(vault, now, SessionMessage("user", "And what is a heron?"))
    made = build(vault, PromptRequest("tell me more", session=session.id))
    assert "heron" in made.text and "Lisbon" not in made.text and "German" not in made.text


def test_what_is_unsaid_is_in_no_file_and_no_prompt(vault: Vault) -> None:
    session = start(vault)
    talked(vault, session, *TALK, "My door code is mauve heron, from now on no tables.", "Noted: mauve heron.")
    saved = say(vault, session, SessionMessage("user", "Forget what I just said."))
    assert saved.request == "unsay" and "mauve" not in (vault.root / session.path).read_text(encoding="utf-8")
    now = find_session(vault, session.id)
    assert now.anchors == {"language": "German"} and [m.content for m in now.messages[:4]] == list(TALK)
    assert now.messages[4].content == now.messages[5].content == ""


@pytest.mark.parametrize(
    ("asked", "talk"),
    [
        ("Forget what I just said.", TALK),
        ("where did we leave off?", TALK),
        ("忘掉我刚才说的", ("里斯本三居室的房子有哪些？", "奥古斯塔街那套，900 欧元。", "再找一套带阳台的", "好。")),
        ("总结一下", ("里斯本三居室的房子有哪些？", "奥古斯塔街那套，900 欧元。", "再找一套带阳台的", "好。")),
    ],
)
def test_what_is_asked_of_a_talk_is_no_part_of_it(asked: str, talk: tuple[str, ...]) -> None:
    def messages(*texts: str) -> list[SessionMessage]:
        return [SessionMessage(("user", "assistant")[at % 2], text) for at, text in enumerate(texts)]

    assert requests.talk_request(asked)
    with_it = [*messages(*talk[:2]), SessionMessage("user", asked), *messages(*talk[2:])]
    assert summarise(with_it) == summarise(messages(*talk))
    assert snapshot(with_it, {}) == snapshot(messages(*talk), {})


def test_nothing_of_a_talk_that_has_ended_is_unsaid(vault: Vault) -> None:
    session = start(vault)
    talked(vault, session, *TALK)
    end_session(vault, session)
    with pytest.raises(UsageError, match="has ended"):
        say(vault, session, SessionMessage("user", "scratch that"))
    assert find_session(vault, session.id).messages[2].content == TALK[2]


@pytest.mark.parametrize("asked", ["上次聊到哪了", "Where did we leave off?"])
def test_the_last_talk_is_found_without_its_name(folder: Path, asked: str) -> None:
    vault = opened(folder)
    assert "there is no conversation before this one" in build(vault, PromptRequest(asked)).degraded
    session = start(vault, title="flats")
    talked(vault, session, *TALK)
    end_session(vault, session)
    latest = latest_session(vault)
    assert latest and latest.id == find_session(vault, "last").id == session.id
    for here in ("", start(vault).id):
        made = build(vault, PromptRequest(asked, session=here))
        assert "Lisbon" in made.layer("summary").text and made.layer("summary").items[0] == f"session {session.id}"
        assert (made.layer("recall").why, made.layer("knowledge").why) == (
            "the conversation itself is asked for",
            "switched off",
        )


def test_a_summary_is_of_the_talk_and_nothing_is_searched(vault: Vault) -> None:
    session = start(vault)
    talked(vault, session, *TALK)
    made = build(vault, PromptRequest("Summarise our conversation so far, please", session=session.id))
    assert "Rua Augusta" in made.text and not made.layer("recall").text
    assert (
        build(vault, PromptRequest("summarise the book on herons", session=session.id)).layer("recall").why
        != made.layer("recall").why
    )
