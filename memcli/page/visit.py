"""One request of somebody who was let in: the vault, the words, and what was asked. `View` is what a view answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from starlette.requests import Request

from memcli.errors import Refused, UsageError
from memcli.page.gate import Guest, Session
from memcli.page.html import Html, tag
from memcli.page.words import Words
from memcli.text.messages import speaks
from memcli.vault import state
from memcli.vault.vault import Filter, Vault

_SYSTEM = ("LC_ALL", "LC_MESSAGES", "LANG")


class View(NamedTuple):
    title: str
    body: Html
    here: str = ""  # which of the views it belongs to
    status: int = 200


@dataclass
class Visit:
    request: Request
    session: Session
    form: Mapping[str, str] = field(default_factory=dict)

    @property
    def guest(self) -> Guest:
        return self.session.guest

    @cached_property
    def vault(self) -> Vault:
        return self.opened({})

    def opened(self, flags: Mapping[str, Any]) -> Vault:
        """The vault as this guest sees it, with settings that count for one question."""
        return self.guest.open(flags).seen_by(self.guest.agent)

    @cached_property
    def say(self) -> Words:
        spoken = state.read(self.vault).language
        system = next(filter(None, map(self.vault.environ.get, _SYSTEM)), "")
        return Words(speaks(spoken or system))

    def asked(self, name: str, default: str = "") -> str:
        """A parameter of the address."""
        return self.request.query_params.get(name, default)

    def number(self, name: str, default: int, most: int) -> int:
        given = self.asked(name)
        if given and not (given.isascii() and given.isdigit() and len(given) < 9):
            raise UsageError(f"'{given}' is not a number")
        return min(int(given), most) if given else default

    def seen(self, **more: Any) -> Filter:
        """A filter for what this guest may see."""
        return Filter(**more)

    def link(self, *steps: str, **asked: str | int | None) -> str:
        """An address on the page."""
        root = self.request.scope.get("root_path", "")
        known = {name.rstrip("_"): value for name, value in asked.items() if value not in (None, "")}
        return f"{root}/" + "/".join(quote(step, safe="") for step in steps) + (f"?{urlencode(known)}" if known else "")

    def tell(self, message: str, kind: str = "done") -> None:
        """Something to be shown, and read aloud, with the next page."""
        self.session.told.append((kind, message))

    def may_write(self) -> None:
        if not self.guest.may_write:
            raise Refused("this key reads and does not write")

    def token(self) -> Html:
        """What a form that changes anything has to hold."""
        return tag("input", type="hidden", name="token", value=self.session.token)
