"""What remains of a talk: a snapshot if something was done in it, and nothing otherwise."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from memcli.errors import UsageError
from memcli.features.talk.ending import end_session
from memcli.features.talk.saying import say
from memcli.recall import TITLE, Request, recall
from memcli.remember import expired, learning
from memcli.session import SessionMessage, find_session, resume, start
from memcli.vault import history, yaml_read
from memcli.vault.vault import Vault
from tests.conftest import NOW, git, opened
from tests.features import needs
from tests.features.talk.talks import rounds, talked

pytestmark = pytest.mark.usefixtures("plain")
ASKED = "Book a table at the Harbour for four on Friday, no later than eight, and nothing with nuts please."
DONE = "Booked: Friday 27 November at 19:30, four people, quiet corner, the kitchen knows about the nuts."


def parts(vault: Vault, path: str) -> tuple[dict[str, object], str]:
    _, front, text = (vault.root / path).read_text(encoding="utf-8").split("---\n", 2)
    return yaml_read.mapping(front, path), text


def test_a_talk_in_which_something_was_done_leaves_a_snapshot_for_a_week(vault: Vault) -> None:
    session = start(vault)
    talked(vault, session, ASKED, DONE, tools=("book_table", "calendar"))
    ended = end_session(vault, session)
    (path,) = ended.snapshots
    assert path == f"snapshots/2026-11-21-1430-{session.id[-4:]}.md"
    front, text = parts(vault, path)
    assert front["session"] == session.id and front["tools"] == ["book_table", "calendar"]
    assert front["created"] == NOW and front["expires"] == NOW + timedelta(days=7)
    assert text.count("\n") == 1 and "Harbour" in text
    assert ended.session.ended == NOW and find_session(vault, session.id).snapshots == {0: path}
    assert path in recall(vault, Request("table at the Harbour")).text


def test_a_snapshot_weighs_the_more_the_more_it_tells(vault: Vault) -> None:
    def weight(*said: str) -> float:
        session = start(vault)
        talked(vault, session, *said, tools=("calendar",))
        entry = vault.document(end_session(vault, session).snapshots[0]).entries[0]
        assert "importance" not in entry.words
        return float(entry.importance or 0)

    assert 0.3 <= weight("look at the garden", "It looks green.") < weight(ASKED, DONE) <= 1


def test_small_talk_leaves_none_and_says_why(vault: Vault) -> None:
    session = start(vault)
    talked(vault, session, ASKED, "I can't do that, sorry.")
    ended = end_session(vault, session)
    assert ended.snapshots == () and "small talk" in ended.why_not
    assert not (vault.root / "snapshots").exists()
    assert end_session(vault, start(vault)).why_not == "nothing was said in it"


def test_it_is_one_write_that_git_has_and_undo_takes_back(repository: Path) -> None:
    vault = opened(repository)
    session = start(vault)
    talked(vault, session, ASKED, DONE, tools=("book_table",))
    (path,) = end_session(vault, session).snapshots
    assert "mem snapshot" in git(repository, "log", "-1", "--format=%s")
    assert git(repository, "status", "--porcelain") == ""
    history.undo(vault)
    assert not (repository / path).exists()


def test_a_snapshot_edits_neither_labels_nor_preferences(vault: Vault) -> None:
    for name in ("labels.yaml", "preferences.yaml", "USER.md", "state.yaml"):
        (vault.root / name).write_text("", encoding="utf-8")
    before = {path: path.read_bytes() for path in vault.root.iterdir() if path.is_file()}
    session = start(vault)
    talked(
        vault, session, "My home is 12 Example Road, I prefer tea, from now on call me Lin.", "Noted.", tools=("note",)
    )
    assert end_session(vault, session).snapshots
    assert {path: path.read_bytes() for path in vault.root.iterdir() if path.is_file()} == before


def test_after_twenty_rounds_every_stage_has_its_own(vault: Vault) -> None:
    session = start(vault)
    came = talked(vault, session, *rounds(0, 20), tools=("timetable",))
    assert not any(each.snapshots for each in came)  # until then one snapshot of the whole will do
    came = talked(vault, session, *rounds(20, 25), tools=("timetable",))
    kept = [path for each in came for path in each.snapshots]
    assert [parts(vault, path)[0]["stage"] for path in kept] == [1, 2]
    ended = end_session(vault, session)
    assert [parts(vault, path)[0].get("stage") for path in ended.snapshots] == [3, None]
    assert list(find_session(vault, session.id).snapshots) == [1, 2, 3, 0]


def test_a_stage_names_the_tools_that_were_called_in_it(vault: Vault) -> None:
    session = start(vault)
    talked(vault, session, *rounds(0, 10), tools=("timetable",))
    talked(vault, session, *rounds(10, 21))
    tools = {
        parts(vault, path)[0].get("stage"): parts(vault, path)[0]["tools"]
        for path in end_session(vault, session).snapshots
    }
    assert tools == {3: [], None: ["timetable"]}


def test_twenty_rounds_need_no_stages(vault: Vault) -> None:
    session = start(vault)
    talked(vault, session, *rounds(0, 20), tools=("timetable",))
    assert len(end_session(vault, session).snapshots) == 1


def test_a_talk_taken_up_again_has_one_snapshot_of_the_whole(folder: Path) -> None:
    vault = opened(folder)
    session = start(vault)
    talked(vault, session, ASKED, DONE, tools=("book_table",))
    (first,) = end_session(vault, session).snapshots
    later = opened(folder, NOW + timedelta(hours=2))
    assert end_session(later, resume(later, session)).why_not == "nothing was said since the last one"
    say(later, resume(later, session), SessionMessage("assistant", "The Harbour confirmed.", tools=("mail",)))
    (second,) = end_session(later, session).snapshots
    assert second != first and not (folder / first).exists() and (folder / second).exists()


def test_what_is_said_in_the_same_minute_is_in_the_snapshot_too(vault: Vault) -> None:
    session = start(vault)
    talked(vault, session, ASKED, DONE, tools=("book_table",))
    (first,) = end_session(vault, session).snapshots
    say(vault, resume(vault, session), SessionMessage("assistant", "Booked: table 4 at The Harbour.", tools=("mail",)))
    assert end_session(vault, session).snapshots == (first,)
    assert "mail" in parts(vault, first)[0]["tools"]


def test_a_stage_that_could_not_be_kept_is_kept_with_the_next(vault: Vault) -> None:
    session = start(vault)
    (vault.root / "snapshots").write_text("in the way")
    talked(vault, session, *rounds(0, 21), tools=("timetable",))
    assert any("no snapshot yet" in notice for notice in vault.notices)
    (vault.root / "snapshots").unlink()
    assert len(end_session(vault, session).snapshots) == 4


def test_a_block_that_mem_printed_is_not_remembered_again(vault: Vault) -> None:
    session = start(vault)
    block = f"# {TITLE}\n\n## logs/2026-10-01.md\n:3 the zebra likes quinces\n\n---\n"
    say(vault, session, SessionMessage("user", f"{block}What does it like?"))
    say(vault, session, SessionMessage("tool", block, tools=("recall",)))
    assert "quinces" not in parts(vault, end_session(vault, session).snapshots[0])[1]


@pytest.mark.parametrize(
    "said", ["- a list", "# a title", "> quoted", "---\n", "[type:: decision] x ^id", "1. one", "| a |"]
)
def test_its_text_is_one_memory_whatever_was_said(vault: Vault, said: str) -> None:
    session = start(vault)
    talked(vault, session, f"{said} about the Harbour at eight", said, tools=('a", "b: [x]', "名"))
    (path,) = end_session(vault, session).snapshots
    document = vault.document(path)
    assert document.front["tools"] == ['a", "b: [x]', "名"]
    assert len(document.entries) == 1 and not vault.notices


def test_tidy_archives_it_after_its_week_and_the_talk_after_thirty_days(folder: Path) -> None:
    vault = opened(folder)
    session = start(vault)
    talked(vault, session, ASKED, DONE, tools=("book_table",))
    (path,) = end_session(vault, session).snapshots
    after = [{each.path for each in expired(opened(folder, NOW + timedelta(days=days)))} for days in (6, 9, 31)]
    assert after == [set(), {path}, {path, session.path}]


@needs("learn")
def test_learn_reads_the_file_and_takes_events_for_nothing_said(vault: Vault) -> None:
    session = start(vault, title="from now on I am Anna")
    talked(vault, session, "always language=German", "Gut.", *rounds(0, 10), "I live in Porto.", "Nice.")
    found = learning.propose(vault, (vault.root / session.path).read_text(encoding="utf-8"), rules=True)
    assert found.messages == 24
    assert [re.sub(r"\W+", " ", each.text).strip() for each in found.atoms if each.type == "profile"] == [
        "I live in Porto"
    ]


def test_a_talk_of_which_nothing_is_worth_keeping_leaves_none_and_says_so(vault: Vault) -> None:
    session = start(vault)
    talked(vault, session, "hi", "Hello!", tools=("weather",))
    ended = end_session(vault, session)
    assert ended.snapshots == () and "worth keeping" in ended.why_not


def test_an_ended_session_says_no_more_until_it_is_taken_up_again(vault: Vault) -> None:
    session = start(vault, role="tutor")
    say(vault, session, SessionMessage("user", "hello"))
    assert end_session(vault, session).why_not.startswith("no tool was called")
    assert end_session(vault, session).why_not == "it had ended already"
    with pytest.raises(UsageError, match="has ended"):
        say(vault, session, SessionMessage("user", "one more thing"))
    again = resume(vault, session, knowledge=False)
    assert (again.ended, again.role, again.knowledge) == (None, "tutor", False)
    assert resume(vault, again, role="friend").role == "friend"
    assert say(vault, again, SessionMessage("user", "one more thing")).session.rounds == 2
