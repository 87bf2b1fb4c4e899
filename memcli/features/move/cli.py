"""Define `mem import` and `mem export`: bring memories in, and write them out."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from memcli.cli import options
from memcli.cli.command import Result, command
from memcli.cli.looks import BOLD, DIM, YELLOW
from memcli.cli.options import DryRun, Filters, Yes
from memcli.cli.progress import progress
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError
from memcli.message import Message
from memcli.text.clean import one_line

if TYPE_CHECKING:
    from memcli.features.move.bring import ImportResult
    from memcli.features.move.import_plan import ImportOptions, Plan
    from memcli.file_tree import Tree

# The formats that can be written. They are repeated here so that the help need not load the formats.
WRITTEN = (
    "mem", "json", "jsonl", "markdown", "obsidian", "openclaw", "csv", "html", "claude", "chatgpt-text", "pam", "mem0",
    "server-memory", "letta",
)  # fmt: skip
ATTACHMENTS = ("copy", "link", "leave")
_TURN = re.compile(r"^([^\W\d]\w{0,20})[:：]", re.M)  # how a turn of a written conversation begins
_LONG = 20  # seconds; work that takes longer is announced beforehand
_EMPTY = 4  # bytes of an empty file: [] and a line feed
_SHOWN = 8  # the most files, or unreadable things, that are listed


@command(
    "import",
    "mem import ~/Downloads/chatgpt-export.zip      shows what it would bring, then asks",
    "mem import ~/Obsidian/Notes --yes",
    "mem import mem0.json --from mem0 --dry-run",
    "mem import conversations.json --keep           the conversations themselves, into sessions/",
)
def import_(
    terminal: Terminal,
    path: Annotated[str, "PATH", "A file, a folder or a zip."],
    /,
    from_: Annotated[str, "--from", "NAME", "The format, where mem does not know it by itself."] = "",
    to: Annotated[str, "FOLDER", "Where in the vault; by default imported/ and the format."] = "",
    keep: Annotated[bool, "Keep conversations as they are; by default mem learns from them."] = False,
    attachments: Annotated[
        str, "WAY", "Pictures and files: copy them, link to where they lie, or leave them.", options.words(*ATTACHMENTS)
    ] = "copy",
    keep_sensitive: Annotated[bool, "Bring passwords, addresses and numbers as they are; asks first."] = False,
    yes: Yes = False,
    dry_run: DryRun = False,
) -> Result | None:
    """Bring what another tool keeps: memories, notes, conversations. Run again it brings only what is new.

    It says first what it would do. All of it is one change, which mem undo takes back.
    """
    from memcli.features.move import archives, formats, sorter
    from memcli.features.move.bring import bring_items
    from memcli.features.move.import_plan import ImportOptions

    vault = terminal.vault()
    tree = archives.open_tree(terminal.here / Path(os.path.expanduser(path)))
    if attachments not in ATTACHMENTS:
        raise UsageError(
            "attachments are not '{given}'", Message("one of {names}", names=", ".join(ATTACHMENTS)), given=attachments
        )
    wanted = ImportOptions(from_ or formats.detect_format(tree), to, keep, attachments, keep_sensitive)
    begun = time.monotonic()
    with progress(terminal, lambda done: "looked through", "MB") as tell:
        plan = sorter.plan_import(vault, tree, wanted, tell)
    took = time.monotonic() - begun
    if not terminal.as_json:
        _show(terminal, plan, wanted, dry_run)
        if wanted.format == "markdown" and _is_written_talk(tree):
            terminal.tell("a conversation: mem learn {path} keeps what is worth remembering from it", path=path)
        if plan.fresh and took > _LONG:
            terminal.tell("to bring it takes at most {n} min", n=max(1, round(took / 60)))
    if plan.is_unread and tree.size > _EMPTY:
        format = formats.load(wanted.format)
        raise UsageError(
            "{name}: nothing in it could be read; expected: {what}",
            "--from NAME reads it as something else",
            name=tree.name,
            what=terminal.translate(format.expects or format.title),
        )
    if not plan.fresh:
        return Result(_as_json(plan, None), note="nothing new to bring")
    if dry_run or not (yes or terminal.interactive()):
        return Result(_as_json(plan, None), note="nothing is imported yet; --yes imports it")
    plain = keep_sensitive and plan.sensitive
    if not terminal.confirm("Bring it, with what is sensitive in plain words?" if plain else "Bring it?", yes):
        return Result(_as_json(plan, None), note="nothing changed")
    with progress(terminal, lambda done: "brought in", "MB") as tell:
        brought = bring_items(vault, tree, wanted, tell, plan)
    return Result(_as_json(brought.plan, brought), _report_lines(terminal, brought))


def _is_written_talk(tree: Tree) -> bool:
    """Return whether there is one file only, in which a user and an assistant speak by turns, `User: …`."""
    from memcli.recall.query import ASSISTANT, USER, names_of_speaker

    heads = {head.lower() for head in _TURN.findall(tree.head(tree.names[0]))} if len(tree.names) == 1 else set()
    return bool(heads & names_of_speaker(USER) and heads & names_of_speaker(ASSISTANT))


def _show(terminal: Terminal, plan: Plan, wanted: ImportOptions, whole: bool) -> None:
    title, colon = terminal.paint(terminal.translate(plan.title), BOLD), terminal.speech.colon
    terminal.out(f"{title}{colon}{_counts(terminal, plan, wanted)}")
    rows = [["", f"{count}", name] for name, count in plan.files.most_common(_SHOWN)]
    if len(plan.files) > _SHOWN:
        rows.append(["", "", terminal.translate("… and {n} more files", n=len(plan.files) - _SHOWN)])
    terminal.table(rows, ("", DIM, ""))
    for name, other in plan.copies[:_SHOWN]:
        mark = terminal.paint(terminal.translate("there twice") + colon.rstrip(), YELLOW, terminal.stderr)
        terminal.tell(f"{mark} {one_line(name)}{colon}{terminal.translate('the same as {other}', other=other)}")
    for what, listed in (("refused", plan.refused), ("left out", plan.unread)):
        mark = terminal.paint(terminal.translate(what) + colon.rstrip(), YELLOW, terminal.stderr)
        for name, why in listed[:_SHOWN]:
            name = terminal.translate(name) if isinstance(name, Message) else one_line(name)
            terminal.tell(f"{mark} {name}{colon}{terminal.translate(why)}")
        if len(listed) > _SHOWN:
            terminal.tell("… and {n} more {WHAT}", n=len(listed) - _SHOWN, WHAT=what)
    _show_sensitive(terminal, plan, wanted, whole)


def _show_sensitive(terminal: Terminal, plan: Plan, wanted: ImportOptions, whole: bool) -> None:
    """List for each note the sensitive data that is blacked out, or kept if the user chose that. `whole` lists all
    notes instead of the first few."""
    from memcli.remember import name_kinds

    how = "kept in plain words: {KINDS}" if wanted.sensitive else "blacked out {KINDS}"
    told = list(plan.sensitive.items())
    for name, kinds in told if whole else told[:_SHOWN]:
        terminal.tell(
            f"{terminal.paint(f'{name}:', YELLOW, terminal.stderr)} {terminal.translate(how, KINDS=name_kinds(kinds))}"
        )
    if len(told) > _SHOWN and not whole:
        terminal.tell("… and in {n} more: --dry-run names them all", n=len(told) - _SHOWN)
    if told and not wanted.sensitive:
        terminal.tell("--keep-sensitive brings all of it as it is")


def _counts(terminal: Terminal, plan: Plan, wanted: ImportOptions) -> str:
    """Return one line with the number of new items, their span of days, and the number left out."""
    said = terminal.translate
    talks = f"{said('{n} conversation{s}', n=plan.talks)} ({said('{n} message{s}', n=plan.messages)})"
    talks += "" if wanted.keep else f" {said('to learn from')}"
    new = [(plan.memories, _memories(plan.memories)), (plan.pages, Message("{n} note{s}", n=plan.pages))]
    new += [(plan.talks, talks), (plan.attachments, Message("{n} attachment{s}", n=plan.attachments))]
    new += [(plan.linked, Message("{n} attachment{s} linked", n=plan.linked))]
    out = {
        "{n} brought before": plan.known,
        "{n} there twice": len(plan.copies),
        "{n} said already": plan.same,
        "{n} kept in plain words" if wanted.sensitive else "{n} blacked out": sum(plan.blacked_out.values()),
        "{n} attachment{s} left behind": plan.left,
        "{n} said otherwise: mem review asks": plan.disputed,
    }
    counted = [said(text) for number, text in new if number] or [said("nothing new")]
    counted += [terminal.translate("{first} to {last}", first=plan.first, last=plan.last)] if plan.first else []
    beside = [said(what, n=number) for what, number in out.items() if number]
    return terminal.speech.semicolon.join([terminal.speech.comma.join(counted), *beside])


def _report_lines(terminal: Terminal, brought: ImportResult) -> list[str]:
    plan = brought.plan
    where = ", ".join(map(one_line, brought.paths[:_SHOWN]))
    lines: list[str] = (
        [
            Message(
                "{n} brought into {places}", n=plan.memories + plan.pages + plan.talks - brought.waiting, places=where
            )
        ]
        if brought.paths
        else []
    )
    if brought.waiting:
        lines.append(Message("mem work learns from {n} conversation{s} when it runs next", n=brought.waiting))
    return [terminal.translate(line) for line in lines or ["brought"]]


def _as_json(plan: Plan, brought: ImportResult | None) -> dict[str, Any]:
    facts = {name: value for name, value in vars(plan).items() if name != "clean"}
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
    place = terminal.here / Path(os.path.expanduser(out))
    if exported.format.write_files:
        if not out:
            raise UsageError(
                "{FORMAT} is written as a folder",
                Message("mem export --to {to} --out FOLDER", to=to),
                FORMAT=exported.format.title,
            )
        terminal.tell("{n} file{s} in {place}", n=exporting.write_folder(exported, place), place=place)
    elif out:
        exporting.write_new_file(exported, place)
        terminal.tell("{place} has {MANY}", place=place, MANY=_memories(exported.memories))
    else:
        for piece in exported.pieces:
            terminal.out(piece, end="")
    if exported.lost:
        every = (
            terminal.translate(_LOST.get(name, "{n} {name}"), n=number, name=name)
            for name, number in exported.lost.items()
        )
        lost = terminal.speech.comma.join(every)
        terminal.tell(
            "{FORMAT} has no place for: {what}, of {MANY}",
            FORMAT=exported.format.title,
            what=lost,
            MANY=_memories(exported.memories),
        )
    return None


_LOST = {  # how many facts of a kind a format has no place for; the kind of a format from outside stays as it is
    "author": "{n} author{s}",
    "confidence": "{n} confidence",
    "date": "{n} date{s}",
    "heading": "{n} heading{s}",
    "id": "{n} id{s}",
    "importance": "{n} importance",
    "successor": "{n} successor{s}",
    "tags": "{n} tag{s}",
    "time": "{n} time{s}",
    "type": "{n} type{s}",
}


def _memories(number: int) -> str:
    return Message("{n} memory" if number == 1 else "{n} memories", n=number)
