"""What a foreign source says becomes evidence only when it is clean and small."""

from __future__ import annotations

from memcli.evidence import LONGEST, clean_evidence


def test_what_a_source_says_is_cleaned_and_cut() -> None:
    found = clean_evidence(
        "wiki", {"text": "a\x1b[31mb\x00" + "c" * 50_000, "title": "T\nwo", "place": "http://x/\u202ey", "number": "7"}
    )
    assert found and found.text.startswith("abc") and len(found.text) == LONGEST
    assert (found.title, found.place, found.number) == ("T wo", "http://x/y", 0)


def test_a_source_that_says_nonsense_breaks_nothing() -> None:
    for said in ({}, {"text": None}, {"text": " \n"}, {"text": []}):
        assert clean_evidence("wiki", said) is None
    found = clean_evidence(
        "wiki", {"text": 7, "score": float("nan"), "date": "soon", "meta": [1], "doc": None, "number": {}}
    )
    assert found and (found.text, found.score, found.date, found.meta, found.doc) == ("7", 0.0, "", {}, "")


def test_the_same_passage_has_the_same_id_whoever_finds_it() -> None:
    one, other = (
        clean_evidence("a", {"text": "tea", "place": "x"}),
        clean_evidence("b", {"text": " tea ", "place": "x", "score": 3}),
    )
    assert one and other and one.id == other.id


def test_a_date_is_the_day_of_it() -> None:
    found = clean_evidence("a", {"text": "tea", "date": "2026-11-02T10:00:00Z"})
    assert found and found.date == "2026-11-02"
