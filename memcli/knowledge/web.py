"""Pages of the web: an address fetched within limits, and HTML as Markdown without what surrounds the text."""

from __future__ import annotations

import re
import time
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from memcli import __version__
from memcli.knowledge.documents import KnowledgeDocument
from memcli.text.clean import one_line

if TYPE_CHECKING:
    import httpx

LARGEST = 20 * 2**20  # bytes of a page, packed or not
SECONDS, SILENCE = 20.0, 10.0  # for all of it, and without a word
HOPS = 5
PAGE = 8 * 2**20  # characters of HTML; reading more of it takes minutes
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset=[\"']?\s*([\w-]{1,30})", re.I)
_KINDS = {
    "text/html": "html", "application/xhtml+xml": "html", "application/pdf": "pdf", "text/markdown": "markdown",
    "text/plain": "text",
}  # fmt: skip


def fetch(url: str) -> tuple[bytes, str, str]:
    """What lies at an address: the bytes, their kind if the server tells one we know, and their encoding."""
    import httpx

    typed = _host(url)
    until = time.monotonic() + SECONDS
    headers = {
        "user-agent": f"mem/{__version__}",
        "accept": "text/html, text/markdown, application/pdf, text/plain, */*;q=0.1",
        "accept-encoding": "gzip",
    }
    try:
        with httpx.Client(timeout=SILENCE, headers=headers) as client:
            for _ in range(HOPS + 1):
                if (host := _host(url)) != typed and _private(host):
                    raise ValueError(f"sends on to {host}, which is no address of the public web")
                with client.stream("GET", url) as response:
                    if response.next_request is not None:
                        url = urljoin(url, response.headers["location"])
                        continue
                    if response.status_code != 200:
                        raise ValueError(f"the server answered {response.status_code}")
                    packed = response.headers.get("content-encoding", "").strip().lower()
                    if packed not in ("", "identity", "gzip"):  # packed twice, a hundred kilobytes unfold to gigabytes
                        raise ValueError(f"is packed as {one_line(packed, 60)}, which was not asked for")
                    said = response.headers.get("content-type", "").partition(";")[0].strip().lower()
                    if said in _KINDS or said in ("", "application/octet-stream"):
                        return _body(response, until), _KINDS.get(said, ""), response.charset_encoding or ""
                    raise ValueError(f"is {one_line(said, 60)}, which can't be read as a document")
    except httpx.TimeoutException:
        raise ValueError("could not be reached in time") from None
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError) as error:
        raise ValueError(f"can't be fetched: {one_line(str(error), 200) or type(error).__name__}") from None
    raise ValueError(f"sends on more than {HOPS} times")


def page(html: str, origin: str) -> KnowledgeDocument:
    """The text of a page with its headings, lists, tables and code, without menus and footers."""
    try:
        import trafilatura
    except ImportError:
        raise ValueError("trafilatura is missing: pip install 'memcli[knowledge]'") from None
    if len(html) > PAGE:
        raise ValueError(f"{len(html) // 2**20} million characters of HTML are too many for one document")
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
    """The encoding that a page names itself."""
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


def _host(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("is no address of the web: http:// or https://")
    if parts.username or parts.password:
        raise ValueError("an address with a password in it would be kept with it: leave it out")
    return parts.hostname.lower()


def _private(host: str) -> bool:
    """Whether a name leads into this machine or its network; a page must not send us there."""
    import ipaddress
    import socket

    try:
        found = socket.getaddrinfo(host, None)
    except OSError:
        return False  # it leads nowhere, which the client will say
    return any(not ipaddress.ip_address(str(each[4][0]).partition("%")[0]).is_global for each in found)


def _body(response: httpx.Response, until: float) -> bytes:
    read = bytearray()
    for piece in response.iter_bytes():
        read += piece
        if len(read) > LARGEST:
            raise ValueError(f"has more than {LARGEST // 2**20} MB")
        if time.monotonic() > until:
            raise ValueError(f"took more than {SECONDS:.0f} s")
    return bytes(read)
