"""`/mcp`: the tools over HTTP, in both eras of the protocol."""

from __future__ import annotations

import base64
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from memcli import bounds
from memcli.features.serve.mcp.calls import Calls
from memcli.features.serve.mcp_over_http import HEADER
from memcli.features.serve.work import QueueName, Turns
from tests.features.serve.mcp.client import CAPABILITIES, STATELESS, VERSION
from tests.features.serve.test_tenants import HERS, HIS, House, house

__all__ = ["house"]

NEW = "2026-07-28"


def new(house: House, who: str, method: str, headers: dict[str, str] | None = None, **params: Any) -> Any:
    """A request of the stateless era, with all that belongs to it."""
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": {"_meta": STATELESS, **params}}
    named = {"Mcp-Name": params["name"]} if "name" in params else {}
    told = {"MCP-Protocol-Version": NEW, "Mcp-Method": method, **named, **(headers or {})}
    return house.ask(who, "POST", "/mcp", body, **{name: value for name, value in told.items() if value != "-"})


def old(house: House, who: str, method: str, version: str = "", **params: Any) -> Any:
    headers = {"MCP-Protocol-Version": version} if version else {}
    return house.ask(who, "POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, **headers)


def text(answer: Any) -> str:
    assert answer.status_code == 200, answer.text
    return str(answer.json()["result"]["content"][0]["text"])


def test_both_eras_recall_from_the_vault_of_the_token(house: House) -> None:
    hers, his = "spare key flowerpot", "violin tuned by Ferdinand"
    for who, own, other, mine, theirs in (("anna", HERS, HIS, hers, his), ("ben", HIS, HERS, his, hers)):
        for asked in (new, old):
            assert own in text(asked(house, who, "tools/call", name="recall", arguments={"question": mine}))
            assert other not in text(asked(house, who, "tools/call", name="recall", arguments={"question": theirs}))


def test_what_is_remembered_is_found_at_once_also_by_the_paths(house: House) -> None:
    told = "Ferdinand comes on Tuesday with the bow"
    assert "kept as" in text(new(house, "ben", "tools/call", name="remember", arguments={"text": told}))
    assert told in text(old(house, "ben", "tools/call", name="recall", arguments={"question": "Ferdinand Tuesday bow"}))
    answer = house.ask("ben", "POST", "/v1/recall", {"query": "Ferdinand Tuesday bow", "format": "plain"})
    assert told in answer.text


def test_somebody_elses_memory_is_not_there_for_tools_either(house: House) -> None:
    theirs, nobodys = house.ids["anna"], "0" * len(house.ids["anna"])
    for tool in ("show", "forget"):
        said = [text(new(house, "ben", "tools/call", name=tool, arguments={"place": id})) for id in (theirs, nobodys)]
        assert said[0].replace(theirs, nobodys) == said[1]


def test_an_agents_token_means_its_own_space_and_never_anothers(house: House) -> None:
    root = house.tokens.listed()[0].vault
    for agent in ("scout", "coder"):
        house.secrets[agent] = house.tokens.add(agent, root, agent=agent)[1]
        finding = {"text": f"the {agent} found that the depot is shut on Mondays", "owner": "agent"}
        assert f"agents/{agent}/" in text(new(house, agent, "tools/call", name="remember", arguments=finding))
    told = text(new(house, "scout", "tools/call", name="recall", arguments={"question": "the depot on Mondays"}))
    assert "scout found" in told and "coder found" not in told


def test_an_agents_token_writes_to_its_own_space_alone_by_whichever_door(house: House) -> None:
    anna = house.tokens.listed()[0]
    root = anna.vault
    house.secrets["scout"] = house.tokens.add("scout", root, agent="scout")[1]
    before = {path: path.read_bytes() for path in root.rglob("*.[my]*") if path.is_file() and ".mem" not in path.parts}
    for said in (
        {"text": "the depot is shut on Mondays"}, {"text": "the user lives in Halden", "owner": "user"},
        {"text": "I prefer window seats on trains", "type": "preference"},
    ):  # fmt: skip
        new(house, "scout", "tools/call", name="remember", arguments=said)
    assert house.ask("scout", "POST", "/v1/memories", {"text": "the depot opens at nine"}).status_code == 201
    shared = house.ids[anna.token]
    assert "not in the space" in text(new(house, "scout", "tools/call", name="forget", arguments={"place": shared}))
    assert house.ask("scout", "DELETE", f"/v1/memories/{shared}").status_code == 409
    now = {path: path.read_bytes() for path in root.rglob("*.[my]*") if path.is_file() and ".mem" not in path.parts}
    changed = {path.relative_to(root).as_posix() for path in now if now[path] != before.get(path)}
    assert changed and all(path.startswith("agents/scout/") for path in changed)
    assert {path.rsplit("/", 1)[1] for path in changed} >= {"preferences.yaml"}


@pytest.mark.parametrize(
    "headers",
    [
        {"MCP-Protocol-Version": "-"}, {"MCP-Protocol-Version": "2025-11-25"}, {"Mcp-Method": "-"}, {"Mcp-Name": "-"},
        {"Mcp-Method": "tools/list"}, {"Mcp-Method": "TOOLS/CALL"}, {"Mcp-Name": "forget"}, {"Mcp-Name": "=?base64?%%?="},
    ],
)  # fmt: skip
def test_headers_that_do_not_agree_with_the_message_are_refused_and_nothing_is_done(
    house: House, headers: dict[str, str]
) -> None:
    answer = new(house, "ben", "tools/call", headers, name="remember", arguments={"text": "Ferdinand is a cellist"})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == HEADER and answer.json()["id"] == 7
    assert "cellist" not in house.ask("ben", "POST", "/v1/recall", {"query": "cellist", "format": "plain"}).text


def test_a_header_may_have_blanks_around_it_or_come_encoded(house: House) -> None:
    encoded = f"=?base64?{base64.b64encode(b'recall').decode()}?="
    for name in ("  recall  ", encoded):
        assert HIS in text(
            new(house, "ben", "tools/call", {"Mcp-Name": name}, name="recall", arguments={"question": "violin"})
        )


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "nothing"])
def test_what_the_stateless_era_has_not_is_not_found(house: House, method: str) -> None:
    answer = new(house, "ben", method)
    assert answer.status_code == 404 and answer.json()["error"]["code"] == -32601


def test_a_version_that_is_not_spoken_is_refused_with_those_that_are(house: House) -> None:
    meta = {VERSION: "2030-01-01", CAPABILITIES: {}}
    answer = new(house, "ben", "tools/list", {"MCP-Protocol-Version": "2030-01-01"}, _meta=meta)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == -32022 and NEW in answer.json()["error"]["data"]["supported"]
    assert old(house, "ben", "tools/list", "1999-01-01").status_code == 400


def test_a_handshake_is_answered_and_notifications_are_taken(house: House) -> None:
    said = old(house, "ben", "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "c"})
    assert said.json()["result"]["protocolVersion"] == "2025-06-18" and "mcp-session-id" not in said.headers
    done = house.ask("ben", "POST", "/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (done.status_code, done.text) == (202, "")
    assert old(house, "ben", "ping", "2025-06-18").json()["result"] == {}


@pytest.mark.parametrize(
    "body", [b"", b"{", b"7", b"[]", b'{"jsonrpc": "2.0"}', b"[" * 5000, b'{"id": 1, "method": 7}']
)
def test_what_is_no_message_is_refused(house: House, body: bytes) -> None:
    headers = {"Authorization": f"Bearer {house.secrets['ben']}", "Content-Type": "application/json"}
    answer = house.client.post("/mcp", content=body, headers=headers)
    assert answer.status_code == 400 and answer.json()["error"]["code"] in (-32700, -32600)


def test_only_messages_of_json_can_be_posted_and_nothing_else_is_done_here(house: House) -> None:
    headers = {"Authorization": f"Bearer {house.secrets['ben']}", "Content-Type": "text/plain"}
    assert house.client.post("/mcp", content=b"{}", headers=headers).status_code == 415
    assert house.ask("ben", "GET", "/mcp").status_code == 405
    assert house.ask("ben", "DELETE", "/mcp").status_code == 405


def test_a_batch_of_old_is_answered_whole(house: House) -> None:
    batch = [{"jsonrpc": "2.0", "id": number, "method": "tools/list"} for number in (1, 2)]
    answer = house.ask("ben", "POST", "/mcp", batch, **{"MCP-Protocol-Version": "2025-03-26"})
    assert [each["id"] for each in answer.json()] == [1, 2]


def test_no_place_of_a_tool_leads_out_of_the_vault(house: House, tmp_path: Path) -> None:
    for place in ("../anna/logs/2026-11-21.md:1", "/etc/passwd:1", str(tmp_path / "house/anna/logs/2026-11-21.md:1")):
        for tool in ("show", "forget"):
            assert HERS not in text(new(house, "ben", "tools/call", name=tool, arguments={"place": place}))
    assert HERS in text(new(house, "anna", "tools/call", name="recall", arguments={"question": "flowerpot key"}))


def batch(house: House, who: str, size: int, question: str = "violin") -> Any:
    calls = [
        {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "recall", "arguments": {"question": question}}}
        for number in range(size)
    ]  # fmt: skip
    return house.ask(who, "POST", "/mcp", calls, **{"MCP-Protocol-Version": "2025-03-26"})


def test_a_batch_of_more_than_a_hundred_is_refused_whole(house: House) -> None:
    answer = batch(house, "ben", bounds.BATCH + 1)
    assert answer.status_code == 400 and "nothing was done" in answer.json()["error"]["message"]
    assert len(batch(house, "ben", 3).json()) == 3


def test_each_call_of_a_batch_counts_against_the_rate(house: House) -> None:
    root = house.tokens.listed()[0].vault
    house.secrets["slow"] = house.tokens.add("slow", root, rate=5)[1]
    replies = batch(house, "slow", 8).json()
    assert ["result" in reply for reply in replies] == [True] * 5 + [False] * 3
    assert "may ask 5 times a minute" in replies[5]["error"]["message"] and replies[5]["id"] == 5
    assert batch(house, "slow", 1).status_code == 429


def test_each_call_of_a_batch_has_a_turn_of_its_own(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[str] = []
    taken = Turns.take_turn

    async def counted(self: Turns, whose: QueueName, work: Any) -> Any:
        turns.append(whose.token)
        return await taken(self, whose, work)

    monkeypatch.setattr(Turns, "take_turn", counted)
    batch(house, "ben", 4)
    assert turns == ["ben"] * 4


def test_a_call_of_a_batch_that_takes_too_long_is_given_up_alone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes = house.api.runner._lanes
    monkeypatch.setattr(lanes, "limits", replace(lanes.limits, seconds=0.2))
    run, slow = Calls.run, threading.Event()

    def once(self: Calls, *asked: Any) -> tuple[str, bool]:
        if not slow.is_set():
            slow.set()
            time.sleep(1)
        return run(self, *asked)

    monkeypatch.setattr(Calls, "run", once)
    first, second = batch(house, "ben", 2).json()
    assert "takes too long" in first["error"]["message"] and (first["id"], second["id"]) == (0, 1)


@pytest.mark.parametrize(
    "message", [5, ["a"], {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ["a"]}, {"method": ["a"]}]
)
def test_a_message_of_the_stateless_era_may_be_anything(house: House, message: Any) -> None:
    answer = house.ask("ben", "POST", "/mcp", message, **{"MCP-Protocol-Version": NEW, "Mcp-Method": "tools/call"})
    assert answer.status_code in (200, 400) and "error" in answer.text
