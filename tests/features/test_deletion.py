"""Each feature can be deleted: a copy of the package without its folder works, and so does everything else.

By default a cheap selection of the core's tests runs on the copy. `pytest -m deletion` runs all of them and those of the
other features, which takes as long as the suite does, once a feature: for those who change the door.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

ROOT = Path(__file__).parents[2]
FEATURES = sorted(path.parent.name for path in (ROOT / "memcli/features").glob("*/feature.py"))
CHEAP = ["tests/vault/test_settings.py", "tests/recall/test_query.py", "tests/remember/test_cite.py"]
COPIED = ("memcli", "tests", "templates", "plugin", "docs", "sample_vault")
LOADS_ALL = """
import importlib, pkgutil, memcli
for module in pkgutil.walk_packages(memcli.__path__, "memcli."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


@pytest.fixture(params=FEATURES)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """The name of a feature, and the whole project without it."""
    name: str = request.param
    for folder in COPIED:
        copytree(ROOT / folder, tmp_path / folder, ignore=ignore_patterns("corpus", "bench"))
    for file in (*ROOT.glob("*.toml"), *ROOT.glob("*.md"), *ROOT.glob("*.txt"), *ROOT.glob("*.lock")):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    for place in (f"memcli/features/{name}", f"tests/features/{name}"):
        subprocess.run(["rm", "-r", tmp_path / place], check=True)
    (tmp_path / "tests/features/test_deletion.py").unlink()
    return name, tmp_path


def run(house: Path, *words: str, seconds: float = 1200) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(house)}
    command = [sys.executable, *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=house, env=environ, timeout=seconds)


def test_the_rest_works_without_a_feature(house: tuple[str, Path]) -> None:
    name, place = house
    loaded = run(place, "-c", LOADS_ALL)
    assert loaded.returncode == 0, loaded.stderr[-3000:]
    shown = run(place, "-m", "memcli", "help", "--all")
    assert (shown.returncode, shown.stderr) == (0, "")
    listed = run(place, "-m", "memcli", "features", "--json").stdout
    assert f'"name": "{name}"' not in listed
    tested = run(place, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *CHEAP)
    assert tested.returncode == 0, tested.stdout[-3000:]


@pytest.mark.deletion
def test_all_tests_pass_without_a_feature(house: tuple[str, Path]) -> None:
    _, place = house
    tested = run(place, "-m", "pytest", "-q", "-p", "no:cacheprovider", seconds=3600)
    assert tested.returncode == 0, tested.stdout[-6000:]
