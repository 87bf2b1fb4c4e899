"""Recognise text of note programs that is not a memory: placeholders of templates, and Logseq's bookkeeping."""

from __future__ import annotations

import re

from memcli.text.later import compile_later

LONGEST = 4000  # characters of a template; a longer text is a memory and is not searched
# The placeholders of Obsidian's templates and of Logseq's templates and queries. Templater's stand between `<%` and
# `%>`.
_PLACEHOLDER = compile_later(r"\{\{ *(?:date|time|title|query|renderer|yesterday|tomorrow|today)\b[^{}\n]*\}\}", re.I)
_BOOKKEEPING = compile_later(r"^[ \t]*(?:[-*+][ \t]+)?(?:id|collapsed|heading|logseq\.[\w.-]+):: [^\n]*(?:\n|\Z)", re.M)
_CODE = compile_later(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)


def is_template(text: str) -> bool:
    """Return whether a text is a template to be filled in. A placeholder quoted in code does not make it one."""
    if len(text) > LONGEST or ("<%" not in text and "{{" not in text):
        return False
    bare = _CODE.sub("", text)
    opened = bare.find("<%")
    return (opened >= 0 and bare.find("%>", opened) >= 0) or _PLACEHOLDER.search(bare) is not None


def without_bookkeeping(text: str) -> str:
    """Return the text without the lines in which Logseq keeps the id and the state of a block."""
    return _BOOKKEEPING.sub("", text) if ":: " in text else text
