"""A language model that says what it is told to, for tests."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def model(folder: Path, *answers: str) -> str:
    """A command for `llm.command`: it gives one answer after the other, and keeps what it was asked in asked.jsonl."""
    script = folder / "model.py"
    script.write_text(
        f"import json, pathlib, sys\nhere = pathlib.Path({str(folder)!r})\nasked = here / 'asked.jsonl'\n"
        "n = len(asked.read_text().splitlines()) if asked.exists() else 0\n"
        "asked.open('a').write(json.dumps(sys.stdin.read()) + '\\n')\n"
        f"answers = {json.dumps(answers)}\nsys.stdout.write(answers[min(n, len(answers) - 1)])\n",
        encoding="utf-8",
    )
    return f"{sys.executable} {script}"


def asked(folder: Path) -> list[str]:
    """What the model was asked."""
    return [json.loads(line) for line in (folder / "asked.jsonl").read_text(encoding="utf-8").splitlines()]
