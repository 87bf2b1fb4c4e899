"""Define `mem prompt`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Annotated

from memcli.cli import options
from memcli.cli.command import Result, command
from memcli.cli.looks import CYAN, DIM, GREEN, YELLOW
from memcli.cli.options import Budget, Query, Session
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError
from memcli.features.talk import prompt as prompts
from memcli.features.talk.prompt import BuiltPrompt, PromptRequest
from memcli.text.clean import one_line

FORMATS = ("text", "json", "messages")
WIDTH = 20  # cells of a bar


@command(
    "prompt",
    'mem prompt "what did we decide about the cache" | llm',
    "MEM_SESSION=$(mem session start) mem prompt --explain 下午去哪里喝茶",
    "mem prompt --session c7f2 --format messages 'and then?'",
    "git diff | mem prompt 'review this' --role engineer --budget 6000",
    text=True,
    json="The same as --format json.",
    agents=True,
)
def prompt(
    terminal: Terminal,
    query: Query = None,
    /,
    session: Session = "",
    role: Annotated[str, "NAME", "Instead of the role of session and state."] = "",
    format: Annotated[str, "-f", "text, json or messages.", options.words(*FORMATS)] = "text",
    budget: Budget = None,
    knowledge: Annotated[bool | None, "Search the documents; else as settings say."] = None,
    pick: Annotated[bool, "Choose on the terminal which memories go into it."] = False,
    explain: Annotated[bool, "Show what each layer took, and from where."] = False,
) -> Result:
    """Documents come with it where they fit, and your words. At most 3500 tokens, in layers that never overflow.

    What is broken or left out is told on stderr.
    """
    if format not in FORMATS:
        raise UsageError("--format {given}: one of {names}", given=format, names=", ".join(FORMATS))
    words = terminal.words_and_pipe(query)  # before a watcher opens the vault, which must not wait for stdin
    vault = terminal.vault(forgiving=True)
    if pick and not terminal.interactive():
        raise UsageError("--pick asks on a terminal", "without it, all that fits goes into the prompt")
    choose = partial(_picked, terminal) if pick else None
    built = prompts.build(vault, PromptRequest(words, session, role, budget, knowledge, choose))
    messages = format == "messages" and not terminal.as_json
    terminal.as_json |= format != "text"

    def sent() -> None:
        prompts.note_sent(vault, built)
        if explain:
            explained(terminal, built)

    return Result(
        list(built.messages) if messages else built.as_json,
        lambda: terminal.prose(_shown(terminal, built), end=""),
        sent,
    )


def _picked(terminal: Terminal, offered: Sequence[str]) -> set[int]:
    """Ask which items to leave out of the prompt. Return the indices of all others."""
    rows = [[str(number), one_line(each)] for number, each in enumerate(offered, 1)]
    if not rows:
        return set()
    terminal.table(rows, (GREEN,), clip=True, to_stderr=True)
    answer = terminal.ask("leave out which, by their numbers (Enter: none, 0: all)?")
    out = {int(number) for number in re.findall(r"\d+", answer)}
    return set() if 0 in out else {at for at in range(len(rows)) if at + 1 not in out}


def _shown(terminal: Terminal, prompt: BuiltPrompt) -> str:
    """Return the text of the prompt, with coloured headings where colour may be used."""
    return "\n".join(terminal.paint(line, CYAN) if line.startswith("# ") else line for line in prompt.text.split("\n"))


def explained(terminal: Terminal, prompt: BuiltPrompt) -> None:
    """Print to stderr a bar for each layer, with its tokens, its budget and its sources."""
    rows = []
    for layer in prompt.layers:
        full = min(1.0, layer.tokens / layer.budget) if layer.budget else 0.0
        bar = "█" * round(full * WIDTH)
        size = f"{layer.tokens}/{layer.budget}" if layer.budget else str(layer.tokens)
        notes = [terminal.translate(layer.why)] if layer.why else []
        notes += [terminal.translate("{n} left out", n=layer.left_out)] if layer.left_out else []
        notes += [", ".join(dict.fromkeys(layer.items))]
        rows.append(
            [
                terminal.translate("your words" if layer.name == "words" else layer.name),
                bar.ljust(WIDTH, "·"),
                size,
                one_line("; ".join(filter(None, notes)), 200),
            ]
        )
    free = terminal.translate("{n} free", n=prompt.free)
    rows.append([terminal.translate("in all"), "", f"{prompt.total}/{prompt.limit}", free])
    terminal.table(rows, (YELLOW, GREEN, "", DIM), to_stderr=True)
