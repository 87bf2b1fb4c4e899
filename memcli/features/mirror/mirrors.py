"""List the files outside a vault that mem keeps up to date with it.

The list lies in the user's own data folder, so that a vault from a stranger can't name any.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from memcli.vault import json_read
from memcli.vault.vault import Vault

FILE = "mirrors.json"  # a file in the user's own data folder
BUDGET = 800  # tokens of a section


class Mirror(NamedTuple):
    """Describe a file in which mem keeps a section up to date."""

    file: str  # its real path
    project: str = ""
    budget: int = BUDGET
    lines: tuple[str, ...] = ()  # digests of the lines that mem wrote last


def mirrors_of(vault: Vault) -> list[Mirror]:
    """Return the mirrors of this vault on this machine."""
    return _read(json_read.read_notes(vault.environ, FILE).get(_name(vault)))


def other_root(vault: Vault, file: str) -> str:
    """Return the root of the other vault that a file mirrors, or "" when there is none."""
    noted = json_read.read_notes(vault.environ, FILE)
    held = (root for root, listed in noted.items() if any(each.file == file for each in _read(listed)))
    return next((root for root in held if root != _name(vault)), "")


def note_mirror(vault: Vault, mirror: Mirror, gone: bool = False) -> None:
    """Remember a mirror, or forget it when it is `gone`."""

    def change(noted: dict[str, Any]) -> dict[str, Any]:
        others = [each for each in _read(noted.get(_name(vault))) if each.file != mirror.file]
        listed = [each._asdict() for each in (others if gone else [*others, mirror])]
        return {root: held for root, held in {**noted, _name(vault): listed}.items() if held}

    json_read.change_notes(vault.environ, FILE, change)


def _name(vault: Vault) -> str:
    return str(vault.root.resolve())


def _read(listed: Any) -> list[Mirror]:
    found = []
    for record in listed if isinstance(listed, list) else ():
        try:
            found.append(
                Mirror(str(record["file"]), str(record["project"]), int(record["budget"]), tuple(record["lines"]))
            )
        except (KeyError, OverflowError, TypeError, ValueError):  # a damaged record is left out and asked for again
            continue
    return found
