"""Each feature can be deleted: a copy of the package without its folder works, and so does everything else.

By default a cheap selection of the core's tests runs on the copy, in a fork for each feature. `pytest -m deletion` runs
all of them and those of the other features, which takes as long as the suite does, once a feature: for those who change
the door.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree

import pytest

ROOT = Path(__file__).parents[2]
FEATURES = sorted(path.parent.name for path in (ROOT / "memcli/features").glob("*/feature.py"))
CHEAP = ["tests/vault/test_settings.py", "tests/remember/test_cite.py"]
COPIED = ("memcli", "tests", "templates", "plugin", "docs", "sample_vault")
WHOLE = (*COPIED, ".ci", ".github")
LARGE = ("corpus", "bench")  # folders of tests that the cheap selection does not read
# A process in the copy that loads what others wrote, once, and forks for each feature, whose folders it moves away.
TRIES = """
import importlib, io, os, pathlib, pkgutil, sys, traceback
from contextlib import redirect_stderr, redirect_stdout, suppress

def said(*words):
    from memcli.cli.main import main
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err, suppress(SystemExit):
        main([*words])
        raise AssertionError("no exit code")
    assert not err.getvalue(), err.getvalue()
    return out.getvalue()

def works_without(name, cheap):
    assert said("help", "--all")
    assert f'"name": "{name}"' not in said("features", "--json")
    import memcli
    for module in pkgutil.walk_packages(memcli.__path__, "memcli."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    import pytest
    assert not any(f"features.{name}" in loaded for loaded in sys.modules)
    return pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", *cheap])

def in_fork(name, cheap):
    if not (child := os.fork()):
        code = 1
        try:
            code = int(works_without(name, cheap))
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(code)
    return os.waitpid(child, 0)[1]

OTHERS = "pytest hypothesis yaml typer click numpy starlette.testclient uvicorn onnxruntime tokenizers watchdog"
for known in OTHERS.split():
    with suppress(ImportError):
        importlib.import_module(known)
away = pathlib.Path("away")
for name in sys.argv[1].split():
    places = [place for place in (pathlib.Path(top, "features", name) for top in ("memcli", "tests")) if place.exists()]
    away.mkdir()
    for number, place in enumerate(places):
        place.rename(away / str(number))
    failed = in_fork(name, sys.argv[2:])
    for number, place in enumerate(places):
        (away / str(number)).rename(place)
    away.rmdir()
    if failed:
        sys.exit(f"without {name}: {failed}")
"""


def copy_house(place: Path, folders: Sequence[str] = COPIED, without: Sequence[str] = LARGE) -> Path:
    """The project, in another place."""
    for folder in folders:
        copytree(ROOT / folder, place / folder, ignore=ignore_patterns("__pycache__", *without))
    for file in filter(Path.is_file, ROOT.iterdir()):
        (place / file.name).write_bytes(file.read_bytes())
    (place / "tests/features/test_deletion.py").unlink()
    return place


def run(house: Path, *words: str, seconds: float = 1200) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(house)}
    command = [sys.executable, *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=house, env=environ, timeout=seconds)


@pytest.mark.parametrize("names", [" ".join(FEATURES[part::2]) for part in range(2)])
def test_the_rest_works_without_a_feature(tmp_path: Path, names: str) -> None:
    tried = run(copy_house(tmp_path), "-c", TRIES, names, *CHEAP)
    assert tried.returncode == 0, (tried.stdout + tried.stderr)[-3000:]


@pytest.mark.deletion
@pytest.mark.parametrize("name", FEATURES)
def test_all_tests_pass_without_a_feature(tmp_path: Path, name: str) -> None:
    place = copy_house(tmp_path, WHOLE, without=())
    for top in ("memcli", "tests"):
        rmtree(place / top / "features" / name)
    tested = run(place, "-m", "pytest", "-q", "-p", "no:cacheprovider", seconds=3600)
    assert tested.returncode == 0, tested.stdout[-6000:]
