"""The features that the weights are fitted on: documented, and of the version that the weights carry."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.features.learn import likelihood, schema
from memcli.features.learn.language import FOLDER
from memcli.features.learn.parts import Segment, SentenceContext, features


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_weights_carry_the_version_of_their_features(language: str) -> None:
    lines = (FOLDER / language / "learn_weights.txt").read_text(encoding="utf-8").split("\n")
    assert schema.HEAD in lines[: likelihood.HEAD_LINES]


def test_weights_of_other_features_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en/learn_weights.txt").write_text("# schema: 0\n=\tF12\n", encoding="utf-8")
    monkeypatch.setattr(likelihood, "FOLDER", tmp_path)
    likelihood.weights.cache_clear()
    with pytest.raises(ValueError, match="version 1"):
        likelihood.weights("en")
    likelihood.weights.cache_clear()


def test_a_part_has_the_features_that_the_schema_names() -> None:
    """Whoever changes this list counts the version up and fits the weights anew."""
    found = [Segment("I collect", 0), Segment(", rarely, stamps", 0)]
    around = SentenceContext("Hello there.", "Do you collect?", "Bye!")
    first, _ = features(found, [["a sign"]], around, "en")
    assert [each for each in first if "~" not in each] == [
        "=", "i", "collect", "^ i", "i collect", "collect $", "<^", ">,", ">rarely", ">stamps",
        *[each for each in first if each in ("<<hello", "<<there", "<<.")],
        "<< ends .", *[each for each in first if each in ("?do", "?you", "?collect", "??")], "? ends ?",
        "s:i", "s:i collect", ">>bye", ">>!", ">> ends !", "=a sign",
        "|", "|", "|at a piece", "|i", "| i", "|i collect", "| i collect", "|^ i", "|behind ^", "|behind ^",
        "|long 2", "|behind long 1",
    ]  # fmt: skip
