"""Read the tables `words.txt` and `synonyms.txt`: words that say little about a question's subject, irregular forms,
and words that mean the same in almost every note.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache

from memcli.text.hanzi import split_at_known
from memcli.text.tables import LANGUAGE_FOLDER, read_table_text, rows

SYNONYM = 0.7  # weight of a synonym, relative to the word itself
SPECIAL = 0.6  # weight of a special word that answers a general one


@cache
def stop_words(language: str, which: str = "any") -> frozenset[str]:
    return frozenset(
        word
        for row in rows(LANGUAGE_FOLDER / language / "words.txt")
        if row.get("stop") == [which]
        for line in row["words"]
        for word in line.split()
    )


@cache
def chinese_by_length() -> tuple[str, ...]:
    """Return the Chinese stop words, longest first. They are removed from a run of Chinese before it is split into
    pairs."""
    return tuple(sorted(stop_words("zh"), key=lambda word: (-len(word), word)))


@cache
def stop_words_of_others() -> tuple[frozenset[str], ...]:
    """Return the stop words of each language that has no tables of rules."""
    return tuple(frozenset(" ".join(row["words"]).split()) for row in rows(LANGUAGE_FOLDER / "words.txt"))


@cache
def irregular() -> dict[str, tuple[str, ...]]:
    """Return each form of an English word whose forms share no stem, with all its other forms."""
    others: dict[str, tuple[str, ...]] = {}
    for forms in _forms():
        for form in forms:
            others[form] = (*others.get(form, ()), *(other for other in forms if other != form))
    return others


@cache
def base_forms() -> frozenset[str]:
    """Return the base forms of irregular words. They have regular forms too, such as drinks and drinking."""
    return frozenset(forms[0] for forms in _forms())


def _forms() -> list[list[str]]:
    lines = [line for row in rows(LANGUAGE_FOLDER / "en" / "words.txt") for line in row.get("forms", ())]
    return [forms.split() for line in lines for forms in line.split(", ")]


def synonyms(language: str, word: str) -> tuple[str, ...]:
    """Return all the words that may stand for a word, and for which it may stand."""
    return tuple(other for other in synonym_groups(language).get(word, "").split() if other != word)


def other_words(language: str, words: Collection[str]) -> dict[str, float]:
    """Return what the words of a question also find, with its weight: their synonyms, and for a general word the
    special ones."""
    special = [other for word in words for other in special_words(language).get(word, "").split()]
    alike = [other for word in words for other in synonyms(language, word)]
    return dict.fromkeys(special, SPECIAL) | dict.fromkeys(alike, SYNONYM)


@cache
def synonym_groups(language: str) -> dict[str, str]:
    """Return each word with the groups it is in. They are split when they are asked for: few of them are."""
    groups: dict[str, str] = {}
    for line in _lines_of_synonyms(language, "alike: "):
        for word in line.split():
            groups[word] = f"{groups.get(word, '')} {line}"
    return groups


@cache
def special_words(language: str) -> dict[str, str]:
    """Return each general word with the special words that answer it: piano and guitar of "instrument"."""
    special: dict[str, str] = {}
    for line in _lines_of_synonyms(language, "asks: "):
        general, _, answers = line.partition(" = ")
        for word in general.split():
            special[word] = f"{special.get(word, '')} {answers}"
    return special


def _lines_of_synonyms(language: str, key: str) -> list[str]:
    text = read_table_text(LANGUAGE_FOLDER / language / "synonyms.txt")
    return [line.removeprefix(key) for line in text.split("\n") if line.startswith(key)]


def find_synonyms(run: str) -> Iterator[tuple[int, int]]:
    """Yield the (start, stop) of Chinese words with other words in a text without spaces.

    The longest word wins, and none lies within another.
    """
    known = synonym_groups("zh").keys() | special_words("zh").keys()
    at = 0
    for word in split_at_known(run, known, max(map(len, known))):
        if word in known:
            yield at, at + len(word)
        at += len(word)
