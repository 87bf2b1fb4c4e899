"""The plugin folder has what agents expect of one, and agrees with the tables."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from memcli import __version__
from memcli.features.install import agents, plugin

PLACE = Path(__file__).parents[3] / "plugin"
FILES = plugin.plugin_files()


def test_the_folder_names_this_version() -> None:
    for path, text in FILES.items():
        assert (PLACE / path).read_text(encoding="utf-8") == text, "mem install --plugin plugin writes it anew"


@pytest.mark.parametrize("agent", ["claude", "codex", "cursor"])
def test_each_agent_finds_its_manifest(agent: str) -> None:
    manifest = json.loads(FILES[f".{agent}-plugin/plugin.json"])
    assert manifest["name"] == "mem" and manifest["version"] == __version__ and manifest["description"]
    for key in ("skills", "mcpServers", "hooks"):
        named = manifest.get(key, "./skills/").removeprefix("./")
        assert any(path.startswith(named) for path in FILES)


def test_skills_and_commands_say_what_they_are_for() -> None:
    skill = FILES["skills/memory/SKILL.md"]
    head = skill.split("---")[1]
    assert "\nname: memory\n" in head and 50 < len(re.search(r"description: (.+)", head)[1]) < 1024  # type: ignore[index]
    for name in ("recall", "remember", "review"):
        assert FILES[f"commands/{name}.md"].startswith("---\ndescription: ")


def test_the_hooks_name_no_agent_because_several_read_them() -> None:
    hooks = json.loads(FILES["hooks/hooks.json"])["hooks"]
    events = agents.AGENTS["claude"].events
    assert hooks == {event: [agents.hook_item("claude", f"mem hook {ours}")] for event, ours in events.items()}


def test_openclaw_declares_the_tools_that_its_code_registers() -> None:
    manifest = json.loads(FILES["openclaw/openclaw.plugin.json"])
    registered = re.findall(r'tool\(\s*"(\w+)"', FILES["openclaw/index.js"])
    assert sorted(registered) == sorted(manifest["contracts"]["tools"])
    assert manifest["kind"] == "memory" and "configSchema" in manifest


def test_the_code_for_agents_calls_the_program_by_a_name_that_can_be_put_in_its_place() -> None:
    for name in ("openclaw/index.js", "opencode/mem.ts"):
        assert FILES[name].count('const MEM = ["mem"]') == 1
