"""Register the feature `agents`."""

from __future__ import annotations

from memcli.extend import Command, Feature

FEATURE = Feature(
    "agents",
    "Manages what agents remember for themselves.",
    commands=(
        Command(
            "agent", "agents", "Show what agents remember for themselves, and hand it on.", "memcli.features.agents.cli"
        ),
    ),
)
