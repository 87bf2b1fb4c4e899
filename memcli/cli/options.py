"""What the words of many commands have in common: options, examples below the help, groups of commands."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]
Agent = Annotated[str | None, typer.Option("--agent", metavar="NAME", help="With this agent's own memories.")]
Limit = Annotated[int, typer.Option("--limit", "-n", help="At most this many; 0 for all.")]
Since = Annotated[str, typer.Option("--since", metavar="DAY", help="2026-11-01, or in words: 'last week'.")]
Until = Annotated[str, typer.Option("--until", metavar="DAY", help="The last day to show.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show it.")]


def examples(*lines: str) -> str:
    """The epilog of a command: how it is typed."""
    return "\b\nExamples:\n" + "".join(f"  {line}\n" for line in lines)


def group(app: typer.Typer, name: str, says: str, *lines: str) -> typer.Typer:
    """A group of commands within a module's app."""
    made = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help=says)
    app.add_typer(made, name=name, epilog=examples(*lines))
    return made
