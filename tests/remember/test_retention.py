"""`tidy`: what has had its time is shown, archived, and comes back with undo."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from memcli.remember import expired, prefer, tidy
from memcli.vault import history, preferences, yaml_read
from memcli.vault.vault import Vault
from tests.conftest import NOW, git, opened

PREFERENCES = """\
# mine
- key: drink
  value: tea   # always
- key: tone
  value: terse
  scope: session
  updated: {at}
# below
- key: road
  value: no motorway
  scope: session:s-9
  created: 2026-11-01
"""


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def snapshot(root: Path, name: str, front: str, space: str = "") -> str:
    path = f"{space}snapshots/{name}.md"
    put(root, path, f"---\n{front}\n---\nwanted tea\n")
    return path


def talk(root: Path, name: str, *times: str) -> str:
    put(root, f"sessions/{name}.jsonl", "".join(json.dumps({"role": "user", "at": at}) + "\n" for at in times))
    return f"sessions/{name}.jsonl"


def whats(vault: Vault) -> list[str]:
    return [each.what for each in expired(vault)]


@pytest.mark.parametrize(
    ("name", "front", "over"),
    [
        ("a", "expires: 2026-11-20T21:40:00+08:00", True),
        ("a", "expires: 2026-11-21T08:00:00", False),  # until the end of its day, as recall has it
        ("a", "expires: 2026-11-21", False),
        ("a", "created: 2026-11-14T14:29:00", True),
        ("a", "created: 2026-11-14T14:31:00", False),
        ("a", "created: 2026-11-01\nexpires: 2026-12-01", False),
        ("2026-11-13-0900", "session: s", True),
        ("2026-11-15-0900", "session: s", False),
        ("undated", "session: s", False),
        ("a", "expires: soon", False),
    ],
)
def test_a_snapshot_has_seven_days_or_what_it_says(vault: Vault, name: str, front: str, over: bool) -> None:
    path = snapshot(vault.root, name, front)
    assert whats(vault) == [path] * over


def test_a_talk_has_thirty_days_after_its_last_message(vault: Vault) -> None:
    talk(vault.root, "new", "2026-01-01T10:00:00", "2026-10-23T10:00:00")
    talk(vault.root, "done", "2026-10-01T10:00:00", "2026-10-22T14:00:00")
    put(vault.root, "sessions/silent.jsonl", "torn {\n")
    long_ago = (NOW - timedelta(days=40)).timestamp()
    os.utime(vault.root / "sessions/silent.jsonl", (long_ago, long_ago))
    assert whats(vault) == ["sessions/done.jsonl", "sessions/silent.jsonl"]


def test_preferences_of_a_session_have_a_day(vault: Vault) -> None:
    put(vault.root, "preferences.yaml", PREFERENCES.format(at="2026-11-20T14:29:00"))
    assert whats(vault) == ["tone", "road"]
    put(vault.root, "preferences.yaml", PREFERENCES.format(at="2026-11-20T14:31:00"))
    assert whats(vault) == ["road"]


@pytest.mark.parametrize(("hours", "minutes", "gone"), [(23, 59, False), (24, 0, False), (24, 1, True)])
def test_a_preference_of_a_session_lasts_24_hours_from_its_minute(
    vault: Vault, hours: int, minutes: int, gone: bool
) -> None:
    prefer(vault, "tone", "terse", scope="session:c7f2")
    prefer(vault, "drink", "tea")
    then = opened(vault.root, NOW + timedelta(hours=hours, minutes=minutes))
    assert whats(then) == ["tone"] * gone
    assert len(preferences.drop_expired(preferences.read_preferences(then), then.now)) == 2 - gone


def test_what_is_kept_keeps_its_bytes_and_what_goes_is_in_the_archive(vault: Vault) -> None:
    put(vault.root, "preferences.yaml", PREFERENCES.format(at="2026-11-01"))
    put(vault.root, "archive/preferences.yaml", "# cold\n- key: older\n")
    tidy(vault, expired(vault))
    assert (vault.root / "preferences.yaml").read_text() == "# mine\n- key: drink\n  value: tea   # always\n# below\n"
    cold = (vault.root / "archive/preferences.yaml").read_text()
    assert cold.startswith("# cold\n- key: older\n")
    assert [each["key"] for each in yaml_read.load(cold, "")] == ["older", "tone", "road"]
    assert expired(vault) == []


def test_all_of_it_is_one_write_that_undo_takes_back(repository: Path) -> None:
    vault = opened(repository)
    (repository / ".gitignore").write_text(".mem/\nsessions/\n", encoding="utf-8")
    put(repository, "preferences.yaml", PREFERENCES.format(at="2026-11-01"))
    paths = [snapshot(repository, "a", "expires: 2026-11-01"), snapshot(repository, "b", "expires: 2026-11-02")]
    paths.append(talk(repository, "done", "2026-10-01T10:00:00"))
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "-m", "before")
    before = {path: (repository / path).read_text() for path in [*paths, "preferences.yaml"]}
    done = tidy(vault, expired(vault))
    assert done.commit
    assert not any((repository / path).exists() for path in paths)
    assert (repository / "archive/snapshots/a.md").exists()
    assert (repository / "sessions/archive/done.jsonl").exists()
    assert git(repository, "status", "--porcelain") == ""
    assert "sessions" not in git(repository, "ls-files")
    assert history.undo(vault)[0] == "tidy"
    assert {path: (repository / path).read_text() for path in before} == before
    assert len(expired(vault)) == 5


def test_agents_keep_their_own_archives_and_names_do_not_collide(vault: Vault) -> None:
    snapshot(vault.root, "a", "expires: 2026-11-01")
    snapshot(vault.root, "a", "expires: 2026-11-01", "agents/bot/")
    put(vault.root, "archive/snapshots/a.md", "another")
    put(vault.root, "agents/bot/preferences.yaml", PREFERENCES.format(at="2026-11-01"))
    tidy(vault, expired(vault))
    assert (vault.root / "archive/snapshots/a.md").read_text() == "another"
    assert (vault.root / "archive/snapshots/a-2.md").exists()
    assert (vault.root / "agents/bot/archive/snapshots/a.md").exists()
    assert (vault.root / "agents/bot/archive/preferences.yaml").exists()
    assert expired(vault) == []


def test_other_files_of_that_name_archives_and_broken_files_are_left_alone(vault: Vault) -> None:
    put(vault.root, "notes/preferences.yaml", PREFERENCES.format(at="2026-11-01"))
    put(vault.root, "archive/preferences.yaml", PREFERENCES.format(at="2026-11-01"))
    put(vault.root, "sessions/archive/done.jsonl", json.dumps({"at": "2026-01-01T00:00:00"}))
    put(vault.root, "preferences.yaml", "- key: [\n")
    snapshot(vault.root, "a", "expires: 2026-11-01")
    assert whats(vault) == ["snapshots/a.md"]
    assert vault.notices[0].startswith("preferences.yaml:")


def test_a_record_changed_meanwhile_stays(vault: Vault) -> None:
    put(vault.root, "preferences.yaml", PREFERENCES.format(at="2026-11-01"))
    things = expired(vault)
    put(vault.root, "preferences.yaml", PREFERENCES.format(at="2026-11-21"))
    tidy(vault, things)
    assert "tone" in (vault.root / "preferences.yaml").read_text()
    assert "road" not in (vault.root / "preferences.yaml").read_text()
