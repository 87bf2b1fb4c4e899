"""Which language mem speaks to a person: the one of the vault's `state.yaml`, else the system's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from memcli.errors import MemError

_SYSTEM = ("LC_ALL", "LC_MESSAGES", "LANG")


def system_language(environ: Mapping[str, str]) -> str:
    """Return the language of the system as it names it: zh_CN.UTF-8, C.UTF-8, or "" where it says none."""
    return next(filter(None, map(environ.get, _SYSTEM)), "")


class Speech:
    """What mem says, in the language that is spoken here; found out when something is said for the first time."""

    def __init__(self, where: Callable[[], Path], environ: Mapping[str, str]) -> None:
        self.where, self.environ = where, environ
        self.language: str | None = None

    def speak(self, language: str) -> None:
        """From here on in this language, as far as there is a table of it."""
        from memcli.text import messages  # a recall that is piped on says nothing

        self.language = messages.speaks(language)

    @property
    def colon(self) -> str:
        """What stands between a name and what is said of it."""
        return "：" if self.spoken() else ": "

    def bracketed(self, text: str) -> str:
        """Return a text in brackets, as it stands behind other words."""
        return f"（{text}）" if self.spoken() else f" ({text})"

    def spoken(self) -> str:
        """Return the language of the tables that is spoken here; empty for English."""
        if self.language is None:
            self.speak(self._spoken())
        return self.language or ""

    def part(self, english: str) -> str:
        """Return what stands inside another message, or in a table."""
        from memcli.text.messages import message

        return message(english, self.spoken(), part=True)

    def said(self, english: str) -> str:
        if not self.spoken():
            return english
        from memcli.text.messages import message

        return message(english, self.spoken())

    def _spoken(self) -> str:
        from memcli.vault.spoken import language_of

        system = system_language(self.environ)
        try:
            return language_of(self.where()) or system
        except MemError:  # no vault, or one that can't be read: that is being said
            return system
