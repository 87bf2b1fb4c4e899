"""Show the block that a recall gives a model, the reasons, and the memories left out, beside another day or other
weights."""

from __future__ import annotations

import re
from collections.abc import Mapping
from time import perf_counter
from typing import Any

from memcli.errors import MemError, UsageError
from memcli.features.page import past, recall_view
from memcli.page import pieces
from memcli.page.html import Html, tag
from memcli.page.visit import View, Visit
from memcli.recall import Request, recall, seek
from memcli.recall.score import PRESETS
from memcli.text.clean import one_line
from memcli.vault.vault import Filter, Vault

LARGEST = 100_000  # the largest budget in tokens
BESIDE = {"": "nothing", "day": "another day", "weights": "other weights"}


def view(visit: Visit) -> View:
    say, question = visit.say, visit.asked("q").strip()
    if not question:
        return View(say("Ask your memory"), tag("div", _form(visit), _examples(visit)), "ask")
    now, wrong = _recalled(visit, visit.vault), ""
    try:
        other = _other(visit)
    except MemError as error:  # the first side is shown all the same
        other, wrong = None, visit.failure(error)
    results = [recall_view.result(visit, now, say("Now") if other else "", _only(now, other))]
    if other:
        results.append(recall_view.result(visit, other, _titled(visit), _only(other, now)))
    why = tag("p", wrong, class_="failed", role="alert") if wrong else None
    shown = [_form(visit), why, tag("div", results, class_="beside" if other else "alone")]
    return View(question, tag("div", shown), "ask", 400 if wrong else 200)


def _other(visit: Visit) -> recall_view.RecallRun | None:
    """Return the recall for the other side, or None if there is none."""
    beside = visit.asked("beside")
    if beside == "day" and (day := visit.day("day")):
        with past.as_of(visit.vault, day) as then:
            return _recalled(visit, then)
    return _recalled(visit, visit.session.open(_flags(visit))) if beside == "weights" else None


def _recalled(visit: Visit, vault: Vault) -> recall_view.RecallRun:
    budget = visit.number("budget", vault.settings.recall.budget, LARGEST)
    request = Request(visit.asked("q"), budget)
    began = perf_counter()
    block = recall(vault, request)
    seconds = perf_counter() - began
    ranked = seek(vault, request)
    every = seek(vault, request._replace(fill=True))
    return recall_view.RecallRun(vault, block, budget, seconds, tuple(ranked.ranked), tuple(every.ranked))


def _flags(visit: Visit) -> Mapping[str, Any]:
    """Return the settings of the other side. Raise UsageError if a weight is not a number."""
    weights = {}
    for pair in re.split(r"[,，;\n]+", visit.asked("weights")):
        name, _, value = pair.strip().replace("=", " ").replace(":", " ").partition(" ")
        if name:
            try:
                weights[name] = float(value)
            except ValueError:
                raise UsageError(
                    "'{given}' is not a part and its weight", "time 0.9, tag 0.2", given=one_line(pair, 40)
                ) from None
    preset = visit.asked("preset")
    return {**({"recall.preset": preset} if preset else {}), **({"recall.weights": weights} if weights else {})}


def _titled(visit: Visit) -> str:
    if visit.asked("beside") == "day":
        return visit.say("On {day}", day=visit.asked("day"))
    return visit.say("With other weights")


def _only(value: recall_view.RecallRun, rejected: recall_view.RecallRun | None) -> frozenset[str]:
    """Return the hashes of memories that only the first side has; none if there is no other side."""
    there = {chosen.scored.entry.hash for chosen in rejected.block.chosen} if rejected else set()
    here = {chosen.scored.entry.hash for chosen in value.block.chosen}
    return frozenset(here - there) if rejected else frozenset()


def _form(visit: Visit) -> Html:
    say, recall_settings = visit.say, visit.vault.settings.recall
    more = [
        pieces.field("budget", say("Budget in tokens"), type="number", min=0, max=LARGEST, inputmode="numeric",
                     value=visit.asked("budget", str(recall_settings.budget))),
        pieces.choice("beside", say("Beside it"), [(k, say(v)) for k, v in BESIDE.items()], visit.asked("beside")),
        pieces.field("day", say("The other day"), type="date", value=visit.asked("day"), max=str(visit.vault.today)),
        pieces.choice("preset", say("The other formula"), [(name, name) for name in PRESETS], visit.asked("preset")),
        pieces.field("weights", say("The other weights"), type="text", value=visit.asked("weights"),
                     placeholder="time 0.9, tag 0.2", autocomplete="off"),
    ]  # fmt: skip
    return tag(
        "form",
        tag("div", pieces.field("q", say("Question"), type="search", value=visit.asked("q"), autocomplete="off",
                                data_first=True), tag("button", say("Ask"), type="submit"), class_="line"),
        tag("details", tag("summary", say("Side by side")), tag("div", more, class_="fields"),
            open=bool(visit.asked("beside"))),
        method="get", action=visit.link(), role="search", class_="ask",
    )  # fmt: skip


def _examples(visit: Visit) -> Html:
    """Return sample questions, made from the vault's latest tags."""
    latest, _ = visit.vault.latest(Filter(), 40)
    tags = list(dict.fromkeys(name for entry in latest for name in entry.tags))[:6]
    asked = [f"#{name}" for name in tags]
    links = [tag("li", tag("a", one, href=visit.link(q=one))) for one in asked]
    intro = visit.say("What stands here is what a model would be given: the block of `mem recall`, and why.")
    return tag("div", tag("p", intro), tag("ul", links, class_="examples"), class_="hint")
