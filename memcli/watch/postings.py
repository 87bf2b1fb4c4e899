"""The lines of a vault by heart: which word stands in which line, for a process that stays.

It answers what ripgrep would, to the last digit, in a hundredth of the time. Words lead to the lines that may match; where
a word alone does not settle it, the same regex that ripgrep was given is the judge.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memcli.text.words import CJK, CJK_RUN, Form, Term, lead_of
from memcli.vault.entries import LONGEST_LINE
from memcli.vault.search import LEAD_WITHIN, Look, Tally, matches

GAP = 4  # lines that no file has, between one file and the next, so that neighbours never meet
_PLAIN = re.compile(r"[a-z0-9_]+")  # what an ASCII pattern takes for a word
_OTHER = re.compile(rf"[^\W_{CJK}]*[^\W_{CJK}\x00-\x7f][^\W{CJK}]*")  # words with other letters
# In lower case these turn into ASCII letters; ripgrep keeps them apart.
_ODD = {ord("\u212a"): "¦", ord("\u0130"): "¦"}
_BOX = "[ ]"  # of an open task; no word, and asked for often
Ids = NDArray[np.int64]
_NONE: Ids = np.zeros(0, dtype=np.int64)


class Postings:
    """Files can be put and dropped at any time; a line keeps its number until its file is put again."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {}  # lines of each file
        self._start: dict[str, int] = {}  # number of a file's first line
        self._where: dict[str, array[int]] = {}  # word → numbers of lines, once for each time it stands there
        self._plain: list[str] = []  # words of ASCII letters, sorted
        self._others: list[str] = []  # words with other letters
        self._snakes: list[str] = []  # those with an underscore, whose parts are words too
        self._leads: dict[str, array[int]] = {}
        self._files: list[str] = []  # in the order of their lines; a dropped one is an empty name
        self._starts: list[int] = []
        self._alive = np.zeros(1024, dtype=bool)
        self._next = GAP
        self._words = ""  # all but the Chinese ones, a line each
        self._masks: tuple[object, NDArray[np.bool_]] | None = None

    def __contains__(self, path: str) -> bool:
        return path in self._texts

    @property
    def wasted(self) -> float:
        """The share of lines that are no more: above a half it is time to build anew."""
        return 1 - float(self._alive[: self._next].sum()) / self._next

    def put(self, path: str, text: str) -> None:
        """A new file, or a new text for a known one."""
        self.drop(path)
        lines = text.split("\n")
        start = self._next
        self._next += len(lines) + GAP
        if self._next > len(self._alive):
            self._alive = np.concatenate([self._alive, np.zeros(max(self._next, len(self._alive)), dtype=bool)])
        self._alive[start : start + len(lines)] = True
        self._texts[path], self._start[path] = lines, start
        self._files.append(path)
        self._starts.append(start)
        self._masks = None
        for at, line in enumerate(lines, start):
            if line and len(line) <= LONGEST_LINE:
                self._learn(at, line)

    def drop(self, path: str) -> None:
        if path in self._texts:
            start = self._start.pop(path)
            self._alive[start : start + len(self._texts.pop(path))] = False
            self._files[bisect_left(self._starts, start)] = ""
            self._masks = None

    def text(self, path: str) -> str:
        return "\n".join(self._texts[path])

    def search(self, paths: Sequence[str], terms: Sequence[Term], looks: Sequence[Look]) -> Recollection:
        """What these files have of the words, and of what else is looked for."""
        return Recollection(self, paths, terms, looks)

    def _learn(self, at: int, line: str) -> None:
        low = line.lower() if line.isascii() else line.translate(_ODD).lower()
        for word in _PLAIN.findall(low):
            self._note(word, at)
        if _BOX in low:
            self._note(_BOX, at)
        if not low.isascii():
            for word in _OTHER.findall(low):
                self._note(word, at)
            for run in CJK_RUN.findall(low):
                for word in (*run, *map("".join, pairwise(run))):
                    self._note(word, at)
        if (lead := lead_of(line)) and lead in low[:LEAD_WITHIN]:
            self._leads.setdefault(lead, array("q")).append(at)

    def _note(self, word: str, at: int) -> None:
        known = self._where.get(word)
        if known is not None:
            known.append(at)
            return
        self._where[word] = array("q", (at,))
        if word == _BOX or CJK_RUN.match(word):
            return
        self._words = ""
        if not word.isascii():
            self._others.append(word)
        else:
            insort(self._plain, word)
            if "_" in word:
                self._snakes.append(word)

    # -- what stands where -------------------------------------------------------------------------------------------

    def lines_of(self, words: Iterable[str]) -> Ids:
        """Numbers of the living lines that have one of the words, once for each time, in order."""
        found = [np.frombuffer(self._where[word], dtype=np.int64) for word in words]
        ids = found[0].copy() if len(found) == 1 else np.sort(np.concatenate(found)) if found else _NONE
        living: Ids = ids[self._alive[ids]]
        return living

    def leads(self, text: str) -> Ids:
        ids = np.array(self._leads.get(text, ()), dtype=np.int64)
        living: Ids = ids[self._alive[ids]]
        return living

    def having(self, form: Form) -> Ids:
        """As `lines_of`, for a form of a word."""
        text = form.literal
        if form.pattern and text.isascii() and _PLAIN.fullmatch(text):
            words = self._beginning(text)
            return self.lines_of(word for word in words for _ in range(form.count(word)))
        if not form.pattern and text in self._where and CJK_RUN.fullmatch(text) and len(set(text)) == len(text) <= 2:
            return self.lines_of([text])
        counted = [(at, form.count(self.line(at).lower())) for at in self.maybe(text).tolist()]
        return np.repeat(*(np.array(each, dtype=np.int64) for each in zip(*counted, strict=True))) if counted else _NONE

    def maybe(self, needle: str) -> Ids:
        """Lines that may have a lower-case text somewhere in them: those with its most telling word."""
        if needle == _BOX:
            return np.unique(self.lines_of([_BOX] if _BOX in self._where else []))
        pairs = [word for run in CJK_RUN.findall(needle) for word in map("".join, pairwise(run))]
        signs = [] if pairs else CJK_RUN.findall(needle)
        if pairs or signs:
            rarest = min(pairs or signs, key=lambda word: len(self._where.get(word, ())))
            return np.unique(self.lines_of([rarest] if rarest in self._where else []))
        runs = _PLAIN.findall(needle) + _OTHER.findall(needle)
        if not runs:
            low = (at for at in np.flatnonzero(self._alive).tolist() if needle in self.line(at).lower())
            return np.fromiter(low, dtype=np.int64)
        return np.unique(self.lines_of(self._with(max(runs, key=len))))

    def line(self, at: int) -> str:
        path = self.path(at)
        return self._texts[path][at - self._start[path]]

    def path(self, at: int) -> str:
        return self._files[self.file(at)]

    def file(self, at: int) -> int:
        found = bisect_left(self._starts, at)
        return found if found < len(self._starts) and self._starts[found] == at else found - 1

    def span(self, path: str) -> tuple[int, int]:
        """Numbers of a file's first line and of the one after its last."""
        start = self._start[path]
        return start, start + len(self._texts[path])

    def starts(self) -> Ids:
        return np.array(self._starts, dtype=np.int64)

    def admitted(self, paths: Sequence[str]) -> NDArray[np.bool_]:
        """By number of line: whether it is alive and in one of the files. The same list is asked for again and again."""
        if self._masks is None or self._masks[0] is not paths:
            mask = np.zeros(self._next, dtype=bool)
            for path in paths:
                if path in self._start and "\n" not in path:  # which ripgrep can't name
                    start, stop = self.span(path)
                    mask[start:stop] = True
            self._masks = (paths, mask)
        return self._masks[1]

    def _beginning(self, root: str) -> list[str]:
        found = [word for word in self._snakes if f"_{root}" in word]
        at = bisect_left(self._plain, root)
        while at < len(self._plain) and self._plain[at].startswith(root):
            found.append(self._plain[at])
            at += 1
        return list(dict.fromkeys(found))

    def _with(self, part: str) -> list[str]:
        """Words that have a part in them."""
        if not self._words:
            self._words = "\n".join(["", *self._plain, *self._others, ""])
        found, at = [], self._words.find(part)
        while at >= 0:
            first, last = self._words.rfind("\n", 0, at) + 1, self._words.find("\n", at)
            found.append(self._words[first:last])
            at = self._words.find(part, last)
        return found


@dataclass(frozen=True)
class Recollection:
    """What one search found, as `vault.search.Findings` has it."""

    postings: Postings
    paths: Sequence[str]
    terms: Sequence[Term]
    looks: Sequence[Look]

    def tally(self, terms: Sequence[Term]) -> Tally:
        mask = self.postings.admitted(self.paths)
        found, leads = [], []
        for term in terms:
            named = self.postings.leads(term.text.lower())
            per_form = []
            led = 0
            for form in term.forms:
                ids = self.postings.having(form)
                lines, times = _counted(ids[mask[ids]])
                per_form.append((lines, form.weight * times))
                led += len(np.intersect1d(lines, named)) if len(named) else 0
            found.append(_summed(per_form))
            leads.append(led)
        return Count(self.postings, tuple(found), tuple(leads))

    def touched(self) -> set[str]:
        tally = self.tally(self.terms)
        assert isinstance(tally, Count)
        return {path for path, _ in self._looked()}.union(*map(tally.paths, range(len(self.terms))))

    def files_with(self, test: Callable[[str], bool]) -> list[str]:
        """Of the lines that were looked for: what stands in one of the words' lines alone is no tag and no box."""
        return list(dict.fromkeys(path for path, line in self._looked() if test(line)))

    def _looked(self) -> Iterable[tuple[str, str]]:
        mask = self.postings.admitted(self.paths)
        for look in self.looks:
            has = matches(look)
            ids = self.postings.maybe(look.needle)
            for at in ids[mask[ids]].tolist():
                if has(line := self.postings.line(at)):
                    yield self.postings.path(at), line


@dataclass(frozen=True)
class Count:
    """How often each term stands where: for each, its lines in order, and how often it is in each, weighted."""

    postings: Postings
    found: tuple[tuple[Ids, NDArray[np.float64]], ...]
    leads: tuple[int, ...]

    @property
    def entries(self) -> tuple[int, ...]:
        return tuple(len(lines) for lines, _ in self.found)

    @property
    def files(self) -> tuple[int, ...]:
        starts = self.postings.starts()
        return tuple(len(_once(_files(starts, lines))) for lines, _ in self.found)

    def paths(self, term: int) -> list[str]:
        numbers = _once(_files(self.postings.starts(), self.found[term][0]))
        return [self.postings._files[number] for number in numbers.tolist()]

    def lines(self, path: str) -> Sequence[dict[int, float]]:
        if path not in self.postings:
            return [{} for _ in self.found]
        start, stop = self.postings.span(path)
        found: list[dict[int, float]] = []
        for lines, weights in self._lists:
            first = bisect_left(lines, start)
            last = bisect_left(lines, stop, first)
            found.append({lines[at] - start + 1: weights[at] for at in range(first, last)})
        return found

    @cached_property
    def _lists(self) -> list[tuple[list[int], list[float]]]:
        return [(lines.tolist(), weights.tolist()) for lines, weights in self.found]

    def best(self, rarity: Sequence[float], reach: Sequence[int], knows: float, most: int) -> list[tuple[float, str]]:
        starts = self.postings.starts()
        if not len(starts):
            return []
        near = np.zeros(self.postings._next)
        known = np.zeros(len(starts))
        having = np.zeros(len(starts), dtype=bool)
        for (lines, _), rare in zip(self.found, rarity, strict=True):
            if len(lines):
                touched = np.zeros(len(near), dtype=bool)
                for step in reach:
                    touched[lines + step] = True
                near[touched] += rare
                numbers = _once(_files(starts, lines))
                known[numbers] += rare
                having[numbers] = True
        has = np.flatnonzero(having)
        if not len(has):
            return []
        # A file begins with the gap before it, into which its first line reaches.
        worth = np.maximum.reduceat(near, starts - GAP // 2)[has] + knows * known[has]
        least = np.partition(worth, -most)[-most] if len(worth) > most else 0.0
        ranked = [
            (value, self.postings._files[number])
            for number, value in zip(has.tolist(), worth.tolist(), strict=True)
            if value >= least
        ]
        return sorted(ranked, key=lambda each: (-each[0], each[1]))[:most]


def _files(starts: Ids, lines: Ids) -> Ids:
    return np.searchsorted(starts, lines, side="right") - 1


def _once(ordered: Ids) -> Ids:
    return ordered[np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))] if len(ordered) else ordered


def _counted(ids: Ids) -> tuple[Ids, NDArray[np.int64]]:
    """Each of the ordered numbers once, and how often it came."""
    if not len(ids):
        return ids, ids
    firsts = np.flatnonzero(np.concatenate(([True], ids[1:] != ids[:-1])))
    return ids[firsts], np.diff(np.append(firsts, len(ids)))


def _summed(per_form: Sequence[tuple[Ids, NDArray[Any]]]) -> tuple[Ids, NDArray[np.float64]]:
    """The lines of all forms; where a line has several, they are added in the order of the forms."""
    per_form = [each for each in per_form if len(each[0])]
    if not per_form:
        return _NONE, np.zeros(0)
    if len(per_form) == 1:
        return per_form[0][0], per_form[0][1].astype(np.float64)
    lines = np.unique(np.concatenate([lines for lines, _ in per_form]))
    weights = np.zeros(len(lines))
    for some, times in per_form:
        weights[np.searchsorted(lines, some)] += times
    return lines, weights
