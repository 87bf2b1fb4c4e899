"""Changing a memory's text without touching anything else: pure functions from a file's text to its new text."""

from __future__ import annotations

import re

from memcli.errors import Refused
from memcli.vault import entries, markdown
from memcli.vault.entries import Entry

_TRAILING_ID = re.compile(r"[ \t]+\^[A-Za-z0-9-]+[ \t]*\Z")


def item(lead: str, text: str, newline: str = "\n") -> str:
    """A list item: `lead` (a time, or nothing) and the text, further lines indented under it, fences closed."""
    first, *rest = _closed(text.strip("\n")).split("\n")
    if first.lstrip().startswith(("```", "~~~")):  # a fence must begin a line to be one
        first, rest = "", [first, *rest]
    head = " ".join(part for part in ("-", lead, first.strip()) if part)
    return newline.join([head, *("  " + line.rstrip() if line.strip() else "" for line in rest)])


def appended(path: str, text: str, new: str, header: str = "", heading: str = "") -> str:
    """`text` with the item `new` at its end, or at the end of the section called `heading` (made when missing)."""
    newline = "\r\n" if "\r\n" in text else "\n"
    new = new.replace("\r\n", "\n").replace("\n", newline)
    body = text if text.strip() else header.replace("\n", newline)
    if heading:
        body, rest = _split_after_section(body, heading, newline)
    else:
        body, rest = body, ""
    result = body + _gap(body, newline) + new + newline + (newline + rest if rest else "")
    _check(path, text, result, new)
    return result


def replaced(path: str, text: str, entry: Entry, raw: str) -> str:
    """`text` with one entry's own characters exchanged; Refused when the entry is no longer there."""
    here = located(path, text, entry)
    raw = raw.replace("\r\n", "\n").replace("\n", "\r\n" if "\r\n" in text else "\n")
    return text[: here.start] + raw + text[here.stop :]


def removed(path: str, text: str, entry: Entry) -> str:
    """`text` without the entry's lines."""
    here = located(path, text, entry)
    stop = text.find("\n", here.stop)
    return text[: here.start] + ("" if stop < 0 else text[stop + 1 :])


def located(path: str, text: str, entry: Entry) -> Entry:
    """Where the entry stands in `text` now: lines above it may have come or gone since it was read."""
    same = [each for each in entries.read(path, text).entries if each.raw == entry.raw]
    same.sort(key=lambda each: abs(each.line - entry.line))
    if not same:
        raise Refused(f"{entry.place} was changed in the meantime", "look at it with mem show, then try again")
    return same[0]


def with_fields(raw: str, **fields: str) -> str:
    """An entry's text with inline fields set: changed where they stand, else added at the end of its first line."""
    first, feed, rest = raw.partition("\n")
    carriage = "\r" if first.endswith("\r") else ""
    first = first.rstrip("\r")
    for key, value in fields.items():
        written = f"[{key}:: {value}]"
        present = re.compile(rf"\[{re.escape(key)}::[^\[\]\n]*\]", re.I)
        if present.search(raw):
            first, rest = present.sub(lambda _, new=written: new, first), present.sub(lambda _, new=written: new, rest)
            continue
        mark = _TRAILING_ID.search(first)
        at = mark.start() if mark else len(first)
        first = f"{first[:at].rstrip()} {written}{first[at:]}"
    return first + carriage + feed + rest


def _closed(text: str) -> str:
    """Close a code fence left open, or it could take hold of what is written below it later."""
    mark = ""
    for line in text.split("\n"):
        bare = line.strip()
        if mark:
            if bare.startswith(mark) and not bare.strip(mark[0]):
                mark = ""
        elif opened := re.match(r"`{3,}(?=[^`]*$)|~{3,}", bare):
            mark = opened[0]
    return f"{text}\n{mark}" if mark else text


def _gap(body: str, newline: str) -> str:
    """What must stand between the text so far and a new item: nothing inside a list, a blank line elsewhere."""
    if not body:
        return ""
    last = next((block for block in reversed(markdown.blocks(body)) if block.kind != markdown.BLANK), None)
    ends = body.endswith("\n")
    if last is None:
        return "" if ends else newline
    blank = body[last.stop :].strip("\ufeff") != ""
    if blank or last.kind == markdown.ITEM:
        return "" if ends else newline
    return newline if ends else newline * 2


def _split_after_section(body: str, heading: str, newline: str) -> tuple[str, str]:
    """The text up to the end of a section, without its trailing blank lines, and what follows it."""
    level, end = 0, None
    for block in markdown.blocks(body):
        if block.kind != markdown.HEADING:
            continue
        if level and block.level <= level:
            end = block.start
            break
        if not level and block.title.casefold() == heading.strip("# ").casefold():
            level = block.level
    if not level:
        return body.rstrip() + newline * (2 if body.strip() else 0) + f"## {heading.strip('# ')}{newline}", ""
    if end is None:
        return body, ""
    return body[:end].rstrip() + newline, body[end:]


def _check(path: str, before: str, after: str, new: str) -> None:
    """The new text must hold the old entries and the new one, whole; something left open in the file could swallow it."""
    old, now = entries.read(path, before).entries, entries.read(path, after).entries
    expected = sorted([*(entry.raw for entry in old), new.rstrip()])
    if sorted(entry.raw for entry in now) != expected:
        raise Refused(
            f"{path}: something in it is left open (a code fence, front matter), the new memory would not stand alone",
            f"mend {path}, or give --to another file",
        )
