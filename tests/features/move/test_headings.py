"""What a memory is told under leaves with it, or is said to be lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.features.move.export import export, exportable
from memcli.vault.vault import Filter
from tests.conftest import opened
from tests.recall.vaults import lay


@pytest.mark.parametrize("to", exportable())
def test_a_heading_is_in_every_format_or_is_said_to_be_lost(folder: Path, to: str) -> None:
    lay(folder, {"notes/day-one.md": "# A walk at dusk\n\n## 2026-11-20\n\n- we saw the heron by the weir\n"})
    exported = export(opened(folder), Filter(), to)
    text = "".join([*exported.pieces, *(text for _, text in exported.files)])
    assert "heron" in text
    assert ("A walk at dusk" in text) is not bool(exported.lost["heading"])
