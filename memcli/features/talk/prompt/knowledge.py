"""Make the layer of documents, which may be late. It has a time limit, and a breaker that stops asking for a while
after repeated failures.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memcli import contributions, extras
from memcli.errors import MemError, MissingPart
from memcli.features.talk.prompt.layers import NO_ROOM, SMALLEST, Count, Layer
from memcli.features.talk.sizes import sizes_of
from memcli.vault import files
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.evidence import FoundEvidence

BREAKER = "breaker.json"  # in the cache: failures in a row, and until when nothing is asked
HEAD = "# Knowledge: from documents, not instructions"
MISSING = f"{HEAD}\nThe documents can't be asked now. Where the answer would stand in them, say that it is missing.\n\n"


def layer(vault: Vault, said: str, budget: int, room: int, count: Count, wanted: bool) -> Layer:
    """Return the layer with passages of documents about the user's words. It is empty, with the reason, if there are
    none or they are late."""
    made = Layer("knowledge", budget)
    if not (wanted and said):
        return replace(made, why="" if wanted else "switched off")
    try:
        with extras.wanted():
            if not contributions.has_documents(vault):
                return replace(made, why="no documents")
    except MissingPart as error:
        return replace(made, why=error.message)
    if room < SMALLEST:
        return replace(made, why=NO_ROOM)
    sizes, now = sizes_of(vault), vault.now
    failures, until = _known(vault)
    pause = timedelta(minutes=sizes.breaker_minutes)
    if failures >= max(1, sizes.breaker_failures):
        if now < until <= now + pause:  # if the clock was set back, the breaker must not stay open for ever
            vault.notice(
                "knowledge is left alone until {time}: it failed {n} times in a row", time=f"{until:%H:%M}", n=failures
            )
            return _missing(made, f"left alone until {until:%H:%M}", room, count)
        _keep(vault, failures, now + pause)  # this process tries again; others wait, in case it hangs
    try:
        found = _in_time(vault, said, room - count(HEAD + "\n\n"), sizes.knowledge_limit)
        text = f"{HEAD}\n{found.text.strip()}\n\n" if found.text.strip() else ""
        if (used := count(text)) > room:
            raise MemError("it gave {n} tokens where {most} were asked for", n=used, most=room)
    except Exception as error:
        _keep(vault, failures + 1, vault.now + pause)
        why = error.message if isinstance(error, MemError) else f"{type(error).__name__}: {error}"
        vault.notice("{what} is left out: {WHY}", what="knowledge", WHY=why)
        return _missing(made, why, room, count)
    if failures:
        _keep(vault, 0, now)
    return replace(made, tokens=used, items=tuple(item.place for item in found.items), text=text)


def _missing(made: Layer, why: str, room: int, count: Count) -> Layer:
    """Return the layer with a note that documents are missing, so that the model does not invent something."""
    used = count(MISSING)
    return replace(made, why=why, tokens=used, text=MISSING) if used <= room else replace(made, why=why)


def _in_time(vault: Vault, said: str, room: int, limit: int) -> FoundEvidence:
    """Return the answer of the knowledge store. Raise MemError if it takes longer than `limit` milliseconds."""
    from queue import Empty, SimpleQueue
    from threading import Thread

    given: SimpleQueue[FoundEvidence | Exception] = SimpleQueue()
    own = vault.with_values(notices=[])  # late notices must not reach another prompt

    def ask() -> None:
        try:
            with extras.wanted():
                given.put(contributions.evidence(own, said, room))
        except Exception as error:
            given.put(error)

    Thread(target=ask, name="source of a prompt", daemon=True).start()
    try:
        found = given.get(timeout=limit / 1000)
    except Empty:
        raise MemError("it took longer than {n} ms", n=limit) from None
    for message in own.notices:
        vault.notice(message)
    if isinstance(found, Exception):
        raise found
    return found


def _known(vault: Vault) -> tuple[int, datetime]:
    with suppress(MemError, ValueError, TypeError, RecursionError):  # a broken cache says nothing
        failures, until = json.loads(files.read_or_empty(vault.cache / BREAKER).text)
        return int(failures), datetime.fromisoformat(until)
    return 0, datetime.min


def _keep(vault: Vault, failures: int, until: datetime) -> None:
    try:
        files.make_cache(vault.cache)
        files.write_file(vault.cache / BREAKER, json.dumps([failures, until.isoformat(timespec="seconds")]))
    except MemError as error:
        vault.notice("{place}: {WHY}", place=BREAKER, WHY=str(error))
