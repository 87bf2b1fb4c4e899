"""Read the tags of a memory: those written in its text, and those in front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memcli.text.later import compile_later

# A tag ends at white space or punctuation of any script; `-`, `_` and `/` belong to it.
_NOT_TAG = (
    r"\s!-,.:-@\[-^`{-~\u2010-\u2027\u2030-\u205e\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65·…"
    r"\u0589\u060c\u061b\u061f\u06d4\u0964\u0965\u0f0d-\u0f11\u104a\u104b\u1361-\u1368\u17d4-\u17d6"
)
# Numbers and colours are none: "ticket #512", "#1a2b3c".
_NUMBER = rf"(?:[\d/]+|(?=[A-Fa-f]*\d)[0-9A-Fa-f]{{6}})(?=[{_NOT_TAG}]|\Z)"
_TAG = rf"#(?!{_NUMBER})([^{_NOT_TAG}]+)"
_TAG_IN_TEXT = compile_later(rf"(?<![A-Za-z0-9_/&#\\]){_TAG}")
# bounded, and begun only where the spaces begin: else many tags or spaces would be read again from each of them
_END_TAGS = compile_later(rf"(?<![ \t])(?:[ \t]+{_TAG}){{1,40}}[ \t]*(?=\n|\Z)")
_UNTAGGED = compile_later(
    r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|https?://\S+|\]\([^()\n]*\)|\[\[[^\[\]\n]*\]\]"
    r"|<[A-Za-z/][^<>\n]*>|<!--(?s:.)*?-->"
)
_FENCE = compile_later(r"(?:[-*+]\s+|\d+[.)]\s+)*(`{3,}(?=[^`]*$)|~{3,})")


def tags_in(text: str) -> list[str]:
    """Return the `#tags` written in a text, but not `#1`, headings, fragments of links, or anything inside code."""
    if "#" not in text:
        return []
    bare, _ = cut_fences(text)
    if "<!--" in bare:  # unclosed comments would each be followed to the end of the text
        closed = bare.rfind("-->") + 1
        bare = bare[:closed] + bare[closed:].replace("<!--", " ")
    bare = _UNTAGGED.sub(" ", bare)
    tags = (m[1].strip("-/_") for m in _TAG_IN_TEXT.finditer(bare))
    return [tag for tag in tags if tag and not tag.isdigit()]


def without_end_tags(text: str) -> str:
    """Return a text without the tags after the words of its lines, and without spaces there."""
    return "\n".join(line.rstrip() for line in _END_TAGS.sub("", text).split("\n"))


def front_tags(front: Mapping[str, object]) -> tuple[str, ...]:
    """Return the tags that front matter names, in any of the usual forms."""
    given = front.get("tags", front.get("tag"))
    listed = re.split(r"[,\s]+", given) if isinstance(given, str) else given if isinstance(given, list) else []
    plain = (str(tag).strip("# ") for tag in listed if isinstance(tag, (str, int, float)))
    return tuple(tag for tag in plain if tag)


def cut_fences(text: str) -> tuple[str, str]:
    """Return a text without its code fences, and the mark of a fence that is left open, or ""."""
    if "```" not in text and "~~~" not in text:
        return text, ""
    remaining, mark = [], ""
    for line in text.split("\n"):
        bare = line.strip()
        if mark:
            if bare.startswith(mark) and not bare.strip(mark[0]):
                mark = ""
        elif opened := _FENCE.match(bare):
            mark = opened[1]
        else:
            remaining.append(line)
    return "\n".join(remaining), mark


def with_parents(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tags in lower case, each followed by its parents' names: `work/api` also counts as `work`."""
    found: dict[str, None] = {}
    for tag in tags:
        parts = tag.lower().split("/")
        found.update(dict.fromkeys("/".join(parts[:depth]) for depth in range(1, len(parts) + 1)))
    return tuple(found)
