"""Interpret messages in both eras of the protocol: requests come in, replies go out. This module reads no stream.

Up to 2025-11-25 a client shakes hands (`initialize`) and the version holds for the connection. From 2026-07-28 on every
request names its version in `_meta`, and every result names its type and how long it may be cached.
"""

from __future__ import annotations

import json

from memcli import __version__, bounds
from memcli.features.serve.mcp import tools

TYPE_CHECKING = False  # spares every start the import of `typing`
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

STATELESS = "2026-07-28"
HANDSHAKES = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # newest first
WITH_BATCHES = ("", "2025-03-26", "2024-11-05")  # "" is the time before a handshake, when the version is not known
META = "io.modelcontextprotocol/"
KEPT_FOR = 300_000  # milliseconds for which a client may cache the list of tools; adding documents changes it
DEEPEST = 100  # levels of objects and lists in a frame; nothing that a tool takes comes near

PARSE, INVALID, UNKNOWN, PARAMS, INTERNAL, BUSY, VERSION = -32700, -32600, -32601, -32602, -32603, -32000, -32022


class Fault(Exception):
    """Mean that a request can't be answered. Holds a code of JSON-RPC and the message for it."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


def parse_frame(line: bytes) -> Any:
    """Return the message in a frame. Raise Fault if it is not valid."""
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Fault(PARSE, "not JSON, or nested too deeply") from None
    if _depth(message) > DEEPEST:
        raise Fault(INVALID, f"nested more than {DEEPEST} levels deep")
    if isinstance(message, list) and len(message) > bounds.BATCH:
        raise Fault(INVALID, f"{len(message)} messages at once: at most {bounds.BATCH} are taken, and nothing was done")
    return message


def fault_reply(fault: Fault, id: Any = None) -> dict[str, Any]:
    """Return the reply that reports a fault."""
    error = {"code": fault.code, "message": fault.message}
    return {"jsonrpc": "2.0", "id": id, "error": {**error, "data": fault.data} if fault.data else error}


class Protocol:
    """Hold the state of one connection. `offered` lists the tools; `call` runs one for a client and returns its text
    and whether it failed."""

    def __init__(
        self,
        offered: Callable[[], list[dict[str, Any]]],
        call: Callable[[str, dict[str, Any], str], tuple[str, bool]],
    ) -> None:
        self.offered, self.call = offered, call
        self.version = ""  # agreed on in the handshake
        self.client = ""
        self._open: list[Any] = []  # the ids of calls that wait or run
        self._cancelled: list[Any] = []

    def calls(self, message: Any) -> list[Any]:
        """Return the ids of the tool calls in a message. Only these may take long."""
        batch = message if isinstance(message, list) and self.version in WITH_BATCHES else [message]
        return [one["id"] for one in batch if _is_call(one)]

    def refused(self, message: Any, fault: Fault) -> Any:
        """Return the reply to a message that is not worked on: one for each request in a batch."""
        if not isinstance(message, list):
            return fault_reply(fault, message["id"])
        return [fault_reply(fault, one["id"]) for one in message if isinstance(one, dict) and _is_id(one.get("id"))]

    def expect(self, calls: list[Any]) -> None:
        """Register calls, so that they can be cancelled from now on."""
        self._open += calls

    def answer(self, message: Any) -> Any:
        """Return the reply to a message or a batch of them, or None if no reply is due."""
        if not isinstance(message, list):
            return self._reply(message)
        if self.version not in WITH_BATCHES:
            return fault_reply(Fault(INVALID, f"there are no batches in {self.version}: one message a line"))
        if not message:
            return fault_reply(Fault(INVALID, "an empty batch"))
        return [reply for one in message if (reply := self._reply(one))] or None

    def _reply(self, message: Any) -> dict[str, Any] | None:
        """Return the reply to one message, or None for notifications, responses to us and cancelled calls."""
        if isinstance(message, dict) and "method" not in message and ("result" in message or "error" in message):
            return None
        try:
            if (
                not isinstance(message, dict)
                or message.get("jsonrpc") != "2.0"
                or not isinstance(message.get("method"), str)
            ):
                raise Fault(INVALID, "no request: jsonrpc must be 2.0, and method a string")
            if "id" not in message:
                self._notified(message)
                return None
            if not _is_id(message["id"]):
                raise Fault(INVALID, "the id must be a string or an integer")
        except Fault as fault:
            return fault_reply(fault)
        id = message["id"]
        try:
            reply = {"jsonrpc": "2.0", "id": id, "result": self._result(message)}
        except Fault as fault:
            reply = fault_reply(fault, id)
        except Exception as error:  # a bug in mem must not end the connection
            reply = fault_reply(Fault(INTERNAL, f"{type(error).__name__}: {error}"), id)
        return None if _is_call(message) and self._closed(id) else reply

    def _notified(self, message: dict[str, Any]) -> None:
        params = message.get("params")
        id = params.get("requestId") if isinstance(params, dict) else None
        if message["method"] == "notifications/cancelled" and _is_id(id) and id in self._open:
            self._cancelled.append(id)

    def _closed(self, id: Any) -> bool:
        """Remove a call from the open ones. Return whether it was cancelled."""
        if id in self._open:
            self._open.remove(id)
        if id not in self._cancelled:
            return False
        self._cancelled.remove(id)
        return True

    def _result(self, message: dict[str, Any]) -> dict[str, Any]:
        method, params = message["method"], message.get("params")
        if not isinstance(params, (dict, type(None))):
            raise Fault(PARAMS, "params must be an object")
        answers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "server/discover": self._discover,
            "initialize": self._initialize,
            "ping": lambda params: {},
            "tools/list": self._list,
            "tools/call": lambda params: self._call(message["id"], params),
        }
        if method not in answers:
            raise Fault(UNKNOWN, f"there is no method {method[:100]}")
        version = self._meta(params or {})
        result = answers[method](params or {})
        if version == STATELESS or method == "server/discover":
            result = {"resultType": "complete", **result, "_meta": {META + "serverInfo": _SERVER}}
            if method != "tools/call":
                result |= {"ttlMs": KEPT_FOR, "cacheScope": "private"}
        return result

    def _meta(self, params: dict[str, Any]) -> str:
        """Return the version that a request names, or "". Note the client's name if the request gives it."""
        meta = params.get("_meta")
        if not isinstance(meta, dict):
            return ""
        self._introduced(meta.get(META + "clientInfo"))
        version = meta.get(META + "protocolVersion", "")
        if version and version not in (STATELESS, *HANDSHAKES):
            raise unknown_version(str(version))
        return str(version)

    def _introduced(self, info: Any) -> None:
        name = info.get("name") if isinstance(info, dict) else None
        if isinstance(name, str):
            self.client = name[:100]

    def _discover(self, params: dict[str, Any]) -> dict[str, Any]:
        versions = [STATELESS, *HANDSHAKES]
        return {"supportedVersions": versions, "capabilities": {"tools": {}}, "instructions": tools.INSTRUCTIONS}

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        self._introduced(params.get("clientInfo"))
        asked = params.get("protocolVersion")
        self.version = asked if asked in HANDSHAKES else HANDSHAKES[0]
        return {
            "protocolVersion": self.version,
            "capabilities": {"tools": {}},
            "serverInfo": _SERVER,
            "instructions": tools.INSTRUCTIONS,
        }

    def _list(self, params: dict[str, Any]) -> dict[str, Any]:
        if params.get("cursor"):
            raise Fault(PARAMS, "there are no further pages")
        return {"tools": self.offered()}

    def _call(self, id: Any, params: dict[str, Any]) -> dict[str, Any]:
        if id in self._cancelled:  # nobody waits for the result
            return {}
        name, arguments = params.get("name"), params.get("arguments")
        offered = {tool["name"]: tool for tool in self.offered()}
        if not isinstance(name, str) or name not in offered:
            raise Fault(PARAMS, f"there is no tool {str(name)[:100]!r}, only {', '.join(offered)}")
        try:
            checked = tools.check_arguments(offered[name], {} if arguments is None else arguments)
            text, is_error = self.call(name, checked, self.client)
        except tools.WrongArguments as error:
            text, is_error = str(error), True
        return {"content": [{"type": "text", "text": text}], "isError": is_error}


_SERVER = {"name": "mem", "version": __version__}


def unknown_version(version: str) -> Fault:
    data = {"supported": [STATELESS, *HANDSHAKES], "requested": version[:100]}
    return Fault(VERSION, "this version of the protocol is not spoken here", data)


def _is_call(message: Any) -> bool:
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    return message.get("method") == "tools/call" and _is_id(message.get("id"))


def _is_id(id: Any) -> bool:
    return isinstance(id, (str, int)) and not isinstance(id, bool)


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a number")


def _depth(message: Any) -> int:
    """Return how deep a message is nested. Counting stops just above DEEPEST."""
    depth, level = 0, [message]
    while level and depth <= DEEPEST:
        depth += 1
        level = [
            below
            for value in level
            if isinstance(value, (dict, list))
            for below in (value.values() if isinstance(value, dict) else value)
        ]
    return depth
