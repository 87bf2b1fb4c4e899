"""The application without a socket: one vault, one token that writes and one that reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from memcli.cli.clock import clock_of
from memcli.features.serve.access import Access
from memcli.features.serve.app import Api
from memcli.features.serve.command_runner import CommandRunner
from memcli.features.serve.paths import rows
from memcli.features.serve.run_command import run_command
from memcli.features.serve.work import ServerLimits
from memcli.warm import WarmVault, WarmVaults

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


def served(root: Path, limits: ServerLimits | None = None, run: Any = None) -> Served:
    environ = dict(os.environ)
    clock = clock_of(environ)
    told: list[str] = []
    vaults = WarmVaults(clock, environ, told.append)
    warm, run = vaults.at(root.resolve()), run or partial(run_command, environ)
    api = Api(
        rows(),
        CommandRunner(run, vaults, limits or ServerLimits(), clock),
        Tokens(root),
        told.append,
    )
    client = Served(api.app(), headers={"Authorization": f"Bearer {OWNER}"}, raise_server_exceptions=False)
    client.api, client.warm = api, warm
    return client


@pytest.fixture
def client(folder: Path) -> Iterator[Served]:
    (folder / "mem.yaml").write_text("", encoding="utf-8")
    with served(folder) as made:
        yield made
        made.warm.vaults.close()
