"""Guard the page: the key is exchanged for a cookie, once, and only forms of the page at its own address may write."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memcli.page.visit import BrowserSession

READING = ("GET", "HEAD")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # without a referrer a form would not send its origin
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Gate:
    """Wrap all routes of the page, for the session of the browser that brings the key. `hosts` are the names that the
    page answers to."""

    def __init__(self, app: ASGIApp, key: str, session: BrowserSession, hosts: Collection[str]) -> None:
        self.app, self.key, self.session, self.hosts = app, key, session, hosts
        self.value = ""  # of the cookie, once the key was used
        # Cookies ignore ports, so two pages on one machine need different names.
        self.cookie = f"mem-{secrets.token_hex(4)}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close"})  # the page has no websockets
            return
        headers = Headers(scope=scope)
        scope.setdefault("state", {}).update(gate=self, session=self._session(headers))

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    sent[name] = value
                sent.setdefault("Cache-Control", "no-store")
            await send(message)

        if why := self._why_not(scope["method"], headers):
            await PlainTextResponse(f"{why}\n", 403)(scope, receive, sealed)
        else:
            await self.app(scope, receive, sealed)

    def enter(self, key: str) -> str | None:
        """Exchange the key for a cookie and return the cookie's value, or None if it is another key or was used."""
        if not self.key or not secrets.compare_digest(key.encode(), self.key.encode()):
            return None
        self.key, self.value = "", secrets.token_urlsafe(32)
        return self.value

    def _why_not(self, method: str, headers: Headers) -> str:
        host = headers.get("host", "")
        if host.lower() not in self.hosts:
            return "this page does not answer to that name"
        if method in READING:
            return ""
        if headers.get("origin", "").partition("://")[2].lower() != host.lower() or not host:
            return "this did not come from the page"
        return ""

    def _session(self, headers: Headers) -> BrowserSession | None:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return None
        known = found and self.value and secrets.compare_digest(found.value.encode(), self.value.encode())
        return self.session if known else None
