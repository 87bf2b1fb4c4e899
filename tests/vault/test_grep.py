"""Lines are the same ones, whichever engine finds them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.recall import query
from memcli.recall.paths import PATHS
from memcli.vault import grep, health
from memcli.vault.check import NOTE
from memcli.vault.grep import FileHits, LineHit, LineSearch
from tests.conftest import opened
from tests.recall.vaults import SAMPLE, lay
from tests.watch.test_resident import QUESTIONS, vaults, words

Find = Callable[[str, Sequence[str], LineSearch], Iterator[FileHits]]


def found_by(find: Find, folder: Path, paths: Sequence[str], search: LineSearch) -> dict[str, list[LineHit]]:
    return {path: hits for path, hits in find(f"{folder}/", paths, search) if hits}


def line_search(question: str, folder: Path) -> LineSearch:
    """What a recall of this question looks for."""
    asked = query.parse(question, opened(folder).today, {"work": ["cache"]})
    forms = [form for term in asked.terms for form in term.forms]
    looks = [look for path in PATHS for look in path.looks(asked)]
    needles = [*(form.literal for form in forms), *(look.needle for look in looks)]
    return LineSearch([*(form.regex for form in forms), *(look.regex for look in looks)], needles)


@pytest.mark.slow
@settings(max_examples=60)
@given(vaults, st.one_of(st.sampled_from(QUESTIONS), st.lists(words, min_size=1, max_size=4).map(" ".join)))
def test_python_finds_the_lines_of_the_library(folder: Path, files: dict[str, str], question: str) -> None:
    lay(folder, files)
    paths, search = opened(folder).files(), line_search(question, folder)
    if paths and search.patterns:
        assert found_by(grep.by_python, folder, paths, search) == found_by(grep.by_library, folder, paths, search)


def test_python_finds_the_same_in_six_weeks_of_notes() -> None:
    paths, search = (
        opened(SAMPLE).files(),
        line_search("what did Lulu and 老王 say about the cache on 14 October", SAMPLE),
    )
    same = found_by(grep.by_library, SAMPLE, paths, search)
    assert len(same) > 5
    assert found_by(grep.by_python, SAMPLE, paths, search) == same


@pytest.mark.parametrize(
    "odd",
    [
        b"- caf\xe9 cache\n- cache\n", b"- cache\n- caf\xe9\n", "- 缓存 cache\n".encode("gbk"), b"\xff\xfe-\0 \0c\0",
        "- cache\n".encode("utf-16"), b"cache \0\0\n", b"\xef\xbb\xbfcache\n", b"cache\r\n- cache\rcache\r\n", b"cache", b"", b"\n\n",
        "cache\u2028cache\n\u0085cache\x0bcache\n".encode(), "\u0130cache ıcache \u212acache\n".encode(),
    ],
)  # fmt: skip
@pytest.mark.parametrize("search", [LineSearch(["cache"], ["cache"]), LineSearch([".*"]), LineSearch(["k|i$"])])
def test_odd_files_are_read_alike(folder: Path, odd: bytes, search: LineSearch) -> None:
    lay(folder, {"a b.md": odd, "-f.md": "- cache\n", "作.md": "- cache k\n"})
    for paths in (["a b.md"], ["-f.md", "a b.md", "作.md"]):
        assert found_by(grep.by_python, folder, paths, search) == found_by(grep.by_library, folder, paths, search)


# -- which one -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def no_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """There is no build of ripgrep for this Python."""
    monkeypatch.setitem(sys.modules, "python_ripgrep", None)
    grep.engine.cache_clear()
    yield
    grep.engine.cache_clear()


@pytest.mark.usefixtures("no_library")
def test_doctor_tells_that_search_is_slower(folder: Path) -> None:
    lay(folder, {"a.md": "- the cache\n"})
    check = next(check for check in health.checks(opened(folder)) if check.name == "search")
    assert (check.state, "Python's re" in check.detail, "ripgrep" in check.fix) == (NOTE, True, True)
    assert list(grep.grep(folder, ["a.md"], LineSearch(["cache"]))) == ["a.md"]
