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

from memcli.cli import options, render
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import DIM, YELLOW
from memcli.cli.options import Agent, DryRun, Tags, Yes
from memcli.cli.show import looks_like_file, resolve_file
from memcli.cli.terminal import Terminal
from memcli.errors import MemError, MissingPart, UsageError
from memcli.text.clean import one_line
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.remember import Verdict


@command(
    "add",
    'mem add "Redis replaces the local cache" -t cache --type decision',
    'mem add "妈妈生日 12月3日" --to MEMORY.md#People',
    "pbpaste | mem add - -t snippet",
    text=True,
    json="The new memory as JSON.",
)
def add(
    terminal: Terminal,
    text: Annotated[list[str] | None, "[TEXT]...", "What to remember; - or nothing reads stdin."] = None,
    /,
    tag: Tags = None,
    to: Annotated[
        str, "FILE[#HEADING]", "Where to write; else today's log, or the file of the type.", options.files
    ] = "",
    kind: Annotated[
        str, "--type", "decision, fact, preference, task, insight … or any word.", options.words(*options.TYPES)
    ] = "",
    importance: Annotated[float | None, "0 to 1."] = None,
    agent: Annotated[str | None, "NAME", "Into this agent's own space."] = None,
    force: Annotated[bool, "Keep it even if it looks worthless or is there already."] = False,
    allow_sensitive: Annotated[bool, "Keep addresses, numbers and secrets in plain words."] = False,
    dry_run: Annotated[bool, "Show what would be written, and what the checks say."] = False,
) -> Result:
    """It goes into today's log, or the file it belongs to. Exit 4 when it is refused: a secret, or not worth it."""
    from memcli.remember import Memory, TurnedAway
    from memcli.remember import add as remember

    words = " ".join(text or ())
    if words in ("", "-"):
        words = terminal.stdin_text()
        if not words and text is None:
            raise UsageError("there is nothing to remember", 'mem add "what you want remembered", or pipe it in')
    memory = Memory(words, tuple(tag or ()), kind, importance, to, agent)
    try:
        added = remember(terminal.vault(), memory, dry_run, force=force, allow_sensitive=allow_sensitive)
    except TurnedAway as no:
        verdicts = _verdicts(no.verdicts) if dry_run else ""
        return Result(
            {"kept": False, "verdicts": [*map(asdict, no.verdicts)], "dry_run": dry_run}, verdicts, failure=no
        )
    kept = {"commit": added.written.commit or None, "kept": True, "again": added.again}
    data = {**render.as_json(added.entry), **kept, "verdicts": [*map(asdict, added.verdicts)], "dry_run": dry_run}

    def plain() -> None:
        verb = _VERBS[added.again, dry_run]
        place = one_line(added.entry.path if dry_run and not added.again else added.entry.place)
        terminal.out(f"{terminal.paint(added.entry.id, YELLOW)} {verb} {place}")
        if dry_run:
            terminal.out(added.entry.raw)
            terminal.table(*_verdicts(added.verdicts))

    return Result(data, plain, "--force writes it a second time" if added.again and not dry_run else "")


# whether it was there already, whether this is a dry run → what is said
_VERBS = {
    (False, False): "remembered in",
    (False, True): "would write to",
    (True, False): "was there already, marked as seen again:",
    (True, True): "is there already, would be marked as seen again:",
}


def _verdicts(verdicts: Sequence[Verdict]) -> Table:
    """What each check says."""
    return Table([[verdict.gate, verdict.action, one_line(verdict.reason)] for verdict in verdicts], (DIM, YELLOW))


@command(
    "edit",
    "mem edit                    today's log",
    "mem edit MEMORY.md          a file",
    "mem edit 3f2a9c1            one memory",
    json="",
)
def edit(
    terminal: Terminal,
    what: Annotated[str, "[ID|FILE|DATE]", "An id, a file or a day; by default today's log.", options.files] = "",
    /,
    agent: Agent = None,
    allow_sensitive: Annotated[bool, "Keep addresses, numbers and secrets in plain words."] = False,
) -> Result:
    """The editor is $VISUAL or $EDITOR. Edits made elsewhere meanwhile are kept."""
    from memcli import remember
    from memcli.vault import files

    vault = terminal.vault()
    if what and not looks_like_file(vault, what):
        entry = vault.find(what, agent)
        place, changed = entry.place, edited(terminal, vault, entry, allow_sensitive)
    else:
        place = resolve_file(vault, what or vault.today.isoformat(), make=True)
        file = files.inside(vault.root, place)
        before = files.read_or_empty(file, place)
        files.make_folder(file.parent)
        _open_editor(terminal, file)
        after = files.read_or_empty(file, place)
        old = before.text if before.stamp else None
        new = after.text if after.stamp else None
        try:
            changed = bool(remember.note_edit(vault, place, old, new, allow_sensitive).changes)
        except MemError as error:
            draft = _draft(file.name, after.text)
            raise type(error)(error.message, f"{error.hint}; your text is kept in {draft}") from None
    return Result({}, f"{one_line(place)} {'changed' if changed else 'unchanged'}")


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
        if files.read_bytes(draft) == f"{shown}\n".encode():
            _discard(draft)
            raise
        raise type(error)(error.message, f"{error.hint}{'; ' * bool(error.hint)}your text is kept in {draft}") from None
    _discard(draft)
    return typed != shown


def _draft(name: str, text: str) -> Path:
    """A text in a folder of its own outside the vault, so that nothing the gates refuse ever lies in it."""
    from tempfile import mkdtemp

    from memcli.vault import files

    draft = Path(mkdtemp(prefix="mem-draft-")) / name
    files.write(draft, text)
    return draft


def _discard(draft: Path) -> None:
    from memcli.vault import files

    files.remove(draft)
    with suppress(OSError):  # the editor left a copy of its own there
        draft.parent.rmdir()


@command(
    "forget",
    "mem forget 3f2a9c1",
    "mem forget logs/2026-11-20.md:14 --yes",
    json="What was archived as JSON.",
)
def forget(
    terminal: Terminal,
    what: Annotated[list[str], "ID...", "Ids, or path:line."],
    /,
    yes: Yes = False,
    agent: Agent = None,
    dry_run: DryRun = False,
) -> Result | None:
    """They are kept there, out of recall; mem undo brings the last one back."""
    from memcli import remember

    vault = terminal.vault()
    entries = list(dict.fromkeys(vault.find(name, agent) for name in what))
    for entry in entries:
        shown = terminal.paint(entry.id, YELLOW, terminal.stderr), terminal.paint(entry.place, DIM, terminal.stderr)
        terminal.tell(f"{' '.join(shown)} {one_line(entry.words, 100)}")
    if dry_run:
        return None
    question = "Archive this memory?" if len(entries) == 1 else f"Archive these {len(entries)} memories?"
    if not terminal.confirm(question, yes):
        terminal.tell("nothing changed")
        return None
    done = [(entry, remember.forget(vault, entry).changes[0].path) for entry in entries]
    return Result(
        {"archived": [{**render.as_json(entry), "archive": path} for entry, path in done]},
        [f"{entry.id} archived in {one_line(path)}" for entry, path in done],
    )


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
