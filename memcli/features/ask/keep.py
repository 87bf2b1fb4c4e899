"""Propose memories from a deep answer, each with its source.

Nothing is kept until the user agrees, and then it passes the gates like everything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memcli.evidence import Evidence
from memcli.features.ask import page
from memcli.features.ask.pipeline import AskResult
from memcli.llm.citations import CITED
from memcli.remember import AddResult, Memory, add
from memcli.text import tokens
from memcli.text.clean import one_line
from memcli.text.sentences import sentences
from memcli.vault.vault import Vault

MOST = 5
ROOM = 60  # tokens of a proposal that is the best part of a passage
SHORTEST = 8  # bytes of a statement: a Chinese sign says as much as three letters
_POINTS = re.compile(r"(?:\b(?:see|and|per|cf)|参?见|参考|和)\W*\Z", re.I)  # "see [1]" is not a statement
_AFTER = re.compile(r"([.!?。！？])((?:\s*\[\d+\])+)")  # numbers after the end of the sentence that they belong to
_OWN = "memory"  # the kind of source whose passages are memories already


@dataclass(frozen=True)
class AnswerProposal:
    """Hold a statement worth keeping, and the places that support it."""

    text: str
    places: tuple[str, ...]


def proposals(answered: AskResult, shortest: int = SHORTEST) -> list[AnswerProposal]:
    """Return the statements of an answer that cite something other than a memory.

    An answer shorter than `shortest` bytes has none. Without an answer, return the best parts of the best passages.
    """
    if 0 < len(answered.answer.encode()) < shortest:
        return []
    found = list(_stated(answered) if answered.answer else _best(answered))
    return list({each.text.casefold(): each for each in found}.values())[:MOST]


def keep_proposal(vault: Vault, proposal: AnswerProposal) -> AddResult:
    """Add a proposal as a fact. Raise Refused when a gate refuses it."""
    places = ", ".join(re.sub(r"[\[\]\n]", " ", place).strip() for place in proposal.places)
    return add(vault, Memory(f"{proposal.text} [source:: {places}]", type="fact", at=vault.now))


def _stated(answered: AskResult) -> Iterator[AnswerProposal]:
    for sentence in sentences(_AFTER.sub(r"\2\1 ", answered.answer)):
        numbers = [int(number) for match in CITED.finditer(sentence) for number in re.findall(r"\d+", match[1])]
        statement = re.sub(r"\s+([.,;:!?。，；：！？])", r"\1", one_line(CITED.sub("", sentence)).strip(" -*•>#"))
        places = _places(answered, numbers)
        if (
            places
            and len(statement.encode()) >= SHORTEST
            and not (statement.endswith(("?", "？")) or _POINTS.search(statement))
        ):
            yield AnswerProposal(statement, places)


def _best(answered: AskResult) -> Iterator[AnswerProposal]:
    for number, item in enumerate(answered.items, 1):
        if places := _places(answered, [number]):
            yield AnswerProposal(page.best_part(item, answered.asked.query, ROOM, tokens.count), places)


def _places(answered: AskResult, numbers: list[int]) -> tuple[str, ...]:
    items: list[Evidence] = [answered.items[number - 1] for number in numbers if 0 < number <= len(answered.items)]
    return tuple(dict.fromkeys(item.place for item in items if item.source != _OWN and item.place))
