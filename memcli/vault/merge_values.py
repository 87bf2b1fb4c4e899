"""Merge plain values that two sides changed: mappings by key, lists by their items, others whole."""

from __future__ import annotations

from functools import cache
from typing import Any

from memcli import contributions
from memcli.vault import yaml_edit

_NAMES = ("key", "name")  # fields that name a record: the first one present counts, else its id
# the higher value counts
_HIGHER = frozenset({"updated", "last_used", "last_reset", "seen", "importance", "use_count", "expires"})
_ABSENT = object()


class Contradiction(Exception):
    """Report that both sides changed the same entry differently, with its words as far as they are known."""


def merge_value(name: str, was: Any, ours: Any, theirs: Any) -> Any:
    """Return the merged value; `name` is the key it stands under. Raise Contradiction when both sides changed it."""
    if ours == theirs or theirs == was:
        return ours
    if ours == was:
        return theirs
    if isinstance(ours, dict) and isinstance(theirs, dict):
        before = was if isinstance(was, dict) else {}
        keys = list(dict.fromkeys([*ours, *theirs]))
        found = {
            key: merge_value(str(key), *(side.get(key, _ABSENT) for side in (before, ours, theirs))) for key in keys
        }
        return {key: value for key, value in found.items() if value is not _ABSENT}
    if isinstance(ours, list) and isinstance(theirs, list):
        return _merged_lists(name, was if isinstance(was, list) else [], ours, theirs)
    if _ABSENT not in (ours, theirs) and (name in _HIGHER or name == "created"):
        return (min if name == "created" else max)(ours, theirs, key=_comparable)
    raise Contradiction


def _merged_lists(name: str, was: list[Any], one: list[Any], other: list[Any]) -> list[Any]:
    if all(isinstance(each, dict) for each in (*was, *one, *other)):
        by_name = [{name_of(each): each for each in side} for side in (was, one, other)]
        return list(merge_value(name, *by_name).values())
    gone = [each for each in was if each not in one or each not in other]
    return [each for each in one if each not in gone] + [each for each in other if each not in one and each not in was]


def name_of(record: Any) -> str:
    """Return the identity of a record: its name and scope, and also the value where values compete."""
    if not isinstance(record, dict):
        return repr(record)
    rivals = _rivals()
    key = next((each for each in (*_NAMES, *rivals, "id") if record.get(each) is not None), "")
    if not key:
        return repr(sorted(record.items(), key=repr))
    named = [key, str(record[key]).casefold(), str(record.get("scope") or "global").casefold()]
    if record.get("source") in ("confirmed", "inferred"):  # such records compete, each with a value of its own
        named.append(repr(record.get("value")))
    if key in rivals:
        named.append(repr(record.get(rivals[key])))
    return repr(named)


@cache
def _rivals() -> dict[str, str]:
    """Return the fields that name records of features, each with the field that tells records of one name apart."""
    return dict(file.rivals for file in contributions.vault_files() if file.rivals[0])


def put_into(held: Any, now: Any) -> None:
    """Update a loaded mapping or list in place, keeping the formatting of unchanged items."""
    if isinstance(held, list):
        named = {name_of(each): each for each in now}
        for number in reversed(range(len(held))):
            if name_of(held[number]) not in named:
                del held[number]
            elif isinstance(held[number], dict):
                put_into(held[number], named[name_of(held[number])])
        there = {name_of(each) for each in held}
        held.extend(yaml_edit.plain(each) for name, each in named.items() if name not in there)
        return
    for key in [each for each in held if each not in now]:
        del held[key]
    for key, value in now.items():
        if any(isinstance(value, kind) and isinstance(held.get(key), kind) for kind in (dict, list)):
            put_into(held[key], value)
        elif key not in held or held[key] != value:
            held[key] = yaml_edit.plain(value)


def _comparable(value: Any) -> tuple[bool, Any]:
    number = isinstance(value, (int, float))
    return number, value if number else str(value)
