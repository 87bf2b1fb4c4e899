"""What the tools answer keeps hostile memories in their frame."""

from __future__ import annotations

from memcli.features.serve.mcp import tools
from memcli.features.serve.mcp.calls import Calls
from memcli.vault.vault import Vault
from tests.test_frames import check_frames, hostile

__all__ = ["hostile"]  # a fixture


# Tools that show memories → how they are asked. `remember` answers with the place of what it wrote.
SHOWS: dict[str, dict[str, object]] = {
    "recall": {"question": "harbour", "budget": 4000},
    "show": {"place": "logs/2026-11-20.md:1"},
    "forget": {"place": "logs/2026-11-21.md:2"},
}


def test_every_tool_is_asked() -> None:
    own = {tool["name"] for tool in tools.TOOLS}
    assert {*SHOWS, "remember"} == own, "SHOWS: give each tool arguments with which it prints words of the vault"


def test_no_memory_leaves_its_frame_in_the_answer_of_a_tool(hostile: Vault) -> None:
    calls = Calls([("project", str(hostile.root))], {"MEM_LANE": "off"}, str(hostile.root), hostile.clock, print)
    doors = []
    for tool, arguments in SHOWS.items():
        text, failed = calls.run(tool, arguments, "claude-code")
        assert not failed, text
        doors.append((tool, text))
    check_frames(doors, len(SHOWS))
