"""A client of `mem mcp`: the server as a real process, asked line by line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from queue import Queue
from types import TracebackType
from typing import Any

PATIENCE = 60.0  # seconds for an answer on a busy machine
VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
INFO = "io.modelcontextprotocol/clientInfo"
STATELESS = {VERSION: "2026-07-28", CAPABILITIES: {}, INFO: {"name": "new-agent", "version": "3"}}


class Client:
    """`mem WORDS… mcp` for as long as the block runs."""

    def __init__(
        self, *words: str, cwd: Path | None = None, program: tuple[str, ...] = ("-m", "memcli"), **environ: str
    ):
        self.words, self.cwd, self.program, self.environ = words, cwd, program, environ
        self.last = 0
        self.frames: Queue[bytes] = Queue()

    def __enter__(self) -> Client:
        self.process = subprocess.Popen(
            [sys.executable, *self.program, *self.words],
            cwd=self.cwd, env={**os.environ, **self.environ},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> int:
        """Close our end; the exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.frames.put(line)

    def write(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        self.write(json.dumps(message).encode() + b"\n")

    def receive(self) -> Any:
        return json.loads(self.frames.get(timeout=PATIENCE))

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """The reply to one request."""
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        reply = self.receive()
        assert reply["id"] == self.last and reply["jsonrpc"] == "2.0"
        return dict(reply)

    def result(self, method: str, **params: Any) -> dict[str, Any]:
        reply = self.request(method, **params)
        assert "error" not in reply, reply
        return dict(reply["result"])

    def shake_hands(self, version: str = "2025-06-18", name: str = "agent") -> dict[str, Any]:
        info = {"name": name, "version": "1"}
        result = self.result("initialize", protocolVersion=version, capabilities={}, clientInfo=info)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def tools(self) -> list[str]:
        return [tool["name"] for tool in self.result("tools/list")["tools"]]

    def call(self, name: str, **arguments: Any) -> tuple[str, bool]:
        """What a tool says, and whether it failed."""
        result = self.result("tools/call", name=name, arguments=arguments)
        assert [piece["type"] for piece in result["content"]] == ["text"]
        return result["content"][0]["text"], result["isError"]

    def says(self, name: str, **arguments: Any) -> str:
        text, failed = self.call(name, **arguments)
        assert not failed, text
        return text

    def refuses(self, name: str, **arguments: Any) -> str:
        text, failed = self.call(name, **arguments)
        assert failed, text
        return text
