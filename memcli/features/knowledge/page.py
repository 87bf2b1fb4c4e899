"""Show the documents of the knowledge list, search them by words, and show one as it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memcli.errors import UsageError
from memcli.message import Message
from memcli.page import pieces
from memcli.page.html import Html, tag
from memcli.page.visit import View, Visit
from memcli.text.clean import one_line

if TYPE_CHECKING:
    from memcli.features.knowledge.store import DocumentTable, PieceHit, ShelvedDocument

HITS, LISTED, PASSAGE = 20, 200, 400


def view(visit: Visit) -> View:
    say, words = visit.say, visit.asked("q").strip()
    shelf = _shelf(visit)
    shown = [pieces.search(visit, "documents", "q", say("Find in documents"))]
    if shelf is None:
        shown.append(pieces.empty(say("no documents yet: mem knowledge add PATH")))
    elif words:
        rows = [_hit(visit, hit) for hit in shelf.words(words, HITS)]
        shown.append(tag("ol", rows, class_="memories") if rows else pieces.empty(say("No document has these words.")))
    else:
        every = shelf.documents()
        shown.append(tag("p", say(Message("{n} document{s}", n=len(every))), class_="count"))
        shown.append(tag("ol", [_listed(visit, one) for one in every[:LISTED]], class_="memories"))
    return View(say("Documents"), tag("div", shown), "documents")


def document(visit: Visit) -> View:
    shelf, name = _shelf(visit), visit.request.path_params["doc"]
    found = [one for one in shelf.documents() if one.doc == name] if shelf else []
    if shelf is None or not found:
        raise UsageError("there is no such document", "mem knowledge list --all shows them")
    one = found[-1]
    text = shelf.text(one.doc, one.version)
    facts = [tag("span", one_line(fact)) for fact in (one.place, one.date, one.type, *one.tags) if fact]
    return View(
        one_line(one.title) or one_line(one.origin),
        tag("article", tag("p", facts, class_="marks"), tag("pre", text, class_="document", tabindex="0")),
        "documents",
    )


def _shelf(visit: Visit) -> DocumentTable | None:
    from memcli.features.knowledge.store import open_reader  # imports LanceDB, which no other view needs

    return open_reader(visit.vault)


def _listed(visit: Visit, one: ShelvedDocument) -> Html:
    link = tag(
        "a", one_line(one.title, 120) or one_line(one.origin), href=visit.link("documents", one.doc), class_="words"
    )
    marks = [tag("span", one_line(each)) for each in (one.date, one.kind, one.place, *one.tags) if each]
    return tag("li", link, tag("div", marks, class_="marks"), class_="memory", data_item=True)


def _hit(visit: Visit, hit: PieceHit) -> Html:
    row = hit.row
    link = tag(
        "a", one_line(row.title, 120) or one_line(row.origin), href=visit.link("documents", row.doc), class_="words"
    )
    marks = [tag("span", one_line(f"{hit.place}:{row.line}")), tag("span", one_line(row.trail, 80))]
    passage = tag("p", one_line(row.text, PASSAGE), class_="passage")
    return tag("li", link, passage, tag("div", marks, class_="marks"), class_="memory", data_item=True)
