"""Check values that programs send over HTTP or MCP, and those of a model's answer, against their JSON Schema.

It knows the part of JSON Schema that is used here, and loads next to nothing.
"""

from __future__ import annotations

import math

TYPE_CHECKING = False  # spares every start of `mem mcp` the import of `typing`
if TYPE_CHECKING:
    from typing import Any

_KINDS: dict[str, tuple[Any, str]] = {
    "string": (str, "a string"), "integer": (int, "a whole number"), "number": ((int, float), "a number"),
    "boolean": (bool, "true or false"), "array": (list, "a list"), "object": (dict, "an object"),
}  # fmt: skip
_SIZES = {"string": ("Length", "characters"), "array": ("Items", "items")}


def find_fault(name: str, value: Any, schema: dict[str, Any]) -> str:
    """Return a sentence that says what to send instead of a value, or "" if it fits."""
    kind, items, known = schema.get("type"), schema.get("items", {}), schema.get("properties", {})
    if (kind and not _is(value, schema)) or value not in schema.get("enum", [value]):
        return f"{name} must be {_wanted(schema)}"
    if kind in _SIZES:
        bound, what = _SIZES[kind]
        least, most = schema.get(f"min{bound}", 0), schema.get(f"max{bound}", math.inf)
        if not least <= len(value) <= most:
            taken = f"{least} to {most:.0f}" if least else f"at most {most:.0f} {what}"
            return f"{name} has {len(value)} {what}; {taken} are taken"
    if kind == "array":
        return next(filter(None, (find_fault(name, each, items) for each in value)), "")
    if kind == "object":
        strange = [key for key in value if key not in known]
        if strange and schema.get("additionalProperties") is False:
            return f"there is no '{strange[0][:40]}' in {name}: it takes {', '.join(known)}"
        if missing := [key for key in schema.get("required", ()) if key not in value]:
            return f"{missing[0]} is missing"
        return next(filter(None, (find_fault(key, value[key], known[key]) for key in known if key in value)), "")
    return ""


def _is(value: Any, schema: dict[str, Any]) -> bool:
    kind = schema["type"]
    if kind == "integer" and isinstance(value, float) and value.is_integer():  # in JSON Schema, 1.0 is an integer
        kind = "number"
    if not isinstance(value, _KINDS[kind][0]) or (isinstance(value, bool) and kind != "boolean"):
        return False
    if kind in ("integer", "number"):
        return bool(schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf))
    return not _is_of_strings(schema) or all(isinstance(each, str) for each in value)


def _is_of_strings(schema: dict[str, Any]) -> bool:
    return bool(schema["type"] == "array" and schema.get("items", {}).get("type") == "string")


def _wanted(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    what = 'a list of strings: ["cache"]' if _is_of_strings(schema) else _KINDS[schema["type"]][1]
    return what + (f" from {schema.get('minimum', 0)} to {schema['maximum']}" if "maximum" in schema else "")
