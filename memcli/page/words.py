"""What the page says, in the language of the vault: `language/*/page.txt`, and for what other rooms say their own."""

from __future__ import annotations

from functools import cache

from memcli.text.messages import message
from memcli.text.tables import LANGUAGE, rows


class Words:
    """Says the page's English in a language. `{name}` in it is filled in afterwards."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, english: str, **gaps: object) -> str:
        words = _table(self.language).get(english) or message(english, self.language)
        return words.format(**gaps) if gaps else words

    def part(self, english: str) -> str:
        """Return what stands inside another message."""
        return message(english, self.language, part=True)


@cache
def _table(language: str) -> dict[str, str]:
    place = LANGUAGE / language / "page.txt"
    return {row["en"][0]: row["says"][0] for row in rows(place)} if language else {}
