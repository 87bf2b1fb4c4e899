"""Recognize requests about the conversation itself.

The user may ask where it ended, or for a summary, a fresh start, or to take back a message. The whole message has to be
the request. The phrases are in `language/*/talk.txt`. Such a request is carried out instead of searched.
"""

from __future__ import annotations

from memcli.text.clean import one_line
from memcli.text.hanzi import simplified
from memcli.text.phrases import languages, pattern

LAST, SUMMARY, CLEAR, UNSAY = "last", "summary", "clear", "unsay"
_LONGEST = 80  # characters; a longer message is not a request
_AROUND = {
    "en": r"(?:(?:hey|hi|ok(?:ay)?|so|now|well|please|and|(?:can|could|would) you)[ ,]+)*(?:{})"
    r"(?:[ ,]+(?:please|again|now|for me))*",
    "zh": r"(?:请|麻烦|帮我|帮忙|给我|你|能不能|可以|那么?|好了?|嗯|，|,| )*(?:{})"
    r"(?:吧|吗|呢|了|啊|呀|好吗|可以吗|谢谢|，|,| )*",
}


def talk_request(text: str) -> str:
    """Return `last`, `summary`, `clear` or `unsay`, or "" when a message asks for none of them."""
    if len(text) > _LONGEST:
        return ""
    bare = simplified(one_line(text).strip(" .。!！?？~～…")).replace("’", "'")
    spoken = languages(bare)
    kinds = (LAST, SUMMARY, CLEAR, UNSAY)
    return next((kind for kind in kinds if pattern("talk", kind, spoken, **_AROUND).fullmatch(bare)), "")
