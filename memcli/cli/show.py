"""Define `mem show` and `mem list`: print memories as they are, without ranking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any

from memcli.cli import options, render
from memcli.cli.command import Result, Table, command
from memcli.cli.options import Filters, Limit
from memcli.cli.terminal import Terminal
from memcli.errors import ChangeConflict, NotFound, UsageError
from memcli.message import Message
from memcli.text.clean import harmless, one_line
from memcli.text.later import compile_later
from memcli.text.words import is_stop
from memcli.vault import entries, files, layout, preferences
from memcli.vault.filter import has_parts, read_days, read_either
from memcli.vault.vault import Filter, Rank, Vault

_WHAT = "An id, path:line, a file, or a day in words; on a terminal without any you pick one."
MOST_SORTED = 300  # so many of the latest open tasks are sorted by their days, which takes a millisecond each
SHOWN = 20  # how many of the latest memories are listed or offered to pick from
SHORT = 100  # characters of a memory among several that may be meant
_ISO_DAY = compile_later(r"\d{4}-\d{2}-\d{2}")


@command("show", "mem show 3f2a9c1", "mem show ^cache-redis", "mem show MEMORY.md", "mem show yesterday", agents=True)
def show(
    terminal: Terminal,
    what: Annotated[list[str] | None, "[ID|FILE|DATE]", _WHAT, options.places] = None,
    /,
) -> Result:
    vault = terminal.vault()
    name = " ".join(what or ()) or pick_memory(terminal, vault).id
    if looks_like_file(vault, name) and not (_ISO_DAY.fullmatch(name) and not _logs_of(vault, name)):
        path = resolve_file(vault, name)
        text = files.read_file(vault.place(path), path).text
        return Result(lambda: _file_as_json(path, text), lambda: terminal.prose(harmless(text).removesuffix("\n")))
    if span := days_of_name(vault, name):
        first, last = span
        listed = list(vault.entries(Filter(since=first, until=last)))
        day, days = (
            Message("nothing was noted on {day}", day=first),
            Message("nothing was noted from {day} to {last}", day=first, last=last),
        )
        return listed_memories(terminal, listed, "" if listed else day if first == last else days)
    entry = find_or_pick(terminal, vault, [name])
    return Result(render.as_json(entry), lambda: render.print_memory(terminal, entry))


@command(
    "list",
    "mem list redis",
    'mem list --since "last week" --tag cache',
    "mem list --type decision --json",
    "mem list --path logs -n 0 | wc -l",
    filters="since until tag type path",
    agents=True,
)
def list_(
    terminal: Terminal,
    words: Annotated[list[str] | None, "[WORDS]...", "Only what holds all of these words."] = None,
    /,
    filters: Filters = Filters(),
    limit: Limit = SHOWN,
    after: Annotated[
        str, "PLACE", "Only what comes after the last one of a page: 'DAY TIME PATH:LINE', - for none."
    ] = "",
) -> Result:
    vault = terminal.vault()
    first, last = filters.days(vault.today)
    want = Filter(first, last, filters.tags, filters.types, filters.path, words=tuple(words or ()))
    want = _in_parts_if_needed(vault, want)
    shown, more = vault.latest(want, max(0, limit), _place_in_list(after) if after else None)
    if not shown:
        filters.tell_empty(vault)
        wanted = " ".join(want.words)
        is_wanted = wanted or "preference" in filters.types
        if is_wanted and preferences.find_holding(preferences.read_or_notice(vault), wanted):
            vault.notice("that is kept as a preference: mem prefer list")
        elif wanted and "/" not in wanted and days_of_name(vault, wanted):
            vault.notice("the memories of a day: mem show '{day}'", day=wanted)
    note = "there are more; -n 0 shows all" if more else "" if shown else "no memories match"
    return listed_memories(terminal, shown, note, want.words)


def _place_in_list(after: str) -> Rank:
    """Return the sort key of the place where a page ended. The memory that stood there may be gone by now."""
    found = re.fullmatch(r"(\d{4}-\d{2}-\d{2}|-) (\S+) (.+):(\d{1,9})", after)
    try:
        day, time, path, line = found.groups() if found else ("", "", "", "")
        return (date.min if day == "-" else date.fromisoformat(day)), time.strip("-"), path, int(line)
    except ValueError:
        raise UsageError(
            "--after '{place}' is not a place in a list", "'2026-11-20 14:30 logs/2026-11-20.md:14'", place=after
        ) from None


def listed_memories(terminal: Terminal, found: list[entries.Entry], note: str, words: tuple[str, ...] = ()) -> Result:
    if terminal.as_json:
        return Result({"memories": [render.as_json(entry) for entry in found]}, note=note)
    return Result(
        {}, Table([render.row(terminal, entry) for entry in found], render.ROW_STYLES, clip=True, words=words), note
    )


def _file_as_json(path: str, text: str) -> dict[str, Any]:
    memories = [render.as_json(entry) for entry in entries.parse_document(path, text).entries]
    return {"path": path, "text": harmless(text), "entries": memories}


def days_of_name(vault: Vault, name: str) -> tuple[date, date] | None:
    """Return the first and last day that a name means, or None if it means a memory or no day."""
    if re.fullmatch(r".+:\d+", name) or vault.matches(name):
        return None
    if either := read_either(name, vault.today):  # the one of which there are notes, else the person has to say
        noted = [day for day in either if any(vault.entries(Filter(since=day, until=day)))]
        return (noted[0], noted[0]) if len(noted) == 1 else read_days(name, vault.today)
    from memcli.text.dates.written_days import parse_days  # few names are days

    return parse_days(name, vault.today)


def still_the_same(entry: entries.Entry, unchanged: str) -> None:
    """Raise ChangeConflict if the caller expects another hash than the memory has. "" and "*" accept any."""
    if unchanged not in ("", "*", entry.hash):
        raise ChangeConflict(
            "{place} is not the one with the hash {hash} any more",
            "look at it again",
            place=entry.place,
            hash=unchanged[:40],
        )


def find_or_pick(terminal: Terminal, vault: Vault, names: Sequence[str], is_open_task: bool = False) -> entries.Entry:
    """Return the memory with this id, or the one that contains all the words. If several do, the person picks one.

    A request to a server, which has no stdin, must give an id.
    """
    name = " ".join(names)
    words = tuple(name.split())
    try:
        if name:
            return vault.find_entry(name)
    except NotFound:
        if terminal.stdin is None or not (is_open_task or latest_holding(vault, words)):
            raise
    return pick_memory(terminal, vault, words, is_open_task)


def _in_parts_if_needed(vault: Vault, want: Filter) -> Filter:
    """Return a filter that finds Chinese words in parts, as recall does, if no memory has them whole."""
    if any(map(has_parts, want.words)) and not vault.latest(want, 1)[0]:
        return want._replace(in_parts=True)
    return want


def latest_holding(
    vault: Vault, words: tuple[str, ...], is_open_task: bool = False, most: int = SHOWN
) -> list[entries.Entry]:
    """Return the latest memories, or open tasks, that contain all the words. A word in Latin letters must match the
    beginning of a word: "rent" does not match "parents". An id in the fields of another memory is no word, and "the"
    beside other words says nothing."""
    words = tuple(word for word in words if not is_stop(word.lower())) or words
    want = _in_parts_if_needed(vault, Filter(words=words, types=("task",) if is_open_task else ()))
    found, _ = vault.latest(want, 0 if words or is_open_task else most)  # the latest tasks may all be done
    chosen = [
        entry for entry in found
        if all(want.finds(word, entry.words.casefold()) for word in words)
        and (not is_open_task or (entry.task == "open" and not entry.superseded))
    ]  # fmt: skip
    if is_open_task and len(chosen) > 1:
        from memcli.recall.told_days import due_key, find_due

        chosen = sorted(chosen[:MOST_SORTED], key=lambda task: due_key(find_due(task, vault.today)))
    return chosen[:most]


def pick_memory(
    terminal: Terminal, vault: Vault, words: tuple[str, ...] = (), is_open_task: bool = False
) -> entries.Entry:
    """Return the memory that the person picks, or the only one that contains all the words. A number alone is rather a
    slip, of an id or a line, and is asked about."""
    latest = latest_holding(vault, words, is_open_task)
    if words and len(latest) == 1 and not "".join(words).isdecimal():
        return latest[0]
    if not latest and is_open_task:
        said = [word for word in words if not is_stop(word.lower())]  # one of "nothing like this" names no memory
        matching = latest_holding(vault, words) if said and 2 * len(said) >= len(words) else []
        hint = (
            Message(
                "mem done {id} ticks what is not a task: {words}",
                id=matching[0].id,
                words=one_line(render.words_of(matching[0]), 60),
            )
            if matching
            else "mem done lists the open tasks"
            if words
            else ""
        )
        if done := next((entry for entry in matching if entry.task == "done"), None):
            hint = Message("done already: {words}", words=one_line(render.words_of(done), 60))
        raise UsageError(
            Message("no open task holds '{words}'", words=" ".join(words)) if words else "no task is open", hint
        )
    if not latest:
        raise UsageError(
            Message("no memory has this id or these words: '{words}'", words=" ".join(words))
            if words
            else "no memories yet"
        )
    rows = [[str(number), *render.row(terminal, entry)] for number, entry in enumerate(latest, 1)]
    if not terminal.interactive():
        if words or is_open_task:
            brief = [[*row[1:-1], one_line(row[-1], SHORT)] for row in rows]
            terminal.table(brief, render.ROW_STYLES, to_stderr=True)
        raise UsageError("which memory is meant?", "give its id; mem list shows them")
    terminal.table(rows, ("", *render.ROW_STYLES), clip=True, words=words, to_stderr=True)
    number = terminal.ask("which one, by its number?")
    if not (number.isdecimal() and 1 <= int(number) <= len(latest)):
        raise UsageError("nothing was picked")
    return latest[int(number) - 1]


def looks_like_file(vault: Vault, name: str) -> bool:
    """Return whether a name means a file rather than an id: it has a suffix, exists as a file, or is a date."""
    if re.fullmatch(r".+:\d+", name) or not name:
        return False
    if _ISO_DAY.fullmatch(name) or name.endswith((*layout.MARKDOWN, ".yaml", ".yml")):
        return True
    try:
        return any((vault.root / f"{name}{end}").is_file() for end in ("", ".md")) and not name.startswith("^")
    except OSError:  # no file can have this name
        return False


def resolve_file(vault: Vault, name: str, make: bool = False) -> str:
    """Return the path in the vault that a path, a name without suffix, or a date means. With `make` it need not exist
    yet."""
    if _ISO_DAY.fullmatch(name):
        logs, standard = _logs_of(vault, name), _day(name).strftime(vault.settings.write.log)
        return standard if standard in logs or not logs else logs[0]
    for end in ("", ".md", ".yaml"):
        file = vault.named(name + end)
        if file and file.real.is_file():
            return file.path
    if make:
        return name
    raise NotFound("there is no file {name} in the vault", _nearest_file(vault, name), name=name)


def _logs_of(vault: Vault, name: str) -> list[str]:
    wanted = _day(name)
    logs = vault.files(Filter(wanted, wanted, kinds=frozenset({"log"})))
    return [path for path in logs if layout.day_of(path) == wanted]


def _day(name: str) -> date:
    try:
        return date.fromisoformat(name)
    except ValueError:
        raise UsageError("{name} is not a day of the calendar", name=name) from None


def _nearest_file(vault: Vault, name: str) -> str:
    from memcli.vault.settings import nearest

    return nearest(name, list(filter(vault.sees, layout.walk(vault.root)))) or "mem list shows what there is"
