"""Define `mem import` and `mem export`: bring memories in, and write them out."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from memcli.cli import options
from memcli.cli.command import Result, command
from memcli.cli.looks import BOLD, DIM, YELLOW
from memcli.cli.options import DryRun, Filters, Yes
from memcli.cli.progress import progress
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError
from memcli.text.clean import one_line

if TYPE_CHECKING:
    from memcli.features.move.bring import ImportResult
    from memcli.features.move.import_plan import ImportOptions, Plan

# The formats that can be written. They are repeated here so that the help need not load the formats.
WRITTEN = (
    "mem", "json", "jsonl", "markdown", "obsidian", "openclaw", "csv", "html", "claude", "chatgpt-text", "pam", "mem0",
    "server-memory", "letta",
)  # fmt: skip
ATTACHMENTS = ("copy", "link", "leave")
_LONG = 20  # seconds; work that takes longer is announced beforehand
_EMPTY = 4  # bytes of an empty file: [] and a line feed
_SHOWN = 8  # the most files, or unreadable things, that are listed


@command(
    "import",
    "mem import ~/Downloads/chatgpt-export.zip      shows what it would bring, then asks",
    "mem import ~/Obsidian/Notes --yes",
    "mem import mem0.json --from mem0 --dry-run",
    "mem import conversations.json --keep           the talks themselves, into sessions/",
)
def import_(
    terminal: Terminal,
    path: Annotated[str, "PATH", "A file, a folder or a zip."],
    /,
    from_: Annotated[str, "--from", "NAME", "The format, where mem does not know it by itself."] = "",
    to: Annotated[str, "FOLDER", "Where in the vault; by default imported/ and the format."] = "",
    keep: Annotated[bool, "Keep talks as they are; by default mem learns from them."] = False,
    attachments: Annotated[
        str, "WAY", "Pictures and files: copy them, link to where they lie, or leave them.", options.words(*ATTACHMENTS)
    ] = "copy",
    keep_sensitive: Annotated[bool, "Bring passwords, addresses and numbers as they are; asks first."] = False,
    yes: Yes = False,
    dry_run: DryRun = False,
) -> Result | None:
    """Bring what another tool keeps: memories, notes, talks. Run again it brings only what is new.

    It says first what it would do. All of it is one change, which mem undo takes back.
    """
    from memcli.features.move import archives, formats, sorter
    from memcli.features.move.bring import bring
    from memcli.features.move.import_plan import ImportOptions

    vault = terminal.vault()
    tree = archives.open_tree(terminal.here / Path(path).expanduser())
    if attachments not in ATTACHMENTS:
        raise UsageError(f"attachments are not '{attachments}'", f"one of {', '.join(ATTACHMENTS)}")
    wanted = ImportOptions(from_ or formats.known(tree), to, keep, attachments, keep_sensitive)
    begun = time.monotonic()
    with progress(terminal, lambda done: "looked through", "MB") as tell:
        plan = sorter.plan(vault, tree, wanted, tell)
    took = time.monotonic() - begun
    if not terminal.as_json:
        _show(terminal, plan, wanted, dry_run)
        if plan.fresh and took > _LONG:
            terminal.tell(f"to bring it takes at most {max(1, round(took / 60))} min")
    if plan.is_unread and tree.size > _EMPTY:
        expected = terminal.translate(formats.expected(wanted.format))
        raise UsageError(
            f"{tree.name}: nothing in it could be read; expected: {expected}", "--from NAME reads it as something else"
        )
    if not plan.fresh:
        return Result(_as_json(plan, None), note="nothing new to bring")
    if dry_run or not (yes or terminal.interactive()):
        return Result(_as_json(plan, None), note="nothing is brought yet: --yes does it")
    plain = keep_sensitive and plan.sensitive
    if not terminal.confirm("Bring it, with what is sensitive in plain words?" if plain else "Bring it?", yes):
        return Result(_as_json(plan, None), note="nothing changed")
    with progress(terminal, lambda done: "brought in", "MB") as tell:
        brought = bring(vault, tree, wanted, tell, plan)
    return Result(_as_json(brought.plan, brought), _told(terminal, brought))


def _show(terminal: Terminal, plan: Plan, wanted: ImportOptions, whole: bool) -> None:
    title, colon = terminal.paint(terminal.translate(plan.title), BOLD), terminal.speech.colon
    terminal.out(f"{title}{colon}{_counts(terminal, plan, wanted)}")
    rows = [["", f"{count}", name] for name, count in plan.files.most_common(_SHOWN)]
    if len(plan.files) > _SHOWN:
        rows.append(["", "", terminal.translate(f"… and {len(plan.files) - _SHOWN} more files")])
    terminal.table(rows, ("", DIM, ""))
    for name, other in plan.copies[:_SHOWN]:
        mark = terminal.paint(terminal.translate("there twice") + colon.rstrip(), YELLOW, terminal.stderr)
        terminal.tell(f"{mark} {one_line(name)}{colon}{terminal.translate(f'the same as {other}')}")
    for what, listed in (("refused", plan.refused), ("left out", plan.unread)):
        mark = terminal.paint(terminal.translate(what) + colon.rstrip(), YELLOW, terminal.stderr)
        for name, why in listed[:_SHOWN]:
            name = terminal.translate(name) if why == "of other kinds" else one_line(name)
            terminal.tell(f"{mark} {name}{colon}{terminal.translate(why)}")
        if len(listed) > _SHOWN:
            terminal.tell(f"… and {len(listed) - _SHOWN} more {what}")
    _show_sensitive(terminal, plan, wanted, whole)


def _show_sensitive(terminal: Terminal, plan: Plan, wanted: ImportOptions, whole: bool) -> None:
    """List for each note what is blacked out, or kept if that was chosen. `whole` lists all notes instead of the first
    few."""
    from memcli.remember import named

    how = "kept in plain words: " if wanted.sensitive else "blacked out "
    told = list(plan.sensitive.items())
    for name, kinds in told if whole else told[:_SHOWN]:
        terminal.tell(f"{terminal.paint(f'{name}:', YELLOW, terminal.stderr)} {terminal.translate(how + named(kinds))}")
    if len(told) > _SHOWN and not whole:
        terminal.tell(f"… and in {len(told) - _SHOWN} more: --dry-run names them all")
    if told and not wanted.sensitive:
        terminal.tell("--keep-sensitive brings all of it as it is")


def _sensitive(wanted: ImportOptions) -> str:
    return "kept in plain words" if wanted.sensitive else "blacked out"


def _counts(terminal: Terminal, plan: Plan, wanted: ImportOptions) -> str:
    """Return one line that counts what is new, its span of days, and what stays out."""
    talks = f"{terminal.translate(_many(plan.talks, 'talk'))} ({terminal.translate(_many(plan.messages, 'message'))})"
    talks += "" if wanted.keep else f" {terminal.translate('to learn from')}"
    new = [(plan.memories, _memories(plan.memories)), (plan.pages, _many(plan.pages, "note")), (plan.talks, talks)]
    new += [(plan.attachments, _many(plan.attachments, "attachment"))]
    new += [(plan.linked, f"{_many(plan.linked, 'attachment')} linked")]
    out = [
        (plan.known, "brought before"),
        (len(plan.copies), "there twice"),
        (plan.same, "said already"),
        (sum(plan.blacked_out.values()), _sensitive(wanted)),
    ]
    out += [(plan.left, "attachments left where they lie"), (plan.disputed, "said otherwise: mem review asks")]
    counted = [terminal.translate(text) for number, text in new if number] or [terminal.translate("nothing new")]
    counted += [terminal.translate(f"{plan.first} to {plan.last}")] if plan.first else []
    beside = [terminal.translate(f"{number} {what}") for number, what in out if number]
    return terminal.speech.semicolon.join([terminal.speech.comma.join(counted), *beside])


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _told(terminal: Terminal, brought: ImportResult) -> list[str]:
    plan = brought.plan
    where = ", ".join(map(one_line, brought.paths[:_SHOWN]))
    lines = (
        [f"{plan.memories + plan.pages + plan.talks - brought.waiting} brought into {where}"] if brought.paths else []
    )
    if brought.waiting:
        lines.append(f"{brought.waiting} talks wait for mem work, which learns from them")
    return [terminal.translate(line) for line in lines or ["brought"]]


def _as_json(plan: Plan, brought: ImportResult | None) -> dict[str, Any]:
    facts = {name: value for name, value in asdict(plan).items() if name != "looked"}
    facts |= {"first": plan.first and plan.first.isoformat(), "last": plan.last and plan.last.isoformat()}
    return {
        **facts,
        "brought": brought is not None,
        "paths": brought.paths if brought else [],
        "waiting": brought.waiting if brought else 0,
    }


@command(
    "export",
    "mem export > memories.jsonl                    all of it, to be imported again",
    "mem export --to html > memories.html           one page to read, today or in ten years",
    "mem export --to obsidian --out ~/Notes",
    "mem export --to pam --since 2026-01-01 > memory.pam.json",
    "mem export --to markdown -t family --redact | less",
    filters="since until tag type path",
    agents=True,
)
def export(
    terminal: Terminal,
    filters: Filters,
    to: Annotated[str, "FORMAT", f"{', '.join(WRITTEN)}.", options.words(*WRITTEN)] = "mem",
    out: Annotated[str, "PATH", "Write it there; obsidian and openclaw are folders and need one."] = "",
    redact: Annotated[bool, "Black out addresses, numbers and secrets."] = False,
) -> Result | None:
    """Write memories in a format that others read, to stdout. A vault is a folder: copying it takes all of it along."""
    from memcli.features.move import export as exporting
    from memcli.vault.vault import Filter

    vault = terminal.vault()
    first, last = filters.days(vault.today)
    want = Filter(first, last, filters.tags, filters.types, filters.path)
    exported = exporting.export(vault, want, to, redact)
    place = terminal.here / Path(out).expanduser()
    if exported.format.write_files:
        if not out:
            raise UsageError(f"{exported.format.title} is a folder", f"mem export --to {to} --out FOLDER")
        terminal.tell(f"{_many(exporting.lay(exported, place), 'file')} in {place}")
    elif out:
        exporting.save(exported, place)
        terminal.tell(f"{place} has {_memories(exported.memories)}")
    else:
        for piece in exported.pieces:
            terminal.out(piece, end="")
    if exported.lost:
        every = (terminal.translate(f"{number} {_plural(name, number)}") for name, number in exported.lost.items())
        lost = terminal.speech.comma.join(every)
        terminal.tell(f"{exported.format.title} has no place for: {lost}, of {_memories(exported.memories)}")
    return None


def _plural(name: str, number: int) -> str:
    return name if number == 1 or name in ("tags", "confidence", "importance") else f"{name}s"


def _memories(number: int) -> str:
    return f"{number} memor{'ies' if number != 1 else 'y'}"
