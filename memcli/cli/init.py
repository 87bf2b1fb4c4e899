"""Define `mem init`: make a new vault and hold the first interview."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Annotated

from memcli import extras
from memcli.cli.clock import clock_of
from memcli.cli.command import Result, command
from memcli.cli.looks import BOLD, DIM
from memcli.cli.speech import system_language
from memcli.cli.terminal import Terminal
from memcli.errors import MissingPart, UsageError
from memcli.message import Message
from memcli.text import messages
from memcli.vault import create, discover
from memcli.vault.adopt import ExistingNotes
from memcli.vault.layout import CONFIG
from memcli.vault.vault import open_vault

# Answers that return to the previous question.
BACK = frozenset({"<", "＜", "《", "back", "返回"})
# Words for the length of answers, with the length they mean.
_LENGTHS = {
    "short": "short", "s": "short", "短": "short", "简": "short", "medium": "medium", "m": "medium", "中": "medium",
    "long": "long", "l": "long", "长": "long", "详": "long",
}  # fmt: skip


@command(
    "init",
    "mem init                      in this folder, with a few questions",
    "mem init ~/memory --yes       without questions",
    json="What was made as JSON; asks nothing.",
)
def init(
    terminal: Terminal,
    folder: Annotated[str, "[DIR]", "Where; by default --vault, MEM_VAULT or this folder."] = "",
    /,
    yes: Annotated[bool, "-y", "Ask nothing."] = False,
    git: Annotated[bool | None, "Make it a git repository; a folder of notes only if asked."] = None,
    name: Annotated[str, "Your name."] = "",
    language: Annotated[str, "The language to talk in."] = "",
) -> Result:
    """Run again it adds what is missing; nothing that exists is overwritten.

    A folder of notes (Obsidian's, Logseq's, anybody's) is adopted: one file of settings is added to it.
    """
    root = Path(
        os.path.expanduser(folder or terminal.vault_dir or terminal.environ.get("MEM_VAULT") or terminal.here)
    ).absolute()
    if root == Path.home() and not (root / CONFIG).exists():
        raise UsageError("that is your home folder: all notes below it would become one vault", "mem init ~/memory")
    if language:
        terminal.speech.speak(language)
    answers = create.Answers(name=name, language=language)
    meeting = not (yes or terminal.as_json) and terminal.interactive() and not (root / "USER.md").exists()
    if meeting:
        answers = _interview(terminal, answers)
    if not answers.language and messages.table_language(system_language(terminal.environ)) == "zh":
        answers = replace(answers, language="中文")  # nobody chose a language, so the system's is used
    now = clock_of(terminal.environ)()
    laid = create.create_vault(root, answers, now, terminal.environ, git)
    if laid.notice:
        terminal.notices.append(laid.notice)
    if meeting:
        for part in ("model", "watch"):
            _offer(part, terminal, root)
    made: list[str] = [Message("{n} file{s} written", n=len(laid.written))]
    made += [Message("{n} kept as they were", n=len(laid.kept))] if laid.kept else []
    made += ["a git repository"] if laid.repository else []
    made_list = terminal.speech.comma.join(map(terminal.translate, made))
    lists = {"written": list(laid.written), "kept": list(laid.kept)}
    adopted = laid.adopted and asdict(laid.adopted)
    return Result(
        {"vault": str(root), **lists, "repository": laid.repository or None, "adopted": adopted},
        [terminal.translate("{root} is a vault: {MADE}", root=terminal.paint(str(root), BOLD), MADE=made_list)]
        + [terminal.translate(line) for line in _adopted(laid.adopted, now)],
        _next_step(terminal, root) if laid.written else "",
    )


def _offer(part: str, terminal: Terminal, root: Path) -> None:
    """Offer what an optional part can do, if it is installed."""
    try:
        with extras.wanted():
            module = import_module(f"memcli.cli.{part}")
    except MissingPart:
        return
    module.offer(terminal, open_vault(root, clock_of(terminal.environ), terminal.environ))


def _adopted(notes: ExistingNotes | None, now: datetime) -> list[str]:
    """Return a line about the notes that the folder already held and where new ones go; none if it held none."""
    if not notes:
        return []
    found = Message("{n} {program} note{s} left as found", n=notes.notes, program=notes.program or "Markdown")
    if notes.log:
        found = Message("{FOUND}; today's memories go to {log}", FOUND=found, log=now.strftime(notes.log))
    return [found]


def _interview(terminal: Terminal, known: create.Answers) -> create.Answers:
    """Ask the questions of a first meeting and return the answers. Enter skips a question, `<` returns to the previous
    one, which shows what was answered and keeps it."""
    terminal.tell("A few questions, so that recall knows who you are. All of it can be changed later.")
    terminal.tell("Enter skips one, < goes back to the one before.")
    asked: list[tuple[str, Callable[[str], str]]] = [
        ("name", lambda had: terminal.ask("What should I call you?", had)),
        ("occupation", lambda had: terminal.ask("What do you do?", had)),
        ("interests", lambda had: terminal.ask("What are you interested in (with commas)?", had)),
        ("language", lambda had: terminal.ask("Which language shall we talk in?", had)),
        ("city", lambda had: terminal.ask("Which city do you live in?", had)),
        ("home", lambda had: terminal.ask("Where is home (an address or a word)?", had)),
        ("work", lambda had: terminal.ask("Where do you work?", had)),
        ("response_length", lambda had: _length(terminal)),
    ]
    asked = [(field, ask) for field, ask in asked if not getattr(known, field)]
    given: dict[str, str] = {}
    at = 0
    while at < len(asked):
        field, ask = asked[at]
        answer = ask(given.get(field, ""))
        if answer in BACK:
            at = max(0, at - 1)
            continue
        given[field] = answer
        if field == "language" and answer:
            terminal.speech.speak(answer)
        at += 1
    interests = re.split(r"[,，、;；]", given.pop("interests", ""))
    return replace(known, **given, interests=tuple(word.strip() for word in interests if word.strip()))


def _length(terminal: Terminal) -> str:
    """Ask for the length of answers until one of the three is named. Return it, or "" if the person skips the
    question."""
    while answer := terminal.ask("Answers: short, medium or long?").lower():
        words = re.findall(r"[a-z]+|[短简中长详]", answer)
        meant = {_LENGTHS[word] for word in words if word in _LENGTHS}
        if answer in BACK:
            return answer
        if len(meant) == 1:
            return meant.pop()
        terminal.tell("'{answer}' does not say which; Enter leaves it at medium", answer=answer)
    return ""


def _next_step(terminal: Terminal, root: Path) -> str:
    """Return the hint at the next command, written so that it works from the current folder."""
    here = discover.find_vault(None, terminal.environ, str(terminal.here))
    place = shlex.quote(str(root))
    if here and Path(here).resolve() == root.resolve():
        how = "mem add"
    else:
        elsewhere = terminal.environ.get("MEM_VAULT")
        how = Message(
            "export MEM_VAULT={place}, then mem add" if elsewhere else "cd {place}, then mem add", place=place
        )
    step = terminal.translate('next: {HOW} "something worth remembering", then mem recall "…"', HOW=how)
    return terminal.paint(step, DIM, terminal.stderr)
