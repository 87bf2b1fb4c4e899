"""The usual filters: a command that offers one also heeds it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from memcli import contributions
from memcli.cli.command import DEFINED
from memcli.cli.commands import COMMANDS
from memcli.cli.typer_app import load
from memcli.remember import Memory, add
from tests.conftest import Ran, opened

Mem = Callable[..., Ran]

for name in COMMANDS:
    load(name)
# What mem stats counts is how a vault is used, and nobody has used this one: its own test has --since.
OFFERED = [name for name, command in DEFINED.items() if command.filters and name != "stats"]
# A value of each filter that something in the vault below does not fit.
NARROWER = {
    "since": ["--since", "2026-11-21"],
    "until": ["--until", "2026-11-10"],
    "tag": ["--tag", "tea"],
    "type": ["--type", "decision"],
    "path": ["--path", "logs"],
    "project": ["--project", "tea"],
}
OTHERS = {("reflect", "project"): ["--project", "lamps"]}
WORDS = {"recall": ["boats and tea"], "ask": ["boats and tea", "--evidence"]}


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two of everything: days, tags, types, places, projects; in notes, in documents and in the journal."""
    place = tmp_path_factory.mktemp("harbour")
    notes = {
        "logs/2026-11-05.md": "- 09:00 The boats came with tea #boats\n",
        "logs/2026-11-20.md": "- 09:00 Boats and tea: we chose oolong #tea [type:: decision]\n",
        "MEMORY.md": "- The boats of the harbour carry tea #harbour\n",
    }
    for name, text in notes.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    for day in (6, 21):
        add(opened(place, datetime(2026, 11, day)), Memory(f"the harbour has {day} lamps"))
    if "knowledge" in COMMANDS:  # a feature may be missing
        shelve(place)
    return place


def shelve(place: Path) -> None:
    from tests.features.knowledge.shelves import document, lay

    about: dict[str, object] = {"tags": ("boats",), "project": "boats", "type": "paper", "date": "2026-11-05"}
    about_tea: dict[str, object] = {"tags": ("tea",), "project": "tea", "type": "decision", "date": "2026-11-20"}
    shelf = [document("boats.md", "Boats bring tea.", **about), document("tea.md", "Tea comes by boats.", **about_tea)]
    lay(opened(place), [*shelf, *(document(f"{n}.md", f"The crane {n}") for n in range(9))])


@pytest.mark.parametrize("name", OFFERED)
def test_every_filter_that_a_command_offers_has_an_effect(inside: Mem, harbour: Path, name: str) -> None:
    asked = [["--source", each] for each in ("memory", "knowledge") if each in contributions.sources()]
    for source in asked if name == "ask" else [[]]:
        words = [*name.split(), *WORDS.get(name, []), *source]
        every = inside(*words, cwd=harbour, MEM_VAULT=str(harbour))
        assert every.code == 0 and every.out
        for filter in DEFINED[name].filters:
            narrower = OTHERS.get((name, filter), NARROWER[filter])
            some = inside(*words, *narrower, cwd=harbour, MEM_VAULT=str(harbour))
            assert some.code == 0, some.err
            told = f"mem {' '.join(words)} takes no notice of {narrower}; OTHERS may hold what leaves something out"
            assert every.out != some.out, told
