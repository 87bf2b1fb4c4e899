"""Define a row of the table: a path, the command behind it, and what it takes and answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from memcli import bounds

JsonSchema = dict[str, Any]

# How a value becomes part of the command. Any other value names the option that it becomes.
WORD, STDIN, JSON_LINE = "word", "stdin", "JSON on stdin"
# The lane of a command: side by side with others, one after the other in its vault, or as long as it takes.
READ, WRITE, SLOW = "read", "write", "slow"
PATH, QUERY, BODY, HEADER = "path", "query", "body", "header"
OPEN = ("/health", "/ready", "/openapi.json")  # what the server itself answers, to anybody


# -- values ----------------------------------------------------------------------------------------------------------


def text(what: str, most: int = bounds.VALUE, least: int = 0, **more: Any) -> JsonSchema:
    return {"type": "string", "description": what, "maxLength": most, **({"minLength": least} if least else {}), **more}


def integer(what: str, low: int, high: int) -> JsonSchema:
    return {"type": "integer", "description": what, "minimum": low, "maximum": high}


def number(what: str, low: float, high: float) -> JsonSchema:
    return {"type": "number", "description": what, "minimum": low, "maximum": high}


def flag(what: str) -> JsonSchema:
    return {"type": "boolean", "description": what}


def one_of(what: str, *names: str) -> JsonSchema:
    return {"type": "string", "description": what, "enum": list(names)}


def many(of: JsonSchema, least: int = 0) -> JsonSchema:
    what = {"description": of["description"]} if "description" in of else {}
    return {"type": "array", "items": of, "maxItems": bounds.ITEMS, **what, **({"minItems": least} if least else {})}


# -- rows ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Input:
    """Describe one input of a path."""

    name: str
    schema: JsonSchema
    becomes: str = ""  # WORD, STDIN, JSON_LINE or an option; "" means the option with the input's own name
    needed: bool = False
    tri: bool = False  # a switch that can also be turned off: `--no-…`
    header: bool = False

    @property
    def option(self) -> str:
        return self.becomes or f"--{self.name.replace('_', '-')}"


@dataclass(frozen=True)
class Row:
    """Describe one method of one path."""

    method: str
    path: str
    command: str  # "" for the paths in OPEN, which have none
    summary: str
    takes: tuple[Input, ...] = ()
    words: tuple[str, ...] = ("--json",)  # words that the command always gets
    lane: str = READ
    answer: JsonSchema = field(default_factory=lambda: {"type": "object"})
    status: int = 200
    failed: int = 404  # status for exit code 1: nothing was found, or a check failed
    formats: tuple[tuple[str, str], ...] = ()  # each value of `format` with the media type of its answer
    streams: bool = False  # whether the answer can be streamed
    for_agents: bool = False  # whether the command keeps to the space of an agent

    def __post_init__(self) -> None:
        if not self.command and self.path not in OPEN:
            raise ValueError(f"{self.path} has no command: a path is a command over HTTP, so make the command first")

    @property
    def writes(self) -> bool:
        return self.lane == WRITE or (self.lane == SLOW and self.method != "GET" and self.status in (201, 202))

    @property
    def needs_token(self) -> bool:
        return bool(self.command)

    def where(self, one: Input) -> str:
        if one.header:
            return HEADER
        if f"{{{one.name}}}" in self.path:
            return PATH
        return BODY if self.method in ("POST", "PUT", "PATCH") else QUERY

    @property
    def body(self) -> JsonSchema | None:
        """Return the schema of the body, or None if the row takes none."""
        taken = [one for one in self.takes if self.where(one) == BODY]
        if not taken:
            return None
        needed = [one.name for one in taken if one.needed]
        return {
            "type": "object",
            "properties": {one.name: one.schema for one in taken},
            "additionalProperties": False,
            **({"required": needed} if needed else {}),
        }
