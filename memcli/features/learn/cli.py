"""Define `mem learn`."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from memcli.cli.command import Result, command
from memcli.cli.looks import CYAN, DIM
from memcli.cli.options import DryRun
from memcli.cli.terminal import Terminal
from memcli.cli.upkeep import ask_doubts, contradiction_note
from memcli.errors import UsageError
from memcli.features.learn import backlog
from memcli.features.learn.proposing import propose
from memcli.message import Message, joined
from memcli.remember import proposals
from memcli.remember.proposals import Addition, OpenQuestion, Refusal, Repetition
from memcli.text.clean import one_line
from memcli.vault import files, queue, talk_files

if TYPE_CHECKING:
    from memcli.remember.atoms import Atom
    from memcli.remember.proposals import Outcome


@command(
    "learn",
    "mem learn chat.md                         shows what is in it, and asks",
    "mem learn ~/.claude/projects --yes        what is new in the conversations with an agent",
    "pbpaste | mem learn - --me Anna --dry-run",
    agents=True,
)
def learn(
    terminal: Terminal,
    file: Annotated[
        str, "[FILE]", "A conversation: JSON lines, an export, Markdown or text; a folder of an agent's; - is stdin."
    ] = "",
    /,
    yes: Annotated[bool, "-y", "Keep all that lasts, without asking."] = False,
    me: Annotated[list[str] | None, "NAME", "What you are called in it; may be repeated."] = None,
    rules: Annotated[bool, "By rules, even where a language model is set up."] = False,
    later: Annotated[bool, "Leave it to mem work or mem watch; as with --yes."] = False,
    dry_run: DryRun = False,
) -> Result | None:
    """Keeps only what you said and what lasts, each thing once. It shows each memory and why it is worth keeping.

    On a terminal it asks: y keeps, n leaves, a keeps all the rest, q ends.
    """
    vault = terminal.vault()
    place = terminal.here / Path(os.path.expanduser(file or "-"))
    is_sentence = " " in file.strip() or not file.isascii()
    if is_sentence and not place.suffix and not os.path.exists(place):
        raise UsageError(
            Message("'{text}' is not a file; mem learn reads a conversation from one", text=one_line(file, 60)),
            "mem add keeps a sentence; echo … | mem learn - learns from it",
        )
    place = place if vault.sees_file(place) else place / "_"  # a file of another agent counts as missing
    is_agents = talk_files.is_place(place)
    if later and is_agents:
        path = str(files.real_path(place))
        queue.queue_job(vault, backlog.TRANSCRIPT, f"{place}@{vault.now.isoformat()}", {"path": path})
        terminal.tell("left for mem work")
        return None
    talks = list(talk_files.find_new_turns(vault, place)) if is_agents else []
    text = "\n".join(talk.text for talk in talks if talk.said) if is_agents else _conversation(terminal, file)
    if later:
        left, job = backlog.queue_conversation(vault, text, me or (), rules), backlog.job_of(text)
        note = "left for mem work" if left else "this conversation was left for mem work before"
        return Result({"job": job, "state": queue.job_state(vault, job, [backlog.LEARN])}, note=note)
    proposed = propose(vault, text, me or (), rules)
    asking = terminal.interactive() and not (yes or dry_run or terminal.as_json)
    if not terminal.as_json:
        _show(terminal, proposed.atoms)
    kept, waiting, yes = ({}, 0, yes) if dry_run else _keep(terminal, proposed.atoms, yes, asking)
    if not dry_run and (yes or asking or not proposed.atoms):
        talk_files.mark_read(vault, talks)
    if not proposed.atoms:
        note = Message("nothing to remember in {n} message{s}", n=proposed.messages)
    elif not (dry_run or yes or asking):
        note = (
            "nothing is sure enough to keep; --yes leaves what may last to mem review"
            if all(map(proposals.why_not, proposed.atoms))
            else "nothing is kept yet: --yes keeps what lasts"
        )
    else:
        many, known = (sum(isinstance(each, kind) for each in kept.values()) for kind in (Addition, Repetition))
        note = Message("{n} of {all} kept", n=many, all=len(proposed.atoms)) if kept or waiting else ""
        note = joined(note, Message("{n} known before", n=known)) if known else note
        note = joined(note, Message("mem review asks about {n}", n=waiting)) if waiting else note
    atoms = [_as_json(atom, kept.get(at), proposals.why_not(atom)) for at, atom in enumerate(proposed.atoms)]
    data = {"by": proposed.by, "messages": proposed.messages, "dry_run": dry_run, "atoms": atoms}
    return Result(data, note=note)


def _keep(terminal: Terminal, atoms: tuple[Atom, ...], yes: bool, asking: bool) -> tuple[dict[int, Outcome], int, bool]:
    """Keep the memories that the user agrees to. Return the outcome by the memory's number, how many wait for review,
    and whether the user said "all". What the user has seen and wants kept is kept, also when it is unsure."""
    outcomes: dict[int, Outcome] = {}
    waiting = 0
    terminal.vault().batch = f"learn:{os.urandom(6).hex()}"
    for at, atom in enumerate(atoms):
        before = proposals.replaced_value(terminal.vault(), atom) if asking else ""
        if asking and (before or not yes):  # a memory that replaces another needs an answer of its own
            answer = _ask(terminal, atom, before)
            if answer == "q":
                break
            if answer == "n":
                proposals.count_decline(terminal.vault(), atom)
                continue
            yes = yes or answer == "a"
        elif not yes:
            continue
        elif not asking and (why := proposals.why_not(atom)):
            if why == proposals.UNSURE:
                done = proposals.queue_doubt(terminal.vault(), atom)
                waiting += isinstance(done, OpenQuestion)
                if atom.requested and isinstance(done, Refusal) and not terminal.as_json:
                    terminal.out(
                        terminal.translate("{KIND} not kept: {WHY}", KIND=atom.type, WHY=one_line(done.why_not))
                    )
            continue
        outcomes[at] = done = proposals.keep(terminal.vault(), atom, confirmed=asking)
        if not terminal.as_json:
            if isinstance(done, Addition | Repetition):
                became: str = Message("in {place}", place=done.place)
            else:
                became = Message("not kept: {WHY}", WHY=one_line(done.why_not))
            known = ", known" if isinstance(done, Repetition) else ""
            message = Message("{KIND} {BECAME}", KIND=atom.type, BECAME=became)
            terminal.out(terminal.translate(joined(message, known, contradiction_note(done, asking), by="")))
        if asking and isinstance(done, Addition | OpenQuestion):
            ask_doubts(terminal, done.doubts)
    return outcomes, waiting, yes


def _conversation(terminal: Terminal, file: str) -> str:
    text = terminal.text_of(file or "-")
    if not text.strip() and file in ("", "-"):
        raise UsageError("there is no conversation to read", "mem learn FILE, or pipe it in")
    return text


def _show(terminal: Terminal, atoms: tuple[Atom, ...]) -> None:
    rows = []
    for atom in atoms:
        why = Message("left out: {WHY}", WHY=why) if (why := proposals.why_not(atom)) else atom.why
        if before := proposals.replaced_value(terminal.vault(), atom):
            why = Message("{WHY}; known: {before}", WHY=why, before=one_line(before, 40))
        rows.append(
            [
                *map(terminal.translate, (atom.type, Message("line {n}", n=atom.line))),
                one_line(terminal.translate(why)),
                one_line(_words(atom)),
            ]
        )
    terminal.table(rows, (CYAN, DIM, DIM, ""), clip=True)


def _ask(terminal: Terminal, atom: Atom, before: str) -> str:
    instead = Message(', no longer "{before}"', before=one_line(before, 60)) if before else ""
    question = Message(
        'keep {KIND} "{words}"{INSTEAD}  (y)es, (n)o, (a)ll the rest, (q)uit',
        KIND=atom.type,
        words=one_line(_words(atom), 100),
        INSTEAD=instead,
    )
    return terminal.key(question, ["y", "n", "a", "q"])


def _words(atom: Atom) -> str:
    return f"{atom.key}: {atom.value}" if atom.key else atom.text


def _as_json(atom: Atom, outcome: Outcome | None, why: str) -> dict[str, Any]:
    facts = asdict(atom)
    facts["at"] = atom.at.isoformat() if atom.at else None
    return {
        **facts,
        "kept": isinstance(outcome, Addition | Repetition),
        "place": getattr(outcome, "place", ""),
        "why_not": getattr(outcome, "why_not", "") if outcome else why,
        "before": getattr(outcome, "before", ""),
        "asked": [doubt.id for doubt in getattr(outcome, "doubts", ())],
    }
