"""What works and what does not, of all rooms: what `mem doctor` and the page show. Each room knows its own checks."""

from __future__ import annotations

from importlib import import_module

from memcli import brought, extras, hook
from memcli.errors import MissingPart
from memcli.prompt import roles
from memcli.vault import health
from memcli.vault.vault import Vault

_EXTRAS = ("memcli.index.status", "memcli.knowledge.status", "memcli.llm")


def checks(vault: Vault) -> list[health.Check]:
    """All of it; to an agent only what is to be said of the memories it sees, for the rest is its owner's."""
    if vault.agent:
        return [*health.checks_of_memories(vault)]
    found = [*health.checks(vault)]
    for room in _EXTRAS:
        found += _of_extra(room, vault)
    found += roles.checks(vault)
    found += _of_extra("memcli.deep", vault)
    return [*found, *brought.checks(vault), *hook.checks(vault)]


def _of_extra(room: str, vault: Vault) -> list[health.Check]:
    """The lines of an extra, or that it is not there."""
    try:
        with extras.wanted():
            return list(import_module(room).checks(vault))
    except MissingPart as error:
        return [health.Check(room.split(".")[1], health.NOTE, error.message, error.hint)]
