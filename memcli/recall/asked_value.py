"""Check whether the notes hold the value that a question asks for, such as a price or a birthday."""

from __future__ import annotations

from collections.abc import Sequence

from memcli.recall import nature
from memcli.recall.paths.text import is_telling, tally
from memcli.recall.score import ScoredMemory
from memcli.recall.search_state import VaultSearch
from memcli.recall.value_kinds import COMMON, find_asked_value, holds_value
from memcli.text import phrases
from memcli.text.words import CJK_RUN, Term
from memcli.vault.entries import without_time


def has_asked_value(search: VaultSearch, likely: Sequence[ScoredMemory], alike: Sequence[ScoredMemory]) -> bool | None:
    """Return whether a likely memory on the subject has the value that the question asks for. None if that can't be
    told: it asks for none, it is a search for words and the kind is common, or the notes are a conversation.

    A value that few notes have counts in all that are `alike`, with every word that the best one has: two children and
    their ages may stand in a long line.
    """
    asked = search.query
    if asked.is_conversation or nature.find_conversation_traits(search).is_talk:
        return None
    value = find_asked_value(asked)
    if value is None or (asked.is_keywords and value in COMMON):
        return None
    subject = _find_subject(search, f"wants {value}")
    found = any(
        holds_value(without_time(memory.entry.words), value) and _is_about(memory, subject)
        for memory in (likely if value in COMMON else [*likely, *alike])
    )
    return None if found and value in COMMON else found


def _find_subject(search: VaultSearch, sign: str) -> list[Term]:
    """Return the words of the question that some note has and that do not only ask for the value."""
    asked = search.query
    match = phrases.find_phrase("recall", sign, asked.raw)
    asks = match[0].lower() if match else ""
    counts = tally(search).entries
    return [
        term for at, term in enumerate(asked.terms)
        if counts[at] and is_telling(asked, counts, at) and not _asks(term, asks)
    ]  # fmt: skip


def _asks(term: Term, phrase: str) -> bool:
    """Return whether a word stands in a phrase; of a pair of Chinese characters, whether one does."""
    signs = term.text if CJK_RUN.search(term.text) else [term.text]
    return any(sign in phrase for sign in signs)


def _is_about(memory: ScoredMemory, subject: Sequence[Term]) -> bool:
    """Return whether a memory, its headings or the name of its note has a word of the subject."""
    entry = memory.entry
    text = " ".join([entry.raw, *entry.trail, entry.path]).lower()
    return not subject or any(term.times_in(text) for term in subject)
