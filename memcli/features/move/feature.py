"""Register the feature `move`."""

from __future__ import annotations

from memcli.extend import Command, Feature, late

_CLI = "memcli.features.move.cli"


FEATURE = Feature(
    "move",
    "Brings memories from other tools, and writes them in formats that others read.",
    commands=(
        Command("import", "in and out", "Bring memories and conversations from another tool.", _CLI, before="mirror"),
        Command("export", "in and out", "Write memories in a format that others read.", _CLI, before="mirror"),
    ),
    jobs={"talks": late("memcli.features.move.talks:work")},
)
