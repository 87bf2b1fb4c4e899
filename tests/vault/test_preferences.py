"""Which preference counts, and what happens to those held when something new is learnt."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.vault import preferences
from memcli.vault.preferences import FORGOTTEN, STARTS, Preference, PreferenceStep
from tests.conftest import NOW
from tests.rows import check_rows

OLD, NEW = "2026-11-01", "2026-11-21"


def one(value: Any, source: str = "explicit", confidence: float | None = None, **more: str) -> Preference:
    sure = STARTS[source] if confidence is None else confidence
    given = {"key": "drink", "updated": OLD, **more}
    return Preference(value=value, source=source, confidence=sure, **given)  # type: ignore[arg-type]


def new(value: Any, source: str = "explicit", **more: str) -> Preference:
    return one(value, source, **{"updated": NEW, **more})


def after(held: list[Preference], steps: list[PreferenceStep]) -> list[tuple[Any, str, float]]:
    """Value, source and confidence of all that is held once the steps are done."""
    result: list[Preference | None] = list(held)
    for step in steps:
        if step.before is None:
            result.append(step.after)
        else:
            result[held.index(step.before)] = step.after
    return [(each.value, each.source, each.confidence) for each in result if each]


# -- which one counts ------------------------------------------------------------------------------------------------

TIDELINE = "project:tideline"


@check_rows(
    ("held", "scene", "wins", "why"),
    [
        ([one("tea"), one("coffee", "confirmed", 1.0)], "", "tea", "explicit comes before confirmed"),
        ([one("tea", "confirmed"), one("coffee", "inferred", 1.0)], "", "tea", "confirmed comes before inferred"),
        ([one("tea", "explicit", 0.1), one("coffee", "inferred", 1.0)], "", "tea", "explicit comes before inferred"),
        ([one("tea", "inferred", 0.9), one("coffee", "inferred", 0.8)], "", "tea", "0.9 is surer than 0.8"),
        ([one("tea", updated=NEW), one("coffee")], "", "tea", f"{NEW} is later than {OLD}"),
        ([one("tea", scope=TIDELINE), one("coffee")], "tideline", "tea", "project:tideline comes before global"),
        ([one("tea", "inferred", 0.8, scope=TIDELINE), one("coffee")], "tideline", "tea", "project:tideline comes before global"),
        ([one("tea"), one("coffee", scope=TIDELINE)], "", "tea", "only for tideline"),
        ([one("tea"), one("coffee", scope=TIDELINE)], "other", "tea", "only for tideline"),
        ([one("tea"), one("coffee", "inferred")], "", "tea", "not sure enough: 0.6, it takes more than 0.7"),
        ([one("tea", "inferred", 0.71), one("coffee", "confirmed", 0.7)], "", "tea", "not sure enough: 0.7, it takes more than 0.7"),
        ([one("tea", "inferred", 0.8), one("coffee", "confirmed", 0.63)], "", "tea", "not sure enough: 0.63, it takes more than 0.7"),
    ],
)  # fmt: skip
def test_one_counts_and_the_other_is_told_why_not(held: list[Preference], scene: str, wins: str, why: str) -> None:
    for order in (held, held[::-1]):
        assert [each.value for each in preferences.choose_effective(order, scene.__eq__)] == [wins]
        told = preferences.rank_rivals(order, scene.__eq__, NOW)
        assert [(each.value, said) for each, said in told] == [(wins, "counts"), (told[1][0].value, why)]


def test_what_nobody_is_sure_of_does_not_count() -> None:
    assert preferences.choose_effective([one("tea", "inferred")], bool) == []
    assert preferences.rank_rivals([one("tea", "inferred")], bool, NOW)[0][1].startswith("not sure enough")


# -- what something new does to them ---------------------------------------------------------------------------------


@check_rows(
    ("held", "learnt", "then"),
    [
        # nothing held yet
        ([], new("tea"), [("tea", "explicit", 1.0)]),
        ([], new("tea", "confirmed"), [("tea", "confirmed", 0.8)]),
        ([], new("tea", "inferred"), [("tea", "inferred", 0.6)]),
        # a conflicting inference never beats an explicit one
        ([one("tea")], new("coffee", "inferred"), [("tea", "explicit", 1.0)]),
        ([one("tea", "explicit", 0.2)], new("coffee", "inferred"), [("tea", "explicit", 0.2)]),
        ([one("tea")], new("Tea", "inferred"), [("tea", "explicit", 1.0)]),
        # against an inferred or confirmed one: the old × 0.7, the new one added
        ([one("tea", "inferred")], new("coffee", "inferred"), [("tea", "inferred", 0.42), ("coffee", "inferred", 0.6)]),
        ([one("tea", "confirmed", 0.9)], new("coffee", "inferred"), [("tea", "confirmed", 0.63), ("coffee", "inferred", 0.6)]),
        ([one("tea", "inferred", 0.8)], new("coffee", "confirmed"), [("tea", "inferred", 0.56), ("coffee", "confirmed", 0.8)]),
        ([one("tea", "confirmed", 0.9)], new("coffee"), [("tea", "confirmed", 0.63), ("coffee", "explicit", 1.0)]),
        # below 0.1 it goes to the archive
        ([one("tea", "inferred", 0.14)], new("coffee", "inferred"), [("coffee", "inferred", 0.6)]),
        ([one("tea", "inferred", 0.15)], new("coffee", "inferred"), [("tea", "inferred", 0.105), ("coffee", "inferred", 0.6)]),
        # one explicit a key and scope: the new word replaces the old one
        ([one("tea")], new("coffee"), [("coffee", "explicit", 1.0)]),
        ([one("tea")], new("coffee", scope=TIDELINE), [("tea", "explicit", 1.0), ("coffee", "explicit", 1.0)]),
        # seen again: one record a value, never weaker, as strong as the stronger source
        ([one("tea", "inferred", 0.42)], new("TEA ", "inferred"), [("TEA ", "inferred", 0.6)]),
        ([one("tea", "inferred", 0.8)], new("tea", "inferred"), [("tea", "inferred", 0.8)]),
        ([one("tea", "inferred")], new("tea", "confirmed"), [("tea", "confirmed", 0.8)]),
        ([one("tea", "inferred")], new("tea"), [("tea", "explicit", 1.0)]),
        ([one("tea", "confirmed", 0.9)], new("tea", "inferred"), [("tea", "confirmed", 0.9)]),
        # others have nothing to do with it
        ([one("tea", "inferred", key="morning drink")], new("coffee", "inferred"), [("tea", "inferred", 0.6), ("coffee", "inferred", 0.6)]),
        ([one("tea", "inferred", scope=TIDELINE)], new("coffee", "inferred"), [("tea", "inferred", 0.6), ("coffee", "inferred", 0.6)]),
        ([one("tea", "inferred", key="Morning_Drink")], new("coffee", "inferred", key="morning drink"), [("tea", "inferred", 0.42), ("coffee", "inferred", 0.6)]),
    ],
)  # fmt: skip
def test_what_is_held_after_something_was_learnt(
    held: list[Preference], learnt: Preference, then: list[tuple[Any, str, float]]
) -> None:
    steps, why = preferences.learn_preference(held, learnt)
    assert after(held, steps) == then
    assert bool(why) == (not steps)


def test_a_habit_that_changes_takes_over_in_the_end() -> None:
    held = [one("Go", "inferred", 0.8)]
    for _ in range(7):
        steps, _ = preferences.learn_preference(held, new("Python", "inferred"))
        held = [p for p in (*(s.after for s in steps), *(h for h in held if h not in [s.before for s in steps])) if p]
    assert [(each.value, each.confidence) for each in held] == [("Python", 0.6)]


@pytest.mark.parametrize(
    ("target", "accepted", "then"),
    [
        (one("tea", "inferred"), True, 0.8),
        (one("tea", "inferred", 0.9), True, 1.0),
        (one("tea", "confirmed", 0.8), False, 0.4),
        (one("tea", "inferred"), False, 0.2),
        (one("tea", "inferred", 0.5), False, 0.1),
        (one("tea", "inferred", 0.4), False, None),
    ],
)
def test_a_suggestion_taken_or_put_right_moves_the_confidence(
    target: Preference, accepted: bool, then: float | None
) -> None:
    step = preferences.judge_preference(target, accepted, NEW)
    assert (step.after.confidence if step.after else None) == then


kinds = st.builds(
    lambda value, source, confidence, scope: one(value, source, confidence, scope=scope),
    st.sampled_from(["tea", "coffee", "water"]), st.sampled_from(preferences.SOURCES), st.floats(FORGOTTEN, 1),
    st.sampled_from([preferences.GLOBAL, TIDELINE]),
)  # fmt: skip


@given(st.lists(kinds, max_size=5), kinds)
def test_learning_keeps_one_record_a_place_and_spares_what_was_said(held: list[Preference], learnt: Preference) -> None:
    unique = {(p.scope, p.source, "" if p.source == "explicit" else p.value): p for p in held}
    held = list(unique.values())
    steps, _ = preferences.learn_preference(held, learnt)
    touched = [step.before for step in steps if step.before and step.before != step.after]
    assert len(touched) == len(set(map(id, touched)))
    if learnt.source == "inferred":
        assert all(p.source != "explicit" for p in touched)
    assert all(step.after is None or step.before is None or step.after.confidence >= FORGOTTEN for step in steps)
    assert sum(step.before is None for step in steps) <= 1
