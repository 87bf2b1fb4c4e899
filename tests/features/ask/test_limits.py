"""How many passages are compared, given by a source and kept for an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.evidence import Evidence
from memcli.features.ask import pipeline, plan, rank, understand
from tests.conftest import NOW, opened
from tests.recall.vaults import lay

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(("place", "moves"), [(29, True), (30, False)])
def test_three_times_as_many_are_compared_as_are_kept(place: int, moves: bool) -> None:
    passages = [
        Evidence("notes", str(n), "", f"a.md:{n}", f"anna drinks her tea in the garden at {n}", score=1.0 - n / 1000)
        for n in range(40)
    ]
    passages[place] = Evidence("notes", "x", "", f"a.md:{place}", "boats sail south", score=passages[place].score)
    assert ([one.text for one in rank.choose(passages, 10, 0.7)][1] == "boats sail south") is moves


def test_a_source_gives_twenty_passages_and_an_answer_has_ten(folder: Path) -> None:
    words = ("apple", "boat", "cedar", "dune", "elm", "fern", "goat", "heron", "iris", "jay", "kelp", "lark")
    lay(folder, {"notes/tea.md": "".join(f"- tea of {a} with {b} and {b}{a}\n" for a in words for b in words[:3])})
    answered = pipeline.ask(opened(folder), pipeline.AskRequest("which tea is there", evidence=True))
    assert len(answered.items) == 10
    (step, _), *_ = plan.plan_steps(opened(folder), understand.by_rules("which tea is there", NOW.date()))
    assert step.most == 20
