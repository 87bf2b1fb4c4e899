"""`mem init`: a new vault and the first-meeting interview."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from memcli.cli.face import BOLD, DIM, Face, clock_of
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
    face: Face = ctx.obj
    root = Path(folder or face.vault_dir or face.environ.get("MEM_VAULT") or face.here).expanduser().absolute()
    if root == Path.home() and not (root / CONFIG).exists():
        raise UsageError("that is your home folder: all notes below it would become one vault", "mem init ~/memory")
    answers = create.Answers(name=name, language=language)
    if not (yes or as_json) and face.interactive() and not (root / "USER.md").exists():
        answers = _interview(face, answers)
    laid = create.lay(root, answers, clock_of(face.environ)(), git)
    if laid.notice:
        face.notices.append(laid.notice)
    if as_json:
        kept, made = list(laid.kept), list(laid.written)
        face.json(
            {"schema": 1, "vault": str(root), "written": made, "kept": kept, "repository": laid.repository or None}
        )
        return
    done = f"{len(laid.written)} files written" + (f", {len(laid.kept)} kept as they were" if laid.kept else "")
    face.out(f"{face.paint(str(root), BOLD)} is a vault: {done}" + (", a git repository" if laid.repository else ""))
    if laid.written:
        face.tell(face.paint('next: mem add "something worth remembering", then mem recall "…"', DIM))


def _interview(face: Face, known: create.Answers) -> create.Answers:
    """A short first meeting; Enter skips a question."""
    face.tell("A few questions, so that recall knows who you are. Enter skips one; all of it can be changed later.")
    name = known.name or face.ask("What should I call you?")
    occupation = face.ask("What do you do?")
    interests = re.split(r"[,，、;；]", face.ask("What are you interested in (with commas)?"))
    language = known.language or face.ask("Which language shall we talk in?")
    home = face.ask("Where is home (an address or a word)?")
    work = face.ask("Where do you work?")
    length = face.ask("Answers: short, medium or long?").lower()
    return create.Answers(
        name, occupation, tuple(each.strip() for each in interests if each.strip()), language, home, work,
        next((each for each in _LENGTHS if length and each.startswith(length[:1])), _CHINESE_LENGTHS.get(length[:1], "")),
    )  # fmt: skip
