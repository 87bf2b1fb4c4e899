"""Register the feature `move`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memcli.extend import Command, Feature

if TYPE_CHECKING:
    from memcli.extend import Vault

_CLI = "memcli.features.move.cli"


def _work(vault: Vault, payload: Mapping[str, Any]) -> None:
    from memcli.features.move import talks

    talks.work(vault, payload)


FEATURE = Feature(
    "move",
    "Brings memories from other tools, and writes them in formats that others read.",
    commands=(
        Command("import", "in and out", "Bring memories, notes and talks from another tool.", _CLI, before="mirror"),
        Command("export", "in and out", "Write memories in a format that others read.", _CLI, before="mirror"),
    ),
    jobs={"talks": _work},
)
