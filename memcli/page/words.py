"""Translate the page into the language of the vault, from the tables `page.txt` and from the messages of other
packages."""

from __future__ import annotations

from functools import cache

from memcli.text.messages import translated
from memcli.text.tables import spread_rows


class PageWords:
    """Translates the page's English. `{name}` in a text is filled in afterwards."""

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
