"""Show what `mem doctor` reports, and what features add to it."""

from __future__ import annotations

from memcli import contributions, doctor
from memcli.page import pieces
from memcli.page.html import Html, tag
from memcli.page.visit import View, Visit
from memcli.text.clean import one_line
from memcli.vault import health
from memcli.vault.check import BROKEN, NOTE, OK, Check

MARKS = {OK: "✓", NOTE: "·", BROKEN: "✗"}
STATES = {OK: "works", NOTE: "worth knowing", BROKEN: "broken"}


def view(visit: Visit) -> View:
    say, vault = visit.say, visit.vault
    checks = doctor.checks(vault)
    vault.notices.clear()  # the page already shows each of them
    broken = sum(check.state == BROKEN for check in checks)
    verdict = (
        say("One thing is broken.")
        if broken == 1
        else say("{n} things are broken.", n=broken)
        if broken
        else say("Nothing is broken.")
    )
    here, added = health.status(vault), contributions.health_parts(visit)
    shown = [
        tag("p", verdict, class_="failed" if broken else "done"),
        tag("section", tag("h2", say("What it holds")), _holds(visit, here)),
        tag("section", tag("h2", say("How fast, how many tokens")), added) if added else None,
        tag("section", tag("h2", say("Checks")), tag("ul", [_check(visit, one) for one in checks], class_="checks")),
    ]
    return View(say("Health"), tag("div", shown), "health")


def _holds(visit: Visit, here: health.Status) -> Html:
    say = visit.say
    rows = [(say("vault"), here.root), (say("files"), str(here.files))]
    rows += [(say(kind), str(number)) for kind, number in here.memories.items() if number]
    rows += [(say("last write"), here.last_write.replace("T", " ") or say("never"))]
    return pieces.facts(rows)


def _check(visit: Visit, check: Check) -> Html:
    mark = tag("span", MARKS[check.state], class_="mark", aria_hidden="true")
    state = tag("span", visit.say(STATES[check.state]), class_="unseen")
    detail = one_line(visit.say(check.detail))
    fix = tag("p", f"→ {one_line(visit.say(check.fix))}", class_="fix") if check.fix else None
    return tag("li", mark, state, " ", tag("b", one_line(visit.say(check.name))), " ", detail, fix, class_=check.state)
