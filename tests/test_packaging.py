"""What is installed and shipped: one version, one list of what is needed, and a licence for everything that is of others."""

from __future__ import annotations

import re
import subprocess
from importlib.metadata import metadata
from pathlib import Path

import pytest
import yaml

import memcli
from tests.conftest import git
from tests.rows import check_rows

ROOT = Path(__file__).parent.parent
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
INDEX_AND_VECTORS = {"lancedb", "fastembed"}


def needed() -> list[str]:
    """The dependencies as `pyproject.toml` has them (Python 3.10 reads no TOML)."""
    block = re.search(r"^dependencies = \[\n(.*?)^\]", PROJECT, re.S | re.M)
    assert block
    return re.findall(r'^  "([^"]+)"', block[1], re.M)


def light() -> list[str]:
    lines = (ROOT / "requirements-light.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def name_of(requirement: str) -> str:
    return re.split(r"[<>=;\[ ]", requirement)[0]


def test_the_light_way_is_all_that_is_needed_but_index_and_vectors() -> None:
    assert {name_of(one) for one in needed()} >= INDEX_AND_VECTORS
    assert light() == [one for one in needed() if name_of(one) not in INDEX_AND_VECTORS]


@check_rows("requirement", needed())
def test_every_dependency_has_a_lower_end_and_none_but_typer_an_upper_one(requirement: str) -> None:
    assert ">=" in requirement
    assert ("<" in requirement.partition(";")[0]) is (name_of(requirement) == "typer")


def test_the_version_is_said_in_one_place() -> None:
    assert 'dynamic = ["version"]' in PROJECT
    assert not re.search(r"^version = ", PROJECT, re.M)
    assert metadata("memcli")["Version"] == memcli.__version__


def test_no_python_is_ruled_out_from_above() -> None:
    assert 'requires-python = ">=3.10"' in PROJECT
    for minor in range(10, 15):
        assert f'"Programming Language :: Python :: 3.{minor}"' in PROJECT


def _is_here(path: str) -> bool:
    """Return whether the feature that a path lies in was not deleted."""
    _, features, name = [*path.split("/"), "", ""][:3]
    return features != "features" or (ROOT / "memcli/features" / name).exists()


def test_what_was_taken_from_others_is_named_with_its_licence() -> None:
    page = (ROOT / "LICENSES.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `([^`]+)` \|", page, re.M))
    named = {path for path in named if _is_here(path)}
    assert all((ROOT / path).exists() for path in named)
    others = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "memcli").rglob("*")
        if path.suffix in (".txt", ".table")
        and re.search(rb"OpenCC|Apache-2|BSD|cl100k|that others made", path.read_bytes()[:600] + path.name.encode())
    }
    others |= {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "memcli/features/page/static").glob("*")
        if ".min." in path.name or ("/page." not in path.as_posix() and path.suffix in (".js", ".css"))
    }
    samples = {f"{path.parent.relative_to(ROOT).as_posix()}/" for path in (ROOT / "tests").rglob("LICENSE")}
    assert named == others | samples


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no repository: this is what was shipped")
def test_everything_that_is_kept_in_git_is_in_the_sdist() -> None:
    included = set(re.findall(r'"([^"]+)"', PROJECT.split("targets.sdist]")[1].split("]\n")[0]))
    tops = {path.split("/")[0] for path in git(ROOT, "ls-files").splitlines()}
    assert tops - {".gitignore", ".github", "pyproject.toml"} <= included


def test_the_lock_file_names_the_public_index_alone_and_all_that_is_needed() -> None:
    lock = (ROOT / "uv.lock").read_text(encoding="utf-8")
    addresses = set(re.findall(r'(?:registry|url) = "(https?://[^/"]+|[^"]+)', lock))
    assert addresses == {"https://pypi.org", "https://files.pythonhosted.org"}
    locked = set(re.findall(r'(?m)^name = "([^"]+)"$', lock))
    assert not {name_of(one).replace(".", "-") for one in needed()} - locked, "`uv lock` brings it up to date"


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no repository: this is what was shipped")
def test_a_tag_may_be_released_where_version_and_changelog_say_so() -> None:
    def answer(tag: str) -> int:
        return subprocess.run([ROOT / ".ci/version", tag], capture_output=True).returncode

    assert answer("v0.1.0") == 0
    assert answer("v0.0.9") == 1


@pytest.mark.skipif(not (ROOT / ".github").exists(), reason="not shipped")
def test_workflows_and_templates_can_be_read_and_each_field_has_a_label() -> None:
    for file in sorted((ROOT / ".github").rglob("*.yml")):
        page = yaml.safe_load(file.read_text(encoding="utf-8"))
        assert page, file.name
        for field in page.get("body", ()):
            assert {"markdown": "value"}.get(field["type"], "label") in field["attributes"], file.name
