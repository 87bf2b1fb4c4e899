"""Make `openapi.json` (3.1) from the table of paths."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from memcli import __version__
from memcli.features.serve import problems
from memcli.rest_rows import BODY, HEADER, PATH, Input, Row

IDEMPOTENCY = "Idempotency-Key"
KEY = re.compile(r"[!-~]{1,200}")


def document(rows: Sequence[Row]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for row in rows:
        paths.setdefault(row.path, {})[row.method.lower()] = operation(row)
    return {
        "openapi": "3.1.0",
        "info": {"title": "mem", "version": __version__, "description": "A local-first memory, over HTTP."},
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {"Problem": _PROBLEM},
        },
    }


def operation(row: Row) -> dict[str, Any]:
    described: dict[str, Any] = {"operationId": name_of(row), "summary": row.summary}
    if parameters := [_parameter(row, one) for one in row.takes if row.where(one) != BODY]:
        described["parameters"] = parameters
    if row.writes:
        what = "A name of your own for this write: sent again within a day, it is answered again and not done again."
        schema = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": f"^{KEY.pattern}$"}
        described.setdefault("parameters", []).append(
            {"name": IDEMPOTENCY, "in": "header", "required": False, "description": what, "schema": schema}
        )
    if body := row.body:
        described["requestBody"] = {
            "required": bool(body.get("required")), "content": {"application/json": {"schema": body}},
        }  # fmt: skip
    media = dict.fromkeys(kind for _, kind in row.formats) or ["application/json"]
    if row.streams:
        media = [*media, "application/x-ndjson", "text/event-stream"]
    content = {kind: {"schema": row.answer if kind == "application/json" else {"type": "string"}} for kind in media}
    described["responses"] = {str(row.status): {"description": "Done.", "content": content}}
    described["responses"] |= {str(status): {"$ref": "#/components/responses/Problem"} for status in statuses(row)}
    described["security"] = [{"token": []}] if row.needs_token else []
    return described


def statuses(row: Row) -> list[int]:
    """Return the error statuses that a row may answer."""
    if not row.needs_token:
        return [405, 503]
    found = {400, 401, 404, 405, 406, 408, 413, 422, 429, 500, 501, 503, 504}
    found |= {415} if row.body else set()
    found |= {403, 409} if row.writes else {409}
    found |= {412} if row.method in ("PATCH", "DELETE", "PUT", "POST") else set()
    return sorted(found)


def name_of(row: Row) -> str:
    """Return the operation id of a row, such as `get_memories_id_history`."""
    return "_".join(filter(None, [row.method.lower(), *re.findall(r"\w+", row.path.removeprefix("/v1"))]))


def _parameter(row: Row, input: Input) -> dict[str, Any]:
    where = row.where(input)
    schema = {name: value for name, value in input.schema.items() if name != "description"}
    shape: dict[str, Any] = {"style": "form", "explode": True} if schema["type"] == "array" else {}
    return {
        "name": input.name, "in": where, "required": where == PATH or (input.needed and where != HEADER),
        "description": input.schema.get("description", ""), "schema": schema, **shape,
    }  # fmt: skip


_PROBLEM = {
    "description": "Why not, as problem details (RFC 9457).",
    "headers": {"Retry-After": {"schema": {"type": "string"}, "description": "With 429 and 503: seconds."}},
    "content": {
        problems.MEDIA: {
            "schema": {
                "type": "object",
                "required": ["type", "title", "status", "detail"],
                "properties": {
                    "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"},
                    "detail": {"type": "string"}, "hint": {"type": "string", "description": "What to do about it."},
                    "code": {"type": "integer", "description": "The exit code of the command."},
                    "answer": {"type": "object", "description": "What the command answered all the same."},
                },
            }
        }
    },
}  # fmt: skip
