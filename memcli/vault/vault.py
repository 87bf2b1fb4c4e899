"""A vault, opened: its folder, settings and clock, its memories to read, and the names people give to them."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from memcli.errors import MemError, NotFound, UsageError, VaultError
from memcli.vault import discover, entries, files, layout, settings
from memcli.vault.entries import Document, Entry
from memcli.vault.filter import Filter as Filter
from memcli.vault.layout import CACHE, CONFIG
from memcli.vault.settings import Resolved, Settings

if TYPE_CHECKING:
    from memcli.text.words import Term
    from memcli.vault.search import Findings, Look

T = TypeVar("T")
Rank = tuple[date, str, str, int]  # an entry's place among all, by day, time, file and line

_HEX_ID = re.compile(r"[0-9a-f]{4,40}\Z")


@dataclass
class Vault:
    """The door of the first floor. Everything above gets its files, settings, clock and actor from here."""

    root: Path
    resolved: Resolved
    clock: Callable[[], datetime]
    actor: str = "me"
    environ: Mapping[str, str] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)  # what was skipped or degraded, for the face to tell
    agent: str = ""  # who asks, and whose memories are written: an agent, in its own space; empty: the owner
    confined: str = ""  # the agent whose space alone may be written to, as with its token; empty: all of it
    batch: str = ""  # names writes that are one to the person, as `learn:…`: undo takes them back together
    stays: ClassVar[bool] = False  # whether its process stays and is warm, as the watcher's
    vectors: Any = None  # `index.VectorIndex`, in a process that stays: it knows meanings

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
        """The user's local day, never UTC's."""
        return self.clock().date()

    @property
    def space(self) -> str:
        """Where what is kept goes: `agents/NAME/` of an agent, nothing of the owner."""
        return layout.space_of(self.agent)

    def seen_by(self, agent: str | None) -> Vault:
        """The same vault as an agent sees it; nobody's is as it is."""
        if not agent or agent == self.agent:
            return self
        if self.agent:
            raise UsageError(f"{self.agent} can't ask as {agent}")
        name = layout.agent_name(agent)
        return replace(self, agent=name, actor=self.environ.get("MEM_ACTOR") or name)

    def sees(self, path: str) -> bool:
        """Whether who asks may open a file by its name; the owner may open all there is."""
        return not self.agent or layout.in_view(path, self.agent)

    def sees_file(self, path: Path) -> bool:
        """The same of any file of this machine: all that is none of the vault's may be opened."""
        root, real = self.root.resolve(), path.resolve()
        return not (self.agent and real.is_relative_to(root)) or self.sees(real.relative_to(root).as_posix())

    def named(self, name: str) -> layout.NamedFile | None:
        """Return the file that somebody names, however it is spelled; None in another agent's space, where nothing is
        touched: not even whether it is there shows."""
        if not self.sees(posixpath.normpath(name)):
            return None
        try:
            real = files.inside(self.root, name)
        except files.Circle:  # it may lie in another's space
            if self.agent:
                return None
            raise
        path = real.relative_to(self.root.resolve()).as_posix()
        return layout.NamedFile(path, real) if self.sees(path) else None

    def place(self, name: str) -> Path:
        """Return where a file lies that somebody names. In another's space nothing is there."""
        file = self.named(name)
        if file is None:
            raise files.unreadable(name, FileNotFoundError())
        return file.real

    def notice(self, message: str) -> None:
        if message not in self.notices:
            self.notices.append(message)

    def steadily(self, ask: Callable[[], T]) -> T:
        """Ask something while what is known of the files stays as it is. Here nothing is known: they are read."""
        return ask()

    def files(self, want: Filter | None = None) -> list[str]:
        """Paths of Markdown files, sorted: by default those that hold memories. What is shared, and an agent's own."""
        return self.admitted(layout.walk(self.root, tell=self.left_out), want or Filter())

    def admitted(self, paths: Iterable[str], want: Filter) -> list[str]:
        """Those of the files that are wanted and that who asks may see."""
        wanted = [path for path in paths if layout.in_view(path, self.agent) and want.admits_file(path)]
        if not self.agent:
            return wanted
        root = os.fspath(self.root)  # a link may lead into the space of another
        return [path for path in wanted if not os.path.islink(f"{root}/{path}") or self.sees_file(self.root / path)]

    def left_out(self, line: str) -> None:
        """A notice that begins with the name of a file."""
        if self.sees(line.partition(": ")[0]):
            self.notice(line)

    def dated(self, paths: Sequence[str], first: date, last: date) -> list[tuple[date, str]]:
        """Those of the files whose name carries a day from `first` to `last`, with that day, newest first."""
        found = [(day, path) for path in paths if (day := layout.day_of(path)) and first <= day <= last]
        found.sort(key=lambda each: (-each[0].toordinal(), each[1]))
        return found

    def search(self, paths: Sequence[str], terms: Sequence[Term], looks: Sequence[Look]) -> Findings:
        """Where words, and what else is looked for, stand in these files; a hit in one that is no text is told."""
        from memcli.vault import unread  # a regex or two more, which only recall needs

        unread.tell_hits(self, paths, terms, looks)
        return self._found(paths, terms, looks)

    def _found(self, paths: Sequence[str], terms: Sequence[Term], looks: Sequence[Look]) -> Findings:
        from memcli.vault import search

        return search.search(self.root, paths, terms, looks, self.notice, self.environ.get("PATH", ""))

    def document(self, path: str, part: Callable[[str], str] = str) -> Document:
        """One file, or a part of its text, parsed. VaultError when it can't be read; a broken front matter is noticed,
        not fatal."""
        found = entries.read(path, part(files.read(self.place(path), path).text))
        if found.problem:
            self.notice(found.problem)
        return found

    def unread(self, paths: Sequence[str]) -> list[str]:
        """Those of these files that can't be read."""
        return [path for path in paths if not files.is_text(self.root / path)]

    def documents(self, want: Filter | None = None, paths: Sequence[str] | None = None) -> Iterator[Document]:
        """All files, or these, as far as they can be read; the others are named in `notices` and the rest goes on."""
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
        """The latest entries, newest first, at most so many (0: all), and whether there are more; `after` a place in
        that order only those that follow. A log older than enough of them is not even opened: it is taken to hold what
        was written on its day."""
        paths = self.files(want)
        logs = {path: layout.day_of(path) or date.min for path in paths if most and layout.kind_of(path) == "log"}
        left = sorted(logs, key=lambda path: (logs[path], path))
        if after:
            left = [path for path in left if logs[path] <= after[0]]

        def ranked(listed: Iterable[Entry]) -> list[Entry]:
            return sorted((one for one in listed if after is None or _rank(one) < after), key=_rank, reverse=True)

        found = ranked(self.entries(want, [path for path in paths if path not in logs]))
        while left and not (len(found) >= most and (found[most - 1].day or date.min) > logs[left[-1]]):
            found = ranked([*found[: most + 1], *self.entries(want, [left.pop()])])
        return (found[:most], bool(left) or len(found) > most) if most else (found, False)

    def find(self, name: str) -> Entry:
        """The one entry called `name`: an id or its beginning, `^block-id`, or `path:line`. An id that the memory
        had before it was edited finds it, too."""
        found = self.matches(name)
        if not found:
            from memcli.vault import journal  # only a name that nothing has any more is looked for there

            found = self.matches(new) if (new := journal.renamed(self.root, name)) else []
        if not found:
            raise NotFound(f"there is no memory '{name}'", "mem list shows the ids")
        if len(found) > 1:
            listed = "\n".join(f"  {e.hash[:10]}  {e.place}  {_gist(e)}" for e in found[:10])
            more = f"\n  … and {len(found) - 10} more" if len(found) > 10 else ""
            raise UsageError(
                f"'{name}' could be any of {len(found)}:\n{listed}{more}", "give more of the id, or path:line"
            )
        return found[0]

    def matches(self, name: str) -> list[Entry]:
        """Every entry that `name` could mean; archived ones only when no live one does."""
        path, colon, line = name.rpartition(":")
        if colon and line.isdigit() and path:
            file = self.named(path)
            if file is None or not file.real.is_file():
                return []  # another agent's space does not exist for this one
            document = self.document(file.path)
            return [e for e in document.entries if e.line <= int(line) <= e.last_line]
        bare = name.removeprefix("^")
        written = name.startswith("^")  # in the file itself, so that only files that have it need be read
        is_hex = bool(_HEX_ID.match(name.lower()))
        for kinds in (frozenset(), frozenset({"archive"})):
            want = Filter(kinds=kinds)
            paths = self.files(want)
            live = list(self.entries(want, self._having(name, paths) if written else paths))
            if exact := [e for e in live if e.block_id == bare]:
                return exact
            if is_hex and (found := [e for e in live if e.hash.startswith(name.lower())]):
                return found
        return []

    def _having(self, text: str, paths: list[str]) -> list[str]:
        """Those of the files in which a text stands."""
        from memcli.vault.search import Look

        return sorted(self.search(paths, (), [Look(text.lower(), re.escape(text))]).touched())


def open_vault(
    root: Path,
    clock: Callable[[], datetime],
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
    actor: str = "me",
    forgiving: bool = False,
) -> Vault:
    """The vault in folder `root`, its settings resolved; any folder of notes is one, with or without a `mem.yaml`. Who
    is `forgiving` gets it with a broken one, too: without its settings, and told so."""
    if not root.is_dir():
        what = "is not a folder" if root.exists() else "does not exist"
        raise VaultError(f"{root} {what}", f"mem init {root} makes a vault there")
    if not os.access(root, os.R_OK | os.X_OK):
        raise VaultError(
            f"{root} can't be read: permission denied", "it belongs to somebody else, or needs chmod u+rwx"
        )
    environ = environ or {}
    notices = []
    try:
        resolved = settings.resolve(root / CONFIG, environ, flags or {}, trusted=False)
    except MemError as error:
        if not forgiving or not error.message.startswith(CONFIG):
            raise
        notices.append(f"{error.message}; what is set there does not count")
        resolved = settings.resolve(None, environ, flags or {}, trusted=False)
    if resolved.ignored:
        from memcli.vault import trust  # brings git and subprocess along; most vaults ask for nothing

        if trust.is_trusted(root, environ):
            resolved = settings.resolve(root / CONFIG, environ, flags or {}, trusted=True)
        else:
            names = ", ".join(resolved.ignored)
            notices.append(f"{CONFIG}: ignored {names}: in a vault this counts after `mem trust`")
    return Vault(root, resolved, clock, actor, environ, notices)


def locate(given: str | None, environ: Mapping[str, str], here: Path) -> Path:
    """Which vault is meant: the flag, `MEM_VAULT`, the nearest folder upwards with a `mem.yaml`, the user's default."""
    if found := discover.find(given, environ, str(here)):
        return Path(found)
    raise VaultError(
        "there is no vault here",
        "mem init makes one in this folder; --vault DIR or MEM_VAULT name one elsewhere",
    )


def leaves(place: str) -> bool:
    """Whether the name of a place leads out of the vault."""
    return ".." in re.split(r"[/\\]", place)


def _rank(entry: Entry) -> Rank:
    return entry.day or date.min, entry.time or "", entry.path, entry.line


def _gist(entry: Entry) -> str:
    said = " ".join(entry.words.split())
    return said if len(said) <= 60 else said[:59] + "…"
