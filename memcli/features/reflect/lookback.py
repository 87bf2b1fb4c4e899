"""Look back on a week or a project in ten lines, each with the memories it rests on.

`lines` makes them by rules (with `topics`: what comes up again and again). `model` lets a language model write them,
and drops what its citations don't support. Only lines that somebody agrees to are written, one by one.
"""

from __future__ import annotations

from datetime import date

from memcli import llm
from memcli.errors import MemError, Refused
from memcli.features.reflect.lines import WEEK, Line, Reflection, by_rules, entries_of
from memcli.remember import AddResult, Memory, add, ask_later
from memcli.vault import vault_language
from memcli.vault.vault import Vault

BEFORE = 8 * WEEK  # how far back to look for what comes up all the time


def _back(day: date, days: int) -> date:
    """Return the day so many days before, or the first of the calendar."""
    return date.fromordinal(max(1, day.toordinal() - days))


def look_back(
    vault: Vault, since: date | None = None, until: date | None = None, project: str = "", *,
    rules: bool = False,
) -> Reflection:  # fmt: skip
    """Return a look back on the last seven days by default, or on all that is known of a project. Use the configured
    model, or rules if there is none or `rules` is set."""
    if not (since or project):
        since = _back(until or vault.today, WEEK.days)
    until = until or vault.today
    found = entries_of(vault, since, until, project)
    if found and not rules and llm.available(vault):
        from memcli.features.reflect.model import by_model  # few look back with a model

        try:
            lines, dropped = by_model(vault, found)
            if dropped:
                vault.notice("{n} of the model's lines were dropped: what they cite does not say so", n=dropped)
            if lines:
                return Reflection(since, until, project, lines, "model", len(found), dropped)
        except MemError as error:
            vault.notice("looked back by rules alone: {WHY}", WHY=error.message)
    last = since and _back(since, 1)
    before = entries_of(vault, _back(last, BEFORE.days), last) if last else []
    return Reflection(
        since, until, project, by_rules(found, before, project, vault_language.vault_language(vault)), read=len(found)
    )


def keep_line(vault: Vault, line: Line) -> AddResult:
    """Write a line into insights.md, with its citations. Raise Refused if a gate refuses it."""
    if any(line.cited in entry.raw for entry in vault.entries(paths=["insights.md", f"{vault.space}insights.md"])):
        raise Refused("it stands in insights.md")
    # It was agreed to: that its citation looks like the output of mem is no reason against it.
    return add(vault, Memory(line.cited, type="insight", at=vault.now), force=True)


def propose_line(vault: Vault, line: Line) -> None:
    """Queue a line, so that `mem review` asks whether to keep it."""
    ask_later(vault, "insight", line.cited)
