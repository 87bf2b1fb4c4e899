"""Format imported items for the vault: the fields after a statement, the front matter of a page, its path."""

from __future__ import annotations

import json
import re
from typing import Any

from memcli.format import Page, Statement
from memcli.text.clean import one_line
from memcli.vault import edit, entries

_SLASHES = re.compile(r"[\\:*?\"<>|\x00-\x1f]+")
_TAG = re.compile(r"[^\w/-]+")


def tags_and_fields(item: Statement) -> list[str]:
    """Return the tags, fields and block id of a statement as a person would write them behind it."""
    tags = [f"#{tag}" for raw in item.tags if (tag := _TAG.sub("-", raw.strip("# ")).strip("-")) and not tag.isdigit()]
    fields: dict[str, Any] = {
        "type": _word(item.type),
        "date": item.at.isoformat(" ", "minutes").removesuffix(" 00:00") if item.at else "",
        "confidence": "" if item.confidence is None else f"{item.confidence:g}",
        "importance": "" if item.importance is None else f"{item.importance:g}",
        "author": _plain(item.author),
        "superseded": _plain(item.superseded).removeprefix("mem:"),  # the id of a memory has no prefix
        "heading": _plain(item.heading),
        "source": _plain(item.source),
    }
    have = entries.tags_in(item.text)
    return [
        *(tag for tag in dict.fromkeys(tags) if tag[1:] not in have),
        *(f"[{name}:: {value}]" for name, value in fields.items() if value),
        *([f"^{block}"] if (block := re.sub("[^A-Za-z0-9-]", "", item.block)) else []),
    ]


def list_item(item: Statement) -> str:
    """Return a statement as an item of a list, with all its tags and fields."""
    return edit.list_item("", item.text, tags_and_fields(item)) + "\n"


def _word(text: str) -> str:
    return re.sub(r"[^\w.-]+", "-", text.strip())[:40]


def _plain(text: str) -> str:
    return re.sub(r"[\[\]]", "", one_line(text, 200))


def safe_path(name: str) -> str:
    """Return a path that every system accepts and that is not hidden."""
    parts = [_SLASHES.sub(" ", part).strip(" .") or "_" for part in name.split("/") if part not in ("", ".", "..")]
    *folders, last = parts or ["_"]
    stem, dot, suffix = last.rpartition(".")
    return "/".join(
        [*(part[:100] for part in folders), f"{(stem or last)[:100].rstrip()}{dot and '.'}{suffix if dot else ''}"]
    )


def with_front(text: str, page: Page) -> str:
    """Return the text with the page's metadata in its front matter. Existing fields are not changed."""
    fields: dict[str, Any] = {
        "title": page.title, "date": page.at.date().isoformat() if page.at else "", "tags": list(page.tags),
        **{_word(key).lower(): value for key, value in page.fields.items()}, "source": page.source,
    }  # fmt: skip
    head, rest = split_front(text)
    lines = [
        f"{key}: {json.dumps(value, ensure_ascii=False) if key != 'date' else value}\n" for key, value in fields.items()
        if value and not re.search(rf"^{re.escape(key)}\s*:", head, re.M | re.I)
    ]  # fmt: skip
    return f"---\n{head}{''.join(lines)}---\n{rest}"


def split_front(text: str) -> tuple[str, str]:
    """Return the lines of the front matter, which may be "", and the text below it."""
    if text.startswith("---\n") and (end := text.find("\n---\n", 3)) > 0:
        return text[4 : end + 1], text[end + 5 :]
    return "", text
