"""Read and write the knowledge graph of MCP's server-memory.

It has JSON lines of entities with observations, and of relations.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from memcli.features.move.formats.records import ALL_BUT_TEXT, each_file, each_record
from memcli.file_tree import Tree
from memcli.format import Format, Item, Statement

_ME = "user"


def knows(tree: Tree) -> bool:
    return bool(_graphs(tree))


def _graphs(tree: Tree) -> list[str]:
    return [name for name in tree.ending(".jsonl", ".json") if _is_graph(tree.head(name))]


def _is_graph(head: str) -> bool:
    first = head.lstrip().partition("\n")[0]
    return '"entityType"' in first or ('"relationType"' in first and '"from"' in first)


def read_items(tree: Tree) -> Iterator[Item]:
    return each_file(
        _graphs(tree),
        lambda name: each_record(
            f"{name}:", tree.lines(name), lambda line: _statements(json.loads(line)) if line.strip() else ()
        ),
    )


def _statements(value: dict[str, Any]) -> Iterator[Statement]:
    if value["type"] == "entity":
        name, kind = str(value["name"]), str(value["entityType"])
        for number, observation in enumerate(value["observations"]):
            text = str(observation) if name == _ME else f"{name}: {observation}"
            yield Statement(text, f"server-memory:{name}/{number}", "fact", tags=() if name == _ME else _tags(kind))
    else:
        one, way, other = (str(value[key]) for key in ("from", "relationType", "to"))
        yield Statement(f"{one} {way.replace('_', ' ')} {other}", f"server-memory:{one}/{way}/{other}", "fact")


def _tags(kind: str) -> tuple[str, ...]:
    word = "-".join(kind.split()).strip("#")
    return (word,) if word and not word.isdigit() else ()


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    """Yield an entity for each subject, the words before a colon.

    Memories without a subject belong to the user.
    """
    known: defaultdict[str, list[str]] = defaultdict(list)
    kinds: defaultdict[str, set[str]] = defaultdict(set)  # the first tag of each observation
    for each in statements:
        subject, colon, rest = each.text.partition(": ")
        if not colon or len(subject) > 60 or "\n" in subject:
            subject, rest = _ME, each.text
        known[subject].append(rest)
        kinds[subject].add(each.tags[0] if each.tags else "")
    for subject, observations in known.items():
        shared = "".join(kinds[subject]) if len(kinds[subject]) == 1 and subject != _ME else ""
        kind = shared or ("person" if subject == _ME else "topic")
        entity = {"type": "entity", "name": subject, "entityType": kind, "observations": observations}
        yield json.dumps(entity, ensure_ascii=False) + "\n"


_EXPECTS = 'lines {"type": "entity", "name": …, "entityType": …, "observations": […]}'
FORMAT = Format("server-memory's graph", knows, read_items, write_items, loses=ALL_BUT_TEXT, expects=_EXPECTS)
