"""Run an import: prepare everything in the archive first, then put it in place in one write that can be undone.

An import that is interrupted, even by a power cut, leaves the vault as it was and perhaps a folder in
`archive/imports/`, which is not recalled and is cleared by the next import. If it is interrupted while the folders are
moved into place, the next run brings the rest.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memcli.errors import MemError, Refused
from memcli.features.move import keyed_records, talks
from memcli.features.move.holdings import JOURNAL
from memcli.features.move.import_plan import ImportOptions, Plan, PlannedFile, Tell
from memcli.features.move.keyed_records import KeyedRecord
from memcli.features.move.sorter import Sorter
from memcli.file_tree import Tree
from memcli.remember import proposals
from memcli.vault import cache_files, files, journal, layout
from memcli.vault.changes import Move
from memcli.vault.lock import hold_lock
from memcli.vault.markdown import newline_of
from memcli.vault.vault import Vault
from memcli.vault.write import Edit, write_vault

SPOOL = f"{layout.ARCHIVE}/imports"
UNFINISHED = ".part"  # ends the name of a folder that is being filled


@dataclass(frozen=True)
class ImportResult:
    plan: Plan
    paths: tuple[str, ...]  # folders and files that are new or were added to
    waiting: int = 0  # conversations that mem work will learn from


def bring_items(
    vault: Vault, tree: Tree, wanted: ImportOptions, tell: Tell = str, planned: Plan | None = None
) -> ImportResult:
    """Import everything new. Raise Busy while another import runs. With a plan in `planned`, its texts are not scanned
    again."""
    files.make_cache(vault.cache)
    with hold_lock(vault.cache / "import.lock", 0, "import", doing="another import is being made"):
        for left in cache_files.folders(vault.root / SPOOL):
            if left.endswith(UNFINISHED):  # left by a killed import; files that were undone lie there too, and stay
                cache_files.remove_tree(files.inside(vault.root, f"{SPOOL}/{left}"))
        return _bring(vault, Sorter(vault, tree, wanted, planned.clean if planned else None), tell)


def _bring(vault: Vault, sorter: Sorter, tell: Tell) -> ImportResult:
    name = f"{vault.now:%Y%m%d-%H%M%S}-{os.urandom(2).hex()}"
    sessions, waiting = f"{layout.SESSIONS}/{layout.IMPORTED}/{name}", f"{talks.WAITING}/{name}"
    folder, done = (files.inside(vault.root, f"{SPOOL}/{name}{end}") for end in (UNFINISHED, ""))
    files.make_folder(folder)
    batches, sources = talks.Batches(folder / waiting), list[str]()
    records, disputed = list[KeyedRecord](), list[KeyedRecord]()
    try:
        for item in sorter.sort(tell):
            if isinstance(item, PlannedFile):
                _stage(sorter.tree, folder / item.path, item)
                continue
            if isinstance(item, KeyedRecord):
                (disputed if item.slot in sorter.holdings.records else records).append(item)
                continue
            if sorter.wanted.keep:
                called, text = talks.session_file(item)
                files.extend(folder / sessions / called, text)
            else:
                batches.add(item)
            sources.append(item.source)
        for private in (layout.SESSIONS, f"{layout.JOURNAL}/queue") if sources else ():
            files.make_cache(vault.root / private)
        if sources:
            noted = _noted(vault, sorter.plan.format, sources)
            files.extend(folder / journal.place(Path(), f"{JOURNAL}/{name}"), noted)
        if hasattr(os, "sync"):
            os.sync()
        files.move(folder, done)
        edits, moves = _placed(vault, f"{SPOOL}/{name}", (sorter.folder, sessions, waiting))
        written = write_vault(vault, "import", [*edits, *keyed_records.edits(vault, records)], moves=moves)
    finally:
        for each in (folder, done):
            if each.exists():
                cache_files.remove_tree(each)
    talks.queue_waiting(vault)
    for item in disputed:
        proposals.queue_doubt(vault, item.atom)
    new = [path for path in written.paths if not path.startswith((f"{SPOOL}/", f"{layout.JOURNAL}/"))]
    return ImportResult(sorter.plan, tuple(new), batches.talks)


def _stage(tree: Tree, path: Path, item: PlannedFile) -> None:
    if not item.copied:
        files.extend(path, item.text)
        return
    with suppress(MemError):  # an image that can't be read is left out of its note
        files.write_file(path, item.data or tree.data(item.copied))


def _placed(vault: Vault, spool: str, own: tuple[str, ...]) -> tuple[list[tuple[str, Edit]], list[Move]]:
    """Return the edits and moves for `write_vault`.

    Edits add to files that exist. A whole folder moves only when it is one of ours and does not exist yet.
    """
    folder = vault.root / spool
    edits: list[tuple[str, Edit]] = []
    moves: list[Move] = []
    stack = _names(folder)
    while stack:
        path = stack.pop()
        staged, here = folder / path, files.inside(vault.root, path)
        if staged.is_dir() and not f"{path}/".startswith(tuple(f"{each}/" for each in own)):
            files.make_folder(here)  # the folder may hold the user's files
        if not os.path.lexists(here):
            moves.append((f"{spool}/{path}", path))
        elif staged.is_dir() and here.is_dir():
            stack += [f"{path}/{name}" for name in _names(staged)]
        elif staged.is_file() and here.is_file() and layout.is_note(path):
            edits.append((path, _added(files.read_file(staged).text)))
        else:
            raise Refused("{path} is there already", "--to FOLDER brings it elsewhere", path=path)
    return edits, moves


def _names(folder: Path) -> list[str]:
    """Return the names in a folder, the last first."""
    return sorted([*cache_files.names(folder, ""), *cache_files.folders(folder)], reverse=True)


def _noted(vault: Vault, format: str, sources: list[str]) -> str:
    """Return lines for the journal that name the conversations, so that each is imported once.

    A line has some hundreds. Each import has its own file, which `mem undo` takes along.
    """
    at = vault.now.isoformat(timespec="seconds")
    lines = [{"at": at, "from": format, "talks": sources[start : start + 500]} for start in range(0, len(sources), 500)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _added(more: str) -> Edit:
    def added(text: str) -> str:
        newline = newline_of(text)
        return f"{text.rstrip()}{newline * bool(text.strip())}{more.replace(chr(10), newline)}"

    return added
