"""Many lists become one: agreement counts, repeats do not, and what belongs together is shown together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.evidence import Evidence
from memcli.features.ask import rank


def passage(id: str, text: str = "", doc: str = "", number: int = 0, score: float = 0.0, trail: str = "") -> Evidence:
    return Evidence(
        "s", id, "T", f"{id}.md:1", text or f"{id} {id}1 {id}2", trail=trail, doc=doc, number=number, score=score
    )


def ids(found: list[Evidence]) -> list[str]:
    return [each.id for each in found]


def test_what_two_lists_agree_on_beats_the_first_of_one() -> None:
    found = rank.fuse([[passage("a"), passage("b")], [passage("c"), passage("b")]])
    assert ids(found) == ["b", "a", "c"]
    assert found[0].score == pytest.approx(2 / 62) and found[1].score == pytest.approx(1 / 61)


def test_who_repeats_himself_has_one_voice() -> None:
    assert ids(rank.fuse([[passage("a")] + [passage("b")] * 9, [passage("a")]])) == ["a", "b"]


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8), max_size=4))
def test_fusing_loses_and_invents_nothing(lists: list[list[str]]) -> None:
    found = ids(rank.fuse([[passage(id) for id in each] for each in lists]))
    assert sorted(found) == sorted({id for each in lists for id in each})


def test_chunks_of_one_document_are_one_piece_of_evidence_in_their_order() -> None:
    shared = "and this long sentence stands at the end of one and at the start of the next. "
    ranked = [
        passage("b", shared + "Then tea.", "d", 4, 0.9, "one"),
        passage("x", "quite another thing altogether", score=0.8),
        passage("a", "Water first, " + shared, "d", 3, 0.7, "one"),
        passage("c", "Far below: milk.", "d", 9, 0.6, "two"),
    ]
    found = rank.choose(ranked, 10, 1.0)
    assert ids(found) == ["b", "x"]
    assert found[0].text == f"Water first, {shared}Then tea.{rank.GAP}Far below: milk."
    assert (found[0].trail, found[0].place) == ("one · two", "a.md:1")


def test_as_many_documents_as_wanted_even_if_one_has_much_to_say() -> None:
    ranked = [passage(f"a{n}", f"word{n} other{n}", "a", n * 2, 1 - n / 100) for n in range(20)]
    ranked += [passage(f"b{n}", f"thing{n}", score=0.1) for n in range(5)]
    assert len(rank.choose(ranked, 3, 0.7)) == 3
    assert rank.choose(ranked, 3, 0.7)[0].text.count(rank.GAP) == rank.TOGETHER - 1


def test_what_says_the_same_gives_way_to_something_new() -> None:
    ranked = [passage("a", "the kettle boils at sea level at a hundred degrees", score=1.0),
              passage("b", "the kettle boils at sea level at a hundred degrees", score=0.99),
              passage("c", "milk comes last", score=0.5)]  # fmt: skip
    assert ids(rank.choose(ranked, 2, 0.7)) == ["a", "c"]
