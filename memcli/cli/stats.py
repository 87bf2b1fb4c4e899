"""`mem stats`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import date, timedelta

from memcli.cli.command import Result, command
from memcli.cli.looks import BOLD, DIM, GREEN
from memcli.cli.options import Filters
from memcli.cli.terminal import Terminal
from memcli.stats import Stats
from memcli.stats import stats as tally
from memcli.text.clean import one_line

LEVELS = "·░▒▓█"  # nothing, and up to the fullest day
WEEKS = 53
MOST = 8  # lines of a kind


@command(
    "stats", "mem stats", "mem stats --since 'last month'", "mem stats --json | jq .latency.cold.p95", filters="since"
)
def stats(terminal: Terminal, filters: Filters = Filters()) -> Result:
    """A calendar of what was noted; and how recall, learning and the gates were used on this machine, from a day on."""
    vault = terminal.vault()
    found = tally(vault, filters.days(vault.today)[0])
    return Result(asdict(found), lambda: _show(terminal, found, vault.today))


def _show(terminal: Terminal, found: Stats, today: date) -> None:
    weeks = min(WEEKS, max(4, terminal.width() - 5)) if terminal.stdout.isatty() else WEEKS
    terminal.lines(_calendar(terminal, found, today, weeks))
    terminal.out()
    rows = [["memories", str(found.memories)]]
    rows += _listed("by kind", found.kinds) + _listed("by age", found.ages) + _listed("by source", found.sources)
    terminal.table(rows, (BOLD, ""))
    terminal.out()
    if not found.counting:
        terminal.out("how it is used is not counted: stats.count is off")
    elif used := list(_used(found)):
        terminal.table([["used since", found.since or "the beginning"], *used], (BOLD, ""))
    else:
        terminal.out("how it is used was not counted yet")


def _used(found: Stats) -> Iterator[list[str]]:
    for way, recalls in found.latency.items():
        if recalls.number:
            yield [f"recall, {way}", f"{recalls.number}; p50 {recalls.p50:.0f} ms, p95 {recalls.p95:.0f} ms"]
    blocks, cited = found.blocks, found.cited
    if blocks.number:
        yield ["blocks", f"{blocks.tokens} tokens in the middle; {_share(blocks.matched, blocks.number)} matched"]
        yield ["tokens saved", f"{blocks.saved} of {blocks.budget}, {_share(blocks.saved, blocks.budget)}"]
    if cited.shown or cited.citations:
        yield ["cited", f"{cited.cited} of {cited.shown} memories shown; citations in all: {cited.citations}"]
    if any(found.proposals.values()):
        yield ["proposals", ", ".join(f"{number} {answer}" for answer, number in found.proposals.items())]
    yield from _listed("refused by", found.refused)
    for kind, events in found.nudges.items():
        told = ", ".join(f"{number} {one_line(event, 20)}" for event, number in events.items())
        yield [f"nudge, {one_line(kind, 20)}", told]


def _listed(title: str, numbers: Mapping[str, int]) -> list[list[str]]:
    shown = [(name, number) for name, number in numbers.items() if number]
    told = ", ".join(f"{one_line(name, 40)} {number}" for name, number in shown[:MOST])
    more = f" and {len(shown) - MOST} more" if len(shown) > MOST else ""
    return [[f"  {title}", told + more]] if shown else []


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "nothing"


def _calendar(terminal: Terminal, found: Stats, today: date, weeks: int) -> Iterator[str]:
    """A column for each week, a line for each day of it, the months above."""
    first = today - timedelta(days=today.weekday() + 7 * (weeks - 1))
    fullest = max((number for day, number in found.days.items() if str(first) <= day <= str(today)), default=0)
    yield "    " + terminal.paint(_months(first, weeks), DIM)
    for weekday in range(7):
        days = [first + timedelta(days=7 * week + weekday) for week in range(weeks)]
        signs = [_level(found.days.get(str(day), 0), fullest) for day in days if day <= today]
        name = ("Mon", "", "Wed", "", "Fri", "", "Sun")[weekday]
        yield f"{terminal.paint(f'{name:<3}', DIM)} {terminal.paint(''.join(signs), GREEN)}"


def _months(first: date, weeks: int) -> str:
    months = [(first + timedelta(days=7 * week + 6)).month for week in range(weeks)]
    begins = [week for week, month in enumerate(months) if not week or month != months[week - 1]]
    line = ""
    for week, end in zip(begins, [*begins[1:], weeks + 3], strict=True):
        if end - week > len("Nov"):  # else there is no room for its name
            line = f"{line:<{week}}{date(2000, months[week], 1):%b}"
    return line


def _level(number: int, fullest: int) -> str:
    return LEVELS[0] if not number else LEVELS[max(1, -(-number * (len(LEVELS) - 1) // fullest))]
