"""How a task was done before, told beforehand by a hook and by MCP, and written only once somebody agrees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memcli import jobs
from memcli.features.ways import patterns, writing
from memcli.features.ways.patterns import Failure, Try
from memcli.vault.vault import Vault
from tests.features import import_feature, needs

TASK = "how should I speed up the checkout API?"


@pytest.fixture
def taught(vault: Vault) -> Vault:
    way, _ = writing.keep_way(vault, "speed up an API", ["profile it", "cache the hot query"])
    writing.record_try(vault, way, Try("2026-11-01T10:00", True))
    writing.keep_failure(vault, Failure("share Redis with a batch job", ("Redis", "no TTL"), "", "its own instance", 5))
    return vault


def said(vault: Vault, prompt: str, session: str = "s") -> str:
    hook = import_feature("memcli.features.hook.handler")
    answer = hook.handle(vault, "prompt", hook.Payload(prompt=prompt, session=session), "claude")
    return str(answer["hookSpecificOutput"]["additionalContext"]) if answer else ""


def recalled(vault: Vault, question: str, budget: int = 1000) -> str:
    Calls = import_feature("memcli.features.serve.mcp.calls").Calls
    calls = Calls([("project", str(vault.root))], {"MEM_LANE": "off"}, str(vault.root), vault.clock, print)
    text, failed = calls.run("recall", {"question": question, "budget": budget}, "claude-code")
    assert not failed
    return text


def test_a_prompt_that_asks_for_a_known_task_is_told_the_way_once_a_session(taught: Vault) -> None:
    first = said(taught, TASK)
    assert first.startswith("<ways note=") and "profile it → cache the hot query" in first
    assert "(patterns.yaml" in first
    assert "<ways" not in said(taught, TASK)
    assert "<ways" in said(taught, TASK, session="another")


def test_a_prompt_is_warned_before_it_is_done(taught: Vault) -> None:
    assert "beware: share Redis" in said(taught, "let the batch job use our Redis, no TTL on its keys")


def test_where_no_way_is_kept_a_prompt_is_as_it_was(vault: Vault) -> None:
    assert "<ways" not in said(vault, TASK)


def test_recall_over_mcp_says_how_such_a_task_went_before(taught: Vault) -> None:
    text = recalled(taught, TASK)
    assert text.startswith("How such tasks went before") and "profile it" in text
    assert "profile it" not in recalled(taught, "what did Ana say about tea?")
    assert "beware" not in recalled(taught, "which port has our Redis?")  # one sign: nobody plans anything


def test_an_agents_own_way_is_told_to_no_other(vault: Vault) -> None:
    writing.keep_way(vault.seen_by("rex"), "speed up an API", ["profile it"])
    assert "profile it" in said(vault.seen_by("rex"), TASK)
    assert "profile it" not in said(vault, TASK)


@needs("learn")
def test_what_a_transcript_tells_of_a_task_waits_for_review(vault: Vault, tmp_path: Path) -> None:
    hook = import_feature("memcli.features.hook.handler")
    turns = [
        ("user", "Please speed up the checkout API, it takes two seconds."),
        ("assistant", "1. profile the handler\n2. add an index on orders\n3. measure again"),
        ("user", "That did the trick, thanks!"),
    ]
    talk = tmp_path / "talk.jsonl"
    lines = [
        json.dumps({"type": role, "timestamp": f"2026-11-21T10:0{at}:00Z", "message": {"role": role, "content": text}})
        for at, (role, text) in enumerate(turns)
    ]
    talk.write_text("\n".join(lines) + "\n", encoding="utf-8")
    hook.handle(vault, "end", hook.Payload(session="s", transcript=str(talk)), "claude")
    jobs.work(vault)
    assert [heard.steps for heard in writing.heard_patterns(vault)] == [
        ("profile the handler", "add an index on orders", "measure again")
    ]
    assert not patterns.read_patterns(vault)
