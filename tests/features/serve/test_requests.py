"""What a request may be, and what it is answered: refusals, keys, marks, pages, streams, and lanes that are full."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memcli.errors import CheckFailed, Refused
from memcli.features.serve.keys import ApiAnswer, Keys
from memcli.features.serve.paths import rows
from memcli.features.serve.problems import Problem
from memcli.features.serve.run_command import CommandResult
from memcli.features.serve.work import ServerLimits
from memcli.rest_rows import Row
from tests.conftest import NOW
from tests.features import needs
from tests.features.serve.conftest import AGENT, OWNER, READER, Served, served

LOG = f"logs/{NOW:%Y-%m-%d}.md"


def problem(answer: Any, status: int) -> dict[str, Any]:
    """The details of a refusal, which looks the same whatever it is about."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told["status"] == status
    assert told["title"]
    assert told["detail"]
    return dict(told)


def remember(client: Served, text: str, **more: Any) -> dict[str, Any]:
    answer = client.post("/v1/memories", json={"text": text, **more})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


@needs("learn")
def test_what_the_profile_says_otherwise_is_told(client: Served) -> None:
    assert client.put("/v1/profile/city", json={"value": ["Berlin"]}).status_code == 200
    assert remember(client, "I now live in Leipzig")["against"] == "USER.md says city: Berlin"


# -- who asks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", [row for row in rows() if row.needs_token], ids=lambda row: f"{row.method} {row.path}")
def test_without_a_token_nothing_is_said(client: Served, row: Row) -> None:
    path = row.path.replace("{", "").replace("}", "")
    if row.command == "stats" and row not in client.api.rows:
        pytest.skip("no such command yet")
    for headers in ({"Authorization": ""}, {"Authorization": "Bearer wrong"}, {"Authorization": "", "X-API-Key": "no"}):
        answer = client.request(row.method, path, headers=headers)
        assert problem(answer, 401)["detail"] == "no token, or none that opens anything"


def test_a_token_may_come_as_a_key(client: Served) -> None:
    assert client.get("/v1/labels", headers={"Authorization": "", "X-API-Key": OWNER}).status_code == 200


def test_health_and_description_need_no_token(client: Served) -> None:
    for path in ("/health", "/ready", "/openapi.json"):
        assert client.get(path, headers={"Authorization": ""}).status_code == 200


def test_it_is_not_ready_before_the_vault_is_read(client: Served) -> None:
    client.api.is_ready = lambda: False
    assert problem(client.get("/ready"), 503)
    assert client.get("/health").status_code == 200


def test_who_may_only_read_changes_nothing(client: Served, folder: Path) -> None:
    answer = client.post("/v1/memories", json={"text": "tea"}, headers=client.as_(READER))
    assert problem(answer, 403)["detail"] == "this token only reads"
    assert not (folder / LOG).exists()


def test_an_agent_writes_into_its_own_space_and_sees_no_other(client: Served, folder: Path) -> None:
    remember(client, "secret of the other", agent="other")
    made = client.post("/v1/memories", json={"text": "how the build works"}, headers=client.as_(AGENT)).json()
    assert made["path"].startswith("agents/coder/")
    listed = client.get("/v1/memories", headers=client.as_(AGENT)).json()
    assert [memory["text"] for memory in listed["memories"] if "secret" in memory["text"]] == []
    answer = client.post("/v1/recall", json={"query": "secret", "agent": "other"}, headers=client.as_(AGENT))
    assert problem(answer, 400)
    assert problem(client.get("/v1/profile", headers=client.as_(AGENT)), 404)


# -- what is asked ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"[]", b"null", b'{"query": 1}', b'{"query": "x", "budget": "9"}', b'{"query": "x", "budget": 0}',
        b'{"query": "x", "strange": 1}', b'{"query": "x", "format": "pdf"}', b'{"query": "x", "tag": "t"}', b"{}",
        b'{"query": "x", "budget": NaN}', b'{"query": "x", "fill": 1}', b"\xff\xfe", b"[" * 100_000,
    ],
)  # fmt: skip
def test_a_body_that_does_not_fit_is_refused(client: Served, body: bytes) -> None:
    problem(client.post("/v1/recall", content=body, headers={"Content-Type": "application/json"}), 400)


def test_a_text_of_no_length_is_told_the_bounds_in_whole_numbers(client: Served) -> None:
    told = problem(client.post("/v1/memories", json={"text": ""}), 400)["detail"]
    assert told == "text has 0 characters; 1 to 1000000 are taken"


def test_a_query_that_does_not_fit_is_refused(client: Served) -> None:
    for query in ("limit=x", "limit=0", "strange=1", "limit=1&limit=2", "limit=%F0"):
        problem(client.get(f"/v1/memories?{query}"), 400)


def test_another_kind_of_body_is_refused(client: Served) -> None:
    problem(client.post("/v1/recall", content=b"query=x", headers={"Content-Type": "text/plain"}), 415)


def test_a_body_where_none_is_taken_is_refused(client: Served) -> None:
    problem(client.post("/v1/undo", content=b'{"all": true}'), 400)


def test_nothing_of_a_request_is_read_as_an_option(client: Served, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    for text in ("--help", f"--vault={elsewhere}", "-", "--json --force", "\0--debug", "\ud800"):
        body = json.dumps({"query": text})
        headers = {"Content-Type": "application/json"}
        assert client.post("/v1/recall", content=body, headers=headers).status_code == 200
        assert client.put("/v1/labels/gym", json={"text": "x", "alias": ["--unset"]}).status_code == 200
    assert not elsewhere.exists()


def test_paths_and_methods_that_are_not_there(client: Served) -> None:
    problem(client.get("/v1/nothing"), 404)
    problem(client.delete("/v1/recall"), 405)


@pytest.mark.parametrize(
    "place", ["0000000", "^nobody", "logs/none.md:3", "yesterday", "mem.yaml", "../../etc/passwd:1"]
)
def test_what_is_no_memory_is_not_found(client: Served, place: str) -> None:
    answer = client.get("/v1/memories/" + place.replace("/", "%2F"))
    assert answer.status_code in (404, 409)
    problem(answer, answer.status_code)


def test_what_a_gate_refuses_is_refused_with_the_reason(client: Served, folder: Path) -> None:
    told = problem(client.post("/v1/memories", json={"text": "ok"}), 409)
    assert told["code"] == 4
    assert told["answer"]["kept"] is False
    assert told["answer"]["verdicts"]
    assert not (folder / LOG).exists()


def test_a_failure_of_the_server_tells_nothing_of_it(folder: Path) -> None:
    def broken(*asked: Any) -> CommandResult:
        raise RuntimeError("/home/lin/secret")

    with served(folder, run=broken) as client:
        assert "secret" not in client.post("/v1/recall", json={"query": "x"}).text
        problem(client.post("/v1/memories", json={"text": "x"}), 500)
        client.warm.vaults.close()


def test_a_large_body_is_refused(folder: Path) -> None:
    with served(folder, ServerLimits(body=1000)) as client:
        answer = client.post("/v1/memories", json={"text": "x" * 2000})
        assert problem(answer, 413)
        client.warm.vaults.close()


# -- writes ----------------------------------------------------------------------------------------------------------


def test_the_next_who_reads_sees_what_was_written(client: Served) -> None:
    made = remember(client, "Redis replaces the local cache", tag=["cache"])
    assert made["text"] in client.post("/v1/recall", json={"query": "cache", "format": "md"}).text
    assert client.get(f"/v1/memories/{made['id']}").json()["text"] == made["text"]


def test_what_another_program_wrote_is_seen(client: Served, folder: Path) -> None:
    client.post("/v1/recall", json={"query": "oolong"})
    (folder / "logs").mkdir(exist_ok=True)
    (folder / LOG).write_text("- 10:00 oolong is half way\n", encoding="utf-8")
    assert "half way" in client.post("/v1/recall", json={"query": "oolong", "format": "md"}).text


def test_a_new_memory_tells_where_it_is(client: Served) -> None:
    answer = client.post("/v1/memories", json={"text": "Redis replaces the local cache"})
    assert client.get(answer.headers["location"]).json()["id"] == answer.json()["id"]
    again = client.post("/v1/memories", json={"text": "Redis replaces the local cache"})
    assert (again.status_code, again.json()["again"]) == (200, True)


def test_a_write_with_a_key_is_done_once_also_after_a_restart(folder: Path) -> None:
    key = {"Idempotency-Key": "a-1"}
    body = {"text": "Redis replaces the local cache", "force": True}
    with served(folder) as client:
        first = client.post("/v1/memories", json=body, headers=key)
        assert client.post("/v1/memories", json=body, headers=key).text == first.text
        client.warm.vaults.close()
    with served(folder) as client:
        again = client.post("/v1/memories", json=body, headers=key)
        assert (again.status_code, again.text) == (201, first.text)
        assert again.headers["location"] == first.headers["location"]
        problem(client.post("/v1/memories", json={"text": "the cat is called Miso"}, headers=key), 422)
        client.warm.vaults.close()
    assert (folder / LOG).read_text(encoding="utf-8").count("Redis") == 1


def test_a_key_of_one_token_is_none_of_another(client: Served, folder: Path) -> None:
    key = {"Idempotency-Key": "a-1"}
    client.post("/v1/memories", json={"text": "how the build works"}, headers=key)
    other = client.post("/v1/memories", json={"text": "who reviews it"}, headers={**key, **client.as_(AGENT)})
    assert other.json()["path"].startswith("agents/coder/")


def test_a_key_is_forgotten_after_a_day(tmp_path: Path) -> None:
    keys = Keys(tmp_path, NOW)
    keys.keep("k", "r", ApiAnswer(201, b"{}"), NOW)
    assert Keys(tmp_path, NOW).find_answer("k", "r", NOW) == ApiAnswer(201, b"{}")
    later = NOW.replace(day=NOW.day + 2)
    assert Keys(tmp_path, later).find_answer("k", "r", later) is None
    assert list((tmp_path / ".mem" / "serve").iterdir()) == []


def test_what_lies_where_the_keys_are_kept_may_be_anything(tmp_path: Path) -> None:
    place = tmp_path / ".mem" / "serve"
    place.mkdir(parents=True)
    (place / f"answers-{NOW:%Y-%m-%d}.jsonl").write_text('{"key": 1}\nnull\n{"key": "k", "at"', encoding="utf-8")
    keys = Keys(tmp_path, NOW)
    assert keys.find_answer("k", "r", NOW) is None
    keys.keep("k", "r", ApiAnswer(200, b"x"), NOW)
    assert Keys(tmp_path, NOW).find_answer("k", "r", NOW) == ApiAnswer(200, b"x")


def test_a_request_names_a_memory_by_its_id_alone(client: Served) -> None:
    remember(client, "the cache has one level")
    problem(client.delete("/v1/memories/cache"), 404)


def test_an_edit_of_what_was_changed_meanwhile_is_refused(client: Served, folder: Path) -> None:
    made = remember(client, "the cache has one level ^cache")
    shown = client.get("/v1/memories/%5Ecache")
    mark = {"If-Match": shown.headers["etag"]}
    body = {"text": "the cache has two levels ^cache"}
    assert client.patch("/v1/memories/%5Ecache", json=body, headers=mark).json()["changed"] is True
    problem(client.patch("/v1/memories/%5Ecache", json={"text": "none ^cache"}, headers=mark), 412)
    assert client.patch("/v1/memories/%5Ecache", json={"text": "three ^cache"}).status_code == 200
    text = (folder / LOG).read_text(encoding="utf-8")
    assert "- three ^cache" in text
    assert made["id"] == "^cache"


def test_what_was_changed_meanwhile_is_not_forgotten(client: Served, folder: Path) -> None:
    remember(client, "the cache has one level ^cache")
    before = {"If-Match": client.get("/v1/memories/%5Ecache").headers["etag"]}
    client.patch("/v1/memories/%5Ecache", json={"text": "the cache has two levels ^cache"})
    problem(client.delete("/v1/memories/%5Ecache", headers=before), 412)
    assert "the cache has two levels ^cache" in (folder / LOG).read_text(encoding="utf-8")
    now = {"If-Match": client.get("/v1/memories/%5Ecache").headers["etag"]}
    assert client.delete("/v1/memories/%5Ecache", headers=now).status_code == 200


def test_the_words_that_showing_gives_can_be_sent_back(client: Served, folder: Path) -> None:
    made = remember(client, "first line\n  and a second\n  and a third")
    text = client.get(f"/v1/memories/{made['id']}").json()["text"]
    assert client.patch(f"/v1/memories/{made['id']}", json={"text": text}).json()["changed"] is False
    changed = client.patch(f"/v1/memories/{made['id']}", json={"text": text.replace("third", "fourth")}).json()
    assert client.get(f"/v1/memories/{changed['id']}").json()["text"] == text.replace("third", "fourth")


def test_what_is_forgotten_is_gone_and_undo_brings_it_back(client: Served) -> None:
    made = remember(client, "Redis replaces the local cache")
    assert client.delete(f"/v1/memories/{made['id']}").status_code == 200
    assert "Redis" not in client.post("/v1/recall", json={"query": "cache", "format": "md"}).text
    assert client.post("/v1/undo").json()["undone"] == "forget"
    assert "Redis" in client.post("/v1/recall", json={"query": "cache", "format": "md"}).text


def test_the_history_of_a_memory_names_the_token(client: Served) -> None:
    made = remember(client, "Redis replaces the local cache")
    assert [step["by"] for step in client.get(f"/v1/memories/{made['id']}/history").json()["writes"]] == ["owner"]


def test_pages_follow_each_other_though_memories_come_and_go(client: Served, folder: Path) -> None:
    (folder / "logs").mkdir()
    for day in range(1, 8):
        lines = [f"- 1{at}:00 note {day} {at}" for at in range(3)]
        (folder / f"logs/2026-11-0{day}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    answer, found = client.get("/v1/memories?limit=4"), list[str]()
    while True:
        found += [memory["text"] for memory in answer.json()["memories"]]
        if "next" not in answer.links:
            break
        remember(client, f"a new one, {len(found)}")
        client.delete(f"/v1/memories/{answer.json()['memories'][-1]['id']}")
        answer = client.get(answer.links["next"]["url"])
    assert [text[6:] for text in found] == [f"note {day} {at}" for day in range(7, 0, -1) for at in (2, 1, 0)]


@needs("learn")
def test_a_conversation_is_learnt_from_by_and_by(client: Served, folder: Path) -> None:
    answer = client.post("/v1/learn", json={"text": "User: I live in Leipzig now.", "rules": True})
    assert answer.status_code == 202
    for _ in range(200):
        if (state := client.get(answer.headers["location"]).json()["state"]) == "done":
            break
        threading.Event().wait(0.05)
    assert state == "done"
    assert client.get("/v1/profile").json()["city"] == "Leipzig"
    problem(client.get("/v1/jobs/nobody"), 404)


# -- streams ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def speaking(folder: Path) -> Iterator[Served]:
    """A server whose command answers in two pieces."""

    def run(words: Any, stdin: bytes, access: Any, opener: Any, hear: Any = None) -> CommandResult:
        if "--fail" in words[-1]:
            return CommandResult(1, "", "", CheckFailed("no"))
        assert "--stream" in words
        hear('{"event": "piece", "text": "of tea"}\n')
        hear('{"event": "answer", "answer": "of tea and\\u2028water"}\n')
        return CommandResult(0, "", "")

    with served(folder, run=run) as client:
        yield client
        client.warm.vaults.close()


@needs("ask")
def test_an_answer_is_heard_line_by_line(speaking: Served) -> None:
    answer = speaking.post("/v1/ask", json={"query": "what"}, headers={"Accept": "application/x-ndjson"})
    assert [json.loads(line)["event"] for line in answer.text.split("\n") if line] == ["piece", "answer"]


@needs("ask")
def test_an_answer_is_heard_as_events(speaking: Served) -> None:
    answer = speaking.post("/v1/ask", json={"query": "what"}, headers={"Accept": "text/event-stream"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    first, second = answer.text.strip().split("\n\n")
    assert first == 'event: piece\ndata: {"event": "piece", "text": "of tea"}'
    assert second.startswith("event: answer\ndata: {")


@needs("ask")
def test_a_stream_that_fails_says_so_at_its_end(speaking: Served) -> None:
    answer = speaking.post("/v1/ask", json={"query": "--fail"}, headers={"Accept": "text/event-stream"})
    assert answer.text.startswith("event: problem\n")


@needs("ask")
def test_the_real_command_streams_the_same(client: Served) -> None:
    remember(client, "Redis replaces the local cache")
    body = {"query": "which cache", "evidence": True}
    whole = client.post("/v1/ask", json=body).json()
    answer = client.post("/v1/ask", json=body, headers={"Accept": "application/x-ndjson"})
    last = json.loads(answer.text.strip().split("\n")[-1])
    assert last["event"] == "answer"
    assert last["evidence"] == whole["evidence"]


# -- lanes that are full ---------------------------------------------------------------------------------------------


def test_writes_that_are_too_many_are_told_when_to_come_back_and_reads_go_on(folder: Path) -> None:
    go, begun, done = threading.Event(), threading.Event(), list[str]()

    def run(words: Any, stdin: bytes, access: Any, opener: Any, hear: Any = None) -> CommandResult:
        if words[0] == "add":
            begun.set()
            go.wait(20)
            done.append(stdin.decode())
            return CommandResult(0, json.dumps({"kept": True, "id": stdin.decode(), "dry_run": False}), "")
        return CommandResult(0, "{}", "")

    with served(folder, ServerLimits(writes=3), run) as client:
        answers: dict[int, Any] = {}

        def write(number: int) -> None:
            answers[number] = client.post("/v1/memories", json={"text": str(number)})

        threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        begun.wait(20)
        assert client.post("/v1/recall", json={"query": "x"}).status_code == 200
        while len(answers) < 5:  # those that found the lane full
            threading.Event().wait(0.01)
        assert client.post("/v1/recall", json={"query": "x"}).status_code == 200
        go.set()
        for thread in threads:
            thread.join()
        client.warm.vaults.close()
    refused = [answer for answer in answers.values() if answer.status_code != 201]
    assert len(refused) == 5
    for answer in refused:
        assert int(answer.headers["retry-after"]) >= 1
        problem(answer, 429)
    assert sorted(done) == sorted(str(number) for number in answers if answers[number].status_code == 201)


def test_what_takes_too_long_is_given_up_and_still_done(folder: Path) -> None:
    done = threading.Event()

    def run(words: Any, stdin: bytes, access: Any, opener: Any, hear: Any = None) -> CommandResult:
        threading.Event().wait(0.5)
        done.set()
        return CommandResult(0, json.dumps({"kept": True, "dry_run": False}), "")

    with served(folder, ServerLimits(seconds=0.1), run) as client:
        problem(client.post("/v1/memories", json={"text": "x"}), 504)
        assert done.wait(10)
        client.warm.vaults.close()


def test_a_busy_vault_is_worth_another_try(folder: Path) -> None:
    from memcli.errors import Busy

    def run(words: Any, stdin: bytes, access: Any, opener: Any, hear: Any = None) -> CommandResult:
        return CommandResult(4, "", "", Busy("the vault is being written") if words[0] == "add" else Refused("no"))

    with served(folder, run=run) as client:
        answer = client.post("/v1/memories", json={"text": "x"})
        assert problem(answer, 503)["code"] == 4
        assert answer.headers["retry-after"]
        assert problem(client.post("/v1/recall", json={"query": "x"}), 409)
        client.warm.vaults.close()


def test_a_problem_says_what_to_do(client: Served) -> None:
    error = Problem(422, "this is wrong", "do that")
    assert json.loads(error.body) == {
        "type": "about:blank", "title": "not possible", "status": 422, "detail": "this is wrong", "hint": "do that",
    }  # fmt: skip


def test_a_path_without_a_command_would_be_open_to_anybody() -> None:
    with pytest.raises(ValueError, match="make the command first"):
        Row("GET", "/v1/tags/counts", "", "Tags with their counts.")
