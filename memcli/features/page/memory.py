"""Show one memory with its details: memories that it replaced, that replaced it, and that cite it. It can be edited
here."""

from __future__ import annotations

from itertools import islice

from memcli import remember
from memcli.errors import MemError, UsageError
from memcli.message import Message
from memcli.page import pieces
from memcli.page.html import Child, Html, tag
from memcli.page.visit import View, Visit
from memcli.text.clean import one_line
from memcli.vault import journal, layout
from memcli.vault.entries import Entry

SHOWN = 20  # the most changes that are listed


def view(visit: Visit) -> View:
    entry = _meant(visit, visit.asked("id"), visit.asked("at"))
    return _shown(visit, entry, editing=bool(visit.asked("edit")))


def edit(visit: Visit) -> str | View:
    """Save a new wording. Return where to go next, or the form with the typed text if a gate refuses it."""
    entry, typed = _from_form(visit), visit.form.get("text", "").replace("\r\n", "\n").rstrip()
    try:
        if typed == entry.raw.replace("\r\n", "\n").rstrip():
            visit.tell(visit.say("unchanged"))
            return _home(visit, entry)
        written = remember.edit(visit.to_write, entry, typed)
    except MemError as error:
        return _shown(visit, entry, editing=True, typed=typed, why=visit.failure(error))
    visit.tell(visit.say("{place} changed", place=entry.place))
    found = [each for each in visit.to_write.document(entry.path).entries if each.line == entry.line]
    return _home(visit, found[0]) if found and written.changes else visit.link("file", path=entry.path)


def done(visit: Visit) -> str:
    entry = _from_form(visit)
    remember.finish(visit.to_write, entry)
    visit.tell(visit.say("marked as done: {words}", words=one_line(entry.words, 80)))
    return _home(visit, entry)


def forget(visit: Visit) -> str:
    entry = _from_form(visit)
    written = remember.forget(visit.to_write, entry)
    visit.tell(visit.say(Message("{id} archived in {path}", id=entry.id, path=one_line(written.changes[0].path))))
    return visit.link("file", path=entry.path)


def _from_form(visit: Visit) -> Entry:
    return _meant(visit, visit.form.get("id", ""), visit.form.get("at", ""))


def _meant(visit: Visit, id: str, at: str) -> Entry:
    """Return the memory with this id, and of several equal ones the one at the place `at`. Raise UsageError without an
    id."""
    if not id:
        raise UsageError("no memory was named")
    found = visit.vault.matches(id)
    if not found and at:  # the owner sees the space of an agent only if the place is named
        found = [entry for entry in visit.vault.matches(at) if entry.hash == id]
    if not found:
        return visit.vault.find_entry(id)  # finds a former id, or raises
    return next((each for each in found if each.place == at), found[0])


def _home(visit: Visit, entry: Entry) -> str:
    return visit.link("memory", id=entry.hash, at=entry.place)


def _shown(visit: Visit, entry: Entry, editing: bool, typed: str | None = None, why: str = "") -> View:
    say = visit.say
    archived = layout.kind_of(entry.path) == "archive"
    shown: list[Child] = [tag("nav", _above(visit, entry), class_="marks", aria_label=say("Where it stands"))]
    if editing:
        shown.append(_form(visit, entry, typed, why))
    else:
        shown.append(tag("blockquote", entry.words, class_="said"))
        if not archived:
            shown.append(_doing(visit, entry))
    shown += [_facts(visit, entry), *_around(visit, entry), _history(visit, entry)]
    title = say("Memory {id}", id=entry.id)
    return View(title, tag("article", shown, data_item=True), "days", 422 if why else 200)


def _above(visit: Visit, entry: Entry) -> list[Child]:
    day = [tag("a", str(entry.day), href=visit.link("days", str(entry.day)))] if entry.day else []
    trail = [tag("span", one_line(title, 60)) for title in entry.trail]
    return [*day, pieces.place(visit, entry.path, entry.line), *trail, *pieces.tags(visit, entry.tags)]


def _doing(visit: Visit, entry: Entry) -> Html:
    say, named = visit.say, {"id": entry.hash, "at": entry.place}
    href = visit.link("memory", edit=1, **named)
    buttons = [tag("a", say("Edit"), tag("kbd", "e"), href=href, class_="button", data_key="e")]
    back = _home(visit, entry)
    if entry.task == "open":
        buttons.append(pieces.button(visit, ["memory", "done"], say("Mark done"), "x", back=back, **named))
    buttons.append(pieces.button(visit, ["memory", "forget"], say("Forget"), "f", back=back, **named))
    return tag("div", buttons, class_="answers", role="group", aria_label=say("What can be done"))


def _form(visit: Visit, entry: Entry, typed: str | None, why: str) -> Html:
    text, label = entry.raw.replace("\r\n", "\n") if typed is None else typed, visit.say("As it stands in the file")
    named = {"id": entry.hash, "at": entry.place}
    return pieces.edit_form(visit, ["memory", "edit"], label, text, why, _home(visit, entry), **named)


def _facts(visit: Visit, entry: Entry) -> Html:
    say = visit.say
    rows = [
        (say("id"), entry.id),
        (say("kind"), entry.type or entry.kind),
        (say("importance"), f"{entry.importance:g}" if entry.importance is not None else ""),
        *((name, value) for name, value in entry.fields.items() if name not in ("importance", "type")),
    ]
    uses = journal.read_journal(visit.vault.root, journal.USE, visit.vault.notice)
    used = [str(record.get("at"))[:10] for record in uses if record.get("id") == entry.hash]
    if used:
        rows.append((say("cited by answers"), say("{n} times, last on {day}", n=len(used), day=max(used))))
    return pieces.facts((name, value) for name, value in rows if value)


def _around(visit: Visit, entry: Entry) -> list[Html]:
    """Return sections with the memories that replaced this one, that it replaced, and that cite it."""
    names = {f"^{entry.block_id}"} if entry.block_id else set()
    names |= {entry.place, entry.hash[:7]}
    replaced, cites, by = [], [], []
    for other in visit.vault.entries():
        if other == entry:
            continue
        if other.superseded and _is(entry, other.superseded):
            replaced.append(other)
        elif entry.superseded and _is(other, entry.superseded):
            by.append(other)
        elif any(name in other.raw for name in names) or _links_to(other, entry):
            cites.append(other)
    titled = (("What took its place", by), ("What it replaced", replaced), ("What cites it", cites))
    return [
        tag("section", tag("h2", visit.say(title)), pieces.memories(visit, found)) for title, found in titled if found
    ]


def _is(entry: Entry, name: str) -> bool:
    bare = name.strip().removeprefix("^")
    return bool(bare) and (entry.block_id == bare or (len(bare) >= 4 and entry.hash.startswith(bare)))


def _links_to(other: Entry, entry: Entry) -> bool:
    """Return whether a memory cites the note in this file by `[[file]]`. A link to a log cites no single memory."""
    if entry.kind == "log" or not other.links:
        return False
    stem = entry.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return any(link in (stem, entry.path, entry.path.rsplit(".", 1)[0]) for link in other.links)


def _history(visit: Visit, entry: Entry) -> Html | None:
    name = entry.block_id or entry.hash[:7]
    records = list(islice(journal.writes(visit.vault.root, id=name, tell=visit.vault.notice), SHOWN))
    if not records:
        return None
    rows = [
        tag("li", str(record.get("at"))[:16].replace("T", " "), " ", tag("b", str(record.get("by"))), " ",
            visit.say(str(record.get("action"))))
        for record in records
    ]  # fmt: skip
    return tag("section", tag("h2", visit.say("What was done to it")), tag("ul", rows))
