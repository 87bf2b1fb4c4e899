"""Change one memory's text and nothing else: pure functions from a file's text to its new text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from memcli.errors import ChangeConflict, Refused
from memcli.message import Message
from memcli.text.later import compile_later
from memcli.vault import entries, markdown, tags
from memcli.vault.entries import Entry

_KEPT_PLACE = "<!-- archived -->"
_TRAILING_ID = compile_later(r"[ \t]+\^[A-Za-z0-9-]+[ \t]*\Z")
_OWN_MARKER = compile_later(r"[-*+][ \t]+")
_BOX = compile_later(r"\[[ xX/-]\][ \t]+")


def list_item(lead: str, text: str, notes: Sequence[str] = ()) -> str:
    """Return a list item: `lead` (a time or ""), the text, and `notes` (tags, fields) at the end of its first line.

    Further lines are indented under it, and an open code fence is closed. A block that must begin on its own line,
    such as a fence, does. A text that is one list item already keeps no marker of its own.
    """
    text = text.strip("\n")
    own = _OWN_MARKER.match(text)
    if own and ("\n" not in text or len(markdown.blocks(text)) == 1):
        text = re.sub(rf"\n(?:\t| {{0,{own.end()}}})", "\n", text[own.end() :])
    if mark := tags.cut_fences(text)[1]:  # an open fence would swallow what is written below it later
        text = f"{text}\n{mark}"
    first, *rest = text.split("\n")
    if rest and markdown.blocks(text)[0].kind != markdown.PARAGRAPH:
        first, rest = "", [first, *rest]
    box = _BOX.match(first)
    if box:
        first = first[box.end() :]
    head = ["-", box[0].strip() if box else "", lead, _noted(first.strip(), " ".join(notes))]
    return "\n".join(
        [" ".join(part for part in head if part), *("  " + line.rstrip() if line.strip() else "" for line in rest)]
    )


def append_item(path: str, text: str, new: str, header: str = "", heading: str = "") -> str:
    """Return `text` with the item `new` at its end, or at that of the section `heading`, added when missing."""
    newline = markdown.newline_of(text)
    body = text if text.strip() else header.replace("\n", newline)
    at, made = _place(body, heading)
    above, below = body[:at], body[at:]
    if made:
        above += _gap(above, newline, False) + made + newline
    between = newline if below and not below.startswith(("\n", "\r\n")) else ""
    result = above + _gap(above, newline, True) + _with(new, newline) + newline + between + below
    if sorted(_raws(path, result)) != sorted([*_raws(path, text), _with(new, newline).rstrip()]):
        why = "{place}: something in it is left open (a code fence, front matter), the new memory would not stand alone"
        raise Refused(why, Message("mend {path}, or give --to another file", path=path), place=path)
    return result


def replace_entry(path: str, text: str, entry: Entry, raw: str) -> str:
    """Return `text` with one entry's characters replaced by `raw`, which must not run into its neighbours."""
    here = find_again(path, text, entry)
    result = text[: here.start] + _with(raw, markdown.newline_of(text)) + text[here.stop :]
    if not _spared(path, text, here, result):
        raise Refused(
            "the new text would run into the memories beside it",
            "keep it a list item, with further lines indented and code fences closed",
        )
    return result


def remove_entry(path: str, text: str, entry: Entry) -> str:
    """Return `text` without the entry. A comment takes its place where its neighbours would run together."""
    here = find_again(path, text, entry)
    stop = text.find("\n", here.stop)
    below = "" if stop < 0 else text[stop + 1 :]
    plain = text[: here.start] + below
    if _spared(path, text, here, plain):
        return plain
    return text[: here.start] + _KEPT_PLACE + markdown.newline_of(text) + below


def find_again(path: str, text: str, entry: Entry) -> Entry:
    """Return the entry with its place in `text` now: lines above it may have come or gone."""
    same = [each for each in entries.parse_document(path, text).entries if each.raw == entry.raw]
    same.sort(key=lambda each: abs(each.line - entry.line))
    if not same:
        hint = "look at it with mem show, then try again"
        raise ChangeConflict("{place} was changed in the meantime", hint, place=entry.place)
    return same[0]


def with_fields(raw: str, **fields: str) -> str:
    """Return an entry's text with inline fields set: replaced where they stand, else added to its first line."""
    for key, value in fields.items():
        present, written = re.compile(rf"\[{re.escape(key)}::[^\[\]\n]*\]", re.I), f"[{key}:: {value}]"
        raw = present.sub(lambda _: written, raw) if present.search(raw) else with_notes(raw, written)  # noqa: B023
    return raw


def without_field(raw: str, key: str) -> str:
    """Return an entry's text without an inline field."""
    return re.sub(rf"[ \t]*\[{re.escape(key)}::[^\[\]\n]*\]", "", raw, flags=re.I)


def with_notes(raw: str, *notes: str) -> str:
    """Return an entry's text with tags or fields added at the end of its first line."""
    first, feed, rest = raw.partition("\n")
    carriage = "\r" if first.endswith("\r") else ""
    return _noted(first.rstrip("\r"), " ".join(notes)) + carriage + feed + rest


def _noted(line: str, notes: str) -> str:
    """Return a line with notes added at its end, but before a block id, which must come last."""
    mark = _TRAILING_ID.search(line)
    at = mark.start() if mark else len(line)
    return f"{line[:at].rstrip()} {notes}".strip(" ") + line[at:] if notes else line


def _with(text: str, newline: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", newline)


def _place(body: str, heading: str) -> tuple[int, str]:
    """Return where the text under a heading ends, before its blank lines, and the heading to add if there is none."""
    if not heading:
        return len(body), ""
    wanted, at = heading.strip("# "), None
    for block in markdown.blocks(body):
        if block.kind == markdown.HEADING:
            if at is not None:
                break
            if block.title.casefold() == wanted.casefold():
                at = block.stop
        elif at is not None and block.kind != markdown.BLANK:
            at = block.stop
    return (len(body), f"## {wanted}") if at is None else (at, "")


def _gap(above: str, newline: str, item: bool) -> str:
    """Return the white space between the text so far and a new block: nothing inside a list, else a blank line."""
    last = next((block for block in reversed(markdown.blocks(above)) if block.kind != markdown.BLANK), None)
    ends = "" if above.endswith("\n") or not above else newline
    if last is None or "\n" in above[last.stop :] or (item and last.kind == markdown.ITEM):
        return ends
    return ends + newline


def _raws(path: str, text: str) -> list[str]:
    return [entry.raw for entry in entries.parse_document(path, text).entries]


def _spared(path: str, text: str, here: Entry, result: str) -> bool:
    """Return whether `result` keeps every memory of `text` unchanged, except the one at `here`."""
    others = Counter(entry.raw for entry in entries.parse_document(path, text).entries if entry.start != here.start)
    return not others - Counter(_raws(path, result))
