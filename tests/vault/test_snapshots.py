"""How long a snapshot holds, and which of them a question gets."""

from __future__ import annotations

from datetime import date

from memcli.vault import entries, snapshots
from tests.rows import check_rows


@check_rows(
    ("path", "front", "last"),
    [
        ("snapshots/2026-11-01-0900-a.md", "expires: 2026-11-20", "2026-11-20"),
        ("snapshots/2026-11-01-0900-a.md", "expires: 2026-11-20T09:00:00", "2026-11-20"),
        ("snapshots/2026-11-01-0900-a.md", "created: 2026-11-03T09:00:00", "2026-11-10"),
        ("snapshots/2026-11-01-0900-a.md", "expires: soon", "2026-11-08"),
        ("agents/bot/snapshots/2026-11-01-0900-a.md", "session: s", "2026-11-08"),
        ("snapshots/undated.md", "session: s", ""),
        ("notes/2026-11-01.md", "created: 2026-11-01", ""),
        ("notes/2026-11-01.md", "expires: 2026-11-20", "2026-11-20"),
    ],
)
def test_it_holds_until_the_end_of_its_last_day(path: str, front: str, last: str) -> None:
    document = entries.parse_document(path, f"---\n{front}\n---\ntext\n")
    over = snapshots.ends(document)
    assert (over.date().isoformat() if over else "") == last
    assert snapshots.expired(document, date(2026, 11, 21)) is bool(last)
    assert not snapshots.expired(document, date.fromisoformat(last or "2026-11-21"))


def test_two_of_the_ten_likest_of_which_time_leaves_most() -> None:
    left = {path: at / 10 for at, path in enumerate("abcdefghij")} | {"k": 9.0}
    assert snapshots.best("", iter("abcdefghijk"), left.__getitem__, str) == ["j", "i"]
    assert snapshots.best("", iter("a"), left.__getitem__, str) == ["a"]


def test_what_is_named_in_both_goes_before_what_is_only_like_it() -> None:
    texts = {"a": "A flat in Porto for 900 euros", "b": "A flat in Lisbon for 900 euros", "c": "A house"}
    left = {"a": 0.8, "b": 0.7, "c": 0.6}
    assert snapshots.best("the flat in Lisbon", iter("abc"), left.__getitem__, texts.__getitem__) == ["b", "a"]
    assert snapshots.best("the flat", iter("abc"), left.__getitem__, texts.__getitem__) == ["a", "b"]
