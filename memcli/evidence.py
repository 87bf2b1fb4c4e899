"""Define what a source is asked for and what it returns: plain data that sources, searches and prompts share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date as day
from typing import Any

from memcli.text.clean import harmless, one_line
from memcli.text.digest import digest

LONGEST = 20_000  # characters of one piece of evidence; the rest is cut off
_LINE = 400  # characters of a title, place or trail
_MOST_META = 20
# The types of documents that describe roles or a fictional world.
SCENES = frozenset({"setting", "world", "role", "character", "设定", "世界观", "角色", "人物"})


@dataclass(frozen=True)
class Want:
    """Say which documents are wanted; an empty field admits everything."""

    tags: tuple[str, ...] = ()  # all of them
    types: tuple[str, ...] = ()
    project: str = ""
    since: day | None = None
    until: day | None = None
    status: str = "active"  # empty: archived ones, too


@dataclass(frozen=True)
class PlanStep:
    """Ask one source one question."""

    source: str  # its name
    query: str
    want: Want = Want()
    limit: float = 10.0  # seconds; a slower source is left out
    most: int = 20
    why: str = ""
    weight: float = 1.0  # the weight of its ranks


@dataclass(frozen=True)
class Evidence:
    """Hold a passage that may have the answer, and its place."""

    source: str  # the name of the source that gave it
    id: str  # a passage has the same id, whichever source finds it
    title: str
    place: str  # what a person opens: `path:line`, or an address
    text: str
    date: str = ""  # ISO, or empty
    trail: str = ""  # headings above it: `h1 > h2`
    score: float = 0.0  # its source's own score: only the order counts
    doc: str = ""  # passages of one document are joined; "": it has none
    number: int = 0  # of the passage in its document
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class FoundEvidence:
    """Hold evidence for a prompt, one line each with its source, and the passages that it comes from."""

    text: str = ""
    items: tuple[Evidence, ...] = ()


def clean_evidence(source: str, result: Mapping[str, Any]) -> Evidence | None:
    """Return what a foreign source returned as Evidence, cleaned and cut to size, or None when it holds no text."""
    text = harmless(str(result.get("text") or ""))[:LONGEST].strip()
    if not text:
        return None
    line = {name: one_line(str(result.get(name) or ""), _LINE) for name in ("id", "title", "place", "trail", "doc")}
    mark = digest(f"{line['place']}\n{text}", 20)
    score, number, meta = result.get("score"), result.get("number"), result.get("meta")
    return Evidence(
        source, line["id"] or mark, line["title"], line["place"], text, iso_day(result.get("date")), line["trail"],
        float(score) if isinstance(score, (int, float)) and math.isfinite(score) else 0.0,
        line["doc"], number if isinstance(number, int) else 0, _scalars(meta) if isinstance(meta, Mapping) else {},
    )  # fmt: skip


def iso_day(value: Any) -> str:
    """Return the day at the start of an ISO date or time, or "" when there is none."""
    try:
        return day.fromisoformat(str(value or "")[:10]).isoformat()
    except ValueError:
        return ""


def _scalars(meta: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the plain values of a mapping, with lists joined."""
    found: dict[str, Any] = {}
    for name, value in list(meta.items())[:_MOST_META]:
        if isinstance(value, (list, tuple)):
            value = ", ".join(map(str, value))
        if isinstance(value, (str, int, float, bool)):
            found[one_line(str(name), 60)] = one_line(value, _LINE) if isinstance(value, str) else value
    return found
