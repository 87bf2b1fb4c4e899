"""Define `mem edit` and `mem open`: change memories and files in the person's own editor."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from memcli import system
from memcli.cli import options, render
from memcli.cli.broken_settings import open_with_broken_settings
from memcli.cli.command import Result, command
from memcli.cli.show import (
    SHORT,
    days_of_name,
    find_or_pick,
    looks_like_file,
    pick_memory,
    resolve_file,
    still_the_same,
)
from memcli.cli.terminal import Terminal
from memcli.errors import MemError, MissingPart, NotFound, UsageError
from memcli.message import Message, joined
from memcli.text.clean import one_line
from memcli.vault.entries import Entry
from memcli.vault.layout import CONFIG
from memcli.vault.tags import tags_in
from memcli.vault.vault import Vault

What = Annotated[
    list[str] | None, "[ID|FILE|DATE]", "An id, a file, a day in words, or words of one memory.", options.places
]
AllowSensitive = Annotated[bool, "Keep addresses, numbers and secrets in plain words."]

# How to pass the line to editors that do not take `+LINE` before the file, as vi does.
_AT_LINE = {
    **dict.fromkeys(("code", "code-insiders", "codium", "cursor"), ("--goto", "{path}:{line}")),
    **dict.fromkeys(("subl", "hx", "helix", "zed"), ("{path}:{line}",)),
    **dict.fromkeys(("idea", "pycharm", "mate"), ("--line", "{line}", "{path}")),
    **dict.fromkeys(("notepad", "open", "xdg-open"), ("{path}",)),
}


@command(
    "edit",
    "mem edit                    today's log",
    "mem edit yesterday          the log of a day",
    "mem edit MEMORY.md          a file",
    "mem edit 3f2a9c1            one memory",
    'mem edit 3f2a9c1 --text "the cache has two levels"',
    agents=True,
)
def edit(
    terminal: Terminal,
    what: What = None,
    /,
    text: Annotated[str | None, "Give a memory this text, without an editor; - reads stdin."] = None,
    unchanged: Annotated[str, "HASH", "With --text: only while this is the memory's hash."] = "",
    allow_sensitive: AllowSensitive = False,
) -> Result:
    """By default today's log. The editor is $VISUAL or $EDITOR. Edits made elsewhere meanwhile are kept."""
    name = " ".join(what or ())
    if name == CONFIG and text is None:
        with open_with_broken_settings(terminal) as vault:
            place = _file(vault, name)
            return _result(terminal, place, _edit_file(terminal, vault, place, 0, allow_sensitive))
    vault = terminal.vault()
    if text is not None:
        words = terminal.stdin_text() if text == "-" else text
        return _rewritten(terminal, vault, find_or_pick(terminal, vault, [name]), words, unchanged, allow_sensitive)
    place = _file(vault, name)
    if place:
        return _result(terminal, place, _edit_file(terminal, vault, place, 0, allow_sensitive))
    entry = find_or_pick(terminal, vault, [name])
    if not edit_memory(terminal, vault, entry, allow_sensitive):
        return _result(terminal, entry.place, False, entry.id)
    return _result(terminal, entry.place, True, vault.find_entry(entry.id).id, entry.id)


def _rewritten(
    terminal: Terminal, vault: Vault, entry: Entry, words: str, unchanged: str, allow_sensitive: bool
) -> Result:
    """Replace the words of a memory, given without its list marker as `mem show --json` prints them."""
    from memcli import remember
    from memcli.remember.days import resolve_days

    still_the_same(entry, unchanged)
    words = words.rstrip()
    if words and not unchanged:  # with the hash of the memory, somebody saw its marks and may leave one out
        words = words.removeprefix("- ").removeprefix("[ ] " if entry.task else "")
        dated = resolve_days(words, vault.today)
        words = _with_marks_of(entry, words if dated in entry.words else dated)  # whoever takes a date out means it
    raw = _as_it_stands(entry, words)
    done = remember.edit(vault, entry, raw, allow_sensitive)
    here = (
        [one for one in vault.document(entry.path).entries if one.raw.rstrip() == raw.rstrip()] if done.changes else []
    )
    new = min(here, key=lambda one: abs(one.line - entry.line), default=entry)
    result = _result(terminal, new.place, bool(done.changes), new.id, entry.id)
    was = one_line(render.words_of(entry), SHORT)
    return result._replace(note=Message("was: {words}", words=was)) if done.changes else result


def _with_marks_of(entry: Entry, words: str) -> str:
    """Return new words with those marks of the memory that they lack: time of day, tags, fields and block id."""
    from memcli.vault import edit as text_edit

    new = Entry("", "", 1, 1, 0, 0, words)
    notes = [] if new.tags else [f"#{tag}" for tag in tags_in(entry.raw)]
    notes += [f"[{name}:: {value}]" for name, value in entry.fields.items() if name not in new.fields]
    notes += [f"^{entry.block_id}"] if entry.block_id and not new.block_id else []
    is_timed = entry.time and entry.body.startswith(entry.time) and not new.time
    box, rest = ("[ ] ", words[4:]) if words.startswith("[ ] ") else ("", words)
    return text_edit.with_notes(f"{box}{entry.time} {rest}" if is_timed else words, *notes)


def _as_it_stands(entry: Entry, words: str) -> str:
    """Return new words in the form of the memory's file: after the list marker, with further lines indented as
    before."""
    sign = entry.raw[: max(0, entry.raw.find(entry.body.split("\n")[0]))]
    if not sign or words.startswith(sign) or not words.strip():
        return words
    first, *more = words.split("\n")
    under = [line for line in entry.raw.splitlines()[1:] if line.strip()]
    depth = min((len(line) - len(line.lstrip()) for line in under), default=0) or len(sign) - len(sign.lstrip()) + 2
    return "\n".join([sign + first, *(" " * depth + line if line.strip() else "" for line in more)])


@command(
    "open",
    "mem open                    pick one of the latest memories",
    "mem open redis cache        pick one that holds these words",
    "mem open 3f2a9c1",
    agents=True,
)
def open_(terminal: Terminal, what: What = None, /, allow_sensitive: AllowSensitive = False) -> Result:
    """By words you pick. It opens the whole file, at the line of the memory. The editor is $VISUAL or $EDITOR."""
    vault = terminal.vault()
    name = " ".join(what or ())
    place, line = _file(vault, name) if name else "", 0
    if not place:
        entry = None
        with suppress(NotFound):
            entry = vault.find_entry(name) if name else None
        entry = entry or pick_memory(terminal, vault, tuple(what or ()))
        place, line = entry.path, entry.line
    return _result(terminal, place, _edit_file(terminal, vault, place, line, allow_sensitive))


def _result(terminal: Terminal, place: str, changed: bool, id: str = "", before: str = "") -> Result:
    data = {"place": place, "changed": changed, **({"id": id} if id else {})}
    message = Message("{place} changed" if changed else "{place} unchanged", place=one_line(place))
    if before and id != before:
        message = Message("{CHANGED}; its id is {id} now", CHANGED=message, id=id)
    return Result(data, terminal.translate(message))


def _file(vault: Vault, name: str) -> str:
    """Return the file that a path or a day means, today's log for no name, or "" if the name means a memory."""
    if name and not looks_like_file(vault, name):
        span = days_of_name(vault, name)
        if not span:
            return ""
        first, last = span
        if first != last:
            raise UsageError(
                "'{name}' is {first} to {last}, and each day has a log of its own",
                f"mem edit {last}",
                name=name,
                first=first,
                last=last,
            )
        name = first.isoformat()
    return resolve_file(vault, name or vault.today.isoformat(), make=True)


def _edit_file(terminal: Terminal, vault: Vault, place: str, line: int, allow_sensitive: bool) -> bool:
    """Open a file in the editor and record what was typed. Return whether the file was changed."""
    from memcli import remember
    from memcli.vault import changes, files

    file = vault.place(place)
    earlier, committed = changes.read_undo_records(vault.cache), _committed(vault, place)
    before = files.read_or_empty(file, place)
    files.make_folder(file.parent)
    failed: UsageError | None = None
    try:
        _open_editor(terminal, file, line)
    except UsageError as error:  # it may have saved all the same
        failed = error
    after = files.read_or_empty(file, place)
    old = before.text if before.stamp else None
    new = after.text if after.stamp else None
    try:
        if failed and new == old:
            raise failed
        if failed:  # it is not taken back: another program may have written there, too
            vault.notice("the editor ended with an error; what it had saved is taken over")
        writes = [record for record in changes.read_undo_records(vault.cache) if record not in earlier]
        now = _committed(vault, place)  # a sync writes, too, and is no write to undo
        meanwhile = changes.redo_writes(old, place, writes) if now == committed else now or ""
        return bool(remember.note_edit(vault, place, old, new, allow_sensitive, meanwhile).changes)
    except MemError as error:
        if new != old:
            draft = _draft(terminal, file.name, after.text)
            error.hint = joined(error.hint, Message("your text is kept in {draft}", draft=draft))
        raise


def _committed(vault: Vault, place: str) -> str | None:
    """Return a file's text in the last commit, or None when there is none."""
    from memcli.vault import trust
    from memcli.vault.git import program

    with suppress(MissingPart):
        if trust.runs_git(vault.root, vault.environ):
            answer = program.ask(vault.root, "cat-file", "blob", f"HEAD:{place}")
            return answer.out if answer.ok else None
    return None


def edit_memory(terminal: Terminal, vault: Vault, entry: Entry, allow_sensitive: bool = False) -> bool:
    """Open one memory in the editor and save what was typed. Return whether it was changed."""
    from memcli import remember
    from memcli.vault import files

    shown = entry.raw.replace("\r\n", "\n").rstrip()
    draft = _draft(terminal, f"{entry.id.lstrip('^')}.md", shown + "\n")
    try:
        _open_editor(terminal, draft)
        typed = files.read_file(draft).text.replace("\r\n", "\n").rstrip()
        if typed != shown:
            remember.edit(vault, entry, typed, allow_sensitive)
    except MemError as error:  # a failed save must not lose what was typed
        if files.read_bytes(draft) == f"{shown}\n".encode():
            _discard(draft)
            raise
        error.hint = joined(error.hint, Message("your text is kept in {draft}", draft=draft))
        raise
    _discard(draft)
    return typed != shown


def _draft(terminal: Terminal, name: str, text: str) -> Path:
    """Write a text into a new folder outside the vault, so that refused text never lies in the vault. Return its path.
    No cleanup removes that folder: text that could not be saved stays until its writer has taken it."""
    from tempfile import mkdtemp

    from memcli.vault import files, settings

    home = settings.data_home(terminal.environ) / "drafts"
    files.make_folder(home)
    draft = Path(mkdtemp(dir=home)) / name
    files.write_file(draft, text)
    return draft


def _discard(draft: Path) -> None:
    from memcli.vault import files

    files.remove(draft)
    with suppress(OSError):  # the folder is not empty if the editor left a copy there
        draft.parent.rmdir()


def _open_editor(terminal: Terminal, path: Path, line: int = 0) -> None:
    editor = terminal.environ.get("VISUAL") or terminal.environ.get("EDITOR")
    if not editor and not terminal.interactive():
        raise MissingPart("there is no editor to open", "set EDITOR to the one you use")
    editor = editor or ("notepad" if system.WINDOWS else "vi")
    try:
        words = system.command_words(editor)
        at_line = _AT_LINE.get(Path(words[0]).stem, ("+{line}", "{path}")) if line else ("{path}",)
        done = subprocess.run([*words, *(word.format(path=path, line=line) for word in at_line)])
    except (OSError, ValueError):
        raise MissingPart(
            "the editor '{editor}' can't be started", "set EDITOR to the one you use", editor=editor
        ) from None
    if done.returncode:
        raise UsageError("the editor ended with {code}; nothing was taken over", code=done.returncode)
