"""Decide which files are indexed, and build the rows of their entries. Long texts are cut at the best places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from memcli.text import tokens
from memcli.text.digest import digest
from memcli.text.sentences import sentences, whole_before
from memcli.vault import entries, files, layout, markdown
from memcli.vault.entries import Document, Entry
from memcli.vault.tags import with_parents
from memcli.vault.vault import Vault

Count = Callable[[str], int]

LONG, OVERLAP = 300, 30  # tokens up to which an entry stays in one piece, and tokens that neighbouring pieces share
_SENTENCE, _PARAGRAPH, _HEADING = 0, 1, 2  # how good the place before it is for a cut


@dataclass(frozen=True, slots=True)
class EntryRow:
    """Hold what the index knows of an entry, or of a piece of a long one."""

    id: str
    path: str
    line: int
    last_line: int
    trail: str
    kind: str
    day: str  # ISO, or ""
    tags: tuple[str, ...]  # in lower case; `work/api` also counts as `work`
    agent: str  # the agent in whose own space it lies; "" means shared
    importance: float | None
    tokens: int
    parent: str  # the entry's hash, shared by its pieces
    hash: str  # hash of the text that is embedded
    text: str


class TextAtom(NamedTuple):
    """Hold a piece of text that is not cut again."""

    text: str
    cost: int
    worth: int  # how good a cut before it is
    whole: bool = False  # whether it is code or a table


def hash_of(entry: Entry) -> str:
    """Return the hash under which the vector of an entry embedded in one piece is kept."""
    return digest(indexed_text(entry), 16)


def indexed_text(entry: Entry) -> str:
    """Return the text of an entry for search and embedding: its words and its lead, without the time of day."""
    return entries.without_time(entry.words)


def rows(document: Document) -> list[EntryRow]:
    """Return the rows of a file."""
    agent = layout.agent_of(document.path) or ""
    found = []
    for entry in document.entries:
        text = indexed_text(entry)
        size = tokens.count(text) if len(text) <= LONG * 8 else LONG + 1  # counting takes long in text without spaces
        cuts = [(0, len(text))] if size <= LONG else spans(text, LONG, OVERLAP)
        for number, (start, stop) in enumerate(cuts):
            piece = text[start:stop]
            line = min(entry.line + text.count("\n", 0, start), entry.last_line)
            found.append(
                EntryRow(
                    digest(f"{document.path}\n{entry.hash}\n{number}", 20), document.path, line,
                    entry.last_line if len(cuts) == 1 else min(line + piece.count("\n"), entry.last_line),
                    " > ".join(entry.trail), entry.kind, entry.day.isoformat() if entry.day else "",
                    with_parents(entry.tags), agent, entry.importance, size if size <= LONG else tokens.count(piece),
                    entry.hash, digest(piece, 16), piece,
                )
            )  # fmt: skip
    return found


def spans(text: str, most: int, overlap: int, count: Count = tokens.count, whole: int = 0) -> list[tuple[int, int]]:
    """Return the spans of the pieces of a text, each of at most `most` tokens.

    A cut is made before a heading, else between paragraphs, else between sentences. Code and tables of up to `whole`
    tokens are not cut; one may be the whole of a piece that is larger than the others. A piece begins with the last
    sentences of the one before, or with the end of one that is too long; before a heading it shares nothing.
    """
    atoms = _atoms(text, most, overlap, count, whole)
    starts = [0, *accumulate(len(atom.text) for atom in atoms)]
    found: list[tuple[int, int]] = []
    at = done = tail = 0  # the atom a piece begins with, the first atom in no piece yet, characters before it
    while done < len(atoms):
        size, end = atoms[at].cost + (count(text[starts[at] - tail : starts[at]]) if tail else 0), at + 1
        while end < len(atoms) and size + atoms[end].cost <= most:
            size, end = size + atoms[end].cost, end + 1
        if end < len(atoms):
            late = range(at + max(1, (end - at) * 2 // 3), end + 1)  # a good cut must not leave a small piece
            end = max(late, key=lambda cut: (atoms[cut].worth, cut))
        # joined words may count differently
        while end > at + 1 and count(text[starts[at] - tail : starts[end]]) > most:
            end -= 1
        if end <= done or (tail and count(text[starts[at] - tail : starts[end]]) > most):
            at, tail = done, 0  # the shared text left no room for more
            continue
        found.append((starts[at] - tail, starts[end]))
        if end == len(atoms):
            break
        back = done = end
        shared_limit = 0 if atoms[end].worth == _HEADING else min(overlap, most - atoms[end].cost)
        last = atoms[end - 1]
        tail = _tail(last.text, shared_limit, count) if last.cost > shared_limit > 0 and not last.whole else 0
        while back > at + 1 and atoms[back - 1].cost <= shared_limit:
            back -= 1
            shared_limit -= atoms[back].cost
        at = back
    return found


def _tail(text: str, room: int, count: Count) -> int:
    """Return how many characters at the end of a sentence fit `room`, cutting between words where possible."""
    start = 0
    while count(text[start:]) > room:
        middle = (start + len(text) + 1) // 2
        start = max(start + 1, whole_before(text, middle))
    return len(text) - start


def _atoms(text: str, most: int, overlap: int, count: Count, whole: int) -> list[TextAtom]:
    """Return the sentences of a text with their costs, each small enough to share a piece with what ends before it."""
    most = max(most - overlap, most // 2, 1)
    found: list[TextAtom] = []
    for block in markdown.blocks(text):
        worth = _HEADING if block.kind == markdown.HEADING else _PARAGRAPH
        if whole and block.kind in (markdown.FENCE, markdown.TABLE) and (size := count(block.text)) <= whole:
            found.append(TextAtom(block.text, size, worth, True))
            continue
        for sentence in sentences(block.text):
            for piece in _halved(sentence, most, count):
                found.append(TextAtom(piece, count(piece.rstrip(" ")), worth))  # the space goes with the next word
                worth = _SENTENCE
    return found


def _halved(text: str, most: int, count: Count) -> list[str]:
    """Return a text in pieces of at most `most` tokens; an endless one (a table, a key) is cut anywhere."""
    if len(text) < 2 or (len(text) <= most * 8 and count(text) <= most):
        return [text]
    middle = whole_before(text, len(text) // 2) or len(text) // 2
    return [*_halved(text[:middle], most, count), *_halved(text[middle:], most, count)]


def memories(vault: Vault) -> Iterator[str]:
    """Yield the files that are indexed: all memories, including those of agents, which are marked as theirs."""
    yield from filter(layout.is_memory, layout.walk(vault.root, tell=vault.tell_left_out))


def stamps(vault: Vault, paths: set[str] | None = None) -> Iterator[tuple[str, str]]:
    """Yield each existing file among `paths` (by default all) with a stamp that changes when the file does."""
    wanted = memories(vault) if paths is None else iter(sorted(filter(_is_indexed, paths)))
    for path in wanted:
        if info := files.stat_of(vault.root / path):  # else it vanished between listing and looking
            yield path, ":".join(map(str, files.stamp_of(info)))


def _is_indexed(path: str) -> bool:
    hidden = any(part.startswith(".") or part == "node_modules" for part in path.split("/"))
    return path.endswith(layout.MARKDOWN) and layout.is_memory(path) and not hidden
