"""Import conversations: keep them as ended sessions, or leave them to `mem work`, which learns from them.

Waiting conversations are beside the queue, many in one file, with a job for each file. `mem undo` removes them, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memcli.format import ImportedTalk
from memcli.remember import learning
from memcli.text.digest import digest
from memcli.vault import cache_files, files, layout, queue
from memcli.vault.vault import Vault

JOB = "talks"
WAITING = f"{layout.JOURNAL}/queue/{layout.IMPORTED}"
FULL = 2**20  # characters of a file of waiting conversations


class Batches:
    """Fill files with conversations, one file after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.talks = self._number = self._size = 0

    def add(self, talk: ImportedTalk) -> None:
        self.talks += 1
        part = ""
        for line in _transcript_lines(talk):
            if part and len(part) + len(line) > FULL:  # a conversation of months is too long to learn from at once
                self._append_text(part)
                part = ""
            part += line
        self._append_text(part)

    def _append_text(self, text: str) -> None:
        if self._size + len(text) > FULL:
            self._number, self._size = self._number + 1, 0
        self._size += len(text)
        files.extend(self.folder / f"{self._number:05}.jsonl", json.dumps({"text": text}, ensure_ascii=False) + "\n")


def queue_waiting(vault: Vault) -> None:
    """Queue a job for every waiting file of conversations, including those of an import that was interrupted."""
    for name in cache_files.folders(vault.root / WAITING):
        for batch in cache_files.names(vault.root / WAITING / name, ".jsonl"):
            id = f"{name}-{batch.partition('.')[0]}"
            queue.queue_job(vault, JOB, id, {"path": f"{WAITING}/{name}/{batch}"})


def work(vault: Vault, payload: Mapping[str, Any]) -> None:
    """Learn from a file of conversations. A file that is gone, because its import was undone, is skipped."""
    path = files.inside(vault.root, str(payload["path"]))
    if not path.exists():
        return
    vault.batch = f"learn:{payload['job']}"
    for line in files.read_file(path).text.split("\n"):
        if line:
            learning.keep_lasting(vault, json.loads(line)["text"])
    files.remove(path)


def session_file(talk: ImportedTalk) -> tuple[str, str]:
    """Return the file name of an ended session, and its content."""
    at = talk.at.isoformat(timespec="seconds") if talk.at else ""
    start = {"event": "start", "at": at, "title": talk.title, "source": talk.source}
    last = talk.messages[-1].at or talk.at
    end = {"event": "end", "at": last.isoformat(timespec="seconds") if last else ""}
    day = f"{talk.at:%Y%m%d-%H%M}" if talk.at else "00000000-0000"
    name = f"{day}-{digest(talk.source, 8)}.jsonl"
    return name, "".join(
        [json.dumps(start, ensure_ascii=False) + "\n", *_transcript_lines(talk), json.dumps(end) + "\n"]
    )


def _transcript_lines(talk: ImportedTalk) -> Iterator[str]:
    for message in talk.messages:
        record = {"role": message.role, "content": message.text, "at": message.at.isoformat() if message.at else None}
        record["cwd"] = talk.project or None
        yield json.dumps({key: value for key, value in record.items() if value}, ensure_ascii=False) + "\n"
