"""Read Org files: headlines become headings, states become boxes, time stamps become days."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memcli.features.move.formats.markdown import tell_what_is_left
from memcli.features.move.formats.records import each_file
from memcli.file_tree import Tree
from memcli.format import Format, Item, Page

_HEAD = re.compile(
    r"(\*+) (?:(TODO|NEXT|WAITING|DONE|CANCELLED|CANCELED) )?(?:\[#[A-Z]\] )?(.*?)(?:[ \t]+(:[\w@:]+:))?[ \t]*"
)
_STAMP = re.compile(r"[<\[](\d{4}-\d\d-\d\d)(?: [^\W\d]+\.?)?(?: (\d\d:\d\d))?[^>\]\n]{0,40}[>\]]")
_LINK = re.compile(r"\[\[([^\[\]\n]+)\](?:\[([^\]\n]+)\])?\]")
_KEYWORD = re.compile(r"#\+(\w+): *(.*)")
_BLOCK = re.compile(r"#\+(begin|end)_(?:src|example)\b *(\S*).*", re.I)
_BOX = {"DONE": "[x]", "CANCELLED": "[-]", "CANCELED": "[-]"}


def knows(tree: Tree) -> bool:
    return bool(tree.ending(".org"))


def read_items(tree: Tree) -> Iterator[Item]:
    def page(name: str) -> list[Item]:
        text, title = _markdown(tree.text(name))
        return [Page(f"{name.removesuffix('.org')}.md", text, f"org:{tree.name}/{name}", title=title)]

    yield from each_file(tree.ending(".org"), page)
    yield from tell_what_is_left(name for name in tree.names if not name.lower().endswith(".org"))


def _markdown(text: str) -> tuple[str, str]:
    lines: list[str] = []
    title, drawer = "", False
    for line in text.split("\n"):
        if drawer or line.strip().upper() in (":PROPERTIES:", ":LOGBOOK:"):
            drawer = line.strip().upper() != ":END:"
        elif match := _BLOCK.fullmatch(line.strip()):
            lines.append("```" + (match[2] if match[1].lower() == "begin" else ""))
        elif match := _KEYWORD.fullmatch(line):
            title = match[2] if match[1].lower() == "title" else title
        elif match := _HEAD.fullmatch(line):
            tags = "".join(f" #{tag}" for tag in (match[4] or "").strip(":").split(":") if tag)
            mark = f"- {_BOX.get(match[2], '[ ]')}" if match[2] else "#" * min(6, len(match[1]))
            lines.append(f"{mark} {_inline(match[3])}{tags}")
        else:
            lines.append(_inline(re.sub(r"^(\s*)\+ ", r"\1- ", line)))
    heading = f"# {title}\n\n" if title else ""
    return heading + "\n".join(lines).strip() + "\n", title


def _inline(text: str) -> str:
    text = _STAMP.sub(lambda match: " ".join(filter(None, match.groups())), text)
    return _LINK.sub(lambda match: f"[{match[2]}]({match[1]})" if match[2] else f"<{match[1]}>", text)


FORMAT = Format("org files", knows, read_items)
