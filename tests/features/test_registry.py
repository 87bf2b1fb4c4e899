"""The door for features: what is found, noted, switched off, and left out because it is broken."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

import memcli
from memcli import registry
from memcli.cli.features import KINDS
from memcli.extend import Feature
from memcli.text.messages import translated
from tests.conftest import Ran
from tests.features import FEATURES, MISSING
from tests.rows import check_rows

Mem = Callable[..., Ran]


@pytest.fixture
def mem(folder: Path) -> Mem:
    """`mem` in a process that begins anew: what is on and off is told when it starts."""

    def run(*words: str, **environ: str) -> Ran:
        command = [sys.executable, "-m", "memcli", "--vault", str(folder), *words]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environ}, timeout=300)
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    registry.forget()
    yield
    registry.forget()


def test_built_in_features_are_listed_with_what_they_bring(mem: Mem) -> None:
    listed = json.loads(mem("features", "--json").out)["features"]
    assert [each["name"] for each in listed] == [name for name in FEATURES if name not in MISSING]
    for each in listed:
        assert (each["origin"], each["on"], each["failure"]) == ("built-in", True, None)
        feature = import_module(f"memcli.features.{each['name']}.feature").FEATURE
        assert each["brings"].get("commands", []) == [command.name for command in feature.commands]
        assert each["milliseconds"] > 0


def test_a_feature_that_is_not_there_can_not_be_switched(mem: Mem) -> None:
    ran = mem("features", "off", "nothing")
    assert (ran.code, "there is no feature 'nothing'" in ran.err) == (2, True)


def test_what_is_installed_is_noted_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found = registry.known()
    registry.forget()
    monkeypatch.setattr(registry, "look_up", lambda: pytest.fail("looked for features on a normal start"))
    assert [vars(each) for each in registry.known()] == [vars(each) for each in found]


def test_a_note_that_can_not_be_read_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [each.name for each in registry.known()]
    for text in ("", "[]", "{", '{"stamp": 1}'):
        Path(registry._note_file()).write_text(text, encoding="utf-8")
        registry.forget()
        assert [each.name for each in registry.known()] == found


def test_the_folder_one_stands_in_brings_no_feature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vault can come from a stranger."""
    package = tmp_path / "evil-1.0.dist-info"
    package.mkdir()
    (package / "entry_points.txt").write_text("[memcli.features]\nevil = evil:FEATURE\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "evil" not in [each.name for each in registry.known()]
    monkeypatch.setattr("sys.path", ["first", str(tmp_path), *sys.path])
    monkeypatch.chdir(tmp_path)
    assert "evil" not in [each.name for each in registry.look_up()]
    monkeypatch.chdir("/")
    assert "evil" in [each.name for each in registry.look_up()]


def test_a_chinese_reader_is_told_all_of_it_in_chinese(mem: Mem) -> None:
    told = mem("features", LC_ALL="zh_CN.UTF-8").out
    assert all(translated(each.about, "zh") in told and "自带" in told for each in registry.known())
    assert not re.findall(r"\b(?:commands|settings|checks|built-in|layers)\b", told)


def test_every_kind_has_its_words() -> None:
    assert list(KINDS) == list(Feature._fields[3:])


@check_rows(
    "place",
    [
        place for file in Path(memcli.__file__).parent.glob("features/*/feature.py")
        for place in re.findall(r'late\(\s*"([\w.:]+)"', file.read_text("utf-8"))
    ],
)  # fmt: skip
def test_what_is_loaded_late_is_there(place: str) -> None:
    module, _, name = place.partition(":")
    assert callable(getattr(import_module(module), name))
