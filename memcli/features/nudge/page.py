"""Show what is worth bringing up today, as `mem nudge` does, with one key for each answer."""

from __future__ import annotations

from memcli.features.nudge import outcomes, propose
from memcli.features.nudge.propose import TimelyNudge
from memcli.message import Message
from memcli.page import pieces
from memcli.page.html import Html, tag
from memcli.page.visit import View, Visit
from memcli.text.clean import one_line

# Maps an answer to the label of its button, its key, and the message after it.
ANSWERS = {
    "accepted": ("Worth it", "a", "worth it: of this kind more"),
    "declined": ("Never again", "d", "it never comes again"),
    "passed": ("Later", "l", "not today"),
}


def view(visit: Visit) -> View:
    """Show the nudges, and note them as brought up, as the command line does. In quiet hours they are shown only on
    request."""
    say = visit.say
    if propose.is_quiet(visit.vault) and not visit.asked("anyway"):
        quiet = say(
            "Quiet hours, {hours}: nothing is brought up.", hours=visit.vault.settings.of_feature("nudge.quiet")
        )
        anyway = tag("p", tag("a", say("Show it anyway"), href=visit.link("today", anyway=1), class_="first"))
        return View(say("Today"), tag("div", pieces.empty(quiet), anyway), "today")
    chosen = propose.proposals(visit.vault)
    outcomes.note_brought(visit.to_write, chosen)
    rows = [_row(visit, each) for each in chosen]
    shown = tag("ol", rows, class_="memories") if rows else pieces.empty(say("Nothing to bring up now."))
    most = tag("p", say("At most {n} a day.", n=visit.vault.settings.of_feature("nudge.most")), class_="count")
    return View(say("Today"), tag("div", most, shown), "today")


def answer(visit: Visit) -> str:
    """Record the answer to a nudge in the journal. Return the address of the view."""
    given, id = visit.form.get("answer", ""), visit.form.get("id", "")
    kind = outcomes.record_answer(visit.to_write, id, given)
    visit.tell(f"{visit.say(kind)}: {visit.say(ANSWERS[given][2])}")
    return visit.link("today", anyway=visit.form.get("anyway"))


def _row(visit: Visit, each: TimelyNudge) -> Html:
    say = visit.say
    words = tag("a", each.text, href=visit.link("memory", id=each.citation, at=each.citation), class_="words")
    told = "; ".join(map(say, [each.why, *([Message("noted on {day}", day=each.since)] if each.since else [])]))
    marks = [tag("span", say(each.kind), class_="task"), _place(visit, each.citation)]
    others = [tag("span", say("see also"), " ", _place(visit, place)) for place in each.others]
    buttons = [
        pieces.button(visit, ["today"], say(label), key, id=each.id, answer=name, anyway=visit.asked("anyway"),
                      back=visit.link("today", anyway=visit.asked("anyway")))
        for name, (label, key, _) in ANSWERS.items()
    ]  # fmt: skip
    group = tag("div", buttons, class_="answers", role="group", aria_label=one_line(each.text, 60))
    return tag(
        "li", words, tag("p", told, class_="why"), tag("div", marks, others, class_="marks"),
        group, class_="memory", data_item=True,
    )  # fmt: skip


def _place(visit: Visit, citation: str) -> Html:
    path, _, line = citation.rpartition(":")
    return pieces.place(visit, path, int(line))
