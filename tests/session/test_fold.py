"""What a session is: the fold of its lines, whatever became of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.errors import NotKept, UsageError
from memcli.session import Session, SessionMessage, find_session, parse_message, sessions, start
from memcli.session.fold import SHOWN, fold
from memcli.vault import files
from memcli.vault.vault import Vault
from tests.conftest import git, opened
from tests.remember.gates.cases import filled
from tests.rows import check_rows
from tests.session.records import end, record


def test_a_session_is_one_file_that_anyone_can_read(vault: Vault) -> None:
    session = start(vault, title="trip to Lisbon", role="tutor", knowledge=False)
    record(vault, session, SessionMessage("user", "Which trains go to 里斯本?"))
    record(vault, session, SessionMessage("assistant", "Three.", tools=("timetable",)))
    assert session.id.startswith("20261121-1430-") and session.path == f"sessions/{session.id}.jsonl"
    at = "2026-11-21T14:30:00"
    written = (vault.root / session.path).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in written] == [
        {"event": "start", "at": at, "title": "trip to Lisbon", "role": "tutor", "knowledge": False},
        {"role": "user", "content": "Which trains go to 里斯本?", "at": at},
        {"role": "assistant", "content": "Three.", "at": at, "tools": ["timetable"]},
    ]
    now = find_session(vault, session.id)
    assert (now.title, now.role, now.knowledge, now.rounds, now.tools) == (
        "trip to Lisbon",
        "tutor",
        False,
        1,
        ("timetable",),
    )


def test_git_never_sees_it(repository: Path) -> None:
    vault = opened(repository)
    record(vault, start(vault), SessionMessage("user", "a secret plan"))
    record(vault, start(vault.seen_by("bot")), SessionMessage("user", "another"))
    assert "sessions" not in git(repository, "status", "--porcelain", "--untracked-files=all")


@pytest.mark.parametrize("cut", [1, 5, 12, 40])
def test_a_line_torn_by_a_crash_is_passed_over_and_the_next_stands_on_its_own(vault: Vault, cut: int) -> None:
    session = start(vault)
    record(vault, session, *(SessionMessage("user", text) for text in ("one", "two", "三三三")))
    place = vault.root / session.path
    place.write_bytes(place.read_bytes()[:-cut])
    record(vault, session, SessionMessage("user", "four"))
    assert [each.content for each in find_session(vault).messages] == (
        ["one", "two"] if cut > 1 else ["one", "two", "三三三"]
    ) + ["four"]


@given(st.integers(0, 4000), st.binary(max_size=20), st.lists(st.integers(0, 40), max_size=4))
def test_whatever_becomes_of_the_file_it_is_read(cut: int, dirt: bytes, gone: list[int]) -> None:
    whole = WHOLE.split(b"\n")
    left = b"\n".join(line for number, line in enumerate(whole) if number not in gone)
    text = (left[:cut] + dirt + left[cut:]).decode("utf-8", "replace")
    session = fold(Session("x", "sessions/x.jsonl"), text.split("\n"))
    assert len(session.window) <= SHOWN
    assert all(0 <= first < last <= len(session.messages) for first, last in [*session.folded, *session.stages])


@check_rows(
    "line",
    ['{"event":"summary","first":0,"last":9000000,"summary":"x"}', '{"event":"anchor"}', '{"event":"snapshot","stage":"x"}',
     '{"event":"stage","first":"a","last":[]}', '{"role":"user","content":["x"]}', '{"role":"boss","content":"x"}', "[1]", "null",
     '{"event":["start"]}', '{"event":"shift","message":null}', "{" * 5000],
)  # fmt: skip
def test_a_line_that_makes_no_sense_changes_nothing(line: str) -> None:
    before = fold(Session("x", "sessions/x.jsonl"), ['{"role":"user","content":"hello","at":"2026-11-21T14:30"}'])
    assert fold(before, [line]) == before


def test_text_of_a_foreign_file_cannot_move_the_cursor() -> None:
    said = json.dumps({"role": "user", "content": "a\x1b[2Jb", "tools": ["x\x1b[0m\ny"]})
    message = fold(Session("x", "sessions/x.jsonl"), [said]).messages[0]
    assert (message.content, message.tools) == ("ab", ("x y",))


def test_it_is_found_by_any_unique_part_as_git_finds_a_commit(vault: Vault, folder: Path) -> None:
    for name in ("20261120-0900-aa11", "20261121-0900-aa22", "20261121-0900-bb22", "20261121-0900-bb2200"):
        files.append(folder / "sessions" / f"{name}.jsonl", '{"event":"start","at":"2026-11-21T09:00"}')
    parts = ("20261120", "aa11", "aa1", "20261121-0900-a", "bb22", "bb220")
    assert [find_session(vault, part).id[-6:].lstrip("0-") for part in parts] == [
        "aa11",
        "aa11",
        "aa11",
        "aa22",
        "bb22",
        "bb2200",
    ]
    with pytest.raises(UsageError, match="matches 3 sessions"):
        find_session(vault, "20261121")
    with pytest.raises(UsageError, match=r"no session is called '\.\./x'"):
        find_session(vault, "../x")
    assert find_session(opened(folder), "aa1").id == find_session(opened(folder), "20261120-0900-aa11").id


def test_without_a_name_it_is_the_environments_or_the_newest_that_is_open(
    vault: Vault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="no session is open"):
        find_session(vault)
    one = start(vault, title="one")
    assert find_session(vault) == one
    two = start(vault, title="two")
    assert find_session(vault) == two
    assert vault.notices == [f"2 sessions are open, {two.id} is the newest; mem session end ends it"]
    monkeypatch.setenv("MEM_SESSION", one.id[-4:])
    assert find_session(opened(folder)) == one
    monkeypatch.delenv("MEM_SESSION")
    end(vault, one)
    assert find_session(vault) == two
    assert {each.title: bool(each.ended) for each in sessions(vault)} == {"one": True, "two": False}


def test_an_agent_keeps_its_own(vault: Vault) -> None:
    session = start(vault.seen_by("bot"))
    assert session.path == f"agents/bot/sessions/{session.id}.jsonl" and session.agent == "bot"


def test_a_link_out_of_the_vault_is_no_session(vault: Vault, tmp_path: Path) -> None:
    (vault.root / "sessions").mkdir()
    (tmp_path / "outside.jsonl").write_text("{}\n")
    (vault.root / "sessions/x.jsonl").symlink_to(tmp_path / "outside.jsonl")
    assert sessions(vault) == []


WHOLE = "\n".join(
    json.dumps(each)
    for each in [
        {"event": "start", "at": "2026-11-21T09:00", "title": "里斯本"},
        *(
            {"role": "user" if n % 2 else "assistant", "content": f"message {n} 消息", "tools": ["x"]}
            for n in range(30)
        ),
        {"event": "summary", "first": 0, "last": 12, "summary": "twelve"},
        {"event": "stage", "first": 0, "last": 20, "summary": "twenty"},
        {"event": "shift", "message": 20},
        {"event": "anchor", "key": "language", "value": "German"},
        {"event": "snapshot", "stage": 0, "path": "snapshots/x.md"},
        {"event": "end", "at": "2026-11-21T10:00"},
    ]
).encode()


CALL = {"id": "call_1", "type": "function", "function": {"name": "book_table", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("written", "content", "tools"),
    [
        ({"role": "assistant", "content": None, "tool_calls": [CALL, CALL]}, "", ("book_table",)),
        ({"role": "assistant", "tool_calls": [CALL]}, "", ("book_table",)),
        ({"role": "assistant", "content": None, "function_call": {"name": "weather", "arguments": "{}"}}, "", ("weather",)),
        ({"role": "tool", "tool_call_id": "call_1", "name": "book_table", "content": "done"}, "done", ("book_table",)),
        ({"role": "function", "name": "weather", "content": "rain"}, "rain", ("weather",)),
        ({"role": "user", "content": [{"type": "text", "text": "what is"}, {"type": "image_url"}, {"type": "text", "text": "this?"}]}, "what is\nthis?", ()),
        ({"role": "assistant", "content": "Three.", "tools": ["timetable"]}, "Three.", ("timetable",)),
    ],
)  # fmt: skip
def test_messages_are_read_as_chat_apis_write_them(
    written: dict[str, object], content: str, tools: tuple[str, ...]
) -> None:
    read = parse_message(written)
    assert (read.content, read.tools) == (content, tools)


@pytest.mark.parametrize(
    "written",
    [
        {"role": "user", "content": None},
        {"role": "user"},
        {"role": "user", "content": 5},
        {"role": ["user"], "content": "x"},
    ],
)
def test_what_says_nothing_is_no_message(written: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="no message"):
        parse_message(written)


def test_no_session_begins_for_an_agent_that_is_called_like_a_key(vault: Vault) -> None:
    with pytest.raises(NotKept):
        start(vault.seen_by(filled("ghp_{A36}", "agent")[0]))
    assert not (vault.root / "agents").exists()
