"""Word the answers of tools: format memories, parse the names and days that clients give, and put errors into words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memcli.text import tokens
from memcli.text.clean import one_line
from memcli.text.frame import indented
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault

AROUND = 3  # memories shown before and after one


def around(vault: Vault, entry: Entry) -> Iterator[Entry]:
    """Yield the memories next to one under the same heading, the nearest first."""
    listed = vault.document(entry.path).entries
    at = next((at for at, other in enumerate(listed) if other.line == entry.line), 0)
    for step in range(1, AROUND + 1):
        for place in (at - step, at + step):
            if 0 <= place < len(listed) and listed[place].trail == entry.trail:
                yield listed[place]


def line(entry: Entry, text: str) -> str:
    """Return a memory as `:14 text`. Further lines are indented, so that no text can pass for the frame of an
    answer."""
    return indented(f":{entry.line} ", text) + "\n"


def count(text: str) -> int:
    return tokens.counter()(text)


def name(client: str) -> str:
    """Return a client's name in a form that is safe in the journal and in memories, or "mcp" if nothing is left of
    it."""
    return re.sub(r"[^\w.-]+", "-", one_line(client)).strip("-")[:40] or "mcp"


def for_clients(hint: str) -> str:
    """Return a hint without the parts that name command-line options, which a client can't use."""
    return "; ".join(part for part in one_line(hint).split("; ") if "--" not in part)
