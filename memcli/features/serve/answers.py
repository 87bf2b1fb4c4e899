"""Turn the result of a command into an HTTP answer: exactly the bytes that it printed, with their headers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

from starlette.responses import Response

from memcli.errors import NotFound
from memcli.features.serve import problems
from memcli.features.serve.keys import ApiAnswer
from memcli.features.serve.problems import Problem
from memcli.features.serve.run_command import CommandResult
from memcli.features.serve.words import RequestedCommand
from memcli.message import Message
from memcli.rest_rows import Row

MEMORIES, SESSIONS, JOBS = "/v1/memories", "/v1/sessions", "/v1/jobs"

Query = list[tuple[str, str]]
Outcome = tuple[int, dict[str, str]]  # status and headers


def answer_for(row: Row, ran: CommandResult, asked: RequestedCommand, query: Query) -> ApiAnswer:
    """Return the answer for a row. Raise Problem if its command failed."""
    if ran.code or ran.error:
        raise problems.problem_of_command(row, ran)
    media = dict(row.formats).get(asked.format, "application/json")
    status, headers = _outcome(row, ran.out, query)
    return ApiAnswer(status, ran.out.encode("utf-8", "replace"), media, headers)


def response(answer: ApiAnswer) -> Response:
    return Response(answer.body, answer.status, answer.headers, answer.media)


def problem_answer(problem: Problem) -> ApiAnswer:
    return ApiAnswer(problem.status, problem.body, problems.MEDIA, problem.headers)


def _outcome(row: Row, out: str, query: Query) -> Outcome:
    """Return the status and headers that depend on the output."""
    outcome_of = _OUTCOMES.get((row.method, row.path), _left if row.status == 202 else None)
    return outcome_of(row, json.loads(out), query) if outcome_of else (row.status, {})


def _added(row: Row, made: dict[str, Any], query: Query) -> Outcome:
    is_new = made["kept"] and not made.get("again")
    return (row.status if is_new else 200), _place(MEMORIES, made) if made["kept"] else {}


def _started(row: Row, made: dict[str, Any], query: Query) -> Outcome:
    return row.status, _place(row.path, made)


def _left(row: Row, made: dict[str, Any], query: Query) -> Outcome:
    """Return the address that reports the state of a job that was queued."""
    return row.status, {"Location": f"{JOBS}/{quote(made['job'], safe='')}"}


def _shown(row: Row, shown: Any, query: Query) -> Outcome:
    """Return the ETag of a memory. Raise Problem if a file or a day was shown, which is not a memory."""
    if not isinstance(shown, dict) or "hash" not in shown:
        raise problems.problem_of_error(
            NotFound("there is no such memory", Message("GET {path} lists them", path=MEMORIES))
        )
    return row.status, {"ETag": f'"{shown["hash"]}"'}


def _listed(row: Row, answered: dict[str, Any], query: Query) -> Outcome:
    """Return the link to the next page if the page is full, because more may follow."""
    page = answered["memories"]
    if len(page) < int(dict(query).get("limit", 20)) or not page:
        return row.status, {}
    last = page[-1]
    cursor = f"{last['day'] or '-'} {last['time'] or '-'} {last['path']}:{last['line']}"
    kept = [(name, value) for name, value in query if name != "cursor"]
    return row.status, {"Link": f'<{row.path}?{urlencode([*kept, ("cursor", cursor)])}>; rel="next"'}


def _place(path: str, made: dict[str, Any]) -> dict[str, str]:
    return {"Location": f"{path}/{quote(made['id'], safe='')}"} if "id" in made else {}


_OUTCOMES: dict[tuple[str, str], Callable[[Row, Any, Query], Outcome]] = {
    ("POST", MEMORIES): _added, ("GET", MEMORIES): _listed, ("GET", f"{MEMORIES}/{{id}}"): _shown,
    ("POST", SESSIONS): _started,
}  # fmt: skip
