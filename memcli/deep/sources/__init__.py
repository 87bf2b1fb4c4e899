"""Who can be asked. A kind of source is a module here with `KIND`, `NETWORK` (whether questions leave the machine) and
`find(vault, config, step)`, which gives evidence, best first. It may be slow, fail or lie: `gather` sees to that. A new kind
is a module, and a line in `vault/sources.py` that says what may be set for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from threading import Thread, current_thread
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from memcli.deep.passages import Evidence, Step
from memcli.vault import sources as entries
from memcli.vault.vault import Vault

ASKED = "MEM_ASKED"  # in the environment of a command that is asked: a `mem` in it asks nobody else, or it had no end
_open: WeakKeyDictionary[Thread, Callable[[], None] | None] = WeakKeyDictionary()  # None: nobody waits any longer


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
    there: dict[str, Mapping[str, Any]] = {name: {"kind": name} for name in entries.HERE}
    there |= vault.settings.sources
    here = vault.environ.get(ASKED)
    return {
        name: config for name, config in there.items()
        if config.get("enabled", True) and not (here and config["kind"] not in entries.HERE)
    }  # fmt: skip


def closing(end: Callable[[], None]) -> None:
    """What ends the work of this thread, should nobody wait for it any longer."""
    if current_thread() in _open:
        end()
    else:
        _open[current_thread()] = end


def ended(thread: Thread) -> None:
    """Nobody waits for this thread any longer."""
    end = _open.pop(thread, None)
    _open[thread] = None
    if end:
        end()
