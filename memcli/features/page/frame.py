"""Build the frame of every view: the head, the navigation, messages and the list of keys."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import Request

from memcli import __version__, contributions
from memcli.page.html import Html, tag
from memcli.page.visit import PageWords, View, Visit
from memcli.text.messages import table_language

# Maps a view to its address, its name, and the letter that opens it after `g`. Features add their views.
_OWN = {
    "ask": ("", "Ask", "a"),
    "review": ("review", "Review", "r"),
    "days": ("days", "Days", "d"),
    "journal": ("journal", "Journal", "j"),
    "health": ("health", "Health", "h"),
}
KEYS = {
    "?": "this list",
    "/": "to the first field",
    "j k": "to the next memory, and back",
    "Enter": "open it",
    "e": "edit it",
    "x": "mark it done",
    "f": "forget it",
    "u": "undo the last change",
    "a d l": "of what is brought up today: worth it, never again, later",
    "1 2 k s …": "answer a question of the review: the letter on the button",
    "Esc": "out of a field",
}
# htmx makes no scripts or styles of its own, keeps nothing in the browser, and shows failures as pages. It settles new
# content at once: a key pressed before that would leave the page by a plain link and lose the reader's place.
HTMX = (
    '{"defaultSettleDelay":0,'
    '"includeIndicatorStyles":false,"allowEval":false,"allowScriptTags":false,"selfRequestsOnly":true,'
    '"historyCacheSize":0,"refreshOnHistoryMiss":true,"scrollBehavior":"auto",'
    '"responseHandling":[{"code":"204","swap":false},{"code":"[2345]..","swap":true}]}'
)


def _with_features(places: dict[str, tuple[str, str, str]]) -> dict[str, tuple[str, str, str]]:
    for each in contributions.page_views():
        if each.title:
            name = each.name.strip("/")
            places = contributions.placed(places, name, (name, each.title, each.key), before=each.before)
    return places


PLACES = _with_features(_OWN)


def document(visit: Visit, view: View) -> str:
    """Return the whole page around a view."""
    say = visit.say
    messages = [tag("p", message, class_=kind) for kind, message in visit.session.told]
    messages += [tag("p", say(notice), class_="note") for notice in visit.notices]
    visit.session.told.clear()
    body = [
        tag("a", say("To the content"), class_="skip", href="#main"),
        tag("header", tag("a", "mem", class_="brand", href=visit.link()), _places(visit, view.here), class_="top"),
        tag("div", messages, id="told", role="status", aria_live="polite"),
        tag("main", tag("h1", view.title, tabindex="-1"), view.body, id="main"),
        _footer(visit),
        _keys(visit),
    ]
    return _html(
        say, f"{view.title} · mem", body,
        hx_boost="true", hx_target="#main", hx_select="#main", hx_swap="outerHTML show:window:top",
        hx_select_oob="#told:innerHTML,#places:innerHTML,#foot:innerHTML",
        hx_sync="this:replace",  # a visitor who opens another view does not wait for this one
    )  # fmt: skip


def sign_in_page(request: Request, wrong: bool = False) -> str:
    """Return the page for somebody without a key. It shows nothing of any vault, not even its language."""
    say = PageWords(table_language(request.headers.get("accept-language", "")[:20]))
    field = [
        tag("label", say("Key"), for_="key"),
        tag("input", id="key", name="key", type="password", autocomplete="off", required=True),
        tag("button", say("Enter"), type="submit"),
    ]
    body = tag(
        "main",
        tag("h1", say("This page needs a key")),
        tag("p", say("That key opens nothing, or was used before."), role="alert", class_="failed") if wrong else None,
        tag("p", say("`mem ui` prints a link that opens it once; run it again for another.")),
        tag("form", field, method="post", action="/enter"),
        id="main",
    )
    return _html(say, "mem", [body])


def _html(say: PageWords, title: str, body: list[Html], **attributes: str) -> str:
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="htmx-config", content=HTMX),
        tag("title", title),
        tag("link", rel="icon", href="/static/icon.svg", type="image/svg+xml"),
        tag("link", rel="stylesheet", href="/static/page.css"),
        [tag("script", src=f"/static/{name}", defer=True) for name in ("htmx.min.js", "page.js")],
    )
    lang = say.language or "en"
    return "<!doctype html>" + tag(
        "html", head, tag("body", body, **attributes), lang="zh-CN" if lang == "zh" else lang
    )


def _places(visit: Visit, here: str) -> Html:
    say = visit.say
    links = [
        tag("li", tag(
            "a", say(called), href=visit.link(*filter(None, [address])), data_go=letter,
            aria_current="page" if here == name else None,
        ))
        for name, (address, called, letter) in PLACES.items()
    ]  # fmt: skip
    return tag("nav", tag("ul", links), id="places", aria_label=say("Views"))


def _footer(visit: Visit) -> Html:
    say = visit.say
    undo = tag(
        "form",
        visit.token(),
        tag("input", type="hidden", name="back", value=address(visit)),
        tag("button", say("Undo the last change"), data_key="u", type="submit"),
        method="post",
        action=visit.link("undo"),
    )
    return tag(
        "footer",
        undo,
        tag("button", say("Keys"), tag("kbd", "?"), type="button", id="show-keys"),
        tag("span", f"{visit.vault.root.name} · mem {__version__}"),
        id="foot",
    )


def _keys(visit: Visit) -> Html:
    say = visit.say
    rows = [(f"g {letter}", say(called)) for _, called, letter in PLACES.values()]
    rows += [(key, say(what)) for key, what in KEYS.items()]
    switch = [
        tag("input", type="checkbox", id="keys-on", checked=True),
        tag("label", say("Keyboard shortcuts of one key"), for_="keys-on"),
    ]
    return tag(
        "dialog",
        tag("h2", say("Keys"), id="keys-title"),
        tag("dl", [tag("div", tag("dt", tag("kbd", key)), tag("dd", what)) for key, what in rows]),
        tag("p", switch),
        tag("form", tag("button", say("Close"), type="submit"), method="dialog", hx_boost="false"),
        id="keys",
        aria_labelledby="keys-title",
    )


def address(visit: Visit) -> str:
    """Return the address of this page, so that a form can return to it."""
    asked = urlencode(visit.request.query_params.multi_items())
    return visit.request.url.path + (f"?{asked}" if asked else "")
