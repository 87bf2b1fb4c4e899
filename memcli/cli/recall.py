"""`mem recall`."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli import complete
from memcli.cli.plain import Plain
from memcli.cli.terminal import CYAN, DIM, GREEN, YELLOW, Terminal
from memcli.errors import CheckFailed
from memcli.recall import FORMATS, Block, Request
from memcli.recall import recall as find
from memcli.text.clean import one_line
from memcli.vault import labels

app = typer.Typer(rich_markup_mode=None)


@app.command(
    cls=Plain,
    epilog="""\b
Examples:
  mem recall "what did we decide about the cache"
  mem recall 上周五和老王聊了什么
  mem recall "redis #cache" --since "last month" --budget 400
  git diff | mem recall "have we seen this before" | llm "review this"
""",
)
def recall(
    ctx: typer.Context,
    query: Annotated[
        list[str] | None, typer.Argument(metavar="[QUERY]...", help="A question; stdin joins it, - is stdin alone.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option("--budget", "-b", metavar="TOKENS", help="At most this many tokens, all counted.")
    ] = None,
    most: Annotated[int | None, typer.Option("-k", "--most", metavar="N", help="At most this many memories.")] = None,
    since: Annotated[str, typer.Option("--since", metavar="DAY", help="Nothing older: 2026-11-01, 'last week'.")] = "",
    until: Annotated[str, typer.Option("--until", metavar="DAY", help="Nothing newer.")] = "",
    tag: Annotated[list[str] | None, typer.Option("--tag", "-t", help="Only with this tag; may be repeated.")] = None,
    path: Annotated[
        str,
        typer.Option(
            "--path", metavar="PLACE", help="Only from this file, folder or glob.", autocompletion=complete.files
        ),
    ] = "",
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="NAME", help="The shared vault and this agent's own space.")
    ] = None,
    format: Annotated[
        str, typer.Option("--format", "-f", help="md, xml, json or plain.", autocompletion=complete.words(*FORMATS))
    ] = "md",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    preset: Annotated[
        str | None,
        typer.Option(
            "--preset",
            help="The scoring formula: default, classic or layered.",
            autocompletion=complete.words("default", "classic", "layered"),
        ),
    ] = None,
    semantic: Annotated[
        bool | None,
        typer.Option("--semantic/--no-semantic", help="Search by meaning too; else as recall.semantic says."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each memory was chosen.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 when nothing matched.")] = False,
) -> None:
    """Put the right memories in front of a model: at most 1000 tokens, each with its source."""
    from memcli.cli.show import day

    terminal: Terminal = ctx.obj
    question = terminal.question(query)  # first: a watcher that answers must not hold the vault while stdin is awaited
    vault = terminal.vault(recall__preset=preset)
    request = Request(
        question, budget, most, day(since, vault.today, 0), day(until, vault.today, 1),
        tuple(tag or ()), path, agent, "json" if as_json else format, semantic,
    )  # fmt: skip
    found = find(vault, request)
    if found.format == "json":
        terminal.json(found.as_json())
    else:
        _show(terminal, found)
    if used := [fact.label for fact in found.facts if fact.label]:
        labels.count(vault, used)
    if terminal.verbose:
        terminal.tell(f"{len(found.chosen)} of {found.considered} memories, {found.tokens} tokens")
    if not found.text:
        terminal.tell(
            "the budget is smaller than the frame of a block" if found.considered or found.query else "no memories yet"
        )
    if found.query and found.text and not found.matched:
        terminal.tell("nothing in memory matches; mem ask looks into documents and other sources, too")
    if explain and found.format != "json":
        _explain(terminal, found)
    if strict and not found.matched:
        raise CheckFailed("nothing in memory matches this question")


@app.command(
    epilog="""\b
Examples:
  mem recall "which cache" | llm "answer, and cite path:line" | mem cite
  mem cite logs/2026-11-10.md:9
"""
)
def cite(
    ctx: typer.Context,
    text: Annotated[
        list[str] | None, typer.Argument(metavar="[PLACE]...", help="path:line; without any, an answer on stdin.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="What is cited as JSON, instead of the answer.")] = False,
) -> None:
    """Note which memories an answer used: those it names as path:line. They fade more slowly in recall.

    An answer on stdin is passed through unchanged.
    """
    from memcli import remember
    from memcli.cli import render

    terminal: Terminal = ctx.obj
    answer = " ".join(text) if text else terminal.stdin_text()
    if not (text or as_json):
        terminal.out(answer, end="")
    used = remember.cite(terminal.vault(), answer)
    if as_json:
        terminal.json({"schema": render.SCHEMA, "cited": [render.as_json(entry) for entry in used]})
        return
    terminal.tell(f"noted: {', '.join(entry.place for entry in used)}" if used else "no memory is cited")


def _show(terminal: Terminal, found: Block) -> None:
    """The block as it is; on a terminal with colour, and a bar for each memory's score."""
    if not terminal.fancy():
        terminal.out(found.text, end="")
        return
    best = max((each.scored.score for each in found.chosen), default=0.0) or 1.0
    bars = {f":{each.scored.entry.line} {each.text[:20]}": each.scored.score / best for each in found.chosen}
    for line in found.text.splitlines():
        if line.startswith("#"):
            terminal.out(terminal.paint(line, CYAN))
        elif line.startswith(":"):
            place, _, said = line.partition(" ")
            share = next((value for key, value in bars.items() if line.startswith(key[:24])), 0.0)
            bar = "▁▂▃▄▅▆▇█"[min(7, int(share * 7.99))]
            terminal.out(f"{terminal.paint(bar, GREEN)} {terminal.paint(place, DIM)} {said}")
        else:
            terminal.out(terminal.paint(line, DIM) if line == "---" else line)


def _explain(terminal: Terminal, found: Block) -> None:
    """A table on stderr: the score of each memory, the parts that made it, the words that matched."""
    if not found.chosen:
        return
    parts = [name for name in found.chosen[0].scored.parts if any(each.scored.parts.get(name) for each in found.chosen)]
    rows = [["score", *parts, "place", "found by", "words"]]
    for each in found.chosen:
        scored = each.scored
        numbers = [f"{scored.parts.get(name, 0):.2f}".replace("0.00", "·") for name in parts]
        rows.append([
            f"{scored.score:.3f}", *numbers, scored.entry.place, "+".join(scored.paths), one_line(" ".join(scored.said)),
        ])  # fmt: skip
    terminal.table(rows, (YELLOW,), to_stderr=True)
    listed = ", ".join(f"{name} {value:g}" for name, value in found.weights.items() if value)
    terminal.tell(f"score = sum of parts × weights ({', '.join(found.kinds)}): {listed}")
