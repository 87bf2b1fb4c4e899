"""What holds now: what superseded a memory stands beside it, whatever its words are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recall.vaults import TODAY, ask, lay, log, texts

MAY, JUNE = "logs/2026-05-01.md", "logs/2026-06-01.md"
OLD = "the standup is at nine"
OTHERS = {log(TODAY): "- bought tyres for the bike\n- the party was fun\n"}


def found(folder: Path) -> list[str]:
    """The memories of the block, without their marks."""
    return [text.partition(" (superseded by")[0] for text in texts(ask(folder, "when is the standup"))]


@pytest.mark.parametrize("place", [JUNE, "MEMORY.md", MAY])
def test_what_superseded_a_memory_comes_with_it_though_they_share_no_word(folder: Path, place: str) -> None:
    files = {MAY: "- the standup is at nine [superseded:: ^sync]\n", **OTHERS}
    files[place] = files.get(place, "") + "- daily sync moved to 10:15 ^sync\n"
    lay(folder, files)
    assert sorted(found(folder)) == ["daily sync moved to 10:15", OLD]


def test_the_last_of_a_chain_comes_and_a_circle_ends(folder: Path) -> None:
    chain = "- the standup is at nine [superseded:: ^a]\n- daily sync at ten [superseded:: ^b] ^a\n- meet at noon ^b\n"
    lay(folder, {MAY: chain, **OTHERS})
    assert found(folder) == [OLD, "meet at noon"]
    lay(folder, {MAY: chain.replace("meet at noon ^b", "meet at noon [superseded:: ^a] ^b")})
    assert OLD in found(folder)


def test_what_can_not_be_found_costs_nothing(folder: Path) -> None:
    lay(folder, {MAY: "- the standup is at nine [superseded:: 1234567]\n", **OTHERS})
    assert found(folder) == [OLD]
