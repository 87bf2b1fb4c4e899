"""How many tries are enough, what fades, and what choosing costs."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from memcli.features.ways import evidence
from memcli.features.ways.evidence import TryEvidence, index_to_take
from memcli.features.ways.offer import evidence_of
from memcli.features.ways.patterns import Try, Way
from tests.features.ways import bandit


def enough(failures: int = 0, fades: float = evidence.FADES) -> int:
    """How many tries in a row make a way proven, with so many failures at the beginning."""
    found = TryEvidence()
    for number in range(1, 1000):
        found = found.faded(fades=fades).with_try(number > failures)
        if found.proven:
            return number
    return 0


def test_the_bound_is_wilsons() -> None:
    # 45 of 50 at z = 1.2816: (0.9 + 0.016425 - 1.2816 * sqrt(0.0018 + 0.00016425)) / 1.03285, by hand
    assert TryEvidence(45, 5).bound == pytest.approx(0.8323, abs=1e-3)
    assert TryEvidence().bound == 0.0
    assert TryEvidence(10, 0).bound == pytest.approx(10 / (10 + evidence.SURE**2))


def test_a_way_is_proven_after_sixteen_tries_without_a_failure() -> None:
    assert (enough(), enough(1), enough(2)) == (16, 32, 46)
    assert enough(fades=1) == 15
    assert not TryEvidence(9, 1).proven and TryEvidence(9, 1).rate == 0.9


def test_three_of_three_prove_nothing() -> None:
    assert not TryEvidence(3, 0).proven


def test_a_proven_way_is_taken_and_of_unproven_ones_the_better_comes_up_oftener() -> None:
    assert index_to_take([TryEvidence(5, 0), TryEvidence(40, 0), TryEvidence(90, 3)], "any seed") == 1
    drawn = [index_to_take([TryEvidence(6, 2), TryEvidence(2, 6)], f"seed {number}") for number in range(200)]
    assert 20 > sum(drawn) > 0


def test_the_same_seed_chooses_the_same() -> None:
    ways = [TryEvidence(1, 1), TryEvidence(), TryEvidence(2, 2)]
    assert len({index_to_take(ways, "2026-11-21 7 abc") for _ in range(20)}) == 1


def test_a_try_fades_with_each_later_one_of_any_way_to_the_goal() -> None:
    old = Way("a", ("x",), tries=(Try("2026-01-01", True),))
    new = Way("a", ("y",), tries=tuple(Try(f"2026-02-{day:02}", False) for day in range(1, 11)))
    first, second = evidence_of([old, new])
    assert first.good == pytest.approx(evidence.FADES**10)
    assert second.bad == pytest.approx(sum(evidence.FADES**n for n in range(10)))


def test_what_is_only_counted_counts_as_before_all_that_is_told() -> None:
    (known,) = evidence_of([Way("a", ("x",), before=4, good_before=3.8, tries=(Try("2026-01-01", True),))])
    assert known.good == pytest.approx(3.8 * evidence.FADES + 1)


def test_choosing_loses_less_than_any_simple_habit_and_recovers_when_the_world_changes() -> None:
    worlds = 12
    for make in (bandit.stays, bandit.breaks):
        made = [make(random.Random(f"test {number}"), 3, 400) for number in range(worlds)]

        def lost(choose: bandit.Choose, fades: float, made: list[bandit.World] = made) -> float:
            return mean(bandit.regret(world, choose, fades, number) for number, world in enumerate(made))

        offered = lost(bandit.as_offered, evidence.FADES)
        assert offered < lost(bandit.first_always, 1.0)
        assert offered < lost(bandit.ucb, evidence.FADES)
        if make is bandit.breaks:
            assert offered < mean(bandit.best_at_first(world) for world in made)
            assert offered < lost(bandit.as_offered, 1.0)
