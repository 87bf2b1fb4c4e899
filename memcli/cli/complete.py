"""What a shell may complete: files of the vault, and words from a closed list. Nothing here fails or prints."""

from __future__ import annotations

from collections.abc import Callable

import typer

from memcli.errors import MemError
from memcli.text.clean import harmless
from memcli.vault import layout

TYPES = ("decision", "fact", "insight", "preference", "project", "question", "task")


def words(*known: str) -> Callable[[str], list[str]]:
    return lambda incomplete: [word for word in known if word.startswith(incomplete)]


def files(ctx: typer.Context, incomplete: str) -> list[str]:
    """Paths of notes. Whole ones: after a folder the shell would go on to the next word."""
    try:
        return [path for path in layout.walk(ctx.obj.where()) if path.startswith(incomplete) and path == harmless(path)]
    except MemError:
        return []


def sessions(ctx: typer.Context, incomplete: str) -> list[str]:
    """Sessions by their ids, or by their last part once that is being typed."""
    from memcli.session import ids

    try:
        every = [id for id in ids(ctx.obj.vault()) if id == harmless(id)]
    except MemError:
        return []
    return [id for id in every if id.startswith(incomplete)] or [
        last for id in every if (last := id.rpartition("-")[2]).startswith(incomplete)
    ]
