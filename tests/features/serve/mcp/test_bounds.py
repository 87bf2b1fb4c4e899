"""Whatever arguments a tool gets, the answer comes; what is too long is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memcli import bounds
from memcli.features.serve.mcp import tools
from memcli.features.serve.mcp.calls import Calls
from tests.conftest import NOW
from tests.recall.vaults import lay
from tests.test_bounds import HOSTILE, NOTES, asked

__all__ = ["asked"]  # a fixture


@pytest.mark.slow
def test_the_tools_of_mcp_take_anything_up_to_a_bound(folder: Path, asked: list[int]) -> None:
    lay(folder, NOTES)
    calls = Calls([("project", str(folder))], {"MEM_LANE": "off"}, str(folder), lambda: NOW, str)
    for tool in tools.list_tools():
        for text in HOSTILE[::7]:
            for arguments in _arguments(tool, text):
                calls.run(tool["name"], tools.check_arguments(tool, arguments), "fuzz")


def test_every_argument_of_a_tool_has_a_bound_and_what_is_longer_is_refused() -> None:
    for tool in tools.list_tools(has_owners=True):
        for name, schema in tool["inputSchema"]["properties"].items():
            needed = dict.fromkeys(tool["inputSchema"]["required"], "x")
            if schema["type"] == "array":
                wrong: list[Any] = [["x"] * (schema["maxItems"] + 1), ["x" * (schema["items"]["maxLength"] + 1)]]
            elif schema["type"] == "integer" or "enum" in schema:
                continue
            else:
                wrong = ["x" * (schema["maxLength"] + 1)]
            for value in wrong:
                with pytest.raises(tools.WrongArguments, match="at most"):
                    tools.check_arguments(tool, {**needed, name: value})


def _arguments(tool: dict[str, Any], text: str) -> Iterator[dict[str, Any]]:
    """Arguments of a tool, each of them long in turn."""
    needed = dict.fromkeys(tool["inputSchema"]["required"], "postgres")
    for name, schema in tool["inputSchema"]["properties"].items():
        if schema["type"] == "array":
            yield {**needed, name: [text] * bounds.ITEMS}
        elif schema["type"] == "string" and "enum" not in schema and text.strip():
            yield {**needed, name: text}
