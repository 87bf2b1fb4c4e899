"""A vault with a life in it, and talks of any length."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.recall.vaults import lay

ROLE = """version: 1
identity: You are Ada, who keeps the notes of Lin.
tone: Warm and brief.
boundaries: [Never guess a number.]
"""
SESSION = "20261121-1400-abcd"


@pytest.fixture
def home_of_lin(folder: Path) -> Path:
    return lay(folder, {
        "USER.md": "---\nname: Lin\n---\n",
        "state.yaml": "role: ada\nlanguage: zh\nresponse_length: short\ntopics_of_interest: [tea]\n",
        "roles/ada.yaml": ROLE,
        "preferences.yaml": "- {key: drink, value: oolong tea}\n- {key: tone, value: dry, category: communication}\n",
        "labels.yaml": "- {name: home, address: 12 Example Road}\n",
        "logs/2026-11-20.md": "- 11:00 Decided: the cache is Redis. #cache [type:: decision]\n- 午饭吃了羊肉面\n",
        "MEMORY.md": "\n".join(f"- the cache of team {n} holds {n * 7} entries {'and more ' * 12}" for n in range(60)),
    })  # fmt: skip


def talk(folder: Path, turns: Iterable[tuple[str, str]], events: Iterable[dict[str, object]] = ()) -> str:
    """A session of these turns; its id."""
    lines = [{"event": "start", "at": "2026-11-21T14:00:00"}]
    lines += [{"role": role, "content": said, "at": "2026-11-21T14:01:00"} for role, said in turns]
    path = folder / "sessions" / f"{SESSION}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in [*lines, *events]), encoding="utf-8"
    )
    return SESSION


def rounds(number: int, size: int = 1) -> list[tuple[str, str]]:
    return [
        turn
        for n in range(number)
        for turn in (("user", f"question {n} " + "word " * size), ("assistant", f"reply {n} " + "word " * size))
    ]


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> object:
    """A knowledge store that is not there, and answers as it is told."""
    from memcli import contributions
    from tests.features.talk.prompt.test_knowledge import Store

    fake = Store()
    monkeypatch.setattr(contributions, "evidence", fake.evidence)
    monkeypatch.setattr(contributions, "has_documents", lambda vault: True)
    return fake
