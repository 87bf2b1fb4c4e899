"""Register the feature `evaluation`."""

from __future__ import annotations

from memcli.extend import Command, Feature

FEATURE = Feature(
    "evaluation",
    "Measures recall on your own questions.",
    commands=(
        Command("eval", "upkeep", "Measure recall on your own questions.", "memcli.features.evaluation.cli"),
    ),
)  # fmt: skip
