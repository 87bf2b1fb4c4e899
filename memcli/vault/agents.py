"""Agents and their own spaces: which there are, as whom a program asks, and where what it brings is kept."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memcli.vault import layout
from memcli.vault.setting import Section, setting

if TYPE_CHECKING:
    from memcli.vault.vault import Vault

SHARED, OWN = "shared", "own"
# Programs under their several names: Claude Code is `claude` to its hooks and `claude-code` as a client.
PROGRAMS = ("claude", "codex", "copilot", "cursor", "gemini", "openclaw", "opencode", "vscode", "zed")


class Agents(Section):
    """What agents bring through MCP and hooks."""

    keep: str = setting(
        SHARED, "whose it is: shared, as it is what you said; own, for the agent alone", choices=(SHARED, OWN)
    )


def called(program: str) -> str:
    """The name of the agent that a program is by what it calls itself; empty where that is no name."""
    name = re.sub(r"[^\w.-]+", "-", program.lower()).strip("-.")[:40].strip("-.")
    first = re.split(r"[^a-z]", name)[0]
    return first if first in PROGRAMS else name if layout.NAME.fullmatch(name) else ""


def keeping(vault: Vault, whose: str = "") -> Vault:
    """The vault as what an agent brings is kept in it: for all, or as its own; where nobody says whose it is, as is
    set, and that is for all, because the user said it. Who may write to its own space alone keeps all there."""
    return vault if vault.confined or (whose or vault.settings.agents.keep) == OWN else replace(vault, agent="")
