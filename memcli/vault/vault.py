"""Open a vault: its folder, settings and clock, its memories, and the names people give to them."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from memcli.errors import MemError, NotFound, UsageError, VaultError
from memcli.message import Message, filled, joined
from memcli.text.clean import one_line
from memcli.vault import discover, entries, files, layout, settings
from memcli.vault.entries import Document, Entry
from memcli.vault.filter import Filter as Filter
from memcli.vault.layout import CACHE, CONFIG
from memcli.vault.settings import ResolvedSettings, Settings

if TYPE_CHECKING:
    from memcli.text.words import Term
    from memcli.vault.search import Findings, LinePattern

T = TypeVar("T")
Same = TypeVar("Same", bound="Vault")
Rank = tuple[date, str, str, int]  # the order of entries: by day, time, file and line

_HEX_ID = re.compile(r"[0-9a-f]{4,40}\Z")


class Vault:
    """Give access to one vault. Everything above `vault/` gets its files, settings, clock and actor from here."""

    stays = False  # whether files are read from memory in a process that keeps running: `watch.resident.ResidentVault`

    def __init__(
        self, root: Path, resolved: ResolvedSettings, clock: Callable[[], datetime], actor: str = "me",
        environ: Mapping[str, str] | None = None, notices: list[str] | None = None,
    ) -> None:  # fmt: skip
        self.root, self.resolved, self.clock, self.actor = root, resolved, clock, actor
        self.environ = environ or {}
        self.notices = [] if notices is None else notices  # what was skipped or degraded, for the caller to show
        self.agent = ""  # the agent who asks and writes, in its own space; "" means the owner
        self.confined = ""  # the agent to whose space all writes are confined, as by its token; "" means no limit
        self.batch = ""  # an id for writes that undo takes back together, such as `learn:…`
        self.stamps: dict[str, tuple[int, ...]] = {}  # of the files when they were last listed
        self.vectors: Any = None  # `index.VectorIndex`, in a process that keeps running

    def with_values(self: Same, **values: Any) -> Same:
        """Return the same vault with other values, seen as another agent or with other settings."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), **values)
        return other

    @property
    def settings(self) -> Settings:
        return self.resolved.settings

    @property
    def cache(self) -> Path:
        return self.root / CACHE

    @property
    def now(self) -> datetime:
        return self.clock()

    @property
    def today(self) -> date:
        """Return the user's local day, never UTC's."""
        return self.clock().date()

    @property
    def space(self) -> str:
        """Return where new memories go: `agents/NAME/` for an agent, "" for the owner."""
        return layout.space_of(self.agent)

    def seen_by(self, agent: str | None) -> Vault:
        """Return the vault as an agent sees it, or the vault itself without an agent."""
        if not agent or agent == self.agent:
            return self
        if self.agent:
            raise UsageError("{agent} can't ask as {other}", agent=self.agent, other=agent)
        name = layout.agent_name(agent)
        return self.with_values(agent=name, actor=self.environ.get("MEM_ACTOR") or name)

    def sees(self, path: str) -> bool:
        """Return whether the caller may open a file by its name; the owner may open every file."""
        return not self.agent or layout.in_view(path, self.agent)

    def sees_file(self, path: Path) -> bool:
        """Return whether the caller may open any file of this machine. Files outside the vault may always be opened."""
        root, real = files.real_path(self.root), files.real_path(path)
        return not (self.agent and real.is_relative_to(root)) or self.sees(real.relative_to(root).as_posix())

    def named(self, name: str) -> layout.NamedFile | None:
        """Return the file that somebody names, or None in another agent's space, which stays untouched."""
        if not self.sees(posixpath.normpath(name)):
            return None
        try:
            real = files.inside(self.root, name)
        except files.Circle:  # it may lie in another agent's space
            if self.agent:
                return None
            raise
        path = real.relative_to(self.root.resolve()).as_posix()
        return layout.NamedFile(path, real) if self.sees(path) else None

    def place(self, name: str) -> Path:
        """Return where a named file lies. Another agent's file is reported as missing."""
        file = self.named(name)
        if file is None:
            raise files.unreadable(name, FileNotFoundError())
        return file.real

    def notice(self, message: str, **values: Any) -> None:
        message = filled(message, values)
        if message not in self.notices:
            self.notices.append(message)

    def steadily(self, ask: Callable[[], T]) -> T:
        """Run `ask` on one unchanging state of the files, and return its result."""
        return ask()

    def files(self, want: Filter | None = None) -> list[str]:
        """Return the wanted Markdown files, shared or the agent's own, sorted; by default those with memories."""
        return self.admitted(layout.walk(self.root, tell=self.tell_left_out, stamps=self.stamps), want or Filter())

    def admitted(self, paths: Iterable[str], want: Filter) -> list[str]:
        """Return the files among `paths` that `want` admits and that the caller may see."""
        if want.admits_all_files and not self.agent:
            return [*layout.shared_memories(paths)]
        wanted = [path for path in paths if layout.in_view(path, self.agent) and want.admits_file(path)]
        if not self.agent:
            return wanted
        root = os.fspath(self.root)  # a link may lead into another agent's space
        return [path for path in wanted if not os.path.islink(f"{root}/{path}") or self.sees_file(self.root / path)]

    def tell_left_out(self, path: str, why: str) -> None:
        """Add a notice about a file or folder that is not read, if the caller may see it."""
        if self.sees(path):
            self.notice(Message("{place}: {WHY}", place=path, WHY=why))

    def search(
        self, paths: Sequence[str], terms: Sequence[Term], looks: Sequence[LinePattern], tells: bool = True
    ) -> Findings:
        """Search these files for words and patterns. If the search `tells`, a hit in a file that is not valid text is
        reported in a notice."""
        from memcli.vault import search

        return search.search_vault(self, paths, terms, looks, tells)

    def document(self, path: str, part: Callable[[str], str] = str) -> Document:
        """Return a file, or a part of its text, parsed. Raise VaultError when it can't be read."""
        found = self._parse(path, part)
        if found.problem:
            self.notice(found.problem)
        return found

    def _parse(self, path: str, part: Callable[[str], str]) -> Document:
        return entries.parse_document(path, part(files.read_file(self.place(path), path).text))

    def unread(self, paths: Sequence[str]) -> list[str]:
        """Return the files among `paths` that can't be read."""
        return [path for path in paths if not files.is_text(self.root / path)]

    def documents(self, want: Filter | None = None, paths: Sequence[str] | None = None) -> Iterator[Document]:
        """Yield all wanted files, or these, as far as they can be read. Notices name the others."""
        for path in self.files(want) if paths is None else paths:
            try:
                yield self.document(path)
            except MemError as error:
                self.notice(error.message)

    def entries(self, want: Filter | None = None, paths: Sequence[str] | None = None) -> Iterator[Entry]:
        want = want or Filter()
        for document in self.documents(want, paths):
            yield from (entry for entry in document.entries if want.admits(entry))

    def latest(self, want: Filter, most: int, after: Rank | None = None) -> tuple[list[Entry], bool]:
        """Return the latest entries, newest first, at most `most` (0: all) and below the place `after`, and whether
        there are more. Older logs than needed are not opened: a log is taken to hold only its own day."""
        paths = self.files(want)
        logs = {path: layout.day_of(path) or date.min for path in paths if most and layout.kind_of(path) == "log"}
        left = sorted(logs, key=lambda path: (logs[path], path))
        if after:
            left = [path for path in left if logs[path] <= after[0]]

        def ranked(listed: Iterable[Entry]) -> list[Entry]:
            return sorted((one for one in listed if after is None or _rank(one) < after), key=_rank, reverse=True)

        found = ranked(self.entries(want, [path for path in paths if path not in logs]))
        while left:
            if len(found) > most and (found[most].day or date.min) > logs[left[-1]]:
                break  # the logs that are left are older than all of them
            found = ranked([*found[: most + 1], *self.entries(want, [left.pop()])])
        return (found[:most], len(found) > most) if most else (found, False)

    def find_entry(self, name: str) -> Entry:
        """Return the entry called `name`: an id (also from before an edit), its start, `^block-id` or `path:line`."""
        found = self.matches(name)
        if not found:
            from memcli.vault import journal  # needed only for a name that no memory has any more

            found = self.matches(new) if (new := journal.renamed(self.root, name)) else []
        if not found:
            raise NotFound("there is no memory '{name}'", "mem list shows the ids", name=name)
        if len(found) > 1:
            listed = "\n".join(f"  {e.hash[:10]}  {e.place}  {one_line(e.words, 60)}" for e in found[:10])
            listed += f"\n  … +{len(found) - 10}" if len(found) > 10 else ""
            several = Message("'{name}' could be any of {n}:{list}", name=name, n=len(found), list=f"\n{listed}")
            raise UsageError(several, "give more of the id, or path:line")
        return found[0]

    def matches(self, name: str) -> list[Entry]:
        """Return every entry that `name` could mean; archived ones only when no live one matches."""
        path, colon, line = name.rpartition(":")
        if colon and line.isdecimal() and path:
            file = self.named(path)
            if file is None or not file.real.is_file():
                return []  # another agent's space does not exist for this one
            document = self.document(file.path)
            return [e for e in document.entries if e.line <= int(line) <= e.last_line]
        bare = name.removeprefix("^")
        is_hex = bool(_HEX_ID.match(name.lower()))
        for kinds in (frozenset(), frozenset({"archive"})):
            want = Filter(kinds=kinds)
            paths = self.files(want)
            # A block id is written in its file; only what may be the hash of any memory needs all files.
            possible = list(self.entries(want, paths if is_hex else self._having(bare, paths)))
            if exact := [e for e in possible if e.block_id == bare]:
                return exact
            if is_hex and (found := [e for e in possible if e.hash.startswith(name.lower())]):
                return found
        return []

    def _having(self, text: str, paths: list[str]) -> list[str]:
        """Return the files among `paths` that contain a text."""
        from memcli.vault.search import LinePattern

        return sorted(self.search(paths, (), [LinePattern(text.lower(), re.escape(text))]).touched())


def open_vault(
    root: Path,
    clock: Callable[[], datetime],
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
    actor: str = "me",
    forgiving: bool = False,
) -> Vault:
    """Return the vault in folder `root`; any folder of notes is one, even without a `mem.yaml`. With `forgiving`, a
    broken `mem.yaml` is ignored and reported in a notice."""
    if not root.is_dir():
        if root.exists():
            raise VaultError("{root} is not a folder", "--vault DIR or MEM_VAULT names a folder", root=root)
        raise VaultError("{root} does not exist", Message("mem init {root} makes a vault there", root=root), root=root)
    if not os.access(root, os.R_OK | os.X_OK):
        hint = "it belongs to somebody else, or needs chmod u+rwx"
        raise VaultError("{root} can't be read: permission denied", hint, root=root)
    environ, notices = environ or {}, list[str]()
    try:
        resolved = settings.resolve(root / CONFIG, environ, flags or {}, trusted=False)
    except MemError as error:
        if not forgiving:
            if error.message.startswith(f"{CONFIG}:"):
                error.hint = joined(error.hint, settings.HOW_TO_EDIT)
            raise
        resolved = settings.resolve(None, environ, flags or {}, trusted=False)  # raises what is wrong elsewhere
        notices.append(Message("{WHY}; what is set there does not count", WHY=error.message))
    if resolved.ignored:
        from memcli.vault import trust  # brings git and subprocess along; most vaults need no trust

        if trust.is_trusted(root, environ):
            resolved = settings.resolve(root / CONFIG, environ, flags or {}, trusted=True)
        else:
            why = "{place}: ignored {names}: in a vault this counts after `mem trust`"
            notices.append(Message(why, place=CONFIG, names=", ".join(resolved.ignored)))
    return Vault(root, resolved, clock, actor, environ, [*notices, *resolved.odd])


def locate(given: str | None, environ: Mapping[str, str], here: Path) -> Path:
    """Return the vault meant by the flag, `MEM_VAULT`, the nearest `mem.yaml` upwards or the user's default."""
    if found := discover.find_vault(given, environ, str(here)):
        return Path(found)
    hint = "mem init makes one in this folder; --vault DIR or MEM_VAULT name one elsewhere"
    raise VaultError("there is no vault here", hint)


def _rank(entry: Entry) -> Rank:
    return entry.day or date.min, entry.time or "", entry.path, entry.line
