"""`mem eval` through its real process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran, inside

mem = inside  # in this process: what is tested here is what the commands do

SAMPLE = Path(__file__).parents[3] / "sample_vault"

CASES = """
- ask: how heavy is the cat
  want: ["5.6 kg"]
- ask: who feeds the cat
  want: ["nobody knows [bold]"]
"""


@pytest.fixture
def cases(folder: Path) -> Path:
    (folder / "2026-11-18.md").write_text("- The cat weighs 5.6 kg.\n", encoding="utf-8")
    path = folder / "cases.yaml"
    path.write_text(CASES, encoding="utf-8")
    return path


def test_figures_and_misses_are_shown_with_the_reason(mem: Callable[..., Ran], cases: Path) -> None:
    ran = mem("eval", "cases.yaml")
    assert ran.code == 0, ran.err
    assert "passed    1 of 2" in ran.out and "0.500" in ran.out
    assert "✗ who feeds the cat" in ran.out
    assert "not in memory: nobody knows [bold]" in ran.out
    assert "\x1b" not in ran.out


def test_fewer_than_the_minimum_is_exit_1(mem: Callable[..., Ran], cases: Path) -> None:
    assert mem("eval", "cases.yaml", "--min", "0.5").code == 0
    ran = mem("eval", "cases.yaml", "--min", "0.51")
    assert ran.code == 1 and "0.500" in ran.err and "passed" in ran.out
    assert mem("eval", "cases.yaml", "--min", "95").code == 2


def test_presets_stand_side_by_side_and_the_first_is_judged(mem: Callable[..., Ran], cases: Path) -> None:
    ran = mem("eval", "cases.yaml", "--compare", "classic,default", "--limit", "1", "--min", "1")
    assert ran.code == 0
    assert ran.lines[0].split() == ["classic", "default"]
    assert mem("eval", "cases.yaml", "--compare", "classic,best").code == 2


def test_json_has_every_case_and_why_it_failed(mem: Callable[..., Ran], cases: Path) -> None:
    found = json.loads(mem("eval", "-", "--json", stdin=CASES).out)
    assert found["schema"] == 1 and found["cases"] == 2
    (preset,) = found["presets"]
    assert preset["preset"] == "default" and preset["accuracy"] == 0.5
    good, bad = preset["results"]
    assert good["passed"] and good["rank"] == 1 and good["why"] == []
    assert bad["why"] == [{"kind": "not in memory", "what": "nobody knows [bold]", "detail": ""}]


def test_a_broken_file_of_cases_is_named(mem: Callable[..., Ran], folder: Path) -> None:
    (folder / "cases.yaml").write_text("- ask: what\n", encoding="utf-8")
    ran = mem("eval", "cases.yaml")
    assert ran.code == 2 and "cases.yaml: case 1" in ran.err and "Traceback" not in ran.err
    assert mem("eval", "absent.yaml").code == 2


def test_measuring_leaves_the_vault_as_it_was(mem: Callable[..., Ran], cases: Path) -> None:
    before = {path: path.read_bytes() for path in cases.parent.rglob("*") if path.is_file()}
    mem("eval", "cases.yaml")
    assert {path: path.read_bytes() for path in cases.parent.rglob("*") if path.is_file()} == before


def test_the_sample_vault_answers_its_first_questions(mem: Callable[..., Ran]) -> None:
    ran = mem("eval", str(SAMPLE / "eval.yaml"), "--limit", "1", "--min", "1", "--vault", str(SAMPLE),
              MEM_NOW="2026-11-21T12:00")  # fmt: skip
    assert ran.code == 0, ran.out + ran.err
    assert "1 of 1" in ran.out


def test_a_negative_number_is_a_mistake(mem: Callable[..., Ran]) -> None:
    ran = mem("eval", "-", "-n", "-2", stdin="")
    assert ran.code == 2 and "can't be negative" in ran.err
