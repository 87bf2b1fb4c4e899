"""Text that programs for notes write and that is no memory: placeholders of templates, and Logseq's bookkeeping."""

from __future__ import annotations

import re

LONGEST = 4000  # characters of a template; a longer text is a memory, and is not searched through
# Obsidian's templates, Logseq's templates and queries; Templater's stand between `<%` and `%>`.
_PLACEHOLDER = re.compile(r"\{\{ *(?:date|time|title|query|renderer|yesterday|tomorrow|today)\b[^{}\n]*\}\}", re.I)
_BOOKKEEPING = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?(?:id|collapsed|heading|logseq\.[\w.-]+):: [^\n]*(?:\n|\Z)", re.M)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)


def is_template(text: str) -> bool:
    """Whether a text waits to be filled in; what stands in code is quoted, and a memory."""
    if len(text) > LONGEST or ("<%" not in text and "{{" not in text):
        return False
    bare = _CODE.sub("", text)
    opened = bare.find("<%")
    return (opened >= 0 and bare.find("%>", opened) >= 0) or _PLACEHOLDER.search(bare) is not None


def without_bookkeeping(text: str) -> str:
    """The text without the lines in which Logseq keeps the id and the state of a block."""
    return _BOOKKEEPING.sub("", text) if ":: " in text else text
