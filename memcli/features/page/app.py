"""List the addresses of the page, and turn a view or an action into a response."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Collection
from logging import getLogger
from pathlib import Path
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router, request_response
from starlette.staticfiles import StaticFiles

from memcli import contributions, extras
from memcli.errors import MemError, VaultError
from memcli.features.page import ask, calendar, frame, health, journal, memory, notes, review
from memcli.features.page.gate import Gate
from memcli.page.html import tag
from memcli.page.visit import BrowserSession, View, Visit
from memcli.text.clean import harmless

STATIC = Path(__file__).parent / "static"
LARGEST = 2**20  # the most bytes of a form
STATUS = {2: 400, 3: 404, 4: 409, 5: 503}  # HTTP status by the exit code that the command line would have

# Maps an address to the view that it shows.
VIEWS: dict[str, Callable[[Visit], View]] = {
    "/": ask.view,
    "/review": review.view,
    "/days": calendar.view,
    "/days/{day}": calendar.day,
    "/list": notes.listed,
    "/file": notes.file,
    "/memory": memory.view,
    "/journal": journal.view,
    "/health": health.view,
}
# Maps an address to its action, which returns where to go next, or a view if the input needs correcting.
ACTIONS: dict[str, Callable[[Visit], str | View]] = {
    "/review": review.settle,
    "/undo": journal.undo,
    "/memory/edit": memory.edit,
    "/memory/done": memory.done,
    "/memory/forget": memory.forget,
}
VIEWS |= {each.name: each.view for each in contributions.page_views()}
ACTIONS |= {each.name: each.act for each in contributions.page_views() if each.act}

Answer = Callable[[Request], Awaitable[Response]]


def routes(key: str, session: BrowserSession, hosts: Collection[str]) -> list[BaseRoute]:
    """Return the routes of the page, which answers to the names `hosts`. The first browser that brings the key gets
    the session. The key may stand in the address, because it works only once."""
    inner: list[BaseRoute] = [
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/enter", _entered, methods=["POST"]),
        *(Route(path, _doing(action), methods=["POST"]) for path, action in ACTIONS.items()),
        *(Route(path, _showing(view), methods=["GET"]) for path, view in VIEWS.items()),
    ]
    return [Mount("", Gate(Router(inner, default=request_response(_showing(_nothing_there))), key, session, hosts))]


def _showing(view: Callable[[Visit], View]) -> Answer:
    async def answer(request: Request) -> Response:
        session = request.state.session
        if key := request.query_params.get("key", ""):
            return _let_in(request, key)
        if session is None:
            return HTMLResponse(frame.sign_in_page(request), 401)
        return await run_in_threadpool(_shown, Visit(request, session), view)

    return answer


def _doing(action: Callable[[Visit], str | View]) -> Answer:
    async def answer(request: Request) -> Response:
        form = await _form(request)
        session = request.state.session
        if session is None:
            return HTMLResponse(frame.sign_in_page(request), 401)
        if form is None or not secrets.compare_digest(form.get("token", "").encode(), session.token.encode()):
            return HTMLResponse(frame.sign_in_page(request), 403)
        return await run_in_threadpool(_done, Visit(request, session, form), action)

    return answer


def _shown(visit: Visit, view: Callable[[Visit], View]) -> Response:
    """Return the page of a view, or a page with the reason why the view failed."""
    try:
        with extras.wanted():
            return _page(visit, view(visit))
    except MemError as error:
        return _page(visit, _failed(visit, error))
    except Exception as error:
        return _page(visit, _failed(visit, _crash(error)))
    finally:
        visit.wrote()


def _done(visit: Visit, action: Callable[[Visit], str | View]) -> Response:
    try:
        with extras.wanted():
            became = action(visit)
    except MemError as error:
        visit.tell(visit.failure(error), "failed")
        became = visit.back()
    except Exception as error:
        visit.tell(visit.failure(_crash(error)), "failed")
        became = visit.back()
    finally:
        visit.wrote()
    if isinstance(became, View):
        return _page(visit, became)
    for notice in visit.notices:
        visit.tell(visit.say(notice), "note")
    return RedirectResponse(became, 303)


def _page(visit: Visit, view: View) -> Response:
    return HTMLResponse(frame.document(visit, view), view.status)


def _crash(error: Exception) -> MemError:
    """Return an unexpected failure, for example of a feature's view, as an error for the reader; log where it was."""
    getLogger("uvicorn.error").error("the page failed", exc_info=error)
    return MemError(
        "unexpected: {why}", "the terminal that runs it shows where", why=f"{type(error).__name__}: {error}"
    )


def _failed(visit: Visit, error: MemError) -> View:
    failure = tag("p", visit.failure(error), class_="failed", role="alert")
    return View(visit.say("That can't be shown"), failure, status=STATUS.get(error.code, 500))


async def _form(request: Request) -> dict[str, str] | None:
    """Return the fields of a form, or None if it is too long or not a form."""
    data = b""
    async for piece in request.stream():
        data += piece
        if len(data) > LARGEST:
            return None
    try:
        fields = parse_qs(data.decode("utf-8"), keep_blank_values=True, max_num_fields=100)
    except ValueError:
        return None
    return {name: harmless(values[-1]) for name, values in fields.items()}


async def _entered(request: Request) -> Response:
    form = await _form(request)
    return _let_in(request, (form or {}).get("key", ""))


def _let_in(request: Request, key: str) -> Response:
    """Exchange a key for a cookie, and redirect to the address without the key."""
    gate: Gate = request.state.gate
    value = gate.enter(key.strip())
    if value is None:
        return HTMLResponse(frame.sign_in_page(request, wrong=True), 401)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(gate.cookie, value, httponly=True, samesite="strict")
    return answer


def _nothing_there(visit: Visit) -> View:
    raise VaultError("there is nothing at this address")
