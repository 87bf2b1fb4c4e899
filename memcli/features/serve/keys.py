"""Keep the answers to writes that carry an Idempotency-Key for a day. A caller that got no answer may repeat the
request, even after the server was killed, without a second write.

Each answer is a line in `.mem/serve/answers-DAY.jsonl`; those of the last day are also held in memory.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from memcli.errors import MemError
from memcli.features.serve.problems import Problem
from memcli.vault import cache_files, files, json_read
from memcli.vault.layout import CACHE

KEPT = timedelta(days=1)
LARGEST = 64 * 2**20  # bytes at the end of a day's file that are read
FOLDER = "serve"


@dataclass(frozen=True)
class ApiAnswer:
    """Hold the answer to a request."""

    status: int
    body: bytes
    media: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _KeptAnswer:
    at: str
    of: str  # the hash of the request that it answered
    answer: ApiAnswer


class Keys:
    """Keeps the answers of one vault. One writer uses it at a time."""

    def __init__(self, root: Path, now: datetime) -> None:
        self.folder = root / CACHE / FOLDER
        self._kept: dict[str, _KeptAnswer] = {}
        self._day = ""
        self._sweep(now)
        for name in cache_files.names(self.folder, ".jsonl"):
            for record in json_read.parse_records(files.tail(self.folder / name, LARGEST)):
                try:
                    answer = ApiAnswer(**{**record["answer"], "body": record["answer"]["body"].encode()})
                    self._kept[str(record["key"])] = _KeptAnswer(str(record["at"]), str(record["of"]), answer)
                except (KeyError, TypeError, AttributeError):  # another program wrote this line
                    continue

    def find_answer(self, key: str, request: str, now: datetime) -> ApiAnswer | None:
        """Return the answer that was given to this request, or None. Raise Problem if the key was used for another
        request."""
        stored = self._kept.get(key)
        if stored is None or _is_old(stored.at, now):
            return None
        if stored.of != request:
            raise Problem(422, "this Idempotency-Key was used for another request", "a new key for each write")
        return stored.answer

    def keep(self, key: str, request: str, answer: ApiAnswer, now: datetime) -> None:
        """Record an answer before it is sent."""
        if self._day != now.date().isoformat():
            self._sweep(now)
        at = now.isoformat(timespec="seconds")
        self._kept[key] = _KeptAnswer(at, request, answer)
        facts = {**asdict(answer), "body": answer.body.decode("utf-8", "replace")}
        line = json.dumps({"key": key, "at": at, "of": request, "answer": facts}, ensure_ascii=False)
        files.make_cache(self.folder.parent)
        files.make_folder(self.folder)
        files.append(self.folder / f"answers-{self._day}.jsonl", line)

    def _sweep(self, now: datetime) -> None:
        """Forget answers older than a day, and remove their files."""
        self._day = now.date().isoformat()
        self._kept = {key: kept for key, kept in self._kept.items() if not _is_old(kept.at, now)}
        first = (now - KEPT).date().isoformat()
        try:
            for name in cache_files.names(self.folder, ".jsonl"):
                if name.startswith("answers-") and name[8:18] < first:
                    files.remove(self.folder / name)
        except MemError:  # the file is removed another time
            pass


def hash_of(*parts: str | bytes) -> str:
    """Return a hash that stands for a caller's key or a request. The parts can't be read from it."""
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
