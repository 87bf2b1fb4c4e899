"""Keep the words of the shelf in `.mem/knowledge/words.db`, for callers that can't wait until LanceDB is loaded.

Such a caller is a prompt in a new process. The file is a copy beside the table, written when the shelf has changed
and read in milliseconds. A copy that is older than the table is ignored, and a shelf that is too large gets none;
then the table itself is searched.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from memcli.errors import VaultError
from memcli.features.knowledge import address
from memcli.features.knowledge.documents import PieceRow
from memcli.features.knowledge.store import DocumentTable, PieceHit, open_reader
from memcli.index.store import Address
from memcli.text import words
from memcli.vault import cache_files, files
from memcli.vault.vault import Vault

NAME = "words.db"
MOST = 20_000  # pieces; a larger shelf is searched by a watcher, which has it open
_TABLES = """
create table made (stamp text);
create table pieces (row text);
create virtual table found using fts5(words, content='');
"""


def build(vault: Vault) -> None:
    """Write the copy again. When it can't be written nothing is lost but time."""
    at = address.address_of(vault)
    if at.folder is None or not at.exists:
        return
    file = cache_files.cleared(at.folder / NAME)
    files.remove(file)
    if (table := open_reader(vault)) is None or table.count() > MOST:
        return
    try:
        _write(file, at, table)
    except sqlite3.Error as error:  # no FTS5 here, or no room
        with suppress(VaultError):
            files.remove(file)
        vault.notice("prompts without a watcher have to wait for documents: {WHY}", WHY=error)


def find_pieces(vault: Vault, query: str, most: int) -> list[PieceHit] | None:
    """Return active pieces that have words of the query, best first, or None without an up-to-date copy."""
    terms = " OR ".join(f'"{word}"' for word in _words(query))
    with _opened(address.address_of(vault)) as base:
        if base is None:
            return None
        asked = "select row, -bm25(found) from found join pieces on pieces.rowid = found.rowid where found match ?"
        rows = base.execute(f"{asked} order by rank limit ?", (terms, most)).fetchall() if terms else []
        return [PieceHit(PieceRow(*json.loads(row)), score) for row, score in rows]


def is_current(vault: Vault) -> bool:
    """Return whether there is a copy of the shelf as it is now."""
    with _opened(address.address_of(vault)) as base:
        return base is not None


@contextmanager
def _opened(at: Address) -> Iterator[sqlite3.Connection | None]:
    """Yield the open copy if it is as new as the table, else None."""
    file = at.folder / NAME if at.folder else None
    if at.folder is None or file is None or NAME not in cache_files.names(at.folder, NAME):  # and no link
        yield None
        return
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=0.1)) as base:
        try:
            base.execute("pragma trusted_schema = off")  # the vault may be a stranger's
            current = base.execute("select stamp from made").fetchone() == (_stamp(at),)
        except sqlite3.Error:
            current = False
        yield base if current else None


def _write(file: Path, at: Address, table: DocumentTable) -> None:
    with closing(sqlite3.connect(file)) as base, base:
        base.executescript(_TABLES)
        for number, row in enumerate(table.active(), 1):
            stems = _words(f"{row.title}\n{row.trail}\n{row.text}")
            base.execute("insert into pieces (rowid, row) values (?, ?)", (number, json.dumps(row)))
            base.execute("insert into found (rowid, words) values (?, ?)", (number, " ".join(stems)))
        base.execute("insert into made values (?)", (_stamp(at),))


def _words(text: str) -> list[str]:
    """Return the stems of a text's words and its pairs of Chinese characters, each as often as it occurs."""
    runs = (pair for run in words.CJK_RUN.findall(text) for pair in (*words.cjk(run),))
    return [*(words.stem(word) for word in words.words(text) if not words.is_stop(word)), *runs]


def _stamp(at: Address) -> str:
    """Return a stamp that changes with every write, since each makes a version of the table."""
    assert at.folder is not None
    names = cache_files.names(at.folder / f"{at.table}.lance" / "_versions", ".manifest")
    return " ".join([str(at.stamp[0]), *names[:1], *names[-1:], str(len(names))])
