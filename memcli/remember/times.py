"""Find the past values of a memory with a key: from git's history, and from earlier values kept with their time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from memcli.errors import VaultError
from memcli.text.clean import one_line
from memcli.text.words import CJK_RUN
from memcli.vault import history, labels, preferences, yaml_list, yaml_read
from memcli.vault import profile as profiles
from memcli.vault import state as states
from memcli.vault.history import HistoryStep as Change
from memcli.vault.labels import Label
from memcli.vault.preferences import folded
from memcli.vault.vault import Vault

BEFORE = "before"  # key in a record, or suffix of a key in the profile: earlier values, with the month each ended
VERSIONS = 100  # versions of a file that are searched for the history of one name


def end_value(before: Any, value: Any, today: date) -> list[Any]:
    """Return the earlier values, and one that has just ended: `Berlin until 2026-11`."""
    listed = before if isinstance(before, list) else [before] if before else []
    words = value_text(value)
    until = f"{words}（至 {today:%Y-%m}）" if CJK_RUN.search(words) else f"{words} until {today:%Y-%m}"
    return [*(each for each in listed if each != until), until]


def has_name(label: Label, name: str) -> bool:
    return folded(name) in map(folded, label.names)


def value_history(vault: Vault, kind: str, name: str) -> list[tuple[Change, str]]:
    """Return the values of `name` over time, the latest first. `kind` is prefer, label, profile or state. Without git
    only the times of its changes are known, and the text is ""."""
    path, read = _READ[kind]
    found: list[tuple[Change, str]] = []
    for step, text in reversed(list(history.versions(vault, path, VERSIONS))):
        if text is None:
            if f"({name})" in step.what:
                found.append((step, ""))
            continue
        try:
            value = one_line(read(text, name))
        except VaultError:  # a broken version says nothing
            continue
        if value != (found[-1][1] if found else ""):
            found.append((step, value))
    return found[::-1]


def _preferred(text: str, key: str) -> str:
    """Return all preferences with a key, in a few words each."""
    found = map(preferences.preference_of, yaml_list.records_in(text, preferences.FILE, "key"))
    return "; ".join(f"{preferences.value_text(p)} ({p.standing})" for p in found if p and preferences.is_key(p, key))


def _labelled(text: str, name: str) -> str:
    found = map(labels.make_label, yaml_list.records_in(text, labels.FILE, "name"))
    return "; ".join(each.value for each in found if has_name(each, name))


def value_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)


_READ: dict[str, tuple[str, Callable[[str, str], str]]] = {
    "prefer": (preferences.FILE, _preferred),
    "label": (labels.FILE, _labelled),
    "profile": (
        profiles.FILE,
        lambda text, key: value_text((held := profiles.profile_in(text)).get(profiles.matching_key(held, key))),
    ),
    "state": (states.FILE, lambda text, key: value_text(yaml_read.mapping(text, states.FILE).get(key))),
}
