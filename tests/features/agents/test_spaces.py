"""An agent's space: handed on, renamed, put aside."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli import remember, session
from memcli.errors import UsageError
from memcli.features.agents import spaces
from memcli.remember import Memory
from memcli.session import SessionMessage
from memcli.vault.vault import Vault
from tests.agents.test_scenes import knows, team
from tests.agents.test_spaces import kept, told
from tests.conftest import Ran
from tests.features import import_feature

__all__ = ["team"]  # a fixture
Mem = Callable[..., Ran]


# -- handed on ---------------------------------------------------------------------------------------------------------


def test_what_is_shared_with_all_says_who_when_and_why(vault: Vault) -> None:
    entry = spaces.find_memory(vault, kept(vault, "scout", "Halden cut its prices by a third", type="fact"))
    done = spaces.share_memory(vault, entry, why="we plan by [it]")
    line = (vault.root / "MEMORY.md").read_text()
    assert re.search(r"\[by:: scout\] \[shared:: 2026-11-21\] \[why:: we plan by \(it\)\]", line)
    for agent in ("scout", "writer", ""):
        assert told(vault, agent, "Halden prices").count("cut its prices") == 1
    assert done.place == "MEMORY.md:1" and "Halden" not in (vault.root / "agents/scout/MEMORY.md").read_text()


def test_what_is_shared_with_one_both_have(vault: Vault) -> None:
    entry = spaces.find_memory(vault, kept(vault, "scout", "Halden cut its prices by a third"))
    spaces.share_memory(vault, entry, to="writer")
    for agent, has in (("scout", True), ("writer", True), ("critic", False), ("", False)):
        assert ("cut its prices" in told(vault, agent, "Halden prices")) is has
    assert (vault.root / "agents/writer/logs/2026-11-21.md").read_text().startswith("# 2026-11-21 Sat\n")


def test_what_is_known_there_is_not_written_twice(vault: Vault) -> None:
    remember.add(vault, Memory("Halden cut its prices by a third", type="fact"))
    entry = spaces.find_memory(vault, kept(vault, "scout", "Halden cut its prices by a third", to="notes", force=True))
    before = (vault.root / "MEMORY.md").read_text()
    assert spaces.share_memory(vault, entry).known and (vault.root / "MEMORY.md").read_text() == before


def test_a_reason_passes_the_gate_and_nothing_is_shared_that_is_shared(vault: Vault) -> None:
    entry = spaces.find_memory(vault, kept(vault, "scout", "Halden cut its prices by a third"))
    with pytest.raises(UsageError, match="the reason holds"):
        spaces.share_memory(vault, entry, why="ask anna.lind@example.org")
    with pytest.raises(UsageError, match="has it already"):
        spaces.share_memory(vault, entry, to="scout")
    shared = remember.add(vault, Memory("The museum opens at nine")).entry
    with pytest.raises(UsageError, match="not in an agent's space"):
        spaces.share_memory(vault, shared)


def test_sharing_is_undone_as_one(mem: Mem, folder: Path) -> None:
    id = mem("add", "Halden cut its prices", "--agent", "scout").out.split()[0]
    assert mem("agent", "share", id, "--why", "for all").code == 0
    assert "prices" in mem("recall", "Halden").out
    mem("undo")
    assert "prices" not in mem("recall", "Halden").out and "prices" in mem("recall", "Halden", "--agent", "scout").out


# -- as a whole --------------------------------------------------------------------------------------------------------


def test_an_agent_gets_another_name_and_keeps_all(vault: Vault) -> None:
    scout = vault.seen_by("scout")
    kept(vault, "scout", "Halden cut its prices")
    talk = session.start(scout)
    saying, ending = (import_feature(f"memcli.features.talk.{name}") for name in ("saying", "ending"))
    said = SessionMessage("user", "book a table for two at Halden", tools=("book",))
    ending.end_session(vault, saying.say(vault, talk, said).session)
    spaces.rename_agent(vault, "scout", "pathfinder")
    assert spaces.agent_names(vault) == ["pathfinder"]
    again = session.find_session(vault.seen_by("pathfinder"), talk.id)
    assert again.agent == "pathfinder" and all(
        path.startswith("agents/pathfinder/") for path in again.snapshots.values()
    )
    assert "prices" in told(vault, "pathfinder", "Halden") and "prices" not in told(vault, "scout", "Halden")
    with pytest.raises(UsageError, match="already"):
        kept(vault, "scout", "The harbour closes in winter") and spaces.rename_agent(vault, "scout", "pathfinder")


def test_an_agent_put_aside_is_told_to_nobody_and_comes_back(mem: Mem, folder: Path) -> None:
    mem("add", "Halden cut its prices", "--agent", "scout")
    assert mem("agent", "archive", "scout", "--yes").out == "scout archived in archive/agents/scout\n"
    for words in (["recall", "Halden"], ["recall", "Halden", "--agent", "scout"], ["list", "--agent", "writer"]):
        assert "prices" not in mem(*words).out
    assert json.loads(mem("agent", "--json").out)["agents"] == []
    mem("add", "Halden has a new owner", "--agent", "scout")
    assert mem("undo").code == mem("undo").code == 0
    (space,) = json.loads(mem("agent", "--json").out)["agents"]
    assert (space["name"], space["memories"]) == ("scout", 1)


def test_a_find_goes_to_the_writer_and_not_to_the_coder(team: Vault) -> None:
    entry = spaces.find_memory(team, "agents/研究/logs/2026-11-21.md:3")
    spaces.share_memory(team, entry, to="写作", why="报告要用")
    assert "海登" in knows(team, "写作", "用户怎么看竞品") and "海登" not in knows(team, "代码", "用户怎么看竞品")
    assert "[by:: 研究]" in (team.root / "agents/写作/logs/2026-11-21.md").read_text(encoding="utf-8")
