"""Every input has a bound: whatever is sent through a door, the answer comes and no search grows with it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memcli import bounds
from memcli.recall import Request, recall
from memcli.text.words import WORD
from memcli.vault import grep
from tests.conftest import Ran, opened
from tests.recall.vaults import lay

NOTES = {"logs/2026-11-20.md": "- we moved to Postgres and Kubernetes #infra\n- 老王说缓存在周五换\n"}
LETTERS = "aé我ж0_+.*/#\"'-:«　\u0300🙂İ"
PATTERN = 100_000  # characters that all the patterns of one question may have


def hostile() -> Iterator[str]:
    """Texts that are long in every way: one letter, one word, many words, many marks, and mixtures of a seed."""
    for sign in LETTERS:
        yield sign * 600
        yield sign * 9000
    dice = random.Random(4)
    for size in (30, 200, 3000):
        yield " ".join("".join(dice.choices("bcdfghklmnpr", k=22)) for _ in range(size))
        yield " ".join("".join(dice.choices("бвгджклмн", k=22)) for _ in range(size))
        yield "".join(dice.choices(LETTERS + " \n", k=size))
        yield "".join(chr(dice.randrange(0x4E00, 0x9FFF)) for _ in range(size))
    yield '"' * 3000
    yield "user: a " * 1000
    yield "#" + "a" * 500 + " path:" + "b" * 500 + " type:" + "c" * 500 + " tag:" + "d" * 500
    yield "(a+)+$" * 500
    yield "2026-11-20 " * 500


HOSTILE = [text[: bounds.VALUE] for text in hostile()]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of all patterns that are looked for."""
    sizes: list[int] = []
    find = grep.by_library

    def counted(home: str, paths: Any, search: grep.LineSearch) -> Iterator[grep.FileHits]:
        sizes.append(len(search.regex))
        assert sizes[-1] <= PATTERN, "the pattern grows with what is asked"
        return find(home, paths, search)

    monkeypatch.setattr(grep, "engine", lambda: counted)
    return sizes


@pytest.mark.slow
def test_a_recall_of_anything_comes_to_an_end(folder: Path, asked: list[int]) -> None:
    lay(folder, NOTES)
    for text in HOSTILE:
        recall(opened(folder), Request(text))
    assert asked


@pytest.mark.parametrize("size", [500, 2000, 100_000])
def test_a_long_word_that_no_note_has_is_no_trouble(folder: Path, asked: list[int], size: int) -> None:
    lay(folder, NOTES)
    assert not recall(opened(folder), Request("a" * size)).matched
    assert asked and max(asked) < 2000


def test_a_long_word_is_found_by_its_beginning(folder: Path) -> None:
    word = "postgres" * 40
    lay(folder, {"logs/2026-11-20.md": f"- {word} it was\n"})
    assert recall(opened(folder), Request(word)).matched


COMMANDS = (
    ("recall", "{}"), ("recall", "--since", "{}", "x"), ("recall", "--tag", "{}", "x"), ("recall", "--path", "{}", "x"),
    ("recall", "--agent", "{}", "x"), ("prompt", "{}"), ("ask", "--evidence", "{}"), ("add", "--dry-run", "{}"), ("list", "{}"),
    ("list", "--type", "{}"), ("show", "{}"), ("forget", "--yes", "{}"), ("diff", "{}"), ("profile", "get", "{}"), ("cite", "{}"),
    ("edit", "{}", "x"), ("label", "show", "{}"), ("session", "show", "{}"), ("config", "get", "{}"), ("prefer", "set", "{}", "x"),
)  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_command_line_takes_anything(folder: Path, inside: Callable[..., Ran], words: tuple[str, ...]) -> None:
    lay(folder, NOTES)
    for text in [*HOSTILE[::5], "a" * 100_000, "我" * 9000]:
        ran = inside(*(word.replace("{}", text) for word in words), stdin="")
        assert "unexpected" not in ran.err, (words, text[:20], ran.err[-300:])


@pytest.mark.parametrize(
    "words", [("recall", "-"), ("prompt", "-"), ("add", "--dry-run", "-"), ("cite",)], ids=" ".join
)
def test_a_pipe_takes_anything(folder: Path, inside: Callable[..., Ran], words: tuple[str, ...]) -> None:
    lay(folder, NOTES)
    for text in [*HOSTILE[::3], "a" * 300_000, "a.md:1" * 50_000, "a.md:" + "1" * 9000]:
        ran = inside(*words, stdin=text)
        assert "unexpected" not in ran.err, (words, text[:20], ran.err[-300:])


def test_what_is_piped_in_without_end_is_read_to_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open("/dev/zero", "rb") as endless:
        import io

        from memcli.argv import read_piped

        monkeypatch.setattr(bounds, "PIPED", 1000)
        assert read_piped(io.TextIOWrapper(endless), True) == bytes(1001)


def test_a_word_of_the_table_is_a_word() -> None:
    assert WORD.fullmatch("a" * bounds.WORD)
