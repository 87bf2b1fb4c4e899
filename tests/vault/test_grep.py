"""Lines are the same ones, whichever engine finds them; a strange program is never run."""

from __future__ import annotations

import os
import shutil
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
from memcli.vault.grep import FileHits, Hit, LineSearch
from tests.conftest import opened
from tests.recall.vaults import SAMPLE, lay
from tests.watch.test_resident import QUESTIONS, vaults, words

RG = shutil.which("rg", path=os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")]))
needs_rg = pytest.mark.skipif(not RG, reason="there is no rg beside this Python or on the path")
Find = Callable[[str, Sequence[str], LineSearch], Iterator[FileHits]]


def by_program(home: str, paths: Sequence[str], search: LineSearch) -> Iterator[FileHits]:
    assert RG
    return grep._by_program(RG, home, paths, search)


OTHERS = [
    pytest.param(by_program, marks=[needs_rg, pytest.mark.slow], id="program"),
    pytest.param(grep.by_python, id="python"),
]


def found_by(find: Find, folder: Path, paths: Sequence[str], search: LineSearch) -> dict[str, list[Hit]]:
    return {path: hits for path, hits in find(f"{folder}/", paths, search) if hits}


def line_search(question: str, folder: Path) -> LineSearch:
    """What a recall of this question looks for."""
    asked = query.parse(question, opened(folder).today, {"work": ["cache"]})
    forms = [form for term in asked.terms for form in term.forms]
    looks = [look for path in PATHS for look in path.looks(asked)]
    needles = [*(form.literal for form in forms), *(look.needle for look in looks)]
    return LineSearch([*(form.regex for form in forms), *(look.regex for look in looks)], needles)


@pytest.mark.slow
@pytest.mark.parametrize("find", OTHERS)
@settings(max_examples=60)
@given(vaults, st.one_of(st.sampled_from(QUESTIONS), st.lists(words, min_size=1, max_size=4).map(" ".join)))
def test_every_engine_finds_the_lines_of_the_library(
    folder: Path, find: Find, files: dict[str, str], question: str
) -> None:
    lay(folder, files)
    paths, search = opened(folder).files(), line_search(question, folder)
    if paths and search.patterns:
        assert found_by(find, folder, paths, search) == found_by(grep.by_library, folder, paths, search)


@pytest.mark.parametrize("find", OTHERS)
def test_every_engine_finds_the_same_in_six_weeks_of_notes(find: Find) -> None:
    paths, search = (
        opened(SAMPLE).files(),
        line_search("what did Lulu and 老王 say about the cache on 14 October", SAMPLE),
    )
    same = found_by(grep.by_library, SAMPLE, paths, search)
    assert len(same) > 5
    assert found_by(find, SAMPLE, paths, search) == same


@pytest.mark.parametrize("find", OTHERS)
@pytest.mark.parametrize(
    "odd",
    [
        b"- caf\xe9 cache\n- cache\n", b"- cache\n- caf\xe9\n", "- 缓存 cache\n".encode("gbk"), b"\xff\xfe-\0 \0c\0",
        "- cache\n".encode("utf-16"), b"cache \0\0\n", b"\xef\xbb\xbfcache\n", b"cache\r\n- cache\rcache\r\n", b"cache", b"", b"\n\n",
        "cache\u2028cache\n\u0085cache\x0bcache\n".encode(), "\u0130cache ıcache \u212acache\n".encode(),
    ],
)  # fmt: skip
@pytest.mark.parametrize("search", [LineSearch(["cache"], ["cache"]), LineSearch([".*"]), LineSearch(["k|i$"])])
def test_odd_files_are_read_alike(folder: Path, find: Find, odd: bytes, search: LineSearch) -> None:
    lay(folder, {"a b.md": odd, "-f.md": "- cache\n", "作.md": "- cache k\n"})
    for paths in (["a b.md"], ["-f.md", "a b.md", "作.md"]):
        assert found_by(find, folder, paths, search) == found_by(grep.by_library, folder, paths, search)


@pytest.mark.slow
@needs_rg
def test_more_files_than_a_command_line_takes_are_searched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grep, "_COMMAND_LINE", 300)
    paths = sorted(lay_many(folder))
    assert list(found_by(by_program, folder, paths, LineSearch(["cache"]))) == paths


def lay_many(folder: Path) -> list[str]:
    names = [f"notes/{number:03}.md" for number in range(60)]
    lay(folder, dict.fromkeys(names, "- cache\n"))
    return names


# -- which one -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def no_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """This Python has no ripgrep of its own, nor one beside it."""
    monkeypatch.setitem(sys.modules, "python_ripgrep", None)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    grep.engine.cache_clear()
    yield
    grep.engine.cache_clear()


def program(folder: Path, text: str = "#!/bin/sh\ntouch ran\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "rg"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)
    return file


@pytest.mark.usefixtures("no_library")
def test_without_the_library_an_rg_on_the_path_is_asked(folder: Path, tmp_path: Path) -> None:
    file = program(tmp_path / "bin")
    assert grep.engine(str(folder), f"/nowhere{os.pathsep}{file.parent}").name == str(file)


@pytest.mark.usefixtures("no_library")
def test_an_rg_of_the_vault_or_of_where_we_stand_is_never_run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    places = [program(folder / "bin").parent, program(here).parent, program(here / "sub").parent]
    linked = tmp_path / "linked"
    linked.symlink_to(folder / "bin")
    monkeypatch.chdir(here)
    for place in [*map(str, places), str(linked), ".", "", "sub"]:
        assert grep.engine(str(folder), place).name == "Python's re", place


@pytest.mark.slow
@pytest.mark.usefixtures("no_library")
def test_a_program_that_is_no_ripgrep_is_given_up(folder: Path, tmp_path: Path) -> None:
    lay(folder, {"a.md": "- the cache\n"})
    for script in ("#!/bin/sh\nexit 7\n", "#!/bin/sh\necho what is --null >&2\nexit 2\n", "no program\n"):
        found = grep._by_program(str(program(tmp_path / "bin", script)), f"{folder}/", ["a.md"], LineSearch(["cache"]))
        assert list(found) == [("a.md", [Hit(1, "- the cache")])]


@pytest.mark.slow
@needs_rg
def test_the_settings_of_the_users_own_ripgrep_do_not_count(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(folder, {"a.md": "- the cache\n"})
    (tmp_path / "rc").write_text("--replace=gone\n--max-count=0\n", encoding="utf-8")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(tmp_path / "rc"))
    assert found_by(by_program, folder, ["a.md"], LineSearch(["cache"])) == {"a.md": [Hit(1, "- the cache")]}


@pytest.mark.usefixtures("no_library")
def test_doctor_tells_that_search_is_slower(folder: Path, tmp_path: Path) -> None:
    lay(folder, {"a.md": "- the cache\n"})
    vault = opened(folder)
    vault.environ = {**vault.environ, "PATH": ""}
    check = next(check for check in health.checks(vault) if check.name == "search")
    assert (check.state, "Python's re" in check.detail, "ripgrep" in check.fix) == (NOTE, True, True)
    vault.environ["PATH"] = str(program(tmp_path / "bin").parent)
    check = next(check for check in health.checks(vault) if check.name == "search")
    assert str(tmp_path / "bin" / "rg") in check.detail
