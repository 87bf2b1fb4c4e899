"""Make the files that are ours as a whole. These are the plugin folder that several agents read, and the files that
OpenCode and OpenClaw load.

They are made from the texts beside this module, the tables of `agents` and the version. `plugin/` in the repository
holds what `files()` returns; a test checks that.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files as resources
from typing import Any

from memcli import __version__
from memcli.features.install import agents
from memcli.features.install.agents import FILE, NAME, TABLE, Piece, Setup

WHOLE = ("opencode", "openclaw")  # these load code instead of calling a command
_ABOUT = "Memory for your agent: notes you own, and the right few lines of them for each question."
_PLACEHOLDER = 'const MEM = ["mem"]'
_COMMANDS = ("recall", "remember", "review")
_MANIFEST = {
    "name": NAME, "version": __version__, "description": _ABOUT, "author": {"name": NAME}, "license": "MIT",
    "keywords": ["memory", "recall", "notes"],
}  # fmt: skip


def files() -> dict[str, str]:
    """Return the plugin folder: each file's text by its path."""
    server = {"mcpServers": {NAME: {"command": "mem", "args": ["mcp", "--scope", "both"]}}}
    listed = {"name": NAME, "source": "./", "description": _ABOUT}
    codex = {"skills": "./skills/", "mcpServers": "./.mcp.json", "hooks": "./hooks/hooks.json"}
    made: dict[str, Any] = {
        ".claude-plugin/plugin.json": _MANIFEST,
        ".claude-plugin/marketplace.json": {
            "name": NAME,
            "description": _ABOUT,
            "owner": {"name": NAME},
            "plugins": [listed],
        },
        ".codex-plugin/plugin.json": {**_MANIFEST, **codex},
        ".cursor-plugin/plugin.json": _MANIFEST,
        ".mcp.json": server,
        "hooks/hooks.json": {"hooks": _hooks()},
        "openclaw/openclaw.plugin.json": _openclaw_manifest(),
        "openclaw/package.json": _openclaw_package(),
        "openclaw/index.js": _text("openclaw.js"),
        "opencode/mem.ts": _text("opencode.ts"),
        "rules/mem.mdc": rule(),
        "skills/memory/SKILL.md": _text("skill.md"),
        **{f"commands/{name}.md": _text(f"{name}.md") for name in _COMMANDS},
    }
    return {path: text if isinstance(text, str) else _json(text) for path, text in sorted(made.items())}


def pieces(name: str, setup: Setup) -> list[Piece]:
    """Return what OpenCode or OpenClaw needs besides the entry of the server."""
    folders = agents.places(setup.environ)
    if name == "opencode":
        folder = setup.here / ".opencode" if setup.project else setup.here / folders["config"] / "opencode"
        return [Piece(folder / "plugin/mem.ts", FILE, value=_calling(setup, "opencode.ts"))]
    folder = setup.here / folders["openclaw"]
    home = folder / "extensions" / NAME
    config = folder / "openclaw.json"
    entry = {"enabled": True, "hooks": {"allowConversationAccess": True}}
    return [
        Piece(home / "openclaw.plugin.json", FILE, value=_json(_openclaw_manifest())),
        Piece(home / "package.json", FILE, value=_json(_openclaw_package())),
        Piece(home / "index.js", FILE, value=_calling(setup, "openclaw.js")),
        Piece(config, TABLE, ("plugins", "entries", NAME), entry),
        Piece(config, TABLE, ("plugins", "slots", "memory"), NAME),
    ]


def rule() -> str:
    """Return the rule that makes an agent use the tools when its hooks can't add anything."""
    return _text("rule.mdc")


def _hooks() -> dict[str, Any]:
    """Return the hooks of the plugin folder. Several agents read it, so no agent is named; the payload says which
    one it is."""
    events = agents.AGENTS["claude"].events
    return {event: [agents.hook_item("claude", f"mem hook {ours}")] for event, ours in events.items()}


def _openclaw_manifest() -> dict[str, Any]:
    return {
        "id": NAME, "name": NAME, "version": __version__, "description": _ABOUT,
        "kind": "memory", "categories": ["memory"],
        "contracts": {"tools": ["memory_search", "memory_get"]},
        "activation": {"onStartup": True},
        "configSchema": {"type": "object", "additionalProperties": False, "properties": {}},
    }  # fmt: skip


def _openclaw_package() -> dict[str, Any]:
    return {
        "name": "openclaw-mem", "version": __version__, "private": True, "type": "module",
        "openclaw": {"extensions": ["./index.js"]},
    }  # fmt: skip


def _calling(setup: Setup, name: str) -> str:
    """Return a text that calls our program by its name on this machine."""
    return _text(name).replace(_PLACEHOLDER, f"const MEM = {json.dumps(list(setup.command), ensure_ascii=False)}")


@cache
def _text(name: str) -> str:
    return (resources("memcli.features.install") / "texts" / name).read_text(encoding="utf-8")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
