"""`mem pattern` and the outcome of a session, through their process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Ran, inside
from tests.features import needs

Mem = Callable[..., Ran]
mem = inside  # in this process: what is tested here is what the commands do
ADD = ("pattern", "add", "speed up an API", "--step", "measure", "--step", "cache or index")


def test_a_way_is_kept_tried_shown_offered_and_forgotten(mem: Mem, folder: Path) -> None:
    id = mem(*ADD).out.split()[0]
    assert mem("pattern", "tried", id, "good", "--note", "p95: 80 ms", "--tokens", "900").out == (
        "speed up an API: 1 of 1 good\n"
    )
    shown = mem("pattern", "show", "speed up").out.splitlines()
    assert shown[0].startswith(f"{id}  speed up an API  1 of 1 good, surely 38%, unproven")
    assert shown[1:] == ["  1. measure", "  2. cache or index", "  2026-11-21T14:30 good, 900 tokens: p95: 80 ms"]
    task = ("how", "should I speed up the orders API")
    assert mem("pattern", "offer", *task).out == "" and "1 unproven" in mem("pattern", "offer", *task).err
    offered = mem("pattern", "offer", *task, "--unproven")
    assert offered.out.splitlines()[0].startswith(f"→ {id}  speed up an API  went well 1 of 1 times, unproven")
    assert mem("pattern", "forget", id).out == "speed up an API is archived\n"
    assert "nothing is kept yet" in mem("pattern").err
    assert mem("undo").code == 0 and id in mem("pattern").out


def test_what_is_wrong_says_what_would_be_right(mem: Mem) -> None:
    mem(*ADD)
    mem("pattern", "add", "speed up an API", "-s", "buy a machine")
    assert (mem("pattern", "add", "x").code, mem("pattern", "tried", "speed", "maybe").code) == (2, 2)
    assert "could be any of 2" in mem("pattern", "show", "speed up an API").err
    assert "mem pattern list" in mem("pattern", "show", "nothing").err
    assert mem("pattern", "fail", "x", "--severity", "6").code == 2
    assert mem("pattern", "offer", "bake bread", "--strict").code == 1
    assert mem("pattern", "offer", "bake bread").code == 0


def test_only_what_surely_goes_well_is_offered_unasked(mem: Mem) -> None:
    id = mem(*ADD).out.split()[0]
    for minute in range(20):
        mem("pattern", "tried", id, "good", MEM_NOW=f"2026-11-20T10:{minute:02}")
    assert mem("pattern", "offer", "how should I speed up the orders API").out.startswith(f"→ {id}")
    for minute in range(20, 24):
        mem("pattern", "tried", id, "bad", MEM_NOW=f"2026-11-20T10:{minute:02}")
    assert mem("pattern", "offer", "how should I speed up the orders API").out == ""


def test_json_has_the_evidence(mem: Mem) -> None:
    mem(*ADD)
    mem("pattern", "fail", "reindex by day", "--sign", "reindex", "--wrong", "search was down", "--severity", "5")
    mem("pattern", "tried", "speed up", "good")
    listed = json.loads(mem("pattern", "list", "--json").out)
    (way,) = listed["ways"]
    assert listed["schema"] == 1
    assert (way["tries"], way["good"], way["rate"], way["proven"]) == (1, 1, 1.0, False)
    said = json.loads(mem("pattern", "offer", "reindex to speed up the API", "--unproven", "--json").out)
    assert said["schema"] == 1 and said["ways"][0]["chosen"] and said["ways"][0]["likeness"] > 0.8
    assert said["warnings"][0]["signs"] == ["reindex"]


def test_the_second_failure_for_one_reason_becomes_a_question(mem: Mem) -> None:
    mem(*ADD, "--parallel")
    assert mem("pattern", "tried", "speed", "bad", "--note", "429 rate limit").err == ""
    again = mem("pattern", "tried", "speed", "bad", "--note", "rate limited, 429", MEM_NOW="2026-11-22T10:00")
    assert "one after the other" in again.err and "mem review" in again.err
    (doubt,) = json.loads(mem("review", "--json").out)["doubts"]
    answer = json.dumps([{"id": doubt["id"], "answer": "confirm"}])
    assert "confirmed" in mem("review", "--apply", "-", stdin=answer).out
    assert json.loads(mem("pattern", "list", "--json").out)["failures"][0]["severity"] == 3


@needs("ask", "talk")
def test_a_prompt_and_a_deep_search_bring_it_with_its_place(mem: Mem) -> None:
    id = mem(*ADD).out.split()[0]
    asked = "how should I speed up the orders API"
    assert "measure → cache or index (not tried yet)" in mem("prompt", asked).out
    layer = next(one for one in json.loads(mem("prompt", asked, "--json").out)["layers"] if one["name"] == "patterns")
    assert layer["items"] == [f"patterns.yaml {id}"]
    evidence = json.loads(mem("ask", "--evidence", asked, "--json").out)["evidence"]
    assert [one["place"] for one in evidence] == [f"patterns.yaml {id}"]
    assert "measure" not in mem("prompt", "what did Anna say").out


@needs("talk")
def test_a_session_ends_with_an_outcome_that_waits_for_the_review(mem: Mem) -> None:
    mem("session", "start")
    mem("session", "say", "please compare the prices of three hotels")
    mem("session", "say", "--role", "assistant", "1. list them\n2. read their pages\n3. compare")
    ended = mem("session", "end", "--outcome", "bad", "--note", "two were sold out")
    assert ended.code == 0 and "compare the prices of three hotels" in ended.err and "mem review" in ended.err
    assert "nothing is kept yet" in mem("pattern").err
    assert mem("session", "end", "--note", "x").code == 2
    mem("session", "start")
    assert mem("session", "end", "--outcome", "good").code == 0, "it has ended, and says why nothing is proposed"


def test_a_new_vault_has_a_file_for_ways(mem: Mem, tmp_path: Path) -> None:
    assert mem("init", "new", "--yes", cwd=tmp_path).code == 0
    assert (tmp_path / "new/patterns.yaml").read_text(encoding="utf-8").startswith("# Ways of splitting a task")
