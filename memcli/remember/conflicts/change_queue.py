"""Queue contradictions and doubts in `journal/changes.jsonl` for `mem review`, when nobody could be asked.

It is a journal, so that git merges it by union and other machines can ask, too. A replaced value keeps its time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from memcli.errors import VaultError
from memcli.message import Message
from memcli.remember import keyed_values, times
from memcli.remember.adding import Memory, add
from memcli.text import categories
from memcli.vault import journal, labels, preferences
from memcli.vault import profile as profiles
from memcli.vault.labels import Label
from memcli.vault.layout import JOURNAL
from memcli.vault.preferences import folded
from memcli.vault.vault import Vault
from memcli.vault.write import Edit, WriteResult, write_vault

CHANGES = "changes"  # the journal
ENTRIES = frozenset({"fact", "decision", "opinion", "question", "event", "task", "insight"})  # types without a key
FILES = {"profile": profiles.FILE, "label": labels.FILE, "preference": preferences.FILE}


@dataclass(frozen=True)
class PendingChange:
    """Hold another value for something known, or a memory that is not sure enough to be kept."""

    kind: str  # profile, label or preference; fact, decision … without a key
    key: str
    had: str  # the known value, or ""
    value: str  # the new value
    part: str = ""  # the field of a label: address or phone
    scope: str = preferences.GLOBAL  # where a preference holds
    day: str = ""  # when it was said

    @property
    def summary(self) -> str:
        return f"{self.key}: {self.value}" if self.key else self.value

    @property
    def known(self) -> str:
        """Return the known value with its place."""
        return Message("{place} says {what}", place=FILES.get(self.kind, self.kind), what=f"{self.key}: {self.had}")


def waiting_changes(vault: Vault) -> list[PendingChange]:
    """Return the latest waiting change for each subject. Skip those whose contradicted value is no longer known."""
    latest: dict[tuple[str, ...], PendingChange] = {}
    for record in journal.read_journal(vault.root, CHANGES, vault.notice):
        fields = {name: str(record.get(name) or "") for name in PendingChange.__dataclass_fields__}
        change = PendingChange(**{**fields, "scope": fields["scope"] or preferences.GLOBAL})
        about = folded(change.key or change.value)
        latest[change.kind, about, change.part, folded(change.scope)] = change
    real = [each for each in latest.values() if each.kind in (FILES if each.had else {*FILES, *ENTRIES}) and each.value]
    return [change for change in real if _still_applies(vault, change)]


def _still_applies(vault: Vault, change: PendingChange) -> bool:
    """Return whether the vault still has the value that a change would replace. A file that can't be read causes a
    notice, and the change waits until it can."""
    try:
        return folded(current_value(vault, change)) == folded(change.had)
    except VaultError as error:
        vault.notice(error.message)
        return False


def current_value(vault: Vault, change: PendingChange) -> str:
    """Return the vault's current value for the subject of a change, or ""."""
    if change.kind == "profile":
        return times.value_text(profiles.read_profile(vault).get(change.key))
    if change.kind == "label":
        label = known_label(vault, change.key)
        return "" if label is None else str(label.record.get(change.part) or "") if change.part else label.value
    if change.kind != "preference":
        there = any(folded(entry.words).endswith(folded(change.value)) for entry in vault.entries())  # after a time
        return change.value if there else ""
    slot = folded(change.key), folded(change.scope)
    current = [each for each in preferences.read_preferences(vault) if (folded(each.key), folded(each.scope)) == slot]
    return next((preferences.value_text(each) for each in current if each.source == "explicit"), "")


def known_label(vault: Vault, name: str) -> Label | None:
    """Return the label with exactly this name or alias, or None."""
    return next((each for each, sure in labels.find_labels(labels.read_labels(vault), name) if sure == 1.0), None)


def queue_change(vault: Vault, change: PendingChange) -> WriteResult:
    """Queue a change for `mem review`, unless it waits already."""
    if change in waiting_changes(vault):
        return WriteResult("postpone", ())
    record = {"at": vault.now.isoformat(timespec="seconds"), "by": vault.actor, **asdict(change)}
    return write_vault(vault, "postpone", [journal_line(CHANGES, record)], [change.key] if change.key else [])


def find_queued(vault: Vault, change: PendingChange) -> PendingChange:
    """Return the same change as it was queued on another day, or the change itself."""
    queued = (each for each in waiting_changes(vault) if replace(each, day=change.day) == change)
    return next(queued, change)


def ask_later(vault: Vault, kind: str, text: str) -> WriteResult:
    """Queue a memory without a key, so that `mem review` asks whether to keep it."""
    return queue_change(vault, PendingChange(kind, "", "", text, day=f"{vault.today}"))


def apply(vault: Vault, change: PendingChange) -> WriteResult:
    """Write the new value. The old one is kept beside it, with the month in which it ended."""
    if change.kind == "profile":
        return keyed_values.profile(vault, change.key, change.value, past=True)
    if change.kind == "label":
        fields: Mapping[str, Any] = {change.part or "told": change.value}
        return keyed_values.label(vault, change.key, past=True, **fields)[1]
    if change.kind == "preference":
        category = categories.main_category(change.summary.replace("_", " "))
        return keyed_values.prefer(
            vault, change.key, change.value, category=category, scope=change.scope, past=True
        ).written
    try:
        at = datetime.fromisoformat(change.day) if change.day else None
    except ValueError:  # another program or a person wrote the line
        at = None
    return add(vault, Memory(change.value, type=change.kind, at=at), force=True).written


def journal_line(name: str, record: Mapping[str, Any]) -> tuple[str, Edit]:
    """Return the edit that appends a line to a journal."""
    words = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    end = f"{words}\n"
    return f"{JOURNAL}/{name}.jsonl", lambda text: text + ("\n" if text and not text.endswith("\n") else "") + end
