"""Define the folders of a vault, and what a file's path and size say about it. No file is opened here."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from memcli import system
from memcli.errors import UsageError
from memcli.filenames import windows_refuses as impossible
from memcli.message import Message
from memcli.text.later import compile_later
from memcli.vault.discover import CACHE as CACHE
from memcli.vault.discover import CONFIG as CONFIG

MARKDOWN = (".md", ".markdown")
LARGEST_NOTE = 2 * 2**20  # bytes of a file of memories; reading that much takes no longer than the rest of a recall
JOURNAL = "journal"
ARCHIVE = "archive"
AGENTS = "agents"
SESSIONS = "sessions"
IMPORTED = "imported"  # a top-level folder, and a folder in sessions/, for what was imported

# Files in these top-level folders are kept but are not memories to recall.
_NOT_MEMORIES = {
    JOURNAL: "journal",
    SESSIONS: "session",
    "roles": "role",
    "knowledge": "knowledge",
    ARCHIVE: "archive",
}
NAMED = {"USER.md": "profile", "MEMORY.md": "memory", "insights.md": "insight", "projects.md": "project"}
NAME = compile_later(r"[^\W_](?:[\w.-]{0,62}[\w-])?")  # a valid name of an agent
NOT_RECALLED = frozenset(_NOT_MEMORIES.values())

_MONTHS = {m: n for n, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_MONTH_WORD = (  # and no mayor, marathon, decision or novel
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:em?bre|ember)?"
    r"|oct(?:ober|obre|ubre)?|nov(?:ember|i?embre)?|dec(?:ember|embre)?)\b\.?"
)
_DAY_FORMS = (
    compile_later(r"(?<!\d)(?P<y>(?:19|20)\d\d)[-./_](?P<m>\d{1,2})[-./_](?P<d>\d{1,2})(?!\d)"),
    compile_later(r"(?P<y>(?:19|20)\d\d)年\s*(?P<m>\d{1,2})月\s*(?P<d>\d{1,2})[日号]"),
    compile_later(r"(?<![\dA-Za-z])(?P<y>(?:19|20)\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)(?![\dA-Za-z])"),
    compile_later(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<M>{_MONTH_WORD}),?\s+(?P<y>(?:19|20)\d\d)\b", re.I),
    compile_later(rf"\b(?P<M>{_MONTH_WORD})\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>(?:19|20)\d\d)\b", re.I),
)


def is_journal(path: str) -> bool:
    """Return whether a path of the vault belongs to the journal, which mem writes and nobody edits."""
    return path.startswith(f"{JOURNAL}/")


def day_in(text: str) -> date | None:
    """Return the first full day in a file name or heading, as 2026-11-21, 20261121, 2026年11月21日 or 21 Nov 2026."""
    if not any(sign.isdigit() for sign in text):
        return None
    for form in _DAY_FORMS:
        for match in form.finditer(text):
            parts = match.groupdict()
            month = _MONTHS[parts["M"][:3].lower()] if parts.get("M") else int(parts["m"])
            try:
                return date(int(parts["y"]), month, int(parts["d"]))
            except ValueError:  # 2026-13-45 is not a day
                continue
    return None


@lru_cache(maxsize=65536)
def day_of(path: str) -> date | None:
    """Return the day that a file's name says, or that of its folder (`2026-11-21/notes.md`), or None."""
    folder, _, name = path.rpartition("/")
    if name[4:5] == name[7:8] == "-" and not name[10:11].isdigit():  # the usual form of name, read without a regex
        try:
            return date.fromisoformat(name[:10])
        except ValueError:
            pass
    return day_in(name.rpartition(".")[0] or name) or (day_in(folder.rpartition("/")[2]) if folder else None)


def dated(paths: Sequence[str], first: date, last: date) -> list[tuple[date, str]]:
    """Return (day, path) of the files whose name has a day from `first` to `last`, newest first."""
    found = [(day, path) for path in paths if (day := day_of(path)) and first <= day <= last]
    found.sort(key=lambda each: (-each[0].toordinal(), each[1]))
    return found


def agent_name(name: str) -> str:
    """Return the name of an agent, which is also a folder's name. Raise UsageError when it is not valid."""
    if not NAME.fullmatch(name) or impossible(name):
        raise UsageError("'{agent}' is not a name for an agent", "letters, digits, - _ and .", agent=name)
    return name


def space_of(agent: str | None) -> str:
    """Return the folder of an agent's own space, with its slash, or "" (the vault itself) without an agent."""
    return f"{AGENTS}/{agent}/" if agent else ""


@lru_cache(maxsize=65536)
def split(path: str) -> tuple[str, str]:
    """Return the space that a file lies in, `agents/NAME/` or "", and its path there."""
    parts = path.split("/", 2)
    return (path[: -len(parts[2])], parts[2]) if len(parts) == 3 and parts[0].lower() == AGENTS else ("", path)


def agent_of(path: str) -> str | None:
    """Return the agent in whose own space a file lies, archived or not, or None when it is shared."""
    space, _ = split(path.removeprefix(f"{ARCHIVE}/"))
    return space[len(AGENTS) + 1 : -1] or None


@lru_cache(maxsize=65536)
def kind_of(path: str) -> str:
    """Return log, memory, insight, project, profile, snapshot, note, data or one of NOT_RECALLED, by a file's place."""
    if path[: len(AGENTS) + 1].lower() == f"{AGENTS}/":
        _, path = split(path)
    top, _, rest = path.partition("/")
    if rest and top in _NOT_MEMORIES:
        return _NOT_MEMORIES[top]
    if rest and top == "snapshots":
        return "snapshot"
    if path in NAMED:
        return NAMED[path]
    if path.endswith((".yaml", ".yml", ".json", ".jsonl")):
        return "data"
    return "log" if day_of(path) else "note"


def is_memory(path: str) -> bool:
    """Return whether a file may be recalled, by its place alone."""
    top, slash, _ = split(path)[1].partition("/")
    return not slash or top not in _NOT_MEMORIES


def shared_memories(paths: Iterable[str]) -> Iterator[str]:
    """Yield the files that the owner sees and recall may read, by path alone. It is fast for many files."""
    special = {*_NOT_MEMORIES, AGENTS}
    for path in paths:
        top, slash, _ = path.partition("/")
        if not slash or top.lower() not in special or (in_view(path, None) and is_memory(path)):
            yield path


def leads_out(place: str) -> bool:
    """Return whether a path leads out of the vault."""
    return ".." in re.split(r"[/\\]", place)


def is_note(path: str) -> bool:
    """Return whether memories are read from a file, by its place and name."""
    return path.endswith(MARKDOWN) and is_memory(path)


class NamedFile(NamedTuple):
    """Hold a file that somebody named, by its one path in the vault; only `Vault.named` makes it."""

    path: str
    real: Path


def in_view(path: str, agent: str | None) -> bool:
    """Return whether an agent (none: the owner) sees a file, shared or in its own space. This is the only such rule."""
    return agent_of(path) in (None, agent or None)


def stamp(info: os.stat_result) -> tuple[int, ...]:
    """Return a stamp that changes when a file is written again: size, both modification times, inode."""
    return (info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)


def walk(
    root: Path,
    suffixes: tuple[str, ...] = MARKDOWN,
    tell: Callable[[str, str], object] = lambda path, why: None,
    stamps: dict[str, tuple[int, ...]] | None = None,
) -> Iterator[str]:
    """Yield the paths of the vault's files relative to `root`, sorted, without entering hidden or linked folders.
    `tell` gets those left out for their kind or size, with the reason, and `stamps` the stamps of regular files."""
    found: list[str] = []
    stack = [("", os.fspath(root))]
    while stack:
        prefix, folder = stack.pop()
        for entry in _entries(prefix, folder, tell):  # there may be very many, so this loop calls no more than it must
            name = entry.name
            if name[0] == "." or name == "node_modules":
                continue
            path = prefix + name
            if not name.isascii() and name != name.encode("utf-8", "ignore").decode():
                tell(path.encode("utf-8", "replace").decode(), "its name is not UTF-8")
                continue
            is_wanted = name.endswith(suffixes)
            if is_wanted:
                try:
                    info = entry.stat(follow_symlinks=False)
                except OSError:
                    info = None
                if info and stat.S_ISREG(info.st_mode) and info.st_size <= LARGEST_NOTE:
                    found.append(path)
                    if stamps is not None:
                        stamps[path] = (info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)  # a `stamp`
                    continue
            if system.is_folder(entry):
                stack.append((f"{path}/", entry.path))
            elif is_wanted:
                if why := why_not(path, entry, root):
                    tell(path, why)
                elif entry.is_file(follow_symlinks=False) or is_file(entry.path, root):
                    found.append(path)
    found.sort()
    yield from found


def _entries(prefix: str, folder: str, tell: Callable[[str, str], object]) -> list[os.DirEntry[str]]:
    """Return what lies in a folder, or nothing when it vanished meanwhile or can't be read."""
    try:
        return list(os.scandir(folder))
    except FileNotFoundError:
        return []
    except OSError as error:
        why = Message("can't be read: {WHY}; what lies in it is left out", WHY=error.strerror)
        tell(prefix or folder, why)
        return []


def why_not(path: str, entry: os.DirEntry[str] | Path, root: Path) -> str:
    """Return why a file is left out wherever memories are read, or "", as for a link: not to follow it is no
    failure."""
    try:
        info = entry.stat(follow_symlinks=False) if isinstance(entry, os.DirEntry) else entry.lstat()
        if stat.S_ISLNK(info.st_mode):
            if not is_file(root / path, root):
                return ""
            info = os.stat(root / path)
    except OSError as error:
        return "" if isinstance(error, FileNotFoundError) else Message("can't be read: {WHY}", WHY=error.strerror)
    if not stat.S_ISREG(info.st_mode):
        return "not a regular file"
    return too_large(info.st_size, LARGEST_NOTE) if info.st_size > LARGEST_NOTE and is_note(path) else ""


def too_large(size: int, limit: int) -> str:
    message = "{n} MB is too large, left out (limit {most} MB)"
    return Message(message, n=-(-size // 2**20), most=limit // 2**20)


def is_file(path: str | Path, root: Path) -> bool:
    """Return whether this is a regular file of this vault, and no link to another place."""
    try:
        real = Path(path).resolve(strict=True)
        return real.is_file() and real.is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # a dangling or circular link
        return False
