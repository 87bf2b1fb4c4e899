"""Serve `/mcp`, the Model Context Protocol over HTTP, in both eras: one message gets one JSON answer.

`mcp/protocol.py` interprets the messages. This module adds what HTTP needs: a token in place of the user's own process,
headers that must agree with the message, and a status. No session is kept: a handshake is answered and forgotten.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from memcli.features.serve.access import Access
from memcli.features.serve.app import Api, while_there
from memcli.features.serve.mcp import calls, homes, tools
from memcli.features.serve.mcp.protocol import (
    BUSY,
    HANDSHAKES,
    INVALID,
    META,
    PARAMS,
    PARSE,
    STATELESS,
    UNKNOWN,
    VERSION,
    WITH_BATCHES,
    Fault,
    Protocol,
    fault_reply,
    parse_frame,
    unknown_version,
)
from memcli.features.serve.problems import Problem
from memcli.features.serve.run_command import Opener, confined

HEADER = -32020  # JSON-RPC code for a header that disagrees with the message
SPOKEN = "MCP-Protocol-Version"
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}  # what Mcp-Name repeats of params
OF_OLD = ("initialize", "ping")  # methods that the stateless era no longer has
STATUS = {PARSE: 400, INVALID: 400, PARAMS: 400, HEADER: 400, VERSION: 400, UNKNOWN: 404}
JSON = "application/json"


def routes(api: Api, environ: Mapping[str, str]) -> list[BaseRoute]:
    async def answer(request: Request) -> Response:
        access = api.access(request)
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            raise Problem(415, f"the body is {kind[:60] or 'of no kind'}", f"Content-Type: {JSON}")
        body, message = await api.body(request), None
        try:
            message = parse_frame(body)
            version = _version(message, request.headers)
        except Fault as fault:
            id = message.get("id") if isinstance(message, dict) else None
            return _reply(fault_reply(fault, id if isinstance(id, (str, int)) else None), STATUS[fault.code])
        reply = await while_there(request, _answered(api, environ, access, message, version))
        return _reply(reply, _status(reply, version))

    return [Route("/mcp", answer, methods=["POST"])]


async def _answered(api: Api, environ: Mapping[str, str], access: Access, message: Any, version: str) -> Any:
    """Return the protocol's reply, or None. Each call in a batch counts as a request and has its own turn and
    deadline."""
    if not isinstance(message, list) or not message or version not in WITH_BATCHES:
        return await _answered_one(api, environ, access, message, version)
    replies, calls = [], 0
    for one in message:
        try:
            calls += bool(_called(one))
            if _called(one) and calls > 1:  # the first call was counted with the request
                api.rates.count(access)
            reply = await _answered_one(api, environ, access, one, version)
        except Problem as problem:
            said = f"{problem.detail}; {problem.hint}" if problem.hint else problem.detail
            reply = fault_reply(Fault(BUSY, said), one.get("id"))
        replies += [] if reply is None else [reply]
    return replies or None


async def _answered_one(api: Api, environ: Mapping[str, str], access: Access, message: Any, version: str) -> Any:
    """Return the reply to one message. A tool call runs like a command: reads side by side, writes in their turn."""
    where = [(homes.PROJECT, str(access.vault))]

    def offered() -> list[dict[str, Any]]:
        return tools.list_tools(not access.may_write, where)

    def answer(opener: Opener | None = None) -> Any:
        def call(name: str, arguments: dict[str, Any], client: str) -> tuple[str, bool]:
            assert opener is not None
            alone = {**environ, "MEM_LANE": "off"}  # the vault is in memory here, so no watcher is needed
            open_own, agent = confined(opener, access), access.agent or ""
            called = calls.Calls(where, alone, str(access.vault), api.runner.clock, api.tell, open_own, agent)
            return called.run(name, arguments, access.token)

        protocol = Protocol(offered, call)
        protocol.version = version if version in HANDSHAKES else ""
        return protocol.answer(message)

    if not (called := _called(message)):
        return answer()
    writes = called in tools.writing_tools()
    return await api.runner.call(access, writes, lambda vault: answer(vault.writing if writes else vault.reading))


# -- headers ---------------------------------------------------------------------------------------------------------


def _version(message: Any, headers: Mapping[str, str]) -> str:
    """Return the version of a message. Raise Fault if its headers do not agree with it."""
    headers = {name.lower(): value.strip(" \t") for name, value in headers.items()}
    header = headers.get(SPOKEN.lower(), "")
    params = message.get("params") if isinstance(message, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    named = meta.get(f"{META}protocolVersion") if isinstance(meta, dict) else None
    if named is None and header != STATELESS:
        if header and header not in HANDSHAKES:
            raise unknown_version(header)
        return header
    if not header or (named is not None and header != named):
        raise Fault(HEADER, f"{SPOKEN} does not agree with the message")
    if header not in (STATELESS, *HANDSHAKES):
        raise unknown_version(header)
    if header == STATELESS and isinstance(message, dict) and "method" in message:
        _check(message, meta if isinstance(meta, dict) else {}, headers)
    return header


def _check(message: dict[str, Any], meta: dict[str, Any], headers: Mapping[str, str]) -> None:
    """Raise Fault if one message breaks the rules of the stateless era."""
    method, params = message["method"], message.get("params")
    params = params if isinstance(params, dict) else {}
    if headers.get("mcp-method") != method:
        raise Fault(HEADER, "Mcp-Method does not agree with the message")
    if method in NAMED and _decoded(headers.get("mcp-name")) != params.get(NAMED[method]):
        raise Fault(HEADER, "Mcp-Name does not agree with the message")
    if "id" not in message:
        return
    for name, kind in (("protocolVersion", str), ("clientCapabilities", dict)):
        if not isinstance(meta.get(META + name), kind):
            raise Fault(PARAMS, f"_meta needs {META}{name}")
    if method in OF_OLD:
        raise Fault(UNKNOWN, f"there is no method {method} in {STATELESS}")


def _decoded(header: str | None) -> str | None:
    """Return the value of a header, decoded if it comes as `=?base64?…?=`; None if that is damaged."""
    if header and header.lower().startswith("=?base64?") and header.endswith("?="):
        try:
            return base64.b64decode(header[9:-2], validate=True).decode()
        except (binascii.Error, ValueError):
            return None
    return header


# -- answers ---------------------------------------------------------------------------------------------------------


def _called(message: Any) -> str:
    """Return the name of the tool that a message calls, or "" if it calls none."""
    params = message.get("params") if isinstance(message, dict) and message.get("method") == "tools/call" else None
    return str(params.get("name") or "") if isinstance(params, dict) else ""


def _status(reply: Any, version: str) -> int:
    """Return the HTTP status of a reply. Up to 2025-11-25 errors get 200, unless the message was not understood at
    all."""
    if reply is None:
        return 202
    error = reply.get("error") if isinstance(reply, dict) else None
    if not error or (version != STATELESS and error["code"] not in (PARSE, INVALID)):
        return 200
    return STATUS.get(error["code"], 200)


def _reply(reply: Any, status: int) -> Response:
    if reply is None:
        return Response(status_code=status)
    text = json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode("utf-8", "replace"), status, {"Cache-Control": "no-store"}, JSON)
