"""Collect the checks of all packages, which `mem doctor` and the page show. Each package defines its own."""

from __future__ import annotations

from memcli import contributions, late
from memcli.vault import health
from memcli.vault.check import Check, checks_of
from memcli.vault.vault import Vault

_EXTRAS = ("memcli.index.status", "memcli.llm")


def checks(vault: Vault) -> list[Check]:
    """Return all checks."""
    found = [*health.checks(vault)]
    for module in _EXTRAS:
        found += checks_of(module.split(".")[1], late(f"{module}:checks"), vault)
    return [*found, *contributions.checks(vault)]
