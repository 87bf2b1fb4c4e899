"""Give out the files that are ours as a whole: the plugin folder that several agents read, and the files in it that
OpenCode and OpenClaw load.

They stand in `plugin/` in the repository and nowhere else; the wheel carries that folder beside this module.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from memcli import __version__
from memcli.features.install import agents
from memcli.features.install.agents import FILE, NAME, TABLE, SettingsPiece, Setup

WHOLE = ("opencode", "openclaw")  # these load code instead of calling a command
_PLACEHOLDER = 'const MEM = ["mem"]'
_VERSION = re.compile(r'(?<="version": ")[^"]*')  # of a manifest


@cache
def plugin_files() -> dict[str, str]:
    """Return the plugin folder: each file's text by its path. The manifests name the version of this program."""
    shipped = Path(__file__).parent / "plugin_files"
    folder = shipped if shipped.is_dir() else Path(__file__).parents[3] / "plugin"
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    texts = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return {
        path: _VERSION.sub(__version__, text, count=1) if path.endswith(".json") else text
        for path, text in texts.items()
    }


def plugin_pieces(name: str, setup: Setup) -> list[SettingsPiece]:
    """Return what OpenCode or OpenClaw needs besides the entry of the server."""
    folders = agents.places(setup.environ)
    if name == "opencode":
        folder = setup.here / ".opencode" if setup.project else setup.here / folders["config"] / "opencode"
        return [SettingsPiece(folder / "plugin/mem.ts", FILE, value=_calling(setup, "opencode/mem.ts"))]
    folder = setup.here / folders["openclaw"]
    home = folder / "extensions" / NAME
    config = folder / "openclaw.json"
    entry = {"enabled": True, "hooks": {"allowConversationAccess": True}}
    return [
        SettingsPiece(home / "openclaw.plugin.json", FILE, value=plugin_files()["openclaw/openclaw.plugin.json"]),
        SettingsPiece(home / "package.json", FILE, value=plugin_files()["openclaw/package.json"]),
        SettingsPiece(home / "index.js", FILE, value=_calling(setup, "openclaw/index.js")),
        SettingsPiece(config, TABLE, ("plugins", "entries", NAME), entry),
        SettingsPiece(config, TABLE, ("plugins", "slots", "memory"), NAME),
    ]


def rule() -> str:
    """Return the rule that makes an agent use the tools when its hooks can't add anything."""
    return plugin_files()["rules/mem.mdc"]


def _calling(setup: Setup, path: str) -> str:
    """Return a file that calls our program by its name on this machine."""
    return plugin_files()[path].replace(
        _PLACEHOLDER, f"const MEM = {json.dumps(list(setup.command), ensure_ascii=False)}"
    )
