"""Register the feature `install`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memcli.extend import Command, Feature

if TYPE_CHECKING:
    from memcli.extend import Check, Vault

_CLI = "memcli.features.install.cli"


def _checks(vault: Vault) -> Iterable[Check]:
    from memcli.features.install.connect import checks

    return checks(vault)


FEATURE = Feature(
    "install",
    "Connects coding agents with mem.",
    commands=(
        Command("install", "agents", "Connect your coding agent with mem.", _CLI, before="hook"),
        Command("uninstall", "agents", "Take that back.", _CLI, before="hook"),
    ),
    checks=_checks,
)
