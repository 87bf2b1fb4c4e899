"""Extract the JSON that fits a schema from a model's answer."""

from __future__ import annotations

import json
import re
from typing import Any

from memcli.check_value import find_fault
from memcli.text.clean import harmless
from memcli.text.images import without_images

Schema = dict[str, Any]

MOST_TRIES = 200  # places in an answer where JSON could begin
_BEGIN = re.compile(r"[{\[]")


def read_json(text: str, schema: Schema) -> tuple[Any, str]:
    """Return the first JSON in `text` that fits the schema, cleaned, and "".

    If none fits, return the first JSON there is and what keeps it from fitting.
    """
    first: tuple[Any, str] = (None, "there is no JSON in the answer")
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
        if not (wrong := find_fault("the answer", value, schema)):
            return value, ""
        if first[0] is None:
            first = value, wrong
    return first


def _clean(value: Any) -> Any:
    """Return a value with clean strings: escape sequences and hidden characters can also arrive as JSON escapes.

    1.0 becomes 1, which JSON does not tell apart.
    """
    if isinstance(value, str):
        return without_images(harmless(value))
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_clean(each) for each in value]
    return {harmless(name): _clean(each) for name, each in value.items()} if isinstance(value, dict) else value


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
