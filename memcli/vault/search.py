"""Search the lines of a vault for words, and report where each occurs and how common it is.

A resident process keeps the lines in memory and gives the same answers from there (`watch.postings`).
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import accumulate, islice, repeat
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memcli.errors import MemError
from memcli.text.later import compile_later
from memcli.text.words import Term
from memcli.vault import files
from memcli.vault.grep import LineHit, LineSearch, by_bytes, grep
from memcli.vault.joined_text import TEXT, JoinedText, joined_notes
from memcli.vault.layout import CACHE

if TYPE_CHECKING:
    from memcli.vault.vault import Vault

CHECKED = 2000  # files; in a larger vault only `mem doctor` reports those that are not valid text
REPORTED = 3  # files reported one by one
_NAMES = compile_later(r"(?<=[\[(])[^\[\]():\n]+::")  # names of fields: [type:: fact]


class LinePattern(NamedTuple):
    """Hold a pattern to search besides words, in any case: a lower-case text that every match contains, and a regex for
    both ripgrep and `re`, without flags for the whole of it and without line feeds."""

    needle: str
    regex: str


class Tally(Protocol):
    """Report how often each term occurs and where."""

    @property
    def entries(self) -> tuple[int, ...]:
        """Return for each term how many lines have it."""

    def lines(self, path: str) -> Sequence[dict[int, float]]:
        """Return for each term a mapping from lines of the file to how often they have it, weighted."""

    def best(self, rarity: Sequence[float], reach: Sequence[int], knows: float, most: int) -> list[tuple[float, str]]:
        """Return the `most` files with the highest worth, best first, as (worth, path).

        A file is worth the rarity of the terms in its best line and the lines in its reach, plus `knows` times the
        rarity of all terms in the file.
        """


class Findings(Protocol):
    """Hold what one search found."""

    def tally(self, terms: Sequence[Term]) -> Tally: ...

    def touched(self) -> set[str]:
        """Return the files with a match of anything."""

    def files_with(self, test: Callable[[str], bool]) -> list[str]:
        """Return the files with a matching line that passes the test."""


def spoken(line: str) -> str:
    """Return a line in lower case without the names of its fields: `[type:: fact]` does not speak of a type. Two
    characters whose lower case is an ASCII letter are replaced, because ripgrep does not match them either."""
    line = _NAMES.sub("::", line) if "::" in line else line
    return line.replace("\u212a", "¦").replace("\u0130", "¦").lower()


def search_vault(
    vault: Vault, paths: Sequence[str], terms: Sequence[Term], looks: Sequence[LinePattern], tells: bool = True
) -> Grep:
    """Search for everything in one pass of ripgrep; notices report what can't be read: long lines, text that is not
    valid."""
    search, found = line_search(terms, looks), Grep([], [], [], [], [])
    joined = joined_notes(vault.root, vault.cache, paths, vault.stamps)
    if tells and len(paths) <= CHECKED and not vault.stays:
        tell_unreadable(vault, joined.others if joined else paths, search)  # what was joined is valid
    if joined:
        name = f"{CACHE}/{TEXT}"
        hits = grep(vault.root, [name], search).get(name, ())
        if joined.is_current():  # another process may have joined the notes anew
            found.add_joined(hits, joined)
            paths = joined.others
    for path, own in grep(vault.root, paths, search, vault.notice).items():
        found.add(path, own)
    return found


def tell_unreadable(vault: Vault, suspects: Sequence[str], search: LineSearch) -> None:
    """Report the first of these files that are not valid text and have a match: ripgrep leaves them out."""
    unread = (path for path in sorted(suspects) if not files.is_text(vault.root / path))
    matching = (path for path in unread if search.patterns and by_bytes(vault.root / path, search))
    for path in islice(matching, REPORTED):
        try:
            files.read_file(files.inside(vault.root, path), path)
        except MemError as error:
            vault.notice(error.message)


def line_search(terms: Sequence[Term], looks: Sequence[LinePattern]) -> LineSearch:
    """Return the search that ripgrep is to run."""
    forms = [form for term in terms for form in term.forms]
    patterns = [*(form.regex for form in forms), *(look.regex for look in looks)]
    needles = [*(form.literal for form in forms), *(look.needle for look in looks)]
    return LineSearch(patterns, needles)


class Grep(NamedTuple):
    """Hold the lines that ripgrep found, file after file."""

    paths: list[str]  # the files with a match
    firsts: list[int]  # of each file, the place of its first hit
    owners: list[int]  # of each hit, the place of its file
    lines: list[int]  # of each hit, its line in the file
    texts: list[str]  # of each hit

    def add(self, path: str, hits: Sequence[LineHit]) -> None:
        """Add the hits of a file."""
        self.paths.append(path)
        self.firsts.append(len(self.lines))
        for line, text in hits:
            self.owners.append(len(self.paths) - 1)
            self.lines.append(line)
            self.texts.append(text)

    def add_joined(self, hits: Sequence[LineHit], joined: JoinedText) -> None:
        """Add the hits of the joined text that lie in notes which have not changed."""
        path, start, end = "", 0, 0
        for number, text in hits:  # there may be very many, so this loop does no more than it must
            if number > end:
                note = bisect_left(joined.starts, number) - 1
                path, start = joined.paths[note], joined.starts[note]
                end = joined.starts[note + 1] if note + 1 < len(joined.starts) else sys.maxsize
                if path:
                    self.add(path, ())
            if path:
                self.owners.append(len(self.paths) - 1)
                self.lines.append(number - start)
                self.texts.append(text)

    def touched(self) -> set[str]:
        return set(self.paths)

    def files_with(self, test: Callable[[str], bool]) -> list[str]:
        hits = zip(self.owners, self.texts, strict=True)
        return list(dict.fromkeys(self.paths[owner] for owner, text in hits if test(text)))

    def tally(self, terms: Sequence[Term]) -> Tally:
        return _TermCounts(self, terms)

    def hits_of(self, file: int) -> range:
        return range(self.firsts[file], self.firsts[file + 1] if file + 1 < len(self.firsts) else len(self.lines))


class _TermCounts:
    """Hold which hits have each term, and how often, weighted."""

    def __init__(self, found: Grep, terms: Sequence[Term]) -> None:
        self.found, self.having = found, _counted(found, terms)
        self.entries = tuple(map(len, self.having))
        self._files = [set(map(found.owners.__getitem__, hits)) for hits in self.having]
        self._places = {path: at for at, path in enumerate(found.paths)}
        self._orders: dict[int, dict[int, int]] = {}

    def lines(self, path: str) -> Sequence[dict[int, float]]:
        if path not in self._places:
            return [{} for _ in self.having]
        file = self._places[path]
        per_term = []
        for at, having in enumerate(self.having):
            hits = [hit for hit in self.found.hits_of(file) if hit in having]
            if len(hits) > 1:  # the sums of weights depend on the order, so it has to stay that of the forms
                hits.sort(key=self._order(at).__getitem__)
            per_term.append({self.found.lines[hit]: having[hit] for hit in hits})
        return per_term

    def _order(self, at: int) -> dict[int, int]:
        if at not in self._orders:
            self._orders[at] = {hit: number for number, hit in enumerate(self.having[at])}
        return self._orders[at]

    def best(self, rarity: Sequence[float], reach: Sequence[int], knows: float, most: int) -> list[tuple[float, str]]:
        known: dict[int, float] = {}
        several: set[int] = set()
        for rare, having in zip(rarity, self._files, strict=True):
            several |= having & known.keys()
            for file in having:
                known[file] = known.get(file, 0.0) + rare
        paths = self.found.paths
        ranked: list[tuple[float, str]] = []
        for file in sorted(known, key=lambda file: (-known[file], paths[file])):
            limit = -(known[file] + knows * known[file])  # no lines of a file know more than the file
            if len(ranked) == most and limit > ranked[-1][0]:
                break
            if len(ranked) < most or (limit, paths[file]) < ranked[-1]:
                near = self._near(file, rarity, reach) if file in several else known[file]
                insort(ranked, (-(near + knows * known[file]), paths[file]))
                del ranked[most:]
        return [(-worth, path) for worth, path in ranked]

    def _near(self, file: int, rarity: Sequence[float], reach: Sequence[int]) -> float:
        """Return the summed rarity of the terms in a file's best line and the lines in its reach."""
        near: dict[int, float] = defaultdict(float)
        for rare, having in zip(rarity, self.having, strict=True):
            lines = [self.found.lines[hit] for hit in self.found.hits_of(file) if hit in having]
            for line in {line + step for line in lines for step in reach}:
                near[line] += rare
        return max(near.values())


def _counted(found: Grep, terms: Sequence[Term]) -> list[dict[int, float]]:
    """Return for each term how often each hit has it, weighted."""
    text = spoken("\n".join(found.texts))  # joined: there are too many lines to ask each
    having: list[dict[int, float]] = [{} for _ in terms]
    for at, term in enumerate(terms):
        for form in term.forms:
            places = form.places(text)
            counted = Counter(accumulate(map(text.count, repeat("\n"), [0, *places], places)))
            for hit, times in counted.items():
                having[at][hit] = having[at].get(hit, 0.0) + form.weight * times
    return having


def matches(look: LinePattern) -> Callable[[str], bool]:
    """Return a test whether a line matches, for callers that do not run ripgrep."""
    found = re.compile(look.regex, re.I).search
    return lambda line: found(line) is not None
