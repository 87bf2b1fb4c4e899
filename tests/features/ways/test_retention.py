"""`tidy`: a pattern has ninety days after it was last used."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.remember import expired, tidy
from memcli.vault import yaml_read
from memcli.vault.vault import Vault

PATTERNS = """\
# what worked
patterns:
  - pattern: fresh   # keep
    last_used: 2026-11-01
  - pattern: stale
    subtasks: [a, b]
    last_used: 2026-07-01
  - pattern: undated
failures:
  - pattern: old failure
    indicators: [x]
    last_used: 2026-01-01
"""


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def whats(vault: Vault) -> list[str]:
    return [each.what for each in expired(vault)]


@pytest.mark.parametrize(("last_used", "gone"), [("2026-08-24", False), ("2026-08-22", True)])
def test_a_pattern_stays_for_ninety_days_after_it_was_last_used(vault: Vault, last_used: str, gone: bool) -> None:
    put(vault.root, "patterns.yaml", f"patterns:\n  - pattern: mine\n    last_used: {last_used}\n")
    assert whats(vault) == ["mine"] * gone


def test_what_is_kept_keeps_its_bytes_and_what_goes_is_in_the_archive(vault: Vault) -> None:
    put(vault.root, "patterns.yaml", PATTERNS)
    put(vault.root, "archive/patterns.yaml", "# cold\n- pattern: older\n")
    assert whats(vault) == ["stale", "old failure"]
    tidy(vault, expired(vault))
    kept = (vault.root / "patterns.yaml").read_text()
    assert kept.startswith("# what worked\npatterns:\n  - pattern: fresh   # keep\n    last_used: 2026-11-01\n")
    left = yaml_read.load(kept, "")
    assert [each["pattern"] for each in left["patterns"]] == ["fresh", "undated"]
    assert left["failures"] == []
    cold = (vault.root / "archive/patterns.yaml").read_text()
    assert cold.startswith("# cold\n- pattern: older\n")
    assert [each["pattern"] for each in yaml_read.load(cold, "")] == ["older", "stale", "old failure"]
    assert expired(vault) == []


def test_an_agent_has_an_archive_of_its_own_and_other_files_of_that_name_are_left_alone(vault: Vault) -> None:
    for path in ("agents/bot/patterns.yaml", "notes/patterns.yaml", "archive/patterns.yaml"):
        put(vault.root, path, PATTERNS)
    tidy(vault, expired(vault))
    assert (vault.root / "agents/bot/archive/patterns.yaml").exists()
    assert (vault.root / "notes/patterns.yaml").read_text() == PATTERNS
    assert (vault.root / "archive/patterns.yaml").read_text() == PATTERNS
    assert expired(vault) == []
