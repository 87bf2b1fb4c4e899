"""Query a search engine that answers in JSON.

It is SearXNG, or any endpoint whose results have a title, an address and a text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from memcli.errors import MissingPart
from memcli.evidence import Evidence, PlanStep
from memcli.features.ask.sources import far
from memcli.text.clean import one_line
from memcli.vault.vault import Vault

_MARKED = re.compile(r"</?(?:b|em|strong|mark|span|br|p)\b[^<>]{0,200}>", re.I)  # how engines show what matched


def find_evidence(vault: Vault, config: Mapping[str, Any], step: PlanStep) -> list[Evidence]:
    """Return the pages that match, each with the text that the engine shows.

    Raise MissingPart when it answers with no JSON.
    """
    key, url = _key(vault, config), str(config["url"])
    headers = {"accept": "application/json"}
    if key and "{key}" not in url:
        name = config.get("key_header", "")
        headers[name or "authorization"] = key if name else f"Bearer {key}"
    url = url.replace("{key}", quote(key, safe=""))
    query = quote(one_line(step.query)[: far.QUERY], safe="")
    if "{query}" in url:
        url = url.replace("{query}", query)
    else:
        url += f"{'&' if '?' in url else '?'}q={query}"
    try:
        found = far.results(far.get(url, step, "json", headers, key), config)
    except ValueError as error:
        raise MissingPart("what it answers is not JSON: {WHY}", WHY=one_line(str(error), 100)) from None
    return [_page(each) for each in far.as_evidence(vault, config, step, found)]


def _page(result: Evidence) -> Evidence:
    """Return a result whose place is a web address or empty, so that it can't pose as a file of the user's."""
    place = "".join(result.place.split()[:1]) if result.place.startswith(("https://", "http://")) else ""
    return replace(result, title=_MARKED.sub("", result.title), text=_MARKED.sub("", result.text), place=place)


def _key(vault: Vault, config: Mapping[str, Any]) -> str:
    if not (name := config.get("key_env", "")):
        return ""
    key = vault.environ.get(name, "").strip()
    if not key or not (key.isascii() and key.isprintable()):
        raise MissingPart(
            "it was not asked: {name} {WHY}",
            f"export {name}=…",
            name=name,
            WHY="has characters that no key has" if key else "is not set",
        )
    return key
