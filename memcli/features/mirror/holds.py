"""List what holds now: who the user is, what they prefer, their orders, and a project's decisions.

Each line is safe in a file that agents read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Any

from memcli.errors import MemError
from memcli.remember import redacted
from memcli.text.clean import one_line, tame
from memcli.text.tokens import rarity
from memcli.vault import preferences, profile
from memcli.vault.entries import Entry
from memcli.vault.gates import KINDS, REDACT
from memcli.vault.search import LinePattern
from memcli.vault.tags import without_end_tags
from memcli.vault.vault import Filter, Vault

PROFILE, PREFERENCES, ORDERS, DECISIONS = "About the user", "Preferences", "Standing orders", "Decisions"
TOLD = ("name", "occupation", "language", "timezone", "city", "interests")  # keys of the profile, the most useful first
_ORDERS, _DECISIONS = ("preference", "rule"), ("decision",)  # types of memories
_TYPED = LinePattern("type::", r"\[type::\s*(?:decision|preference|rule)\b")
NAME = 0.9  # rarity of a word that is a name
_LONGEST = 300  # characters of a line
_IMPORT = re.compile(r"(?<!\w)@(?=\S)")

Line = tuple[str, str]  # a line that a person wrote: its group, or "" above them, and the line


@dataclass(frozen=True)
class MirrorLines:
    """Hold lines under their headings, as many as fit into the budget."""

    groups: dict[str, tuple[str, ...]]
    left_out: int = 0

    @property
    def text(self) -> str:
        return self.text_with(())

    def text_with(self, written: Collection[Line]) -> str:
        """Return the text, with the lines that a person wrote at the end of their groups."""
        blocks = []
        for name, held in {"": (), **self.groups}.items():
            lines = [f"- {line}" for line in held] + [line for group, line in written if group == name]
            if lines:
                blocks.append("\n".join([f"{name}:", "", *lines] if name else lines))
        return "\n\n".join(blocks)

    @property
    def counts(self) -> dict[str, int]:
        return {name: len(lines) for name, lines in self.groups.items() if lines}


def current_lines(vault: Vault, project: str, fits: Callable[[MirrorLines], bool]) -> MirrorLines:
    """Return what holds, with the decisions of a project.

    Each group gives its best lines first, and the groups take turns, so that none crowds out another.
    """
    orders, decisions = _typed(vault, project)
    offered: dict[str, Sequence[str]] = {
        PROFILE: _attempt(vault, _profile), PREFERENCES: _attempt(vault, lambda vault: _preferred(vault, project)),
        ORDERS: orders, DECISIONS: decisions,
    }  # fmt: skip
    safe = {name: tuple(dict.fromkeys(filter(None, map(_safe, lines)))) for name, lines in offered.items()}
    chosen: dict[str, tuple[str, ...]] = dict.fromkeys(safe, ())
    turns = zip_longest(*([(name, line) for line in lines] for name, lines in safe.items()))
    left_out = 0
    for name, line in (each for turn in turns for each in turn if each):
        more = MirrorLines({**chosen, name: (*chosen[name], line)})
        if fits(more):
            chosen = more.groups
        else:
            left_out += 1
    return MirrorLines(chosen, left_out)


def _safe(line: str) -> str:
    """Return a line without what a file for agents gives a meaning to: marks of comments, and imports by `@path`.

    Return "" when the line holds anything sensitive, because such files are shared.
    """
    line = tame(one_line(line, _LONGEST))
    if redacted(line, dict.fromkeys(KINDS, REDACT))[1]:
        return ""
    return _IMPORT.sub("@ ", line.replace("<!--", "<! --").replace("-->", "-- >"))


def _attempt(vault: Vault, read: Callable[[Vault], list[str]]) -> list[str]:
    """Return the lines of a file, or none with a notice when it is broken, so that the other files still count."""
    try:
        return read(vault)
    except MemError as error:
        vault.notice(error.message)
        return []


def _profile(vault: Vault) -> list[str]:
    known = profile.read_profile(vault)
    return [f"{key}: {_plain(known[key])}" for key in TOLD if known.get(key)]


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _preferred(vault: Vault, project: str) -> list[str]:
    counting = effective_preferences(vault, project)
    counting.sort(key=lambda each: (not each.scene, each.category != "communication", -each.confidence))
    return [f"{each.key}: {preferences.value_text(each)}" for each in counting]


def effective_preferences(vault: Vault, project: str) -> list[preferences.Preference]:
    """Return the preferences that count everywhere and in the project, without those of a single session."""
    lasting = [each for each in preferences.read_preferences(vault) if not each.of_session]
    return preferences.choose_effective(lasting, lambda scene: scene.casefold() == project.casefold())


def _typed(vault: Vault, project: str) -> tuple[list[str], list[str]]:
    """Return the orders and the decisions that hold, the newest first."""
    paths = vault.files(Filter())
    having = sorted(vault.search(paths, (), [_TYPED]).touched())
    live = [each for each in vault.entries(Filter(types=_ORDERS + _DECISIONS), having) if not each.superseded]
    live.sort(key=lambda each: (str(each.day or ""), each.importance or 0.5), reverse=True)
    orders = [_words(each) for each in live if each.type in _ORDERS]
    decided = [each for each in live if each.type in _DECISIONS and project and is_of(each, project)]
    return orders, [f"{each.day}: {_words(each)}" if each.day else _words(each) for each in decided]


def is_of(entry: Entry, project: str) -> bool:
    """Return whether a memory belongs to a project: by a tag, a field, a heading, its file or a folder, or by its words
    where no other text would have them: tideline, not docs."""
    name = project.casefold()
    path = PurePosixPath(entry.path)
    called = [entry.fields.get("project", ""), *entry.trail, path.stem, *path.parts[:-1]]
    called += [part for tag in entry.tags for part in tag.split("/")]
    if name in {each.casefold() for each in called}:
        return True
    return rarity(name) >= NAME and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", entry.words.casefold()) is not None


def _words(entry: Entry) -> str:
    """Return the words of a memory, without the time before them and the tags behind them."""
    words = entry.words.removeprefix(f"{entry.time} ") if entry.time else entry.words
    return without_end_tags(words)
