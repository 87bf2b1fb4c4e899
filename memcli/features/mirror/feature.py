"""Register the feature `mirror`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memcli.extend import Command, Feature

if TYPE_CHECKING:
    from memcli.extend import Vault


def _refresh(vault: Vault, folder: str) -> None:
    from memcli.features.mirror import mirrors

    if mirrors.mirrors_of(vault):  # few vaults have a mirror
        from memcli.features.mirror.mirror import update_all

        update_all(vault, folder)


FEATURE = Feature(
    "mirror",
    "Keeps a section of the files that agents read in line with what holds.",
    commands=(
        Command(
            "mirror", "in and out", "Keep a section of CLAUDE.md or the like in line with what holds.",
            "memcli.features.mirror.cli",
        ),
    ),
    refresh=_refresh,
)  # fmt: skip
