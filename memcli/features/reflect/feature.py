"""Register the feature `reflect`."""

from __future__ import annotations

from memcli.extend import Command, Feature

FEATURE = Feature(
    "reflect",
    "Looks back on a week or a project in ten lines.",
    commands=(
        Command(
            "reflect", "upkeep", "Look back on a week or a project in ten lines.", "memcli.features.reflect.cli",
            after="review",
        ),
    ),
)  # fmt: skip
