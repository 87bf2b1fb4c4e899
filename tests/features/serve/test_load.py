"""More than can be answered: who would wait too long is told at once, and nothing is done for who has gone."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from memcli.features.serve.run_command import CommandResult
from memcli.features.serve.work import ServerLimits
from tests.features import needs
from tests.features.serve.conftest import OWNER, READER, served


class Slow:
    """Commands that wait until they may go on; what was begun."""

    def __init__(self) -> None:
        self.go, self.lock = threading.Event(), threading.Lock()
        self.begun: list[str] = []

    def __call__(self, words: Any, stdin: bytes, access: Any, opener: Any, hear: Any = None) -> CommandResult:
        with self.lock:
            self.begun.append(stdin.decode() or words[-1])
        self.go.wait(20)
        return CommandResult(0, json.dumps({"kept": True, "dry_run": False, "id": "^a"}), "")


class Caller:
    """Requests to an application without sockets, whose clients can hang up."""

    def __init__(self, app: Any) -> None:
        self.app = app

    def post(self, path: str, body: dict[str, str], token: str = OWNER) -> Request:
        return Request(self.app, path, json.dumps(body).encode(), token)


class Request:
    def __init__(self, app: Any, path: str, body: bytes, token: str) -> None:
        self.gone, self.sent, self.body = asyncio.Event(), list[Any](), body
        headers = {"host": "localhost", "authorization": f"Bearer {token}", "content-type": "application/json"}
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip
        self.task = asyncio.ensure_future(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if self.body is not None:
            body, self.body = self.body, None  # type: ignore[assignment]
            return {"type": "http.request", "body": body, "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self.sent.append(message)

    async def status(self) -> int:
        await self.task
        return int(self.sent[0]["status"])

    async def hang_up(self) -> None:
        self.gone.set()
        await self.task


async def until(what: Any) -> None:
    for _ in range(1000):
        if what():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came to that")


def test_reads_that_would_wait_long_are_told_so_at_once_and_the_others_are_answered(folder: Path) -> None:
    slow = Slow()

    async def scene(client: Any) -> None:
        call = Caller(client.app)
        requests = [call.post("/v1/recall", {"query": f"question {number}"}) for number in range(10)]
        await until(lambda: sum(request.task.done() for request in requests) == 7)  # while nothing is answered
        late = call.post("/v1/recall", {"query": "of somebody else"}, READER)
        await until(lambda: sum(request.task.done() for request in requests) == 8)
        slow.go.set()
        statuses = Counter([await request.status() for request in requests])
        assert statuses == {429: 8, 200: 2} and await late.status() == 200

    with served(folder, ServerLimits(readers=1, reads=3), slow) as client:
        asyncio.run(scene(client))
        client.warm.vaults.close()
    assert len(slow.begun) == 3


@pytest.mark.parametrize(
    ("path", "body"),
    [("/v1/recall", "query"), ("/v1/memories", "text"), pytest.param("/v1/ask", "query", marks=needs("ask"))],
)
def test_nothing_is_begun_for_who_hung_up_while_they_waited(folder: Path, path: str, body: str) -> None:
    slow = Slow()

    async def scene(client: Any) -> None:
        call = Caller(client.app)
        first = call.post(path, {body: "first"})
        await until(lambda: slow.begun)
        gone, stays = call.post(path, {body: "gone"}), call.post(path, {body: "stays"})
        await asyncio.sleep(0.1)
        await gone.hang_up()
        slow.go.set()
        assert {await first.status(), await stays.status()} <= {200, 201}

    with served(folder, ServerLimits(readers=1, slow=1), slow) as client:
        asyncio.run(scene(client))
        client.warm.vaults.close()
    assert slow.begun == ["first", "stays"]


def test_a_write_that_has_begun_is_done_though_nobody_waits_for_it_and_the_next_waits_for_its_end(folder: Path) -> None:
    slow = Slow()

    async def scene(client: Any) -> None:
        call = Caller(client.app)
        first = call.post("/v1/memories", {"text": "first"})
        await until(lambda: slow.begun)
        await first.hang_up()
        second = call.post("/v1/memories", {"text": "second"})
        await asyncio.sleep(0.1)
        assert slow.begun == ["first"]
        slow.go.set()
        assert await second.status() == 201

    with served(folder, None, slow) as client:
        asyncio.run(scene(client))
        client.warm.vaults.close()
    assert slow.begun == ["first", "second"]
