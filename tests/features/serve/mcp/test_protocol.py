"""What a message means, in both eras of the protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.features.serve.mcp import tools
from memcli.features.serve.mcp.calls import Calls
from memcli.features.serve.mcp.protocol import (
    BUSY,
    DEEPEST,
    HANDSHAKES,
    WITH_BATCHES,
    Fault,
    Protocol,
    fault_reply,
    parse_frame,
)
from tests.features.serve.mcp.client import CAPABILITIES, INFO, STATELESS, VERSION
from tests.rows import check_rows


def protocol() -> Protocol:
    return Protocol(tools.list_tools, lambda name, arguments, client: (f"{name} for {client}: {arguments}", False))


def asked(connection: Protocol, method: str, id: Any = 1, **params: Any) -> Any:
    message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    connection.expect(connection.calls(message))
    return connection.answer(message)


def result(connection: Protocol, method: str, **params: Any) -> dict[str, Any]:
    return dict(asked(connection, method, **params)["result"])


@pytest.mark.parametrize("version", HANDSHAKES)
def test_a_handshake_agrees_on_the_version_that_was_offered(version: str) -> None:
    said = result(
        protocol(), "initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "a", "version": "1"}
    )
    assert said["protocolVersion"] == version
    assert said["capabilities"] == {"tools": {}}
    assert said["serverInfo"]["name"] == "mem"
    assert said["instructions"] == tools.INSTRUCTIONS


@pytest.mark.parametrize("version", ["2026-07-28", "1999-01-01", None, 7])
def test_a_handshake_in_an_unknown_version_is_answered_in_the_latest_that_shakes_hands(version: Any) -> None:
    assert result(protocol(), "initialize", protocolVersion=version)["protocolVersion"] == HANDSHAKES[0]


def test_discovery_names_all_versions_and_how_long_it_holds() -> None:
    said = result(protocol(), "server/discover", _meta=STATELESS)
    assert said["supportedVersions"] == ["2026-07-28", *HANDSHAKES]
    assert said["resultType"] == "complete"
    assert said["ttlMs"] > 0 and said["cacheScope"] == "private"
    assert said["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "mem"


def test_results_of_the_stateless_era_say_their_kind_and_those_before_do_not() -> None:
    connection = protocol()
    new, old = (result(connection, "tools/list", **meta) for meta in ({"_meta": STATELESS}, {}))
    assert new["tools"] == old["tools"]
    assert new["resultType"] == "complete" and new["ttlMs"] >= 0 and new["cacheScope"] in ("private", "public")
    assert set(old) == {"tools"}
    call = result(connection, "tools/call", name="recall", arguments={"question": "tea"}, _meta=STATELESS)
    assert call["resultType"] == "complete" and "ttlMs" not in call


def test_a_request_in_a_version_that_nobody_speaks_is_told_those_we_do() -> None:
    error = asked(protocol(), "tools/list", _meta={**STATELESS, VERSION: "2031-01-01"})["error"]
    assert error["code"] == -32022
    assert error["data"] == {"supported": ["2026-07-28", *HANDSHAKES], "requested": "2031-01-01"}


def test_a_call_knows_its_client_in_either_era() -> None:
    connection = protocol()
    asked(connection, "initialize", clientInfo={"name": "old-agent", "version": "1"})
    call = {"name": "show", "arguments": {"place": "x"}}
    assert "for old-agent" in result(connection, "tools/call", **call)["content"][0]["text"]
    meta = {VERSION: "2026-07-28", CAPABILITIES: {}, INFO: {"name": "new-agent", "version": "3"}}
    assert "for new-agent" in result(connection, "tools/call", **call, _meta=meta)["content"][0]["text"]


def test_a_ping_is_answered_with_nothing_in_it() -> None:
    assert asked(protocol(), "ping") == {"jsonrpc": "2.0", "id": 1, "result": {}}


@pytest.mark.parametrize("method", ["resources/list", "prompts/list", "logging/setLevel", "", "tools/List"])
def test_what_is_not_offered_is_no_method(method: str) -> None:
    assert asked(protocol(), method)["error"]["code"] == -32601


@check_rows(
    ("message", "code"),
    [
        ([], -32600),
        (7, -32600),
        ("ping", -32600),
        (None, -32600),
        ({"id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": 7}, -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": {}, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": "2"}}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rm"}}, -32602),
    ],
)
def test_what_is_no_request_is_answered_with_its_code(message: Any, code: int) -> None:
    assert protocol().answer(message)["error"]["code"] == code


@check_rows(
    "line",
    [b"{", b"", b"\xff\xfe", b'{"a": NaN}', b"[" * 100_000, b'{"jsonrpc":"2.0"', b"nil", b"1" * 5000 + b"x"],
)
def test_what_is_no_json_is_a_parse_error(line: bytes) -> None:
    with pytest.raises(Fault) as fault:
        parse_frame(line)
    assert "Error" not in fault.value.message
    assert fault_reply(fault.value)["error"]["code"] == -32700 and fault_reply(fault.value)["id"] is None


def test_what_is_nested_without_end_is_no_request() -> None:
    with pytest.raises(Fault) as fault:
        parse_frame(b'{"a":' * (DEEPEST + 1) + b"1" + b"}" * (DEEPEST + 1))
    assert fault.value.code == -32600


@pytest.mark.parametrize(
    "message", [{"jsonrpc": "2.0", "id": 9, "result": {}}, {"jsonrpc": "2.0", "id": 9, "error": {}}]
)
def test_what_answers_us_is_not_answered(message: Any) -> None:
    assert protocol().answer(message) is None


def test_notifications_are_never_answered() -> None:
    connection = protocol()
    for method in ("notifications/initialized", "notifications/cancelled", "notifications/unknown", "tools/call"):
        assert connection.answer({"jsonrpc": "2.0", "method": method, "params": {"requestId": 5}}) is None


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
NOTE = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.mark.parametrize(("version", "taken"), [("2024-11-05", True), ("2025-03-26", True), ("2025-06-18", False)])
def test_batches_are_answered_where_the_era_had_them(version: str, taken: bool) -> None:
    connection = protocol()
    asked(connection, "initialize", protocolVersion=version)
    reply = connection.answer([PING, NOTE, {**PING, "id": 2}])
    if taken:
        assert [one["id"] for one in reply] == [1, 2]
        assert connection.answer([NOTE]) is None
    else:
        assert reply["error"]["code"] == -32600


def cancelled(id: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}


def call(id: Any) -> dict[str, Any]:
    params = {"name": "recall", "arguments": {"question": "tea"}}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def test_a_call_that_was_cancelled_before_its_turn_is_neither_made_nor_answered() -> None:
    made: list[str] = []

    def note(name: str, arguments: dict[str, Any], client: str) -> tuple[str, bool]:
        made.append(name)
        return "", False

    connection = Protocol(tools.list_tools, note)
    connection.expect(connection.calls(call("a")))
    connection.answer(cancelled("a"))
    assert connection.answer(call("a")) is None and made == []
    assert asked(connection, "tools/call", "a", name="recall", arguments={})["id"] == "a", "the id is free again"


def test_a_call_that_is_cancelled_while_it_runs_is_not_answered() -> None:
    connection = Protocol(tools.list_tools, lambda *_: (str(connection.answer(cancelled(7))), False))
    connection.expect([7])
    assert connection.answer(call(7)) is None


@pytest.mark.parametrize("id", [99, None, [], "7"])
def test_cancelling_what_does_not_run_changes_nothing(id: Any) -> None:
    connection = protocol()
    connection.answer(cancelled(id))
    assert asked(connection, "tools/call", 7, name="recall", arguments={})["id"] == 7


def test_two_calls_of_one_id_are_both_answered() -> None:
    connection = protocol()
    connection.expect([1, 1])
    assert [connection.answer(call(1))["id"] for _ in range(2)] == [1, 1]


def test_a_mistake_of_ours_does_not_end_the_connection() -> None:
    def broken(*_: Any) -> tuple[str, bool]:
        raise KeyError("oops")

    assert (
        asked(Protocol(tools.list_tools, broken), "tools/call", name="recall", arguments={"question": "tea"})["error"][
            "code"
        ]
        == -32603
    )


# Messages that are nearly right, and values that are not.
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=9), below, max_size=3),
    max_leaves=8,
)
METHODS = ["initialize", "ping", "tools/list", "tools/call", "server/discover", "notifications/cancelled"]
NAMES = ["name", "arguments", "_meta", "protocolVersion", "clientInfo", "requestId", "cursor"]
PARAMS = st.dictionaries(st.sampled_from(NAMES), ODD | st.sampled_from(["recall", {VERSION: "2026-07-28"}]), max_size=4)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | ODD,
        "id": ODD,
        "method": st.sampled_from(METHODS) | ODD,
        "params": PARAMS | ODD,
    },
)


@pytest.mark.slow
@given(st.lists(MESSAGES | st.lists(MESSAGES, max_size=3) | ODD, max_size=12))
def test_no_run_of_messages_brings_anything_but_replies(messages: list[Any]) -> None:
    connection = protocol()
    for message in messages:
        connection.expect(connection.calls(message))
        reply = connection.answer(message)
        for one in reply if isinstance(reply, list) else [reply] if reply else []:
            assert one["jsonrpc"] == "2.0" and "id" in one and ("result" in one) != ("error" in one)
            assert "\n" not in json.dumps(one)
    assert connection._open == [] and connection._cancelled == [], "nothing is left over"


def test_each_request_of_a_batch_that_is_refused_gets_its_reply() -> None:
    connection = protocol()
    asked(connection, "initialize", protocolVersion=WITH_BATCHES[1])
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "recall"}},
        {"jsonrpc": "2.0", "id": "p", "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        5,
    ]
    assert [reply["id"] for reply in connection.refused(batch, Fault(BUSY, "busy"))] == [1, "p"]
    assert connection.refused(batch[0], Fault(BUSY, "busy"))["id"] == 1


def test_every_tool_that_is_described_is_there_to_be_called() -> None:
    methods = {name.removeprefix("tool_") for name in vars(Calls) if name.startswith("tool_")}
    assert methods == {tool["name"] for tool in tools.TOOLS}, "mcp/calls.py: a method tool_NAME for each row of TOOLS"
