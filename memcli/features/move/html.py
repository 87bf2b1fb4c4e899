"""Convert notes from HTML to Markdown: those of Evernote, Notion and Apple Notes' exporters."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from memcli import extras
from memcli.errors import VaultError

# A tag is read up to the next `<` at most, so that many unclosed ones are read once each.
_BOX = re.compile(r"<(?:en-todo|input)\b[^<>]*>", re.I)
_CHECKED = re.compile(r"(<li\b[^<>]*--en-checked:(true|false)[^<>]*>)(\s*<div[^<>]*>)?", re.I)  # Evernote's newer boxes
_PACKED = re.compile(r"(<img\b[^<>]*\bsrc=[\"'])data:image/([\w+.-]+);base64,([^\"'<>]+)([\"'])", re.I)
_BLANK = re.compile(r"\n{3,}")
_OPEN = re.compile(r"<(?=[^<>]*(?:<|\Z))")  # an unclosed tag, for which the parser would read the rest of the page
MOST_OPEN = 100
_BODY_END = re.compile("</body", re.I)
_UNSHOWN = ("script", "style", "head")


def elements(text: str, name: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield where each element of this name begins, where its content begins and ends, and where it ends.

    No element is looked for inside another. One that never ends is looked for once.
    """
    begins, ends = re.compile(rf"<{name}\b[^<>]*>", re.I), re.compile(rf"</{name}\s*>", re.I)
    at = 0
    while (begin := begins.search(text, at)) and (end := ends.search(text, begin.end())):
        yield begin.start(), begin.end(), end.start(), end.end()
        at = end.end()


def contents_of(text: str, name: str) -> list[str]:
    """Return the content of each element of this name."""
    return [text[start:stop] for _, start, stop, _ in elements(text, name)]


def without_elements(text: str, name: str) -> str:
    """Return the text without the elements of this name."""
    pieces, at = list[str](), 0
    for begin, _, _, end in elements(text, name):
        pieces.append(text[at:begin])
        at = end
    return "".join(pieces) + text[at:]


def markdown(text: str) -> str:
    """Return a page as Markdown: headings, lists, boxes, tables and links. Raise VaultError when it can't be read."""
    try:
        return _markdown(text)
    except RecursionError:
        raise VaultError("is nested too deep") from None


def _markdown(text: str) -> str:
    with extras.wanted():
        from markdownify import markdownify  # this loads an HTML parser, too
    body = next(elements(text, "body"), None)
    shown = text[body[1] : [end.start() for end in _BODY_END.finditer(text)][-1]] if body else text
    for name in _UNSHOWN:
        shown = without_elements(shown, name)
    if len(_OPEN.findall(shown)) > MOST_OPEN:
        shown = _OPEN.sub("&lt;", shown)
    shown = _CHECKED.sub(lambda match: f"{match[0]}[{'x' if match[2] == 'true' else ' '}] ", _BOX.sub(_box, shown))
    made = markdownify(shown, heading_style="ATX", bullets="-", escape_misc=False, escape_underscores=False)
    return _BLANK.sub("\n\n", str(made)).strip() + "\n"


def unpack_images(text: str, title: str) -> tuple[str, dict[str, bytes]]:
    """Return a page with links in place of the images packed into it, and the content of the images by name."""
    taken: dict[str, bytes] = {}

    def link(match: re.Match[str]) -> str:
        try:
            data = base64.b64decode(match[3], validate=False)
        except binascii.Error:
            return f"{match[1]}{match[4]}"
        name = f"{title} files/{len(taken) + 1}.{match[2].partition('+')[0]}"
        taken[name] = data
        return f"{match[1]}{name.replace(' ', '%20')}{match[4]}"

    return _PACKED.sub(link, text), taken


def _box(match: re.Match[str]) -> str:
    if match[0].startswith("<input") and "checkbox" not in match[0]:
        return ""
    on = re.search(r"checked(?!=\"false\")", match[0])
    return f"[{'x' if on else ' '}] "
