"""Translate the messages that mem prints: read the tables `language/*/messages.txt`.

The English message stands in the code and is the key. A row has it in `en:` and its translation in `says:`. `{name}`
stands for a value; a name in capitals, `{WHY}`, stands for another message, which is translated too. A row with `part:
yes` is only looked up inside another one. A message without a row stays English.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from memcli.message import Message
from memcli.text.later import compile_later
from memcli.text.tables import spread_rows

_CHINESE = compile_later(r"zh|cn|chinese|mandarin|cantonese|中|汉|漢|华语|華語|国语|國語|普通|粤|粵|简|簡|繁", re.I)


def table_language(language: str) -> str:
    """Return the table language that a word means, such as `zh`, or "" when there is none.

    Such words are `中文`, `zh_CN.UTF-8` and `Chinese`.
    """
    return "zh" if _CHINESE.match(language.strip()) else ""


def translated(text: str, language: str, part: bool = False) -> str:
    """Return a message in `language`, or unchanged when it has no translation."""
    if not (language and text):
        return text
    whole, parts = _table(language)
    if isinstance(text, Message):
        says = whole.get(text.key) or parts.get(text.key) or text.key
        values = {name: _value(name, value, language) for name, value in text.values.items()}
        try:
            return says.format(**values)
        except (LookupError, ValueError):  # a feature's translation with names that the message does not have
            return text.key.format(**values)
    return (parts.get(text) if part else None) or whole.get(text, text)


def _value(name: str, value: Any, language: str) -> Any:
    if isinstance(value, Message) or name.isupper():
        return translated(value if isinstance(value, str) else str(value), language, part=True)
    return value


@cache
def _table(language: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the translation of each key, and the translations that apply only inside another message."""
    whole: dict[str, str] = {}
    parts: dict[str, str] = {}
    for row in spread_rows(language, "messages.txt"):
        (parts if "part" in row else whole).setdefault(row["en"][0], row["says"][0])  # the core's own come first
    return whole, parts
