"""How likely it is that a clause holds a memory as it is proposed.

Named signs of a clause become one likelihood by logistic weights, which stand in `memcli/language/*/learn_weights.txt`.
`tests/bench/learn_weights.py` fits them on talks whose memories are known; they are all there is to tune.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache

from memcli.remember.learn.atoms import SURE
from memcli.remember.learn.clause import Clause
from memcli.remember.learn.language import Rule
from memcli.text.tables import LANGUAGE, written

LEAST = 0.4  # likelihood below which nothing is proposed
KEPT = 0.85  # likelihood from which none was wrong, of talks that the weights had not seen


def signs(clause: Clause, rule: Rule, looks_right: bool) -> Iterator[str]:
    """What speaks for and against a memory of this clause that has the type of `rule`."""
    yield "always"
    yield from clause.signs()
    yield f"as: {rule.type}"
    for kind, value in (("whose", clause.whose), ("mood", clause.mood), ("time", clause.time)):
        yield f"{rule.type} of {kind}: {value or 'unsaid'}"
    for about in clause.about:
        yield f"{rule.type} about {about}"
    for place in clause.place if rule.general else ():
        yield f"says: {clause.predicate}, {place}"
    if not rule.general:
        yield "by a rule"
        yield f"by a rule for: {rule.type}"
        if rule.confidence < SURE:
            yield "by a rule that may be wrong"
    if "said of the work here" in clause.place:
        yield f"{rule.type} of the work here"
    if not looks_right:
        yield "its value may be none"
    if rule.once:
        yield "for once"


def likelihood(language: str, signs: Iterable[str]) -> float | None:
    """By the weights of a language; None where it has none yet."""
    found = weights(language)
    return 1 / (1 + math.exp(-sum(found.get(sign, 0.0) for sign in signs))) if found else None


def confidence(language: str, likely: float) -> float:
    """How sure a memory is of this likelihood: what is not to be kept unasked is less than sure."""
    return likely if likely >= KEPT or not weights(language) else min(likely, SURE - 0.01)


@cache
def weights(language: str) -> dict[str, float]:
    """Each line is a weight and its sign."""
    path = LANGUAGE / language / "learn_weights.txt"
    lines = written(path).splitlines() if path.exists() else []
    pairs = (line.split(maxsplit=1) for line in lines if line and line[0] != "#")
    return {sign: float(weight) for weight, sign in pairs}
