"""Define `mem agent list|show|share|rename|archive`: show and manage the agents that have a memory of their own."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from memcli.cli import options, render
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import CYAN, DIM
from memcli.cli.options import Yes
from memcli.cli.terminal import Terminal
from memcli.features.agents import spaces
from memcli.features.agents.spaces import Space
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault.vault import Filter

Name = Annotated[str, "NAME", "An agent: a folder in agents/.", options.agents]
SHOWN = 10  # `mem agent show` prints at most this many of the latest memories


@command("agent list", "mem agent", "mem agent list --json | jq -r '.agents[].name'")
def list_(terminal: Terminal) -> Result:
    """List the agents that have a memory of their own, and how much."""
    vault = terminal.vault()
    found = [spaces.space_of_agent(vault, name) for name in spaces.agent_names(vault)]
    rows = [[one_line(space.name), terminal.translate(_has(space)), str(space.latest or "")] for space in found]
    empty = "no agent has a memory of its own yet: mem add --agent NAME … begins one"
    return Result({"agents": [_as_json(space) for space in found]}, Table(rows, (CYAN, "", DIM)), "" if rows else empty)


@command("agent show", "mem agent show researcher")
def show(terminal: Terminal, name: Name, /) -> Result:
    """Show what an agent has of its own, and the latest of it."""
    vault = terminal.vault()
    space, view = spaces.space_of_agent(vault, name), vault.seen_by(name)
    latest, _ = view.latest(Filter(path=view.space), SHOWN)
    rows = [render.row(terminal, entry) for entry in latest]

    def text() -> None:
        terminal.out(terminal.translate(_has(space)))
        terminal.table(rows, render.ROW_STYLES, clip=True)

    return Result({**_as_json(space), "latest": [render.as_json(entry) for entry in latest]}, text)


@command(
    "agent share",
    'mem agent share 3f2a9c1 --why "the others plan by it"',
    "mem agent share 3f2a9c1 --to writer",
    agents=True,
)
def share(
    terminal: Terminal,
    what: Annotated[list[str], "ID...", "Ids, or path:line."],
    /,
    to: Annotated[str, "NAME", "One agent, who gets it as well; else it is shared with all.", options.agents] = "",
    why: Annotated[str, "TEXT", "The reason, which stands beside it."] = "",
) -> Result:
    """Hand on what an agent found; who, when and why stand with it. mem undo takes it back."""
    vault = terminal.vault()
    entries = [spaces.find_memory(vault, name) for name in what]
    done = [spaces.share_memory(vault, entry, to, why) for entry in entries]
    lines = []
    for shared in done:
        how = "{id} was known in {place}" if shared.known else "{id} stands in {place}"
        words = terminal.paint(one_line(shared.entry.words, 60), DIM)
        lines.append(f"{terminal.translate(how, id=shared.entry.id, place=one_line(shared.place))}  {words}")
    data = [{"id": each.entry.id, "place": each.place, "known": each.known, "to": to or None} for each in done]
    return Result({"shared": data}, lines)


@command("agent rename", "mem agent rename bot researcher")
def rename(terminal: Terminal, name: Name, new: Annotated[str, "NEW", "What it is called from now on."], /) -> Result:
    """Give an agent another name."""
    spaces.rename_agent(terminal.vault(), name, new)
    return Result({"was": name, "name": new}, terminal.translate("{id} is called {new} now", id=name, new=new))


@command("agent archive", "mem agent archive bot")
def archive(terminal: Terminal, name: Name, /, yes: Yes = False) -> Result | None:
    """Put an agent aside: its space goes to the archive, out of recall. mem undo brings it back."""
    vault = terminal.vault()
    space = spaces.space_of_agent(vault, name)
    if not terminal.confirm(Message("Archive {name}: {WHAT}?", name=name, WHAT=_has(space)), yes):
        terminal.tell("nothing changed")
        return None
    (_, place), *_ = spaces.archive_agent(vault, name).moves
    return Result(
        {"archived": name, "place": place}, terminal.translate("{id} archived in {path}", id=name, path=place)
    )


def _has(space: Space) -> str:
    return Message(
        "memories: {a}, sessions: {b}, preferences: {c}, labels: {d}",
        a=space.memories, b=space.sessions, c=space.preferences, d=space.labels
    )  # fmt: skip


def _as_json(space: Space) -> dict[str, object]:
    return {**asdict(space), "latest": space.latest.isoformat() if space.latest else None}
