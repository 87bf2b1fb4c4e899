"""`mem review`."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from memcli.cli import render
from memcli.cli.options import examples
from memcli.cli.terminal import DIM, YELLOW, Terminal
from memcli.cli.write import edited
from memcli.errors import CheckFailed, MemError, UsageError, VaultError
from memcli.remember import Doubt
from memcli.text.clean import one_line
from memcli.vault import files

app = typer.Typer(rich_markup_mode=None)


@app.command(
    epilog=examples(
        "mem review                 one question after the other, one key each",
        "mem review --json > questions.json",
        'echo \'[{"id": "3f2a9c1", "answer": "2"}]\' | mem review --apply -',
    )
)
def review(
    ctx: typer.Context,
    apply: Annotated[
        str, typer.Option("--apply", metavar="FILE", help="Answers as JSON, a list of id and answer; - reads stdin.")
    ] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="The questions as JSON, or what became of the answers.")
    ] = False,
) -> None:
    """Settle what disagrees, repeats, is unsure or ends soon. `mem undo` takes an answer back.

    A number says which of two holds: of facts that disagree the other is marked superseded, of repeated ones it is
    archived. keep leaves all as it is and does not ask again; a snapshot is kept for another week.
    """
    from memcli import remember

    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    found = remember.doubts(vault)
    if apply:
        _apply(terminal, found, _answers(terminal, apply), as_json)
    elif as_json:
        terminal.json({"schema": 1, "doubts": [_as_json(each) for each in found]})
    elif not found:
        terminal.tell("nothing to settle")
    elif terminal.interactive():
        _ask(terminal, found)
    else:
        for doubt in found:
            _show(terminal, doubt)
            terminal.out(terminal.paint(f"  {', '.join(doubt.choices)}", DIM))
        terminal.tell(f"{len(found)} to settle; on a terminal one key each, else --apply FILE")


def _ask(terminal: Terminal, found: list[Doubt]) -> None:
    from memcli import remember

    for number, doubt in enumerate(found, 1):
        _show(terminal, doubt)
        keys = {choice[0]: choice for choice in doubt.choices} | {"q": "quit"}
        names = ", ".join(f"({name[0]}){name[1:]}" for name in keys.values())
        answer = keys[terminal.key(f"{number}/{len(found)}  {names}", list(keys))]
        if answer == "quit":
            return
        try:
            if answer == "edit":
                edited(terminal, terminal.vault(), doubt.entries[-1])
            else:
                remember.settle(terminal.vault(), doubt, answer)
        except MemError as error:  # it was changed by an answer before, or elsewhere; the others can still be settled
            terminal.fail(error.message, error.hint)


def _apply(terminal: Terminal, found: list[Doubt], answers: list[dict[str, Any]], as_json: bool) -> None:
    from memcli import remember

    known = {doubt.id: doubt for doubt in found}
    done, failed = [], 0
    for each in answers:
        id, answer, why = str(each.get("id")), str(each.get("answer", "skip")), ""
        try:
            if id not in known:
                raise UsageError(f"nothing to settle is called '{id}'", "mem review --json shows what there is")
            remember.settle(terminal.vault(), known[id], answer, str(each.get("text") or ""))
        except MemError as error:
            why, failed = error.message, failed + 1
            terminal.fail(error.message, error.hint)
        done.append({"id": id, "answer": answer, "error": why or None})
    if as_json:
        terminal.json({"schema": 1, "answers": done})
    else:
        terminal.out(f"{len(done) - failed} settled")
    if failed:
        raise CheckFailed(f"{failed} of {len(done)} answers could not be followed")


def _answers(terminal: Terminal, file: str) -> list[dict[str, Any]]:
    try:
        given = json.loads(terminal.stdin_text() if file == "-" else files.read(terminal.here / file, file).text)
    except VaultError as error:
        raise UsageError(error.message) from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the answers are no JSON: {error}", '[{"id": "3f2a9c1", "answer": "keep"}]') from None
    given = given.get("doubts") if isinstance(given, dict) else given
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise UsageError("the answers are no list of objects", '[{"id": "3f2a9c1", "answer": "keep"}]')
    return given


def _show(terminal: Terminal, doubt: Doubt) -> None:
    terminal.out(f"{terminal.paint(doubt.id, YELLOW)} {doubt.kind}: {doubt.why}")
    rows = [[str(each.day or ""), one_line(each.place), one_line(each.words)] for each in doubt.entries]
    rows += [[p.source, f"{p.confidence:g}", one_line(f"{p.key}: {p.value}")] for p in doubt.preferences]
    terminal.table([[f"  {number}", *row] for number, row in enumerate(rows, 1)], ("", DIM, DIM, ""), clip=True)


def _as_json(doubt: Doubt) -> dict[str, Any]:
    return {
        "id": doubt.id,
        "kind": doubt.kind,
        "why": doubt.why,
        "choices": doubt.choices,
        "memories": [render.as_json(entry) for entry in doubt.entries],
        "preferences": [vars(each) for each in doubt.preferences],
    }
