"""The only place where text is framed for a model: in tags, as a list, indented, or between rules.

Text of a memory, a note, a name or a path can't end its frame, whatever it says: inside tags every sign of XML is
escaped, elsewhere whatever could be read as a tag or a role is broken up. Nobody else writes tags; a test of the house
holds that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from memcli.text.clean import harmless, one_line, tame, without_marks

RULE = "-" * 5
_LIKE_A_RULE = re.compile(r"^(\W{0,4})-{4,}(?=\W*$)", re.M)


class Framed(str):
    """Text that `framed` has put in tags. In an outer frame it stands as it is."""

    __slots__ = ()


def escaped(text: str, quote: bool = False) -> str:
    """Return text that no reader of XML takes for a tag; with `quote` it may stand in an attribute."""
    text = without_marks(harmless(text)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#x27;") if quote else text


def framed(tag: str, lines: Iterable[str], attributes: Mapping[str, str] = {}, *, short: bool = False) -> Framed:
    """Return the lines between an opening and a closing tag, each on its own; with `short` all on one line."""
    shown = "".join(f' {name}="{escaped(one_line(value), quote=True)}"' for name, value in attributes.items())
    inside = [line if isinstance(line, Framed) else escaped(line) for line in lines]
    if short:
        return Framed(f"<{tag}{shown}>{' '.join(inside)}</{tag}>\n")
    within = "".join(line if line.endswith("\n") else f"{line}\n" for line in inside)
    return Framed(f"<{tag}{shown}>\n{within}</{tag}>\n")


def item(text: str, width: int = 0) -> str:
    """Return a text as one line of a list in tags, cut to `width` characters when asked for."""
    return f"- {one_line(text, width)}"


def bullet(text: str, width: int = 0) -> str:
    """Return the same for a list that stands in no tags."""
    return tame(item(text, width))


def indented(head: str, text: str, indent: str = "    ") -> str:
    """Return a text behind its `head`; no line of it but the first begins where a line of ours does."""
    first, *rest = (line.rstrip() for line in tame(harmless(text)).strip().split("\n"))
    return "\n".join([f"{head}{first}", *(f"{indent}{line}".rstrip() for line in rest)])


def fitting(
    lines: Iterable[tuple[str, str]], room: int, put: Callable[[list[str]], str], count: Callable[[str], int]
) -> tuple[str, list[tuple[str, str]]]:
    """Return as many lines, each a place and a text, as the tokens allow, framed by `put`, and which they are."""
    kept: list[tuple[str, str]] = []
    text = ""
    for each in lines:
        longer = put([f"{said} ({place})" for place, said in [*kept, each]])
        if count(longer) <= room:
            kept, text = [*kept, each], longer
    return text, kept


def between_rules(text: str) -> str:
    """Return a text between two rules of dashes, none of which stands in it."""
    inside = _LIKE_A_RULE.sub(r"\1---", tame(harmless(text)))
    return f"{RULE}\n{inside}\n{RULE}"
