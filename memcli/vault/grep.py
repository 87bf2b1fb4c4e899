"""Find lines in files, the same ones with ripgrep as a library or with Python's `re`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from memcli.errors import VaultError
from memcli.text.later import compile_later
from memcli.vault import files
from memcli.vault.entries import LONGEST_LINE, too_long

_FIELD = "\x1f"  # separates line number and text
_HIT = compile_later(rf"^(\d+){_FIELD}(.*)$", re.M | re.A)
_BINARY_WITHIN = 2**16  # bytes at a file's start in which ripgrep looks for a zero
_DOTTED = str.maketrans("\u0130", "¦")  # `re` matches it as an i, ripgrep does not
_RUST_ASCII, _PYTHON_ASCII = "(?-u:", "(?a:"


class LineHit(NamedTuple):
    """Hold one matching line of a file."""

    line: int
    text: str


class LineSearch(NamedTuple):
    """Hold regexes of which any may match, and lower-case texts of which every match contains one, if such are
    known."""

    patterns: Sequence[str]
    needles: Sequence[str] = ()

    @property
    def regex(self) -> str:
        return "(?i)(?:" + "|".join(f"(?:{pattern})" for pattern in self.patterns) + ")"


FileHits = tuple[str, list[LineHit]]


# A way of finding lines: it takes the folder, the files below it and the search.
GrepEngine = Callable[[str, Sequence[str], LineSearch], Iterator[FileHits]]


def grep(
    root: Path, paths: Sequence[str], search: LineSearch, tell: Callable[[str], object] = str
) -> dict[str, list[LineHit]]:
    """Return the matching lines by file; ripgrep gets every file by name, so .gitignore can't hide a memory."""
    search = search._replace(patterns=[each for each in search.patterns if "\n" not in each])  # no line contains one
    if not paths or not search.patterns:
        return {}
    known = set(paths)
    found: dict[str, list[LineHit]] = {}
    for path, hits in engine()(f"{root}/", paths, search):
        if long := next((hit for hit in hits if len(hit.text) > LONGEST_LINE), None):
            tell(too_long(path, long.line))
            hits = [hit for hit in hits if len(hit.text) <= LONGEST_LINE]
        if hits and path in known:
            found.setdefault(path, []).extend(hits)
    return found


@cache
def engine() -> GrepEngine:
    """Return the library, or Python's `re` where there is no build of it."""
    try:
        import python_ripgrep  # noqa: F401
    except ImportError:  # there is no build for this Python or system
        return by_python
    return by_library


def by_library(home: str, paths: Sequence[str], search: LineSearch) -> Iterator[FileHits]:
    import python_ripgrep

    blocks = python_ripgrep.search(
        [search.regex], [home + path for path in paths], line_number=True, separator_field_match=_FIELD,
        heading=True,  # set explicitly: the default depends on whether stdout is a terminal
    )  # fmt: skip
    for block in blocks:
        is_named = len(paths) > 1  # a single file is searched without being named
        path = block[len(home) : block.find("\n")] if is_named else paths[0]
        yield path, [LineHit(int(number), text) for number, text in _HIT.findall(block)]


# -- Python ----------------------------------------------------------------------------------------------------------


def by_python(home: str, paths: Sequence[str], search: LineSearch) -> Iterator[FileHits]:
    needles = sorted(set(search.needles), key=len) or [""]
    matches = re.compile(search.regex.replace(_RUST_ASCII, _PYTHON_ASCII)).search
    for path in paths:
        text = _text(Path(home + path))
        low = text.lower()
        if not text or not any(needle in low for needle in needles):
            continue
        hits = [
            LineHit(number, line)
            for number, line in enumerate(text.removesuffix("\n").split("\n"), 1)
            if any(needle in line.lower() for needle in needles) and matches(line.translate(_DOTTED))
        ]
        if _is_utf8(hits):
            yield path, hits


def by_bytes(path: Path, search: LineSearch) -> bool:
    """Return whether a file that is not valid text has a match in what can be read of it."""
    matches = re.compile(search.regex.replace(_RUST_ASCII, _PYTHON_ASCII)).search
    return any(matches(line.translate(_DOTTED)) for line in _text(path).split("\n"))


def _is_utf8(hits: list[LineHit]) -> bool:
    """Return whether all matching lines are valid UTF-8; ripgrep also drops a file with an invalid one."""
    try:
        "".join(hit.text for hit in hits).encode()
    except UnicodeEncodeError:
        return False
    return True


def _text(path: Path) -> str:
    """Return a file's text as ripgrep sees it, or "" when it is binary or can't be read."""
    try:
        data = files.read_bytes(path)
    except VaultError:
        return ""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if b"\0" in data[:_BINARY_WITHIN]:
        return ""
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
