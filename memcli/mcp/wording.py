"""How answers are put: lines of memories as they stand in one, names and days that clients give, errors in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from memcli.errors import MemError, UsageError
from memcli.text import tokens
from memcli.text.clean import one_line
from memcli.text.frame import indented
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault

AROUND = 3  # memories shown before and after one


def around(vault: Vault, entry: Entry) -> Iterator[Entry]:
    """The memories next to one under the same heading, the nearest first."""
    listed = vault.document(entry.path).entries
    at = next((at for at, other in enumerate(listed) if other.line == entry.line), 0)
    for step in range(1, AROUND + 1):
        for place in (at - step, at + step):
            if 0 <= place < len(listed) and listed[place].trail == entry.trail:
                yield listed[place]


def line(entry: Entry, text: str) -> str:
    """`:14 text`, further lines indented, so that no text stands where a frame would."""
    return indented(f":{entry.line} ", text) + "\n"


def count(text: str) -> int:
    return tokens.counter()(text)


def day(since: str, today: date) -> date | None:
    from memcli.text import dates

    span = dates.meant(since, today) if since else None
    if since and not span:
        hint = "2026-11-01, yesterday, last week, 上周五"
        raise UsageError(f"'{one_line(since, 40)}' is not a day I understand", hint)
    return span[0] if span else None


def name(client: str) -> str:
    """A client's name as it may stand in the journal and in a memory."""
    return re.sub(r"[^\w.-]+", "-", one_line(client)).strip("-")[:40] or "mcp"


def in_words(error: MemError) -> str:
    return "; ".join(filter(None, (error.message, for_clients(error.hint))))


def for_clients(hint: str) -> str:
    """Without what only the command line can do: a client has no options."""
    return "; ".join(part for part in one_line(hint).split("; ") if "--" not in part)
