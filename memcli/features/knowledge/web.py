"""Fetch web pages within limits, and convert HTML to Markdown without menus and other surroundings."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from memcli.features.knowledge.documents import KnowledgeDocument
from memcli.http import Call, HttpError, HttpLimits
from memcli.message import Message
from memcli.text.clean import one_line

LARGEST = 20 * 2**20  # bytes of a page, packed or not
SECONDS, SILENCE = 20.0, 10.0  # seconds for the whole page, and seconds of silence
HOPS = 5
PAGE = 8 * 2**20  # characters of HTML; reading more of it takes minutes
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset=[\"']?\s*([\w-]{1,30})", re.I)
_KINDS = {
    "text/html": "html", "application/xhtml+xml": "html", "application/pdf": "pdf", "text/markdown": "markdown",
    "text/plain": "text",
}  # fmt: skip


def fetch(url: str) -> tuple[bytes, str, str]:
    """Return the bytes at an address, their kind if the server names one we know, and their encoding.

    Raise ValueError with the reason when it can't be fetched.
    """
    if "@" in url.partition("://")[2].partition("/")[0]:
        raise ValueError("an address with a password in it would be kept with it: leave it out")
    accept = {"accept": "text/html, text/markdown, application/pdf, text/plain, */*;q=0.1"}
    limits = HttpLimits(SECONDS, SILENCE, SILENCE, LARGEST)
    try:
        with Call(url, limits, accept, hops=HOPS, packing="gzip") as call:
            if call.status != 200:
                raise ValueError(Message("the server answered {n}", n=call.status))
            if call.kind not in (*_KINDS, "", "application/octet-stream"):
                raise ValueError(Message("is {type}, which can't be read as a document", type=one_line(call.kind, 60)))
            return call.read_body(), _KINDS.get(call.kind, ""), call.charset
    except HttpError as error:
        raise ValueError(str(error)) from None


def page_to_document(html: str, origin: str) -> KnowledgeDocument:
    """Return the text of a page with its headings, lists, tables and code, without menus and footers.

    Raise ValueError when there is none, or when it is too long.
    """
    try:
        import trafilatura
    except ImportError:
        raise ValueError("trafilatura is missing: pip install 'memcli[knowledge]'") from None
    if len(html) > PAGE:
        raise ValueError(Message("{n} million characters of HTML are too many for one document", n=len(html) // 2**20))
    found: Any = trafilatura.bare_extraction(
        html, include_formatting=True, include_comments=False, favor_recall=True, with_metadata=True, config=_config()
    )
    text = (found and found.text) or trafilatura.html2txt(html)
    if not text.strip():
        raise ValueError("has no text")
    known = {name: getattr(found, name, None) for name in ("title", "date", "author", "sitename", "description")}
    title, date = known.pop("title") or "", known.pop("date") or ""
    return KnowledgeDocument(
        origin, title, text, "html", date=date, meta={key: value for key, value in known.items() if value}
    )


def charset(data: bytes) -> str:
    """Return the encoding that a page names itself, or ""."""
    found = _CHARSET.search(data[:4096])
    return found[1].decode() if found else ""


@cache
def _config() -> Any:
    from copy import deepcopy

    from trafilatura.settings import DEFAULT_CONFIG

    config = deepcopy(DEFAULT_CONFIG)
    changes = {"min_extracted_size": "20", "extensive_date_search": "off", "extraction_timeout": "0"}
    for name, value in changes.items():  # short pages keep their headings; no dates are guessed
        config.set("DEFAULT", name, value)
    return config
