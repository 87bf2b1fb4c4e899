"""Choose the questions that may be asked now, and record their outcomes in `journal/nudges.jsonl`, across
conversations.

`language/*/questions.txt` has the questions, the places where answers are stored and phrases of answers. Everything
works by rules and reads little, because this runs in every prompt of a session and for every message in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from memcli.errors import MemError
from memcli.extend import ProfileQuestion, Reply
from memcli.text.messages import table_language
from memcli.text.phrases import LANGUAGES, NOTHING, languages, table
from memcli.text.words import CJK_RUN
from memcli.vault import files, journal, json_read, labels, preferences, profile, state
from memcli.vault.vault import Vault

JOURNAL = "nudges"
WINDOW = 65536  # bytes at the end of the journal that are read, some hundred records
REST = {"asked": 1, "passed": 7, "answered": 30, "refused": 90}  # days until a question may come again
READ = 20_000  # characters of a message that are read
SHORT = 60  # characters up to which a bare answer is recognised by its shape
_PROSE = ("USER.md", "MEMORY.md")


@dataclass(frozen=True)
class FactQuestion:
    """Hold a question to the user about a fact, in one language. The fact is known if there is a label, a line of the
    profile or a preference for it, or if notes state it. An answer states it in the same way, or has a form that only
    means something as an answer."""

    key: str
    text: str
    told: str  # patterns of texts that tell the fact
    answer: str
    labels: frozenset[str]
    profile: frozenset[str]
    preference: frozenset[str]  # categories, or words in a key


@lru_cache(maxsize=2)
def kinds(language: str) -> tuple[FactQuestion, ...]:
    """Return the facts that may be asked for in a language, the most useful first."""
    return tuple(
        FactQuestion(
            row["asks"][0], row["question"][0], "|".join(row["told"]), "|".join(row.get("answer", [])) or NOTHING,
            *(frozenset(row.get(key, [""])[0].split(", ")) - {""} for key in ("label", "profile", "preference")),
        )
        for row in table("nudge/questions", language) if "asks" in row
    )  # fmt: skip


def told_in(text: str) -> set[str]:
    """Return the keys of the facts that a text tells."""
    return {kind.key for language in languages(text) for kind in kinds(language) if re.search(kind.told, text, re.I)}


def answers_in(text: str) -> set[str]:
    """Return the keys of the facts that a text tells as an answer. A short answer need not name its subject."""
    spoken = languages(text) if len(text) <= SHORT else ()
    shaped = {kind.key for language in spoken for kind in kinds(language) if re.search(kind.answer, text, re.I)}
    return told_in(text) | shaped


def refuses(text: str) -> bool:
    """Return whether a text declines to answer."""
    rows = [row for language in languages(text) for row in table("nudge/questions", language) if "refusal" in row]
    return any(re.search("|".join(row["told"]), text, re.I) for row in rows)


def questions(vault: Vault, session: str, said: str = "", most: int = 2) -> list[FactQuestion]:
    """Return the questions that may be asked in this session now, the most useful first, or [] if the known facts can't
    be read. Facts that the user told in `said` are not asked for, even if they are not kept yet."""
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
        vault.notice("nothing is asked: {WHY}", WHY=error.message)
        return []
    passed_over = resting | told_in(said[-READ:]) | known
    return [kind for kind in kinds(language) if kind.key not in passed_over][:left]


def may_propose(vault: Vault, session: str) -> bool:
    """Return whether an assistant may still ask in this session if it should remember something. A refusal forbids
    it."""
    records = _records(vault)
    refused = any(record["session"] == session and record["event"] == "refused" for record in records)
    return vault.settings.nudge.questions > 0 and not refused


def note_asked(vault: Vault, session: str, questions: Sequence[ProfileQuestion]) -> None:
    """Record that these questions were put to the user, each once in a session."""
    before = {record["key"] for record in _records(vault) if record["session"] == session}
    for question in questions:
        if question.key not in before:
            _note(vault, session, question.key, "asked")


def note_reply(vault: Vault, session: str, text: str) -> Reply | None:
    """Record how the user's message answers the open questions. Return the outcome, or None if no question is open."""
    last = {record["key"]: record["event"] for record in _records(vault) if record["session"] == session}
    unanswered = [kind.key for kind in kinds(LANGUAGES[0]) if last.get(kind.key) == "asked"]
    if not unanswered:
        return None
    text = text[:READ]
    asks, refused = text.rstrip().endswith(("?", "？")), refuses(text)
    answers = set() if asks else answers_in(text)
    answered = [key for key in unanswered if key in answers]
    for key in unanswered:
        _note(vault, session, key, "refused" if refused else "answered" if key in answered else "passed")
    if refused or not answered:
        return Reply("refused" if refused else "passed", tuple(unanswered))
    return Reply("answered", tuple(answered))


def _known(vault: Vault, said: str) -> tuple[set[str], str]:
    """Return the keys of the facts that the vault holds, and the user's language: the one that is set, else the one
    they speak now, else the one of their notes."""
    prose = "\n".join(files.read_or_empty(files.inside(vault.root, path), path).text for path in _PROSE)
    lines = {key: value for key, value in profile.read_profile(vault).items() if value not in (None, "", [])}
    names = {name.casefold() for label in labels.read_labels(vault) for name in label.names}
    liked = {
        word for one in preferences.read_preferences(vault) for word in re.split(r"[\W_]+", f"{one.key} {one.category}")
    }
    now = state.read_state(vault)
    known = told_in(prose)
    known |= {"language"} if now.language else set()
    known |= {"interests"} if now.topics_of_interest else set()
    for language in languages(" ".join(["a", *names])):  # profile and preferences are named in English
        for kind in kinds(language):
            if names & kind.labels or lines.keys() & kind.profile or liked & kind.preference:
                known.add(kind.key)
    spoken = now.language or str(lines.get("language") or "")
    written = said if re.search(r"\w", said) else f"{prose} {' '.join(names)} {lines.get('name', '')}"
    chinese = table_language(spoken) or None if spoken else CJK_RUN.search(written)
    return known, LANGUAGES[chinese is not None]


def _note(vault: Vault, session: str, key: str, event: str) -> None:
    at = vault.now.isoformat(timespec="seconds")
    journal.append(vault.root, JOURNAL, {"at": at, "session": session, "key": key, "event": event})


def _records(vault: Vault) -> Iterator[dict[str, Any]]:
    """Yield the latest valid records, oldest first."""
    for record in json_read.parse_records(files.tail(journal.place(vault.root, JOURNAL), WINDOW)):
        try:
            if record["event"] in REST and isinstance(record["key"], str):
                date.fromisoformat(record["at"][:10])
                yield {**record, "session": record["session"]}
        except (ValueError, KeyError, TypeError):
            continue


def _days(vault: Vault, record: dict[str, Any]) -> int:
    return (vault.today - date.fromisoformat(record["at"][:10])).days
