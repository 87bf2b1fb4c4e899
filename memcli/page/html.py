"""HTML that escapes by construction: what is not made by `tag` is text, whatever it holds."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Union

from memcli.text.clean import harmless

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
LINKS = frozenset({"href", "src", "action"})  # attributes that lead somewhere
# Where a link may lead: within the page, or into an editor on this machine.
EDITORS = ("vscode", "vscode-insiders", "vscodium", "cursor", "zed", "subl", "txmt", "mvim", "idea", "pycharm")


class Html(str):
    """HTML already, not text."""

    __slots__ = ()


Child = Union[str, int, None, "Iterable[Child]"]


def text(child: Child) -> Html:
    """Anything as HTML; text is escaped, and can't hide or reorder what stands around it."""
    if child is None:
        return Html()
    if isinstance(child, Html):
        return child
    if isinstance(child, (str, int)):
        return Html(escape(harmless(str(child)), quote=True))
    return Html("".join(map(text, child)))


def tag(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Html:
    """An element. `class_` and `for_` are words of Python; `_` inside a name is `-`; None and False leave out."""
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
    """ValueError when a link leads elsewhere; all links are made by the page itself."""
    scheme, colon, _ = link.partition(":")
    within = link[:1] in ("#", "?") or (link[:1] == "/" and link[1:2] not in ("/", "\\"))
    if not within and not (colon and scheme in EDITORS):
        raise ValueError(f"a link leads out of the page: {link[:40]}")
