"""Stream an answer while it is made, as lines of JSON or as the events that browsers read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse

from memcli.features.serve import problems
from memcli.features.serve.access import Access
from memcli.features.serve.command_runner import CommandRunner
from memcli.features.serve.problems import Problem
from memcli.features.serve.words import RequestedCommand
from memcli.rest_rows import Row

LINES, EVENTS = "application/x-ndjson", "text/event-stream"


def stream_type(accept: str) -> str:
    """Return the media type of the stream that an Accept header asks for, or ""."""
    return next((media for media in (EVENTS, LINES) if media in accept.lower()), "")


def stream_response(
    doing: CommandRunner, row: Row, asked: RequestedCommand, access: Access, media: str
) -> StreamingResponse:
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
