"""Show who wrote what, including tools and agents, and take the last change back."""

from __future__ import annotations

from collections import Counter
from typing import Any

from memcli.message import Message
from memcli.page import pieces
from memcli.page.html import Html, tag
from memcli.page.visit import View, Visit
from memcli.text.clean import one_line
from memcli.vault import history, journal, layout

SHOWN, MOST = 50, 2000


def view(visit: Visit) -> View:
    say, who, most = visit.say, visit.asked("by"), visit.number("most", SHOWN, MOST)
    written = list(journal.writes(visit.vault.root, tell=visit.vault.notice))
    writers = Counter(_by(record) for record in written)
    chosen = [record for record in written if not who or _by(record) == who]
    shown: list[Html] = [_writers(visit, writers, who)]
    if chosen:
        heads = [tag("th", say(name), scope="col") for name in ("when", "who", "what", "memories", "files")]
        rows = [_row(visit, record) for record in chosen[:most]]
        table = tag("table", tag("thead", tag("tr", heads)), tag("tbody", rows), class_="journal")
        shown.append(tag("div", table, class_="wide", tabindex="0", role="region", aria_label=say("Journal")))
    else:
        shown.append(pieces.empty(say("nothing was written")))
    if len(chosen) > most:
        shown.append(tag("p", tag("a", say("More"), href=visit.link("journal", by=who, most=min(MOST, most * 4)))))
    return View(say("Journal"), tag("div", shown), "journal")


def undo(visit: Visit) -> str:
    """Undo the last change, as `mem undo` does. Return the address of the page with the button."""
    action, written = history.undo(visit.to_write)
    visit.tell(visit.say(one_line(Message("undid `{ACTION}`: {paths}", ACTION=action, paths=", ".join(written.paths)))))
    return visit.back()


def _by(record: dict[str, Any]) -> str:
    return str(record.get("by") or "")


def _writers(visit: Visit, writers: Counter[str], who: str) -> Html:
    every = [("", visit.say("everybody"), sum(writers.values()))]
    every += [(name, one_line(name, 40), number) for name, number in writers.most_common(30) if name]
    links = [
        tag("li", tag("a", said, href=visit.link("journal", by=name), aria_current="true" if name == who else None),
            " ", tag("small", number))
        for name, said, number in every
    ]  # fmt: skip
    return tag("nav", tag("ul", links, class_="cloud"), aria_label=visit.say("Who wrote"))


def _row(visit: Visit, record: dict[str, Any]) -> Html:
    ids, paths = record.get("ids"), journal.paths_of(record)
    found = all(layout.in_view(path, None) for path in paths)  # others are found by place alone
    named = [
        tag("a", one_line(str(id), 20), href=visit.link("memory", id=str(id)), class_="first") if found
        else tag("span", one_line(str(id), 20))
        for id in (ids if isinstance(ids, list) else ())
    ]  # fmt: skip
    files = [
        tag("a", one_line(path), href=visit.link("file", path=path)) if path.endswith(layout.MARKDOWN)
        else tag("span", one_line(path))
        for path in paths
    ]  # fmt: skip
    cells = [
        tag("td", tag("time", one_line(str(record.get("at")))[:16].replace("T", " "))),
        tag("td", one_line(_by(record), 40)),
        tag("td", visit.say(one_line(str(record.get("action")), 40))),
        tag("td", _spaced(named)),
        tag("td", _spaced(files)),
    ]
    return tag("tr", cells, data_item=True)


def _spaced(links: list[Html]) -> list[Html | str]:
    return [piece for link in links for piece in (link, " ")]
