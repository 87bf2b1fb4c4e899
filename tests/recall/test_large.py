"""Large files: what is read of them, that nothing of it moves, and that what matters in them is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.recall import large
from memcli.vault import entries
from tests.conftest import opened
from tests.recall.vaults import ask, ground, lay, places

LINES = [f"- the bread of day {n} needs flour and water\n" for n in range(20_000)]


def test_of_a_note_of_a_megabyte_only_so_much_is_weighed(folder: Path) -> None:
    lay(folder, {"big.md": "".join(LINES), "small.md": "- bread\n"})
    search = ground(opened(folder), "bread and flour")
    assert len(search.entries("big.md")) <= large.MOST_PIECES + 4
    assert len(search.whole_file("big.md")) == len(LINES)


def test_the_best_line_of_a_large_note_is_found_where_it_stands(folder: Path) -> None:
    lines = list(LINES)
    lines[12_345] = "- the bread needs malt from Lindau\n"
    lay(folder, {"big.md": "# Baking\n\n" + "".join(lines), "small.md": "- malt\n"})
    assert places(ask(folder, "malt for the bread from Lindau"))[0] == "big.md:12348"


def test_a_memory_beside_a_large_note_of_the_same_words_is_found(folder: Path) -> None:
    lay(folder, {"big.md": "".join(LINES), "2026-11-20.md": "- bread for Marta at 230 degrees\n"})
    assert places(ask(folder, "Marta's bread"))[0] == "2026-11-20.md:1"


@pytest.mark.slow
def test_a_day_a_tag_and_a_task_are_found_within_a_large_file(folder: Path) -> None:
    lines = list(LINES)
    lines[7_000] = "\n## 2026-03-12\n\n- met Hana at the harbour\n\n## Later\n\n"
    lines[9_000] = "- a walk by the lake #joy\n"
    lay(folder, {"journal.md": "".join(lines)})
    assert any(each.scored.entry.words == "met Hana at the harbour" for each in ask(folder, "on 12 March").chosen)
    assert [each.scored.entry.words for each in ask(folder, "#joy").chosen] == ["a walk by the lake #joy"]


PIECES = (
    """# Head|## 2026-03-12|- item|  under it||plain text|```|- ```js|---|<!-- a|-->|1. first|===|\tdeep|> quoted|%%"""
)
PIECE = st.sampled_from([f"{line}\n" for line in PIECES.split("|")])


@pytest.mark.slow
@given(st.lists(PIECE, min_size=1, max_size=40), st.sets(st.integers(1, 40), max_size=3))
@settings(max_examples=300, deadline=None)
def test_whatever_is_left_of_a_file_stands_where_it_stood(pieces: list[str], best: set[int]) -> None:
    text = "".join(pieces)
    lines = text.split("\n")
    part = large.cut_to_matches(text, {line: 1.0 for line in best if line <= len(lines)}).split("\n")
    assert [len(line) for line in part] == [len(line) for line in lines]
    assert all(new in (old, " " * len(old)) for new, old in zip(part, lines, strict=True))


def test_a_part_of_a_file_is_read_as_the_whole_would_be(folder: Path) -> None:
    text = "---\ntags:\n- bread\n---\n# Baking\n\n" + "".join(LINES[:3000]) + "```\n- no memory\n```\n" + "".join(LINES)
    every = {(entry.line, entry.start): entry for entry in entries.parse_document("big.md", text).entries}
    part = entries.parse_document("big.md", large.cut_to_matches(text, {1500: 1.0, 9000: 2.0}))
    assert part.front == {"tags": ["bread"]}
    assert 9000 in {entry.line for entry in part.entries}
    for entry in part.entries:
        whole = every[entry.line, entry.start]
        assert (entry.trail, entry.tags, entry.kind) == (whole.trail, whole.tags, whole.kind)
        assert entry.raw == whole.raw or "```" in whole.raw
