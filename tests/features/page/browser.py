"""A real browser on a real `mem ui`: Debian's Chromium, driven by Playwright. Where one is missing, tests are skipped."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
# Everything stays on this machine; a browser that runs as root knows no sandbox.
FLAGS = ("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run")


def chromium() -> str:
    """Where it is; empty without one."""
    return next(filter(None, map(shutil.which, NAMES)), "")


def axe() -> str:
    """The source of axe-core, which checks accessibility: `AXE_CORE` names the unpacked package of npm."""
    place = Path(os.environ.get("AXE_CORE", ""), "axe.min.js")
    return place.read_text(encoding="utf-8") if os.environ.get("AXE_CORE") and place.is_file() else ""


@contextmanager
def served(folder: Path, **environ: str) -> Iterator[str]:
    """`mem ui` on a vault; its link."""
    process = subprocess.Popen(
        [sys.executable, "-m", "memcli", "--vault", str(folder), "ui", "--no-open"],
        env={**os.environ, **environ}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout
    try:
        link = process.stdout.readline().strip()
        assert link.startswith("http://127.0.0.1:"), link
        yield link
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def opened() -> Iterator[Any]:
    """A browser of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield browser
        browser.close()
