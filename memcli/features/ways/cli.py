"""Define the commands `mem pattern list|show|offer|add|fail|tried|forget`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from memcli.cli import options
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import DIM, GREEN, RED, YELLOW
from memcli.cli.terminal import Terminal
from memcli.errors import CheckFailed, UsageError
from memcli.features.ways import offer, patterns, talk_ways, writing
from memcli.features.ways.patterns import Failure, Try, Way
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault.vault import Vault


def _ids(vault: Vault) -> list[str]:
    stored = patterns.read_patterns(vault)
    return [way.id for way in stored.ways] + [failure.id for failure in stored.failures]


Name = Annotated[str, "ID", "Its id or the beginning of it, or the task in its own words.", options.completes(_ids)]


@command("pattern list", "mem pattern", "mem pattern list --json | jq '.ways[] | select(.proven)'", agents=True)
def list_(terminal: Terminal) -> Result:
    """Show all ways and how they went, then what to beware of. Those not used for 90 days rest."""
    vault = terminal.vault()
    stored, said = patterns.read_patterns(vault), terminal.translate
    rows = [
        [
            way.id,
            said(_went(way)),
            said("rests") if patterns.is_resting(way, vault.now) else way.last_used,
            f"{way.goal}: {way.summary}",
        ]
        for way in stored.ways
    ]
    rows += [
        [
            failure.id,
            said(Message("severity {n}", n=failure.severity)),
            failure.last_used,
            f"{failure.what}: {failure.mitigation or failure.went_wrong}",
        ]
        for failure in stored.failures
    ]
    data = {"ways": list(map(_as_json, stored.ways)), "failures": list(map(_failure_as_json, stored.failures))}
    hint = 'nothing is kept yet: mem pattern add "speed up an API" --step measure --step "cache or index"'
    rows = [[one_line(cell) for cell in row] for row in rows]
    return Result(data, Table(rows, (YELLOW, GREEN, DIM, ""), clip=True), "" if rows else hint)


@command("pattern show", "mem pattern show 3f2a9c1", 'mem pattern show "speed up an API" --json', agents=True)
def show(terminal: Terminal, name: Name, /) -> Result:
    """Show a way with its steps and each try, or a way of failing with its signs."""
    found, said = _find(terminal, name), terminal.translate
    if isinstance(found, Failure):
        facts = {"signs": ", ".join(found.indicators), "went wrong": found.went_wrong, "instead": found.mitigation}
        lines = [f"{terminal.paint(found.id, YELLOW)}  {found.what}"]
        lines += [f"  {said(name)}{terminal.speech.colon}{fact}" for name, fact in facts.items() if fact]
        lines += [f"  {said('severity {severity}, happened {n} times', severity=found.severity, n=found.count)}"]
        return Result(_failure_as_json(found), lines)
    known = offer.evidence_of([found])[0]
    surely = Message("{WENT}, surely {share}", WENT=_went(found), share=f"{known.bound:.0%}")
    how = said(surely if known.tries else "not tried yet")
    mark = said("proven" if known.proven else "unproven")
    lines = [f"{terminal.paint(found.id, YELLOW)}  {found.goal}  {terminal.paint(f'{how}, {mark}', GREEN)}"]
    lines += [f"  {'•' if found.strategy == patterns.PARALLEL else f'{n}.'} {s}" for n, s in enumerate(found.steps, 1)]
    lines += [f"  {said('with')} {', '.join(found.tools)}"] if found.tools else []
    lines += [f"  {who}" for who in found.agents]
    lines += [terminal.paint(f"  {each.line}", DIM) for each in reversed(found.tries)]
    return Result(_as_json(found), lines)


@command(
    "pattern offer",
    'mem pattern offer "how should I speed up the checkout API"',
    "mem pattern offer 怎么给接口提速 --json",
    text=True,
    agents=True,
)
def offer_(
    terminal: Terminal,
    query: options.Query = None,
    /,
    unproven: Annotated[bool, "Also the ways that are not proven."] = False,
    strict: Annotated[bool, "Exit 1 when nothing is known."] = False,
) -> Result:
    """Show ways to a task that surely go well, with their evidence, and what to beware of. → marks the one to take.

    A way is proven when its success is above 0.9 by a lower bound: after 16 tries without a failure. Of unproven ways
    one is chosen by chance, the better the oftener.
    """
    if not (goal := terminal.words_and_pipe(query)).strip():
        raise UsageError("there is no task", 'mem pattern offer "how should I …"')
    known = offer.advise(terminal.vault(), goal, cold=True)
    found = known if unproven else replace(known, ways=tuple(each for each in known.ways if each.proven))
    nothing = CheckFailed("nothing is known of such a task") if strict and not known else None
    note = "" if known else "nothing is known of such a task; mem pattern list shows what is kept"
    if hidden := len(known.ways) - len(found.ways):
        note = Message("{n} unproven; --unproven shows all", n=hidden)

    def text() -> None:
        for warning in found.warnings:
            mark = terminal.paint(f"! {terminal.translate('severity {n}', n=warning.failure.severity)}", RED)
            terminal.prose(f"{mark}  {warning.summary} ({', '.join(warning.places)})")
        for each in found.ways:
            mark = terminal.paint("→" if each.chosen else "·", GREEN)
            head = f"{mark} {terminal.paint(each.way.id, YELLOW)}  {each.way.goal}"
            why = terminal.translate(
                "{WENT}; like it {n} by {WAY}", WENT=each.why, n=f"{each.likeness:.2f}", WAY=each.by
            )
            terminal.prose(f"{head}  {terminal.paint(why, DIM)}")
            terminal.prose(f"    {each.way.summary}")

    return Result(lambda: as_json(found), text, note, nothing)


@command(
    "pattern add",
    'mem pattern add "speed up an API" --step measure --step "cache or index" --step "measure again"',
    'mem pattern add "research competitors" --parallel --step "their sites" --step reviews --who "scout: sites"',
    agents=True,
)
def add(
    terminal: Terminal,
    goal: Annotated[list[str], "GOAL...", "What it is a way to."],
    /,
    step: Annotated[list[str] | None, "-s", "TEXT", "A step; repeat it for each, in their order."] = None,
    parallel: Annotated[bool, "The steps do not wait for each other."] = False,
    tool: Annotated[list[str] | None, "NAME", "What it is done with; may be repeated."] = None,
    who: Annotated[list[str] | None, "TEXT", "Who does what; may be repeated."] = None,
) -> Result:
    """Keep a way of doing something. The same goal may have several: they compete."""
    way, written = writing.keep_way(
        terminal.vault(), " ".join(goal), step or (),
        strategy=patterns.PARALLEL if parallel else patterns.SEQUENTIAL,
        tools=tool or (), agents=who or (),
    )  # fmt: skip
    known = "" if written.changes else " " + terminal.translate("is known already")
    return Result(
        _as_json(way), f"{terminal.paint(way.id, YELLOW)} {way.goal}{known}{terminal.speech.colon}{way.summary}"
    )


@command(
    "pattern fail",
    'mem pattern fail "share Redis with a batch job" --sign "no TTL" --wrong "sessions were lost" --instead "its own '
    'instance" --severity 5',
    agents=True,
)
def fail(
    terminal: Terminal,
    what: Annotated[list[str], "WHAT...", "What it looked like."],
    /,
    sign: Annotated[list[str] | None, "-s", "TEXT", "Words by which it is known beforehand; may be repeated."] = None,
    wrong: Annotated[str, "TEXT", "What went wrong."] = "",
    instead: Annotated[str, "TEXT", "How to avoid it."] = "",
    severity: Annotated[int, "N", "1 to 5: how bad it was."] = 3,
) -> Result:
    """Keep a way of failing: who is about to do the like is warned. Said again, it has happened once more."""
    new = Failure(" ".join(what), tuple(sign or ()), wrong, instead, severity)
    failure, _ = writing.keep_failure(terminal.vault(), new)
    return Result(_failure_as_json(failure), f"{terminal.paint(failure.id, YELLOW)} {failure.what}")


@command(
    "pattern tried",
    "mem pattern tried 3f2a9c1 good",
    'mem pattern tried "speed up an API" bad --note "the cache was cold" --tokens 12000 --seconds 340',
    agents=True,
)
def tried(
    terminal: Terminal,
    name: Name,
    outcome: Annotated[str, "OUTCOME", "good or bad.", options.words(patterns.GOOD, patterns.BAD)],
    /,
    note: Annotated[str, "TEXT", "Why; of a failure also what to do next time."] = "",
    tokens: Annotated[int, "N", "What it cost."] = 0,
    seconds: Annotated[int, "N", "How long it took."] = 0,
) -> Result:
    """Note how a way went. Two failures for one reason become a question of mem review: is it worth a warning?"""
    if outcome not in (patterns.GOOD, patterns.BAD):
        raise UsageError("'{outcome}' is not an outcome", "good or bad", outcome=outcome)
    way = _find(terminal, name)
    if isinstance(way, Failure):
        raise UsageError(
            "{id} is a way of failing",
            Message('mem pattern fail "{what}" says that it happened again', what=way.what),
            id=way.id,
        )
    vault = terminal.vault()
    done = Try(f"{vault.now:%Y-%m-%dT%H:%M}", outcome == patterns.GOOD, tokens, seconds, note)
    now, _ = writing.record_try(vault, way, done)
    lessons = talk_ways.propose_lessons(vault) if not done.good else []
    note = Message("{what}: mem review asks whether to keep that", what=lessons[0].summary) if lessons else ""
    return Result(
        {**_as_json(now), "proposed": [one.summary for one in lessons]},
        f"{now.goal}{terminal.speech.colon}{terminal.translate(_went(now))}",
        note,
    )


@command("pattern forget", "mem pattern forget 3f2a9c1", agents=True)
def forget(terminal: Terminal, name: Name, /) -> Result:
    """Move it to archive/patterns.yaml; mem undo brings it back."""
    found = _find(terminal, name)
    writing.forget_pattern(terminal.vault(), found)
    said = found.goal if isinstance(found, Way) else found.what
    return Result({"id": found.id, "forgotten": said}, terminal.translate("{name} is archived", name=one_line(said)))


def _find(terminal: Terminal, name: str) -> Way | Failure:
    stored = patterns.read_patterns(terminal.vault())
    every: list[Way | Failure] = [*stored.ways, *stored.failures]
    said = {one.id: one.goal if isinstance(one, Way) else one.what for one in every}
    low = name.strip().casefold()
    found = [one for one in every if said[one.id].casefold() == low]
    found = found or [one for one in every if len(low) >= 3 and one.id.startswith(low)]
    found = found or [one for one in every if low and low in said[one.id].casefold()]
    if not found:
        raise UsageError("there is no pattern '{name}'", "mem pattern list shows them", name=name)
    if len({one.id for one in found}) > 1:
        listed = "".join(f"\n  {one.id}  {one_line(said[one.id], 60)}" for one in found[:10])
        raise UsageError("'{name}' could be any of {n}:{list}", "give its id", name=name, n=len(found), list=listed)
    return found[-1]  # where an agent and everybody have the same way, the agent means its own


def _went(way: Way) -> str:
    return Message("{good} of {tries} good", good=way.good, tries=way.count) if way.count else "not tried"


def _as_json(way: Way) -> dict[str, Any]:
    known = offer.evidence_of([way])[0]
    plain = ("id", "goal", "strategy", "last_used", "path")
    lists = {"steps": way.steps, "tools": way.tools, "agents": way.agents}
    rate = round(way.good / way.count, 4) if way.count else None
    return {
        **{name: getattr(way, name) for name in plain}, **{name: list(told) for name, told in lists.items()},
        "tries": way.count, "good": way.good, "rate": rate, "bound": round(known.bound, 4), "proven": known.proven,
        "latest": [vars(one) for one in way.tries],
    }  # fmt: skip


def _failure_as_json(failure: Failure) -> dict[str, Any]:
    plain = ("id", "what", "went_wrong", "mitigation", "severity", "count", "last_used", "path")
    return {**{name: getattr(failure, name) for name in plain}, "indicators": list(failure.indicators)}


def as_json(found: offer.WayAdvice) -> dict[str, Any]:
    """Return what is offered for a task, as JSON."""
    ways = [
        {**_as_json(one.way), "likeness": one.likeness, "by": one.by, "bound": round(one.evidence.bound, 4),
         "proven": one.proven, "chosen": one.chosen, "why": one.why}
        for one in found.ways
    ]  # fmt: skip
    warnings = [
        {**_failure_as_json(one.failure), "signs": list(one.signs), "places": list(one.places)}
        for one in found.warnings
    ]  # fmt: skip
    return {"ways": ways, "warnings": warnings}
