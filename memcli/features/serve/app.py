"""Build the application: each row of the table is a route. A token identifies the caller, the request becomes a
command, and what the command prints becomes the answer."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from memcli.errors import MemError
from memcli.features.serve import answers, openapi, problems
from memcli.features.serve.access import Access, AccessTokens
from memcli.features.serve.command_runner import CommandRunner
from memcli.features.serve.problems import Problem, too_much
from memcli.features.serve.words import RequestedCommand, requested_command
from memcli.rest_rows import Row

JSON, LINES, EVENTS = "application/json", "application/x-ndjson", "text/event-stream"
MINUTE = 60.0
RATED = 10_000  # how many tokens' use is remembered
T = TypeVar("T")


class Api:
    """Answers requests for the rows of the table."""

    def __init__(
        self, rows: Sequence[Row], runner: CommandRunner, tokens: AccessTokens, tell: Callable[[str], Any]
    ) -> None:
        self.rows, self.runner, self.tokens, self.tell = rows, runner, tokens, tell
        self.rates = Rates()
        self.document = json.dumps(openapi.document(rows), ensure_ascii=False).encode()
        self.is_ready: Callable[[], bool] = lambda: True

    def app(self, more: Sequence[BaseRoute] = (), middleware: Sequence[Middleware] = ()) -> Starlette:
        """Return the whole application, with `more` routes beside those of the table."""
        failures = dict.fromkeys((HTTPException, Problem, MemError, Exception), self._failed)
        return Starlette(
            routes=[*self.routes(), *more], exception_handlers=failures, middleware=middleware, lifespan=self._lifespan
        )

    def routes(self) -> list[Route]:
        """Return the routes, the longest paths first, because an id may hold slashes."""
        longest = sorted(self.rows, key=lambda row: -row.path.count("/"))
        return [
            Route(row.path.replace("}", ":path}"), partial(self._answer, row), methods=[row.method]) for row in longest
        ]

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        yield
        await self.runner.finish()

    # -- one request -------------------------------------------------------------------------------------------------

    async def _answer(self, row: Row, request: Request) -> Response:
        if not row.needs_token:
            return self._own(row)
        access = self._access(row, request)
        body, query = await self._body(row, request), request.query_params.multi_items()
        wanted = requested_command(row, request.path_params, query, request.headers, body, access.agent)
        if row.streams and (media := _stream_type(request.headers.get("accept", ""))):
            return _stream_response(self.runner, row, wanted, access, media)
        if row.writes:
            key, url, if_match = _key(request), request.url, request.headers.get("if-match", "")
            same = (row.method, url.path, url.query, if_match, body)
            done = self.runner.run_write(row, wanted, access, key, same)
        else:
            done = self.runner.run_read(row, wanted, access, query)
        return answers.response(await while_there(request, done))

    def _own(self, row: Row) -> Response:
        """Return the answer of a row that needs no token, made by the server itself."""
        if row.path == "/openapi.json":
            return Response(self.document, media_type=JSON)
        if row.path == "/ready" and not self.is_ready():
            raise Problem(503, "the vault is being read", headers={"Retry-After": str(problems.AGAIN)})
        return Response(b'{"status": "ok"}', media_type=JSON)

    def access(self, request: Request) -> Access:
        """Return the access of a request's token. It raises the same problem for every fault of a token."""
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        secret = secret.strip() if scheme.lower() == "bearer" else request.headers.get("x-api-key", "")
        access = self.tokens.access_of(secret)
        if access is None:
            raise Problem(401, "no token, or none that opens anything", "Authorization: Bearer TOKEN",
                          {"WWW-Authenticate": "Bearer"})  # fmt: skip
        self.rates.count(access)
        return access

    def _access(self, row: Row, request: Request) -> Access:
        access = self.access(request)
        if access.agent is not None and not row.for_agents:
            raise Problem(404, "there is nothing here")
        if row.writes and not access.may_write:
            raise Problem(403, "this token only reads")
        return access

    async def body(self, request: Request) -> bytes:
        """Return the whole body. Raise Problem if it comes too slowly, breaks off or is too large.

        The connection then stays open and the rest of the body is discarded, because closing it with unread bytes makes
        the client lose the answer. A client that keeps sending is cut off by `server.GuardedProtocol`.
        """
        limits = self.runner.limits
        try:
            body = await asyncio.wait_for(_read(request, limits.body), limits.seconds)
        except asyncio.TimeoutError:
            raise Problem(408, "the body did not come in time") from None
        except ClientDisconnect:
            raise Problem(400, "the body broke off") from None
        if body is None:
            raise Problem(413, f"the body is larger than {limits.body // 2**20} MB")
        return body

    async def _body(self, row: Row, request: Request) -> bytes:
        body = await self.body(request)
        kind = request.headers.get("content-type", JSON).partition(";")[0].strip().lower()
        if row.body and body and kind != JSON:
            raise Problem(415, f"the body is {kind[:60]}", f"Content-Type: {JSON}")
        return body

    def _failed(self, request: Request, error: Exception) -> Response:
        """Answer a refusal, an error of starlette itself such as a missing path or method, or a crash."""
        if isinstance(error, HTTPException):
            status = error.status_code if error.status_code in problems.TITLES else 400
            told = {404: "there is nothing here", 405: f"{request.method} can't be done here"}.get(status, error.detail)
            error = Problem(status, told, "/openapi.json lists the paths", dict(error.headers or {}))
        elif isinstance(error, MemError):
            error = problems.problem_of_error(error)
        elif not isinstance(error, Problem):
            self.tell(f"{request.method} {request.url.path}: {type(error).__name__}: {error}")
            error = Problem(500, "something went wrong here, and is told where the server was started")
        return answers.response(answers.problem_answer(error))


class Rates:
    """Count the requests of tokens that have a rate. All of a minute may come at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._free: dict[str, float] = {}  # by token: the time at which all its requests so far fit its rate

    def count(self, access: Access) -> None:
        """Count one more request. Raise Problem if it comes too early."""
        if not access.rate:
            return
        now = self.clock()
        due = max(self._free.pop(access.token, now), now) + MINUTE / access.rate
        wait = due - now - MINUTE
        self._free[access.token] = due if wait <= 1e-9 else due - MINUTE / access.rate
        if len(self._free) > RATED:
            self._free = {token: at for token, at in self._free.items() if at > now}
        if wait > 1e-9:
            raise too_much(f"{access.token} may ask {access.rate} times a minute; nothing was done", wait)


async def while_there(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of the work if the client stays. If it leaves, cancel what has not begun. Call it after the
    body was read."""
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        if not task.done():
            task.cancel()
    if task.cancelled() or not task.done():
        raise Problem(400, "the client has gone")
    return task.result()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _key(request: Request) -> str:
    """Return the caller's Idempotency-Key for this write, or ""."""
    key = request.headers.get(openapi.IDEMPOTENCY.lower())
    if key is not None and not openapi.KEY.fullmatch(key):
        raise Problem(400, f"that is no {openapi.IDEMPOTENCY}", "1 to 200 letters, digits and signs, no spaces")
    return key or ""


async def _read(request: Request, most: int) -> bytes | None:
    """Return the body, or None if it is larger than `most` bytes."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > most:
        return None
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > most:
            return None
        pieces.append(piece)
    return b"".join(pieces)


# -- answers in pieces ------------------------------------------------------------------------------------------------


def _stream_type(accept: str) -> str:
    """Return the media type of the stream that an Accept header asks for, or ""."""
    return next((media for media in (EVENTS, LINES) if media in accept.lower()), "")


def _stream_response(
    doing: CommandRunner, row: Row, asked: RequestedCommand, access: Access, media: str
) -> StreamingResponse:
    """Stream an answer while it is made, as lines of JSON or as the events that browsers read."""
    asked = asked._replace(words=[asked.words[0], "--stream", *asked.words[1:]])
    return StreamingResponse(_pieces(doing, row, asked, access, media), media_type=media)


async def _pieces(
    doing: CommandRunner, row: Row, asked: RequestedCommand, access: Access, media: str
) -> AsyncIterator[bytes]:
    loop, lines, gone = asyncio.get_running_loop(), asyncio.Queue[str | None](), False

    def hear(text: str) -> None:
        if gone:
            raise BrokenPipeError  # the client has gone, so the command ends
        loop.call_soon_threadsafe(lines.put_nowait, text)

    async def work() -> Problem | None:
        try:
            ran = await doing.hear(asked, access, hear)
            return problems.problem_of_command(row, ran) if ran.code or ran.error else None
        except Problem as problem:
            return problem
        finally:
            lines.put_nowait(None)

    task = asyncio.ensure_future(work())
    try:
        while (line := await lines.get()) is not None:
            if line.strip():
                yield _framed(line.strip(), media)
        if problem := await task:
            yield _framed(json.dumps({"event": "problem", **json.loads(problem.body)}, ensure_ascii=False), media)
    finally:
        gone = True
        task.cancel()  # a running command ends when it prints the next piece


def _framed(line: str, media: str) -> bytes:
    if media == LINES:
        return f"{line}\n".encode("utf-8", "replace")
    return f"event: {json.loads(line)['event']}\ndata: {line}\n\n".encode("utf-8", "replace")
