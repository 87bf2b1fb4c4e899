"""Nesting, repetition and length: what a stranger may write must not take for ever, and what is left out is named.

Nothing here asserts a time: the work on a text twice as long may be about twice as much, told by the steps of the reader
in ratio to its length, or by the clock with room for a factor that only another order of growth goes beyond.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from memcli.errors import VaultError
from memcli.vault import entries, markdown, yaml_read
from tests.conftest import Ran, opened
from tests.rows import check_rows

Mem = Callable[..., Ran]
PIECES = [
    "`", "``` ", "[[", "[", "](", "#", " #", "# ", "|", "| |-", '"', "'", "<!--", "<!-- ", "<a", "- ", "\n- ", "\n  - ",
    "\n    ", "\n---\n", "[a:: ", "(a:: ", "[a:: [[x]]", " ^a", "*", "~~~\n", "```\n", "```x\n", "> ", "\t", " ", "\n1. ",
    "\n<!--", "\n|", "\n# x", "\nx\n---", "http://", "#tag ", "#a/", "::", "中", "\r", "\r\n", "\n\n", "\\", "10:00 ", "\n`x",
    "\n````",
]  # fmt: skip
FRAMES = [("", ""), ("- #t ", "x"), ("# a", "x"), ("- 10:00 [a:: b]", " #"), ("- `", "")]
REPEATED = 4000
ROOM = 12  # a text eight times as long, and half as much again for the clock; squares would be 64


def work(text: str) -> None:
    """Everything that is asked of a file of memories."""
    for entry in entries.parse_document("notes.md", text).entries:
        _ = entry.body, entry.words, entry.fields, entry.tags, entry.links, entry.day, entry.time, entry.task
        _ = entry.block_id, entry.hash


@cache
def ordinary() -> float:
    """The cost of a plain file; what takes little more is quick enough, however it grows."""
    return cost("- a memory of an ordinary kind #tag\n" * REPEATED)


def cost(text: str, times: int = 2) -> float:
    """Processor time of reading a text, the best of some times."""
    costs = []
    for _ in range(times):
        begun = time.process_time()
        work(text)
        costs.append(time.process_time() - begun)
    return min(costs)


@pytest.mark.parametrize("piece", PIECES)
def test_repeating_anything_costs_in_proportion(piece: str) -> None:
    for before, after in FRAMES:
        short, long = (before + piece * number + after for number in (REPEATED // 8, REPEATED))
        assert cost(long, 1) <= 2 * ordinary() or cost(long) <= ROOM * cost(short)


@pytest.mark.parametrize("piece", PIECES)
def test_whatever_is_repeated_no_byte_is_lost(piece: str) -> None:
    for before, after in FRAMES:
        text = before + piece * 300 + after
        assert "".join(block.text for block in markdown.blocks(text)) == text


@check_rows(
    ("text", "what"),
    [
        ("a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)), "aliases"),
        ("a: &a [*a]", "stands for nothing"),
        ("[" * 20_000, "levels deep"),
        ("{a: " * 20_000, "levels deep"),
        ("- " * 3000 + "x", "levels deep"),
        ("? " * 3000 + "x", "levels deep"),
        ("".join(" " * depth + "a:\n" for depth in range(400)), "levels deep"),
        ("a: 1" + ":59" * 50_000, "digits"),
        ("9" * 100_000, "digits"),
        ("- a\n" * 60_000, "values"),
        ("[" + "a," * 60_000 + "]", "values"),
        ("a: " + "x" * 2**19, "KB of YAML"),
    ],
)
def test_yaml_that_grows_without_end_is_refused_by_its_line(text: str, what: str) -> None:
    with pytest.raises(VaultError, match=rf"tags\.yaml:\d+: broken YAML: .*{what}"):
        yaml_read.load(text, "tags.yaml")


def test_ordinary_yaml_may_use_anchors_and_nest() -> None:
    assert yaml_read.load("a: &x {k: v}\nb: *x\nc: [[[1]]]\n<<: *x\n", "x") == {
        "a": {"k": "v"}, "b": {"k": "v"}, "c": [[[1]]], "k": "v",
    }  # fmt: skip


def pathological(folder: Path) -> list[str]:
    """Files that once took minutes; their names."""
    aliases = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9))
    texts = {
        "tags.yaml": aliases,
        "USER.md": f"---\n{aliases}---\n- tea\n",
        "labels.yaml": "- " * 3000 + "x",
        "preferences.yaml": "[" * 20_000,
        "state.yaml": "{a: " * 20_000,
        "line.md": "tea " * 4_000_000,
        "short.md": "- " + "tea " * 30_000 + "\n",
        "lines.md": "tea\n" * 600_000,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    os.mkfifo(folder / "pipe.md")
    with open(folder / "sparse.md", "wb") as file:
        file.truncate(10 * 2**30)
    return [*texts, "pipe.md", "sparse.md"]


@pytest.mark.parametrize("words", [("recall", "tea cupboard"), ("doctor",)], ids=" ".join)
def test_a_vault_of_pathological_files_is_answered_and_each_is_named(
    mem: Mem, folder: Path, words: tuple[str, ...]
) -> None:
    (folder / "good.md").write_text("- The tea is in the right cupboard.\n", encoding="utf-8")
    names = pathological(folder)
    done = mem(*words)
    assert "Traceback" not in done.err and "unexpected" not in done.err
    named = names if words[0] == "doctor" else [name for name in names if name not in ("state.yaml",)]
    assert [name for name in named if name not in done.out + done.err] == []
    if words[0] == "recall":
        assert "right cupboard" in done.out


def test_what_is_left_out_is_not_even_parsed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "good.md").write_text("- The tea is in the right cupboard.\n", encoding="utf-8")
    pathological(folder)
    parsed: list[int] = []
    real = markdown.blocks

    def counting(text: str) -> list[markdown.MarkdownBlock]:
        parsed.append(len(text))
        return real(text)

    monkeypatch.setattr(markdown, "blocks", counting)
    from memcli.recall import Request, recall

    assert "right cupboard" in recall(opened(folder), Request("tea cupboard")).text
    assert sum(parsed) < 2**20
