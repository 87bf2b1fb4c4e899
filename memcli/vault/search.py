"""Search the lines of a vault for words: where each was found, and how common it is.

There is no index: the matches that `grep` finds show how common a word is. A resident process keeps the lines in
memory and gives the same answers from there (`watch.postings`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import accumulate, repeat
from pathlib import Path
from typing import NamedTuple, Protocol

from memcli.text.later import compile_later
from memcli.text.words import Term, lead_of
from memcli.vault.grep import Hit, Sought, grep

LEAD_WITHIN = 48  # characters of a line within which a lead must end
_NAMES = compile_later(r"(?<=[\[(])[^\[\]():\n]+::")  # names of fields: [type:: fact]


class Look(NamedTuple):
    """Hold something to look for beside words: a regex, and the lower-case text that every match of it contains."""

    needle: str
    regex: str


class Tally(Protocol):
    """Report how often each term occurs and where."""

    @property
    def entries(self) -> tuple[int, ...]:
        """Return for each term how many lines have it."""

    @property
    def files(self) -> tuple[int, ...]:
        """Return for each term how many files have it."""

    @property
    def leads(self) -> tuple[int, ...]:
        """Return for each term how many lines begin with it, as `Name: …`."""

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
    """Return a line in lower case without the names of its fields: `[type:: fact]` does not speak of a type.

    Two characters whose lower case is an ASCII letter are replaced, because ripgrep does not match them either.
    """
    line = _NAMES.sub("::", line) if "::" in line else line
    return line.replace("\u212a", "¦").replace("\u0130", "¦").lower()


def search(
    root: Path,
    paths: Sequence[str],
    terms: Sequence[Term],
    looks: Sequence[Look],
    tell: Callable[[str], object] = str,
    search_path: str = "",
) -> Grep:
    """Search for everything in one pass of ripgrep. Lines too long to read are left out and reported to `tell`."""
    return Grep(grep(root, paths, sought_for(terms, looks), tell, search_path))


def sought_for(terms: Sequence[Term], looks: Sequence[Look]) -> Sought:
    """Return the search that ripgrep is to run."""
    forms = [form for term in terms for form in term.forms]
    patterns = [*(form.regex for form in forms), *(look.regex for look in looks)]
    needles = [*(form.literal for form in forms), *(look.needle for look in looks)]
    return Sought(patterns, needles)


class Grep(NamedTuple):
    """Hold what ripgrep found."""

    hits: dict[str, list[Hit]]  # by file; files without a match are absent

    def touched(self) -> set[str]:
        return set(self.hits)

    def files_with(self, test: Callable[[str], bool]) -> list[str]:
        return [path for path, hits in self.hits.items() if any(test(hit.text) for hit in hits)]

    def tally(self, terms: Sequence[Term]) -> Tally:
        return _counted(self, terms)


class _Counted(NamedTuple):
    entries: tuple[int, ...]
    files: tuple[int, ...]
    leads: tuple[int, ...]
    by_file: dict[str, list[dict[int, float]]]
    nothing: list[dict[int, float]]

    def lines(self, path: str) -> Sequence[dict[int, float]]:
        return self.by_file.get(path, self.nothing)

    def best(self, rarity: Sequence[float], reach: Sequence[int], knows: float, most: int) -> list[tuple[float, str]]:
        worth: list[tuple[float, str]] = []
        for path, terms in self.by_file.items():
            near: dict[int, float] = defaultdict(float)
            known = 0.0
            for at, lines in enumerate(terms):
                if lines:
                    known += rarity[at]
                    for line in {line + step for line in lines for step in reach}:
                        near[line] += rarity[at]
            worth.append((max(near.values()) + knows * known, path))
        worth.sort(key=lambda each: (-each[0], each[1]))
        return worth[:most]


def _counted(found: Grep, terms: Sequence[Term]) -> _Counted:
    by_file: dict[str, list[dict[int, float]]] = {}
    entries, files, leads = [0] * len(terms), [0] * len(terms), [0] * len(terms)
    for path, hits in found.hits.items():
        text = spoken("\n".join(hit.text for hit in hits))  # joined: a large file has too many lines to ask each
        led: dict[int, str] | None = None
        per_term: list[dict[int, float]] = [{} for _ in terms]
        for at, term in enumerate(terms):
            for form in term.forms:
                places = form.places(text)
                counted = Counter(accumulate(map(text.count, repeat("\n"), [0, *places], places)))
                for number, times in counted.items():
                    line = hits[number].line
                    per_term[at][line] = per_term[at].get(line, 0.0) + form.weight * times
                if counted:
                    led = _leads(hits) if led is None else led
                    leads[at] += sum(led.get(number) == term.text.lower() for number in counted) if led else 0
        if any(per_term):
            by_file[path] = per_term
            for at, where in enumerate(per_term):
                entries[at] += len(where)
                files[at] += bool(where)
    return _Counted(tuple(entries), tuple(files), tuple(leads), by_file, [{} for _ in terms])


def _leads(hits: Sequence[Hit]) -> dict[int, str]:
    """Return the lines that begin with a `Name: …`, each with that name."""
    heads = enumerate(hit.text[: LEAD_WITHIN + 3] for hit in hits)
    leads = {number: lead_of(hits[number].text) for number, head in heads if ":" in head or "：" in head}
    return {number: lead for number, lead in leads.items() if lead in spoken(hits[number].text)[:LEAD_WITHIN]}


def matches(look: Look) -> Callable[[str], bool]:
    """Return a test whether a line matches, for callers that do not run ripgrep."""
    found = re.compile(look.regex, re.I).search
    return lambda line: found(line) is not None
