"""Register the feature `chat`."""

from __future__ import annotations

from memcli.extend import Command, Feature

FEATURE = Feature(
    "chat",
    "Talks with the language model, which gets what mem knows.",
    commands=(
        Command(
            "chat", "talks and prompts", "Talk with the language model, which gets what mem knows.",
            "memcli.features.chat.cli", before="session",
        ),
    ),
)  # fmt: skip
