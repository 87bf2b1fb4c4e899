"""Name agents, and decide whether their memories go to the shared vault or to their own space."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memcli.vault import layout
from memcli.vault.setting import Section, setting

if TYPE_CHECKING:
    from memcli.vault.vault import Vault

SHARED, OWN = "shared", "own"
# These programs have several names: Claude Code is `claude` to its hooks and `claude-code` as an MCP client.
PROGRAMS = ("claude", "codex", "copilot", "cursor", "gemini", "openclaw", "opencode", "vscode", "zed")


class AgentsSettings(Section):
    """Set where mem keeps what agents bring through MCP and hooks."""

    keep: str = setting(
        SHARED, "whose it is: shared, as it is what you said; own, for the agent alone", choices=(SHARED, OWN)
    )


def agent_name(program: str) -> str:
    """Return the agent's name for what a program calls itself, or "" when that makes no valid name."""
    name = re.sub(r"[^\w.-]+", "-", program.lower()).strip("-.")[:40].strip("-.")
    first = re.split(r"[^a-z]", name)[0]
    return first if first in PROGRAMS else name if layout.NAME.fullmatch(name) else ""


def keeping_vault(vault: Vault, whose: str = "") -> Vault:
    """Return the vault that keeps an agent's memory, shared or its own space: as `whose` says, else the setting."""
    return vault if vault.confined or (whose or vault.settings.agents.keep) == OWN else vault.with_values(agent="")
