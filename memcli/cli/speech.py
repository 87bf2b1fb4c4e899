"""Choose the language in which mem speaks to a person: the one in the vault's `state.yaml`, else the system's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from memcli.errors import MemError

_SYSTEM = ("LC_ALL", "LC_MESSAGES", "LANG")


def system_language(environ: Mapping[str, str]) -> str:
    """Return the language that the environment names, such as zh_CN.UTF-8 or C.UTF-8, or "" if it names none."""
    return next(filter(None, map(environ.get, _SYSTEM)), "")


class Speech:
    """Translates messages into the user's language, which is looked up when the first message is needed."""

    def __init__(self, where: Callable[[], Path], environ: Mapping[str, str]) -> None:
        self.where, self.environ = where, environ
        self.language: str | None = None

    def speak(self, language: str) -> None:
        """Use this language from now on. A language without a table of messages means English."""
        from memcli.text import messages  # a piped recall prints no messages and must start fast

        self.language = messages.table_language(language)

    @property
    def colon(self) -> str:
        """Return the separator between a name and its description."""
        return "：" if self.spoken() else ": "

    @property
    def comma(self) -> str:
        """Return the separator of the items of a list."""
        return "，" if self.spoken() else ", "

    @property
    def semicolon(self) -> str:
        """Return the separator of remarks in one line."""
        return "；" if self.spoken() else "; "

    @property
    def asks(self) -> str:
        """Return the sign after the answers to a question, which Chinese puts in brackets."""
        return "" if self.spoken() else "?"

    def choices(self, keys: Iterable[str]) -> str:
        """Return the possible answers to a question, such as (k)eep, to append to it."""
        return f"（{' / '.join(key.strip('()') for key in keys)}）" if self.spoken() else f"  {', '.join(keys)}"

    def bracketed(self, text: str) -> str:
        """Return a text in brackets, to append to other words."""
        return f"（{text}）" if self.spoken() else f" ({text})"

    def spoken(self) -> str:
        """Return the language of the message table in use, or "" for English."""
        if self.language is None:
            self.speak(self._choose_language())
        return self.language or ""

    def translate_part(self, english: str) -> str:
        """Return the translation of a text that is part of another message or of a table."""
        from memcli.text.messages import translated

        return translated(english, self.spoken(), part=True)

    def translate(self, english: str) -> str:
        if not self.spoken():
            return english
        from memcli.text.messages import translated

        return translated(english, self.spoken())

    def _choose_language(self) -> str:
        from memcli.vault.vault_language import language_of

        system = system_language(self.environ)
        try:
            return language_of(self.where()) or system
        except MemError:  # the vault is not readable, and the message being printed reports that
            return system
