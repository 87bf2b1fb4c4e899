"""A hub of one model on this machine: just as much of its protocol as a download needs."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a hub with the files of `folder` in every repository."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    class Hub(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self.do_GET(body=False)

        def do_GET(self, body: bool = True) -> None:
            place = self.path.split("?")[0]
            if "/resolve/" in place:
                name = place.split("/resolve/")[1].split("/", 1)[1]
                data = files.get(name)
                if data is None:
                    self.answer(404, b"", {"X-Error-Code": "EntryNotFound"}, body)
                    return
                marks = {"ETag": f'"{_mark(data)}"', "X-Repo-Commit": COMMIT}
                self.answer(200, data, marks, body)
            elif "/tree/" in place:
                tree = [
                    {"type": "file", "path": name, "size": len(data), "oid": _mark(data)}
                    for name, data in files.items()
                ]
                self.answer(200, json.dumps(tree).encode(), {}, body)
            else:
                told = {"id": "x/y", "sha": COMMIT, "siblings": [{"rfilename": name} for name in files]}
                self.answer(200, json.dumps(told).encode(), {"X-Repo-Commit": COMMIT}, body)

        def answer(self, code: int, data: bytes, more: dict[str, str], body: bool) -> None:
            self.send_response(code)
            for name, value in {"Content-Type": "application/json", **more}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if body:
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def _mark(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
