"""List every command: its group, the module that defines it, and the line that says what it does.

Help, completion and the docs are made from this table. A module is imported only when its command is called. The
options and examples of a command stand beside its function (see `memcli.cli.command`); a test checks that.
"""

from __future__ import annotations

from importlib import import_module

from memcli import contributions, registry
from memcli.cli.command import DEFINED, Command

# Maps group → command → (module, what it does: also the first line of its help). Features add their commands.
CORE: dict[str, dict[str, tuple[str, str]]] = {
    "every day": {
        "init": ("init", "Make a vault: a folder for your memories, kept in git."),
        "add": ("write", "Remember something."),
        "recall": ("recall", "Find the memories that matter for a question."),
        "edit": ("edit", "Change a memory or a file in your editor."),
        "forget": ("finish", "Move memories to the archive."),
        "undo": ("history", "Take back the last change."),
        "sync": ("history", "Pull, merge and push the vault with git."),
    },
    "your data": {
        "show": ("show", "Show a memory, a file or a day."),
        "list": ("show", "List memories, newest first."),
        "done": ("finish", "Tick a task off."),
        "open": ("edit", "Open the file of a memory in your editor, at its line."),
        "profile": ("about", "Show and change what is known about you."),
        "prefer": ("prefer", "Keep what you like, and see which preference counts."),
        "label": ("about", "Keep short names for places and people."),
        "state": ("about", "Choose how an assistant should talk with you now."),
    },
    "talks and prompts": {
        "cite": ("recall", "Note which memories an answer used."),
    },
    "in and out": {},
    "upkeep": {
        "status": ("health", "Show the vault on one screen."),
        "doctor": ("health", "Check what works, and how to mend what does not."),
        "log": ("history", "Show how the memory changed, latest first."),
        "diff": ("history", "Show what changed since the last commit or a day."),
        "audit": ("upkeep", "Show who wrote, changed or archived what, and when."),
        "supersede": ("write", "Say that one memory took the place of another."),
        "review": ("upkeep", "Decide about memories that disagree, repeat or are unsure."),
        "tidy": ("upkeep", "Archive what is out of date."),
        "work": ("upkeep", "Do the work that waits in the queue."),
        "index": ("index", "Update the search index."),
        "watch": ("watch", "Keep the vault in memory: recall answers at once."),
    },
    "agents": {},
    "settings": {
        "config": ("config", "Show and change settings."),
        "model": ("model", "Choose the model for search by meaning, and test models."),
        "trust": ("config", "Let this vault run git, and the commands its settings name."),
        "features": ("features", "Show what mem is made of, and switch parts of it off."),
        "help": ("help", "Explain a command, or list them all."),
    },
}


def _with_features() -> dict[str, dict[str, tuple[str, str]]]:
    """Return the table with the commands of features added, each in its group and beside the command that it names."""
    groups = {group: dict(commands) for group, commands in CORE.items()}
    waiting = registry.commands()
    while waiting:
        names = {command[0] for _, command in waiting}
        ready = [each for each in waiting if names.isdisjoint(each[1][4:6])] or waiting  # those beside them come later
        for feature, (name, group, line, module, after, before, _) in ready:
            if any(name in commands for commands in groups.values()):
                registry.fail(feature, ValueError(f"the command {name} is there already"))
                continue
            groups[group] = contributions.placed(groups.get(group, {}), name, (module, line), after, before)
        waiting = [each for each in waiting if each not in ready]
    return {group: commands for group, commands in groups.items() if commands}


GROUPS = _with_features()
COMMANDS = {name: entry for commands in GROUPS.values() for name, entry in commands.items()}

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
    **{
        (group, verb): (group, "unset")
        for group in ("profile", "prefer", "label")
        for verb in ("forget", "remove", "delete", "rm")
    },
    ("version",): ("--version",),
    ("completion",): ("--show-completion",),
}
# Words that are not commands, with a hint to the command that does what they mean.
MEANT = {"tags": "mem list --tag NAME shows what has a tag; a Tab after --tag completes their names"}


def spelled_out(args: list[str]) -> list[str]:
    """Return the words of a command with old or foreign names replaced by today's."""
    for old, new in ALIASES.items():
        if tuple(args[: len(old)]) == old:
            return [*new, *args[len(old) :]]
    return args


def import_command(name: str) -> Command | None:
    """Import the module of a command and return its definition, or None when `name` is a group of commands."""
    module, _ = COMMANDS[name]
    import_module(module if "." in module else f"memcli.cli.{module}")  # a feature gives the full name of its module
    return DEFINED.get(name)
