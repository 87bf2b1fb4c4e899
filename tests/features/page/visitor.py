"""A visitor without a browser: asks the page as a browser would, keeps its cookie, and reads what is in the HTML."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
from starlette.applications import Starlette

from memcli.features.page import app
from memcli.features.page.app import VIEWS
from memcli.page.visit import BrowserSession
from memcli.vault.vault import Vault
from tests.conftest import NOW, opened

ORIGIN = "http://127.0.0.1:8000"
HOSTS = {"127.0.0.1:8000", "localhost:8000"}


def there(*addresses: str) -> list[str]:
    """The addresses of views that are there: a feature may be missing."""
    return [each for each in addresses if re.match("/[a-z]*", each)[0] in VIEWS]  # type: ignore[index]


class Visitor:
    """One browser, on one vault."""

    def __init__(self, folder: Path, now: datetime = NOW, editor: str = "") -> None:
        def vault(flags: Mapping[str, Any] = {}) -> Vault:
            return opened(folder, now, **flags)

        self.session = BrowserSession(vault, vault, lambda: None, editor)
        self.app = Starlette(routes=app.routes("the-key", self.session, HOSTS))
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, **how: Any) -> httpx.Response:
        return self.ask_all(method, [path], **how)[0]

    def ask_all(self, method: str, paths: list[str], **how: Any) -> list[httpx.Response]:
        """Ask one after the other without the server's loop ending between them."""

        async def asked() -> list[httpx.Response]:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, cookies=self.cookies) as client:
                return [await client.request(method, path, **how) for path in paths]

        answers = asyncio.run(asked())
        self.cookies |= {name: value for answer in answers for name, value in answer.cookies.items()}
        return answers

    def enter(self) -> Visitor:
        assert self.ask("GET", "/?key=the-key").status_code == 303
        return self

    def see(self, path: str, status: int = 200) -> Page:
        answer = self.ask("GET", path)
        assert answer.status_code == status, answer.text
        return Page(answer.text)

    def send(self, path: str, origin: str = ORIGIN, **fields: str) -> httpx.Response:
        headers = {"content-type": "application/x-www-form-urlencoded", **({"origin": origin} if origin else {})}
        return self.ask("POST", path, content=urlencode(fields), headers=headers)

    def press(self, path: str, **fields: str) -> Page:
        """Send a form as the page has it, and see where that leads."""
        token = self.see("/").token
        answer = self.send(path, token=token, **fields)
        if answer.status_code == 303:
            return self.see(answer.headers["location"])
        return Page(answer.text)


class Page(HTMLParser):
    """The elements of a page, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.words = text, ""
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.words += data + " "

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def token(self) -> str:
        return next(each["value"] for each in self.all("input") if each.get("name") == "token")

    def value(self, name: str) -> str:
        return next(each["value"] for each in self.all("input") if each.get("name") == name)

    @property
    def links(self) -> list[str]:
        return [each["href"] for each in self.all("a") if "href" in each]

    @property
    def block(self) -> str:
        """What stands in the part that a model gets."""
        from html import unescape

        found = re.search(r'<pre [^>]*class="block">(.*?)</pre>', self.text, re.S)
        assert found
        return unescape(found[1])
