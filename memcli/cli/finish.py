"""Define `mem done` and `mem forget`. Both take ids, or words that the memory holds."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Annotated

from memcli.cli import options, render
from memcli.cli.command import Result, command
from memcli.cli.looks import DIM, YELLOW
from memcli.cli.options import DryRun, Yes
from memcli.cli.show import SHOWN, find_or_pick, latest_holding, listed_memories, still_the_same
from memcli.cli.terminal import Terminal
from memcli.errors import MemError, NotFound
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault import labels, preferences, profile
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault

What = Annotated[
    list[str] | None, "[ID|WORDS]...", "Ids, path:line, or words that it holds; on a terminal you pick.", options.ids
]


@command(
    "done",
    "mem done 3f2a9c1",
    "mem done gaffer tape        by words that the task holds",
    "mem done 3f2a9c1 b73fced",
    "mem done                    shows what is open",
    json="The task as JSON, or several as `done`.",
    agents=True,
)
def done(
    terminal: Terminal,
    what: What = None,
    /,
    unchanged: Annotated[str, "HASH", "Only while this is the memory's hash."] = "",
) -> Result:
    """Its box is ticked, and the day is noted beside it; mem undo opens it again."""
    from memcli import remember

    vault = terminal.vault()
    if not what and not terminal.interactive():
        tasks = latest_holding(vault, (), is_open_task=True, most=SHOWN + 1)
        more = "there are more; mem list --type task -n 0 shows all" if len(tasks) > SHOWN else ""
        return listed_memories(terminal, tasks[:SHOWN], more if tasks else "no task is open")
    entries = _find_all(terminal, vault, what or [], is_open_task=True)
    for entry in entries:
        still_the_same(entry, unchanged)
    commit = remember.finish(vault, *entries).commit or None
    data = [{**render.as_json(entry), "task": "done", "commit": commit} for entry in entries]
    lines = [
        f"{terminal.paint(entry.id, YELLOW)} "
        + terminal.translate("done: {words}", words=one_line(render.words_of(entry), 100))
        for entry in entries
    ]
    return Result(data[0] if len(data) == 1 else {"done": data}, lines)


def _find_all(terminal: Terminal, vault: Vault, what: list[str], is_open_task: bool = False) -> list[Entry]:
    """Return the memories with these ids, or the one that holds these words."""
    are_ids = len(what) > 1 and any(map(vault.matches, what))
    found = map(vault.find_entry, what) if are_ids else [find_or_pick(terminal, vault, what, is_open_task)]
    return list(dict.fromkeys(found))


@command(
    "forget",
    "mem forget 3f2a9c1",
    "mem forget gaffer tape      by words that it holds",
    "mem forget logs/2026-11-20.md:14 --yes",
    json="What was archived as JSON.",
    agents=True,
)
def forget(
    terminal: Terminal,
    what: What = None,
    /,
    unchanged: Annotated[str, "HASH", "Only while this is the memory's hash."] = "",
    yes: Yes = False,
    dry_run: DryRun = False,
) -> Result | None:
    """They are kept there, out of recall; mem undo brings them back. By words it shows what holds them."""
    from memcli import remember

    vault = terminal.vault()
    try:
        entries = _find_all(terminal, vault, what or [])
    except NotFound as error:
        raise NotFound(error.message, _kept_as(vault, " ".join(what or ())) or error.hint) from None
    for entry in entries:
        still_the_same(entry, unchanged)
        shown = terminal.paint(entry.id, YELLOW, terminal.stderr), terminal.paint(entry.place, DIM, terminal.stderr)
        terminal.tell(f"{' '.join(shown)} {one_line(entry.words, 100)}")
    if dry_run:
        return None
    question = "Archive this memory?" if len(entries) == 1 else Message("Archive these {n} memories?", n=len(entries))
    if not terminal.confirm(question, yes):
        terminal.tell("nothing changed")
        return None
    vault.batch = f"forget:{os.urandom(6).hex()}" if len(entries) > 1 else vault.batch
    done = [(entry, remember.forget(vault, entry).changes[0].path) for entry in entries]
    return Result(
        {"archived": [{**render.as_json(entry), "archive": path} for entry, path in done]},
        [terminal.translate("{id} archived in {path}", id=entry.id, path=one_line(path)) for entry, path in done],
    )


def _kept_as(vault: Vault, words: str) -> str:
    """Return the command that removes a preference that holds `words`, or a label or profile field called so, or "".
    Agents don't see the profile."""
    with suppress(MemError):  # without this hint the message about memories says enough
        held = preferences.find_holding(preferences.read_preferences(vault), words) if words else []
        if held:
            one = Message("it is a preference: {command}", command=f"mem prefer unset {one_line(held[0].key)}")
            return one if len(held) == 1 else "preferences hold it: mem prefer list shows them"
        if label := next((each for each in labels.read_labels(vault) if words in (each.name, *each.aliases)), None):
            return Message("it is a label: {command}", command=f"mem label unset {one_line(label.name)}")
        if not vault.agent and profile.read_profile(vault).get(words):
            return Message("it stands in the profile: {command}", command=f"mem profile unset {one_line(words)}")
    return ""
