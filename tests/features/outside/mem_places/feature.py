"""What `mem-places` brings to mem: places that somebody likes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from memcli.extend import Command, Feature, McpTool, PromptLayer, Secret, setting

if TYPE_CHECKING:
    from memcli.extend import Format, Lines, RecallPath, Vault


def places(vault: Vault) -> Lines:
    """Return every memory that is tagged #place, with where it stands."""
    return [(entry.place, entry.words) for entry in vault.entries() if "place" in entry.tags]


def found(vault: Vault, words: str, plans: bool) -> Lines:
    return places(vault) if "where" in words.lower() else []


def answered(vault: Vault, arguments: Mapping[str, Any]) -> str:
    wanted = arguments["town"].lower()
    return "\n".join(f"{text} ({at})" for at, text in places(vault) if wanted in text.lower()) or "No place is known."


def paths() -> Iterable[RecallPath]:
    from mem_places.recall import PATH  # imported when something is recalled

    return [PATH]


def places_file() -> Format:
    from mem_places.file import FORMAT  # imported when something is brought

    return FORMAT


FEATURE = Feature(
    "places",
    "Knows the places you like.",
    commands=(Command("places", "your data", "List the places you like.", "mem_places.commands", after="label"),),
    settings={"prompt.places": setting(80, "tokens of places in a prompt")},
    prompt_layers=(PromptLayer("places", "# Places the user likes", found),),
    mcp_tools=(
        McpTool("places", "List places the user likes in a town.", {"town": {"type": "string"}}, "town", answered),
    ),
    recall_paths=paths,
    formats={"places": places_file},
    secrets=(Secret("places", r"\bplc-[a-z0-9]{12}\b"),),
)
