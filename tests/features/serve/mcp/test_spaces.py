"""Whose a memory is that a client brings: the user's, or the agent's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.conftest import Ran
from tests.features.serve.mcp.client import Client

Mem = Callable[..., Ran]


def test_what_the_user_said_to_a_client_is_the_users(folder: Path, mem: Mem) -> None:
    with Client("--vault", str(folder), "mcp") as client:
        client.shake_hands(name="claude-code")
        assert "MEMORY.md" in client.says("remember", text="The gateway is deployed on Mondays", type="fact")
    assert "Mondays" in mem("recall", "gateway").out


def test_a_clients_own_finding_is_its_own_until_it_is_handed_on(folder: Path, mem: Mem) -> None:
    with Client("--vault", str(folder), "mcp") as client:
        client.shake_hands(name="claude-code")
        said = client.says("remember", text="The gateway tests fail when run in parallel", type="fact", owner="agent")
        assert "agents/claude/MEMORY.md" in said and "claude alone sees it" in said
        assert "parallel" in client.says("recall", question="gateway tests")
    assert "parallel" not in mem("recall", "gateway tests").out
    assert "parallel" in mem("recall", "gateway tests", "--agent", "claude").out


def test_a_vault_may_keep_all_that_agents_bring_apart(folder: Path, mem: Mem) -> None:
    (folder / "mem.yaml").write_text("agents: {keep: own}\n")
    with Client("--vault", str(folder), "mcp") as client:
        client.shake_hands(name="codex-mcp-client")
        assert "agents/codex/" in client.says("remember", text="The gateway is deployed on Mondays", type="fact")
        assert " in MEMORY.md" in client.says(
            "remember", text="The office is closed on Fridays", owner="user", type="fact"
        )
