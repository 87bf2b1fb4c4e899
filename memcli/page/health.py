"""Health: what `mem doctor` says, how fast recall was on this page, and how many tokens it took."""

from __future__ import annotations

import json
from statistics import median

from memcli import doctor
from memcli.page import pieces
from memcli.page.html import Html, tag
from memcli.page.visit import View, Visit
from memcli.text.clean import one_line
from memcli.vault import health

MARKS = {health.OK: "✓", health.NOTE: "·", health.BROKEN: "✗"}
STATES = {health.OK: "works", health.NOTE: "worth knowing", health.BROKEN: "broken"}
KINDS = ("log", "memory", "insight", "project", "profile", "snapshot", "note")


def view(visit: Visit) -> View:
    say, vault = visit.say, visit.vault
    checks = doctor.checks(vault)
    vault.notices.clear()  # every one of them is a line of the page
    broken = sum(check.state == health.BROKEN for check in checks)
    verdict = say("{n} things are broken.", n=broken) if broken else say("Nothing is broken.")
    here = health.status(vault)
    shown = [
        tag("p", verdict, class_="failed" if broken else "done"),
        tag("section", tag("h2", say("What it holds")), _holds(visit, here)),
        tag("section", tag("h2", say("How fast, how many tokens")), _speed(visit)),
        tag("section", tag("h2", say("Checks")), tag("ul", [_check(visit, one) for one in checks], class_="checks")),
    ]
    return View(say("Health"), tag("div", shown), "health")


def _holds(visit: Visit, here: health.Status) -> Html:
    say = visit.say
    rows = [(say("vault"), here.root), (say("files"), str(here.files))]
    rows += [(say(kind), str(number)) for kind, number in here.memories.items() if number]
    rows += [(say("last write"), here.last_write.replace("T", " ") or say("never"))]
    return pieces.facts(rows)


def _speed(visit: Visit) -> Html:
    """Of the questions asked on this page; what is not asked is not known."""
    say, runs = visit.say, list(visit.session.runs)
    if not runs:
        return pieces.empty(say("Nothing was asked on this page yet."))
    times = sorted(run.seconds * 1000 for run in runs)
    p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
    rows = [
        (say("recalls"), str(len(runs))),
        (say("median"), say("{ms} ms", ms=round(median(times)))),
        ("p95", say("{ms} ms", ms=round(p95))),
        (say("tokens a block"), f"{median(run.tokens for run in runs):.0f}"),
        (say("tokens below the budget"), str(sum(max(0, run.budget - run.tokens) for run in runs))),
    ]
    series = {
        "x": list(range(1, len(runs) + 1)),
        "lines": [
            {"label": say("milliseconds"), "values": [round(run.seconds * 1000, 1) for run in runs], "axis": "ms"},
            {"label": say("tokens"), "values": [run.tokens for run in runs], "axis": "n"},
        ],
    }
    chart = tag("div", class_="chart", data_series=json.dumps(series, ensure_ascii=False), aria_hidden="true")
    return tag("div", pieces.facts(rows), chart if len(runs) > 1 else None)


def _check(visit: Visit, check: health.Check) -> Html:
    mark = tag("span", MARKS[check.state], class_="mark", aria_hidden="true")
    state = tag("span", visit.say(STATES[check.state]), class_="unseen")
    mend = tag("p", f"→ {one_line(visit.say(check.mend))}", class_="mend") if check.mend else None
    return tag(
        "li", mark, state, " ", tag("b", one_line(check.name)), " ", one_line(check.detail), mend, class_=check.state
    )
