"""Files that people and other programs wrote by hand end no command and lose nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from memcli.errors import VaultError
from memcli.recall import Request, recall
from memcli.vault import layout, yaml_read
from memcli.vault.vault import Vault


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are text")
def test_a_name_that_is_no_text_is_told_and_the_rest_is_recalled(vault: Vault) -> None:
    (vault.root / "a.md").write_text("- coffee at four\n", encoding="utf-8")
    Path(os.fsdecode(os.fsencode(vault.root) + b"/caf\xe9.md")).write_text("- coffee at five\n", encoding="utf-8")
    assert "coffee at four" in recall(vault, Request("coffee")).text
    told: list[tuple[str, str]] = []
    assert list(layout.walk(vault.root, tell=lambda *left_out: told.append(left_out))) == ["a.md"]
    assert told == [("caf?.md", "its name is not UTF-8")]


@pytest.mark.parametrize("number", ["0x" + "f" * 400, "9" * 400])
def test_an_endless_number_is_refused_by_name(number: str) -> None:
    with pytest.raises(VaultError, match="a number of more than"):
        yaml_read.load(f"confidence: {number}\n", "preferences.yaml")


@pytest.mark.parametrize(
    ("heading", "day"),
    [
        ("Top 10 novels 2024", None), ("Mayor 5, 2025", None), ("12 decisions 2024", None), ("Marathon 10 2024", None),
        ("10 Nov. 2024", "2024-11-10"), ("Sept 3rd, 2024", "2024-09-03"), ("March 10 2024", "2024-03-10"),
        ("12 novembre 2024", "2024-11-12"),
    ],
)  # fmt: skip
def test_a_word_that_begins_like_a_month_is_none(heading: str, day: str | None) -> None:
    found = layout.day_in(heading)
    assert (found and f"{found}") == day
