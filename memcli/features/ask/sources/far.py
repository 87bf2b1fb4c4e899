"""Query remote sources: make one request within its limits, and read foreign JSON as evidence."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from memcli.errors import MissingPart
from memcli.evidence import Evidence, PlanStep, iso_day
from memcli.http import Call, HttpError, HttpLimits
from memcli.llm.target import MOST_BYTES, safe_url
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault.vault import Vault

QUERY = 400  # characters of a question that are sent
CONNECT = 5.0  # seconds after which a host that does not answer is given up

# The names of JSON fields that are tried when `fields` names none.
_NAMES = {
    "results": ("results", "items", "hits", "documents", "docs", "data"),
    "title": ("title", "name", "headline"),
    "url": ("url", "link", "href", "place", "path"),
    "text": ("content", "text", "snippet", "description", "summary", "abstract", "body"),
    "date": ("date", "publishedDate", "published", "updated"),
}


def get(url: str, step: PlanStep, kind: str, headers: Mapping[str, str] = {}, key: str = "") -> str:
    """Return the response of an address as text.

    The response must declare that it is of `kind`, and redirects are not followed, so that the question and the answer
    stay between the user and the source. Raise MissingPart otherwise.
    """
    there = safe_url(url)
    try:
        with Call(url, HttpLimits(step.limit, step.limit, min(CONNECT, step.limit), MOST_BYTES), headers) as call:
            _check(call, kind, there)
            return call.read_body().decode("utf-8-sig")
    except HttpError as error:
        why = str(error)  # a message, which stays one if the key is not in it
        why = why.replace(key, "[key]") if key and key in why else why
        raise MissingPart("{name} {WHY}", name=there, WHY=why) from None
    except UnicodeDecodeError:
        raise MissingPart("what {name} answers is not UTF-8", name=there) from None


def _check(call: Call, kind: str, name: str) -> None:
    if 300 <= call.status < 400:
        raise MissingPart("{name} sends elsewhere, which is not followed", "url: takes the final address", name=name)
    if call.status != 200:
        hint = {
            401: "key_env names the variable that holds the key",
            403: "SearXNG answers JSON where its settings allow that format; others want a key (key_env)",
            429: "it has enough of us for now",
        }.get(call.status, "")
        raise MissingPart("{place} answered {n}", hint, place=name, n=call.status)
    if kind not in call.kind:
        hint = "SearXNG needs format=json in its url" if kind == "json" else ""
        raise MissingPart(
            "{name} answered {given}, not {wanted}",
            hint,
            name=name,
            given=one_line(call.kind, 60) or "something",
            wanted=kind.upper(),
        )


def results(text: str, config: Mapping[str, Any]) -> list[Any]:
    """Return the results in a JSON answer: a list, a list in an object, or the object itself.

    Raise MissingPart when the configured path holds no list, ValueError when the text is not JSON.
    """
    try:
        data = json.loads(text)
    except RecursionError:
        raise ValueError("the JSON is too deep") from None
    if path := config.get("fields", {}).get("results"):
        data = _at(data, path)
    elif isinstance(data, dict):
        data = next((data[name] for name in _NAMES["results"] if isinstance(data.get(name), list)), [data])
    if not isinstance(data, list):
        raise MissingPart("its JSON has no list of results", "fields: {results: web.results} says where it is")
    return data


def as_evidence(vault: Vault, config: Mapping[str, Any], step: PlanStep, found: Iterable[Any]) -> list[Evidence]:
    """Return results as evidence, best first.

    Their ids are dropped, so that none can pose as a note or a document of ours.
    """
    fields, undated = config.get("fields", {}), 0
    given: list[Evidence] = []
    seen: dict[str, None] = {}
    for one in found:
        if len(given) == step.most:
            break
        if not isinstance(one, Mapping):
            continue
        values = {name: _first(one, (fields[name],) if name in fields else _NAMES[name]) for name in _NAMES}
        if not values["text"].strip():
            seen |= dict.fromkeys(list(one)[:10])
            continue
        date = iso_day(values["date"])
        if step.want.since or step.want.until:
            undated += not date
            if not within(step, date):
                continue
        title = values["title"] or one_line(values["text"], 60)
        given.append(Evidence(step.source, "", title, values["url"], values["text"], date))
    if undated:
        vault.notice("{name}: {n} result{s} left out, without a date", name=step.source, n=undated)
    if seen and not given and not undated:
        names = one_line(", ".join(map(str, seen)), 100)
        raise MissingPart(
            "none of its results has a text",
            Message("they have {names}; fields: {{text: NAME}} says which it is", names=names),
        )
    return given


def within(step: PlanStep, date: str) -> bool:
    """Return whether a day lies in the wanted period. An unknown day does not."""
    since, until = step.want.since, step.want.until
    return bool(date) and not (since and date < since.isoformat()) and not (until and date > until.isoformat())


def _first(record: Mapping[str, Any], names: Iterable[str]) -> str:
    """Return the first of these fields that holds text, or ""."""
    for name in names:
        value = _at(record, name)
        if isinstance(value, list):
            value = "\n".join(piece for piece in value if isinstance(piece, str))
        if isinstance(value, (str, int, float)) and str(value).strip():
            return str(value)
    return ""


def _at(data: Any, path: str) -> Any:
    """Return the value at a path such as `web.results`, or None."""
    if isinstance(data, Mapping) and path in data:
        return data[path]
    for part in path.split("."):
        data = data.get(part) if isinstance(data, Mapping) else None
    return data
