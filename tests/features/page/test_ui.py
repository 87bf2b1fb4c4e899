"""`mem ui` as a process: a link that opens it once, this machine alone, and a clean end."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.conftest import Ran

Mem = Callable[..., Ran]


def test_it_prints_a_link_that_opens_the_page_and_ends_when_asked(folder: Path, mem: Mem) -> None:
    (folder / "notes.md").write_text("- tea, not coffee\n", encoding="utf-8")
    words = [sys.executable, "-m", "memcli", "--vault", str(folder), "ui", "--no-open"]
    process = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    try:
        link = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?key=[\w-]{40,}", link)
        with httpx.Client(follow_redirects=True) as browser:
            assert browser.get(link.split("?")[0]).status_code == 401
            assert browser.get(link).status_code == 200
            assert "Ask your memory" in browser.get(link.split("?")[0]).text
            assert "tea, not coffee" in browser.get(link.split("?")[0] + "?q=tea").text
        port = re.search(r":(\d+)/", link)
        assert port and mem("ui", "--no-open", "--port", port[1]).code == 4
    finally:
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=300)
    assert "Traceback" not in said and link.split("key=")[1] not in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--port", "99999"), "not a port"),
        (("--editor", "vi"), "it has no links"),
        (("--editor", "x y"), "it has no links"),
    ],
)
def test_what_can_t_be_is_said_before_anything_is_begun(mem: Mem, words: tuple[str, ...], said: str) -> None:
    ran = mem("ui", "--no-open", *words)
    assert ran.code == 2 and said in ran.err


@pytest.mark.slow
def test_without_a_library_it_says_what_to_install(folder: Path) -> None:
    script = (
        "import sys\nsys.modules['starlette'] = None\n"
        f"from memcli.cli.main import main; main(['--vault', {str(folder)!r}, 'ui', '--no-open'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ})
    assert done.returncode == 5 and "pip install starlette" in done.stderr


def test_nobody_else_can_reach_it() -> None:
    from memcli.features.page import cli as ui

    with ui._listener(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
        with socket.socket() as other, pytest.raises(OSError):
            other.bind(listener.getsockname())
