"""Find the file and the section that a new memory is written to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime

from memcli.errors import Refused, UsageError
from memcli.text.clean import one_line
from memcli.text.later import compile_later
from memcli.vault import edit, entries, files, layout, markdown, vault_language
from memcli.vault.entries import Entry
from memcli.vault.vault import Filter, Vault

# Memories of these types last, so they get a file of their own instead of the day's log.
HOMES = {
    "fact": "MEMORY.md", "preference": "MEMORY.md", "decision": "MEMORY.md",
    "insight": "insights.md", "project": "projects.md",
}  # fmt: skip
HEADINGS = {  # the headings of the templates
    "decision": ("decisions", "decision", "决定", "决策"), "fact": ("other facts", "facts", "其他事实", "事实"),
}  # fmt: skip
_UNREAD = "{name} is not Markdown, memories in it would not be found"
_SUFFIX = compile_later(r"\.[A-Za-z]\w{0,4}")  # of a file that is not Markdown; v1.2 has none


@dataclass(frozen=True)
class Place:
    """Hold where a memory is written."""

    path: str
    text: str  # of the file, before
    heading: str  # the section that gets the memory; "" for the end of the file
    file_heading: str  # the first line of a new log

    def insert(self, text: str, item: str) -> tuple[str, Entry]:
        """Return the text of the file with the item, and the entry that it is there."""
        after = edit.append_item(self.path, text, item, self.file_heading, one_line(self.heading))
        same = [
            e for e in entries.parse_document(self.path, after).entries if e.raw.replace("\r\n", "\n") == item.rstrip()
        ]
        return after, same[-1]


def find_place(vault: Vault, to: str, type: str, when: datetime) -> Place:
    """Return where a memory of this type and day is written. `to` may name a file or `FILE#Heading`."""
    file, _, heading = to.partition("#")
    path = _find_file(vault, file, type, when)
    text = files.read_or_empty(vault.root / path, path).text
    has_heading = layout.kind_of(path) == "log" and vault.settings.write.heading
    file_heading = f"# {vault_language.day_heading(vault, when.date())}\n" if has_heading else ""
    return Place(path, text, heading or ("" if file else _find_heading(type, text)), file_heading)


def _find_file(vault: Vault, target: str, type: str, when: datetime) -> str:
    """Return the file a memory belongs to, relative to the vault."""
    space = vault.space
    if target:
        there = target if os.path.isabs(target) else space + target
        if vault.agent and not os.path.normpath(os.path.relpath(vault.root / there, vault.root)).startswith(space):
            raise Refused("{place} is not in the space of {agent}", place=target, agent=vault.agent)
        if _SUFFIX.fullmatch(suffix := os.path.splitext(target)[1]) and suffix.lower() not in layout.MARKDOWN:
            raise UsageError(_UNREAD, "--to FILE.md", name=target)
        return _place_inside(vault, there)
    if type in HOMES:
        return space + HOMES[type]
    day = when.date()
    wanted = _place_inside(vault, space + when.strftime(vault.settings.write.log))
    if (vault.root / wanted).exists():
        return wanted
    others = vault.files(Filter(day, day, kinds=frozenset({"log"})))
    same = [p for p in others if layout.day_of(p) == day and layout.split(p)[0] == space]
    return same[0] if same else wanted


def _find_heading(type: str, text: str) -> str:
    """Return the heading for memories of a type, or "" if the file has none."""
    titles = (block.title for block in markdown.blocks(text) if block.kind == markdown.HEADING)
    return next((title for title in titles if title.casefold() in HEADINGS.get(type, ())), "")


def _place_inside(vault: Vault, name: str) -> str:
    """Return `name` as a path below the vault, to a Markdown file. Raise UsageError or Refused if memories in it
    would not be found."""
    stem, suffix = os.path.splitext(name)
    if suffix.lower() in layout.MARKDOWN:
        name = stem + suffix.lower()
    else:
        if vault.place(name).is_file():
            raise UsageError(_UNREAD, "--to FILE.md", name=name)
        name += ".md"
    path = vault.place(name).relative_to(vault.root.resolve()).as_posix()
    if any(part.startswith(".") or part == "node_modules" for part in path.split("/")):
        raise Refused("{path} is hidden, memories in it would not be found", path=path)
    return path
