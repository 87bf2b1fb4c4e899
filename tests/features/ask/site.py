"""A server of search results for tests: real HTTP on this machine, well-behaved or hostile."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.llm.server import Wire

ATOM = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv Query</title>%s</feed>"""
PAPER = """<entry><id>http://arxiv.org/abs/%s</id><updated>2024-05-02T09:00:00Z</updated>
<published>2024-03-01T09:00:00Z</published><title>Piers of
  bridges</title><summary>  We measure how
piers sink &amp; rise.</summary><author><name>Mirela Stanz</name></author><author><name>A. Dorn</name></author>
<category term="physics.geo-ph" scheme="http://arxiv.org/schemas/atom"/></entry>"""


@dataclass
class Site:
    """What was asked of it, and what it answers: something to be told as JSON, or a function that writes to the wire."""

    answer: Any
    url: str = ""
    asked: list[dict[str, list[str]]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


def told(
    text: str | bytes, kind: str = "application/json", code: int = 200, **headers: str
) -> Callable[[Wire], object]:
    return lambda wire: wire.head(code, kind, **headers).write(text)


def atom(*entries: str) -> Callable[[Wire], object]:
    return told(ATOM % "".join(entries), "application/atom+xml; charset=UTF-8")


@contextmanager
def served(answer: Any) -> Iterator[Site]:
    site = Site(answer if callable(answer) else told(json.dumps(answer)))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(parse_qs(urlsplit(self.path).query))
            site.headers.append({name.lower(): value for name, value in self.headers.items()})
            try:
                site.answer(Wire(self))
            except OSError:  # it was given up
                pass

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.url = f"http://127.0.0.1:{server.server_address[1]}/search"
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
