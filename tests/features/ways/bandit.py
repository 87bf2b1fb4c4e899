"""How much choosing among ways costs until the best one is known: regret over 1,000 tasks, in a world that stays and in
worlds that change. What is simulated is `memcli.features.ways.evidence` itself, beside simpler rules.

    python tests/features/ways/bandit.py
    python tests/features/ways/bandit.py --worlds 500 --fades 1,0.99,0.98,0.95

Regret is what always taking the way that is best at that moment would have brought more, in tasks that went well.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Sequence
from statistics import mean, stdev

from memcli.features.ways.evidence import FADES, TryEvidence, index_to_take

TASKS = 1000
Choose = Callable[[list[TryEvidence], random.Random, int], int]
World = list[list[float]]  # for each task the rate of each way


def stays(chance: random.Random, ways: int, tasks: int) -> World:
    """Rates that do not change, anywhere from 0.3 to 0.98."""
    return [[chance.uniform(0.3, 0.98) for _ in range(ways)]] * tasks


def turns(chance: random.Random, ways: int, tasks: int) -> World:
    """After half of the tasks all rates are others: a new tool, another team."""
    first, second = (stays(chance, ways, 1)[0] for _ in range(2))
    return [first] * (tasks // 2) + [second] * (tasks - tasks // 2)


def breaks(chance: random.Random, ways: int, tasks: int) -> World:
    """After half of the tasks the best way goes wrong mostly, and the others stay as they are."""
    first = stays(chance, ways, 1)[0]
    second = [0.2 if rate == max(first) else rate for rate in first]
    return [first] * (tasks // 2) + [second] * (tasks - tasks // 2)


def drifts(chance: random.Random, ways: int, tasks: int) -> World:
    """Every rate wanders a little with each task."""
    rates, world = stays(chance, ways, 1)[0], []
    for _ in range(tasks):
        rates = [min(0.98, max(0.05, rate + chance.gauss(0, 0.01))) for rate in rates]
        world.append(rates)
    return world


def first_always(known: list[TryEvidence], chance: random.Random, at: int) -> int:
    return 0


def greedy(known: list[TryEvidence], chance: random.Random, at: int) -> int:
    return max(range(len(known)), key=lambda way: known[way].rate if known[way].tries else 1.0)


def thompson(known: list[TryEvidence], chance: random.Random, at: int) -> int:
    draws = [chance.betavariate(1 + each.good, 1 + each.bad) for each in known]
    return draws.index(max(draws))


def ucb(known: list[TryEvidence], chance: random.Random, at: int) -> int:
    total = sum(each.tries for each in known)
    if total <= 1:
        return at % len(known)
    reach = [each.rate + math.sqrt(2 * math.log(total) / each.tries) if each.tries else math.inf for each in known]
    return reach.index(max(reach))


def as_offered(known: list[TryEvidence], chance: random.Random, at: int) -> int:
    """What mem offers: the surest of the proven ways, else Thompson's."""
    return index_to_take(known, str(chance.random()))


def regret(world: World, choose: Choose, fades: float, seed: int) -> float:
    chance = random.Random(seed)
    known = [TryEvidence() for _ in world[0]]
    lost = 0.0
    for at, rates in enumerate(world):
        way = choose(known, chance, at)
        lost += max(rates) - rates[way]
        known = [each.faded(fades=fades) for each in known] if fades < 1 else known
        known[way] = known[way].with_try(chance.random() < rates[way])
    return lost


def best_at_first(world: World) -> float:
    """Always the way that was best when it began: what somebody does who has learnt once."""
    way = world[0].index(max(world[0]))
    return sum(max(rates) - rates[way] for rates in world)


def measured(worlds: int, fades: Sequence[float], ways: int, tasks: int = TASKS) -> dict[str, dict[str, list[float]]]:
    """Regrets by rule and by kind of world."""
    rules: dict[str, tuple[Choose, float]] = {
        "always the first": (first_always, 1.0),
        "the best rate so far": (greedy, 1.0),
        "UCB1": (ucb, 1.0),
        **{f"UCB, a try fades by {fade:g}": (ucb, fade) for fade in fades if fade < 1},
        **{f"Thompson{f', a try fades by {fade:g}' * (fade < 1)}": (thompson, fade) for fade in fades},
        **{f"as offered{f', a try fades by {fade:g}' * (fade < 1)}": (as_offered, fade) for fade in fades},
    }
    found: dict[str, dict[str, list[float]]] = {name: {} for name in (*rules, "always the best of the beginning")}
    for make in (stays, turns, breaks, drifts):
        made = [make(random.Random(f"{make.__name__} {number}"), ways, tasks) for number in range(worlds)]
        for name, (choose, fade) in rules.items():
            found[name][make.__name__] = [regret(world, choose, fade, number) for number, world in enumerate(made)]
        found["always the best of the beginning"][make.__name__] = [best_at_first(world) for world in made]
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--worlds", type=int, default=200)
    options.add_argument("--ways", type=int, default=4)
    options.add_argument("--fades", default=f"1,{FADES:g},0.98,0.95")
    given = options.parse_args()
    found = measured(given.worlds, [float(each) for each in given.fades.split(",")], given.ways)
    kinds = list(next(iter(found.values())))
    print("| rule | " + " | ".join(kinds) + " |\n| --- |" + " --- |" * len(kinds))
    for name, by_kind in found.items():
        cells = [f"{mean(by_kind[kind]):.0f} ± {stdev(by_kind[kind]):.0f}" for kind in kinds]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
