"""Write memories as plain sentences, to be pasted where a tool takes no file, as in ChatGPT's settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memcli.format import Format, Statement
from memcli.text.clean import one_line

LOSES = ("time", "tags", "confidence", "importance", "author", "id", "successor", "heading")
_NAMES = {
    "profile": "About me", "preference": "What I like", "rule": "Standing orders", "decision": "What was decided",
    "fact": "Facts", "insight": "Insights", "project": "Projects", "task": "To do", "event": "What happened",
}  # fmt: skip


def write_items(statements: Iterable[Statement]) -> Iterator[str]:
    """Yield each memory as a line, except superseded ones, which would mislead."""
    for each in statements:
        if not each.superseded:
            yield f"{_format_statement(each)}\n"


def write_grouped(statements: Iterable[Statement]) -> Iterator[str]:
    """Yield the memories as Markdown by kind, which also fits into a CLAUDE.md. Superseded ones are left out."""
    kinds: dict[str, list[str]] = {name: [] for name in (*_NAMES.values(), "More")}
    for each in statements:
        if not each.superseded:
            kinds[_NAMES.get(each.type, "More")].append(f"- {_format_statement(each)}\n")
    for name, lines in kinds.items():
        if lines:
            yield f"## {name}\n\n{''.join(lines)}\n"


def _format_statement(statement: Statement) -> str:
    return f"{statement.at.date()}: {one_line(statement.text)}" if statement.at else one_line(statement.text)


FORMAT = Format("a text to paste", write=write_items, loses=("type", *LOSES))
