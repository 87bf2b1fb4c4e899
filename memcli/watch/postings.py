"""Keep an inverted index of a vault's lines in memory, for a process that keeps running.

It finds exactly what ripgrep would find, in a hundredth of the time. Words lead to the lines that may match; where a
word alone does not decide, the regex for ripgrep is tried.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from memcli.text.words import CJK, CJK_RUN, Form
from memcli.vault.entries import LONGEST_LINE
from memcli.vault.search import spoken

GAP = 4  # unused line numbers between one file and the next, so that lines of two files are never neighbours
_PLAIN = re.compile(r"[a-z0-9_]+")  # a word as ASCII patterns understand it
_OTHER = re.compile(rf"[^\W_{CJK}]*[^\W_{CJK}\x00-\x7f][^\W{CJK}]*")  # words with non-ASCII letters
_BOX = "[ ]"  # the box of an open task, which is not a word but is searched for often
Ids = NDArray[np.int64]
NO_LINES: Ids = np.zeros(0, dtype=np.int64)


class Postings:
    """Index the lines of files, which can be added and removed at any time.

    A line keeps its number until its file changes.
    """

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {}  # lines by file
        self._start: dict[str, int] = {}  # number of a file's first line
        self._where: dict[str, array[int]] = {}  # word → numbers of lines, once for each time it occurs
        self._plain: list[str] = []  # words of ASCII letters, sorted
        self._others: list[str] = []  # words with other letters
        self._snakes: list[str] = []  # words with an underscore, whose parts are words, too
        self._files: list[str] = []  # in the order of their lines; a dropped file is ""
        self._starts: list[int] = []
        self._alive = np.zeros(1024, dtype=bool)
        self._next = GAP
        self._words = ""  # all words but the Chinese ones, one a line
        self._masks: tuple[object, NDArray[np.bool_]] | None = None

    def __contains__(self, path: str) -> bool:
        return path in self._texts

    @property
    def size(self) -> int:
        """Return a number above that of every line."""
        return self._next

    @property
    def wasted(self) -> float:
        """Return the share of lines that belong to no file any more."""
        return 1 - float(self._alive[: self._next].sum()) / self._next

    def index_text(self, path: str, text: str) -> None:
        """Add a new file, or replace the text of a known one."""
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

    def files_with(self, text: str) -> list[str]:
        """Return the files in which a line contains this text."""
        return [path for path, lines in self._texts.items() if any(text in line for line in lines)]

    def _learn(self, at: int, line: str) -> None:
        low = spoken(line)
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
        """Return the numbers of the present lines that have one of the words, once for each time, in order."""
        lists = [np.frombuffer(self._where[word], dtype=np.int64) for word in words if word in self._where]
        ids = np.sort(np.concatenate(lists)) if len(lists) > 1 else lists[0] if lists else NO_LINES
        return self._living(ids)

    def _living(self, ids: Ids) -> Ids:
        """Return the lines without those of dropped files, as a copy, because the lists keep growing."""
        living: Ids = ids[self._alive[ids]]
        return living

    def having(self, form: Form) -> Ids:
        """Return the numbers of the lines that have a form of a word, once for each time, in order."""
        text = form.literal
        if form.pattern and text.isascii() and _PLAIN.fullmatch(text):
            words = self._beginning(text)
            return self.lines_of(word for word in words for _ in range(form.times_in(word)))
        if not form.pattern and text in self._where and CJK_RUN.fullmatch(text) and len(set(text)) == len(text) <= 2:
            return self.lines_of([text])
        candidates = self.candidates(text)
        times = [form.times_in(spoken(self.line(at))) for at in candidates.tolist()]
        return np.repeat(candidates, np.array(times, dtype=np.int64))

    def candidates(self, needle: str) -> Ids:
        """Return the lines that may contain a lower-case text: those with its rarest word."""
        if needle == _BOX:
            return np.unique(self.lines_of([_BOX]))
        pairs = [word for run in CJK_RUN.findall(needle) for word in map("".join, pairwise(run))]
        signs = [] if pairs else CJK_RUN.findall(needle)
        if pairs or signs:
            rarest = min(pairs or signs, key=lambda word: len(self._where.get(word, ())))
            return np.unique(self.lines_of([rarest]))
        runs = _PLAIN.findall(needle) + _OTHER.findall(needle)
        if not runs:
            low = (at for at in np.flatnonzero(self._alive).tolist() if needle in self.line(at).lower())
            return np.fromiter(low, dtype=np.int64)
        return np.unique(self.lines_of(self._with(max(runs, key=len))))

    def line(self, at: int) -> str:
        path = self.path(at)
        return self._texts[path][at - self._start[path]]

    def path(self, at: int) -> str:
        return self._files[bisect_right(self._starts, at) - 1]

    def path_of(self, number: int) -> str:
        """Return the path of a file by its position in `starts`."""
        return self._files[number]

    def span(self, path: str) -> tuple[int, int]:
        """Return the numbers of a file's first line and of the one after its last."""
        start = self._start[path]
        return start, start + len(self._texts[path])

    def starts(self) -> Ids:
        """Return the numbers of the files' first lines, in order."""
        return np.array(self._starts, dtype=np.int64)

    def admitted(self, paths: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each line number whether it is present and in one of the files; the last answer is cached."""
        if self._masks is None or self._masks[0] is not paths:
            mask = np.zeros(self._next, dtype=bool)
            for path in paths:
                if path in self._start and "\n" not in path:  # ripgrep can't name a path with a line feed
                    start, stop = self.span(path)
                    mask[start:stop] = True
            self._masks = (paths, mask)
        return self._masks[1]

    def _beginning(self, root: str) -> list[str]:
        """Return the words that begin with a root, or in which a part after an underscore does."""
        words = [word for word in self._snakes if f"_{root}" in word]
        first = bisect_left(self._plain, root)
        words += self._plain[first : bisect_left(self._plain, root + "\x7f", first)]
        return list(dict.fromkeys(words))

    def _with(self, part: str) -> list[str]:
        """Return the words that contain a part."""
        if not self._words:
            self._words = "\n".join(["", *self._plain, *self._others, ""])
        words, at = [], self._words.find(part)
        while at >= 0:
            first, last = self._words.rfind("\n", 0, at) + 1, self._words.find("\n", at)
            words.append(self._words[first:last])
            at = self._words.find(part, last)
        return words
