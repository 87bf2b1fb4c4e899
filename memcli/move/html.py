"""Notes that are kept as HTML, as Markdown: Evernote's, Notion's, those of Apple Notes' exporters."""

from __future__ import annotations

import re

from memcli import extras

_BOX = re.compile(r"<(?:en-todo|input)\b[^>]*>", re.I)
_CHECKED = re.compile(r"(<li\b[^>]*--en-checked:(true|false)[^>]*>)(\s*<div[^>]*>)?", re.I)  # Evernote's newer boxes
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


def _box(match: re.Match[str]) -> str:
    if match[0].startswith("<input") and "checkbox" not in match[0]:
        return ""
    on = re.search(r"checked(?!=\"false\")", match[0])
    return f"[{'x' if on else ' '}] "
