"""Show the review: one question after the other, old and new side by side, one key for each answer, and undo."""

from __future__ import annotations

from memcli import remember
from memcli.errors import MemError, UsageError
from memcli.page import pieces
from memcli.page.html import Html, tag
from memcli.page.visit import View, Visit
from memcli.remember import Doubt
from memcli.text.clean import one_line
from memcli.vault import preferences

# The labels of the answers on their buttons.
ANSWERS = {
    "1": "The first holds", "2": "The second holds", "keep": "Keep", "skip": "Ask me later", "archive": "Archive",
    "merge": "Merge", "done": "Done", "edit": "Edit", "confirm": "Confirm", "drop": "Don't keep",
}  # fmt: skip


def view(visit: Visit, typed: str | None = None, why: str = "") -> View:
    """Show the next question. `typed` is a new wording that was refused, and `why` says the reason."""
    say, doubts = visit.say, remember.doubts(visit.vault)
    left = [doubt for doubt in doubts if doubt.id not in visit.session.skipped]
    if not left:
        later = say("{n} to be asked again later.", n=len(doubts)) if doubts else say("Nothing waits for a decision.")
        visit.session.skipped.clear()
        again = tag("p", tag("a", say("Begin again"), href=visit.link("review"))) if doubts else None
        return View(say("Review"), tag("div", pieces.empty(later), again), "review")
    wanted = visit.form.get("id") or visit.asked("id")
    doubt = next((one for one in left if one.id == wanted), left[0])
    editing = visit.asked("edit") == doubt.id or typed is not None
    shown = [
        tag("p", say("{n} to decide", n=len(left)), class_="count"),
        tag("h2", say(doubt.kind), ": ", say(doubt.why)),
        tag("div", _sides(visit, doubt), class_="sides"),
        _edit(visit, doubt, typed, why) if editing else _answers(visit, doubt),
    ]
    return View(say("Review"), tag("div", shown, class_="doubt", data_item=True), "review", 422 if why else 200)


def settle(visit: Visit) -> str | View:
    """Carry out an answer. Return the address of the next question, or the form again if a new wording was refused."""
    doubt = next((one for one in remember.doubts(visit.vault) if one.id == visit.form.get("id")), None)
    if doubt is None:
        raise UsageError("that question is settled already, or what it asks was changed")
    answer, text = visit.form.get("answer", ""), visit.form.get("text", "")
    if answer == "skip":
        visit.session.skipped.append(doubt.id)
    try:
        remember.settle(visit.to_write, doubt, answer, text)
    except MemError as error:
        if answer != "edit":
            raise
        return view(visit, text, visit.failure(error))
    visit.tell(visit.say(doubt.outcome(answer)))
    return visit.link("review")


def _sides(visit: Visit, doubt: Doubt) -> list[Html]:
    say, several = visit.say, []
    for entry in doubt.entries:
        facts = [tag("span", str(entry.day or say("undated"))), pieces.place(visit, entry.path, entry.line)]
        several.append([tag("p", entry.words, class_="said"), tag("p", facts, class_="marks")])
    for each in doubt.preferences:
        said = f"{each.key}: {preferences.value_text(each)}"
        facts = [tag("span", say(each.source)), tag("span", f"{each.confidence:g}"), tag("span", one_line(each.scope))]
        several.append([tag("p", said, class_="said"), tag("p", facts, class_="marks")])
    if change := doubt.change:
        if change.had:
            several.append([tag("p", f"{change.key}: {change.had}", class_="said"), tag("p", say("known"))])
        several.append([tag("p", change.summary, class_="said"), tag("p", say("said"), " ", change.day)])
    if heard := doubt.heard:
        several.append([tag("p", heard.summary, class_="said"), tag("p", say("said"), " ", heard.at[:10])])
    named = ["older", "newer"] if doubt.entries else ["first", "second"]
    if len(several) == 1:
        return [tag("section", several[0], class_="side", aria_label=say("In question"))]
    return [
        tag("section", tag("h3", f"{at}. ", say(name)), side, class_="side")
        for at, (name, side) in enumerate(zip(named, several, strict=False), 1)
    ]


def _answers(visit: Visit, doubt: Doubt) -> Html:
    buttons = []
    for answer in doubt.choices:
        if answer == "edit":
            href = visit.link("review", edit=doubt.id, id=doubt.id)
            said = [visit.say(ANSWERS[answer]), tag("kbd", "e")]
            buttons.append(tag("a", said, href=href, class_="button", data_key="e"))
        else:
            label = visit.say(ANSWERS[answer])
            buttons.append(pieces.button(visit, ["review"], label, answer[0], id=doubt.id, answer=answer,
                                         back=visit.link("review")))  # fmt: skip
    return tag("div", buttons, class_="answers", role="group", aria_label=visit.say("Answers"))


def _edit(visit: Visit, doubt: Doubt, typed: str | None, why: str) -> Html:
    text = typed if typed is not None else doubt.entries[-1].raw if doubt.entries else ""
    label, back = visit.say("New wording"), visit.link("review")
    return pieces.edit_form(visit, ["review"], label, text, why, back, id=doubt.id, answer="edit")
