"""A key to an agent's space: what only another agent knows is in no view, and its writes are not taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memcli import remember
from memcli.features.page import app
from memcli.remember import Memory
from memcli.vault import journal
from tests.conftest import opened
from tests.features import needs
from tests.features.page.visitor import Visitor

OTHER, SECRET = "stranger", "zanzibar"
MONTH_AGO = "2026-10-02"


@pytest.fixture
def folder_of_two(folder: Path) -> Path:
    """The scout and the stranger; what the stranger knows has one word in all its files, writes and journals."""

    def put(path: str, text: str) -> None:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")

    (folder / ".mem").mkdir()
    put("MEMORY.md", "- the harbour is at Amoy\n")
    put("agents/scout/MEMORY.md", "- the scout likes the harbour\n")
    space = f"agents/{OTHER}"
    put(
        f"{space}/MEMORY.md",
        f"- {SECRET}'s number is 12\n- {SECRET}'s number is 14\n- see ^harbour of {SECRET} #{SECRET}\n",
    )
    put(f"{space}/logs/{MONTH_AGO}.md", f"- [ ] ask about {SECRET}\n")
    put(f"{space}/{SECRET}.md", "- the harbour, too\n")
    put(f"{space}/preferences.yaml", f"- key: {SECRET}\n  value: tea\n  source: inferred\n  confidence: 0.5\n")
    put(f"{space}/labels.yaml", f"- name: {SECRET}\n  address: nowhere\n")
    put(f"{space}/broken.yaml", f"{SECRET}: [\n")
    put(f"{space}/CON.md", f"- {SECRET}\n")
    heard = {"kind": "failure", "goal": SECRET, "note": SECRET, "agent": OTHER, "at": "2026-11-20T10:00"}
    put("journal/patterns.jsonl", json.dumps({"at": "2026-11-20T10:00:00", "by": OTHER, "heard": heard}) + "\n")
    stranger = opened(folder).seen_by(OTHER)
    stranger.actor = OTHER
    added = remember.add(stranger, Memory(f"the harbour of {SECRET} opens in May"), force=True)
    assert added.written.changes[0].path.startswith(space)
    journal.append(folder, journal.USE, {"at": "2026-11-20T10:00:00", "id": SECRET, "by": OTHER})
    journal.append(folder, "nudges", {"at": "2026-11-20T10:00:00", "nudge": SECRET, "kind": SECRET, "event": "brought"})
    journal.count(stranger, "refused", SECRET)
    return folder


@pytest.fixture
def scout(folder_of_two: Path) -> Visitor:
    return Visitor(folder_of_two, agent="scout").enter()


PLAIN = [
    *(path.format(day="2026-11-21", doc="1") for path in app.VIEWS), f"/days/{MONTH_AGO}", f"/days?month={MONTH_AGO[:7]}",
    "/?q=harbour", "/?q=harbour&beside=weights&weights=time+0.9", "/list?words=harbour", "/memory?id=^harbour", "/documents?q=harbour",
]  # fmt: skip
NAMING = [
    f"/?q={SECRET}", f"/list?words={SECRET}", f"/list?tag={SECRET}", f"/file?path=agents/{OTHER}/MEMORY.md",
    f"/file?path=agents/scout/../{OTHER}/MEMORY.md", f"/memory?id=agents/{OTHER}/MEMORY.md:1",
    f"/memory?id=x&at=agents/{OTHER}/MEMORY.md:1", f"/journal?by={OTHER}", f"/documents?q={SECRET}",
]  # fmt: skip


@pytest.mark.parametrize("path", PLAIN)
def test_no_view_names_what_only_another_knows(scout: Visitor, path: str) -> None:
    shown = scout.ask("GET", path).text
    assert SECRET not in shown and OTHER not in shown


@pytest.mark.parametrize("path", NAMING)
def test_who_names_it_is_told_no_more(scout: Visitor, path: str) -> None:
    shown = scout.ask("GET", path).text
    assert "number is 1" not in shown and "opens in May" not in shown and "ask about" not in shown


def test_the_scout_s_own_is_there(scout: Visitor) -> None:
    assert "likes the harbour" in scout.see("/?q=harbour").words


@needs("ways")
def test_the_owner_is_asked_what_the_agent_is_not(folder_of_two: Path) -> None:
    assert SECRET in Visitor(folder_of_two).enter().see("/review").words
    assert "Nothing waits" in Visitor(folder_of_two, agent="scout").enter().see("/review").words


def test_numbers_count_what_is_seen(scout: Visitor, folder_of_two: Path) -> None:
    assert "2 in 2 files" in scout.see("/health").words
    assert "broken.yaml" in Visitor(folder_of_two).enter().see("/health").words


def test_undo_takes_back_what_the_agent_sees_and_nothing_of_another(scout: Visitor, folder_of_two: Path) -> None:
    page = scout.press("/undo")
    assert "no write left to take back" in page.words and OTHER not in page.words
    vault = opened(folder_of_two).seen_by("scout")
    remember.add(vault, Memory("the scout found the ferry"), force=True)
    remember.add(opened(folder_of_two).seen_by(OTHER), Memory(f"the ferry of {SECRET} leaves at nine"), force=True)
    page = scout.press("/undo")
    assert "undid `add`" in page.words and OTHER not in page.words
    said = "".join(path.read_text(encoding="utf-8") for path in folder_of_two.rglob("agents/*/**/*.md"))
    assert "found the ferry" not in said and f"the ferry of {SECRET}" in said


def test_the_owner_opens_a_file_of_an_agent_and_its_memories(folder_of_two: Path) -> None:
    owner = Visitor(folder_of_two).enter()
    file = owner.see(f"/file?path=agents/{OTHER}/MEMORY.md")
    owner.see(next(link for link in file.links if link.startswith("/memory")))
