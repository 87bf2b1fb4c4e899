"""Build parts that several views share: a memory as a line, its place, a form with one button."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memcli.page import editor
from memcli.page.html import Child, Html, tag
from memcli.page.visit import Visit
from memcli.text.clean import one_line
from memcli.vault.entries import Entry


def place(visit: Visit, path: str, line: int) -> Html:
    """Return `file:line` as a link to the file, with a link into the editor beside it if there is one."""
    here = tag("a", one_line(f"{path}:{line}"), href=f"{visit.link('file', path=path)}#L{line}", class_="place")
    return tag("span", here, in_editor(visit, path, line), class_="where")


def in_editor(visit: Visit, path: str, line: int) -> Html | None:
    if not (link := editor.link(visit.session.editor, visit.vault.root, path, line)):
        return None
    label = visit.say("Open {place} in the editor", place=one_line(f"{path}:{line}"))
    return tag("a", "✎", href=link, class_="editor", aria_label=label, title=label, data_key="o")


def to_memory(visit: Visit, entry: Entry, words: str = "") -> Html:
    """Return a link to the page of a memory."""
    href = visit.link("memory", id=entry.hash, at=entry.place)
    return tag("a", words or one_line(entry.words, 200) or entry.id, href=href, class_="words")


def memory(visit: Visit, entry: Entry, *more: Child, dated: bool = True) -> Html:
    """Return one memory as an item of a list."""
    marks: list[Child] = []
    if dated and entry.day:
        marks.append(tag("a", str(entry.day), href=visit.link("days", str(entry.day)), class_="day"))
    if entry.task:
        marks.append(tag("span", visit.say(TASKS[entry.task]), class_="task"))
    if entry.superseded:
        marks.append(tag("span", visit.say("superseded"), class_="gone"))
    marks += [*tags(visit, entry.tags), place(visit, entry.path, entry.line)]
    return tag("li", to_memory(visit, entry), tag("div", marks, class_="marks"), more, class_="memory", data_item=True)


TASKS = {"open": "to do", "done": "done", "cancelled": "cancelled"}


def memories(visit: Visit, entries: Iterable[Entry]) -> Html:
    return tag("ol", [memory(visit, entry) for entry in entries], class_="memories")


def tags(visit: Visit, names: Iterable[str]) -> list[Html]:
    return [tag("a", f"#{name}", href=visit.link("list", tag=name), class_="tag") for name in names]


def button(visit: Visit, address: Iterable[str], label: str, key: str = "", /, **fields: str) -> Html:
    """Return a form with one button. The button shows the key that presses it."""
    hidden = [tag("input", type="hidden", name=name.rstrip("_"), value=value) for name, value in fields.items()]
    pressed = tag("button", label, tag("kbd", key) if key else None, data_key=key or None, type="submit")
    return tag("form", visit.token(), hidden, pressed, method="post", action=visit.link(*address), class_="one")


def edit_form(
    visit: Visit, address: Sequence[str], label: str, text: str, why: str, cancel: str, /, **fields: str
) -> Html:
    """Return a form to reword a text, with the reason `why` the last wording was refused."""
    area = tag("textarea", text, id="f-text", name="text", rows=max(4, min(20, text.count("\n") + 3)), data_first=True,
               data_focus=True, aria_describedby="why" if why else None)  # fmt: skip
    return tag(
        "form",
        visit.token(), [tag("input", type="hidden", name=name, value=value) for name, value in fields.items()],
        tag("p", why, class_="failed", role="alert", id="why") if why else None,
        field("text", label, area),
        tag("div", tag("button", visit.say("Save"), type="submit"), tag("a", visit.say("Cancel"), href=cancel),
            class_="line"),
        method="post", action=visit.link(*address), class_="edit",
    )  # fmt: skip


def field(name: str, label: str, /, *control: Child, **attributes: str | int | bool | None) -> Html:
    """Return a label with an input, or with the control that is given."""
    shown = control or (tag("input", id=f"f-{name}", name=name, **attributes),)
    return tag("div", tag("label", label, for_=f"f-{name}"), shown, class_="field")


def search(visit: Visit, step: str, name: str, label: str, *more: Child) -> Html:
    """Return the form that leads to a list of what has the words in its first field."""
    words = field(name, label, type="search", value=visit.asked(name), autocomplete="off", data_first=True)
    find = tag("button", visit.say("Find"), type="submit")
    return tag("form", words, more, find, method="get", action=visit.link(step), role="search", class_="line")


def choice(name: str, label: str, options: Iterable[tuple[str, str]], chosen: str) -> Html:
    listed = [tag("option", said, value=value, selected=value == chosen) for value, said in options]
    return field(name, label, tag("select", listed, id=f"f-{name}", name=name))


def table(heads: Sequence[Child], rows: Iterable[Sequence[Child]], **attributes: str) -> Html:
    """Return a table in which the first cell of each row is its heading. Without `heads` it has no row of headings."""
    head = tag("thead", tag("tr", [tag("th", name, scope="col") for name in heads])) if heads else None
    body = [tag("tr", tag("th", row[0], scope="row"), [tag("td", cell) for cell in row[1:]]) for row in rows]
    return tag("table", head, tag("tbody", body), **{"class_": "numbers", **attributes})


def facts(rows: Iterable[tuple[Child, Child]]) -> Html:
    """Return a list of names with their values."""
    listed = [tag("div", tag("dt", name), tag("dd", value)) for name, value in rows]
    return tag("dl", listed, class_="facts") if listed else Html()


def empty(message: str) -> Html:
    return tag("p", message, class_="empty")
