"""`mem show`, `mem list`: memories as they are, without ranking."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

import typer

from memcli.cli import complete, render
from memcli.cli.options import Agent, AsJson, Limit, Since, Until, examples
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError
from memcli.text.clean import harmless
from memcli.vault import entries, files, layout
from memcli.vault.vault import Filter, Vault

app = typer.Typer(rich_markup_mode=None)

_WHAT = "An id, path:line, a file, or a day in words."
_TYPES, _types = "Only of this type: decision, task, fact …", complete.words(*complete.TYPES)
_PLACE = "Only from this file, folder or glob."
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@app.command(epilog=examples("mem show 3f2a9c1", "mem show ^cache-redis", "mem show MEMORY.md", "mem show yesterday"))
def show(
    ctx: typer.Context,
    what: Annotated[list[str], typer.Argument(metavar="ID|FILE|DATE", help=_WHAT, autocompletion=complete.files)],
    agent: Agent = None,
    as_json: AsJson = False,
) -> None:
    """Show a memory, a file or a day."""
    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    name = " ".join(what)
    if looks_like_file(vault, name) and not (_ISO_DAY.fullmatch(name) and not _logs_of(vault, name)):
        path = resolve_file(vault, name)
        text = files.read(files.inside(vault.root, path), path).text
        if as_json:
            found = [render.as_json(each) for each in entries.read(path, text).entries]
            terminal.json({"schema": render.SCHEMA, "path": path, "text": harmless(text), "entries": found})
        else:
            terminal.out(harmless(text), end="" if text.endswith("\n") else "\n")
        return
    matches = vault.matches(name, agent)
    if not matches and not re.fullmatch(r".+:\d+", name) and (days := _days(name, vault.today)):
        listed = list(vault.entries(Filter(since=days[0], until=days[1], agent=agent)))
        if not listed:
            terminal.tell(f"nothing was noted {days[0]}" + (f" to {days[1]}" if days[1] != days[0] else ""))
        _print(terminal, listed, as_json)
        return
    entry = vault.find(name, agent)
    if as_json:
        terminal.json({"schema": render.SCHEMA, **render.as_json(entry)})
    else:
        render.whole(terminal, entry)


@app.command(
    "list",
    epilog=examples(
        'mem list --since "last week" --tag cache',
        "mem list --type decision --json",
        "mem list --path logs -n 0 | wc -l",
    ),
)
def list_(
    ctx: typer.Context,
    since: Since = "",
    until: Until = "",
    tag: Annotated[list[str] | None, typer.Option("--tag", "-t", help="Only with this tag; may be repeated.")] = None,
    kind: Annotated[list[str] | None, typer.Option("--type", help=_TYPES, autocompletion=_types)] = None,
    path: Annotated[str, typer.Option("--path", metavar="PLACE", help=_PLACE, autocompletion=complete.files)] = "",
    agent: Agent = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """List memories, newest first."""
    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    want = Filter(
        since=day(since, vault.today, 0), until=day(until, vault.today, 1),
        tags=tuple(tag or ()), types=tuple(kind or ()), path=path, agent=agent,
    )  # fmt: skip
    shown, more = vault.latest(want, max(0, limit))
    _print(terminal, shown, as_json)
    if more:
        terminal.tell("there are more; -n 0 shows all")
    elif not shown:
        terminal.tell("no memories match")


def _print(terminal: Terminal, found: list[entries.Entry], as_json: bool) -> None:
    if as_json:
        terminal.json([render.as_json(entry) for entry in found])
        return
    terminal.table([render.row(entry) for entry in found], render.ROW_STYLES, clip=True)


def day(text: str, today: date, end: int) -> date | None:
    """A day given by a flag, as a date or in words; `end` 1 takes the last day of a span."""
    if not text:
        return None
    found = _days(text, today)
    if not found:
        raise UsageError(f"'{text}' is not a day I understand", "2026-11-01, yesterday, 'last week', 上周五")
    return found[end]


def in_words(text: str, today: date) -> date | None:
    """The first day meant by a text that is a date and nothing else, as a commit's name is not."""
    from memcli.text import dates

    spans = dates.find(text, today) if text else []
    return spans[0].first if spans and (spans[0].start, spans[0].stop) == (0, len(text)) else None


def _days(text: str, today: date) -> tuple[date, date] | None:
    from memcli.text import dates

    try:
        exact = date.fromisoformat(text)
        return exact, exact
    except ValueError:
        spans = dates.find(text, today)
    return (min(s.first for s in spans), max(s.last for s in spans)) if spans else None


def looks_like_file(vault: Vault, name: str) -> bool:
    """A name with a suffix or a slash, a file that is there, or a day with a log: as opposed to an id."""
    if re.fullmatch(r".+:\d+", name) or not name:
        return False
    if _ISO_DAY.fullmatch(name) or name.endswith((*layout.MARKDOWN, ".yaml", ".yml")):
        return True
    return any((vault.root / f"{name}{end}").is_file() for end in ("", ".md")) and not name.startswith("^")


def resolve_file(vault: Vault, name: str, make: bool = False) -> str:
    """The vault's file meant by a path, a name without suffix, or a day; with `make` it need not exist yet."""
    if _ISO_DAY.fullmatch(name):
        logs, standard = _logs_of(vault, name), _day(name).strftime(vault.settings.write.log)
        return standard if standard in logs or not logs else logs[0]
    for end in ("", ".md", ".yaml"):
        place = files.inside(vault.root, name + end)
        if place.is_file():
            return place.relative_to(vault.root.resolve()).as_posix()
    if make:
        return name
    raise UsageError(f"there is no file {name} in the vault", _nearest_file(vault, name))


def _logs_of(vault: Vault, name: str) -> list[str]:
    wanted = _day(name)
    logs = vault.files(Filter(wanted, wanted, kinds=frozenset({"log"})))
    return [path for path in logs if layout.day_of(path) == wanted]


def _day(name: str) -> date:
    try:
        return date.fromisoformat(name)
    except ValueError:
        raise UsageError(f"{name} is not a day of the calendar") from None


def _nearest_file(vault: Vault, name: str) -> str:
    from memcli.vault.settings import nearest

    return nearest(name, list(layout.walk(vault.root))) or "mem list shows what there is"
