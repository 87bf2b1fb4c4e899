"""What coding agents leave behind: samples that others wrote, with their licences beside them, and the other formats by
their descriptions. Only what a person and an assistant said is read, and nothing twice."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memcli import jobs
from memcli.features.learn import likelihood, transcript
from memcli.text import transcripts
from memcli.vault import queue, talk_files
from memcli.vault.vault import Vault
from tests.conftest import Ran

SAMPLES = Path(__file__).parents[2] / "session/transcripts"


@pytest.fixture(autouse=True)
def sure_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """How sure something is, others tell; here it is about what becomes of it."""
    monkeypatch.setattr(likelihood, "KEPT", 0.0)
    monkeypatch.setattr(likelihood, "KEPT_BY_WORDS", 0.0)


def said(*records: Any) -> list[tuple[str, str]]:
    return [each[:2] for each in transcripts.read_turns("\n".join(map(json.dumps, records)))]


def by_user(name: str) -> list[str]:
    text = (SAMPLES / name).read_text(encoding="utf-8")
    return [each.text for each in transcripts.read_turns(text) if each.role == "user"]


# -- samples of others -------------------------------------------------------------------------------------------------


def test_a_session_of_claude_code_is_what_was_typed() -> None:
    assert by_user("simonw/sample_session.jsonl") == ["Create a hello world function", "Now add a goodbye function"]


def test_a_session_of_claude_code_on_the_web_is_one_document() -> None:
    found = by_user("simonw/sample_session.json")
    assert found[0] == "Create a simple Python function to add two numbers" and len(found) == 5


def test_output_of_tools_commands_notices_and_broken_lines_are_no_words_of_the_user() -> None:
    found = by_user("daaain/edge_cases.jsonl")
    assert [text.split()[0] for text in found] == ["Here's", "Let's", "Testing"]


def test_what_was_asked_of_tools_is_no_word_of_the_assistant() -> None:
    text = (SAMPLES / "daaain/todowrite_examples.jsonl").read_text(encoding="utf-8")
    every = transcripts.read_turns(text)
    assert [each.role for each in every] == ["user", "assistant", "assistant", "user", "assistant"]
    assert {each.cwd for each in every} == {"/tmp"}


def test_a_folder_of_samples_is_read_at_once(vault: Vault) -> None:
    talks = list(talk_files.find_new_turns(vault, SAMPLES))
    assert sum(each.role == "user" for talk in talks for each in talk.said) == 2 + 3 + 4 + 2 + 2
    talk_files.mark_read(vault, talks)
    assert not list(talk_files.find_new_turns(vault, SAMPLES))


# -- the others, by their descriptions ---------------------------------------------------------------------------------


def test_codex_tells_each_message_twice_and_it_is_read_once() -> None:
    assert said(
        {"type": "session_meta", "payload": {"id": "a", "cwd": "/w/shop"}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "<environment_context>x</environment_context>"}]}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "use tabs"}]}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": "use tabs", "kind": "plain"}},
        {"type": "event_msg", "payload": {"type": "agent_reasoning", "text": "hm"}},
        {"type": "response_item", "payload": {"type": "function_call_output", "output": "rm"}},
        {"type": "event_msg", "payload": {"type": "agent_message", "message": "done"}},
        {"type": "event_msg", "payload": {"type": "token_count", "info": {}}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": "use tabs"}},
    ) == [("user", "use tabs"), ("assistant", "done"), ("user", "use tabs")]  # fmt: skip


def test_older_files_of_codex_have_no_envelope() -> None:
    assert said(
        {"id": "a", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "# AGENTS.md instructions"}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "use tabs"}]},
    ) == [("user", "use tabs")]


def test_gemini_writes_one_document() -> None:
    document = {"sessionId": "a", "projectHash": "b", "messages": [
        {"id": "1", "type": "user", "content": "use tabs", "timestamp": "2026-11-20T04:00:00Z"},
        {"id": "2", "type": "info", "content": "Update available"},
        {"id": "3", "type": "gemini", "content": [{"text": "done"}], "toolCalls": [{"result": "x"}], "thoughts": []},
    ]}  # fmt: skip
    assert said(document) == [("user", "use tabs"), ("assistant", "done")]
    text = json.dumps(document, indent=2)
    assert [each[:2] for each in transcripts.read_turns(text)] == [("user", "use tabs"), ("assistant", "done")]


def test_cursor_puts_the_words_of_the_user_between_tags() -> None:
    query = "<user_info>Linux</user_info>\n<user_query>\nuse tabs\n</user_query>"
    assert said(
        {"role": "user", "message": {"content": [{"type": "text", "text": query}]}},
        {"role": "assistant", "message": {"content": [{"type": "text", "text": "done"}]}},
    ) == [("user", "use tabs"), ("assistant", "done")]


def test_copilot_writes_events() -> None:
    assert said(
        {"type": "session.start", "data": {"context": {"cwd": "/w/shop"}}},
        {"type": "user.message", "data": {"content": "use tabs"}, "timestamp": "2026-11-20T04:00:00Z"},
        {"type": "assistant.message", "data": {"content": "", "toolRequests": [{}]}},
        {"type": "tool.execution_complete", "data": {"result": {"content": "x"}}},
        {"type": "assistant.message", "data": {"content": "done"}},
    ) == [("user", "use tabs"), ("assistant", "done")]


@pytest.fixture
def opencode(tmp_path: Path) -> Path:
    place = tmp_path / "opencode.db"
    with sqlite3.connect(place) as base:
        base.executescript(
            """
            CREATE TABLE session (id, project_id, parent_id, directory, title, time_created, time_updated);
            CREATE TABLE message (id, session_id, time_created, data);
            CREATE TABLE part (id, message_id, session_id, time_created, data);
            INSERT INTO session VALUES ('a', 'p', NULL, '/w/shop', 't', 1, 5), ('b', 'p', 'a', '/w/shop', 't', 2, 5);
            INSERT INTO message VALUES ('m1', 'a', 1, '{"role":"user","time":{"created":1779000000000}}'),
                ('m2', 'a', 2, '{"role":"assistant"}'), ('m3', 'b', 3, '{"role":"user"}'), ('m4', 'a', 4, 'no json');
            INSERT INTO part VALUES ('p1', 'm1', 'a', 1, '{"type":"text","text":"From now on use tabs in Go."}'),
                ('p2', 'm1', 'a', 2, '{"type":"text","text":"file","synthetic":true}'),
                ('p3', 'm2', 'a', 3, '{"type":"tool","text":"x"}'), ('p4', 'm2', 'a', 4, '{"type":"text","text":"done"}'),
                ('p5', 'm3', 'b', 5, '{"type":"text","text":"I prefer coffee."}'), ('p6', 'm4', 'a', 6, '[]');
            """
        )
    base.close()
    return place


def test_the_database_of_opencode_is_read_without_sub_agents_and_tools(vault: Vault, opencode: Path) -> None:
    (talk,) = talk_files.find_new_turns(vault, opencode)
    assert [(each.role, each.text, each.cwd) for each in talk.said] == [
        ("user", "From now on use tabs in Go.", "/w/shop"), ("assistant", "done", "/w/shop"),
    ]  # fmt: skip
    assert transcript.read_transcript(talk.text)[0].at is not None
    talk_files.mark_read(vault, [talk])
    assert not list(talk_files.find_new_turns(vault, opencode))


def test_a_file_that_is_no_database_is_named_and_the_others_are_read(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "other.db").write_bytes(b"no database" * 100)
    (tmp_path / "t.jsonl").write_text('{"role":"user","content":"I like tea"}\n', encoding="utf-8")
    assert len(list(talk_files.find_new_turns(vault, tmp_path))) == 1
    assert "other.db" in " ".join(vault.notices)


# -- only what is new --------------------------------------------------------------------------------------------------


def line(text: str, role: str = "user") -> str:
    message = {"role": role, "content": text}
    return json.dumps({"type": role, "cwd": "/w/shop", "message": message}) + "\n"


def test_of_a_transcript_that_grew_only_what_is_new_is_read_with_the_question_before_it(
    vault: Vault, tmp_path: Path
) -> None:
    place = tmp_path / "t.jsonl"
    place.write_text(line("I like tea") + line("Where do you live?", "assistant"), encoding="utf-8")
    talk_files.mark_read(vault, list(talk_files.find_new_turns(vault, place)))
    with place.open("a", encoding="utf-8") as file:
        file.write(line("In Leeds"))
    (talk,) = talk_files.find_new_turns(vault, place)
    assert [each.text for each in talk.said] == ["Where do you live?", "In Leeds"]


def test_a_transcript_that_was_written_anew_is_read_again(vault: Vault, tmp_path: Path) -> None:
    place = tmp_path / "t.jsonl"
    place.write_text(line("I like tea") + line("I like figs") + line("I like rye"), encoding="utf-8")
    talk_files.mark_read(vault, list(talk_files.find_new_turns(vault, place)))
    place.write_text(line("I like plums"), encoding="utf-8")
    (talk,) = talk_files.find_new_turns(vault, place)
    assert [each.text for each in talk.said] == ["I like plums"]


def test_files_of_sub_agents_are_left_out(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "agent-a1.jsonl").write_text(line("I like tea"), encoding="utf-8")
    assert not list(talk_files.find_new_turns(vault, tmp_path))


def test_learning_from_a_folder_keeps_each_thing_once(vault: Vault, tmp_path: Path, mem: Callable[..., Ran]) -> None:
    place = tmp_path / "talks" / "shop"
    place.mkdir(parents=True)
    (place / "t.jsonl").write_text(line("I usually use tabs in Go."), encoding="utf-8")
    shown = mem("learn", str(tmp_path / "talks"))
    assert "tabs" in shown.out and "nothing is kept yet" in shown.err
    assert "in preferences.yaml" in mem("learn", str(tmp_path / "talks"), "--yes").out
    again = mem("learn", str(tmp_path / "talks"), "--yes")
    assert again.code == 0 and not again.out and "nothing to remember" in again.err


def test_a_folder_is_left_for_later_and_worked_off(vault: Vault, opencode: Path, mem: Callable[..., Ran]) -> None:
    assert mem("learn", str(opencode), "--later").code == 0
    assert [job.kind for job in queue.jobs(vault)] == ["transcript"]
    assert jobs.work(vault).done and not jobs.work(vault).failed
    assert "tabs" in (vault.root / "preferences.yaml").read_text(encoding="utf-8")
