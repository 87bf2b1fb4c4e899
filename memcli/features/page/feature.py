"""Register the feature `page`."""

from __future__ import annotations

from memcli.extend import Command, Feature

FEATURE = Feature(
    "page",
    "Shows your memory in the browser.",
    commands=(
        Command("ui", "your data", "Look at your memory in the browser.", "memcli.features.page.cli", after="open"),
    ),
)
