"""A memory's vector leans on its neighbours'."""

from __future__ import annotations

import numpy as np

from memcli.index import texts
from memcli.index.refresh import ASIDE, in_context
from memcli.vault.entries import parse_document


def rows_of(text: str, path: str = "logs/2026-11-20.md") -> list[texts.EntryRow]:
    return texts.rows(parse_document(path, text))


def test_neighbours_give_a_share_and_strangers_none() -> None:
    rows = rows_of("- a\n- b\n- c\n- d\n")
    found = in_context(rows, np.eye(4, dtype=np.float32))
    before = found[1] / found[1][1]
    assert np.allclose(before, [0.5 * ASIDE, 1, 0.5 * ASIDE, 0.25 * ASIDE])
    assert np.allclose(np.linalg.norm(found, axis=1), 1)


def test_turns_of_a_talk_give_all_of_their_share() -> None:
    found = in_context(rows_of("- Ann: a\n- Ben: b\n- c\n"), np.eye(3, dtype=np.float32))
    assert np.allclose((found[0] / found[0][0])[:2], [1, 0.5])
    assert np.isclose(found[1][2] / found[1][1], 0.5 * ASIDE)


def test_another_section_and_another_file_give_nothing() -> None:
    rows = rows_of("# One\n- a\n# Two\n- b\n") + rows_of("# Two\n- c\n", "logs/2026-11-21.md")
    assert np.allclose(in_context(rows, np.eye(3, dtype=np.float32)), np.eye(3))


def test_few_rows_are_no_trouble() -> None:
    for number in (1, 2):
        rows = rows_of("- a\n- b\n")[:number]
        assert in_context(rows, np.eye(2, dtype=np.float32)[:number]).shape == (number, 2)
