"""Who can be asked. A kind of source is a module here with `KIND`, `NETWORK` (whether questions leave the machine) and
`find(vault, config, step)`, which gives evidence, best first. It may be slow, fail or lie: `gather` sees to that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol

from memcli.deep.passages import Evidence, Step
from memcli.vault.vault import Vault

# A new kind is a module and a line.
KINDS = (
    "memory",
    "knowledge",
)


class Source(Protocol):
    """What a module of this room has."""

    KIND: str
    NETWORK: bool
    find: Callable[[Vault, Mapping[str, Any], Step], list[Evidence]]


def load(kind: str) -> Source:
    """The module of a kind."""
    found: Any = import_module(f"{__name__}.{kind}")
    return found  # type: ignore[no-any-return]


def configured(vault: Vault) -> dict[str, Mapping[str, Any]]:
    """The sources of this vault by name, each with its `kind` and what else is set for it."""
    return {"memory": {"kind": "memory"}, "knowledge": {"kind": "knowledge"}}
