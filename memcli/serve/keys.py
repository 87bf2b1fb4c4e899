"""Answers to writes that carry an Idempotency-Key, kept for a day: who heard no answer may ask again, also after the
server was killed, and what was done is not done twice.

A line for each in `.mem/serve/answers-DAY.jsonl`; in memory is only where it stands.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from memcli.errors import MemError
from memcli.serve.problems import Problem
from memcli.vault import cache_files, files, json_read
from memcli.vault.layout import CACHE

KEPT = timedelta(days=1)
LARGEST = 64 * 2**20  # bytes of a day's answers that are read again
FOLDER = "serve"


@dataclass(frozen=True)
class Answer:
    """What a request is answered."""

    status: int
    body: bytes
    media: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Kept:
    at: str
    of: str  # the request it answered
    answer: Answer


class Keys:
    """The answers of one vault. Used by one writer at a time."""

    def __init__(self, root: Path, now: datetime) -> None:
        self.folder = root / CACHE / FOLDER
        self._kept: dict[str, _Kept] = {}
        self._day = ""
        self._sweep(now)
        for name in cache_files.names(self.folder, ".jsonl"):
            for record in json_read.records(files.tail(self.folder / name, LARGEST)):
                try:
                    answer = Answer(**{**record["answer"], "body": record["answer"]["body"].encode()})
                    self._kept[str(record["key"])] = _Kept(str(record["at"]), str(record["of"]), answer)
                except (KeyError, TypeError, AttributeError):  # a line that somebody else wrote there
                    continue

    def of(self, key: str, request: str, now: datetime) -> Answer | None:
        """The answer that was given to this request; Problem when the key stood for another one."""
        kept = self._kept.get(key)
        if kept is None or _is_old(kept.at, now):
            return None
        if kept.of != request:
            raise Problem(422, "this Idempotency-Key was used for another request", "a new key for each write")
        return kept.answer

    def keep(self, key: str, request: str, answer: Answer, now: datetime) -> None:
        """Note an answer before it is given."""
        if self._day != now.date().isoformat():
            self._sweep(now)
        at = now.isoformat(timespec="seconds")
        self._kept[key] = _Kept(at, request, answer)
        facts = {**asdict(answer), "body": answer.body.decode("utf-8", "replace")}
        line = json.dumps({"key": key, "at": at, "of": request, "answer": facts}, ensure_ascii=False)
        files.make_cache(self.folder.parent)
        files.make_folder(self.folder)
        files.append(self.folder / f"answers-{self._day}.jsonl", line)

    def _sweep(self, now: datetime) -> None:
        """Let go of what is older than a day."""
        self._day = now.date().isoformat()
        self._kept = {key: kept for key, kept in self._kept.items() if not _is_old(kept.at, now)}
        first = (now - KEPT).date().isoformat()
        try:
            for name in cache_files.names(self.folder, ".jsonl"):
                if name.startswith("answers-") and name[8:18] < first:
                    files.remove(self.folder / name)
        except MemError:  # it is taken away another time
            pass


def mark(*parts: str | bytes) -> str:
    """What stands for a key of somebody, or for a request: nobody can read it back."""
    made = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "replace") if isinstance(part, str) else part
        made.update(len(data).to_bytes(8, "big") + data)
    return made.hexdigest()[:40]


def _is_old(at: str, now: datetime) -> bool:
    try:
        return datetime.fromisoformat(at) + KEPT < now
    except (ValueError, TypeError):
        return True
