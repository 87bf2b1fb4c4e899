"""Choose the sources for a question, the question for each, and record the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memcli import contributions
from memcli.errors import UsageError
from memcli.evidence import PlanStep, Want
from memcli.features.ask import sources
from memcli.features.ask.understand import COMMAND, MEMORY, TALK, Understood
from memcli.message import Message
from memcli.vault import names
from memcli.vault.settings import nearest
from memcli.vault.vault import Vault

MOST = 20  # passages that each source may return
ASIDE = 0.9  # weight of all other sources: their best passage ranks about eighth

Calls = list[tuple[PlanStep, Mapping[str, Any]]]  # each with the settings of its source


def plan_steps(vault: Vault, asked: Understood, given: Want = Want(), only: Sequence[str] = ()) -> Calls:
    """Return the steps to take.

    `given` has the filters from flags; `only` has the sources that the user named. Raise UsageError when one of them
    does not exist.
    """
    there = sources.configured_sources(vault)
    for name in only:
        if name not in there:
            hint = nearest(name, list(there)) or Message("there are {names}", names=", ".join(there))
            if f"sources.{name}" in vault.resolved.ignored:
                hint = "this vault names it: `mem trust` shows it and asks"
            elif name in vault.settings.sources:
                hint = Message("it is switched off: mem config get sources.{name}", name=name)
            raise UsageError("no source is called '{name}'", hint, name=name)
    if asked.intent in (COMMAND, TALK) and not only:
        return []
    calls: Calls = []
    spared, kinds = [], contributions.sources()
    narrow = _joined(asked.want, given, False)
    for name, config in there.items():
        kind = str(config["kind"])
        own = kind == "memory"
        source = kinds[kind]
        if source.is_kept and not (only or source.is_kept(vault)):
            continue  # there is nothing to find
        far = source.network
        if only and name not in only:
            continue
        if far and not only and (asked.intent == MEMORY or narrow.tags or narrow.types or narrow.project):
            spared.append(name)  # private questions stay off the network, where the user's tags are unknown anyway
            continue
        first = source.is_first or own == (asked.intent == MEMORY)
        why = "named" if only else asked.why if first else "it may know more"
        want = _joined(asked.want, given, True) if own or far else narrow
        seconds, most = _seconds(config, far, vault.settings.of_feature("deep.seconds")), config.get("most", MOST)
        step = PlanStep(name, asked.query, want, seconds, most, why, 1.0 if first or only else ASIDE)
        calls.append((step, config))
        if source.by_meaning and vault.settings.index.model:
            calls.append(
                (replace(step, query=asked.hyde or asked.query, why="by meaning"), {**config, "by": "meaning"})
            )
    if spared:
        why = "about your own life" if asked.intent == MEMORY else "for a tag, type or project of yours"
        vault.notice(
            "not asked: {name}, as the question is {WHY}; --source asks all the same", name=", ".join(spared), WHY=why
        )
    return calls


def _joined(read: Want, flags: Want, is_own_notes: bool) -> Want:
    """Return the filters of the question, overridden by the flags in `flags`.

    For own notes a project is a tag and there is no status; the days that a question names are left to recall, which
    weighs them itself.
    """
    project = flags.project or read.project
    if is_own_notes:
        tags = (*(flags.tags or read.tags), *filter(None, [project]))
        return Want(tags, flags.types or tuple(map(names.type_name, read.types)), since=flags.since, until=flags.until)
    status = flags.status if flags.status != Want.status else read.status
    return replace(
        read, tags=flags.tags or read.tags, types=flags.types or read.types, project=project,
        status=status, since=flags.since or read.since, until=flags.until or read.until,
    )  # fmt: skip


def _seconds(config: Mapping[str, Any], far: bool, all_seconds: float) -> float:
    """Return the seconds a source may take.

    A local source may use all the time there is, since its first question loads a library.
    """
    limit = config.get("limit", sources.SECONDS if far else all_seconds)
    return float(limit) if isinstance(limit, (int, float)) and limit > 0 else sources.SECONDS
