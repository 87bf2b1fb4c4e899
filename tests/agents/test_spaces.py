"""An agent's own space as a vault in small: written, learnt into, handed on, renamed, put aside."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli import remember
from memcli.errors import Refused
from memcli.recall import Request, recall
from memcli.remember import Memory, learning, proposals
from memcli.vault import agents, labels, preferences
from memcli.vault.vault import Vault
from tests.conftest import Ran, opened
from tests.features import needs
from tests.rows import check_rows

Mem = Callable[..., Ran]


def kept(vault: Vault, agent: str, text: str, force: bool = False, **more: str) -> str:
    return remember.add(vault.seen_by(agent), Memory(text, **more), force=force).entry.id  # type: ignore[arg-type]


def told(vault: Vault, agent: str, question: str, **more: object) -> str:
    return recall(vault.seen_by(agent), Request(question, **more)).text  # type: ignore[arg-type]


# -- preferences and labels --------------------------------------------------------------------------------------------


def values(vault: Vault) -> list[object]:
    return [one.value for one in preferences.choose_effective(preferences.read_preferences(vault), lambda scene: False)]


def test_an_agents_own_preference_counts_for_it_alone(vault: Vault) -> None:
    coder, writer = vault.seen_by("coder"), vault.seen_by("writer")
    remember.prefer(vault, "tone", "formal")
    remember.prefer(coder, "tone", "terse")
    assert (values(coder), values(writer), values(vault)) == (["terse"], ["formal"], ["formal"])
    remember.unprefer(coder, "tone")
    assert values(coder) == ["formal"]
    assert "terse" in (vault.root / "agents/coder/archive/preferences.yaml").read_text()


def test_what_an_agent_concludes_never_beats_what_the_user_said(vault: Vault) -> None:
    remember.prefer(vault, "tone", "formal")
    with pytest.raises(Refused, match="explicitly"):
        remember.prefer(vault.seen_by("coder"), "tone", "terse", source="inferred")


def test_an_agents_own_label_stands_before_the_shared_one(vault: Vault) -> None:
    remember.label(vault, "depot", "12 Example Road")
    remember.label(vault.seen_by("coder"), "Depot", "the package cache")
    assert [each.value for each in labels.read_labels(vault.seen_by("coder"))] == ["the package cache"]
    assert [each.value for each in labels.read_labels(vault.seen_by("writer"))] == ["12 Example Road"]
    assert "package cache" in told(vault, "coder", "where is the depot")


@needs("learn")
def test_what_is_learnt_as_an_agent_is_the_agents_own(vault: Vault) -> None:
    talk = "user: My name is Lin Zhou.\nuser: I prefer tea to coffee.\nuser: We decided to ship on Mondays.\n"
    coder = vault.seen_by("coder")
    for atom in learning.propose(coder, talk, rules=True).atoms:
        proposals.keep(coder, atom, confirmed=True)
    written = {path.relative_to(vault.root).parts[0] for path in vault.root.rglob("*.*") if ".mem" not in path.parts}
    assert written <= {"agents", "journal"} and not (vault.root / "USER.md").exists()
    assert "Mondays" in told(vault, "coder", "when do we ship") and "Mondays" not in told(
        vault, "writer", "when do we ship"
    )


# -- what comes through hooks -----------------------------------------------------------------------------------------


@check_rows(("program", "name"), [
    ("claude-code", "claude"), ("claude", "claude"), ("codex-mcp-client", "codex"), ("gemini-cli-mcp-client", "gemini"),
    ("cursor-vscode", "cursor"), ("Visual Studio Code", "visual-studio-code"), ("my agent/1.2", "my-agent-1.2"),
    ("claudette", "claudette"), ("../../etc", "etc"), ("研究员", "研究员"), ("...", ""), ("", ""),
])  # fmt: skip
def test_a_program_is_one_agent_under_its_several_names(program: str, name: str) -> None:
    assert agents.agent_name(program) == name


@needs("hook", "learn")
@pytest.mark.parametrize(("keep", "place"), [("shared", "MEMORY.md"), ("own", "agents/claude/MEMORY.md")])
def test_a_transcript_is_learnt_for_whom_the_vault_says(folder: Path, mem: Mem, keep: str, place: str) -> None:
    (folder / "mem.yaml").write_text(f"agents: {{keep: {keep}}}\n")
    turn = {"type": "user", "message": {"role": "user", "content": "We decided on Mondays for deploying the gateway."}}
    (folder.parent / "talk.jsonl").write_text(json.dumps(turn) + "\n")
    payload = {"session_id": "s", "cwd": str(folder), "transcript_path": str(folder.parent / "talk.jsonl")}
    assert mem("hook", "stop", "--for", "claude", stdin=json.dumps(payload)).code == 0
    mem("work")
    assert "Mondays" in (folder / place).read_text()


# -- what a planner gets -----------------------------------------------------------------------------------------------


def test_a_planner_gets_ten_at_most_each_with_its_layer(folder: Path) -> None:
    for agent in ("", "planner", "other"):
        vault = opened(folder, recall__preset="layered").seen_by(agent)
        for n in range(8):
            remember.add(
                vault, Memory(f"Sprint {n} of {agent or 'all'} moved the cache of service {n}", to="plans"), force=True
            )
        remember.add(vault, Memory(f"The cache of {agent or 'all'} is the bottleneck", type="insight"))
    found = recall(opened(folder, recall__preset="layered").seen_by("planner"), Request("cache", budget=2000)).chosen
    layers = [each.scored.paths[0] for each in found]
    assert len(found) <= 10 and {"in recent", "in semantic"} <= set(layers) <= {
        "in recent",
        "in semantic",
        "in summary",
    }
    assert all(layers.count(f"in {name}") <= most for name, most in (("recent", 5), ("semantic", 3), ("summary", 2)))
    assert not any("of other" in each.text for each in found) and any("of planner" in each.text for each in found)
    assert len({each.scored.entry.hash for each in found}) == len(found)
