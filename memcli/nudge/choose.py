"""Which questions may be asked now, and what came of those that were: kept in `journal/nudges.jsonl`, across talks.

Rules alone, and little to read: this runs in every prompt of a session and for every message said in one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from memcli.errors import MemError
from memcli.nudge.question_kinds import KINDS, REFUSED, Kind, in_words
from memcli.vault import files, journal, labels, preferences, profile, state
from memcli.vault.vault import Vault

JOURNAL = "nudges"
WINDOW = 65536  # bytes of the journal that are looked at, the last some hundred records
REST = {"asked": 1, "passed": 7, "answered": 30, "refused": 90}  # days until a question may come again
READ = 20_000  # characters of what was said
SHORT = 60  # characters in which the shape of an answer is one; a longer text has to tell it
_PROSE = ("USER.md", "MEMORY.md")
_CJK = re.compile(r"[\u4e00-\u9fff]")
_ZH = re.compile(r"zh|cn|chinese|mandarin|中|汉|漢|普通话", re.I)


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


def questions(vault: Vault, session: str, most: int = 2, said: str = "") -> list[Question]:
    """What may be asked in this session now, the most useful first; none where it can't be told what is known.
    What the user has `said` in it may not be kept yet, and is not asked all the same."""
    records = list(_records(vault))
    mine = [each for each in records if each["session"] == session]
    left = min(most, vault.settings.nudge.questions - len({each["key"] for each in mine if each["event"] == "asked"}))
    if left <= 0 or any(each["event"] == "refused" for each in mine):
        return []
    resting = {kind.key for kind in KINDS if in_words(kind.told, said[-READ:])} | {
        each["key"] for each in records if _days(vault, each) < REST[each["event"]]
    }
    wanted = [(at, kind) for at, kind in enumerate(KINDS, 1) if kind.key not in resting]
    try:
        known, chinese = _known(vault)
    except MemError as error:
        vault.notice(f"nothing is asked: {error.message}")
        return []
    missing = [(at, kind) for at, kind in wanted if kind.key not in known][:left]
    return [Question(kind.key, kind.zh if chinese else kind.en, at) for at, kind in missing]


def asked(vault: Vault, session: str, questions: Sequence[Question]) -> None:
    """Note that these were put before the user, each once a session."""
    before = {each["key"] for each in _records(vault) if each["session"] == session}
    for question in questions:
        if question.key not in before:
            _note(vault, session, question.key, "asked")


def answered(vault: Vault, session: str, text: str) -> Outcome | None:
    """What the user's message says to the questions that are open in this session; None when none is. Noted once."""
    stands: dict[str, str] = {}
    for each in _records(vault):
        if each["session"] == session:
            stands[each["key"]] = each["event"]
    open_ = [kind for kind in KINDS if stands.get(kind.key) == "asked"]
    if not open_:
        return None
    text = text[:READ]
    asks, refused = text.rstrip().endswith(("?", "？")), in_words(REFUSED, text)
    short = text if len(text) <= SHORT else ""
    told = [kind.key for kind in open_ if not asks and (in_words(kind.told, text) or in_words(kind.shape, short))]
    for kind in open_:
        event = "refused" if refused else "answered" if kind.key in told else "passed"
        _note(vault, session, kind.key, event)
    if refused or not told:
        return Outcome("refused" if refused else "passed", tuple(kind.key for kind in open_))
    return Outcome("answered", tuple(told))


def _known(vault: Vault) -> tuple[set[str], bool]:
    """The kinds of facts that the vault holds, and whether the user is spoken to in Chinese."""
    prose = "\n".join(files.read_or_empty(files.inside(vault.root, path), path).text for path in _PROSE)
    lines = {key: value for key, value in profile.read(vault).items() if value not in (None, "", [])}
    names = {name.casefold() for each in labels.held(vault) for name in each.names}
    liked = {word for each in preferences.held(vault) for word in re.split(r"[\W_]+", f"{each.key} {each.category}")}
    now = state.read(vault)
    more = {"language": bool(now.language), "interests": bool(now.topics_of_interest)}

    def has(kind: Kind) -> bool:
        return bool(
            more.get(kind.key) or lines.keys() & set(kind.profile) or names & set(kind.labels)
            or liked & set(kind.preference) or in_words(kind.told, prose)
        )  # fmt: skip

    spoken = now.language or str(lines.get("language") or "")
    chinese = bool(_ZH.match(spoken) if spoken else _CJK.search(f"{prose} {' '.join(names)} {lines.get('name', '')}"))
    return {kind.key for kind in KINDS if has(kind)}, chinese


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
