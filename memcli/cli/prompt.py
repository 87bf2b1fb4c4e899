"""`mem prompt`."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli import prompt as prompts
from memcli.cli import complete
from memcli.cli.options import Agent, examples
from memcli.cli.plain import Plain
from memcli.cli.terminal import CYAN, DIM, GREEN, YELLOW, Terminal
from memcli.errors import UsageError
from memcli.prompt import BuiltPrompt, PromptRequest
from memcli.text.clean import one_line

FORMATS = ("text", "json", "messages")
WIDTH = 20  # cells of a bar

app = typer.Typer(rich_markup_mode=None)


@app.command(
    cls=Plain,
    epilog=examples(
        'mem prompt "what did we decide about the cache" | llm',
        "MEM_SESSION=$(mem session start) mem prompt --explain 下午去哪里喝茶",
        "mem prompt --session c7f2 --format messages 'and then?'",
        "git diff | mem prompt 'review this' --role engineer --budget 6000",
    ),
)
def prompt(
    ctx: typer.Context,
    query: Annotated[
        list[str] | None,
        typer.Argument(metavar="[QUERY]...", help="The user's words; stdin joins them, - is stdin alone."),
    ] = None,
    session: Annotated[
        str,
        typer.Option(
            "--session", "-s", metavar="ID", help="With this talk; else MEM_SESSION.", autocompletion=complete.sessions
        ),
    ] = "",
    role: Annotated[str, typer.Option("--role", metavar="NAME", help="Instead of the role of session and state.")] = "",
    format: Annotated[
        str,
        typer.Option("--format", "-f", help="text, json or messages.", autocompletion=complete.words(*FORMATS)),
    ] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    budget: Annotated[int | None, typer.Option("--budget", "-b", metavar="TOKENS", help="At most this many.")] = None,
    knowledge: Annotated[
        bool | None, typer.Option("--knowledge/--no-knowledge", help="Ask the knowledge store; else as settings say.")
    ] = None,
    agent: Agent = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show what each layer took, and from where.")] = False,
) -> None:
    """Put a whole prompt together: role, state, memories, the last turns, knowledge and the user's words.

    At most 3500 tokens, in layers that never overflow; whatever is broken or left out is told.
    """
    terminal: Terminal = ctx.obj
    if format not in FORMATS:
        raise UsageError(f"--format {format}: one of {', '.join(FORMATS)}")
    said = terminal.question(query)  # first: a watcher that answers must not hold the vault while stdin is awaited
    vault = terminal.vault(forgiving=True)
    made = prompts.build(vault, PromptRequest(said, session, role, budget, knowledge, agent))
    if as_json or format == "json":
        terminal.json(made.as_json())
    elif format == "messages":
        terminal.json(list(made.messages))
    else:
        terminal.out(_shown(terminal, made), end="")
    prompts.sent(vault, made)
    if explain:
        explained(terminal, made)


def _shown(terminal: Terminal, made: BuiltPrompt) -> str:
    """The text as it is; on a terminal the headings in colour."""
    return "\n".join(terminal.paint(line, CYAN) if line.startswith("# ") else line for line in made.text.split("\n"))


def explained(terminal: Terminal, made: BuiltPrompt) -> None:
    """On stderr a bar for each layer: its tokens of its budget, and where they come from."""
    rows = []
    for layer in made.layers:
        full = min(1.0, layer.tokens / layer.budget) if layer.budget else 0.0
        bar = "█" * round(full * WIDTH)
        size = f"{layer.tokens}/{layer.budget}" if layer.budget else str(layer.tokens)
        told = [layer.why] if layer.why else []
        told += [f"{layer.left_out} left out"] if layer.left_out else []
        told += [", ".join(dict.fromkeys(layer.items))]
        rows.append([layer.name, bar.ljust(WIDTH, "·"), size, one_line("; ".join(filter(None, told)), 200)])
    rows.append(["in all", "", f"{made.total}/{made.limit}", f"{made.free} free"])
    terminal.table(rows, (YELLOW, GREEN, "", DIM), to_stderr=True)
