"""`mem init`: a new vault and the first-meeting interview."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from memcli.cli.terminal import BOLD, DIM, Terminal, clock_of
from memcli.errors import UsageError
from memcli.vault import create
from memcli.vault.layout import CONFIG

app = typer.Typer(rich_markup_mode=None)

_LENGTHS = ("short", "medium", "long")
_CHINESE_LENGTHS = {"短": "short", "中": "medium", "长": "long"}


@app.command(
    epilog="""\b
Examples:
  mem init                      in this folder, with a few questions
  mem init ~/memory --yes       without questions
"""
)
def init(
    ctx: typer.Context,
    folder: Annotated[
        str, typer.Argument(metavar="[DIR]", help="Where; by default --vault, MEM_VAULT or this folder.")
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing.")] = False,
    git: Annotated[bool, typer.Option("--git/--no-git", help="Make it a git repository.")] = True,
    name: Annotated[str, typer.Option("--name", help="Your name.")] = "",
    language: Annotated[str, typer.Option("--language", help="The language to talk in.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="What was laid as JSON; asks nothing.")] = False,
) -> None:
    """Make a vault. Run again it adds what is missing; nothing that exists is overwritten."""
    terminal: Terminal = ctx.obj
    root = (
        Path(folder or terminal.vault_dir or terminal.environ.get("MEM_VAULT") or terminal.here).expanduser().absolute()
    )
    if root == Path.home() and not (root / CONFIG).exists():
        raise UsageError("that is your home folder: all notes below it would become one vault", "mem init ~/memory")
    answers = create.Answers(name=name, language=language)
    if not (yes or as_json) and terminal.interactive() and not (root / "USER.md").exists():
        answers = _interview(terminal, answers)
    laid = create.lay(root, answers, clock_of(terminal.environ)(), git)
    if laid.notice:
        terminal.notices.append(laid.notice)
    if as_json:
        kept, made = list(laid.kept), list(laid.written)
        terminal.json(
            {"schema": 1, "vault": str(root), "written": made, "kept": kept, "repository": laid.repository or None}
        )
        return
    done = f"{len(laid.written)} files written" + (f", {len(laid.kept)} kept as they were" if laid.kept else "")
    terminal.out(
        f"{terminal.paint(str(root), BOLD)} is a vault: {done}" + (", a git repository" if laid.repository else "")
    )
    if laid.written:
        terminal.tell(terminal.paint('next: mem add "something worth remembering", then mem recall "…"', DIM))


def _interview(terminal: Terminal, known: create.Answers) -> create.Answers:
    """A short first meeting; Enter skips a question."""
    terminal.tell("A few questions, so that recall knows who you are. Enter skips one; all of it can be changed later.")
    name = known.name or terminal.ask("What should I call you?")
    occupation = terminal.ask("What do you do?")
    interests = re.split(r"[,，、;；]", terminal.ask("What are you interested in (with commas)?"))
    language = known.language or terminal.ask("Which language shall we talk in?")
    home = terminal.ask("Where is home (an address or a word)?")
    work = terminal.ask("Where do you work?")
    length = terminal.ask("Answers: short, medium or long?").lower()
    return create.Answers(
        name, occupation, tuple(each.strip() for each in interests if each.strip()), language, home, work,
        next((each for each in _LENGTHS if length and each.startswith(length[:1])), _CHINESE_LENGTHS.get(length[:1], "")),
    )  # fmt: skip
