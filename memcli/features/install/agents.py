"""Describe the agents that mem can be connected with: where each keeps its settings, and what is written there.

Nothing is read or written here.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

NAME = "mem"  # the name of everything we write
TABLE, ITEM, FILE = "table", "item", "file"
SECONDS = 3  # a hook's time limit; it needs a tenth of that


class Setup(NamedTuple):
    """Hold what is to be installed, and for whom."""

    environ: Mapping[str, str]
    here: Path
    project: bool  # for the folder `here` alone; else for the user
    command: tuple[str, ...] = ("mem",)  # the program, with `--vault` if a vault was named
    hooks: bool = True
    read_only: bool = False

    @property
    def server(self) -> tuple[str, ...]:
        """Return the command that serves the tools."""
        return (*self.command, "mcp", "--scope", "both", *(("--read-only",) if self.read_only else ()))

    def hook(self, event: str, agent: str) -> str:
        """Return the command for an event, quoted for a shell."""
        return shlex.join([*self.command, "hook", event, "--for", agent])


class SettingsPiece(NamedTuple):
    """Describe one thing of ours in one file: values under a key, an item of a list, or a whole file."""

    path: Path
    kind: str
    keys: tuple[str, ...] = ()
    value: Any = None  # of a table: what is ours in it
    more: dict[str, Any] = {}  # of a table: what is set only if it is missing


class Agent(NamedTuple):
    """Describe an agent. `servers` and `hooks` name the user's file and the project's; of several names the existing
    file counts."""

    title: str
    program: str
    home: str  # the folder that shows that the agent is installed
    servers: tuple[str, str]
    keys: tuple[str, ...] = ("mcpServers",)
    more: dict[str, Any] = {}
    hooks: tuple[str, str] = ("", "")
    events: dict[str, str] = {}  # the agent's event → ours
    note: str = ""  # what its user should know


_CLAUDE = {
    "UserPromptSubmit": "prompt",
    "SessionStart": "start",
    "PreCompact": "compact",
    "Stop": "stop",
    "SessionEnd": "end",
}
_GEMINI = {
    "BeforeAgent": "prompt",
    "SessionStart": "start",
    "PreCompress": "compact",
    "AfterAgent": "stop",
    "SessionEnd": "end",
}
_CURSOR = {"sessionStart": "start", "preCompact": "compact", "stop": "stop", "sessionEnd": "end"}

AGENTS = {
    "claude": Agent(
        "Claude Code", "claude", "{claude}", ("{claude_state}/.claude.json", ".mcp.json"),
        more={"type": "stdio"},
        hooks=("{claude}/settings.json", ".claude/settings.json"), events=_CLAUDE,
    ),
    "codex": Agent(
        "Codex CLI", "codex", "{codex}", ("{codex}/config.toml", ".codex/config.toml"), keys=("mcp_servers",),
        hooks=("{codex}/hooks.json", ".codex/hooks.json"), events=_CLAUDE,
        note="Codex asks you once whether it may run the hooks",
    ),
    "gemini": Agent(
        "Gemini CLI", "gemini", "{home}/.gemini", ("{home}/.gemini/settings.json", ".gemini/settings.json"),
        hooks=("{home}/.gemini/settings.json", ".gemini/settings.json"), events=_GEMINI,
    ),
    "cursor": Agent(
        "Cursor", "cursor", "{home}/.cursor", ("{home}/.cursor/mcp.json", ".cursor/mcp.json"),
        hooks=("{home}/.cursor/hooks.json", ".cursor/hooks.json"), events=_CURSOR,
        note="Cursor's hooks can't add to a prompt, so a rule tells it to call recall; in projects only",
    ),
    "opencode": Agent(
        "OpenCode", "opencode", "{config}/opencode",
        ("{config}/opencode/opencode.json|{config}/opencode/opencode.jsonc", "opencode.json|opencode.jsonc"),
        keys=("mcp",), more={"enabled": True},
    ),
    "copilot": Agent(
        "Copilot CLI", "copilot", "{copilot}", ("{copilot}/mcp-config.json", ".github/mcp.json"),
        more={"tools": ["*"]},
        hooks=("{copilot}/hooks/mem.json", ".github/hooks/mem.json"), events=_CLAUDE,
    ),
    "openclaw": Agent(
        "OpenClaw", "openclaw", "{openclaw}", ("{openclaw}/openclaw.json", ""), keys=("mcp", "servers"),
        note="OpenClaw has one memory at a time: mem takes the place of its own until mem uninstall",
    ),
    "zed": Agent(
        "Zed", "zed", "{config}/zed", ("{config}/zed/settings.json", ".zed/settings.json"), keys=("context_servers",),
        more={"source": "custom", "env": {}},
    ),
    "vscode": Agent(
        "VS Code", "code", "{code}", ("{code}/mcp.json", ".vscode/mcp.json"), keys=("servers",), more={"type": "stdio"},
    ),
}  # fmt: skip


def places(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the folders that the names in braces stand for: from variables of the agents, else the usual places."""
    home = environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")
    config = environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
    code = {"darwin": f"{home}/Library/Application Support", "win32": environ.get("APPDATA", home)}.get(
        sys.platform, config
    )
    return {
        "home": home,
        "config": config,
        "code": f"{code}/Code/User",
        "claude": environ.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude",
        "claude_state": environ.get("CLAUDE_CONFIG_DIR") or home,
        "codex": environ.get("CODEX_HOME") or f"{home}/.codex",
        "copilot": environ.get("COPILOT_HOME") or f"{home}/.copilot",
        "openclaw": environ.get("OPENCLAW_STATE_DIR") or f"{home}/.openclaw",
    }


def path_of(names: str, setup: Setup) -> Path:
    """Return the file that one of several names means: the existing one, else the first."""
    paths = [setup.here / name.format(**places(setup.environ)) for name in names.split("|")]
    return next((path for path in paths if path.exists()), paths[0])


def settings_pieces(name: str, setup: Setup) -> list[SettingsPiece]:
    """Return all that is ours in the settings of an agent."""
    agent = AGENTS[name]
    found = [
        SettingsPiece(
            path_of(agent.servers[setup.project], setup), TABLE, (*agent.keys, NAME), _server(name, setup), agent.more
        )
    ]
    if setup.hooks:
        found += _hooks(name, agent, setup)
    return found


def is_ours(item: Any, agent: str) -> bool:
    """Return whether we wrote an item of a list, judging by its command."""
    return re.search(rf"\bhook \w+ --for {agent}\b", str(item)) is not None


def _server(name: str, setup: Setup) -> dict[str, Any]:
    program, *words = setup.server
    if name == "opencode":
        return {"type": "local", "command": [program, *words]}
    return {"command": program, "args": words} | ({"type": "local"} if name == "copilot" else {})


def _hooks(name: str, agent: Agent, setup: Setup) -> list[SettingsPiece]:
    from memcli.features.install import plugin

    if name in plugin.WHOLE:
        return plugin.plugin_pieces(name, setup)
    path = path_of(agent.hooks[setup.project], setup) if agent.events else Path()
    found = [
        SettingsPiece(path, ITEM, ("hooks", event), hook_item(name, setup.hook(ours, name)))
        for event, ours in agent.events.items()
    ]
    if name in ("cursor", "copilot"):
        found.insert(0, SettingsPiece(path, TABLE, (), {}, {"version": 1}))
    if name == "cursor" and setup.project:
        found.append(SettingsPiece(setup.here / ".cursor/rules/mem.mdc", FILE, value=plugin.rule()))
    return found


def hook_item(name: str, command: str) -> dict[str, Any]:
    """Return one hook in the format of the agent."""
    if name == "cursor":
        return {"command": command}
    if name == "copilot":
        return {"type": "command", "bash": command, "powershell": command, "timeoutSec": SECONDS}
    timeout = SECONDS * 1000 if name == "gemini" else SECONDS
    return {"hooks": [{"type": "command", "command": command, "timeout": timeout}]}
