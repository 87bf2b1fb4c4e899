"""Cut a Markdown file into entries, the smallest memories, and read them.

`parse_document(path, text)` is the only parser of memories. It keeps what it does not understand: an entry is a span of
the text it came from. `vault.edit` writes them; nothing is opened or printed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import cached_property
from math import isfinite
from typing import NamedTuple

from memcli.errors import VaultError
from memcli.message import Message
from memcli.text.digest import digest
from memcli.text.later import compile_later
from memcli.vault import layout, markdown, programs, yaml_read
from memcli.vault.markdown import MarkdownBlock
from memcli.vault.tags import front_tags
from memcli.vault.tags import tags_in as tags_in

LONGEST_LINE = 2**16  # characters; a longer line is not a memory, and everything that reads it would stall
SHORT_SECTION = 600  # characters; prose up to this length is one memory, beyond it every paragraph is one
_PROSE = (markdown.PARAGRAPH, markdown.TABLE, markdown.FENCE)
# How much of an entry counts for the entries after and before it, by distance. Turns of a conversation (`Name: …`)
# answer each other; other notes only happen to stand side by side.
REACH = ((0, 1.0), (1, 0.5), (2, 0.25), (-1, 0.5), (-2, 0.25))
ID_LENGTH = 7  # characters shown; like git's, any unambiguous beginning is accepted

_MARKER = compile_later(
    rf" {{0,3}}(?:(?:[-*+]|\d{{1,9}}[.)])(?:[ \t]+|\r?\n|\Z)|{markdown.CHINESE_MARK}[ \t]*(?=\S))"
    r"(?:\[(?P<task>[ xX/-])\](?:[ \t]+|\r?\n|\Z))?"
)
BOXES = {"open": " ", "done": "x", "cancelled": "-"}  # the state of a task, and the sign in its box
_DATE_LEAD = compile_later(r"(?:\*\*)?(\d{4}-\d{2}-\d{2})(?!\d)[ T,:：]*")
_TIME = compile_later(r"(?:\*\*|`|\[)?([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?!\d|:\d)")
_CLOCK = compile_later(r"(?:\*\*|`|\[)?\d{1,2}:\d\d(?::\d\d)?(?:\*\*|`|\])?[ \t]*")
_DECIDED = compile_later(r"(?:\*\*)?(?:decided|decision|决定|决策)(?:\*\*)?[:：]", re.I)  # its own word for its type
_FIELD = compile_later(
    r"(?<![A-Za-z0-9_)\]])\[([^\[\]:\n]+)::[ \t]*((?:[^\[\]\n]|\[\[[^\[\]\n]*\]\])*)\]|\(([\w -]+)::[ \t]*([^()\n]*)\)"
)
_LINE_FIELD = compile_later(r"^[ \t]*(?:[-*+][ \t]+)?([^\W\d][\w /-]{0,40}):: ([^\n]*\S)", re.M)
_BLOCK_ID = compile_later(r"(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t]*\r?$", re.M)
_LINK = compile_later(r"!?\[\[([^\[\]\n|#^]+)[^\[\]\n]*\]\]")


class _Span(NamedTuple):
    path: str  # relative to the vault, with forward slashes
    kind: str  # kind of the file: log, memory, note …
    line: int  # first line, counted from 1
    last_line: int
    start: int  # character span in the file's text
    stop: int
    raw: str
    trail: tuple[str, ...] = ()  # headings above it, outermost first
    file_day: date | None = None  # the day in the file's name
    file_tags: tuple[str, ...] = ()  # tags in the front matter
    ordinal: int = 0  # position among the entries of the file with the same words, from 0


class Entry(_Span):
    """Hold one memory: a span of a file, and what can be known of it from the file alone."""

    def __hash__(self) -> int:
        return hash((self.path, self.start))  # entries are keys all over recall, and hashing all of it would be slow

    @cached_property
    def body(self) -> str:
        """Return the text without list marker, task box and indentation."""
        marker = _MARKER.match(self.raw)
        if not marker:
            return self.raw.strip()
        lines = [line.rstrip() for line in self.raw[marker.end() :].splitlines()]
        under = [line for line in lines[1:] if line]
        depth = min((len(line) - len(line.lstrip()) for line in under), default=0)
        return "\n".join([*lines[:1], *(line[depth:] for line in lines[1:])]).strip()

    @cached_property
    def words(self) -> str:
        """Return the body without inline fields and block id, as a person would read it aloud."""
        body = programs.without_bookkeeping(self.body)
        body = _FIELD.sub("", body) if "::" in body else body  # most lines have neither, and many are read
        body = _BLOCK_ID.sub("", body) if "^" in body else body
        return re.sub(r"[ \t]{2,}", " ", body).strip()

    @cached_property
    def fields(self) -> dict[str, str]:
        """Return the inline fields, `[key:: value]`, and lines of the form `key:: value`; keys are in lower case."""
        found = [(m[1] or m[3], m[2] if m[1] else m[4]) for m in _FIELD.finditer(self.raw)]
        found += _LINE_FIELD.findall(self.raw) if ":: " in self.raw else []
        return {key.strip().lower(): value.strip() for key, value in found}

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """Return the inline tags and those of the file, without `#`, in order and without repeats."""
        return tuple(dict.fromkeys([*tags_in(self.raw), *self.file_tags]))

    @cached_property
    def links(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(m[1].strip() for m in _LINK.finditer(self.raw)))

    @cached_property
    def day(self) -> date | None:
        """Return its own date (a field or a leading one), else the nearest heading's, else the file's, or None."""
        own = self.fields.get("date") or self.fields.get("created")
        if own and (day := layout.day_in(own)):
            return day
        if (lead := _DATE_LEAD.match(self.body)) and (day := layout.day_in(lead[1])):
            return day
        for heading in reversed(self.trail):
            if day := layout.day_in(heading):
                return day
        return self.file_day

    @cached_property
    def time(self) -> str | None:
        """Return the time as `HH:MM` from the head of the entry, else from a heading above it, or None."""
        for text in (_DATE_LEAD.sub("", self.body, count=1), *reversed(self.trail)):
            if match := _TIME.match(text):
                return f"{int(match[1]):02d}:{match[2]}"
        return None

    @cached_property
    def task(self) -> str | None:
        """Return `open`, `done` or `cancelled` for a task box, and None without one."""
        marker = _MARKER.match(self.raw)
        box = marker["task"] if marker else None
        return None if box is None else {"x": "done", "X": "done", "-": "cancelled"}.get(box, "open")

    @property
    def type(self) -> str | None:
        own = self.fields.get("type")
        if own and not own.isascii():
            from memcli.vault import names  # few people write 决定 by hand

            return names.type_name(own)
        noted = own or ("task" if self.task else None)
        return noted or ("decision" if _DECIDED.match(without_time(self.body)) else None)

    @cached_property
    def importance(self) -> float | None:
        try:
            value = float(self.fields["importance"])
        except (KeyError, ValueError):
            return None
        return min(1.0, max(0.0, value)) if isfinite(value) else None

    @property
    def superseded(self) -> str | None:
        """Return the id of the memory that replaced this one, or None."""
        return self.fields.get("superseded")

    @cached_property
    def block_id(self) -> str | None:
        found = _BLOCK_ID.findall(self.raw)
        return found[0] if found else None

    @cached_property
    def hash(self) -> str:
        """Return a hash of day and words: it survives a move of the file and changes of fields, box and white space."""
        again = f"\n{self.ordinal}" if self.ordinal else ""
        return digest(f"{self.day or ''}\n{_identity_words(self.raw)}{again}")

    @property
    def id(self) -> str:
        return f"^{self.block_id}" if self.block_id else self.hash[:ID_LENGTH]

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


class Document(NamedTuple):
    """Hold a Markdown file: its text, front matter and entries."""

    path: str
    text: str
    front: dict[str, object]
    entries: tuple[Entry, ...]
    problem: str = ""  # what could not be understood, in one line, or ""


def parse_document(path: str, text: str) -> Document:
    """Parse a file of the vault. Never raise: broken front matter is named in `problem`, and the rest is read."""
    pieces = markdown.blocks(text)
    front, problem = _read_front(path, pieces)
    if "excalidraw-plugin" in front:  # a drawing is text without memories
        return Document(path, text, front, (), problem)
    day, kind, tags = layout.day_of(path), layout.kind_of(path), front_tags(front)
    if day is None and (own := front.get("date") or front.get("created")):
        day = layout.day_in(str(own))
    seen: dict[str, int] = {}
    entries = []
    for run, trail in _spans(pieces):
        raw = run[0].text.rstrip() if len(run) == 1 else "".join(block.text for block in run).rstrip()
        line, start = run[0].line, run[0].start
        if len(raw) > LONGEST_LINE and (long := _find_long_line(raw)):
            problem = problem or too_long(path, line + long - 1)
            continue
        words = _identity_words(raw)
        if not words or programs.is_template(raw):
            continue  # an empty item or a template's placeholder is not a memory
        ordinal = seen[words] = seen.get(words, -1) + 1
        last_line, stop = line + raw.count("\n"), start + len(raw)
        entries.append(Entry(path, kind, line, last_line, start, stop, raw, trail, day, tags, ordinal))
    return Document(path, text, front, tuple(entries), problem)


def _read_front(path: str, pieces: list[MarkdownBlock]) -> tuple[dict[str, object], str]:
    """Return the front matter and "", or {} and what is wrong with it."""
    head = next((block for block in pieces[:2] if block.kind == markdown.FRONT), None)
    try:
        return front_matter(path, head.text) if head else {}, ""
    except VaultError as error:
        return {}, error.message


def _find_long_line(raw: str) -> int:
    """Return the number of the first line that is too long to be read, or 0."""
    return next((number for number, line in enumerate(raw.split("\n"), 1) if len(line) > LONGEST_LINE), 0)


def too_long(path: str, line: int) -> str:
    what = "{place}: a line of more than {n} KB, its memory is left out"
    return Message(what, place=f"{path}:{line}", n=LONGEST_LINE // 1024)


def front_matter(path: str, block: str) -> dict[str, object]:
    """Return the mapping in a front matter block (with its `---` lines). Raise VaultError naming file and line."""
    inner = "".join(markdown.lines_of(block)[1:-1])
    return yaml_read.mapping(inner, path, first_line=2)


def without_time(text: str) -> str:
    """Return a text without the time of day at its beginning, or unchanged if it is only a time."""
    return (_CLOCK.sub("", text, count=1) if _TIME.match(text) else text) or text


def says_when(text: str) -> bool:
    """Return whether a text to remember begins with a time or a day."""
    marker = _MARKER.match(text)
    body = text[marker.end() :] if marker else text
    return bool(_TIME.match(body) or _DATE_LEAD.match(body))


def is_task(text: str) -> bool:
    """Return whether a text to remember begins with a task box."""
    marker = _MARKER.match(text if markdown.is_item(text) else f"- {text}")
    return bool(marker and marker["task"])


def _identity_words(raw: str) -> str:
    """Return the words that make two entries the same memory: without marker, fields, block id and white space."""
    marker = _MARKER.match(raw)
    said = raw[marker.end() :] if marker else raw
    if "::" in said:
        said = _FIELD.sub("", programs.without_bookkeeping(said))
    if "^" in said:
        said = _BLOCK_ID.sub("", said)
    return " ".join(said.split())


def _spans(pieces: list[MarkdownBlock]) -> Iterator[tuple[list[MarkdownBlock], tuple[str, ...]]]:
    """Yield runs of blocks that make one entry each, with the headings above them."""
    trail: list[tuple[int, str]] = []
    section: list[MarkdownBlock] = []
    for block in [*pieces, None]:
        if block is None or block.kind == markdown.HEADING:
            titles = tuple(title for _, title in trail)
            yield from ((run, titles) for run in _runs(section))
            section = []
            if block is not None:
                trail = [each for each in trail if each[0] < block.level] + [(block.level, block.title)]
        else:
            section.append(block)


def _runs(section: list[MarkdownBlock]) -> Iterator[list[MarkdownBlock]]:
    """Yield the runs of blocks that make one entry each: an item, short prose, or a paragraph of longer prose."""
    run: list[MarkdownBlock] = []
    for block in [*section, None]:
        if block is not None and (block.kind in _PROSE or (run and block.kind == markdown.BLANK)):
            run.append(block)
            continue
        while run and run[-1].kind == markdown.BLANK:
            run.pop()
        if run and run[-1].stop - run[0].start <= SHORT_SECTION:
            yield run
        else:
            yield from ([each] for each in run if each.kind != markdown.BLANK)
        run = []
        if block is not None and block.kind == markdown.ITEM:
            yield [block]
