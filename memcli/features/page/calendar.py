"""Show a calendar of what was noted, one day, and links to people, tags and files."""

from __future__ import annotations

from calendar import Calendar
from collections import Counter
from datetime import date, timedelta

from memcli.errors import MemError
from memcli.page import pieces
from memcli.page.html import Html, tag
from memcli.page.visit import View, Visit, day_of
from memcli.text.clean import one_line
from memcli.vault import labels, layout
from memcli.vault.vault import Filter

TAGS, PEOPLE, FILES = 40, 40, 300
HEATS = (1, 3, 6, 10)  # numbers of memories a day at which its colour gets warmer
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def view(visit: Visit) -> View:
    """Show a month, with people, tags and files beside it."""
    say, noted, named = visit.say, Counter[date](), Counter[str]()
    files: Counter[str] = Counter()
    for entry in visit.vault.entries():
        files[entry.path] += 1
        named.update(entry.tags)
        if entry.day:
            noted[entry.day] += 1
    latest = max((day for day in noted if day <= visit.vault.today), default=visit.vault.today)
    asked = visit.asked("month")
    month = day_of(f"{asked}-01") if asked else latest.replace(day=1)
    shown = [_grid(visit, month, noted), _index(visit, named, files)]
    return View(say("Days"), tag("div", shown, class_="days"), "days")


def day(visit: Visit) -> View:
    """Show everything that was noted on a day, file by file."""
    on = day_of(visit.request.path_params["day"])
    found = list(visit.vault.entries(Filter(since=on, until=on)))
    by_file: dict[str, list[Html]] = {}
    for entry in found:
        by_file.setdefault(entry.path, []).append(pieces.memory(visit, entry, dated=False))
    near = [
        tag("a", visit.say(said), href=visit.link("days", str(to)), rel=rel)
        for said, rel, to in (
            ("The day before", "prev", on - timedelta(1)),
            ("The day after", "next", on + timedelta(1)),
        )
    ]
    near.append(tag("a", visit.say("The month"), href=visit.link("days", month=f"{on:%Y-%m}")))
    shown = [tag("nav", near, class_="line", aria_label=visit.say("Other days"))]
    for path, lines in by_file.items():
        head = tag("h2", tag("a", one_line(path), href=visit.link("file", path=path)))
        shown += [head, tag("ol", lines, class_="memories")]
    if not found:
        shown.append(pieces.empty(visit.say("Nothing was noted on this day.")))
    return View(f"{on} {visit.say(WEEKDAYS[on.weekday()])}", tag("div", shown), "days")


def _grid(visit: Visit, first: date, noted: Counter[date]) -> Html:
    """Return the calendar of the month that begins on a day."""
    say = visit.say
    before, after = (first - timedelta(1)), (first + timedelta(32))
    heads = [tag("th", say(name), scope="col") for name in WEEKDAYS]
    rows = []
    for week in Calendar().monthdatescalendar(first.year, first.month):
        rows.append(tag("tr", [_cell(visit, on, noted.get(on, 0)) if on.month == first.month else tag("td")
                               for on in week]))  # fmt: skip
    total = sum(number for on, number in noted.items() if (on.year, on.month) == (first.year, first.month))
    caption = say("{month}: {n} memories", month=f"{first:%Y-%m}", n=total)
    table = tag("table", tag("caption", caption), tag("thead", tag("tr", heads)), tag("tbody", rows), class_="month")
    turn = [
        tag("a", said, href=visit.link("days", month=f"{to:%Y-%m}"), rel=rel, data_key=key)
        for said, rel, to, key in (
            (f"← {before:%Y-%m}", "prev", before, "p"), (f"{after:%Y-%m} →", "next", after, "n")
        )
    ]  # fmt: skip
    return tag("section", table, tag("nav", turn, class_="line", aria_label=say("Months")), aria_label=say("Calendar"))


def _cell(visit: Visit, on: date, number: int) -> Html:
    warmth = sum(number >= least for least in HEATS)
    today = "date" if on == visit.vault.today else None
    if not number:
        return tag("td", tag("span", on.day, aria_current=today), class_="heat-0")
    shown = [tag("b", on.day, aria_hidden="true"), tag("small", number, aria_hidden="true")]
    hidden_text = tag("span", visit.say("{day}: {n} memories", day=str(on), n=number), class_="unseen")
    link = tag("a", shown, hidden_text, href=visit.link("days", str(on)), aria_current=today)
    return tag("td", link, class_=f"heat-{warmth}")


def _index(visit: Visit, named: Counter[str], files: Counter[str]) -> Html:
    say = visit.say
    people = [
        tag("li", tag("a", one_line(label.name, 60), href=visit.link("list", words=label.name)), " ",
            tag("span", one_line(label.value, 60), class_="where"))
        for label in _labels(visit)[:PEOPLE]
    ]  # fmt: skip
    tags = [
        tag("li", tag("a", f"#{name}", href=visit.link("list", tag=name)), " ", tag("small", number))
        for name, number in named.most_common(TAGS)
    ]
    rows = [
        tag("li", tag("a", one_line(path), href=visit.link("file", path=path)), " ", tag("small", number))
        for path, number in _by_kind(files)[:FILES]
    ]
    shown = [pieces.search(visit, "list", "words", say("Find words"))]
    for title, listed, long in (("People and places", people, False), ("Tags", tags, False), ("Files", rows, True)):
        listing = tag("ul", listed, class_="cloud") if listed else pieces.empty(say("none yet"))
        inside = tag("details", tag("summary", say("{n} files", n=len(files))), listing) if long else listing
        shown.append(tag("section", tag("h2", say(title)), inside))
    return tag("div", shown, class_="index")


def _by_kind(files: Counter[str]) -> list[tuple[str, int]]:
    """Return the files with their counts: notes by name, then logs with the latest first."""
    logs = {path: layout.day_of(path) or date.min for path in files if layout.kind_of(path) == "log"}
    return sorted(files.items(), key=lambda each: (each[0] in logs, -logs.get(each[0], date.max).toordinal(), each[0]))


def _labels(visit: Visit) -> list[labels.Label]:
    try:
        stored = labels.add_uses(visit.vault, labels.read_labels(visit.vault))
    except MemError as error:
        visit.vault.notice(error.message)
        return []
    return sorted(stored, key=lambda label: -label.uses)
