"""Read conversations with agents as the agents store them, one file each, and the memory folders beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from memcli.features.move.formats.markdown import lie_beside_notes, read_notes
from memcli.features.move.formats.records import digest_of, each_file
from memcli.file_tree import Tree, moment
from memcli.format import Format, ImportedTalk, Item, TalkMessage, UnreadableItem
from memcli.text import transcripts

_MEMORY = re.compile(r"/memory/[^/]+\.md$")
_ENDINGS = (".jsonl", ".ndjson", ".json")
_LOOKED = 50  # files that are checked for a transcript


def knows(tree: Tree) -> bool:
    names = tree.ending(*_ENDINGS)
    heads = [tree.head(name) for name in names[:_LOOKED]]
    if any(map(transcripts.is_agents, heads)):
        return True
    return bool(heads) and all(map(transcripts.is_talk, heads)) and not lie_beside_notes(tree, names)


def read_items(tree: Tree) -> Iterator[Item]:
    def talk(name: str) -> Iterator[Item]:
        text = tree.text(name)
        if spoken := transcripts.read_turns(text) if transcripts.is_talk(text) else []:
            messages = tuple(TalkMessage(each.role, each.text, moment(each.at)) for each in spoken)
            at = next((said.at for said in messages if said.at), None)
            project = PurePosixPath(spoken[0].cwd.replace("\\", "/")).name
            source = name if transcripts.is_agents(text) else f"{name}:{digest_of(messages[0].text)}"
            yield ImportedTalk(f"transcript:{source}", messages, PurePosixPath(name).stem, at, project)
        else:
            yield UnreadableItem(name, "no messages in it")

    yield from read_notes(tree, "agent-memory", lambda name: _MEMORY.search(f"/{name}") is not None)
    yield from each_file(tree.ending(*_ENDINGS), talk)


FORMAT = Format("conversations with agents", knows, read_items)
