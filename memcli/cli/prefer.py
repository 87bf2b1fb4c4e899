"""`mem prefer list|get|set|unset|why|accept|correct|history`."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Annotated, Any

import typer

from memcli import remember
from memcli.cli.options import AsJson, examples, group
from memcli.cli.terminal import CYAN, DIM, GREEN, YELLOW, Terminal
from memcli.errors import CheckFailed, UsageError
from memcli.text.clean import one_line
from memcli.vault import preferences
from memcli.vault.preferences import Preference, folded
from memcli.vault.settings import nearest

app = typer.Typer(rich_markup_mode=None)
prefer = group(
    app, "prefer", "Keep what you like, and see which one counts.",
    'mem prefer set drink "tea, no coffee after noon"',
    "mem prefer set database SQLite --scope project:tideline",
    "mem prefer why drink",
)  # fmt: skip

Key = Annotated[str, typer.Argument(metavar="KEY", help="Its name, like drink.")]
Scope = Annotated[str, typer.Option("--scope", metavar="SCOPE", help="global, or a scene like project:tideline.")]
Named = Annotated[str, typer.Argument(metavar="NAME", help="Of what.")]
Values = Annotated[list[str], typer.Argument(metavar="VALUE...", help="Its value; several make a list.")]


@prefer.command("list", epilog=examples("mem prefer list", "mem prefer list --json | jq '.[] | select(.counts)'"))
def list_(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show all preferences; ✓ marks those that count, in their scope."""
    terminal: Terminal = ctx.obj
    held = preferences.held(terminal.vault())
    counting = [
        each
        for scope in dict.fromkeys(each.scope for each in held)
        for each in preferences.effective([p for p in held if p.scope == scope], lambda scene: True)
    ]
    if as_json:
        terminal.json([{**vars(each), "counts": each in counting} for each in held])
        return
    marks = ["✓" if each in counting else "·" for each in held]
    rows = [
        [mark, each.key, one_line(each.standing), each.updated, _value(each)]
        for mark, each in zip(marks, held, strict=True)
    ]
    terminal.table(rows, (GREEN, CYAN, DIM, DIM, ""), clip=True)
    if not rows:
        terminal.tell('no preferences yet: mem prefer set drink "tea, no coffee after noon"')


@prefer.command(epilog=examples("mem prefer get drink", "mem prefer get database --scope project:tideline"))
def get(ctx: typer.Context, key: Key, scope: Scope = "", as_json: AsJson = False) -> None:
    """Show the value that counts; exit 1 if none is sure enough."""
    terminal: Terminal = ctx.obj
    first, why = _contest(terminal, key, scope)[0]
    if why != "counts":
        raise CheckFailed(f"nothing counts for {first.key}: {why}", f"mem prefer why {first.key}")
    terminal.json({"schema": 1, **vars(first)}) if as_json else terminal.out(_value(first))


@prefer.command(
    "set",
    epilog=examples(
        'mem prefer set drink "tea, no coffee after noon" --category food',
        "mem prefer set database SQLite --scope project:tideline",
        "mem prefer set seat window --source inferred",
    ),
)
def set_(
    ctx: typer.Context,
    key: Key,
    value: Values,
    category: Annotated[str, typer.Option("--category", help="food, music, navigation … or any word.")] = "",
    scope: Scope = preferences.GLOBAL,
    source: Annotated[str, typer.Option("--source", help="explicit, confirmed or inferred.")] = "explicit",
    as_json: AsJson = False,
) -> None:
    """Keep a preference. What you say replaces what you said; what was inferred else is trusted less."""
    terminal: Terminal = ctx.obj
    found = [_typed(each) for each in value]
    new = found[0] if len(found) == 1 else found
    _tell(
        terminal,
        remember.prefer(terminal.vault(), key, new, category=category, scope=scope, source=source).steps,
        as_json,
    )


@prefer.command(epilog=examples("mem prefer unset drink", "mem prefer unset database --scope project:tideline"))
def unset(ctx: typer.Context, key: Key, scope: Scope = "", as_json: AsJson = False) -> None:
    """Move all that is held of a key, or of it in one scope, to archive/preferences.yaml."""
    _tell(ctx.obj, remember.unprefer(ctx.obj.vault(), key, scope).steps, as_json)


@prefer.command(epilog=examples("mem prefer why drink", "mem prefer why database --scope project:tideline"))
def why(ctx: typer.Context, key: Key, scope: Scope = "", as_json: AsJson = False) -> None:
    """Show all that is held of a key: which one counts, and why the others do not."""
    terminal: Terminal = ctx.obj
    found = _contest(terminal, key, scope)
    if as_json:
        told = [{**vars(each), "counts": reason == "counts", "why": reason} for each, reason in found]
        terminal.json({"schema": 1, "key": key, "preferences": told})
        return
    rows = [
        ["✓" if reason == "counts" else "·", _value(each), one_line(each.standing), reason] for each, reason in found
    ]
    terminal.table(rows, (GREEN, "", DIM, YELLOW))


@prefer.command(epilog=examples("mem prefer accept train_seat"))
def accept(ctx: typer.Context, key: Key, scope: Scope = "", as_json: AsJson = False) -> None:
    """A suggestion built on it was taken: what was inferred or confirmed is trusted more (+0.2)."""
    _tell(ctx.obj, remember.weigh(ctx.obj.vault(), key, True, scope).steps, as_json)


@prefer.command(epilog=examples("mem prefer correct train_seat"))
def correct(ctx: typer.Context, key: Key, scope: Scope = "", as_json: AsJson = False) -> None:
    """A suggestion built on it was put right: it is trusted less (-0.4), and archived below 0.1."""
    _tell(ctx.obj, remember.weigh(ctx.obj.vault(), key, False, scope).steps, as_json)


def with_history(group: typer.Typer, kind: str, example: str) -> None:
    """Give a group its `history` command."""

    @group.command("history", epilog=examples(f"mem {kind} history {example}"))
    def history(ctx: typer.Context, name: Named, as_json: AsJson = False) -> None:
        """Show what it was over time, latest first, as git has it; without git only when it was changed."""
        terminal: Terminal = ctx.obj
        found = remember.past(terminal.vault(), kind, name)
        if as_json:
            terminal.json(
                [{"at": step.at.isoformat(), "commit": step.id or None, "said": said} for step, said in found]
            )
            return
        rows = [[f"{step.at:%Y-%m-%d %H:%M}", step.id, said or "-"] for step, said in found]
        terminal.table(rows, (GREEN, YELLOW, ""), clip=True)
        if not found:
            terminal.tell(f"no history of '{name}'")


with_history(prefer, "prefer", "drink")


def _contest(terminal: Terminal, key: str, scope: str) -> list[tuple[Preference, str]]:
    held = preferences.held(terminal.vault())
    found = [each for each in held if folded(each.key) == folded(key)]
    if not found:
        raise UsageError(f"there is no preference '{key}'", nearest(key, [each.key for each in held]))
    scene = folded(scope.rpartition(":")[2])
    return preferences.contest(found, lambda each: folded(each) == scene)


def _tell(terminal: Terminal, steps: tuple[preferences.Step, ...], as_json: bool) -> None:
    if as_json:
        terminal.json({"schema": 1, "changes": [asdict(step) for step in steps]})
        return
    for step in steps[::-1]:
        each = step.after or step.before
        gone = "" if step.after else ", archived"
        assert each is not None
        terminal.out(
            f"{terminal.paint(one_line(each.key), CYAN)}: {_value(each)} {terminal.paint(f'({step.why}{gone})', DIM)}"
        )


def _typed(text: str) -> Any:
    """Numbers, true and false as such; anything else is the text it is."""
    if re.fullmatch(r"-?(0|[1-9]\d{0,14})(\.\d+)?", text):
        return float(text) if "." in text else int(text)
    return {"true": True, "false": False}.get(text, text)


def _value(each: Preference) -> str:
    return one_line(preferences.shown(each))
