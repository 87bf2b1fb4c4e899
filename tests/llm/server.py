"""A language model's server for tests: real HTTP on this machine, speaking the chat completions protocol, or breaking it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass
class Model:
    """What was asked, and what it answers: a text, or a function that writes to the wire itself, one after the other."""

    answers: list[Any]
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


class Wire:
    """What a misbehaving answer is made of."""

    def __init__(self, handler: BaseHTTPRequestHandler) -> None:
        self.handler = handler

    def head(self, code: int = 200, kind: str = "application/json", **headers: str) -> Wire:
        self.handler.send_response(code)
        self.handler.send_header("content-type", kind)
        for name, value in headers.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.end_headers()
        return self

    def write(self, *pieces: str | bytes, pause: float = 0.0) -> Wire:
        for piece in pieces:
            self.handler.wfile.write(piece.encode() if isinstance(piece, str) else piece)
            self.handler.wfile.flush()
            time.sleep(pause)
        return self


def whole(text: str, finish: str = "stop") -> str:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": finish}]})


def event(text: str, finish: str | None = None) -> str:
    return f"data: {json.dumps({'choices': [{'delta': {'content': text}, 'finish_reason': finish}]})}\n\n"


def streamed(*pieces: str, pause: float = 0.0) -> Callable[[Wire], object]:
    """An answer in pieces, with all that belongs to it."""
    events = [*map(event, pieces), event("", "stop"), "data: [DONE]\n\n"]
    return lambda wire: wire.head(kind="text/event-stream; charset=utf-8").write(*events, pause=pause)


def refuse(code: int, message: str, **headers: str) -> Callable[[Wire], object]:
    return lambda wire: wire.head(code, **headers).write(json.dumps({"error": {"message": message}}))


@contextmanager
def serving(*answers: Any) -> Iterator[Model]:
    """A server that gives these answers in turn, the last one again and again."""
    model = Model(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            model.asked.append(body)
            model.headers.append({name.lower(): value for name, value in self.headers.items()})
            model.paths.append(self.path)
            answer = model.answers[min(len(model.asked), len(model.answers)) - 1]
            wire = Wire(self)
            try:
                if callable(answer):
                    answer(wire)
                else:
                    wire.head().write(whole(answer))
            except OSError:  # the one who asked has left
                pass

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        model.url = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield model
        finally:
            server.shutdown()
