"""Define `mem stats`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import date, timedelta

from memcli.cli.command import Result, command
from memcli.cli.looks import BOLD, DIM, GREEN, cells
from memcli.cli.options import Filters
from memcli.cli.terminal import Terminal
from memcli.features.stats.counts import MemoryStats, count_all
from memcli.message import Message
from memcli.text.clean import one_line

LEVELS = "·░▒▓█"  # from a day without memories to the fullest day
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
WEEKDAYS = "Mon Tue Wed Thu Fri Sat Sun"
WEEKS = 53
MOST = 8  # values that are listed in one row


@command(
    "stats", "mem stats", "mem stats --since 'last month'", "mem stats --json | jq .latency.cold.p95", filters="since"
)
def stats(terminal: Terminal, filters: Filters = Filters()) -> Result:
    """A calendar of what was noted; and how recall, learning and the gates were used on this machine, from a day on."""
    vault = terminal.vault()
    found = count_all(vault, filters.days(vault.today)[0])
    return Result(asdict(found), lambda: _show(terminal, found, vault.today))


def _show(terminal: Terminal, found: MemoryStats, today: date) -> None:
    weeks = min(WEEKS, max(4, terminal.width() - 5)) if terminal.stdout.isatty() else WEEKS
    terminal.lines(_calendar(terminal, found, today, weeks))
    terminal.out()
    rows = [["memories", str(found.memories)]]
    for title, numbers in (("by kind", found.kinds), ("by age", found.ages), ("by source", found.sources)):
        rows += _listed(terminal, title, _named(numbers))
    rows[0][0] = terminal.translate(rows[0][0])
    terminal.table(rows, (BOLD, ""))
    terminal.out()
    if not found.counting:
        terminal.out(terminal.translate("how it is used is not counted: stats.count is off"))
    elif used := list(_used(terminal, found)):
        since = [terminal.translate("used since"), found.since or terminal.translate("the beginning")]
        terminal.table([since, *used], (BOLD, ""))
    else:
        terminal.out(terminal.translate("how it is used was not counted yet"))


def _used(terminal: Terminal, found: MemoryStats) -> Iterator[list[str]]:
    said, apart = terminal.translate, terminal.speech
    for way, recalls in found.latency.items():
        if recalls.number:
            times = apart.comma.join((f"p50 {recalls.p50:.0f} ms", f"p95 {recalls.p95:.0f} ms"))
            yield [said(Message("recall, {WAY}", WAY=way)), f"{recalls.number}{apart.semicolon}{times}"]
    blocks, cited = found.blocks, found.cited
    if blocks.number:
        yield [said("blocks"), said(Message("{n} tokens in the middle", n=blocks.tokens))]
        saved = Message(
            "{saved} of {budget}, {SHARE}",
            saved=blocks.saved,
            budget=blocks.budget,
            SHARE=_share(blocks.saved, blocks.budget),
        )
        yield [said("tokens saved"), said(saved)]
    if cited.shown or cited.citations:
        shown = Message(
            "{cited} of {shown} memories shown; citations in all: {all}",
            cited=cited.cited,
            shown=cited.shown,
            all=cited.citations,
        )
        yield [said("cited"), said(shown)]
    if any(found.proposals.values()):
        yield [said("proposals"), _counts(terminal, found.proposals)]
    for name, rate in found.goals.items():
        yield [
            said(name),
            said(
                Message(
                    "{share} of {n} (goal: over {goal})",
                    share=_share(rate.number, rate.of),
                    n=rate.of,
                    goal=f"{rate.goal:.0%}",
                )
            ),
        ]
    gates = {"worth": "not worth keeping"}  # a gate is named by what it finds wrong
    yield from _listed(
        terminal, "turned away", {gates.get(name, name): number for name, number in found.refused.items()}
    )
    for kind, events in found.nudges.items():
        yield [said(Message("nudge, {KIND}", KIND=one_line(kind, 20))), _counts(terminal, _named(events))]


def _named(numbers: Mapping[str, int]) -> dict[str, int]:
    """Return counts by names that mean nothing else elsewhere: a note is also a hint, and an import brings, too."""
    names = {"note": "notes", "brought": "brought up"}
    return {names.get(name, name): number for name, number in numbers.items()}


def _counts(terminal: Terminal, numbers: Mapping[str, int]) -> str:
    return terminal.speech.comma.join(
        f"{number} {terminal.translate(one_line(name, 20))}" for name, number in numbers.items()
    )


def _listed(terminal: Terminal, title: str, numbers: Mapping[str, int]) -> list[list[str]]:
    shown = [(name, number) for name, number in numbers.items() if number]
    told = terminal.speech.comma.join(
        f"{terminal.translate(one_line(name, 40))} {number}" for name, number in shown[:MOST]
    )
    more = f" {terminal.translate('and {n} more', n=len(shown) - MOST)}" if len(shown) > MOST else ""
    return [[f"  {terminal.translate(title)}", told + more]] if shown else []


def _share(count: int, total: int) -> str:
    return f"{count / total:.0%}" if total else "nothing"


def _calendar(terminal: Terminal, found: MemoryStats, today: date, weeks: int) -> Iterator[str]:
    """Yield the lines of a calendar: one column for each week, one line for each weekday, and the months above."""
    first = today - timedelta(days=today.weekday() + 7 * (weeks - 1))
    fullest = max((number for day, number in found.days.items() if str(first) <= day <= str(today)), default=0)
    yield "    " + terminal.paint(_months(first, weeks, terminal.translate(MONTHS).split()), DIM)
    names = terminal.translate(WEEKDAYS).split()
    for weekday in range(7):
        days = [first + timedelta(days=7 * week + weekday) for week in range(weeks)]
        signs = [_level(found.days.get(str(day), 0), fullest) for day in days if day <= today]
        name = names[weekday] if weekday % 2 == 0 else ""
        yield f"{terminal.paint(name + ' ' * (3 - cells(name)), DIM)} {terminal.paint(''.join(signs), GREEN)}"


def _months(first: date, weeks: int, names: list[str]) -> str:
    months = [(first + timedelta(days=7 * week + 6)).month for week in range(weeks)]
    begins = [week for week, month in enumerate(months) if not week or month != months[week - 1]]
    line = ""
    for week, end in zip(begins, [*begins[1:], weeks + 3], strict=True):
        name = names[months[week] - 1]
        if end - week > cells(name):  # a shorter month has no room for its name
            line += " " * (week - cells(line)) + name
    return line


def _level(number: int, fullest: int) -> str:
    return LEVELS[0] if not number else LEVELS[max(1, -(-number * (len(LEVELS) - 1) // fullest))]
