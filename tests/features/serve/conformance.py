"""`/mcp` met by `@modelcontextprotocol/conformance`, which nobody here wrote. Run by hand; needs Node 22 or later:

    npm install --prefix DIR @modelcontextprotocol/conformance@0.2.0-alpha.12
    python -m tests.features.serve.conformance DIR [NODE]

Its client knows no tokens, so one is put on every request here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvicorn
from starlette.middleware import Middleware

from memcli.cli.clock import clock_of
from memcli.features.serve import mcp_over_http, server
from memcli.features.serve.access import Access, AccessTokens
from memcli.features.serve.app import Api
from memcli.features.serve.command_runner import CommandRunner
from memcli.features.serve.hosts import OwnNames
from memcli.features.serve.paths import rows
from memcli.features.serve.run_command import run_command
from memcli.features.serve.work import ServerLimits
from memcli.warm import WarmVaults

SCENARIOS = {
    "2026-07-28": ("server-stateless", "tools-list", "caching", "http-header-validation", "dns-rebinding-protection"),
    "2025-11-25": ("server-initialize", "ping", "tools-list", "dns-rebinding-protection"),
}


class WithToken:
    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", b"Bearer mem_conformance")]}
        await self.app(scope, receive, send)


def main(folder: Path, node: str) -> int:
    environ, failed = dict(os.environ), 0
    with TemporaryDirectory() as place:
        root = Path(place).resolve()
        (root / "mem.yaml").touch()
        clock = clock_of(environ)
        vaults = WarmVaults(clock, environ, print)
        doing = CommandRunner(partial(run_command, environ), vaults, ServerLimits(), clock)
        tokens = AccessTokens(environ, clock)
        tokens.own = ("mem_conformance", Access(root, may_write=True, token="c"))
        api = Api(rows(), doing, tokens, print)
        app = WithToken(api.app(mcp_over_http.routes(api, environ), [Middleware(OwnNames)]))
        sock = server.listen("127.0.0.1", 0)
        served = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", server_header=False))
        threading.Thread(target=served.run, args=([sock],), daemon=True).start()
        url = f"http://127.0.0.1:{sock.getsockname()[1]}/mcp"
        suite = folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
        for version, scenarios in SCENARIOS.items():
            for name in scenarios:
                words = [node, str(suite), "server", "--url", url, "--scenario", name, "--spec-version", version]
                done = subprocess.run(words, capture_output=True, text=True, cwd=place)
                failed += done.returncode != 0
                print(f"{version} {name}: {'passes' if done.returncode == 0 else 'fails'}")
                for line in (done.stdout + done.stderr).splitlines():
                    if line.startswith(("Passed:", "    Error:")):
                        print(f"  {line.strip()}")
        vaults.close()
    return failed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else "node"))
