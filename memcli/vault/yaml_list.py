"""Read and edit files that hold a list of records, or in short form a mapping of names to values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from memcli.errors import VaultError
from memcli.vault import files, yaml_read
from memcli.vault.vault import Vault

Record = dict[str, Any]


def read_records(vault: Vault, path: str, key: str) -> list[Record]:
    """Return all records of a file; an absent file has none."""
    return records_in(files.read_or_empty(vault.place(path), path).text, path, key)


def records_in(text: str, path: str, key: str) -> list[Record]:
    """Return the records of a list, or of a mapping of names to mappings or plain values."""
    found = yaml_read.load(text, path)
    if isinstance(found, dict):
        found = [_record(key, name, each) for name, each in found.items()]
    if found is not None and not isinstance(found, list):
        raise VaultError("{place}: neither a list nor 'name: value' lines", f"mem edit {path}", place=path)
    return [each for each in found or [] if isinstance(each, dict)]


def edited(text: str, path: str, key: str, change: Callable[[list[Record]], Sequence[Record | None]]) -> str:
    """Return `text` with records changed by `change`, which keeps their order, puts None for one to remove and new ones
    at the end."""
    from memcli.vault import yaml_edit

    found = yaml_read.load(text, path)
    if isinstance(found, dict):
        text = yaml_edit.listed(text, [_record(key, name, each) for name, each in found.items()])
        found = yaml_read.load(text, path)
    numbers = [number for number, each in enumerate(found if isinstance(found, list) else []) if isinstance(each, dict)]
    old = [found[number] for number in numbers]
    new = list(change([dict(each) for each in old]))
    changes = {
        number: None if now is None else partial(_update, was, now)
        for number, was, now in zip(numbers, old, new, strict=False)
        if now != was
    }
    return yaml_edit.change_pieces(text, path, changes, [each for each in new[len(old) :] if each])


def archiving(
    vault: Vault, to: str, key: str, gone: Callable[[], Sequence[Record]]
) -> tuple[str, Callable[[str], str]]:
    """Return the edit that appends records to an archive; put before the one that removes them, a crash loses none."""

    def kept(records: list[Record]) -> list[Record]:
        return [*records, *({**each, "archived": vault.today} for each in gone())]

    return to, lambda text: edited(text, to, key, kept)


def _record(key: str, name: Any, value: Any) -> Record:
    return {key: name, **(value if isinstance(value, dict) else {"value": value})}


def _update(was: Record, now: Record, piece: Any) -> None:
    from memcli.vault import yaml_edit

    for name in was.keys() - now.keys():
        del piece[name]
    for name, value in now.items():
        if name not in was or was[name] != value:
            piece[name] = yaml_edit.plain(value)
