"""Translate the messages that mem prints: read the tables `language/*/messages.txt`.

The English message stands in the code and is the key. A row has it in `en:` and its translation in `says:`. `{name}`
stands for any text; a name in capitals, `{WHY}`, stands for another message, which is translated too. A row with `part:
yes` is only looked up inside another one. A row with `whole: yes` applies only when each `{WHY}` has a translation.
`{id}` and `{n}` hold no space; `{place}` is a file or a line of one. A message without a row stays English.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from memcli.text.later import compile_later
from memcli.text.tables import spread_rows

_GAP = compile_later(r"\{(\w+)\}")
_GAPS = {
    "s": r"\w{0,3}",
    "id": r"\S*?",
    "n": r"\S*?",
    "place": r"\S*?[.:/]\S*?",
}  # what these gaps accept; others accept anything
LONGEST = 600  # characters of a message; a longer text is a person's own
_CHINESE = compile_later(r"zh|cn|chinese|mandarin|cantonese|中|汉|漢|华语|華語|国语|國語|普通|粤|粵|简|簡|繁", re.I)


class _Row(NamedTuple):
    english: list[str]  # words and names of gaps by turns
    says: str
    part: bool
    whole: bool

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match of this row with a message, or None.

        Compiling a pattern is slow, so only a row all of whose words stand in the message gets one.
        """
        words = self.english[::2]
        if not (text.startswith(words[0]) and text.endswith(words[-1]) and all(word in text for word in words)):
            return None
        return re.fullmatch(_pattern(self.english), text, re.S)


def speaks(language: str) -> str:
    """Return the language of the tables that a word means, or "" when there is none.

    Such words are `中文`, `zh_CN.UTF-8` and `Chinese`.
    """
    return "zh" if _CHINESE.match(language.strip()) else ""


def message(english: str, language: str, part: bool = False) -> str:
    """Return the message in `language`, or unchanged when it has no translation."""
    if not (language and english):
        return english
    found = _fitting(english, language, part)
    if not found:
        return _by_pieces(english, language)
    row, gaps = found
    values = {name: message(value, language, part=True) if name.isupper() else value for name, value in gaps.items()}
    if row.whole and any(value == gaps[name] for name, value in values.items() if name.isupper()):
        return _by_pieces(english, language)
    return _GAP.sub(lambda gap: values[gap[1]], row.says)


def _by_pieces(english: str, language: str) -> str:
    """Translate a message made of several: parts that `; ` separates, or a place and a message (`mem.yaml: …`)."""
    if len(english) > LONGEST:
        return english
    place, colon, rest = english.partition(": ")
    if colon and " " in rest:  # a single word is a value and is not translated
        where, words = (message(piece, language) if " " in piece else piece for piece in (place, rest))
        if words != rest and (where != place or " " not in place):
            return f"{where}：{words}"
    return "；".join(message(piece, language) for piece in english.split("; ")) if "; " in english else english


def _fitting(english: str, language: str, part: bool) -> tuple[_Row, dict[str, str]] | None:
    for row in _table(language):
        if (part or not row.part) and (match := row.match(english)):
            return row, match.groupdict()
    return None


@cache
def _table(language: str) -> tuple[_Row, ...]:
    """Return the rows of a language; those with the most fixed text come first."""
    found = [
        _Row(_GAP.split(row["en"][0]), row["says"][0], "part" in row, "whole" in row)
        for row in spread_rows(language, "messages.txt")
    ]
    return tuple(sorted(found, key=lambda row: -sum(map(len, row.english[::2]))))


def _pattern(english: list[str]) -> str:
    return "".join(
        f"(?P<{piece}>{_GAPS.get(piece, '.*?')})" if at % 2 else re.escape(piece) for at, piece in enumerate(english)
    )
