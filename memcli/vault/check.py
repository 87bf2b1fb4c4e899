"""Define `Check`, one line of `mem doctor`: whether something works, and how to fix it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memcli.message import filled

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
