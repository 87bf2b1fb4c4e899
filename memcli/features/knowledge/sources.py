"""Keep `journal/knowledge.jsonl`, the list of the shelf's sources and of documents that were archived or removed.

Together with the sources themselves it is enough to rebuild a lost shelf.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from memcli.features.knowledge.documents import ARCHIVED, FilePart, UserMetadata, digest
from memcli.vault import journal, json_read, layout
from memcli.vault.vault import Vault

JOURNAL = "knowledge"  # the name of the journal
HOME = "knowledge"  # the vault's own folder of documents: always a source
SMALLEST, LIMIT = 20, 2000  # tokens of a piece that the user may set
ADD, ARCHIVE, RESTORE, REMOVE = "add", "archive", "restore", "remove"
REMOVED = "removed"
NAMED = "sources.json"  # in the user's data folder: the sources named on this machine, by vault


@dataclass(frozen=True)
class Options:
    """Hold the options with which a source is added."""

    given: UserMetadata = field(default_factory=UserMetadata)
    limit: int = 0  # tokens of a piece; 0: the measured optimum
    keep: bool = False  # older versions are archived instead of replaced

    @property
    def mark(self) -> str:
        """Return a mark that changes with every option that affects the rows of a text."""
        return digest(repr((self.given, self.limit)), 8)


def merge_options(old: Options, new: Options) -> Options:
    """Return the options of a source that is named again: the new ones, completed by the old ones."""
    given = UserMetadata(
        new.given.title or old.given.title, new.given.tags or old.given.tags, new.given.type or old.given.type,
        new.given.project or old.given.project, {**old.given.meta, **new.given.meta},
    )  # fmt: skip
    return Options(given, new.limit or old.limit, new.keep or old.keep)


@dataclass(frozen=True)
class SourceRegister:
    """Hold the sources and the status of documents that result from the lines of the journal."""

    sources: dict[str, Options]  # by path: relative to the vault, or absolute
    status: dict[str, str]  # of documents by origin: archived or removed; all others are active

    def owner(self, path: str) -> str:
        """Return the source that a file belongs to: the nearest one that it is or lies in; "" when there is none."""
        inside = (each for each in self.sources if path == each or path.startswith(each.rstrip("/") + "/"))
        return max(inside, key=len, default="")


def read_register(vault: Vault) -> SourceRegister:
    """Return the status of documents and the sources as they were first added, the vault's own folder first."""
    found = SourceRegister({HOME: Options()}, {})
    for record in journal.read_journal(vault.root, JOURNAL, vault.notice):
        action, listed = record.get("action"), record.get("origins")
        origins = [str(each) for each in listed] if isinstance(listed, list) else []
        if action == ADD and (source := str(record.get("source") or "")):
            found.sources[source] = _options(record)
        elif action == REMOVE and record.get("source") != HOME:
            found.sources.pop(str(record.get("source") or ""), None)
        for origin in origins:
            found.status.pop(origin, None)
            if action in (ARCHIVE, REMOVE):
                found.status[origin] = ARCHIVED if action == ARCHIVE else REMOVED
    return found


def note_action(
    vault: Vault, action: str, origins: Iterable[str] = (), source: str = "", options: Options | None = None
) -> None:
    """Append a line to the journal: what was done to a source, or to documents."""
    given = {name: value for name, value in asdict(options.given).items() if value} if options else {}
    if options and options.limit:
        given["limit"] = options.limit
    if options and options.keep:
        given["keep"] = True
    record: dict[str, Any] = {"at": vault.now.isoformat(timespec="seconds"), "by": vault.actor, "action": action}
    record |= {"source": source} if source else {}
    record |= {"origins": named} if (named := list(origins)) else {}
    journal.append(vault.root, JOURNAL, record | given)


def name_of(vault: Vault, path: Path) -> str:
    """Return the name of a source or file: its path below the vault, or the absolute one."""
    real, root = path.resolve(), vault.root.resolve()
    return real.relative_to(root).as_posix() if real.is_relative_to(root) else str(real)


def place_of(vault: Vault, name: str) -> Path:
    return Path(name) if Path(name).is_absolute() else vault.root / name


def why_not_read(vault: Vault, name: str) -> str:
    """Return why a source is not read, or "" when it is.

    A vault may come from a stranger, and its journal must not choose what is read on this machine; a source outside the
    vault is read only if it was named here.
    """
    place = place_of(vault, name)
    if not place.exists():
        return "" if name == HOME else "is not here: its documents stay; mem knowledge remove takes them off"
    if Path(name).is_absolute():
        return "" if name in _named_here(vault) else "was not named on this machine, so it is not read; name it"
    return "" if is_inside(vault, place) else "leads out of the vault, so it is not read"


def is_own(origin: str) -> bool:
    """Return whether a document's file lies in the vault itself."""
    return "://" not in origin and not Path(origin).is_absolute()


def is_none_of_ours(vault: Vault, part: FilePart) -> bool:
    """Return whether it is a memory of the vault, a file of mem itself, or a link out of the vault."""
    if not is_own(part.origin):
        return False
    mine = part.origin.startswith(f"{HOME}/") or (part.kind != "markdown" and layout.is_memory(part.origin))
    return not mine or not is_inside(vault, Path(part.path))


def is_inside(vault: Vault, path: Path) -> bool:
    return path.resolve().is_relative_to(vault.root.resolve())


def note_named_here(vault: Vault, name: str) -> None:
    """Record, outside the vault, that the user of this machine has named a source."""
    if name in _named_here(vault) or not Path(name).is_absolute():
        return
    root = str(vault.root.resolve())
    json_read.change_notes(vault.environ, NAMED, lambda noted: {**noted, root: [*_names(noted, root), name]})


def _named_here(vault: Vault) -> list[str]:
    return _names(json_read.read_notes(vault.environ, NAMED), str(vault.root.resolve()))


def _names(noted: dict[str, Any], root: str) -> list[str]:
    names = noted.get(root)
    return list(map(str, names)) if isinstance(names, list) else []


def _options(record: dict[str, Any]) -> Options:
    """Return the options in a line of the journal.

    Values that make no sense are ignored, since another program or a merge may have written it.
    """
    meta, tags, limit = record.get("meta"), record.get("tags"), record.get("limit")
    given = UserMetadata(
        str(record.get("title") or ""), tuple(map(str, tags)) if isinstance(tags, list) else (),
        str(record.get("type") or ""), str(record.get("project") or ""),
        {str(key): str(value) for key, value in meta.items()} if isinstance(meta, dict) else {},
    )  # fmt: skip
    return Options(
        given, limit if isinstance(limit, int) and SMALLEST <= limit <= LIMIT else 0, record.get("keep") is True
    )
