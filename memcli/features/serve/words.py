"""Turn a request into the words of its command, and the text piped into it. Inputs that do not fit the row are refused
by name.

No input is ever read as an option: a value is part of its option's word, `--tag=…`, or stands after `--`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from memcli.check_value import find_fault
from memcli.errors import UsageError
from memcli.rest_rows import JSON_LINE, PATH, QUERY, STDIN, WORD, Input, JsonSchema, Row


class InvalidInput(UsageError):
    """Mean that a request does not fit the inputs of its path."""


class RequestedCommand(NamedTuple):
    """Hold the command that a request became."""

    words: list[str]
    stdin: bytes
    format: str = ""  # one of the row's formats


def requested_command(
    row: Row, path: Mapping[str, str], query: Iterable[tuple[str, str]], headers: Mapping[str, str], body: bytes,
    agent: str | None = None,
) -> RequestedCommand:  # fmt: skip
    """Return the command for a request. Raise InvalidInput if the request does not fit. An `agent` is confined to its
    own space."""
    values = {**_in_address(row, path, query, headers), **_in_body(row, body)}
    for one in row.takes:
        if one.name in values:
            if fault := find_fault(one.name, values[one.name], one.schema):
                raise InvalidInput(fault, one.schema.get("description", ""))
        elif one.needed:
            raise InvalidInput(f"{one.name} is missing", one.schema.get("description", ""))
    if agent is not None:
        if values.get("agent", agent) != agent:
            raise InvalidInput("this token speaks for one agent alone", "leave agent out")
        values["agent"] = agent
    kind = str(values.get("format") or (row.formats[0][0] if row.formats else ""))
    values.update({"format": kind} if kind else {})
    return RequestedCommand(*_spelled(row, values), kind)


def _spelled(row: Row, values: Mapping[str, Any]) -> tuple[list[str], bytes]:
    fixed = [word for word in row.words if word.startswith("--")]
    last = [word for word in row.words if not word.startswith("--")]
    stdin, options = "", [*row.command.split(), *fixed]
    for one in row.takes:
        value = values.get(one.name)
        if value is None:
            continue
        if one.becomes == WORD:
            last += [_plain(each) for each in (value if isinstance(value, list) else [value])]
        elif one.becomes == STDIN:
            stdin = _plain(value)
        elif one.becomes == JSON_LINE:
            stdin = json.dumps(value)
        else:
            options += _option(one, value)
    if "agent" in values and not any(one.name == "agent" for one in row.takes):
        options.append(f"--agent={values['agent']}")
    return [*options, *(["--", *last] if last else [])], stdin.encode()


def _option(option: Input, value: Any) -> list[str]:
    if value is True:
        return [option.option]
    if value is False:
        return [f"--no-{option.option[2:]}"] if option.tri else []
    if option.schema["type"] == "integer":
        value = int(value)
    return [f"{option.option}={_plain(each)}" for each in (value if isinstance(value, list) else [value])]


def _plain(value: Any) -> str:
    """Return a value as a command line can hold it, without NUL and lone surrogates."""
    whole = str(value).replace("\0", "")
    return whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# -- where values stand ----------------------------------------------------------------------------------------------


def _in_address(
    row: Row, path: Mapping[str, str], query: Iterable[tuple[str, str]], headers: Mapping[str, str]
) -> dict[str, Any]:
    known = {one.name: one for one in row.takes if row.where(one) == QUERY}
    values: dict[str, Any] = {}
    for name, text in query:
        if name not in known:
            raise InvalidInput(f"there is no '{name}' to ask for", ", ".join(known) or "this path takes no query")
        schema = known[name].schema
        if schema["type"] == "array":
            values.setdefault(name, []).append(_read(name, text, schema["items"]))
        elif name in values:
            raise InvalidInput(f"{name} is said twice")
        else:
            values[name] = _read(name, text, schema)
    for one in row.takes:
        where = row.where(one)
        if where == PATH:
            values[one.name] = path[one.name]
        elif one.header and one.name.lower() in headers:
            values[one.name] = headers[one.name.lower()].strip().removeprefix("W/").strip('"')  # an ETag is quoted
    return values


def _read(name: str, text: str, schema: JsonSchema) -> Any:
    """Return a value of the query in the type that its schema names. Raise InvalidInput if it has another one."""
    kind = schema["type"]
    if kind == "boolean" and text in ("true", "false"):
        return text == "true"
    if kind == "integer" and re.fullmatch(r"-?\d{1,18}", text, re.A):
        return int(text)
    if kind == "string":
        return text
    raise InvalidInput(f"{name}: '{text[:40]}' is no {kind}")


def _in_body(row: Row, body: bytes) -> dict[str, Any]:
    schema = row.body
    if schema is None:
        if body.strip() not in (b"", b"{}"):
            raise InvalidInput("this path takes no body")
        return {}
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_no_constant) if body.strip() else {}
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"the body is not JSON: {error}", '{"name": "value"}') from None
    names: JsonSchema = {name: {} for name in schema["properties"]}  # the values are checked with those of the address
    wanted = {"type": "object", "properties": names, "additionalProperties": False}
    if fault := find_fault("the body", value, wanted):
        raise InvalidInput(fault)
    return dict(value)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
