"""What git is not given is called what it is."""

from __future__ import annotations

import pytest

from memcli.vault.git.repository import left_out


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["notes.md"], "left alone, files of more than 100 MB: notes.md"),
        (["inner/"], "left alone, repositories of their own: inner/"),
        (
            ["inner/", "notes.md"],
            "left alone, repositories of their own and files of more than 100 MB: inner/, notes.md",
        ),
    ],
)
def test_a_large_note_is_not_called_a_repository(names: list[str], told: str) -> None:
    assert left_out(names) == told
