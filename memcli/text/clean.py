"""Make foreign text harmless and short: remove control characters and terminal escapes, break up tags."""

from __future__ import annotations

import re
from typing import Any

from memcli.text.later import compile_later
from memcli.text.sentences import beginning

# Remove escape sequences first (colours, titles, links), then the remaining control characters, then characters that
# reorder or hide text: overrides and isolates of direction, zero-width characters outside of emoji and scripts, tags,
# and the two characters that XML forbids.
_ESCAPES = compile_later(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]"
)
_CONTROLS = compile_later(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2060-\u206f\u200b\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_SURROGATES = compile_later("[\ud800-\udfff]")  # a shell passes on bytes that are not UTF-8 as these
# Invisible characters between plain ones. No script needs them there, and they could hide inside marks.
_PARTING = compile_later(
    r"(?<=[!-~])[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
    r"(?=[!-~｜])"
)
# Everything that may be read as a tag, of any name. Comparisons, arrows and addresses stay.
_TAG = compile_later(r"[<＜﹤](?=[^\s\d=<>-])(?!https?://|mailto:|[\w.+-]+@[\w-]+\.\w)")
_TEMPLATE_MARK = compile_later(
    r"\[(?=/?(?:INST|SYS|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])|<<(?=/?SYS>>)"
)


def harmless(text: str) -> str:
    """Return text that can't move the cursor, nor hide or reorder its surroundings. Line feeds and tabs stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROLS.sub("", _ESCAPES.sub("", text)).replace("\u2028", "\n").replace("\u2029", "\n")
    return _SURROGATES.sub("\ufffd", text)


def json_text(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON. Characters that can be shown stay; those that `harmless` would remove are escaped."""
    import json  # only JSON output needs it

    unseen = _CONTROLS.pattern.replace("]", "\u2028\u2029\ud800-\udfff]")  # everything that has to be escaped
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    return re.sub(unseen, lambda match: json.dumps(match[0])[1:-1], text)


def tame(text: str) -> str:
    """Return text that can't imitate a frame or another speaker: tags and marks of chat templates are broken up."""
    return _TAG.sub(lambda match: match[0] + " ", without_marks(text))


def without_marks(text: str) -> str:
    """Return text with the marks of chat templates broken up. Its tags stay; the caller escapes them."""
    text = text if text.isascii() else _PARTING.sub("", text)
    return _TEMPLATE_MARK.sub(lambda match: match[0] + " ", text)


def one_line(text: str, width: int = 0) -> str:
    """Return the text as a single line.

    With `width` it is cut to that many characters with `…`, but not inside a word or number.
    """
    line = " ".join(harmless(text).split())
    line = line if not width or len(line) <= width else beginning(line, max(0, width - 1)).rstrip() + "…"
    return text if line == text else line  # keeps a Message, which can be translated


def without_accents(text: str) -> str:
    """Return the text with plain letters: Ruairi for Ruairí."""
    import unicodedata  # few texts are searched for plain letters

    return "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))
