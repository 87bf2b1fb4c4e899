"""Read the tables `words.txt`: words that say little about a question's subject, and irregular forms."""

from __future__ import annotations

from functools import cache

from memcli.text.tables import LANGUAGE, rows


@cache
def stop_words(language: str, which: str = "any") -> frozenset[str]:
    return frozenset(
        word
        for row in rows(LANGUAGE / language / "words.txt")
        if row.get("stop") == [which]
        for line in row["words"]
        for word in line.split()
    )


@cache
def chinese_by_length() -> tuple[str, ...]:
    """Return the Chinese stop words, longest first. They are cut out of a run of Chinese before its pairs are taken."""
    return tuple(sorted(stop_words("zh"), key=lambda word: (-len(word), word)))


@cache
def stop_words_of_others() -> tuple[frozenset[str], ...]:
    """Return the stop words of each language that has no rules."""
    return tuple(frozenset(" ".join(row["words"]).split()) for row in rows(LANGUAGE / "words.txt"))


@cache
def irregular() -> dict[str, tuple[str, ...]]:
    """Return each form of an English word whose forms share no stem, with all its other forms."""
    others: dict[str, tuple[str, ...]] = {}
    for forms in _forms():
        for form in forms:
            others[form] = (*others.get(form, ()), *(other for other in forms if other != form))
    return others


@cache
def plain() -> frozenset[str]:
    """Return the base forms of irregular words. They have regular forms too, such as drinks and drinking."""
    return frozenset(forms[0] for forms in _forms())


def _forms() -> list[list[str]]:
    lines = [line for row in rows(LANGUAGE / "en" / "words.txt") for line in row.get("forms", ())]
    return [forms.split() for line in lines for forms in line.split(", ")]
