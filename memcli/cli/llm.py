"""`mem llm test`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from memcli import llm as model
from memcli.cli import options
from memcli.cli.terminal import DIM, Terminal

app = typer.Typer(rich_markup_mode=None)
llm = options.group(
    app, "llm", "Ask the language model whether it is there.",
    "mem llm test",
    "MEM_LLM_COMMAND='ollama run qwen3' mem llm test",
)  # fmt: skip

_QUESTION = "What colour is the sky on a clear day? Answer in one word."
_SHAPE = {"type": "object", "properties": {"colour": {"type": "string", "maxLength": 60}}, "required": ["colour"]}


@llm.callback()
def group() -> None:
    """Ask the language model whether it is there."""


@llm.command(
    epilog="""\b
Examples:
  mem llm test
  MEM_LLM_URL=http://localhost:11434/v1 MEM_LLM_MODEL=qwen3 mem llm test --json
"""
)
def test(
    ctx: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Ask the model one question, in the way `mem` asks it: nothing of yours is sent. Exit 5 when it does not answer."""
    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    way = model.chosen_target(vault)
    if not as_json:
        terminal.tell(terminal.paint(f"asking {way} …", DIM))
    answer = model.ask(vault, _QUESTION, redact=lambda text: (text, []), schema=_SHAPE)
    if as_json:
        terminal.json({"schema": 1, "model": str(way), "key": bool(way.key), **asdict(answer)})
        return
    rows = [["model", str(way)]]
    if way.url:
        rows += [["key", "sent" if way.key else "none"]]
    rows += [["said", answer.data["colour"]], ["time", f"{answer.seconds:.1f} s"]]
    terminal.table(rows, (DIM, ""))
