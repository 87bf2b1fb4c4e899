"""Change or archive a memory; it is never deleted silently."""

from __future__ import annotations

from collections.abc import Callable

from memcli.errors import ChangeConflict, NotKept, Refused, UsageError
from memcli.message import Message
from memcli.remember.gates import sensitive
from memcli.text.clean import harmless
from memcli.text.later import compile_later
from memcli.vault import edit as text_edit
from memcli.vault import entries, files, layout, markdown, merge
from memcli.vault.changes import FileChange
from memcli.vault.entries import ID_LENGTH, Entry
from memcli.vault.gates import REFUSE
from memcli.vault.merge_values import Contradiction
from memcli.vault.vault import Vault
from memcli.vault.write import Edit, WriteResult, record_edit, write_vault

_ITEM = compile_later(r"\A(\s*[-*+][ \t]+)")


def edit(vault: Vault, entry: Entry, raw: str, allow_sensitive: bool = False) -> WriteResult:
    """Replace one memory's text by `raw`. Keep whatever else changed in its file meanwhile."""
    raw = harmless(raw).rstrip()
    if not raw.strip():
        raise UsageError("an empty text would delete the memory", Message("mem forget {id} archives it", id=entry.id))
    raw = raw if allow_sensitive else _gated(vault, entry.place, entry.raw, raw)
    ids = [entry.id]

    def change(text: str) -> str:
        after = text_edit.replace_entry(entry.path, text, entry, raw)
        same = [
            each.id
            for each in entries.parse_document(entry.path, after).entries
            if each.raw.replace("\r\n", "\n") == raw
        ]
        ids[:] = [*ids[:1], *same[:1]]  # lets the journal follow a memory whose id comes from its words
        return after

    return write_vault(vault, "edit", [(entry.path, change)], ids)


def finish(vault: Vault, *tasks: Entry) -> WriteResult:
    """Tick tasks off and note the day."""
    return write_vault(vault, "done", [ticking(vault, task) for task in tasks], [task.id for task in tasks])


def ticking(vault: Vault, entry: Entry) -> tuple[str, Edit]:
    """Return the edit that ticks a task off. A promise without a box gets a ticked one. Raise UsageError if the entry
    is neither open nor an item of a list."""
    ticked = entry.raw.replace("[ ]", "[x]", 1) if entry.task else _ITEM.sub(r"\1[x] ", entry.raw, count=1)
    if entry.task not in ("open", None) or ticked == entry.raw:
        raise UsageError("{id} is not an open task", "mem list --type task shows the tasks", id=entry.id)
    raw = text_edit.with_fields(ticked, done=vault.today.isoformat())
    return entry.path, lambda text: text_edit.replace_entry(entry.path, text, entry, raw)


def note_edit(
    vault: Vault, path: str, before: str | None, after: str | None, allow_sensitive: bool = False,
    meanwhile: str | None = None,
) -> WriteResult:  # fmt: skip
    """Record that a person changed a whole file in an editor, and keep what `mem` left in it `meanwhile`. Undo the
    change if nothing is left, if the gate refuses it, or if both changed the same lines."""
    if before and before.strip() and after is not None and not after.strip():
        put_back(vault, path, before)
        raise UsageError("an empty text would delete {place}", "mem forget ID archives a memory", place=path)
    if meanwhile is not None and meanwhile != before and after is not None and merge.is_mergeable(path):
        try:
            merged = merge.merge_texts(path, before or "", after, meanwhile)
        except Contradiction:
            put_back(vault, path, meanwhile)
            raise ChangeConflict(
                "{place} was changed in the meantime", "look at it with mem show, then try again", place=path
            ) from None
        if merged != after:
            put_back(vault, path, merged)
        before, after = meanwhile, merged
    if after is not None and not allow_sensitive:
        try:
            shown: str | None = _gated(vault, path, before or "", after)
        except Refused:
            put_back(vault, path, before)
            raise
        if shown != after:
            put_back(vault, path, shown)
            after = shown
    return record_edit(vault, "edit", FileChange(path, before, after))


def put_back(vault: Vault, path: str, text: str | None) -> None:
    """Give a file the text that it had before it was edited, or remove it when it had none."""
    place = vault.place(path)
    files.make_cache(vault.cache)
    if text is None:
        files.remove(place)
    else:
        files.replace(place, text, files.read_or_empty(place, path), vault.cache)


def forget(vault: Vault, entry: Entry) -> WriteResult:
    """Move one memory to the archive, where recall does not look."""
    return write_vault(vault, "forget", archiving(vault, entry), [entry.id])


def archiving(vault: Vault, entry: Entry) -> list[tuple[str, Edit]]:
    """Return the edits that archive a memory. The archive is written first: after a crash in between the memory
    exists twice."""
    if layout.kind_of(entry.path) == "archive":
        raise UsageError(
            "{id} is in the archive already",
            Message("mem edit {path} changes the archive itself", path=entry.path),
            id=entry.id,
        )
    archive = archive_path(entry.path)
    fields = {"archived": vault.today.isoformat(), "from": entry.place}
    if entry.day and entry.day != layout.day_of(archive) and "date" not in entry.fields:
        fields["date"] = entry.day.isoformat()
    if markdown.is_item(entry.raw):
        archived = text_edit.with_fields(entry.raw, **fields)
    else:  # prose becomes an item, so that the archive stays a list
        archived = text_edit.list_item("", entry.raw, [f"[{name}:: {value}]" for name, value in fields.items()])

    def into_archive(text: str) -> str:
        return text_edit.append_item(archive, text, archived)

    def out_of_file(text: str) -> str:
        return text_edit.remove_entry(entry.path, text, entry)

    return [(archive, into_archive), (entry.path, out_of_file)]


def supersede(vault: Vault, old: Entry, new: Entry) -> WriteResult:
    """Mark a memory as replaced by another. It stays, with its time, and recall names its replacement.

    A mark by which the old one replaced the new one, directly or over others, is taken back: else none would hold.
    """
    if old.hash == new.hash and old.path == new.path:
        raise UsageError("{id} can't take its own place", "mem supersede OLD NEW", id=old.id)
    holds_again = any(each.hash == old.hash and each.path == old.path for each in _successors(vault, new))
    return write_vault(vault, "supersede", superseding(old, new.path, lambda: new, holds_again), [old.id, new.id])


def _successors(vault: Vault, entry: Entry) -> list[Entry]:
    """Return what replaced a memory, what replaced that, and so on, each once."""
    found: list[Entry] = []
    while (name := entry.superseded) and (entry := next(iter(vault.matches(name)), entry)) not in found:
        found.append(entry)
    return found


def superseding(old: Entry, path: str, new: Callable[[], Entry], holds_again: bool = False) -> list[tuple[str, Edit]]:
    """Return the edits that mark a memory as replaced, and give the `new` one in `path` a lasting id, since its words
    may be edited by hand. `new` may be made by an earlier edit; if it `holds_again`, its own mark is taken back."""
    if layout.kind_of(old.path) == "archive":
        raise UsageError("{id} is in the archive", "what lies there is not recalled", id=old.id)

    def lasting_id() -> str:
        return new().block_id or new().hash[:ID_LENGTH]

    def name(text: str) -> str:
        raw = text_edit.without_field(new().raw, "superseded") if holds_again else new().raw
        raw = raw if new().block_id else text_edit.with_notes(raw, f"^{lasting_id()}")
        return text_edit.replace_entry(path, text, new(), raw)

    def mark(text: str) -> str:
        return text_edit.replace_entry(old.path, text, old, text_edit.with_fields(old.raw, superseded=lasting_id()))

    return [(path, name), (old.path, mark)]


def _gated(vault: Vault, place: str, before: str, after: str) -> str:
    """Return a text edited by a person as the gate lets it through. Raise Refused if it must not be kept. What was
    there before is not judged."""
    rules = sensitive.policy(vault.settings.gates)
    shown, kinds = sensitive.redact_added(before, after, rules, vault.settings.gates.contacts)
    if refused := [kind for kind in kinds if rules[kind] == REFUSE]:
        why = Message("{place} would hold {KINDS}", place=place, KINDS=sensitive.name_kinds(refused))
        raise NotKept(why, "write it without; --allow-sensitive keeps it in plain words")
    if kinds:
        vault.notice(
            "blacked out {KINDS} in {place}; --allow-sensitive keeps it", KINDS=sensitive.name_kinds(kinds), place=place
        )
    return shown


def archive_path(path: str) -> str:
    """Return the path where a file's archived memories go; an agent's stay in its own space."""
    space, own = layout.split(path)
    return f"{space}{layout.ARCHIVE}/{own}"
