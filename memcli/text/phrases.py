"""Read the tables of phrases in `memcli/language/`, one for each purpose and language.

Only the tables of languages that fit the script of a text are read. The head of each table explains its format. A row
with a `sign` has its patterns, one phrase a line.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from memcli import registry
from memcli.text.later import compile_later
from memcli.text.tables import LANGUAGE_FOLDER, Row, rows
from memcli.text.words import CJK, CJK_RUN

LANGUAGES = ("en", "zh")
NOTHING = "(?!)"  # a pattern that fits nowhere
_LATIN = compile_later("[a-z]", re.I)


def languages(text: str) -> tuple[str, ...]:
    """Return the languages whose rules may apply to a text."""
    if not CJK_RUN.search(text):
        return LANGUAGES[:1]
    return LANGUAGES if _LATIN.search(text) else LANGUAGES[1:]


@lru_cache(maxsize=32)
def table(name: str, language: str) -> tuple[Row, ...]:
    """Return a table of rules, without the examples. `ways/tasks` is the table `tasks` of the feature `ways`."""
    feature, _, own = name.rpartition("/")
    folder = Path(registry.folder_of(feature), "language") if feature else LANGUAGE_FOLDER
    return tuple(rows(folder / language / f"{own}.txt"))


def ways(name: str, sign: str, language: str) -> str:
    """Return all phrases for a sign in one language as one pattern."""
    found = [way for row in table(name, language) if row.get("sign") == [sign] for way in row.get("pattern", ())]
    return "|".join(found).replace("{CJK}", CJK) or NOTHING


@lru_cache(maxsize=64)
def words_of(name: str, sign: str, spoken: tuple[str, ...]) -> frozenset[str]:
    """Return the words for a sign in several languages."""
    found = [row for language in spoken for row in table(name, language) if row.get("sign") == [sign]]
    return frozenset(word for row in found for line in row.get("words", ()) for word in line.split())


@lru_cache(maxsize=256)
def pattern(name: str, sign: str, spoken: tuple[str, ...], frame: str = "{}", **around: str) -> re.Pattern[str]:
    """Return the phrases for a sign in several languages as one compiled pattern.

    `frame` has the pattern around the phrases; the arguments `en` and `zh` have the same for one language.
    """
    alternatives = "|".join(around.get(language, "{}").replace("{}", ways(name, sign, language)) for language in spoken)
    cased = any("case" in row for language in spoken for row in table(name, language) if row.get("sign") == [sign])
    return re.compile(frame.replace("{}", alternatives), 0 if cased else re.I)


def find_phrase(name: str, sign: str, text: str) -> re.Match[str] | None:
    """Return the first match in a text for a sign, in the text's languages, or None."""
    return pattern(name, sign, languages(text)).search(text)


@lru_cache(maxsize=1)
def numbers_in_words() -> dict[str, str]:
    """Return the numbers that people write in words, with their digits: three, third and 三 are 3."""
    lines = (
        line.split() for language in LANGUAGES for row in table("differs", language) for line in row.get("counting", ())
    )
    return {word: str(number) for line in lines for number, word in enumerate(line, 1)}
