"""Describe failures as problem details (RFC 9457). The exit code of each error in `errors.py` decides the status."""

from __future__ import annotations

import json
import math
from typing import Any

from memcli.errors import Busy, ChangeConflict, MemError, NotFound, Refused
from memcli.features.serve.run_command import CommandResult
from memcli.features.serve.words import InvalidInput
from memcli.message import Message
from memcli.rest_rows import Row

MEDIA = "application/problem+json"
AGAIN = 1  # seconds after which to retry when the vault is busy

TITLES = {
    400: "not understood", 401: "a token is needed", 403: "not with this token", 404: "not found",
    405: "no such method", 406: "not to be had in that form", 408: "too slow", 409: "refused",
    412: "changed meanwhile", 413: "too large",
    415: "JSON is wanted", 421: "another host", 422: "not possible", 429: "too many at once", 500: "failed",
    501: "a part is missing here", 503: "not now", 504: "took too long",
}  # fmt: skip
# Maps exit codes to statuses. For exit code 1, each row has its own.
BY_CODE = {2: 422, 3: 503, 4: 409, 5: 501}


class Problem(Exception):
    """End a request with an error: a status, what it is about, and the headers that belong to it."""

    def __init__(
        self, status: int, detail: str, hint: str = "", headers: dict[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.hint, self.headers, self.more = status, detail, hint, headers or {}, more

    @property
    def body(self) -> bytes:
        facts = {"type": "about:blank", "title": TITLES[self.status], "status": self.status, "detail": self.detail}
        facts |= {"hint": self.hint} if self.hint else {}
        return json.dumps({**facts, **self.more}, ensure_ascii=False).encode("utf-8", "replace")


def too_much(detail: str, seconds: float) -> Problem:
    """Return the problem for a caller who is to try again after some seconds."""
    again = str(max(1, math.ceil(seconds)))
    return Problem(429, detail, Message("again in {n} s", n=again), {"Retry-After": again})


def problem_of_error(error: MemError, failed: int = 404, **more: Any) -> Problem:
    """Return the problem for an error. `failed` is the status for exit code 1."""
    status, headers = BY_CODE.get(error.code, failed if error.code == 1 else 500), {}
    if isinstance(error, InvalidInput):
        status = 400
    elif isinstance(error, NotFound):
        status = 404
    elif isinstance(error, ChangeConflict):
        status = 412
    elif isinstance(error, Busy):
        status, headers = 503, {"Retry-After": str(AGAIN)}
    return Problem(status, error.message, error.hint, headers, code=error.code, **more)


def problem_of_command(row: Row, ran: CommandResult) -> Problem:
    """Return the problem for a command that failed. It includes what the command answered all the same."""
    error = ran.error or (Refused if ran.code == 4 else MemError)(ran.err.strip() or "the command failed")
    try:
        answer = json.loads(ran.out)
    except ValueError:
        answer = None
    has_answer = isinstance(answer, dict) and "error" not in answer
    return problem_of_error(error, row.failed, **({"answer": answer} if has_answer else {}))
