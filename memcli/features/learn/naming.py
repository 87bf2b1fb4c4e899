"""Name a preference by its first words that carry meaning."""

from __future__ import annotations

import re

from memcli.features.learn.hits import values_of
from memcli.features.learn.language import language_of
from memcli.text import words

NAMELESS = "wish"  # the name of a wish that names nothing
_NUMBER = rf"(?:\d+|[零一二两三四五六七八九十百半]+[点度分号日天块元])[{words.CJK}]*"  # 22, 22度, 十点前


def slug(text: str) -> str:
    """Return a key for the subject of a preference: up to three lower-case words joined by `_`, without the value."""
    language, low = language_of(text), text.lower()
    thing = language.signs["thing"].fullmatch(low.strip(" .!"))
    rest = language.signs["aside"].sub(" ", values_of(thing)["thing"] if thing else low)
    meaningful = [word for word in words.WORD.findall(rest) if not words.is_stop(word)]
    if not meaningful or not text.isascii():
        meaningful = re.findall(rf"[{words.CJK}]+|[^\W_]+", rest)
    plain = [word for word in meaningful if not re.fullmatch(_NUMBER, word)]
    return "_".join(list(dict.fromkeys(plain or meaningful))[:3])[:40]
