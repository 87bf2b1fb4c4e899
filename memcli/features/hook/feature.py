"""Register the feature `hook`."""

from __future__ import annotations

from memcli.extend import Command, Feature, late, setting

FEATURE = Feature(
    "hook",
    "Gives memories to an agent beside its prompts.",
    commands=(
        Command(
            "hook", "agents", "Answer the hook of an agent: memories beside its prompts.", "memcli.features.hook.cli",
            before="agent", early="memcli.features.hook.process",
        ),
    ),
    settings={
        "hooks.on": setting(True, "answer hooks; a file named .nomem switches them off in its folder and below"),
        "hooks.prompt_tokens": setting(1000, "tokens of the memories beside a prompt, at most"),
        "hooks.start_tokens": setting(300, "tokens of what a session begins with, at most"),
        "hooks.limit": setting(
            1000, "milliseconds that a hook may take; after that it prints nothing, and mem doctor reports it"
        ),
    },
    checks=late("memcli.features.hook.trouble:checks"),
)  # fmt: skip
