"""What `mem stats` tells is what happened, and what it counts stays on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from memcli.errors import Refused
from memcli.features.stats.counts import count_all
from memcli.recall import Request, recall
from memcli.remember import Atom, Memory, add, cite, proposals
from memcli.vault import journal
from memcli.vault.vault import Vault
from tests.conftest import NOW, Ran, git, opened
from tests.features import import_feature

Mem = Callable[..., Ran]


@pytest.fixture
def used(vault: Vault) -> Vault:
    """A vault in which something was kept, so that it has a `.mem/`."""
    add(vault, Memory("The spare key lies under the third flowerpot"))
    return vault


def test_memories_are_told_by_day_kind_age_and_source(vault: Vault) -> None:
    for days, type, source in ((0, "fact", ""), (3, "decision", "coder"), (40, "", "coder"), (400, "", "")):
        at = NOW - timedelta(days=days)
        add(
            vault,
            Memory(
                f"Note {days} about harbour number {days}", type=type, source=source, at=at, to=f"logs/{at:%Y-%m-%d}.md"
            ),
        )
    (vault.root / "MEMORY.md").write_text("- The dog is called Rex\n", encoding="utf-8")
    found = count_all(vault)
    assert found.memories == 5
    assert found.days == {str(date(2026, 11, 21) - timedelta(days=days)): 1 for days in (400, 40, 3, 0)}
    assert found.ages == {"week": 2, "month": 0, "quarter": 1, "year": 0, "older": 1, "undated": 1}
    assert found.sources == {"you": 3, "coder": 2}
    assert found.kinds == {"fact": 1, "decision": 1, "log": 2, "memory": 1}


def test_memories_of_one_import_count_as_one_source(vault: Vault) -> None:
    lines = [f"- Tea {n} is green [source:: csv:notes.csv/4c114363da7{n}]\n" for n in range(3)]
    (vault.root / "MEMORY.md").write_text("".join(lines), encoding="utf-8")
    assert count_all(vault).sources == {"csv": 3}


def test_each_recall_is_counted_with_its_time_and_its_tokens(used: Vault) -> None:
    for _ in range(3):
        block = recall(used, Request("where is the spare key", budget=500))
    recall(used, Request("zzz"))
    found = count_all(used)
    cold = found.latency["cold"]
    assert cold.number == 4 and cold.p50 and cold.p95 and 0 < cold.p50 <= cold.p95
    assert found.latency["watched"].number == 0 and found.latency["watched"].p95 is None
    assert (found.blocks.number, found.blocks.matched) == (4, 3)
    assert found.blocks.tokens == block.tokens
    assert found.blocks.saved == found.blocks.budget - found.blocks.used > 0
    assert found.since == "2026-11-21"


def test_half_and_nearly_all_of_the_times_are_below_the_numbers_told(used: Vault) -> None:
    for milliseconds in range(1, 101):
        journal.count(used, "recall", "watched", f"{milliseconds}.0", 10, 100, 1, "")
    watched = count_all(used).latency["watched"]
    assert (watched.number, watched.p50, watched.p95) == (100, 50.0, 95.0)


def test_a_memory_counts_as_cited_when_it_was_shown_before(used: Vault) -> None:
    place = recall(used, Request("spare key")).chosen[0].scored.entry.place
    assert (count_all(used).cited.shown, count_all(used).cited.cited) == (1, 0)
    cite(used, f"It is under the flowerpot ({place})")
    cite(used, f"As I said: {place}")
    found = count_all(used).cited
    assert (found.shown, found.cited, found.citations) == (1, 1, 2)


def test_what_was_cited_without_being_shown_is_not_what_recall_brought(used: Vault) -> None:
    cite(used, "logs/2026-11-21.md:2 logs/2026-11-21.md:3")
    found = count_all(used).cited
    assert (found.shown, found.cited) == (0, 0) and found.citations == 1


def test_a_hook_is_counted_when_it_adds_something(used: Vault) -> None:
    hook = import_feature("memcli.features.hook.handler")
    ask = lambda said: hook.handle(used, "prompt", hook.Payload(prompt=said, session="s"), "claude")  # noqa: E731
    assert ask("where did I put the spare key of the flowerpot?")
    before = count_all(used).latency["hook"].number
    ask("ok")
    assert before == count_all(used).latency["hook"].number == 1


def test_what_the_gates_refuse_is_counted_by_gate_and_never_with_its_words(used: Vault) -> None:
    for text in ("ok", "my password is hunter2-Sommer"):
        with pytest.raises(Refused):
            add(used, Memory(text))
    with pytest.raises(Refused):
        add(used, Memory("my password is hunter2-Sommer"), dry_run=True)
    assert count_all(used).refused == {"worth": 1, "sensitive": 1}
    assert "hunter2" not in (used.cache / "counts").read_text(encoding="utf-8")


def test_proposals_are_counted_by_what_was_said_to_them(used: Vault) -> None:
    city, allergy = Atom("fact", "The user lives in Suzhou"), Atom("fact", "The user is allergic to peanuts")
    proposals.keep(used, city, confirmed=True)
    proposals.count_decline(used, allergy)
    proposals.keep(used, city, confirmed=True)  # known by now
    assert count_all(used).proposals == {"accepted": 1, "declined": 1, "unasked": 0}


def test_nudges_are_told_by_kind_and_by_what_was_said_to_them(used: Vault) -> None:
    for record in (
        {"kind": "birthday", "event": "brought"},
        {"kind": "birthday", "event": "taken"},
        {"key": "q", "event": "asked"},
    ):
        journal.append(used.root, "nudges", {"at": "2026-11-20T10:00:00", **record})
    assert count_all(used).nudges == {"birthday": {"brought": 1, "taken": 1}, "question": {"asked": 1}}
    assert count_all(used, date(2026, 11, 21)).nudges == {}


def test_rates_stand_beside_what_was_promised(mem: Mem, used: Vault) -> None:
    mem("recall", "tea")
    for event in ("accepted", "accepted", "declined"):
        record = {"at": "2026-11-21T10:00:00", "session": "s", "id": event, "kind": "task", "event": event}
        journal.append(used.root, "nudges", record)
    goals = count_all(used).goals
    assert [(rate.number, rate.of, rate.goal) for rate in goals.values()][-1] == (2, 3, 0.6)
    told = mem("stats").out
    assert "67% of 3 (goal: over 60%)" in told and "(goal: over 80%)" in told
    assert "（目标：超过 60%）" in mem("stats", LC_ALL="zh_CN.UTF-8").out


def test_from_a_day_on_only_what_was_used_since_is_told(used: Vault) -> None:
    recall(opened(used.root, NOW - timedelta(days=3)), Request("spare key"))
    recall(used, Request("spare key"))
    assert count_all(used).blocks.number == 2
    assert count_all(used, NOW.date()).blocks.number == 1


def test_nothing_is_counted_when_it_is_switched_off(used: Vault) -> None:
    recall(opened(used.root, stats__count=False), Request("spare key"))
    assert count_all(used).blocks.number == 0 and not (used.cache / "counts").exists()


def test_a_folder_without_a_cache_gets_none_by_being_asked(folder: Path) -> None:
    (folder / "note.md").write_text("- The dog is called Rex\n", encoding="utf-8")
    recall(opened(folder), Request("dog"))
    assert [path.name for path in folder.iterdir()] == ["note.md"]


def test_what_is_counted_is_no_news_to_git(repository: Path) -> None:
    (repository / ".gitignore").unlink()
    git(repository, "commit", "--quiet", "--all", "-m", "nothing is ignored by the vault's own file")
    add(opened(repository), Memory("The spare key lies under the third flowerpot"))
    before = git(repository, "status", "--porcelain", "--untracked-files=all")
    recall(opened(repository), Request("spare key"))
    assert (repository / ".mem" / "counts").exists()
    assert git(repository, "status", "--porcelain", "--untracked-files=all") == before


def test_what_is_counted_is_bounded_and_the_latest_stays(used: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MOST_COUNTED", 2000)
    for number in range(400):
        journal.count(used, "recall", "cold", number, 10, 100, 1, "")
    kept = sum(path.stat().st_size for path in used.cache.glob("counts*"))
    assert kept < 4200
    assert count_all(used).latency["cold"].p95 in range(370, 400)


@pytest.mark.parametrize("trap", ["folder", "link", "dangling", "torn", "binary"])
def test_no_state_of_the_counts_hurts_a_recall_or_the_numbers(used: Vault, tmp_path: Path, trap: str) -> None:
    file = used.cache / "counts"
    outside = tmp_path / "outside"
    if trap == "folder":
        file.mkdir()
    elif trap in ("link", "dangling"):
        if trap == "link":
            outside.write_text("mine\n", encoding="utf-8")
        file.symlink_to(outside)
    else:
        file.write_bytes(
            b"recall 2026\nrecall 2026-11-21T10:00 cold x 1 2 3 4\nrecall" if trap == "torn" else bytes(range(256))
        )
    assert "flowerpot" in recall(used, Request("spare key")).text
    assert (outside.read_text(encoding="utf-8") == "mine\n") if trap == "link" else not outside.exists()
    if trap in ("torn", "binary"):
        assert count_all(used).memories == 1


def test_the_command_shows_a_calendar_and_json_holds_it_all(mem: Mem, folder: Path) -> None:
    mem("add", "The spare key lies under the third flowerpot")
    mem("recall", "spare key")
    shown = mem("stats").out.splitlines()
    assert shown[0].endswith("Nov") and shown[6].endswith("█")  # a Saturday
    assert "·█" in shown[6] and "█" not in shown[1]
    told = json.loads(mem("stats", "--json").out)
    assert told["schema"] == 1 and told["days"] == {"2026-11-21": 1} and told["latency"]["cold"]["number"] == 1
    assert "not counted" in mem("stats", MEM_STATS_COUNT="false").out


def test_what_a_vault_says_of_itself_cannot_act_on_the_terminal(mem: Mem, folder: Path) -> None:
    (folder / "note.md").write_text("- Tea [source:: \x1b[31mred] is here\n", encoding="utf-8")
    assert "\x1b" not in mem("stats").out
