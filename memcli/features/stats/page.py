"""Show the numbers of `mem stats` as a map of the year, as tables, and as bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from memcli.features.stats.counts import MemoryStats, count_all
from memcli.page import pieces
from memcli.page.html import Child, Html, tag
from memcli.page.visit import View, Visit
from memcli.text.clean import one_line

WEEKS, HALF = 54, 27  # weeks of the map and of each half, which stand below each other on a narrow screen
CELL, HEAD = 12, 14  # the size of a day and the height of the months, in the picture's own unit
LEVELS = 4  # shades of a day, relative to the fullest one
MONTHS = 24
MOST = 20  # the most rows of a table
WAYS = {"cold": "in a process of its own", "watched": "from memory", "hook": "beside a prompt"}
AGES = {
    "week": "up to a week", "month": "up to a month", "quarter": "up to three months", "year": "up to a year",
    "older": "older", "undated": "undated",
}  # fmt: skip
# Names that the tables count by and that need a translation: gates, and what became of nudges and questions.
WORDS = (
    "you", "worth", "duplicate", "sensitive", "brought", "accepted", "declined", "passed",
    "asked", "answered", "refused",
)  # fmt: skip
PROPOSED = {"accepted": "agreed to", "declined": "turned down", "unasked": "kept unasked"}


def view(visit: Visit) -> View:
    say, since = visit.say, visit.day("since")
    numbers = count_all(visit.vault, since)
    shown = [
        tag("section", tag("h2", say("What was noted")), _noted(visit, numbers)),
        tag("div", [
            _table(visit, say("By kind"), [(say(name), number) for name, number in numbers.kinds.items()]),
            _table(visit, say("By age"), [(say(AGES[name]), number) for name, number in numbers.ages.items()]),
            _table(visit, say("By source"), [(say(name), number) for name, number in numbers.sources.items()]),
        ], class_="tables"),
        tag("section", tag("h2", say("How it is used")), _used(visit, numbers, since)),
    ]  # fmt: skip
    return View(say("Stats"), tag("div", shown), "stats")


# -- what there is -----------------------------------------------------------------------------------------------------


def _noted(visit: Visit, numbers: MemoryStats) -> list[Html]:
    say, today = visit.say, visit.vault.today
    first = today - timedelta(days=today.weekday() + 7 * (WEEKS - 1))
    fullest = max((number for day, number in numbers.days.items() if str(first) <= day <= str(today)), default=0)
    halves = [_map(numbers.days, first + timedelta(weeks=at), today, fullest) for at in (0, HALF)]
    said = say("{n} memories; the map has the last year, a column a week.", n=numbers.memories)
    return [tag("p", said), tag("div", halves, class_="year", aria_hidden="true"), _months(visit, numbers.days)]


def _map(noted: Mapping[str, int], first: date, today: date, fullest: int) -> Html:
    """Return half a year as a picture. Those who can't see it have the table of months."""
    drawn: list[Html] = []
    for week in range(HALF):
        monday = first + timedelta(weeks=week)
        if monday.day <= 7:
            drawn.append(tag("text", f"{monday:%m}", x=week * CELL, y=HEAD - 4))
        for weekday in range(7):
            day = monday + timedelta(days=weekday)
            if day <= today:
                number = noted.get(str(day), 0)
                shade = -(-number * LEVELS // fullest) if number else 0
                drawn.append(tag("rect", tag("title", f"{day}: {number}"), x=week * CELL, y=HEAD + weekday * CELL,
                                 width=CELL - 2, height=CELL - 2, rx=2, class_=f"heat-{shade}"))  # fmt: skip
    return tag("svg", drawn, viewBox=f"0 0 {HALF * CELL} {HEAD + 7 * CELL}")


def _months(visit: Visit, noted: Mapping[str, int]) -> Html:
    """Return the table of months, the latest first."""
    say, memories, days = visit.say, Counter[str](), Counter[str]()
    for day, number in noted.items():
        memories[day[:7]] += number
        days[day[:7]] += 1
    rows: list[list[Child]] = [
        [tag("a", month, href=visit.link("days", month=month)), memories[month], days[month]]
        for month in sorted(memories, reverse=True)[:MONTHS]
    ]
    heads = [say("month"), say("memories"), say("days with any")]
    return tag("details", tag("summary", say("By month")), pieces.table(heads, rows)) if rows else Html()


def _table(visit: Visit, title: str, numbers: Sequence[tuple[str, int]]) -> Html:
    """Return a table of numbers, each with a bar relative to the largest."""
    shown = [(name, number) for name, number in numbers if number]
    most = max((number for _, number in shown), default=1)
    rows: list[list[Child]] = [
        [one_line(name, 40) or "–", number, _bar(number / most)] for name, number in shown[:MOST]
    ]
    if rest := shown[MOST:]:
        rows.append([visit.say("{n} more", n=len(rest)), sum(number for _, number in rest), None])
    head = tag("h3", title)
    return tag("section", head, pieces.table([], rows) if rows else pieces.empty(visit.say("none yet")))


def _bar(share: float) -> Html:
    bar = tag("rect", width=f"{100 * share:.1f}", height=8, class_="part-text")
    return tag("svg", bar, viewBox="0 0 100 8", preserveAspectRatio="none", class_="bar", aria_hidden="true")


# -- how it is used ----------------------------------------------------------------------------------------------------


def _used(visit: Visit, numbers: MemoryStats, since: date | None) -> list[Child]:
    say = visit.say
    field = pieces.field("since", say("Since"), type="date", value=str(since or ""), max=str(visit.vault.today))
    form = tag("form", field, tag("button", say("Show"), type="submit"), method="get", action=visit.link("stats"),
               class_="line")  # fmt: skip
    if not numbers.counting:
        return [pieces.empty(say("How it is used is not counted: stats.count is off."))]
    if numbers.since is None:
        return [pieces.empty(say("How it is used was not counted yet."))]
    counted = say("Counted on this machine since {day}; nothing of it leaves it.", day=numbers.since)
    lists = [
        _table(visit, say("Proposals"), [(say(PROPOSED[name]), number) for name, number in numbers.proposals.items()]),
        _table(visit, say("Refused by the gates"), [(say(name), number) for name, number in numbers.refused.items()]),
    ]
    lists_of = tag("div", lists, class_="tables")
    return [form, tag("p", counted), *speed(visit, numbers), lists_of, _nudges(visit, numbers.nudges)]


def speed_part(visit: Visit) -> list[Html]:
    """Return how fast recall was, for the view of what works."""
    return speed(visit, count_all(visit.vault))


def speed(visit: Visit, numbers: MemoryStats) -> list[Html]:
    """Return how long recalls took, and what their blocks cost."""
    say = visit.say
    rows: list[list[Child]] = [
        [f"{say(way)}: {say(WAYS[way])}", recalls.number, f"{recalls.p50:.0f} ms", f"{recalls.p95:.0f} ms"]
        for way, recalls in numbers.latency.items()
        if recalls.p50 is not None and recalls.p95 is not None
    ]
    head = tag("h3", say("How long a recall took"))
    heads = [say("recall"), say("number"), "p50", "p95"]
    table = pieces.table(heads, rows) if rows else pieces.empty(say("No recall was counted."))
    return [head, table, pieces.facts(_facts(visit, numbers))]


def _facts(visit: Visit, numbers: MemoryStats) -> Iterator[tuple[str, str]]:
    say, blocks, cited = visit.say, numbers.blocks, numbers.cited
    if blocks.number:
        yield say("tokens a block"), say("{n} in the middle", n=blocks.tokens)
        yield say("blocks that matched"), _share(visit, blocks.matched, blocks.number)
        yield say("tokens saved"), _share(visit, blocks.saved, blocks.budget)
    if cited.shown or cited.citations:
        yield say("shown memories that were cited"), _share(visit, cited.cited, cited.shown)
        yield say("citations in all"), str(cited.citations)


def _share(visit: Visit, count: int, total: int) -> str:
    return visit.say(
        "{part} of {whole}, {share}", part=count, whole=total, share=f"{count / total:.0%}" if total else "–"
    )


def _nudges(visit: Visit, kinds: Mapping[str, Mapping[str, int]]) -> Html | None:
    say = visit.say
    if not kinds:
        return None
    events = list(dict.fromkeys(event for counted in kinds.values() for event in counted))
    rows: list[list[Child]] = [
        [say(one_line(kind, 20)), *(counted.get(event, 0) for event in events)] for kind, counted in kinds.items()
    ]
    heads = [say("kind"), *(say(one_line(event, 20)) for event in events)]
    table = tag("div", pieces.table(heads, rows), class_="wide", tabindex="0", role="region",
                aria_label=say("What was brought up"))  # fmt: skip
    return tag("div", tag("h3", say("What was brought up")), table)
