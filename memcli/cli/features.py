"""Define `mem features list|on|off`: show what mem is made of, and switch parts of it off."""

from __future__ import annotations

from typing import Annotated, Any

from memcli import registry
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import CYAN, DIM, GREEN
from memcli.cli.terminal import Terminal
from memcli.errors import CheckFailed
from memcli.registry import BUILT_IN, FeatureRecord
from memcli.text.clean import one_line


def _names(ctx: Any, incomplete: str) -> list[str]:
    return [each.name for each in registry.known() if each.name.startswith(incomplete)]


Name = Annotated[str, "NAME", "A feature, as mem features lists it.", _names]
# Names for the kinds of things that a feature adds, as a person reads them.
KINDS = {
    "commands": "commands",
    "settings": "settings",
    "rest_rows": "paths of mem serve",
    "prompt_layers": "layers of a prompt",
    "sources": "sources of mem ask",
    "vault_files": "files of the vault",
    "questions": "questions of mem review",
    "initiative": "what an assistant says unasked",
    "outcomes": "outcomes of a session",
    "transcript": "readers of transcripts",
    "learner": "finders of what is worth keeping",
    "mcp_tools": "tools for agents",
    "secrets": "formats of secrets",
    "recall_paths": "paths of recall",
    "formats": "formats of mem import and mem export",
    "page_views": "views of mem ui",
    "health_parts": "parts of views of mem ui",
    "jobs": "jobs of the queue",
    "checks": "checks of mem doctor",
    "states": "lines of mem status",
    "evidence": "evidence for prompts",
    "verbs": "methods of memcli.Vault",
    "news": "what a conversation begins with",
    "refresh": "updates of files outside the vault",
}


@command("features list", "mem features", "mem features --json | jq '.features[] | select(.failure)'")
def list_(terminal: Terminal) -> Result:
    """Show every feature, where it comes from, what it brings, and what it costs to load.

    Packages are looked for anew. One that is broken is left out, and says why.
    """
    features = registry.look_up()
    off = registry.switched_off()
    rows = [
        [
            each.name,
            terminal.translate(_state(each, off)),
            terminal.translate(each.origin) if each.origin == BUILT_IN else each.origin,
            f"{each.milliseconds:.1f} ms",
            one_line(each.failure or f"{terminal.translate(each.about)}{_brought(terminal, each)}"),
        ]
        for each in features
    ]
    data = {"features": [_as_json(each, off) for each in features]}
    return Result(data, Table(rows, (CYAN, GREEN, DIM, DIM, "")))


@command("features off", "mem features off NAME")
def off(terminal: Terminal, name: Name, /) -> Result:
    """Switch a feature off, for all your vaults: its commands and all else it brings are gone until it is on again."""
    registry.switch(name, False)
    return Result({"name": name, "on": False}, terminal.translate("{name} is switched off", name=name))


@command("features on", "mem features on NAME")
def on(terminal: Terminal, name: Name, /) -> Result:
    """Switch a feature on again. One that is broken is tried anew."""
    registry.switch(name, True)
    registry.look_up()
    why = registry.failures().get(name)
    failure = CheckFailed("{name} is on and can't be loaded: {why}", name=name, why=why) if why else None
    return Result(
        {"name": name, "on": True},
        "" if why else terminal.translate("{name} is switched on", name=name),
        failure=failure,
    )


def _state(feature: FeatureRecord, off: frozenset[str]) -> str:
    return "off" if feature.name in off else "broken" if feature.failure else "on"


def _brought(terminal: Terminal, feature: FeatureRecord) -> str:
    parts = []
    for kind, names in feature.brings.items():
        named = terminal.speech.colon + ", ".join(filter(None, names)) if any(names) else ""
        parts.append(f"{terminal.speech.translate_part(KINDS[kind])}{named}")
    return terminal.speech.bracketed(terminal.speech.semicolon.join(parts))


def _as_json(feature: FeatureRecord, off: frozenset[str]) -> dict[str, Any]:
    return {
        "name": feature.name, "about": feature.about, "origin": feature.origin, "on": feature.name not in off,
        "failure": feature.failure or None, "brings": feature.brings, "module": feature.module,
        "milliseconds": feature.milliseconds,
    }  # fmt: skip
