"""List every command with its group, its module and a line of description.

Help, completion and the docs are made from this table. A module is imported only when its command is called. The
options and examples of a command stand beside its function (see `memcli.cli.command`); a test checks that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import NoReturn

from memcli import contributions, registry
from memcli.cli.command import DEFINED, CommandDefinition
from memcli.cli.parse import HELP, find_close
from memcli.cli.terminal import Terminal
from memcli.core_commands import CORE
from memcli.errors import MissingPart, UsageError
from memcli.message import Message


def _with_features() -> dict[str, dict[str, tuple[str, str]]]:
    """Return the table with the commands of features added, each in its group and beside the command that it names."""
    groups = {group: dict(commands) for group, commands in CORE.items()}
    waiting = registry.commands()
    while waiting:
        names = {command[0] for _, command in waiting}
        ready = [each for each in waiting if names.isdisjoint(each[1][4:6])] or waiting  # place neighbours first
        for _, (name, group, line, module, after, before, _) in ready:
            groups[group] = contributions.placed(groups.get(group, {}), name, (module, line), after, before)
        waiting = [each for each in waiting if each not in ready]
    return {group: commands for group, commands in groups.items() if commands}


GROUPS = _with_features()
COMMANDS = {name: entry for commands in GROUPS.values() for name, entry in commands.items()}

# The options of `mem` itself, declared like those of a command.
ITSELF = CommandDefinition("mem", Terminal.set_options, (), json="", text=False, filters=(), agents=False)

# Names that other programs or older versions use for a command. They work, but no list shows them.
ALIASES: dict[tuple[str, ...], tuple[str, ...]] = {
    ("llm", "test"): ("model", "test", "llm"),
    ("llm",): ("model",),
    ("search",): ("recall",),
    ("find",): ("recall",),
    ("remember",): ("add",),
    ("delete",): ("forget",),
    ("rm",): ("forget",),
    ("ls",): ("list",),
    ("today",): ("show", "today"),
    **{
        (group, verb): (group, "unset")
        for group in ("profile", "prefer", "label")
        for verb in ("forget", "remove", "delete", "rm")
    },
    ("version",): ("--version",),
    ("completion",): ("--show-completion",),
}
# Words that are not commands, with a hint to the command that does what they mean.
_TASKS = 'mem add --type task "…" notes a task; mem done shows those that are open, and ticks one off'
_MEANT = {
    "tags": "mem list --tag NAME shows what has a tag; a Tab after --tag completes their names",
    **dict.fromkeys(("task", "tasks", "todo", "todos"), _TASKS),
    "redo": "what an undo took away is in git: git revert HEAD takes back the last commit, mem log shows them",
}
MEANT = {word: hint for word, hint in _MEANT.items() if word not in COMMANDS}


def spelled_out(args: list[str]) -> list[str]:
    """Return the words of a command with old or foreign names replaced by today's."""
    for old, new in ALIASES.items():
        if tuple(args[: len(old)]) == old:
            return [*new, *args[len(old) :]]
    return args


def import_command(name: str) -> CommandDefinition | None:
    """Import the module of a command and return its definition, or None when `name` is a group of commands."""
    module, _ = COMMANDS[name]
    import_module(module if "." in module else f"memcli.cli.{module}")  # a feature gives the full name of its module
    return DEFINED.get(name)


def members(name: str) -> dict[str, CommandDefinition]:
    """Return the commands of a group, whose module is imported."""
    return {full.split()[-1]: spec for full, spec in DEFINED.items() if full.startswith(f"{name} ")}


def find_command(words: list[str]) -> tuple[str, CommandDefinition | None, list[str]]:
    """Return the full name of the command that words mean, its definition, and the words left for it. The definition is
    None for the help of a group. A group without a command means its `list`, and with a sentence its `keep`."""
    name, *rest = words
    if name not in COMMANDS:
        _refuse_command(name)
    if spec := import_command(name):
        return name, spec, rest
    known = members(name)
    if rest[:1] and rest[0] in HELP:
        return name, None, rest
    if not rest or rest[0].startswith("-"):
        rest = ["list", *rest]
    elif "keep" in known and rest[0] not in known and (" " in (text := " ".join(rest).strip()) or not text.isascii()):
        rest = ["keep", *rest]
    if rest[0] not in known:
        raise _no_such_command(rest[0], known, f"mem {name}")
    return f"{name} {rest[0]}", known[rest[0]], rest[1:]


def _refuse_command(name: str) -> NoReturn:
    """Raise the error about a word that is no command."""
    if feature := registry.owner_of(name):
        why = registry.failures().get(feature)
        how = Message("can't be loaded: {why}", why=why) if why else "is switched off"
        raise MissingPart(
            "{command} belongs to the feature {name}, which {HOW}",
            f"mem features {'off' if why else 'on'} {feature}",
            command=name,
            name=feature,
            HOW=how,
        )
    if hint := MEANT.get(name):
        raise UsageError("there is no command '{name}'", hint, name=name)
    aliases = {old[0]: new[0] for old, new in ALIASES.items() if len(old) == 1 and new[0] in COMMANDS}
    raise _no_such_command(name, COMMANDS, "mem", aliases)


def _no_such_command(word: str, known: Iterable[str], above: str, aliases: Mapping[str, str] = {}) -> UsageError:
    near = find_close(word, {**{each: each for each in known}, **aliases})
    message = "no such command '{command}'. Did you mean '{name}'?" if near else "no such command '{command}'"
    return UsageError(message, Message("{command} --help lists the commands", command=above), command=word, name=near)
