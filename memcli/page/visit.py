"""Handle one request of the browser that the key admitted: the vault, its parameters and its language.

A `View` is what a view returns. The page's words in other languages are in the tables `page.txt`.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache, cached_property
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from starlette.requests import Request

from memcli.errors import MemError, UsageError
from memcli.page.html import Html, tag
from memcli.text.messages import table_language, translated
from memcli.text.tables import spread_rows
from memcli.vault import state
from memcli.vault.vault import Vault

_SYSTEM = ("LC_ALL", "LC_MESSAGES", "LANG")


class PageWords:
    """Translate the page's English. `{name}` in a text is filled in afterwards."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, english: str, **gaps: object) -> str:
        words = _table(self.language).get(english) or translated(english, self.language)
        return words.format(**gaps) if gaps else words

    def translate_part(self, english: str) -> str:
        """Return the translation of a text that is part of another message."""
        return translated(english, self.language, part=True)


@cache
def _table(language: str) -> dict[str, str]:
    return {row["en"][0]: row["says"][0] for row in spread_rows(language, "page.txt")} if language else {}


@dataclass
class BrowserSession:
    """Hold the vault of the one browser that came with the key, and the browser's state."""

    open: Callable[[Mapping[str, Any]], Vault]  # takes settings that hold for one question
    open_to_write: Callable[[], Vault]
    wrote: Callable[[], object]  # called after a write
    editor: str = ""  # one of `editor.LINKS`
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))  # every form must send this back
    told: list[tuple[str, str]] = field(default_factory=list)  # (kind, message) pairs for the next page
    skipped: list[str] = field(default_factory=list)  # questions of the review that were put off


class View(NamedTuple):
    """Hold the result of a view."""

    title: str
    body: Html
    here: str = ""  # the view that the navigation marks
    status: int = 200


@dataclass
class Visit:
    request: Request
    session: BrowserSession
    form: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def vault(self) -> Vault:
        return self.session.open({})

    @cached_property
    def to_write(self) -> Vault:
        """Open the vault for writing, from its files rather than from memory."""
        return self.session.open_to_write()

    def wrote(self) -> None:
        """Report a write after the request, so that the next reader sees it."""
        if "to_write" in self.__dict__:
            self.session.wrote()

    @property
    def notices(self) -> list[str]:
        """Return the notices about the vault from this request, each once."""
        written = self.to_write.notices if "to_write" in self.__dict__ else []
        return list(dict.fromkeys([*self.vault.notices, *written]))

    @cached_property
    def say(self) -> PageWords:
        spoken = state.read_state(self.vault).language
        system = next(filter(None, map(self.vault.environ.get, _SYSTEM)), "")
        return PageWords(table_language(spoken or system))

    def asked(self, name: str, default: str = "") -> str:
        """Return a parameter of the address."""
        return self.request.query_params.get(name, default)

    def number(self, name: str, default: int, most: int) -> int:
        given = self.asked(name)
        if given and not (given.isascii() and given.isdigit() and len(given) < 9):
            raise UsageError("'{given}' is not a number", given=given)
        return min(int(given), most) if given else default

    def day(self, name: str) -> date | None:
        """Return a day in the address, or None if it names none. Raise UsageError if it is not a date."""
        return day_of(self.asked(name)) if self.asked(name) else None

    def link(self, *steps: str, **asked: str | int | None) -> str:
        """Return an address on the page."""
        known = {name.rstrip("_"): value for name, value in asked.items() if value not in (None, "")}
        return "/" + "/".join(quote(step, safe="") for step in steps) + (f"?{urlencode(known)}" if known else "")

    def back(self) -> str:
        """Return the address of the page that held the form, or the first page if it is not on this site."""
        back = re.sub(r"[\x00-\x20]", "", self.form.get("back", ""))  # browsers leave some out
        return back if back[:1] == "/" and back[1:2] not in ("/", "\\") else "/"

    def tell(self, message: str, kind: str = "done") -> None:
        """Add a message for the next page, which screen readers read aloud."""
        self.session.told.append((kind, message))

    def failure(self, error: MemError) -> str:
        """Return the error and its hint, without hints that name options of the command line."""
        hints = re.split("; |；|[,，] ?(?=`)", self.say(error.hint))
        hint = ("；" if self.say.language else "; ").join(part for part in hints if "--" not in part)
        return " — ".join(filter(None, (self.say(error.message), hint)))

    def token(self) -> Html:
        """Return the hidden field that every form which changes something must hold."""
        return tag("input", type="hidden", name="token", value=self.session.token)


def day_of(written: str) -> date:
    """Return a date. Raise UsageError if the text is not a date, or is so early or late that the days around it can't
    be shown."""
    try:
        day = date.fromisoformat(written)
        day - timedelta(40), day + timedelta(40)
    except (ValueError, OverflowError):
        raise UsageError("{name} is not a day of the calendar", name=written) from None
    return day
