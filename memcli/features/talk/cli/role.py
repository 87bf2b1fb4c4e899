"""Define `mem role list|show|check|use`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from memcli import remember
from memcli.cli import options
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import CYAN, DIM, GREEN
from memcli.cli.terminal import Terminal
from memcli.errors import CheckFailed, UsageError
from memcli.features.talk.prompt import roles
from memcli.features.talk.prompt.roles import Role
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault import state
from memcli.vault.settings import nearest
from memcli.vault.vault import Vault

Name = Annotated[str, "NAME", "A file in roles/, without .yaml.", options.roles]
Maybe = Annotated[str, "[NAME]", "A file in roles/; else the one in use, or all.", options.roles]


@command("role list", "mem role", "mem role list --json | jq -r '.roles[].name'")
def list_(terminal: Terminal) -> Result:
    """Show all roles; ✓ marks the one in use."""
    used, listed = state.read_state(terminal.vault()).role, roles.listed(terminal.vault())
    rows = [
        [
            "✓" if role.name == used else "·",
            one_line(role.name),
            role.version,
            one_line(terminal.translate(role.problem) or role.identity),
        ]
        for role in listed
    ]
    return Result(
        {"roles": [{**_as_json(role), "used": role.name == used} for role in listed]},
        Table(rows, (GREEN, CYAN, DIM, ""), clip=True),
        "" if rows else "no roles in roles/, so the built-in one is used; docs/chat.md shows one",
    )


@command("role show", "mem role show", "mem role show engineer")
def show(terminal: Terminal, name: Maybe = "", /) -> Result:
    """Show a role as a model reads it: the one in use, or another. A broken one is replaced, and it says by what."""
    if name:
        check_name(terminal.vault(), name)
    role = roles.read_role(terminal.vault(), name)
    return Result({**_as_json(role), "text": role.text}, role.text)


@command("role check", "mem role check", "mem role check engineer")
def check(terminal: Terminal, name: Maybe = "", /) -> Result:
    """Check one role or all: version, identity, tone, boundaries, at most 150 tokens, no placeholders. Or exit 1."""
    vault = terminal.vault()
    if name:
        check_name(vault, name)
    names = [name] if name else list(dict.fromkeys(state.roles(vault)))
    problems = {role: roles.check(vault, role) for role in names}
    rows = [
        [one_line(role), one_line(terminal.translate(problem))]
        for role, wrong in problems.items()
        for problem in wrong or ["holds"]
    ]
    broken = ", ".join(role for role, wrong in problems.items() if wrong)
    return Result(
        {"roles": [{"name": role, "problems": wrong} for role, wrong in problems.items()]},
        Table(rows, (CYAN, "")),
        failure=CheckFailed("{name} can't be used; the built-in role is used instead", "mem edit roles/…", name=broken)
        if broken
        else None,
    )


@command("role use", "mem role use engineer", "mem role use default")
def use(terminal: Terminal, name: Name, /) -> Result:
    """Use a role from now on: it becomes the role of the state."""
    vault = terminal.vault()
    check_name(vault, name)
    if wrong := roles.check(vault, name):
        raise CheckFailed(
            "{name} can't be used: {WHY}",
            Message("mem role check {name} shows all that is wrong", name=name),
            name=name,
            WHY=wrong[0],
        )
    remember.state(vault, "role", name)
    return Result({"role": name}, terminal.translate("{name} is the role now", name=one_line(name)))


def check_name(vault: Vault, name: str) -> None:
    """Raise UsageError if no role has this name."""
    known = state.roles(vault)
    if name not in known:
        near = nearest(name, known) or (
            Message("one of {names}", names=", ".join(known)) if known else "docs/chat.md shows one"
        )
        raise UsageError("there is no role '{value}' in roles/", near, value=name)


def _as_json(role: Role) -> dict[str, Any]:
    return {**asdict(role), "problem": role.problem or None}
