"""List every command with its group, its module and a line of description.

Help, completion and the docs are made from this table. A module is imported only when its command is called. The
options and examples of a command stand beside its function (see `memcli.cli.command`); a test checks that.
"""

from __future__ import annotations

from importlib import import_module

from memcli import contributions, registry
from memcli.cli.command import DEFINED, CommandDefinition
from memcli.cli.terminal import Terminal
from memcli.core_commands import CORE


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
_TASKS = "mem list --type task shows the tasks"
_MEANT = {
    "tags": "mem list --tag NAME shows what has a tag; a Tab after --tag completes their names",
    **dict.fromkeys(("task", "tasks", "todo", "todos"), _TASKS),
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
