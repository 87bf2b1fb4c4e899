"""Show memories that hold some words or a tag, and a file line by line as it is on the disk."""

from __future__ import annotations

from memcli.errors import UsageError
from memcli.page import pieces
from memcli.page.html import Html, tag
from memcli.page.visit import View, Visit
from memcli.text.clean import harmless, one_line
from memcli.vault import layout
from memcli.vault.vault import Filter

LISTED, MOST = 50, 1000
LINES = 5000  # the most lines of a file that are shown


def listed(visit: Visit) -> View:
    """Show the matching memories, the latest first."""
    say, words, name = visit.say, visit.asked("words"), visit.asked("tag")
    most = visit.number("most", LISTED, MOST)
    want = Filter(tags=(name,) if name else (), words=tuple(words.split()))
    found, more = visit.vault.latest(want, most)
    tagged = pieces.field("tag", say("Tag"), type="text", value=name, autocomplete="off")
    shown = [pieces.search(visit, "list", "words", say("Find words"), tagged)]
    shown.append(pieces.memories(visit, found) if found else pieces.empty(say("No memory is like that.")))
    if more and most < MOST:
        href = visit.link("list", words=words, tag=name, most=min(MOST, most * 4))
        shown.append(tag("p", tag("a", say("More"), href=href)))
    title = " ".join(filter(None, (words, f"#{name}" if name else ""))) or say("Memories")
    return View(title, tag("div", shown), "days")


def file(visit: Visit) -> View:
    """Show a file. The name alone opens nothing outside the vault."""
    path = visit.asked("path")
    if path not in layout.walk(visit.vault.root):
        raise UsageError("there is no file {name} in the vault", name=one_line(path))
    document = visit.vault.document(path)
    begins = {entry.line: entry for entry in document.entries}
    lines = harmless(document.text).split("\n")
    rows: list[Html] = []
    for number, line in enumerate(lines[:LINES], 1):
        entry = begins.get(number)
        shown: Html | str = pieces.to_memory(visit, entry, line or "…") if entry else line
        number_link = tag("a", number, href=f"#L{number}", class_="number", tabindex="-1")
        rows.append(tag("li", number_link, tag("code", shown), id=f"L{number}", data_item=bool(entry)))
    more = pieces.empty(visit.say("Only the first {n} lines are shown.", n=LINES)) if len(lines) > LINES else None
    day = layout.day_of(path)
    around = [tag("a", str(day), href=visit.link("days", str(day)))] if day else []
    head = tag("p", around, " ", pieces.in_editor(visit, path, 1), class_="marks")
    return View(one_line(path), tag("div", head, tag("ol", rows, class_="file"), more), "days")
