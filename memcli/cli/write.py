"""`mem add`, `mem edit`, `mem forget`."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli import complete, render
from memcli.cli.plain import Plain
from memcli.cli.show import looks_like_file, resolve_file
from memcli.cli.terminal import DIM, YELLOW, Terminal
from memcli.errors import MemError, MissingPart, UsageError
from memcli.text.clean import one_line
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.remember import Verdict

app = typer.Typer(rich_markup_mode=None)


@app.command(
    cls=Plain,
    epilog="""\b
Examples:
  mem add "Redis replaces the local cache" -t cache --type decision
  mem add "妈妈生日 12月3日" --to MEMORY.md#People
  pbpaste | mem add - -t snippet
""",
)
def add(
    ctx: typer.Context,
    text: Annotated[
        list[str] | None, typer.Argument(metavar="[TEXT]...", help="What to remember; - or nothing reads stdin.")
    ] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", "-t", help="A tag; may be repeated.")] = None,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FILE[#HEADING]",
            help="Where to write; else today's log, or the file of the type.",
            autocompletion=complete.files,
        ),
    ] = "",
    kind: Annotated[
        str,
        typer.Option(
            "--type",
            help="decision, fact, preference, task, insight … or any word.",
            autocompletion=complete.words(*complete.TYPES),
        ),
    ] = "",
    importance: Annotated[float | None, typer.Option("--importance", help="0 to 1.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", metavar="NAME", help="Into this agent's own space.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Keep it even if it looks worthless or is there already.")
    ] = False,
    allow_sensitive: Annotated[
        bool, typer.Option("--allow-sensitive", help="Keep addresses, numbers and secrets in plain words.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be written, and what the gates say.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The new memory as JSON.")] = False,
) -> None:
    """Remember something: one memory into today's log, or the file it belongs to. Exit 4 when a gate says no."""
    from memcli.remember import Memory, TurnedAway
    from memcli.remember import add as remember

    terminal: Terminal = ctx.obj
    said = " ".join(text or ())
    if said in ("", "-"):
        said = terminal.stdin_text()
        if not said and text is None:
            raise UsageError("there is nothing to remember", 'mem add "what you want remembered", or pipe it in')
    memory = Memory(said, tuple(tag or ()), kind, importance, to, agent)
    try:
        added = remember(terminal.vault(), memory, dry_run, force=force, allow_sensitive=allow_sensitive)
    except TurnedAway as no:
        if as_json:
            terminal.json(
                {
                    "schema": render.SCHEMA,
                    "kept": False,
                    "verdicts": [asdict(each) for each in no.verdicts],
                    "dry_run": dry_run,
                }
            )
        elif dry_run:
            _judged(terminal, no.verdicts)
        raise
    if as_json:
        terminal.json(
            {
                "schema": render.SCHEMA,
                **render.as_json(added.entry),
                "commit": added.written.commit or None,
                "kept": True,
                "again": added.again,
                "verdicts": [asdict(each) for each in added.verdicts],
                "dry_run": dry_run,
            }
        )
        return
    verb = "would write to" if dry_run else "remembered in"
    if added.again:
        verb = (
            "is there already, would be marked as seen again:"
            if dry_run
            else "was there already, marked as seen again:"
        )
    place = one_line(added.entry.path if dry_run and not added.again else added.entry.place)
    terminal.out(f"{terminal.paint(added.entry.id, YELLOW)} {verb} {place}")
    if added.again and not dry_run:
        terminal.tell("--force writes it a second time")
    if dry_run:
        terminal.out(added.entry.raw)
        _judged(terminal, added.verdicts)


@app.command(
    epilog="""\b
Examples:
  mem edit                    today's log
  mem edit MEMORY.md          a file
  mem edit 3f2a9c1            one memory
"""
)
def edit(
    ctx: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            metavar="[ID|FILE|DATE]",
            help="An id, a file or a day; by default today's log.",
            autocompletion=complete.files,
        ),
    ] = "",
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="NAME", help="Look in this agent's space too.")
    ] = None,
    allow_sensitive: Annotated[
        bool, typer.Option("--allow-sensitive", help="Keep addresses, numbers and secrets in plain words.")
    ] = False,
) -> None:
    """Change a memory or a file in $VISUAL or $EDITOR. Edits made elsewhere meanwhile are kept."""
    from memcli import remember
    from memcli.vault import files

    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    if not what or looks_like_file(vault, what):
        path = resolve_file(vault, what or vault.today.isoformat(), make=True)
        place = files.inside(vault.root, path)
        before = files.read_or_empty(place, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        _open_editor(terminal, place)
        after = files.read_or_empty(place, path)
        old = before.text if before.stamp else None
        new = after.text if after.stamp else None
        try:
            written = remember.note_edit(vault, path, old, new, allow_sensitive)
        except MemError as error:
            draft = _draft(place.name, after.text)
            raise type(error)(error.message, f"{error.hint}; your text is kept in {draft}") from None
        terminal.out(f"{one_line(path)} {'changed' if written.changes else 'unchanged'}")
        return
    entry = vault.find(what, agent)
    terminal.out(
        f"{one_line(entry.place)} {'changed' if edited(terminal, vault, entry, allow_sensitive) else 'unchanged'}"
    )


def edited(terminal: Terminal, vault: Vault, entry: Entry, allow_sensitive: bool = False) -> bool:
    """Open one memory in the editor and take over what was typed; whether it was changed."""
    from memcli import remember
    from memcli.vault import files

    shown = entry.raw.replace("\r\n", "\n").rstrip()
    draft = _draft(f"{entry.id.lstrip('^')}.md", shown + "\n")
    try:
        _open_editor(terminal, draft)
        typed = files.read(draft).text.replace("\r\n", "\n").rstrip()
        if typed != shown:
            remember.edit(vault, entry, typed, allow_sensitive)
    except MemError as error:  # what was typed must not be lost with the attempt
        if draft.read_bytes() == f"{shown}\n".encode():
            _discard(draft)
            raise
        raise type(error)(error.message, f"{error.hint}{'; ' * bool(error.hint)}your text is kept in {draft}") from None
    _discard(draft)
    return typed != shown


def _draft(name: str, text: str) -> Path:
    """A text in a folder of its own outside the vault, so that nothing the gates refuse ever lies in it."""
    from tempfile import mkdtemp

    draft = Path(mkdtemp(prefix="mem-draft-")) / name
    draft.write_text(text, encoding="utf-8", newline="\n")
    return draft


def _discard(draft: Path) -> None:
    draft.unlink()
    with suppress(OSError):  # the editor left a copy of its own there
        draft.parent.rmdir()


@app.command(
    epilog="""\b
Examples:
  mem forget 3f2a9c1
  mem forget logs/2026-11-20.md:14 --yes
"""
)
def forget(
    ctx: typer.Context,
    what: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids, or path:line.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="NAME", help="Look in this agent's space too.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be archived.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="What was archived as JSON.")] = False,
) -> None:
    """Move memories to the archive: kept, out of recall, and `mem undo` brings the last one back."""
    from memcli import remember

    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    entries = list(dict.fromkeys(vault.find(each, agent) for each in what))
    for entry in entries:
        shown = terminal.paint(entry.id, YELLOW, terminal.stderr), terminal.paint(entry.place, DIM, terminal.stderr)
        terminal.tell(f"{' '.join(shown)} {one_line(entry.words, 100)}")
    if dry_run:
        return
    if not terminal.confirm(
        "Archive this memory?" if len(entries) == 1 else f"Archive these {len(entries)} memories?", yes
    ):
        terminal.tell("nothing changed")
        return
    done = [(entry, remember.forget(vault, entry).changes[0].path) for entry in entries]
    if as_json:
        terminal.json(
            {"schema": render.SCHEMA, "archived": [{**render.as_json(e), "archive": path} for e, path in done]}
        )
        return
    for entry, path in done:
        terminal.out(f"{entry.id} archived in {one_line(path)}")


def _judged(terminal: Terminal, verdicts: Sequence[Verdict]) -> None:
    """What each gate says."""
    terminal.table([[each.gate, each.action, one_line(each.reason)] for each in verdicts], (DIM, YELLOW))


def _open_editor(terminal: Terminal, path: Path) -> None:
    editor = terminal.environ.get("VISUAL") or terminal.environ.get("EDITOR")
    if not editor and not terminal.interactive():
        raise MissingPart("there is no editor to open", "set EDITOR to the one you use")
    editor = editor or ("notepad" if os.name == "nt" else "vi")
    try:
        done = subprocess.run([*shlex.split(editor), str(path)])
    except (OSError, ValueError):
        raise MissingPart(f"the editor '{editor}' can't be started", "set EDITOR to the one you use") from None
    if done.returncode:
        raise UsageError(f"the editor ended with {done.returncode}; nothing was taken over")
