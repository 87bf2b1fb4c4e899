"""Two agents with a memory each in one vault, and a word that only one of them knows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from memcli import session
from memcli.session import SessionMessage
from tests.conftest import opened
from tests.recall.vaults import lay
from tests.session.records import record

SECRET, MARK = "xylograph", "Qumran"  # what is asked for; what stands beside it wherever bob has it, and is never asked


@dataclass(frozen=True)
class TwoMinds:
    """A vault in which bob knows what ada does not."""

    root: Path
    names: dict[str, str]  # what commands are told → what it is of bob's

    def words(self, *words: str) -> list[str]:
        """The words of a command, with bob's ids and places in them."""
        return [word.format(**self.names) for word in words]


@pytest.fixture
def minds(folder: Path) -> TwoMinds:
    lay(folder, {
        "MEMORY.md": "- The museum opens at nine ^museum\n",
        "logs/2026-11-20.md": "- 09:00 The museum was visited\n",
        "agents/ada/MEMORY.md": "- Ada catalogues the museum\n",
        "agents/bob/MEMORY.md": f"- The {SECRET} of the museum lies in {MARK} seven #{SECRET} ^plate\n",
        "agents/bob/insights.md": f"- A {SECRET} fades in the sun of {MARK}\n",
        "agents/bob/logs/2026-11-21.md": f"- 10:00 Bob cleaned the {SECRET} of {MARK} [type:: decision]\n- 11:00 [ ] dust the {SECRET} of {MARK}\n",
        "agents/bob/snapshots/2026-11-21-0900-ab12.md": (
            f"---\nsession: s\ncreated: 2026-11-21T09:00:00\nexpires: 2026-11-28T09:00:00\ntools: [scan]\n---\nThe {SECRET} was scanned in {MARK}\n"
        ),
        "agents/bob/notes/print.md": f"- One {SECRET} is a print, made in {MARK}\n",
        "agents/bob/talk.txt": f"user: We decided to keep the prints of {MARK} in cold boxes\n",
        "agents/bob/archive/MEMORY.md": f"- The old {SECRET} was sold to {MARK} ^sold\n",
        "agents/bob/preferences.yaml": f"- {{key: plate, value: the {SECRET} of {MARK}}}\n",
        "agents/bob/labels.yaml": f"- {{name: depot, value: where the {SECRET} of {MARK} lies}}\n",
        "agents/bob/patterns.yaml": f"patterns:\n- {{pattern: hang the {SECRET}, subtasks: [find a dark wall, drive to {MARK}]}}\n",
        "archive/agents/eve/MEMORY.md": f"- Eve knew the {SECRET} of {MARK}, too ^eve\n",
    })  # fmt: skip
    bob = opened(folder).seen_by("bob")
    talk = session.start(bob, title=f"the {SECRET} of {MARK}")
    record(bob, talk, SessionMessage("user", f"tell me of the {SECRET} of {MARK}"))
    (folder / "linked.md").symlink_to(folder / "agents/bob/notes/print.md")
    entry = bob.find_entry("agents/bob/insights.md:1")
    return TwoMinds(folder, {
        "word": SECRET, "id": entry.id, "place": entry.place, "path": entry.path, "block": "^plate", "talk": talk.id,
        "snapshot": "agents/bob/snapshots/2026-11-21-0900-ab12.md", "sneaky": "agents/ada/../bob/insights.md",
        "absolute": str(folder / entry.path), "talk_file": str(folder / "agents/bob/talk.txt"), "upper": "AGENTS/bob/insights.md",
    })  # fmt: skip
