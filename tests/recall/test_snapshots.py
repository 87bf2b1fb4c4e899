"""Snapshots in the block: few, the nearest in time first, and none whose week is over, whatever path finds them."""

from __future__ import annotations

from pathlib import Path

from tests.recall.vaults import ask, lay

FRONT = "---\nsession: s\nexpires: 2027-01-01\n---\n"
STEPS = (
    "Moved the cache to Redis, keys first.",
    "Redis holds the cache now: one hour a page.",
    "Cache warmed, Redis at 40 MB.",
    "Took the old cache away, Redis stays.",
)


def snapshots(days: list[str]) -> dict[str, str]:
    return {f"snapshots/2026-{day}-1000-abcd.md": f"{FRONT}{text}\n" for day, text in zip(days, STEPS, strict=True)}


def found(folder: Path, query: str, **wanted: object) -> list[str]:
    paths = [each.scored.entry.path for each in ask(folder, query, **wanted).chosen]
    return [path[15:20] for path in dict.fromkeys(paths) if path.startswith("snapshots")]


def test_words_find_the_two_latest_of_the_four_that_answer_best(folder: Path) -> None:
    lay(folder, {
        **snapshots(["11-15", "11-10", "09-01", "08-01"]),
        "snapshots/2026-11-16-1000-abcd.md": FRONT + "Fed squirrels; each has a cache.\n",
        "MEMORY.md": "- the cache is Redis\n",
    })  # fmt: skip
    assert sorted(found(folder, "Redis cache")) == ["11-10", "11-15"]
    assert "the cache is Redis" in ask(folder, "Redis cache").text


def test_who_asks_for_snapshots_gets_them_all(folder: Path) -> None:
    lay(folder, snapshots(["11-11", "11-12", "11-13", "11-14"]))
    assert sorted(found(folder, "Redis cache")) == ["11-13", "11-14"]
    assert len(found(folder, "Redis cache", path="snapshots")) == 4


def test_a_snapshot_that_says_no_end_ends_after_a_week(folder: Path) -> None:
    lay(folder, {
        "snapshots/2026-11-13-1000-aaaa.md": "Moved the cache to Redis.\n",
        "snapshots/2026-11-14-1000-bbbb.md": "Moved the cache to Redis.\n",
    })  # fmt: skip
    assert found(folder, "cache") == ["11-14"]
