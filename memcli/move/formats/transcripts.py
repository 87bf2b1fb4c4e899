"""Talks with coding agents as those leave them behind, a file a talk."""

from __future__ import annotations

from collections.abc import Iterator

from memcli.errors import VaultError
from memcli.move.formats import Format
from memcli.move.items import Item, Said, Talk, Unread
from memcli.move.tree import Tree
from memcli.remember import learn

_SIGNS = ('"sessionId"', '"session_meta"', '"record_type"', '"event_msg"')


def knows(tree: Tree) -> bool:
    return any(sign in tree.head(name) for name in tree.ending(".jsonl")[:50] for sign in _SIGNS)


def read(tree: Tree) -> Iterator[Item]:
    for name in tree.ending(".jsonl"):
        told: list[str] = []
        try:
            turns = learn.turns_of_json(tree.text(name), told.append) or []
        except VaultError as error:
            yield Unread(name, error.message.removeprefix(f"{name}: "))
            continue
        messages = tuple(Said(turn.name, turn.text, turn.at) for turn in turns)
        if messages:
            first = next((turn for turn in turns if turn.at), turns[0])
            yield Talk(f"transcript:{name}", messages, name.rpartition("/")[2], first.at, first.project)
        else:
            yield Unread(name, "no messages in it")


FORMAT = Format("talks with coding agents", knows, read)
