"""Read conversations with coding agents as the agents store them, one file each, and the memory folders beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from memcli.features.move.formats.markdown import read_notes
from memcli.features.move.formats.records import digest_of, each_file
from memcli.file_tree import Tree, moment
from memcli.format import Format, ImportedTalk, Item, TalkMessage, UnreadableItem
from memcli.text import transcripts

_MEMORY = re.compile(r"/memory/[^/]+\.md$")
_LOOKED = 50  # files that are checked for a transcript


def knows(tree: Tree) -> bool:
    return any(transcripts.is_agents(tree.head(name)) for name in tree.ending(".jsonl", ".json")[:_LOOKED])


def read_items(tree: Tree) -> Iterator[Item]:
    yield from read_notes(tree, "agent-memory", lambda name: _MEMORY.search(f"/{name}") is not None)
    yield from each_file(tree.ending(".jsonl", ".json"), lambda name: read_talk(tree, name))


def read_talk(tree: Tree, name: str) -> Iterator[Item]:
    """Yield the conversation in a file, with an agent or with any other machine."""
    text = tree.text(name)
    if spoken := transcripts.read_turns(text) if transcripts.is_talk(text) else []:
        messages = tuple(TalkMessage(each.role, each.text, moment(each.at)) for each in spoken)
        at = next((said.at for said in messages if said.at), None)
        project = PurePosixPath(spoken[0].cwd.replace("\\", "/")).name
        source = name if transcripts.is_agents(text) else f"{name}:{digest_of(messages[0].text)}"
        yield ImportedTalk(f"transcript:{source}", messages, PurePosixPath(name).stem, at, project)
    else:
        yield UnreadableItem(name, "no messages in it")


FORMAT = Format("conversations with coding agents", knows, read_items)
