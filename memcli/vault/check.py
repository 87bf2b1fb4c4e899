"""Define `Check`, one line of `mem doctor`: whether something works, and how to fix it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memcli import extras
from memcli.errors import MissingPart
from memcli.message import filled

if TYPE_CHECKING:
    from memcli.vault.vault import Vault

OK, NOTE, BROKEN = "ok", "note", "broken"


@dataclass(frozen=True, init=False)
class Check:
    """Hold one line of `mem doctor`. `values` fill the names in `detail`."""

    name: str
    state: str  # OK, NOTE (works, but you may want to know) or BROKEN
    detail: str
    fix: str

    def __init__(self, name: str, state: str, detail: str, fix: str = "", **values: Any) -> None:
        self.__dict__.update(name=name, state=state, detail=filled(detail, values), fix=fix)


def checks_of(name: str, find: Callable[[Vault], Iterable[Check]], vault: Vault) -> list[Check]:
    """Return the checks of one part, or one that says which library it lacks."""
    try:
        with extras.wanted():
            return list(find(vault))
    except MissingPart as error:
        return [Check(name, NOTE, error.message, error.hint)]
