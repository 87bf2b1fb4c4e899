"""Recognise folders of notes from other programs, and find where their daily notes are and how they are named.

Only the other program's settings are read. They are untrusted: a path in them is plain text, and must stay inside the
vault.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from memcli.text.later import compile_later
from memcli.vault import files, json_read, layout

# How each program spells the parts of a day's name: Obsidian (moment.js) and Logseq (Java), mapped to strftime.
_OBSIDIAN = {"YYYY": "%Y", "YY": "%y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "DD": "%d", "dddd": "%A", "ddd": "%a"}
_LOGSEQ = {"yyyy": "%Y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "dd": "%d", "EEEE": "%A", "EEE": "%a"}
_PART = compile_later(r"\[([^\]]*)\]|'([^']*)'|(([A-Za-z])\4*)|([^A-Za-z\['\]]+)")
_COMMENT = compile_later(r";[^\n]*")
_LOGSEQ_FORMAT = compile_later(r':journal/file-name-format\s+"([^"]+)"')
_LOGSEQ_FOLDER = compile_later(r':journals-directory\s+"([^"]+)"')
_DAYS = (
    "%Y-%m-%d", "%Y_%m_%d", "%Y.%m.%d", "%Y%m%d", "%Y年%m月%d日", "%d %B %Y", "%B %d, %Y",
    "%Y-%m-%d %A", "%Y-%m-%d %a", "%A %Y-%m-%d",
    "%Y/%m/%Y-%m-%d", "%Y/%Y-%m-%d", "%Y/%m/%d",
)  # fmt: skip
_TRIED = date(2021, 3, 14)  # Its year, month and day can't be mistaken for each other.


@dataclass(frozen=True)
class ExistingNotes:
    """Describe a folder that held notes before `mem` came."""

    program: str  # "Obsidian", "Logseq", or "" for any other
    notes: int
    log: str = ""  # the strftime pattern for `write.log`; "" means that no daily notes were found
    heading: bool = True  # whether a new log begins with its day as a heading


def find_notes(root: Path) -> ExistingNotes | None:
    """Return what is known of a folder of notes, or None when it holds no notes."""
    if not root.is_dir():
        return None
    every = list(layout.walk(root))
    notes = [path for path in every if path not in layout.NAMED]
    if (root / ".obsidian").is_dir():
        return ExistingNotes("Obsidian", len(every), _obsidian(root) or _usual(notes))
    if (root / "logseq" / "config.edn").is_file():
        return ExistingNotes("Logseq", len(every), _logseq(root), heading=False)
    return ExistingNotes("", len(every), _usual(notes)) if notes else None


def _obsidian(root: Path) -> str:
    """Return the path pattern of Obsidian's daily notes, or "" when the plugin has no settings."""
    settings = json_read.read_mapping(root / ".obsidian" / "daily-notes.json")
    periodic = json_read.read_mapping(root / ".obsidian/plugins/periodic-notes/data.json").get("daily")
    if not settings and isinstance(periodic, dict) and periodic.get("enabled", True):
        settings = periodic
    if not settings:
        return ""
    return _log(str(settings.get("folder") or ""), str(settings.get("format") or "YYYY-MM-DD"), _OBSIDIAN)


def _logseq(root: Path) -> str:
    config = _COMMENT.sub("", files.read_or_empty(root / "logseq" / "config.edn").text)
    format_ = _LOGSEQ_FORMAT.search(config)
    folder = _LOGSEQ_FOLDER.search(config)
    return _log(folder[1] if folder else "journals", format_[1] if format_ else "yyyy_MM_dd", _LOGSEQ)


def _log(folder: str, form: str, parts: dict[str, str]) -> str:
    """Return the strftime pattern of a daily note's path, or "" when it leaves the vault or lacks a part of the day."""
    name = "".join(
        (literal or quoted or "").replace("%", "%%") or (parts.get(word, "?") if word else signs.replace("%", "%%"))
        for literal, quoted, word, _, signs in _PART.findall(form)
    )
    path = "/".join(part for part in f"{folder.replace('%', '%%')}/{name}.md".split("/") if part)
    inside = not any(part.startswith(".") for part in path.split("/"))
    try:
        known = layout.day_of(_TRIED.strftime(path)) == _TRIED
    except ValueError:  # the path holds a character that no path can hold
        return ""
    return path if inside and "?" not in path and known else ""


def _usual(notes: list[str]) -> str:
    """Return the path pattern that most dated files share, or "" when no file is dated."""
    forms: Counter[str] = Counter()
    for path in notes:
        day = layout.day_of(path)
        stem, dot, suffix = path.rpartition(".")
        form = next((form for form in _DAYS if day and f"/{stem}".endswith(f"/{day.strftime(form)}")), "")
        if form and day:
            forms[f"{stem[: len(stem) - len(day.strftime(form))]}{form}{dot}{suffix}"] += 1
    return forms.most_common(1)[0][0] if forms else ""
