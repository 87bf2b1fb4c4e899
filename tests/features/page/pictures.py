"""The pictures of the page in docs/, of the sample vault: python -m tests.features.page.pictures"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.features.page import browser

ROOT = Path(__file__).parents[3]
NOW, BEFORE = "2026-11-21T14:30", "2026-10-20"
LARGEST = 150_000  # bytes
ASKED = ("what did we decide about the cache", "last thursday", "李蔓", "when is the game day")
QUESTION = "q=what+did+we+decide+about+the+cache"
# name → (address, width, height, light or dark, the language of the vault)
PICTURES = {
    "ui-ask": (f"/?{QUESTION}", 1100, 720, "light", "en"),
    "ui-then": (f"/?{QUESTION}&beside=day&day={BEFORE}&budget=300", 1100, 860, "light", "en"),
    "ui-review": ("/review", 1100, 430, "light", "en"),
    "ui-today": ("/today", 1100, 560, "light", "en"),
    "ui-stats": ("/stats", 1100, 900, "light", "en"),
    "ui-days": ("/days", 1100, 640, "dark", "en"),
    "ui-narrow": ("/days/2026-11-20", 360, 740, "light", "zh"),
}


def main() -> None:
    with TemporaryDirectory() as place, browser.opened() as chrome:
        for language in ("en", "zh"):
            vault = _laid(Path(place) / language / "sample_vault", language)
            environ = {"MEM_NOW": NOW, "HOME": place, "EDITOR": "code", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
            for question in ASKED:  # so that there are numbers to show
                words = [sys.executable, "-m", "memcli", "--vault", str(vault), "recall", question]
                subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **environ})
            with browser.served(vault, **environ) as link:
                _taken(chrome, link, language)


def _taken(chrome: Any, link: str, language: str) -> None:
    first = chrome.new_context()
    first.new_page().goto(link)
    for name, (path, width, height, scheme, wanted) in PICTURES.items():
        if wanted != language:
            continue
        context = chrome.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        context.add_cookies(first.cookies())
        page = context.new_page()
        for _ in range(2):  # the second time as it is when one works with it
            page.goto(link.split("/?")[0] + path)
        picture = page.screenshot(path=ROOT / "docs" / f"{name}.png")
        assert len(picture) < LARGEST, f"{name}: {len(picture)} bytes"


def _laid(vault: Path, language: str) -> Path:
    """The sample vault with a history of two days: what it was in October, and now."""
    shutil.copytree(ROOT / "sample_vault", vault, ignore=shutil.ignore_patterns(".mem"))
    (vault / ".mem").mkdir()
    state = vault / "state.yaml"
    state.write_text(f"language: {language}\n{state.read_text(encoding='utf-8')}", encoding="utf-8")
    later = [path for path in vault.rglob("2026-*") if path.name[:10] > BEFORE]
    lasting = [vault / name for name in ("MEMORY.md", "insights.md", "projects.md", "projects", "notes", "Daily")]
    with TemporaryDirectory() as aside:
        for number, path in enumerate([*later, *lasting]):
            shutil.move(path, f"{aside}/{number}")
        _git(vault, "init", "-q", when=BEFORE)
        _git(vault, "add", "--all", when=BEFORE)
        _git(vault, "commit", "-qm", "October", when=BEFORE)
        for number, path in enumerate([*later, *lasting]):
            shutil.move(f"{aside}/{number}", path)
    _git(vault, "add", "--all", when=NOW)
    _git(vault, "commit", "-qm", "November", when=NOW)
    return vault


def _git(vault: Path, *words: str, when: str) -> None:
    at = when if "T" in when else f"{when}T12:00:00"
    dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    who = ("-c", "user.name=Lin", "-c", "user.email=lin@example.org")
    subprocess.run(["git", *who, *words], cwd=vault, check=True, env={**os.environ, **dates})


if __name__ == "__main__":
    main()
