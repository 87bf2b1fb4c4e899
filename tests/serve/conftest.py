"""The application without a socket: one vault, one token that writes and one that reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from memcli.cli.clock import clock_of
from memcli.cli.runs import Runs
from memcli.cli.serve import names
from memcli.cli.terminal import Terminal
from memcli.serve.access import Access
from memcli.serve.alone import OneVault
from memcli.serve.app import Api
from memcli.serve.command_runner import CommandRunner
from memcli.serve.paths import offered
from memcli.serve.warm import WarmVault
from memcli.serve.work import Limits

OWNER, READER, AGENT = "mem_owner", "mem_reader", "mem_agent"


@dataclass
class Tokens:
    root: Path

    def access_of(self, secret: str) -> Access | None:
        return {
            OWNER: Access(self.root, may_write=True, token="owner"),
            READER: Access(self.root, may_write=False, token="reader"),
            AGENT: Access(self.root, agent="coder", may_write=True, token="agent"),
        }.get(secret)


class Served(TestClient):
    """A client of the application, as the owner."""

    api: Api
    warm: WarmVault

    def as_(self, token: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {token}"}


def served(root: Path, limits: Limits | None = None, run: Any = None) -> Served:
    environ = dict(os.environ)
    clock = clock_of(environ)
    told: list[str] = []
    warm = WarmVault(root.resolve(), clock, environ, told.append)
    run = run or Runs(Terminal(environ, root, *([open(os.devnull, "w")] * 2)))  # noqa: SIM115
    api = Api(
        offered(names()), CommandRunner(run, OneVault(warm), limits or Limits(), clock), Tokens(root), told.append
    )
    client = Served(api.app(), headers={"Authorization": f"Bearer {OWNER}"}, raise_server_exceptions=False)
    client.api, client.warm = api, warm
    return client


@pytest.fixture
def client(folder: Path) -> Iterator[Served]:
    (folder / "mem.yaml").write_text("", encoding="utf-8")
    with served(folder) as made:
        yield made
        made.warm.close()
