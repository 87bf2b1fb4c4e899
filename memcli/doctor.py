"""Collect the checks of all packages, which `mem doctor` and the page show. Each package defines its own."""

from __future__ import annotations

from importlib import import_module

from memcli import contributions, extras
from memcli.errors import MissingPart
from memcli.vault import file_checks, health
from memcli.vault.check import NOTE, Check
from memcli.vault.vault import Vault

_EXTRAS = ("memcli.index.status", "memcli.llm")


def checks(vault: Vault) -> list[Check]:
    """Return all checks. An agent gets only those on the memories it sees; the rest is for the owner."""
    if vault.agent:
        return [*file_checks.checks_of_memories(vault)]
    found = [*health.checks(vault)]
    for package in _EXTRAS:
        found += _of_extra(package, vault)
    return [*found, *contributions.checks(vault)]


def _of_extra(module: str, vault: Vault) -> list[Check]:
    """Return the checks of an optional package, or one that says that it is missing."""
    try:
        with extras.wanted():
            return list(import_module(module).checks(vault))
    except MissingPart as error:
        return [Check(module.split(".")[1], NOTE, error.message, error.hint)]
