"""Notes that are kept as HTML, as Markdown: Evernote's, Notion's, those of Apple Notes' exporters."""

from __future__ import annotations

import base64
import binascii
import re

from memcli import extras

_BOX = re.compile(r"<(?:en-todo|input)\b[^>]*>", re.I)
_CHECKED = re.compile(r"(<li\b[^>]*--en-checked:(true|false)[^>]*>)(\s*<div[^>]*>)?", re.I)  # Evernote's newer boxes
_PACKED = re.compile(r"(<img\b[^>]*\bsrc=[\"'])data:image/([\w+.-]+);base64,([^\"']+)([\"'])", re.I)
_BLANK = re.compile(r"\n{3,}")
_BODY = re.compile(r"<body\b[^>]*>(.*)</body>", re.S | re.I)
_UNSHOWN = re.compile(r"<(script|style|head)\b.*?</\1>", re.S | re.I)


def markdown(text: str) -> str:
    """What a page says, with its headings, lists, boxes, tables and links."""
    with extras.wanted():
        from markdownify import markdownify  # and with it an HTML parser
    body = _BODY.search(text)
    shown = _UNSHOWN.sub("", body[1] if body else text)
    shown = _CHECKED.sub(lambda match: f"{match[0]}[{'x' if match[2] == 'true' else ' '}] ", _BOX.sub(_box, shown))
    made = markdownify(shown, heading_style="ATX", bullets="-", escape_misc=False, escape_underscores=False)
    return _BLANK.sub("\n\n", str(made)).strip() + "\n"


def unpacked(text: str, title: str) -> tuple[str, dict[str, bytes]]:
    """A page whose pictures are packed into it, with links to them instead; and what they hold, by their names."""
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
