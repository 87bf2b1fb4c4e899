"""Find the categories, such as food or travel, that a text is about, by its words.

A question about a meal thus finds notes about food. The words are in `memcli/language/{en,zh}/categories.txt`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from memcli.text.hanzi import split_at_known
from memcli.text.phrases import LANGUAGES, find_phrase, languages, table
from memcli.text.words import CJK_RUN, words

_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "ers")
_SHORTEST = 3  # the fewest letters of a word without its ending
_LONGEST_PHRASE = 4  # English words, or Chinese characters


def categories_of(text: str) -> dict[str, set[str]]:
    """Return the categories that a text speaks of, each with the words that show it."""
    found: dict[str, set[str]] = {}
    for language in languages(text):
        known = _by_word(language)
        for piece in _pieces(text, language):
            for category in known.get(piece, ()):
                found.setdefault(category, set()).add(piece)
    return found


def sorts_of(text: str) -> set[str]:
    """Return the sorts of things within a category that a text names: `email` for letters and 邮件."""
    return {
        _by_sort(language)[piece]
        for language in languages(text)
        for piece in _pieces(text, language)
        if piece in _by_sort(language)
    }


def main_category(text: str) -> str:
    """Return the category that a text speaks of most, or "" when it speaks of none."""
    found = categories_of(text)
    return max(found, key=lambda category: sum(map(len, found[category])), default="")


def categories_named(name: str) -> set[str]:
    """Return the categories that a name may mean: `Food`, 饮食, cooking."""
    low = name.strip().lower().replace("_", "-").replace(" ", "-")
    return {category for language in LANGUAGES for category in _by_name(language).get(low, ())}


def looks_back(text: str) -> bool:
    """Return whether a question asks about the past, and not about what to do."""
    return find_phrase("categories", "past", text) is not None


@lru_cache(maxsize=2)
def _by_word(language: str) -> dict[str, set[str]]:
    """Return the categories of each word. A word with none is listed so that no shorter word is found in it."""
    known: dict[str, set[str]] = {}
    for row in _rows(language):
        for word in (*_listed(row, "words"), *_listed(row, "sort")):
            known.setdefault(word.replace("_", " "), set()).add(row["category"][0])
        for word in _listed(row, "not"):
            known.setdefault(word, set())
    return known


@lru_cache(maxsize=2)
def _by_sort(language: str) -> dict[str, str]:
    lines = (line.split() for row in _rows(language) for line in row.get("sort", []))
    return {word.replace("_", " "): line[0] for line in lines for word in line}


@lru_cache(maxsize=2)
def _by_name(language: str) -> dict[str, set[str]]:
    known: dict[str, set[str]] = {}
    for row in _rows(language):
        for name in (row["category"][0], *_listed(row, "called")):
            known.setdefault(name, set()).add(row["category"][0])
    return known


def _rows(language: str) -> Iterator[dict[str, list[str]]]:
    return (row for row in table("categories", language) if "category" in row)


def _listed(row: dict[str, list[str]], key: str) -> list[str]:
    return " ".join(row.get(key, [])).split()


def _pieces(text: str, language: str) -> Iterator[str]:
    """Yield the pieces of a text that the table of a language may list."""
    return _chinese(text, _by_word(language)) if language == "zh" else _english(text)


def _english(text: str) -> Iterator[str]:
    """Yield each word in the forms that the table may list, and phrases of up to four words."""
    text_words = words(text.replace("_", " "))
    for at, word in enumerate(text_words):
        yield word
        for ending in _ENDINGS:
            if word.endswith(ending) and len(short := word[: -len(ending)]) >= _SHORTEST:
                yield short
                yield short + "e"
                if short[-1] == short[-2]:  # running
                    yield short[:-1]
        for size in range(2, _LONGEST_PHRASE + 1):
            if len(phrase := text_words[at : at + size]) == size:
                yield " ".join(phrase)


def _chinese(text: str, known: dict[str, set[str]]) -> Iterator[str]:
    """Yield the words of the table in their order, the longest first, so that 酒店 is not taken for 酒."""
    low = text.lower()
    yield from words(low)
    for run in CJK_RUN.findall(low):
        yield from split_at_known(run, known, _LONGEST_PHRASE)
