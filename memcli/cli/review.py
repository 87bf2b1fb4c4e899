"""`mem review`."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from memcli.cli import render
from memcli.cli.face import DIM, YELLOW, Face
from memcli.cli.options import examples
from memcli.cli.write import edited
from memcli.errors import CheckFailed, MemError, UsageError
from memcli.remember import Doubt
from memcli.text.clean import one_line

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

    face: Face = ctx.obj
    vault = face.vault()
    found = remember.doubts(vault)
    if apply:
        _apply(face, found, _answers(face, apply), as_json)
    elif as_json:
        face.json({"schema": 1, "doubts": [_as_json(each) for each in found]})
    elif not found:
        face.tell("nothing to settle")
    elif face.interactive():
        _ask(face, found)
    else:
        for doubt in found:
            _show(face, doubt)
            face.out(face.paint(f"  {', '.join(doubt.choices)}", DIM))
        face.tell(f"{len(found)} to settle; on a terminal one key each, else --apply FILE")


def _ask(face: Face, found: list[Doubt]) -> None:
    from memcli import remember

    for number, doubt in enumerate(found, 1):
        _show(face, doubt)
        keys = {choice[0]: choice for choice in doubt.choices} | {"q": "quit"}
        names = ", ".join(f"({name[0]}){name[1:]}" for name in keys.values())
        answer = keys[face.key(f"{number}/{len(found)}  {names}", list(keys))]
        if answer == "quit":
            return
        try:
            if answer == "edit":
                edited(face, face.vault(), doubt.entries[-1])
            else:
                remember.settle(face.vault(), doubt, answer)
        except MemError as error:  # it was changed by an answer before, or elsewhere; the others can still be settled
            face.fail(error.message, error.hint)


def _apply(face: Face, found: list[Doubt], answers: list[dict[str, Any]], as_json: bool) -> None:
    from memcli import remember

    known = {doubt.id: doubt for doubt in found}
    done, failed = [], 0
    for each in answers:
        id, answer, why = str(each.get("id")), str(each.get("answer", "skip")), ""
        try:
            if id not in known:
                raise UsageError(f"nothing to settle is called '{id}'", "mem review --json shows what there is")
            remember.settle(face.vault(), known[id], answer, str(each.get("text") or ""))
        except MemError as error:
            why, failed = error.message, failed + 1
            face.fail(error.message, error.hint)
        done.append({"id": id, "answer": answer, "error": why or None})
    if as_json:
        face.json({"schema": 1, "answers": done})
    else:
        face.out(f"{len(done) - failed} settled")
    if failed:
        raise CheckFailed(f"{failed} of {len(done)} answers could not be followed")


def _answers(face: Face, file: str) -> list[dict[str, Any]]:
    try:
        given = json.loads(face.stdin_text() if file == "-" else (face.here / file).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"the answers are no JSON: {error}", '[{"id": "3f2a9c1", "answer": "keep"}]') from None
    given = given.get("doubts") if isinstance(given, dict) else given
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise UsageError("the answers are no list of objects", '[{"id": "3f2a9c1", "answer": "keep"}]')
    return given


def _show(face: Face, doubt: Doubt) -> None:
    face.out(f"{face.paint(doubt.id, YELLOW)} {doubt.kind}: {doubt.why}")
    rows = [[str(each.day or ""), one_line(each.place), one_line(each.words)] for each in doubt.entries]
    rows += [[p.source, f"{p.confidence:g}", one_line(f"{p.key}: {p.value}")] for p in doubt.preferences]
    face.table([[f"  {number}", *row] for number, row in enumerate(rows, 1)], ("", DIM, DIM, ""), clip=True)


def _as_json(doubt: Doubt) -> dict[str, Any]:
    return {
        "id": doubt.id,
        "kind": doubt.kind,
        "why": doubt.why,
        "choices": doubt.choices,
        "memories": [render.as_json(entry) for entry in doubt.entries],
        "preferences": [vars(each) for each in doubt.preferences],
    }
