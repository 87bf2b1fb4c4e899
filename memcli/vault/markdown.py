"""Cut Markdown into blocks whose text, joined, is the input byte for byte; `entries` decides what a block means."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from memcli.text.later import compile_later

FRONT, BLANK, HEADING, ITEM, PARAGRAPH, FENCE, TABLE, RULE, COMMENT = (
    "front", "blank", "heading", "item", "paragraph", "fence", "table", "rule", "comment",
)  # fmt: skip

_LINE = compile_later(r"[^\n]*\n|[^\n]+")
_HEADING = compile_later(r" {0,3}(#{1,6})(?=[ \t]|\r?\n?\Z)")
# Marks of lists in Chinese notes, which need no space behind them: 1、 一、 （1） ① •
# but not 5、6号, 三、四月 and (415) 555-2671
_NO_NUMBER = r"(?![0-9０-９一二三四五六七八九十])"
CHINESE_MARK = (
    rf"(?:[0-9０-９]{{1,2}}、{_NO_NUMBER}|[一二三四五六七八九十]{{1,3}}、{_NO_NUMBER}"
    r"|[（(][0-9０-９]{1,2}[)）](?! ?[0-9])|[①-⑳•·●○▪])"
)
_ITEM = compile_later(rf" {{0,3}}(?:(?:[-*+]|\d{{1,9}}[.)])(?:[ \t]|\r?\n|\Z)|{CHINESE_MARK}[ \t]*(?=\S))")
_MAY_INTERRUPT = frozenset("#-*+_0123456789０１２３４５６７８９（(•·●○▪一二三四五六七八九十①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳")
_FENCE = compile_later(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)")
_RULE = compile_later(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\r?\n?\Z")
# the language of a fence that is a query
_QUERY = compile_later(r"\s*(?:dataview|dataviewjs|query|tasks|button|base|kanban|meta-bind\S*)\s*\Z")
_SETEXT = compile_later(r" {0,3}(=+|-+)[ \t]*\r?\n?\Z")
# Between these marks is text that mem wrote into a file for agents to read. It only repeats memories.
MIRROR_BEGIN, MIRROR_END = "<!-- mem:begin", "<!-- mem:end -->"


class MarkdownBlock(NamedTuple):
    """Hold a run of whole lines. `line` counts from 1; `start` is the offset of its first character."""

    kind: str
    text: str
    line: int
    start: int
    level: int = 0  # 1 to 6 for a heading, else 0
    title: str = ""  # the text of a heading, else ""

    @property
    def stop(self) -> int:
        return self.start + len(self.text)

    @property
    def last_line(self) -> int:
        return self.line + max(0, self.text.count("\n") - self.text.endswith("\n"))


def blocks(text: str) -> list[MarkdownBlock]:
    """Cut `text` into blocks that cover it without gap or overlap."""
    found: list[MarkdownBlock] = []
    offset, at = 0, 0
    if text.startswith("\ufeff"):  # the byte order mark of some Windows editors; it must hide no heading and no item
        found.append(MarkdownBlock(BLANK, "\ufeff", 1, 0))
        text, offset = text[1:], 1
    lines = lines_of(text)
    closers = _Closers(lines)
    if lines and (end := _front_end(lines)):
        head = "".join(lines[:end])
        found.append(MarkdownBlock(FRONT, head, 1, offset))
        offset, at = offset + len(head), end
    while at < len(lines):
        kind, end, level, title = _next_block(lines, at, closers)
        piece = "".join(lines[at:end])
        found.append(MarkdownBlock(kind, piece, at + 1, offset, level, title))
        offset, at = offset + len(piece), end
    return found


def lines_of(text: str) -> list[str]:
    """Return the lines with their ends; only a line feed ends a line, as for ripgrep and editors."""
    return _LINE.findall(text)


def newline_of(text: str) -> str:
    """Return the line end that a text uses, for lines that are added to it."""
    return "\r\n" if "\r\n" in text else "\n"


def is_item(text: str) -> bool:
    """Return whether a text begins with the marker of a top-level list item."""
    return bool(_ITEM.match(text))


def _next_block(lines: list[str], at: int, closers: _Closers) -> tuple[str, int, int, str]:
    """Return kind, end (exclusive), heading level and title of the block that begins at line index `at`."""
    line = lines[at]
    if _is_one_line(lines, at):
        return ITEM, at + 1, 0, ""
    if not line.strip():
        return BLANK, _while(lines, at, lambda each: not each.strip()), 0, ""
    if heading := _HEADING.match(line):
        return HEADING, at + 1, len(heading[1]), _title(line[heading.end() :].strip())
    if _RULE.match(line):
        return RULE, at + 1, 0, ""
    if _ITEM.match(line):
        return ITEM, _item_end(lines, at, closers), 0, ""
    if (end := closers.end_of_fence(at)) is not None:
        opened = _FENCE.match(line)
        return COMMENT if opened and _QUERY.match(opened[2]) else FENCE, end, 0, ""
    if line.lstrip(" ").startswith("<!--"):
        return COMMENT, _comment_end(lines, at, closers), 0, ""
    if line.lstrip(" ").startswith("%%") and (end := _percent_end(lines, at)):
        return COMMENT, end, 0, ""
    if line.lstrip(" ").startswith("|"):
        return TABLE, _while(lines, at, lambda each: each.lstrip(" ").startswith("|")), 0, ""
    end = at + 1
    if end < len(lines) and (under := _SETEXT.match(lines[end])):
        return HEADING, end + 1, 1 if under[1][0] == "=" else 2, line.strip()
    while end < len(lines) and not _interrupts(lines, end, closers):
        end += 1
    return PARAGRAPH, end, 0, ""


def _is_one_line(lines: list[str], at: int) -> bool:
    """Return whether this line and the next are plain items, as most lines of a long list are."""
    if at + 1 == len(lines):
        return False
    plain = all(lines[each].startswith("- ") and lines[each][2:3].isalnum() for each in (at, at + 1))
    return plain and "```" not in lines[at] and "~~~" not in lines[at]


def _interrupts(lines: list[str], at: int, closers: _Closers) -> bool:
    """Return whether line `at` can't continue a paragraph above it."""
    line = lines[at]
    start = line.lstrip(" ")
    return (
        not line.strip()
        or (start[0] in _MAY_INTERRUPT and bool(_HEADING.match(line) or _ITEM.match(line) or _RULE.match(line)))
        or start[0] == "|"
        or start.startswith(("<!--", "%%"))
        or closers.end_of_fence(at) is not None
    )


def _item_end(lines: list[str], at: int, closers: _Closers) -> int:
    """Return the index after a top-level item: it includes indented lines, whole fences and lazy continuation lines."""
    end = at
    lazy = True  # whether a plain line right below text still belongs to the item
    while end < len(lines):
        line = lines[end]
        if end > at:
            if not line.strip():
                after = _while(lines, end, lambda each: not each.strip())
                if after < len(lines) and _indented(lines[after]):
                    end, lazy = after, False
                    continue
                return end
            if not _indented(line) and (not lazy or _interrupts(lines, end, closers)):
                return end
            lazy = True
        fence = closers.end_of_fence(end)
        if fence is not None:
            end, lazy = fence, False
        else:
            end += 1
    return end


def _indented(line: str) -> bool:
    return line.startswith(("  ", "\t")) and bool(line.strip())


def _while(lines: list[str], at: int, holds: Callable[[str], bool]) -> int:
    while at < len(lines) and holds(lines[at]):
        at += 1
    return at


def _title(text: str) -> str:
    """Return the text of a heading, without closing `#` signs."""
    bare = text.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else text


def _after(lines: list[str], first: int, holds: Callable[[str], bool]) -> int:
    """Return the index after the first line from `first` on that passes the test, or 0 when there is none."""
    return next((index + 1 for index in range(first, len(lines)) if holds(lines[index])), 0)


def _comment_end(lines: list[str], at: int, closers: _Closers) -> int:
    if at > closers.last_comment:  # it is never closed: take only this line, so that a stray mark hides nothing
        return at + 1
    end = _after(lines, at, lambda line: line.startswith(MIRROR_END)) if lines[at].startswith(MIRROR_BEGIN) else 0
    return end or _after(lines, at, lambda line: "-->" in line)


def _percent_end(lines: list[str], at: int) -> int:
    """Return the index after an Obsidian comment, `%%…%%`; 0 when it is never closed or text follows it."""
    rest = lines[at].lstrip(" ")[2:]
    for index in range(at, len(lines)):
        if "%%" in rest:
            return 0 if rest.partition("%%")[2].strip() else index + 1
        rest = lines[index + 1] if index + 1 < len(lines) else ""
    return 0


def _front_end(lines: list[str]) -> int:
    """Return the index after the closing mark of YAML front matter, or 0 when there is none."""
    return _after(lines, 1, lambda line: line.rstrip() in ("---", "...")) if lines[0].rstrip() == "---" else 0


class _Closers:
    """Find the lines that open a code fence which is really closed, and where; an unclosed one is ordinary text.

    CommonMark lets an unclosed fence run to the end of the file; in a log that would swallow every later memory.
    """

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self.last_comment = -1  # the last line where a comment could end, or -1
        self._last: dict[str, int] = {}  # the last line that could close a fence, by its sign
        self._open: dict[str, int] = {}  # the shortest unclosed fence found: longer ones below it are unclosed, too
        for index, line in enumerate(lines):
            if "-->" in line:
                self.last_comment = index
            bare = line.strip()
            if bare[:3] in ("```", "~~~") and not bare.strip(bare[0]):
                self._last[bare[0]] = index

    def end_of_fence(self, at: int) -> int | None:
        """Return the index after the closing line of the fence opened on line `at`, or None when none is opened."""
        if not self._last:
            return None
        opened = _FENCE.match(self._lines[at])
        if not opened or (opened[1][0] == "`" and "`" in opened[2]):
            return None
        mark, length = opened[1][0], len(opened[1])
        if length >= self._open.get(mark, length + 1):
            return None
        for index in range(at + 1, self._last.get(mark, -1) + 1):
            bare = self._lines[index].strip()
            if len(bare) >= length and not bare.strip(mark):
                return index + 1
        self._open[mark] = length
        return None
