"""Check the `Host` and `Origin` of requests, and where a server may listen at all.

A foreign web page can make a browser call any address of its user's machine, even under a host name of its own that
resolves to this server (DNS rebinding). So the server answers only to its own names and its own pages. It sets no
cookies.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from memcli.errors import Refused, UsageError
from memcli.features.serve import answers
from memcli.features.serve.problems import Problem

LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::", "")  # addresses to listen on that are nobody's name
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
TAKEN = (
    "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "X-API-Key", "MCP-Protocol-Version", "Mcp-Method",
    "Mcp-Name",
)  # fmt: skip
SHOWN = ("ETag", "Link", "Location", "Retry-After")


class OwnNames:
    """Pass on requests meant for this server, and shares answers only with its own pages and those of `origins`."""

    def __init__(self, app: ASGIApp, names: Sequence[str] = (), origins: Sequence[str] = ()) -> None:
        self.app = app
        self.names = {*LOOPBACK, *(name.lower().strip("[]") for name in names)}
        self.origins = {*origins}
        self.sharing = CORSMiddleware(app, origins, METHODS, TAKEN, expose_headers=SHOWN)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin", "").lower()
        if _name(host) not in self.names or len(headers.getlist("host")) != 1:
            await _refused(421, "this server has another name", "mem serve --name")(scope, receive, send)
        elif not origin or origin == f"{scope['scheme']}://{host.lower()}":
            await self.app(scope, receive, send)
        elif origin not in self.origins:
            await _refused(403, "not for pages from elsewhere", "mem serve --origin")(scope, receive, send)
        else:
            await self.sharing(scope, receive, send)


def listens_safely(host: str, certificate: str, key: str, plain: bool) -> dict[str, Any]:
    """Return the TLS options for uvicorn. Raise Refused if tokens and memories would cross a network unencrypted."""
    if bool(certificate) != bool(key):
        raise UsageError("--tls-cert and --tls-key belong together")
    if not certificate and not plain and not is_loopback(host):
        raise Refused(
            "{host} is more than this machine, and without TLS whoever is on the way reads tokens and memories",
            "--tls-cert FILE --tls-key FILE; or --insecure-plain-http, behind a proxy that has TLS",
            host=host,
        )
    return {"ssl_certfile": certificate, "ssl_keyfile": key} if certificate else {}


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _name(host: str) -> str:
    """Return the name in a `Host` header without its port, or "" if the header is not valid."""
    try:
        parts = urlsplit(f"//{host}")
        return (parts.hostname or "") if parts.netloc == host and "@" not in host else ""
    except ValueError:
        return ""


def origin_of(origin: str) -> str:
    """Return an origin in the form that browsers send. Raise UsageError if it is none."""
    scheme, _, host = origin.lower().partition("://")
    if scheme not in ("http", "https") or not _name(host):
        raise UsageError("--origin {origin} is not an origin", "https://app.example.org", origin=origin)
    return origin.lower()


def _refused(status: int, detail: str, hint: str) -> Response:
    return answers.response(answers.problem_answer(Problem(status, detail, hint)))
