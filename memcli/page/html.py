"""Build HTML that is escaped by construction: everything not made by `tag` is text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Union

from memcli.page import editor
from memcli.text.clean import harmless

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
LINKS = frozenset({"href", "src", "action"})  # attributes that hold an address
# A link may stay within the page, or lead into an editor on this machine.
_EDITORS = frozenset(link.partition(":")[0] for link in editor.LINKS.values())


class Html(str):
    """Mark a string as HTML, not text."""

    __slots__ = ()


Child = Union[str, int, None, "Iterable[Child]"]


def text(child: Child) -> Html:
    """Return a value as HTML. Text is escaped, and can't hide or reorder the text around it."""
    if child is None:
        return Html()
    if isinstance(child, Html):
        return child
    if isinstance(child, (str, int)):
        return Html(escape(harmless(str(child)), quote=True))
    return Html("".join(map(text, child)))


def tag(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Html:
    """Return an element. Write `class_` and `for_` for Python's reserved words, and `_` for `-` inside a name. An
    attribute that is None or False is left out."""
    shown = []
    for key, value in attributes.items():
        key = key.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if key.startswith("on") or key == "style":
            raise ValueError(f"{key}: scripts and styles stand in files of their own")
        if key in LINKS:
            leads_home(str(value))
        shown.append(f" {key}" if value is True else f' {key}="{text(str(value))}"')
    head = f"<{name}{''.join(shown)}>"
    return Html(head if name in VOID and not children else f"{head}{text(children)}</{name}>")


def leads_home(link: str) -> None:
    """Raise ValueError if a link leads off the page. The page makes all its links itself."""
    scheme, colon, _ = link.partition(":")
    within = link[:1] in ("#", "?") or (link[:1] == "/" and link[1:2] not in ("/", "\\"))
    if not within and not (colon and scheme in _EDITORS):
        raise ValueError(f"a link leads out of the page: {link[:40]}")
