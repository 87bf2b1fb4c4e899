"""`edit` and `forget`: a memory is exchanged or archived, never deleted silently."""

from __future__ import annotations

from memcli.errors import UsageError
from memcli.remember.gates import sensitive_in
from memcli.text.clean import harmless
from memcli.vault import edit as text_edit
from memcli.vault import entries, layout, markdown
from memcli.vault.changes import Change
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault
from memcli.vault.write import Edit, Written, noted, write


def edit(vault: Vault, entry: Entry, raw: str) -> Written:
    """Exchange one memory's text for `raw`; whatever else changed in its file meanwhile stays."""
    raw = harmless(raw).rstrip()
    if not raw.strip():
        raise UsageError("an empty text would delete the memory", f"mem forget {entry.id} archives it")
    _tell(vault, entry.place, entry.raw, raw)
    ids = [entry.id]

    def change(text: str) -> str:
        after = text_edit.replaced(entry.path, text, entry, raw)
        same = [each.id for each in entries.read(entry.path, after).entries if each.raw.replace("\r\n", "\n") == raw]
        ids[:] = [*ids[:1], *same[:1]]  # the journal can follow a memory whose id is made of its words
        return after

    return write(vault, "edit", [(entry.path, change)], ids)


def note_edit(vault: Vault, path: str, before: str | None, after: str | None) -> Written:
    """Remember that a person changed a whole file in an editor."""
    _tell(vault, path, before or "", after or "")
    return noted(vault, "edit", Change(path, before, after))


def forget(vault: Vault, entry: Entry) -> Written:
    """Move one memory to the archive, where recall does not look."""
    return write(vault, "forget", archiving(vault, entry), [entry.id])


def archiving(vault: Vault, entry: Entry) -> list[tuple[str, Edit]]:
    """The edits that do so. The archive is written first: after a crash in between the memory is there twice."""
    if layout.kind_of(entry.path) == "archive":
        raise UsageError(f"{entry.id} is in the archive already", f"mem edit {entry.path} changes the archive itself")
    archive = archive_path(entry.path)
    fields = {"archived": vault.today.isoformat(), "from": entry.place}
    if entry.day and entry.day != layout.day_of(archive) and "date" not in entry.fields:
        fields["date"] = entry.day.isoformat()
    if markdown.is_item(entry.raw):
        kept = text_edit.with_fields(entry.raw, **fields)
    else:  # prose becomes an item, so that the archive stays a list
        kept = text_edit.item("", entry.raw, [f"[{name}:: {value}]" for name, value in fields.items()])

    def into_archive(text: str) -> str:
        return text_edit.appended(archive, text, kept)

    def out_of_file(text: str) -> str:
        return text_edit.removed(entry.path, text, entry)

    return [(archive, into_archive), (entry.path, out_of_file)]


def _tell(vault: Vault, place: str, before: str, after: str) -> None:
    """What a person types into an editor stays as it is; that it is sensitive is said."""
    new = set(after.split("\n")) - set(before.split("\n"))
    if new and (what := sensitive_in(vault, "\n".join(line for line in after.split("\n") if line in new))):
        vault.notice(f"{place} now holds {what} in plain words, as you typed it")


def archive_path(path: str) -> str:
    """Where a file's archived memories go; an agent's stay in the agent's own space."""
    owner = layout.agent_of(path)
    if owner is None:
        return f"{layout.ARCHIVE}/{path}"
    space = f"{layout.AGENTS}/{owner}/"
    return f"{space}{layout.ARCHIVE}/{path.removeprefix(space)}"
