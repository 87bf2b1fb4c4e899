"""`settle`: what a person answers to a doubt is done, as one write that `mem undo` takes back. Nothing is deleted."""

from __future__ import annotations

import json

from memcli.errors import UsageError
from memcli.remember import keyed, retention
from memcli.remember.change import archiving, edit
from memcli.remember.review import REVIEW, Doubt
from memcli.vault import edit as text_edit
from memcli.vault import preferences, profile, snapshots, yaml_list
from memcli.vault.entries import ID_LENGTH, Entry
from memcli.vault.layout import JOURNAL
from memcli.vault.preferences import Preference
from memcli.vault.vault import Vault
from memcli.vault.write import Edit, Written, write


def settle(vault: Vault, doubt: Doubt, answer: str, text: str = "") -> Written:
    """Do one of the doubt's choices; `text` is the new wording for `edit`. Skipping does nothing and will be asked again."""
    if answer not in doubt.choices:
        raise UsageError(f"'{answer}' is no answer to {doubt.id}", f"one of {', '.join(doubt.choices)}")
    if answer == "skip":
        return Written(REVIEW, ())
    if answer == "edit":
        return edit(vault, doubt.entries[-1], text)
    holds = doubt.preferences[int(answer) - 1] if doubt.preferences and answer.isdigit() else None
    if answer == "confirm" or (holds and holds.source != "explicit"):
        each, source = holds or doubt.preferences[0], "confirmed" if answer == "confirm" else "explicit"
        return keyed.prefer(vault, each.key, each.value, scope=each.scope, source=source).written
    return write(vault, REVIEW, _edits(vault, doubt, answer), [entry.id for entry in doubt.entries])


def _edits(vault: Vault, doubt: Doubt, answer: str) -> list[tuple[str, Edit]]:
    if answer == "keep" and doubt.kind == "expiring":
        until = vault.today + snapshots.HOLDS
        return [(doubt.entries[0].path, lambda text: profile.with_value(text, "expires", until))]
    if answer == "keep":
        return [_left(vault, doubt)]
    if doubt.preferences:
        return _archived(vault, doubt.preferences[-1])
    first, last = doubt.entries[0], doubt.entries[-1]
    if answer == "archive":
        return archiving(vault, first)
    if answer == "merge":
        return [*archiving(vault, first), _changed(last, _united(first, last))]
    if answer == "done":
        ticked = first.raw.replace("[ ]", "[x]", 1)
        return [_changed(first, text_edit.with_fields(ticked, done=vault.today.isoformat()))]
    loser, holds = (last, first) if answer == "1" else (first, last)
    if doubt.kind == "duplicate":
        return archiving(vault, loser)
    return [_changed(loser, text_edit.with_fields(loser.raw, superseded=holds.block_id or holds.hash[:ID_LENGTH]))]


def _left(vault: Vault, doubt: Doubt) -> tuple[str, Edit]:
    """A line of the journal, so that it is not asked again, here or on another machine."""
    said = {"at": vault.now.isoformat(timespec="seconds"), "by": vault.actor, "id": doubt.id, "kind": doubt.kind}
    line = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return (
        f"{JOURNAL}/{REVIEW}.jsonl",
        lambda text: f"{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{line}\n",
    )


def _archived(vault: Vault, preference: Preference) -> list[tuple[str, Edit]]:
    found = [r for r in yaml_list.read(vault, preferences.FILE, "key") if preferences.of_record(r) == preference]
    if not found:
        raise UsageError(f"the preference {preference.key} was changed in the meantime", "mem review looks again")
    return retention.without(vault, preferences.FILE, found)


def _changed(entry: Entry, raw: str) -> tuple[str, Edit]:
    return entry.path, lambda text: text_edit.replaced(entry.path, text, entry, raw)


def _united(first: Entry, last: Entry) -> str:
    """The newer memory with what only the older one has: tags, fields, and the higher importance."""
    fields = {name: value for name, value in first.fields.items() if name not in last.fields and name != "date"}
    if first.importance and last.importance and first.importance > last.importance:
        fields["importance"] = f"{first.importance:g}"
    raw = text_edit.with_fields(last.raw, **fields)
    return text_edit.with_notes(raw, *(f"#{tag}" for tag in first.tags if tag not in last.tags))
