"""`mem learn`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memcli.cli.terminal import CYAN, DIM, YELLOW, Terminal
from memcli.errors import UsageError
from memcli.text.clean import one_line

if TYPE_CHECKING:
    from memcli.remember.learn import Atom, Kept

app = typer.Typer(rich_markup_mode=None)


@app.command(
    epilog="""\b
Examples:
  mem learn chat.md                         shows what is in it, and asks
  mem learn ~/.claude/projects/x/1.jsonl --yes
  pbpaste | mem learn - --me Anna --dry-run
"""
)
def learn(
    ctx: typer.Context,
    file: Annotated[
        str,
        typer.Argument(metavar="[FILE]", help="A conversation: JSON lines, an export, Markdown or text; - is stdin."),
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Keep all that lasts, without asking.")] = False,
    me: Annotated[
        list[str] | None, typer.Option("--me", metavar="NAME", help="What you are called in it; may be repeated.")
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="By rules, even where a language model is set up.")] = False,
    later: Annotated[bool, typer.Option("--later", help="Leave it to mem work or mem watch; as with --yes.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be kept.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Read a conversation and keep what is worth remembering: yours alone, each once, what lasts from what does not.

    Shows each memory and why it is one. On a terminal it asks: y keeps, n leaves, a keeps all the rest, q ends.
    """
    from memcli.remember import learn as door

    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    text = _conversation(terminal, file)
    if later:
        left = door.later(vault, text, me or (), rules)
        terminal.tell("left for mem work" if left else "this conversation was left for mem work before")
        return
    found = door.propose(vault, text, me or (), rules)
    asking = terminal.interactive() and not (yes or dry_run or as_json)
    if not as_json:
        _show(terminal, found.atoms)
    kept: dict[int, Kept] = {}
    for at, atom in enumerate([] if dry_run else found.atoms):
        if asking and not yes:
            answer = _asked(terminal, atom)
            if answer == "q":
                break
            if answer == "n":
                continue
            yes = answer == "a"
        elif not yes or door.why_not(atom):
            continue
        kept[at] = done = door.keep(vault, atom, confirmed=asking)
        if not as_json:
            said = (
                terminal.paint("not kept", YELLOW) + f": {one_line(done.why_not)}"
                if done.why_not
                else f"in {done.place}{', known' * done.known}"
            )
            terminal.out(f"{terminal.paint(atom.type, CYAN)} {said}")
    if as_json:
        atoms = [_as_json(atom, kept.get(at), door.why_not(atom)) for at, atom in enumerate(found.atoms)]
        terminal.json({"schema": 1, "by": found.by, "messages": found.messages, "dry_run": dry_run, "atoms": atoms})
        return
    many = sum(not each.why_not for each in kept.values())
    if not found.atoms:
        terminal.tell(f"nothing to remember in {found.messages} message{'s' * (found.messages != 1)}")
    elif not (dry_run or yes or asking):
        terminal.tell("nothing is kept yet: --yes keeps what lasts")
    elif kept:
        terminal.tell(f"{many} of {len(found.atoms)} kept")


def _conversation(terminal: Terminal, file: str) -> str:
    if file in ("", "-"):
        if not (text := terminal.stdin_text()).strip():
            raise UsageError("there is no conversation to read", "mem learn FILE, or pipe it in")
        return text
    from memcli.vault import files

    path = terminal.here / Path(file).expanduser()
    if not path.is_file():
        raise UsageError(f"{file} is not a file", "- reads what is piped in")
    return files.read(path, file).text


def _show(terminal: Terminal, atoms: tuple[Atom, ...]) -> None:
    from memcli.remember import learn as door

    rows = []
    for atom in atoms:
        said = f"{atom.key}: {atom.value}" if atom.key else atom.text
        why = f"not kept: {why}" if (why := door.why_not(atom)) else atom.why
        rows.append([atom.type, f"line {atom.line}", one_line(why), one_line(said)])
    terminal.table(rows, (CYAN, DIM, DIM, ""), clip=True)


def _asked(terminal: Terminal, atom: Atom) -> str:
    said = f"{atom.key}: {atom.value}" if atom.key else atom.text
    return terminal.key(
        f'keep {atom.type} "{one_line(said, 100)}"  (y)es, (n)o, (a)ll the rest, (q)uit', ["y", "n", "a", "q"]
    )


def _as_json(atom: Atom, kept: Kept | None, why: str) -> dict[str, Any]:
    facts = asdict(atom)
    facts["at"] = atom.at.isoformat() if atom.at else None
    return {
        **facts,
        "kept": bool(kept and kept.place),
        "place": kept.place if kept else "",
        "why_not": kept.why_not if kept else why,
    }
