"""Define the formats of other tools, one a module: how their files are recognized, read and written.

A format is a module here and its name in `FORMATS`. Those with an unmistakable sign come first.
"""

from __future__ import annotations

from importlib import import_module

from memcli import contributions
from memcli.errors import UsageError
from memcli.file_tree import Tree
from memcli.format import Format, nothing
from memcli.message import Message

# Each name to type and its module, with the name of the format there unless that is FORMAT. Those of features come
# first, since they recognize their own files for certain.
FORMATS = dict.fromkeys(contributions.names_of("formats"), "") | {
    "chatgpt": "chatgpt",
    "claude": "claude",
    "server-memory": "server_memory",
    "letta": "letta",
    "pam": "pam",
    "mem": "own",
    "mem0": "mem0",
    "openclaw": "openclaw",
    "obsidian": "obsidian",
    "logseq": "logseq",
    "bear": "bear",
    "evernote": "evernote",
    "keep": "keep",
    "dayone": "dayone",
    "apple-notes": "apple_notes",
    "roam": "roam",
    "joplin": "joplin",
    "notion": "notion",
    "transcripts": "transcripts",
    "agent-files": "agent_files",
    "org": "org",
    "csv": "csv_rows",
    "jsonl": "json_lines",
    "markdown": "markdown",
    "json": "own:LIST",
    "html": "reading",
    "chatgpt-text": "plain_text",
}


def load(name: str) -> Format:
    if name not in FORMATS:
        raise UsageError("no format is called '{name}'", Message("one of {names}", names=", ".join(FORMATS)), name=name)
    if not FORMATS[name]:
        return contributions.load_format(name)
    module, _, format = FORMATS[name].partition(":")
    found: Format = getattr(import_module(f"memcli.features.move.formats.{module}"), format or "FORMAT")
    return found


def detect_format(tree: Tree) -> str:
    """Return the name of the format of a tree. Raise UsageError when no format matches."""
    for name in FORMATS:
        if load(name).knows(tree):
            return name
    readable = [name for name in FORMATS if load(name).read is not nothing]
    hint = Message("--from NAME reads it as one of {names}", names=", ".join(readable))
    raise UsageError("{name}: of no kind that is known", hint, name=tree.name)
