"""What programs for notes write among memories and is none: placeholders of templates, and Logseq's bookkeeping."""

from __future__ import annotations

import re

# Obsidian's templates and Templater's, Logseq's templates and queries.
_PLACEHOLDER = re.compile(
    r"<%(?:(?!%>).){0,2000}%>|\{\{ *(?:date|time|title|query|renderer|yesterday|tomorrow|today)\b[^{}\n]*\}\}|<% ",
    re.I | re.S,
)
_BOOKKEEPING = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?(?:id|collapsed|heading|logseq\.[\w.-]+):: [^\n]*(?:\n|\Z)", re.M)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)


def is_template(text: str) -> bool:
    """Whether a text waits to be filled in; what stands in code is quoted, and a memory."""
    if "<%" not in text and "{{" not in text:
        return False
    return _PLACEHOLDER.search(_CODE.sub("", text)) is not None


def without_bookkeeping(text: str) -> str:
    """The text without the lines in which Logseq keeps the id and the state of a block."""
    return _BOOKKEEPING.sub("", text) if ":: " in text else text
