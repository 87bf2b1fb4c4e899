"""Explain an empty result: notes that could not be searched, and words that the vault may spell differently."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from memcli import bounds
from memcli.recall.search_state import VaultSearch
from memcli.text import words
from memcli.text.clean import without_accents
from memcli.vault.grep import LineSearch, grep

FILES = 2000  # a larger vault is left to `mem doctor`: reading it would take longer than the recall
MOST = 3  # files that are named one by one


def add_hints(search: VaultSearch) -> str:
    """Add notices that explain an empty result, and return the question with the accents of the notes, boléro for
    bolero, or "" if that changes nothing. Reads every file, so call it only when nothing was found."""
    if len(search.paths) > FILES:
        return ""
    unread = search.vault.unread(search.paths)
    for path in unread[:MOST]:
        search.document(path)  # adds a notice with the reason
    if len(unread) > MOST:
        search.vault.notice("{n} more notes can't be read; mem doctor names them", n=len(unread) - MOST)
    question = search.query.raw
    for word, other in _find_other_spellings(search).items():
        if without_accents(other) == without_accents(word):
            search.vault.notice("'{word}' is read as '{other}'", word=word, other=other)
            question = re.sub(rf"\b{word}\b", other, question, flags=re.I)
        else:
            search.vault.notice("no memory has '{word}'; did you mean '{other}'?", word=word, other=other)
    return question if question != search.query.raw else ""


def _find_other_spellings(search: VaultSearch) -> dict[str, str]:
    """Map each word of the question that may be misspelt to the commonest word in the notes that is one typo away."""
    dated = {word for span in search.query.spans for word in words.words(span.text)}
    slips = _find_slips([term.text for term in search.query.terms if term.text not in dated])
    if not slips:
        return {}
    vault = search.vault
    patterns = [_compile_slips(ways) for ways in slips.values()]
    found = grep(vault.root, search.paths, LineSearch(patterns))
    there = Counter(word for hits in found.values() for hit in hits for word in words.words(hit.text))
    near = {
        word: [other for other in there if re.fullmatch(pattern, other)]
        for word, pattern in zip(slips, patterns, strict=True)
        if word not in there
    }
    return {
        word: max(others, key=lambda other: (without_accents(other) == without_accents(word), there[other], other))
        for word, others in near.items() if others
    }  # fmt: skip


def _find_slips(terms: Sequence[str]) -> dict[str, list[str]]:
    """Return the possible typos of each word, for as many words as one pattern may contain."""
    slips: dict[str, list[str]] = {}
    alternatives_left = bounds.ALTERNATIVES
    for word in terms:
        if len(word) in bounds.MISSPELT and words.WORD.fullmatch(word) and word.isalpha():
            ways = _make_slips(word)
            if (alternatives_left := alternatives_left - len(ways)) < 0:
                break
            slips[word] = ways
    return slips


def _make_slips(word: str) -> list[str]:
    """Return the ways to write a word with a letter too few, too many or wrong, or with two that changed places."""
    halves = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    wrong = [rf"{head}\w?{tail[1:]}" for head, tail in halves[:-1]]
    missing = [rf"{head}\w{tail}" for head, tail in halves]
    swapped = [head + tail[1] + tail[0] + tail[2:] for head, tail in halves[:-2]]
    return [*wrong, *missing, *swapped]


def _compile_slips(ways: Sequence[str]) -> str:
    return rf"\b(?:{'|'.join(ways)})\b"
