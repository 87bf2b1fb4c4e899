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
from memcli.cli.terminal import Terminal
from memcli.features.serve.access import Access
from memcli.features.serve.alone import OneVault
from memcli.features.serve.app import Api
from memcli.features.serve.cli import names
from memcli.features.serve.command_runner import CommandRunner
from memcli.features.serve.paths import offered
from memcli.features.serve.runs import Runs
from memcli.features.serve.work import Limits
from memcli.warm import WarmVault

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
