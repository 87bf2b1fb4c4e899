"""Make a note's metadata searchable: its name, title, aliases, and the properties of its front matter.

`People/Hana Sato.md` with `birthday: 1990-03-02` answers when Hana's birthday is, though no line of its text does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath

from memcli.text.later import compile_later
from memcli.vault import layout, markdown
from memcli.vault.entries import Document, Entry

_NAMES = ("title", "aliases", "alias")
# Properties for programs, which say nothing about the subject.
_TECHNICAL = frozenset(
    """id uid uuid type kind class category tag tags created updated modified date time layout template publish
    published permalink slug lang language author draft cssclass cssclasses banner cover icon up related version
    schema""".split()
)
_PLACE = compile_later(
    r"source:[ \t]*[\"']?[\w-]+:\S", re.I
)  # where a note was brought from: an address, markdown:PATH
_PROPERTY = compile_later(r"([^\W\d_][\w -]{0,40}?)[ \t]*:(?=[ \t\r\n])")


@lru_cache(maxsize=65536)
def name_of(path: str) -> str:
    """Return a note's name from its path, in lower case, or "" for logs and files that `mem` itself uses."""
    if layout.kind_of(path) != "note":
        return ""
    return str(PurePosixPath(path).with_suffix("")).lower()


def find_titles(document: Document) -> list[str]:
    """Return all names of a note, in lower case. Each counts as a heading above its whole text."""
    named: list[object] = [name_of(document.path)]
    for key in _NAMES:
        names = document.front.get(key)
        named += names if isinstance(names, list) else [names]
    return list(dict.fromkeys(str(name).lower() for name in named if name))


def read_properties(document: Document) -> Iterator[Entry]:
    """Yield a memory for each property that describes the subject of the note."""
    if not document.front or layout.kind_of(document.path) != "note":
        return
    lines = markdown.lines_of(document.text)
    stop = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), 0)
    starts = [at for at in range(1, stop) if lines[at][:1] not in " \t-#\r\n"]
    for at, end in zip(starts, [*starts[1:], stop], strict=True):
        key = _PROPERTY.match(lines[at])
        if key is None or key[1].lower() in _TECHNICAL or key[1].lower() in _NAMES:
            continue
        start = len("".join(lines[:at]))
        raw = "".join(lines[at:end]).rstrip()
        if raw != key[0] and not _PLACE.match(raw):  # an empty one says nothing
            last_line = at + 1 + raw.count("\n")
            yield Entry(document.path, "note", at + 1, last_line, start, start + len(raw), raw)
