"""Register the feature `install`."""

from __future__ import annotations

from memcli.extend import Command, Feature, late

_CLI = "memcli.features.install.cli"


FEATURE = Feature(
    "install",
    "Connects coding agents with mem.",
    commands=(
        Command("install", "agents", "Connect your coding agent with mem.", _CLI, before="hook"),
        Command("uninstall", "agents", "Take that back.", _CLI, before="hook"),
    ),
    checks=late("memcli.features.install.check:checks"),
)
