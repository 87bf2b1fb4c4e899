"""Entries, the smallest memories: what a Markdown file holds, cut and read.

`read(path, text)` is the one parser of the house. It keeps what it does not understand: an entry is a span of the
text it came from. Writing is `vault.edit`'s business; nothing is opened or printed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from math import isfinite

from memcli.errors import VaultError
from memcli.vault import layout, markdown, programs, yaml_read
from memcli.vault.markdown import Block
from memcli.vault.tags import front_tags
from memcli.vault.tags import tags_in as tags_in

LONGEST_LINE = 2**16  # characters; a longer one is no memory, and everything that reads it would stall
SHORT_SECTION = 600  # characters: a run of prose up to here is one memory, beyond it every paragraph is one
_PROSE = (markdown.PARAGRAPH, markdown.TABLE, markdown.FENCE)
# What an entry gives of itself to those after and before it. Turns of a talk (`Name: …`) answer each other; other notes
# only happen to stand side by side.
REACH = ((0, 1.0), (1, 0.5), (2, 0.25), (-1, 0.5), (-2, 0.25))
ASIDE = 0.4  # how much of it is left between entries that are no talk
ID_LENGTH = 7  # shown; like git's, any unambiguous beginning is accepted

_MARKER = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|\r?\n|\Z)(?:\[(?P<task>[ xX/-])\](?:[ \t]+|\r?\n|\Z))?")
_DATE_LEAD = re.compile(r"(?:\*\*)?(\d{4}-\d{2}-\d{2})(?!\d)[ T,:：]*")
_TIME = re.compile(r"(?:\*\*|`|\[)?([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?!\d|:\d)")
_FIELD = re.compile(
    r"(?<![A-Za-z0-9_)\]])\[([^\[\]:\n]+)::[ \t]*((?:[^\[\]\n]|\[\[[^\[\]\n]*\]\])*)\]|\(([\w -]+)::[ \t]*([^()\n]*)\)"
)
_LINE_FIELD = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?([^\W\d][\w /-]{0,40}):: ([^\n]*\S)", re.M)
_BLOCK_ID = re.compile(r"(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t]*\r?$", re.M)
_LINK = re.compile(r"!?\[\[([^\[\]\n|#^]+)[^\[\]\n]*\]\]")


@dataclass(frozen=True)
class Entry:
    """One memory: a span of a file, and what is known of it without asking anybody."""

    path: str  # relative to the vault, with forward slashes
    kind: str  # of the file: log, memory, note …
    line: int  # first line, counted from 1
    last_line: int
    start: int  # character span in the file's text
    stop: int
    raw: str
    trail: tuple[str, ...] = ()  # headings above it, outermost first
    file_day: date | None = None  # by file name
    file_tags: tuple[str, ...] = ()  # by front matter
    ordinal: int = 0  # which of several entries of the file that say the same
    _key: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_key", hash((self.path, self.start)))

    def __hash__(self) -> int:
        return self._key  # entries are keys all over recall; hashing their text again costs

    @cached_property
    def body(self) -> str:
        """The text without list marker, task box and indentation."""
        marker = _MARKER.match(self.raw)
        if not marker:
            return self.raw.strip()
        lines = [line.rstrip() for line in self.raw[marker.end() :].splitlines()]
        under = [line for line in lines[1:] if line]
        depth = min((len(line) - len(line.lstrip()) for line in under), default=0)
        return "\n".join([*lines[:1], *(line[depth:] for line in lines[1:])]).strip()

    @cached_property
    def words(self) -> str:
        """The body as a person would read it aloud: without inline fields and block id."""
        body = programs.without_bookkeeping(self.body)
        body = _FIELD.sub("", body) if "::" in body else body  # most lines have neither, and many are read
        body = _BLOCK_ID.sub("", body) if "^" in body else body
        return re.sub(r"[ \t]{2,}", " ", body).strip()

    @cached_property
    def fields(self) -> dict[str, str]:
        """Inline fields, `[key:: value]`, and lines that are one, `key:: value`; keys in lower case."""
        found = [(m[1] or m[3], m[2] if m[1] else m[4]) for m in _FIELD.finditer(self.raw)]
        found += _LINE_FIELD.findall(self.raw) if ":: " in self.raw else []
        return {key.strip().lower(): value.strip() for key, value in found}

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """Inline tags and those of the file, without `#`, in order, once each."""
        return tuple(dict.fromkeys([*tags_in(self.raw), *self.file_tags]))

    @cached_property
    def links(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(m[1].strip() for m in _LINK.finditer(self.raw)))

    @cached_property
    def day(self) -> date | None:
        """Its own date (a `date` field or a leading one), else the nearest heading's, else the file's."""
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
        """`HH:MM` at the head of the entry, else in a heading above it."""
        for text in (_DATE_LEAD.sub("", self.body, count=1), *reversed(self.trail)):
            if match := _TIME.match(text):
                return f"{int(match[1]):02d}:{match[2]}"
        return None

    @cached_property
    def task(self) -> str | None:
        """`open`, `done` or `cancelled` for a task box, None without one."""
        marker = _MARKER.match(self.raw)
        box = marker["task"] if marker else None
        return None if box is None else {"x": "done", "X": "done", "-": "cancelled"}.get(box, "open")

    @property
    def type(self) -> str | None:
        own = self.fields.get("type")
        if own and not own.isascii():
            from memcli.vault import names  # few write 决定 by hand

            return names.type_name(own)
        return own or ("task" if self.task else None)

    @cached_property
    def importance(self) -> float | None:
        try:
            value = float(self.fields["importance"])
        except (KeyError, ValueError):
            return None
        return min(1.0, max(0.0, value)) if isfinite(value) else None

    @property
    def superseded(self) -> str | None:
        """The id of the memory that took this one's place."""
        return self.fields.get("superseded")

    @cached_property
    def block_id(self) -> str | None:
        found = _BLOCK_ID.findall(self.raw)
        return found[0] if found else None

    @cached_property
    def hash(self) -> str:
        """Hash of day and words: it survives a move of the file and a change of fields, boxes and white space."""
        import hashlib  # 3 ms, and a recall shows no ids

        said = _said(self.raw)
        again = f"\n{self.ordinal}" if self.ordinal else ""
        return hashlib.sha1(f"{self.day or ''}\n{said}{again}".encode("utf-8", "replace")).hexdigest()

    @property
    def id(self) -> str:
        return f"^{self.block_id}" if self.block_id else self.hash[:ID_LENGTH]

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True)
class Document:
    """A Markdown file: its text, front matter and entries."""

    path: str
    text: str
    front: dict[str, object]
    entries: tuple[Entry, ...]
    problem: str = ""  # what of it could not be understood, in one line


def read(path: str, text: str) -> Document:
    """Parse a file of the vault. Never raises: broken front matter is named in `problem`, the rest is read."""
    front: dict[str, object] = {}
    problem = ""
    pieces = markdown.blocks(text)
    if head := next((block for block in pieces[:2] if block.kind == markdown.FRONT), None):
        try:
            front = front_matter(path, head.text)
        except VaultError as error:
            problem = error.message
    spans = () if "excalidraw-plugin" in front else _spans(pieces)  # a drawing, kept as text
    day, kind, tags = layout.day_of(path), layout.kind_of(path), front_tags(front)
    if day is None and (own := front.get("date") or front.get("created")):
        day = layout.day_in(str(own))
    seen: dict[str, int] = {}
    entries = []
    for run, trail in spans:
        raw = run[0].text.rstrip() if len(run) == 1 else "".join(block.text for block in run).rstrip()
        if len(raw) > LONGEST_LINE and (
            long := next((n for n, row in enumerate(raw.split("\n"), 1) if len(row) > LONGEST_LINE), 0)
        ):
            problem = problem or too_long(path, run[0].line + long - 1)
            continue
        said = _said(raw)
        if not said or programs.is_template(raw):
            continue  # a bare marker remembers nothing, nor does what is still to be filled in
        ordinal = seen[said] = seen.get(said, -1) + 1
        line, start = run[0].line, run[0].start
        last_line, stop = line + raw.count("\n"), start + len(raw)
        entries.append(Entry(path, kind, line, last_line, start, stop, raw, trail, day, tags, ordinal))
    return Document(path, text, front, tuple(entries), problem)


def too_long(path: str, line: int) -> str:
    return f"{path}:{line}: a line of more than {LONGEST_LINE // 1024} KB, its memory is left out"


def front_matter(path: str, block: str) -> dict[str, object]:
    """The mapping in a front matter block (its `---` lines included); VaultError names file and line."""
    inner = "".join(markdown.lines_of(block)[1:-1])
    return yaml_read.mapping(inner, path, first_line=2)


def begins_with_time(text: str) -> bool:
    return bool(_TIME.match(text))


def says_when(text: str) -> bool:
    """Whether a text that somebody wants remembered begins with a time or a day of its own."""
    marker = _MARKER.match(text)
    body = text[marker.end() :] if marker else text
    return bool(_TIME.match(body) or _DATE_LEAD.match(body))


def is_task(text: str) -> bool:
    """Whether a text that somebody wants remembered begins with a box."""
    marker = _MARKER.match(text if markdown.is_item(text) else f"- {text}")
    return bool(marker and marker["task"])


def _said(raw: str) -> str:
    """What makes two entries the same memory: the words, without marker, fields, block id and white space."""
    marker = _MARKER.match(raw)
    said = raw[marker.end() :] if marker else raw
    if "::" in said:
        said = _FIELD.sub("", programs.without_bookkeeping(said))
    if "^" in said:
        said = _BLOCK_ID.sub("", said)
    return " ".join(said.split())


def _spans(pieces: list[Block]) -> Iterator[tuple[list[Block], tuple[str, ...]]]:
    """Runs of blocks that make one entry each, with the headings above them."""
    trail: list[tuple[int, str]] = []
    section: list[Block] = []
    for block in [*pieces, None]:
        if block is None or block.kind == markdown.HEADING:
            yield from _section(section, tuple(title for _, title in trail))
            section = []
            if block is not None:
                trail = [each for each in trail if each[0] < block.level] + [(block.level, block.title)]
        else:
            section.append(block)


def _section(section: list[Block], trail: tuple[str, ...]) -> Iterator[tuple[list[Block], tuple[str, ...]]]:
    """Items stand alone; a run of prose stays together when short, of a long one every paragraph stands alone."""
    run: list[Block] = []
    for block in [*section, None]:
        if block is not None and (block.kind in _PROSE or (run and block.kind == markdown.BLANK)):
            run.append(block)
            continue
        while run and run[-1].kind == markdown.BLANK:
            run.pop()
        if run and run[-1].stop - run[0].start <= SHORT_SECTION:
            yield run, trail
        else:
            yield from (([each], trail) for each in run if each.kind != markdown.BLANK)
        run = []
        if block is not None and block.kind == markdown.ITEM:
            yield [block], trail
