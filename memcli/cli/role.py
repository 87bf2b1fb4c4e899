"""`mem role list|show|check|use`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from memcli import remember
from memcli.cli.options import AsJson, examples, group
from memcli.cli.terminal import CYAN, DIM, GREEN, Terminal
from memcli.errors import CheckFailed, MemError, UsageError
from memcli.prompt import roles
from memcli.prompt.roles import Role
from memcli.text.clean import one_line
from memcli.vault import state
from memcli.vault.settings import nearest
from memcli.vault.vault import Vault

app = typer.Typer(rich_markup_mode=None)
role = group(
    app, "role", "Who an assistant is to be: the files in roles/.", "mem role list", "mem role use engineer",
)  # fmt: skip


def names(ctx: typer.Context, incomplete: str) -> list[str]:
    """For the shell: the roles of this vault."""
    try:
        return [name for name in state.roles(ctx.obj.vault()) if name.startswith(incomplete)]
    except MemError:
        return []


Name = Annotated[str, typer.Argument(metavar="NAME", help="A file in roles/, without .yaml.", autocompletion=names)]
Maybe = Annotated[
    str, typer.Argument(metavar="[NAME]", help="A file in roles/; else the one in use, or all.", autocompletion=names)
]


@role.command("list", epilog=examples("mem role list", "mem role list --json | jq -r '.roles[].name'"))
def list_(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show all roles; ✓ marks the one in use."""
    terminal: Terminal = ctx.obj
    used, found = state.read(terminal.vault()).role, roles.listed(terminal.vault())
    if as_json:
        terminal.json({"schema": 1, "roles": [{**_as_json(each), "used": each.name == used} for each in found]})
        return
    rows = [
        ["✓" if each.name == used else "·", one_line(each.name), each.version, one_line(each.problem or each.identity)]
        for each in found
    ]
    terminal.table(rows, (GREEN, CYAN, DIM, ""), clip=True)
    if not rows:
        terminal.tell("no roles in roles/: the built-in one counts; mem init lays some")


@role.command(epilog=examples("mem role show", "mem role show engineer"))
def show(ctx: typer.Context, name: Maybe = "", as_json: AsJson = False) -> None:
    """Show a role as a model reads it: the one in use, or another. A broken one is replaced, and it says by what."""
    terminal: Terminal = ctx.obj
    if name:
        there(terminal.vault(), name)
    found = roles.read(terminal.vault(), name)
    terminal.json({"schema": 1, **_as_json(found), "text": found.text}) if as_json else terminal.out(found.text)


@role.command(epilog=examples("mem role check", "mem role check engineer"))
def check(ctx: typer.Context, name: Maybe = "", as_json: AsJson = False) -> None:
    """Check one role or all: version, identity, tone, boundaries, at most 150 tokens, no placeholders. Exit 1 if not."""
    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    if name:
        there(vault, name)
    names = [name] if name else list(dict.fromkeys(state.roles(vault)))
    found = {each: roles.check(vault, each) for each in names}
    if as_json:
        terminal.json({"schema": 1, "roles": [{"name": each, "problems": wrong} for each, wrong in found.items()]})
    else:
        rows = [[one_line(each), one_line(why)] for each, wrong in found.items() for why in wrong or ["holds"]]
        terminal.table(rows, (CYAN, ""))
    broken = [each for each, wrong in found.items() if wrong]
    if broken:
        raise CheckFailed(f"{', '.join(broken)} can't be used; the built-in role counts instead", "mem edit roles/…")


@role.command(epilog=examples("mem role use engineer", "mem role use default"))
def use(ctx: typer.Context, name: Name, as_json: AsJson = False) -> None:
    """Use a role from now on: it becomes the role of the state."""
    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    there(vault, name)
    if wrong := roles.check(vault, name):
        raise CheckFailed(f"{name} can't be used: {wrong[0]}", f"mem role check {name} shows all that is wrong")
    remember.state(vault, "role", name)
    terminal.json({"schema": 1, "role": name}) if as_json else terminal.out(f"{one_line(name)} is the role now")


def there(vault: Vault, name: str) -> None:
    """UsageError when no role is called so."""
    known = state.roles(vault)
    if name not in known:
        near = nearest(name, known) or (f"one of {', '.join(known)}" if known else "mem init lays some")
        raise UsageError(f"there is no role '{name}' in roles/", near)


def _as_json(each: Role) -> dict[str, Any]:
    return {**asdict(each), "problem": each.problem or None}
