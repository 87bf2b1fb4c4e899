"""Whatever way a place in another agent's space is spelled, nothing tells whether something lies there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.cli import show
from memcli.errors import MemError
from memcli.vault.vault import Vault
from tests.conftest import opened

SPELLED = (
    "agents/beta/{}", "agents/alpha/../beta/{}", "./agents/beta/{}", "agents//beta/{}", "logs/../agents/beta/{}",
    "agents/beta/./{}", "linked/{}", "agents/alpha/../../agents/beta/{}", "agents/beta/notes/../{}", "{root}/agents/beta/{}",
)  # fmt: skip


@pytest.fixture
def alpha(folder: Path) -> Vault:
    for path, text in {
        "agents/beta/plan.md": "- the plan\n",
        "agents/alpha/own.md": "- mine\n",
        "a.md": "- a\n",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    (folder / "linked").symlink_to(folder / "agents/beta")
    (folder / "agents/beta/loop.md").symlink_to(folder / "agents/beta/loop.md")
    return opened(folder).seen_by("alpha")


DOORS: dict[str, Callable[[Vault, str], object]] = {
    "find": lambda vault, name: vault.find_entry(f"{name}:1"),
    "place": lambda vault, name: vault.place(name),
    "document": lambda vault, name: vault.document(name),
    "file": lambda vault, name: show.resolve_file(vault, name),
}


def answered(vault: Vault, door: str, spelled: str, name: str) -> str:
    """What a door says, with the name taken out of it."""
    try:
        return f"found {DOORS[door](vault, spelled)}"
    except MemError as error:
        return f"{type(error).__name__} {error.code} {error.message} {error.hint}".replace(name, "NAME")


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("spelled", SPELLED)
def test_a_file_of_another_agent_is_not_there_however_it_is_spelled(alpha: Vault, door: str, spelled: str) -> None:
    there, absent, loop = (
        answered(alpha, door, spelled.replace("{root}", str(alpha.root)).replace("{}", name), name)
        for name in ("plan.md", "none.md", "loop.md")
    )
    assert there == absent == loop
    assert not there.startswith("found")


def test_no_hint_names_the_place_of_the_vault(alpha: Vault) -> None:
    for door in DOORS:
        assert str(alpha.root) not in answered(alpha, door, "../outside.md", "outside.md")
