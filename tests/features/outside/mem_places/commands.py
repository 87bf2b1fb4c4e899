"""`mem places`."""

from __future__ import annotations

from mem_places.feature import places
from memcli.extend import Message, Result, Terminal, command


@command("places", "mem places --json")
def list_(terminal: Terminal) -> Result:
    """Every memory with the tag #place is one."""
    found = places(terminal.vault())
    data = {"places": [{"text": text, "place": at} for at, text in found]}
    return Result(data, [text for _, text in found], Message("{n} place{s} kept", n=len(found)))
