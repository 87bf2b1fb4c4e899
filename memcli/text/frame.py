"""Frame text for a model: in tags, as a list, indented, or between rules.

No other module writes tags; a test checks that.

Framed text can't end its frame, whatever it contains: memories, notes, names and paths are not trusted. Inside tags
every special character of XML is escaped;  elsewhere everything that could be read as a tag or a role is broken up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from memcli.text.clean import harmless, one_line, tame, without_marks
from memcli.text.later import compile_later

RULE = "-" * 5
_LIKE_A_RULE = compile_later(r"^(\W{0,4}?)-{4,}(?!-)(?=[^\w\n]*$)", re.M)


class FramedText(str):
    """Mark a text that `framed` has put in tags. An outer frame leaves it as it is."""

    __slots__ = ()


def escaped(text: str, quote: bool = False) -> str:
    """Return text with XML's special characters escaped; with `quote` also for use in an attribute."""
    text = without_marks(harmless(text)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#x27;") if quote else text


def framed(tag: str, lines: Iterable[str], attributes: Mapping[str, str] = {}, *, short: bool = False) -> FramedText:
    """Return the lines between an opening and a closing tag. With `short` all of it is on one line."""
    shown = "".join(f' {name}="{escaped(one_line(value), quote=True)}"' for name, value in attributes.items())
    inside = [line if isinstance(line, FramedText) else escaped(line) for line in lines]
    if short:
        return FramedText(f"<{tag}{shown}>{' '.join(inside)}</{tag}>\n")
    within = "".join(line if line.endswith("\n") else f"{line}\n" for line in inside)
    return FramedText(f"<{tag}{shown}>\n{within}</{tag}>\n")


def item(text: str, width: int = 0) -> str:
    """Return a text as one line of a list in tags, cut to `width` characters unless that is 0."""
    return f"- {one_line(text, width)}"


def bullet(text: str, width: int = 0) -> str:
    """Return a text as one line of a list outside tags, cut to `width` characters unless that is 0."""
    return tame(item(text, width))


def indented(head: str, text: str, indent: str = "    ") -> str:
    """Return `head` followed by a text, for a list outside tags."""
    return hanging(head, tame(harmless(text)), indent)


def hanging(head: str, text: str, indent: str = "    ") -> str:
    """Return `head` followed by a text, for a list in tags. Every line but the first is indented, so that none can
    imitate a line of `mem`."""
    first, *rest = (line.rstrip() for line in harmless(text).strip().split("\n"))
    return "\n".join([f"{head}{first}", *(f"{indent}{line}".rstrip() for line in rest)])


def choose_fitting(
    lines: Iterable[tuple[str, str]], budget: int, render: Callable[[list[str]], str], count: Callable[[str], int]
) -> tuple[str, list[tuple[str, str]]]:
    """Return as many lines, framed by `render`, as fit into `budget` tokens, and the list of those lines.

    A line is a place and a text.
    """
    selected: list[tuple[str, str]] = []
    text = ""
    for each in lines:
        longer = render([f"{text_shown} ({place})" for place, text_shown in [*selected, each]])
        if count(longer) <= budget:
            selected, text = [*selected, each], longer
    return text, selected


def between_rules(text: str) -> str:
    """Return a text between two rules of dashes. A rule inside the text is shortened."""
    inside = _LIKE_A_RULE.sub(r"\1---", tame(harmless(text)))
    return f"{RULE}\n{inside}\n{RULE}"
