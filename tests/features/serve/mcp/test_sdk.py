"""The server as the Python SDK's own client meets it, in both eras. Skipped where the SDK is not installed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from memcli.features.serve.mcp import tools

pytest.importorskip("mcp.client.stdio", reason="pip install mcp")
anyio = pytest.importorskip("anyio")


async def _round(folder: Path, mode: str) -> dict[str, Any]:
    """What a client gets in one round with the server."""
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(command=sys.executable, args=["-m", "memcli", "--vault", str(folder), "mcp"])
    if mode == "legacy":
        from mcp import ClientSession

        async with stdio_client(server) as streams, ClientSession(*streams) as session:
            hello = await session.initialize()
            return {"version": hello.protocol_version, "instructions": hello.instructions, **await _used(session)}
    from mcp import Client

    async with Client(stdio_client(server), mode=mode) as client:
        return {"version": client.protocol_version, "instructions": client.instructions, **await _used(client)}


async def _used(client: Any) -> dict[str, Any]:
    tools = await client.list_tools()
    kept = await client.call_tool("remember", {"text": "The gateway is deployed on Mondays", "type": "fact"})
    found = await client.call_tool("recall", {"question": "when is the gateway deployed", "budget": 200})
    wrong = await client.call_tool("recall", {"question": "x", "budget": 1})
    return {
        "tools": [tool.name for tool in tools.tools],
        "kept": kept.content[0].text,
        "found": found.content[0].text,
        "wrong": (wrong.is_error, wrong.content[0].text),
    }


@pytest.mark.parametrize(
    ("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")]
)
def test_the_sdk_gets_all_it_asks_for(folder: Path, mode: str, version: str) -> None:
    said = anyio.run(_round, folder, mode)
    assert said["version"] == version
    assert said["tools"] == [tool["name"] for tool in tools.TOOLS]
    assert said["kept"].startswith("kept as ") and "deployed on Mondays" in said["found"]
    assert said["wrong"] == (True, "budget must be a whole number from 100 to 8000")
    assert mode == "2026-07-28" or "Call recall" in said["instructions"]
