"""Describe today in a few lines: what to bring up, and what else is due, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memcli.features.nudge.propose import Nudge, look
from memcli.text import tokens
from memcli.text.clean import one_line
from memcli.vault import vault_language
from memcli.vault.vault import Vault

BUDGET = 200  # tokens of the brief, headings included
LINE = 90  # characters of a memory in a line


@dataclass(frozen=True)
class Brief:
    text: str
    tokens: int
    nudges: tuple[Nudge, ...]  # the nudges that it shows and that count as brought up
    left_out: int


def brief(vault: Vault, budget: int = BUDGET, say: Callable[[str], str] = str) -> Brief:
    """Return today's lines within the budget. `say` translates messages for the reader."""
    count = tokens.counter(vault.settings.recall.encoding)
    found = look(vault)
    lines = [vault_language.day_heading(vault, vault.today)]
    shown: list[Nudge] = []
    wanted = [*found.chosen, *found.near]
    for each in wanted:
        line = f"- {one_line(each.text, LINE)} ({say(each.why)}; {each.citation})"
        if count("\n".join([*lines, line])) <= budget:
            lines.append(line)
            shown.append(each)
    text = "\n".join(lines)
    kept = tuple(each for each in shown if each in found.chosen)
    return Brief(text, count(text), kept, len(wanted) - len(shown))
