"""Query all sources at once, each on its own thread with its own time limit.

A source that is slow, fails or never ends is stopped at its limit and left out, with a notice that names it. The others
are not held up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from memcli import contributions
from memcli.errors import MemError
from memcli.evidence import Evidence, PlanStep, clean_evidence
from memcli.features.ask import sources
from memcli.features.ask.plan import Calls
from memcli.text.clean import one_line
from memcli.vault.vault import Vault

Redact = Callable[[str], tuple[str, list[str]]]


@dataclass(frozen=True)
class SourceResult:
    """Hold the results of a source, or the reason why it was left out."""

    step: PlanStep
    found: tuple[Evidence, ...] = ()
    seconds: float = 0.0
    why_not: str = ""


def gather(vault: Vault, calls: Calls, redact: Redact, seconds: float) -> list[SourceResult]:
    """Return what the sources found, in the order of the steps, within `seconds` in all."""
    began = time.monotonic()
    answers: SimpleQueue[tuple[int, SourceResult, list[str]]] = SimpleQueue()

    def run(at: int, step: PlanStep, config: Mapping[str, Any]) -> None:
        mine = vault.with_values(notices=[])  # threads must not take back each other's notices
        try:
            source = kinds[str(config["kind"])]
            if source.network:
                step = replace(step, query=_unsaid(mine, step, redact))
            said = islice(source.find(mine, config, step), step.most)
            found = [each for one in said if (each := clean_evidence(step.source, vars(one)))]
            results = SourceResult(step, tuple(found))
        except MemError as error:
            results = SourceResult(step, why_not=error.message + (f" ({error.hint})" if error.hint else ""))
        except BaseException as error:  # a failure of one source must not stop the others
            results = SourceResult(step, why_not=f"{type(error).__name__}: {error}")
        answers.put((at, replace(results, seconds=round(time.monotonic() - began, 3)), mine.notices))

    kinds = contributions.sources()
    steps = [replace(step, limit=min(step.limit, seconds)) for step, _ in calls]
    threads = [
        Thread(target=run, args=(at, step, config), name=f"source {step.source}", daemon=True)
        for at, (step, (_, config)) in enumerate(zip(steps, calls, strict=True))
    ]
    results: dict[int, SourceResult] = {}
    try:
        for thread in threads:
            thread.start()
        for at in sorted(
            range(len(steps)), key=lambda at: steps[at].limit
        ):  # the next limit is waited for, then the rest
            limit = steps[at].limit
            while at not in results:
                try:
                    came, said, notices = answers.get(timeout=max(0.0, began + limit - time.monotonic()))
                except Empty:
                    results[at] = SourceResult(steps[at], (), round(limit, 3), f"it took longer than {limit:.3g} s")
                    sources.end_thread(threads[at])
                    break
                if came not in results:
                    results[came] = said
                    for notice in notices:
                        vault.notice(notice)
    finally:  # whatever happens, no thread is left running
        for thread in threads:
            sources.end_thread(thread)
    for at in sorted(results):
        if why := results[at].why_not:
            vault.notice("{name} was left out: {WHY}", name=results[at].step.source, WHY=one_line(why, 300))
    return [results[at] for at in sorted(results)]


def _unsaid(vault: Vault, step: PlanStep, redact: Redact) -> str:
    """Return the question without sensitive data, which may leave the machine; add a notice if it changed."""
    query, kinds = redact(step.query)
    if kinds:
        vault.notice("redacted before {name} was asked: {kinds}", name=step.source, kinds=", ".join(kinds))
    return query
