"""What a row of the table is made of: a path, the command behind it, and what it takes and answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from memcli import bounds

JsonSchema = dict[str, Any]

# How a value becomes a part of the command; all else is an option of that name.
WORD, STDIN, JSON_LINE = "word", "stdin", "JSON on stdin"
# Where a command does its work: side by side with others, one after the other in its vault, or as long as it takes.
READ, WRITE, SLOW = "read", "write", "slow"
PATH, QUERY, BODY, HEADER = "path", "query", "body", "header"


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


def many(of: JsonSchema, most: int = bounds.ITEMS, least: int = 0) -> JsonSchema:
    what = {"description": of["description"]} if "description" in of else {}
    return {"type": "array", "items": of, "maxItems": most, **what, **({"minItems": least} if least else {})}


# -- rows ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Input:
    """One thing a path takes."""

    name: str
    schema: JsonSchema
    becomes: str = ""  # WORD, STDIN, JSON_LINE, or the name of an option, where it is not its own
    needed: bool = False
    tri: bool = False  # a switch that can also be turned off: `--no-…`
    header: bool = False

    @property
    def option(self) -> str:
        return self.becomes or f"--{self.name.replace('_', '-')}"


@dataclass(frozen=True)
class Row:
    """One method of one path."""

    method: str
    path: str
    command: str  # empty: answered by the server itself
    summary: str
    takes: tuple[Input, ...] = ()
    words: tuple[str, ...] = ("--json",)  # that always belong to it
    lane: str = READ
    answer: JsonSchema = field(default_factory=lambda: {"type": "object"})
    status: int = 200
    failed: int = 404  # for exit code 1: nothing is there, or a check did not hold
    formats: tuple[tuple[str, str], ...] = ()  # of the input `format` → the kind of text it answers
    streams: bool = False  # whether it can be heard while it comes
    for_agents: bool = False  # whether the command keeps to the space of an agent

    @property
    def writes(self) -> bool:
        return self.lane == WRITE or (self.lane == SLOW and self.method != "GET" and self.status in (201, 202))

    @property
    def needs_token(self) -> bool:
        return bool(self.command)

    def where(self, one: Input) -> str:
        if one.header:
            return HEADER
        if one.name in self.in_path:
            return PATH
        return BODY if self.method in ("POST", "PUT", "PATCH") else QUERY

    @property
    def in_path(self) -> list[str]:
        return re.findall(r"\{(\w+)\}", self.path)

    @property
    def body(self) -> JsonSchema | None:
        """The schema of its body; None when it takes none."""
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
