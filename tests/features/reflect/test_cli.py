"""`mem reflect`, through its process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.terminal import at_terminal
from tests.conftest import Ran

Mem = Callable[..., Ran]


def test_reflect_shows_and_leaves_what_nobody_can_be_asked_to_the_review(mem: Mem, folder: Path) -> None:
    (folder / "logs").mkdir()
    (folder / "logs/2026-11-20.md").write_text("- 09:00 We go with sqlite\n- [ ] renew the lease\n", encoding="utf-8")
    assert mem("reflect").out == (
        "Decided\n- We go with sqlite (logs/2026-11-20.md:1)\nOpen\n- renew the lease (logs/2026-11-20.md:2)\n"
    )
    assert not (folder / "insights.md").exists()
    assert "2 wait for you: mem review" in mem("reflect", "--keep").err
    assert len(json.loads(mem("review", "--json").out)["doubts"]) == 2
    assert not (folder / "insights.md").exists()
    said = json.loads(mem("reflect", "--project", "lease", "--json").out)
    assert [line["kind"] for line in said["lines"]] == ["open"] and said["by"] == "rules"
    assert mem("reflect", "--week", "--since", "yesterday").code == 2
    assert "nothing to look back on" in mem("reflect", "--since", "2026-11-21").err


def test_reflect_asks_line_by_line_on_a_terminal(folder: Path) -> None:
    (folder / "logs").mkdir()
    (folder / "logs/2026-11-20.md").write_text("- We go with sqlite\n- agreed on tea\n", encoding="utf-8")
    ran = at_terminal("reflect", "--keep", answers=("n", "y"), cwd=folder, MEM_VAULT=str(folder))
    assert ran.code == 0 and "in insights.md:" in ran.out
    kept = (folder / "insights.md").read_text(encoding="utf-8")
    assert "We go with sqlite (logs/2026-11-20.md:1)" in kept and "tea" not in kept
