"""The prose of a page, broken into lines of at most 120 characters. Tables, headings and what a program printed stay."""

from __future__ import annotations

import re
import textwrap

WIDTH = 120
_ITEM = re.compile(r"( *)([-*]|\d+\.) ")
_BREAKS = re.compile(r"[^。；，：]*[。；，：）”」]*")  # Chinese has no spaces to break at


def wide(page: str) -> list[str]:
    """Return the lines of prose and tables that are too long."""
    prose = re.sub(r"(?ms)^(`{3,}).*?^\1", "", page)
    return [line for line in prose.split("\n") if len(line) > WIDTH]


def wrapped(page: str) -> str:
    """Return the page with the paragraphs that have a line too long broken anew."""
    lines: list[str] = []
    paragraph: list[str] = []
    fenced = False
    for line in [*page.split("\n"), ""]:
        if fenced or not line.strip() or line.startswith(("```", "|", "#", "<!--")):
            lines += _paragraph(paragraph)
            paragraph = []
            fenced ^= line.startswith("```")
            lines.append(line)
        else:
            paragraph.append(line)
    return "\n".join(lines[:-1])


def _paragraph(lines: list[str]) -> list[str]:
    if not any(len(line) > WIDTH for line in lines):
        return lines
    items: list[list[str]] = []
    for line in lines:
        if _ITEM.match(line) or not items:
            items.append([line])
        else:
            items[-1].append(line)
    return [line for item in items for line in _item(item)]


def _item(lines: list[str]) -> list[str]:
    """Return the lines of one item of a list, or of a paragraph without one."""
    head = _ITEM.match(lines[0])
    first = head[0] if head else re.match(" *", lines[0])[0]  # type: ignore[index]
    words = " ".join([lines[0][len(first) :].strip(), *(line.strip() for line in lines[1:])])
    rest = " " * len(first)
    filled = textwrap.wrap(
        words, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    return [piece for line in filled for piece in _chinese(line, rest)]


def _chinese(line: str, indent: str) -> list[str]:
    """Return a line that is still too long in pieces that end behind a mark of punctuation."""
    pieces = [""]
    for part in _BREAKS.findall(line) if len(line) > WIDTH else [line]:
        if pieces[-1].strip() and len(pieces[-1] + part) > WIDTH:
            pieces.append(indent)
        pieces[-1] += part
    return pieces
