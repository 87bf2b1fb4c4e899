"""Read what is new in the transcripts that coding agents leave on a disk: files, folders of them, and databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from memcli.errors import UsageError, VaultError
from memcli.text import transcripts
from memcli.text.transcripts import ASSISTANT, USER, TranscriptTurn
from memcli.vault import files, json_read, layout, transcript_marks
from memcli.vault.transcript_marks import Mark
from memcli.vault.vault import Vault

LINES, DOCUMENT, DATABASE = ".jsonl", ".json", ".db"
LARGEST = 64 * 2**20  # bytes of a transcript that are read, from its end
_OF_SUB_AGENTS = "agent-"
_DOCUMENTS = ("session-", "checkpoint-")  # other documents in such folders hold no conversation
_TALKS = "SELECT id, directory, time_updated FROM session WHERE parent_id IS NULL ORDER BY time_created"
_PARTS = """SELECT message.data, part.data FROM message JOIN part ON part.message_id = message.id
    WHERE message.session_id = ? ORDER BY message.time_created, message.id, part.time_created, part.id"""


@dataclass(frozen=True)
class NewTurns:
    """Hold the new part of a conversation."""

    name: str
    said: list[TranscriptTurn]
    mark: Mark  # saved once this part was read

    @property
    def text(self) -> str:
        return "\n".join(each.as_json for each in self.said)


def is_place(path: Path) -> bool:
    """Return whether a path is a folder or a database of transcripts, from which only what is new is read."""
    return path.is_dir() or path.suffix == DATABASE


def find_new_turns(vault: Vault, place: Path) -> Iterator[NewTurns]:
    """Yield what is new in a transcript, in each one of a folder, or in a database. Give a notice for a file that
    can't be read."""
    for path in _files(place):
        try:
            yield from _database(vault, path) if path.suffix == DATABASE else _file(vault, path)
        except VaultError as error:
            vault.notice(error.message)


def mark_read(vault: Vault, talks: list[NewTurns]) -> None:
    """Mark these conversations as read, so that the next reading starts after them."""
    for talk in talks:
        transcript_marks.write_mark(vault, talk.name, talk.mark)


def _files(place: Path) -> Iterator[Path]:
    if not place.is_dir():
        if not place.exists():
            raise UsageError("{place} is not a file or folder", place=place)
        yield place
        return
    for name in layout.walk(place, (LINES, DOCUMENT, DATABASE)):
        path = place / name
        if path.name.startswith(_OF_SUB_AGENTS) or (path.suffix == DOCUMENT and not path.name.startswith(_DOCUMENTS)):
            continue
        yield path


def _file(vault: Vault, path: Path) -> Iterator[NewTurns]:
    name, size = str(path.absolute()), transcript_marks.size(path)
    if transcript_marks.read_mark(vault, name).size != size:
        yield _new(vault, name, transcripts.read_turns(files.tail(path, LARGEST)), size)


def _new(vault: Vault, name: str, turns: list[TranscriptTurn], size: int) -> NewTurns:
    """Return the turns after the mark, and the question that the first of them may answer. Return the whole
    conversation if the file was rewritten."""
    at = transcript_marks.read_mark(vault, name).said
    first = 0 if at > len(turns) else at - 1 if 0 < at < len(turns) and turns[at - 1].role == ASSISTANT else at
    return NewTurns(name, turns[first:], Mark(size, len(turns)))


def _database(vault: Vault, path: Path) -> Iterator[NewTurns]:
    """Yield the new part of each talk in a database. Open it read-only, because another program may be writing to
    it."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True, timeout=1.0)) as base:
            for id, cwd, updated in base.execute(_TALKS).fetchall():
                name = f"{path.absolute()}#{id}"
                if transcript_marks.read_mark(vault, name).size != updated:
                    yield _new(vault, name, _read_turns(base.execute(_PARTS, (id,)), str(cwd or "")), int(updated or 0))
    except (sqlite3.Error, ValueError) as error:
        raise VaultError("{name}: can't be read: {error}", name=path.name, error=error) from None


def _read_turns(rows: Iterator[tuple[Any, Any]], cwd: str) -> list[TranscriptTurn]:
    found: list[TranscriptTurn] = []
    for number, (message, part) in enumerate(rows, 1):
        told, piece = json_read.parse_mapping(message), json_read.parse_mapping(part)
        text = piece.get("text") if piece.get("type") == "text" else None
        if not isinstance(text, str) or piece.get("synthetic") or piece.get("ignored"):
            continue
        role = told.get("role")
        text = transcripts.own_words(text) if role == USER else text
        if role in (USER, ASSISTANT) and text.strip():
            made = told.get("time")
            created = made.get("created") if isinstance(made, dict) else None
            at = str(created / 1000) if isinstance(created, (int, float)) else ""
            found.append(TranscriptTurn(str(role), text.strip(), at, cwd, number))
    return found
