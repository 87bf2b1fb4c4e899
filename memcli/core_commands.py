"""List the commands that belong to no feature. A feature can't add a command with one of these names."""

from __future__ import annotations

# Maps group → command → (module, what it does: also the first line of its help).
CORE: dict[str, dict[str, tuple[str, str]]] = {
    "every day": {
        "init": ("init", "Make a vault: a folder for your memories, kept in git."),
        "add": ("write", "Remember something."),
        "recall": ("recall", "Find the memories that matter for a question."),
        "edit": ("edit", "Change a memory or a file in your editor."),
        "forget": ("finish", "Move memories to the archive."),
        "undo": ("history", "Undo the last change."),
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
        "doctor": ("health", "Check what works, and how to fix what does not."),
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
NAMES = frozenset(name for commands in CORE.values() for name in commands)
