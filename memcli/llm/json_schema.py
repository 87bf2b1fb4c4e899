"""Extract JSON from a model's answer, and validate it against the part of JSON Schema that our questions use."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from memcli.text.clean import harmless
from memcli.text.images import without_images

Schema = Mapping[str, Any]

MOST_TRIES = 200  # places in an answer where JSON could begin
_BEGIN = re.compile(r"[{\[]")
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "number": (int, float), "integer": (int,),
    "boolean": (bool,),
}  # fmt: skip


def read_json(text: str, schema: Schema) -> tuple[Any, list[str]]:
    """Return the first JSON in `text` that fits the schema, cleaned, with no problems.

    If none fits, return the first JSON there is and its problems.
    """
    first: tuple[Any, list[str]] = (None, ["there is no JSON in the answer"])
    decoder, at = json.JSONDecoder(parse_constant=_no_number), 0
    for _ in range(MOST_TRIES):
        begin = _BEGIN.search(text, at)
        if not begin:
            break
        try:
            value, at = decoder.raw_decode(text, begin.start())
        except (ValueError, RecursionError):
            at = begin.end()
            continue
        value = _clean(value)
        if not (wrong := list(problems(value, schema))):
            return value, []
        if first[0] is None:
            first = value, wrong
    return first


def problems(value: Any, schema: Schema, at: str = "the answer") -> Iterator[str]:
    """Yield what keeps `value` from fitting `schema`, each with its place."""
    if "type" in schema and not _is(value, schema["type"]):
        yield f"{at} is not of type {schema['type']}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at} is none of {json.dumps(schema['enum'], ensure_ascii=False)}"
    if isinstance(value, dict):
        known = schema.get("properties", {})
        yield from (f"{at} lacks '{name}'" for name in schema.get("required", ()) if name not in value)
        for name in known.keys() & value.keys():
            yield from problems(value[name], known[name], f"{at}.{name}")
    elif isinstance(value, list):
        yield from _outside(len(value), schema, "Items", at)
        for number, each in enumerate(value):
            yield from problems(each, schema.get("items", {}), f"{at}[{number}]")
    elif isinstance(value, str):
        yield from _outside(len(value), schema, "Length", at)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _outside(value, schema, "imum", at)


def _outside(size: float, schema: Schema, what: str, at: str) -> Iterator[str]:
    least, most = schema.get(f"min{what}", -math.inf), schema.get(f"max{what}", math.inf)
    if not least <= size <= most:
        yield f"{at} has {size}, not {least:g} to {most:g}"


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name]) and not (isinstance(value, float) and not math.isfinite(value))


def _clean(value: Any) -> Any:
    """Return a value with clean strings: escape sequences and hidden characters can also arrive as JSON escapes."""
    if isinstance(value, str):
        return without_images(harmless(value))
    if isinstance(value, list):
        return [_clean(each) for each in value]
    return {harmless(name): _clean(each) for name, each in value.items()} if isinstance(value, dict) else value


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
