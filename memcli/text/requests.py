"""Recognize what a user asks of the conversation itself.

It may be where it ended, a summary, a fresh start, or to take back what was said. The whole message has to ask for
it. The ways to ask stand in `language/*/talk.txt`. Such a request is carried out and not searched for.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memcli.text.clean import one_line
from memcli.text.hanzi import simplified
from memcli.text.phrases import languages, table

LAST, SUMMARY, CLEAR, UNSAY = "last", "summary", "clear", "unsay"
_LONGEST = 80  # characters; a longer message is no request
_AROUND = {
    "en": r"(?:(?:hey|hi|ok(?:ay)?|so|now|well|please|and|(?:can|could|would) you)[ ,]+)*(?:{})"
    r"(?:[ ,]+(?:please|again|now|for me))*",
    "zh": r"(?:请|麻烦|帮我|帮忙|给我|你|能不能|可以|那么?|好了?|嗯|，|,| )*(?:{})"
    r"(?:吧|吗|呢|了|啊|呀|好吗|可以吗|谢谢|，|,| )*",
}


def asked_of_talk(text: str) -> str:
    """Return `last`, `summary`, `clear` or `unsay`, or "" when a message asks for none of them."""
    if len(text) > _LONGEST:
        return ""
    bare = simplified(one_line(text).strip(" .。!！?？~～…")).replace("’", "'")
    ways = ((kind, pattern) for language in languages(bare) for kind, pattern in _ways(language))
    return next((kind for kind, pattern in ways if pattern.fullmatch(bare)), "")


@lru_cache(maxsize=2)
def _ways(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = [row for row in table("talk", language) if "asks" in row]
    return tuple((row["asks"][0], re.compile(_AROUND[language].format("|".join(row["pattern"])), re.I)) for row in rows)
