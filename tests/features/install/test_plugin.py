"""The plugin folder of the repository is what the code makes, and what agents expect of one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from memcli import __version__
from memcli.features.install import plugin

PLACE = Path(__file__).parents[3] / "plugin"
MADE = plugin.files()


def test_the_folder_is_up_to_date() -> None:
    there = {
        path.relative_to(PLACE).as_posix(): path.read_text(encoding="utf-8")
        for path in PLACE.rglob("*")
        if path.is_file()
    }
    assert there == MADE, "mem install --plugin plugin writes it anew"


@pytest.mark.parametrize("agent", ["claude", "codex", "cursor"])
def test_each_agent_finds_its_manifest(agent: str) -> None:
    manifest = json.loads(MADE[f".{agent}-plugin/plugin.json"])
    assert manifest["name"] == "mem" and manifest["version"] == __version__ and manifest["description"]
    for key in ("skills", "mcpServers", "hooks"):
        named = manifest.get(key, "./skills/").removeprefix("./")
        assert any(path.startswith(named) for path in MADE)


def test_skills_and_commands_say_what_they_are_for() -> None:
    skill = MADE["skills/memory/SKILL.md"]
    head = skill.split("---")[1]
    assert "\nname: memory\n" in head and 50 < len(re.search(r"description: (.+)", head)[1]) < 1024  # type: ignore[index]
    for name in ("recall", "remember", "review"):
        assert MADE[f"commands/{name}.md"].startswith("---\ndescription: ")


def test_the_hooks_name_no_agent_because_several_read_them() -> None:
    hooks = json.loads(MADE["hooks/hooks.json"])["hooks"]
    commands = [hook["command"] for rows in hooks.values() for row in rows for hook in row["hooks"]]
    assert sorted(commands) == sorted(f"mem hook {event}" for event in ("prompt", "start", "compact", "stop", "end"))


def test_openclaw_declares_the_tools_that_its_code_registers() -> None:
    manifest = json.loads(MADE["openclaw/openclaw.plugin.json"])
    registered = re.findall(r'tool\(\s*"(\w+)"', MADE["openclaw/index.js"])
    assert sorted(registered) == sorted(manifest["contracts"]["tools"])
    assert manifest["kind"] == "memory" and "configSchema" in manifest


def test_the_code_for_agents_calls_the_program_by_a_name_that_can_be_put_in_its_place() -> None:
    for name in ("openclaw/index.js", "opencode/mem.ts"):
        assert MADE[name].count('const MEM = ["mem"]') == 1
