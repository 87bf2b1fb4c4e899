"""Which questions may be asked now, and what came of those that were: kept in `journal/nudges.jsonl`, across talks.

The questions, where their answers would stand and how people give them: `language/*/questions.txt`. All by rules, and
little to read: this runs in every prompt of a session and for every message said in one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from memcli.errors import MemError
from memcli.text.messages import speaks
from memcli.text.phrases import LANGUAGES, NOTHING, languages, table
from memcli.text.words import CJK_RUN
from memcli.vault import files, journal, labels, preferences, profile, state
from memcli.vault.vault import Vault

JOURNAL = "nudges"
WINDOW = 65536  # bytes of the journal that are looked at, the last some hundred records
REST = {"asked": 1, "passed": 7, "answered": 30, "refused": 90}  # days until a question may come again
READ = 20_000  # characters of what was said
SHORT = 60  # characters in which the shape of an answer is one; a longer text has to tell it
_PROSE = ("USER.md", "MEMORY.md")


@dataclass(frozen=True)
class Question:
    """A question to the user; the lower its priority, the sooner."""

    key: str
    text: str
    priority: int


@dataclass(frozen=True)
class Outcome:
    """What the user's next message did with the questions: refused, answered, or passed over."""

    kind: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class _Kind:
    """A fact that may be asked for, in one language. It is known as a label, a line of the profile, a preference, or
    where notes tell it in prose. An answer tells it the same way, or has a shape that elsewhere would mean little."""

    key: str
    question: str
    told: str  # patterns
    answer: str
    labels: frozenset[str]
    profile: frozenset[str]
    preference: frozenset[str]  # categories, or words of a key


@lru_cache(maxsize=2)
def kinds(language: str) -> tuple[_Kind, ...]:
    """What may be asked in a language, the most useful first."""
    return tuple(
        _Kind(
            row["asks"][0], row["question"][0], "|".join(row["told"]), "|".join(row.get("answer", [])) or NOTHING,
            *(frozenset(row.get(key, [""])[0].split(", ")) - {""} for key in ("label", "profile", "preference")),
        )
        for row in table("questions", language) if "asks" in row
    )  # fmt: skip


def told_in(text: str) -> set[str]:
    """The keys of the facts that a text tells."""
    return {kind.key for language in languages(text) for kind in kinds(language) if re.search(kind.told, text, re.I)}


def answers_in(text: str) -> set[str]:
    """The keys of the facts that a text tells when it was asked for them: a short one need not say what it is about."""
    spoken = languages(text) if len(text) <= SHORT else ()
    shaped = {kind.key for language in spoken for kind in kinds(language) if re.search(kind.answer, text, re.I)}
    return told_in(text) | shaped


def refuses(text: str) -> bool:
    """Whether somebody says that they would rather not tell."""
    rows = [row for language in languages(text) for row in table("questions", language) if "refusal" in row]
    return any(re.search("|".join(row["told"]), text, re.I) for row in rows)


def questions(vault: Vault, session: str, most: int = 2, said: str = "") -> list[Question]:
    """What may be asked in this session now, the most useful first; none where it can't be told what is known.
    What the user has `said` in it may not be kept yet, and is not asked all the same."""
    records = list(_records(vault))
    mine = [record for record in records if record["session"] == session]
    asked_before = {record["key"] for record in mine if record["event"] == "asked"}
    left = min(most, vault.settings.nudge.questions - len(asked_before))
    if left <= 0 or any(record["event"] == "refused" for record in mine):
        return []
    resting = {record["key"] for record in records if _days(vault, record) < REST[record["event"]]}
    try:
        known, language = _known(vault, said)
    except MemError as error:
        vault.notice(f"nothing is asked: {error.message}")
        return []
    passed_over = resting | told_in(said[-READ:]) | known
    wanted = [(at, kind) for at, kind in enumerate(kinds(language), 1) if kind.key not in passed_over]
    return [Question(kind.key, kind.question, at) for at, kind in wanted[:left]]


def may_propose(vault: Vault, session: str) -> bool:
    """Whether an assistant may still ask in this session if something is to be remembered: not after a refusal."""
    records = _records(vault)
    refused = any(record["session"] == session and record["event"] == "refused" for record in records)
    return vault.settings.nudge.questions > 0 and not refused


def asked(vault: Vault, session: str, questions: Sequence[Question]) -> None:
    """Note that these were put before the user, each once a session."""
    before = {record["key"] for record in _records(vault) if record["session"] == session}
    for question in questions:
        if question.key not in before:
            _note(vault, session, question.key, "asked")


def answered(vault: Vault, session: str, text: str) -> Outcome | None:
    """What the user's message says to the questions that are open in this session; None when none is. Noted once."""
    last = {record["key"]: record["event"] for record in _records(vault) if record["session"] == session}
    unanswered = [kind.key for kind in kinds(LANGUAGES[0]) if last.get(kind.key) == "asked"]
    if not unanswered:
        return None
    text = text[:READ]
    asks, refused = text.rstrip().endswith(("?", "？")), refuses(text)
    answers = set() if asks else answers_in(text)
    told = [key for key in unanswered if key in answers]
    for key in unanswered:
        _note(vault, session, key, "refused" if refused else "answered" if key in told else "passed")
    if refused or not told:
        return Outcome("refused" if refused else "passed", tuple(unanswered))
    return Outcome("answered", tuple(told))


def _known(vault: Vault, said: str) -> tuple[set[str], str]:
    """The keys of the facts that the vault holds, and the language the user is spoken to in: as is set, else as they
    speak now, else as their notes are written."""
    prose = "\n".join(files.read_or_empty(files.inside(vault.root, path), path).text for path in _PROSE)
    lines = {key: value for key, value in profile.read(vault).items() if value not in (None, "", [])}
    names = {name.casefold() for label in labels.held(vault) for name in label.names}
    liked = {word for one in preferences.held(vault) for word in re.split(r"[\W_]+", f"{one.key} {one.category}")}
    now = state.read(vault)
    known = told_in(prose)
    known |= {"language"} if now.language else set()
    known |= {"interests"} if now.topics_of_interest else set()
    for language in languages(" ".join(["a", *names])):  # profile and preferences are named in English
        for kind in kinds(language):
            if names & kind.labels or lines.keys() & kind.profile or liked & kind.preference:
                known.add(kind.key)
    spoken = now.language or str(lines.get("language") or "")
    written = said if re.search(r"\w", said) else f"{prose} {' '.join(names)} {lines.get('name', '')}"
    chinese = speaks(spoken) or None if spoken else CJK_RUN.search(written)
    return known, LANGUAGES[chinese is not None]


def _note(vault: Vault, session: str, key: str, event: str) -> None:
    at = vault.now.isoformat(timespec="seconds")
    journal.append(vault.root, JOURNAL, {"at": at, "session": session, "key": key, "event": event})


def _records(vault: Vault) -> Iterator[dict[str, Any]]:
    """The latest records, oldest first; what is no record is passed over."""
    for line in files.tail(journal.place(vault.root, JOURNAL), WINDOW).split("\n"):
        try:
            record = json.loads(line) if line else None
            if record and record["event"] in REST and isinstance(record["key"], str):
                date.fromisoformat(record["at"][:10])
                yield {**record, "session": record["session"]}
        except (ValueError, KeyError, TypeError):
            continue


def _days(vault: Vault, record: dict[str, Any]) -> int:
    return (vault.today - date.fromisoformat(record["at"][:10])).days
