"""What every test stands on: a home of its own, a fixed clock, a vault in a temporary folder, and `mem` as a process."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

from memcli.vault import trust
from memcli.vault.vault import Vault, open_vault
from tests.inside import run as run_inside
from tests.warm import Warm

NOW = datetime(2026, 11, 21, 14, 30)  # a Saturday

settings.register_profile(
    "house",
    derandomize=True,
    deadline=None,
    max_examples=60,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("house")
# What it works out about Unicode takes seconds, and each test has a home of its own.
set_hypothesis_home_dir(Path(__file__).parents[1] / ".hypothesis")
# Each process that tests start would compile the package anew, and each run the assertions of all tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def has_memory_disk() -> bool:
    """Return whether the system keeps files in memory where programs may run, with room for all that tests write."""
    if sys.platform != "linux" or not os.access("/dev/shm", os.W_OK | os.X_OK):
        return False
    disk = os.statvfs("/dev/shm")
    return disk.f_bavail * disk.f_frsize > 4 * 2**30 and not disk.f_flag & os.ST_NOEXEC


if has_memory_disk():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", "/dev/shm")  # where pytest makes `tmp_path`
# Whoever is started in the background has Ctrl-C ignored, and so would all that is started here.
signal.signal(signal.SIGINT, signal.default_int_handler)


# What takes long: processes, git, indexes, models, whole pages of the docs, and features, each of which has its own
# folder to run. A test of another place that starts a process or takes seconds says `@pytest.mark.slow`. All else is
# `pytest -m quick`.
SLOW_FIXTURES = {"mem", "inside", "warm", "repository", "trap", "notes", "library", "watched", "server"}
SLOW_PLACES = (
    "test_docs.py", "test_core.py", "test_system.py", "watch/", "index/", "bench/", "vault/test_git", "vault/test_hostile", "vault/test_sync.py", "vault/test_forgotten.py",
    "vault/test_write.py", "vault/test_queue.py", "vault/test_structure.py", "recall/test_semantic.py",
    "llm/", "upgrade/", "test_http.py", "remember/test_retention.py", "remember/gates/test_sensitive.py", "cli/test_hostile",
    "features/",
)  # fmt: skip
# What of them tells a newcomer which table or page a change forgot, and takes no second.
QUICK_PLACES = ("features/test_feature_check.py", "features/serve/mcp/test_tools.py")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two more than there are cores, for many tests wait for processes and for git; quick ones wait for nothing."""
    return (os.cpu_count() or 2) + 2 * (config.option.markexpr != "quick")


_shared: list[Warm] = []


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Start one warm process for all workers of a whole run: each would wait for its own, and takes three seconds."""
    whole = node.config.args_source is pytest.Config.ArgsSource.TESTPATHS and node.config.option.markexpr != "quick"
    if whole and hasattr(os, "fork") and hasattr(socket, "send_fds"):
        if not _shared:
            _shared.append(Warm(Path(tempfile.mkdtemp(prefix="w"))))
        node.workerinput["warm"] = _shared[0].address


def pytest_unconfigure() -> None:
    for process in _shared:
        process.end()
        shutil.rmtree(Path(process.address).parent)


def pytest_sessionstart() -> None:
    gc.disable()  # what is imported and collected stays: looking through it is a tenth of that time


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what `pytest -m quick` leaves out as a whole."""
    place = collection_path.relative_to(Path(__file__).parent).as_posix() + "/" * collection_path.is_dir()
    is_above = any(quick.startswith(place) for quick in QUICK_PLACES)
    return True if config.option.markexpr == "quick" and place.startswith(SLOW_PLACES) and not is_above else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        place = item.path.relative_to(here).as_posix()
        is_slow = place.startswith(SLOW_PLACES) and place not in QUICK_PLACES
        slow = is_slow or SLOW_FIXTURES & set(getattr(item, "fixturenames", ()))
        if not slow and not item.get_closest_marker("slow"):
            item.add_marker("quick")


_started: list[str] = []


def _note_process(event: str, arguments: tuple[object, ...]) -> None:
    if event in ("subprocess.Popen", "os.posix_spawn", "os.fork", "os.forkpty"):
        _started.append(f"{event}{arguments[:2]}")


sys.addaudithook(_note_process)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a quick test that starts a process."""
    _started.clear()
    yield
    if _started and item.get_closest_marker("quick"):
        pytest.fail(f"no quick test, @pytest.mark.slow is missing: it starts {_started[0]}", pytrace=False)


@dataclass(frozen=True)
class Ran:
    """How a process ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody's home: no real settings, no real git identity, no vault found by accident."""
    place = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("MEM_", "GIT_", "XDG_", "_MEM_")) or name in (
            "VISUAL",
            "EDITOR",
            "NO_COLOR",
            "CDPATH",
            "COLUMNS",
            "LINES",
        ):
            monkeypatch.delenv(name)
    (place / "gitconfig").write_text(
        "[user]\n\tname = Lin Test\n\temail = lin@example.org\n[init]\n\tdefaultBranch = main\n", encoding="utf-8"
    )
    for name, value in {
        "HOME": str(place),
        "XDG_CONFIG_HOME": str(place / "config"),
        "XDG_DATA_HOME": str(place / "data"),
        "XDG_CACHE_HOME": str(place / "cache"),
        "GIT_CONFIG_GLOBAL": str(place / "gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "MEM_NOW": NOW.isoformat(),
        "TZ": "Asia/Shanghai",
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm-256color",
        "USER": "lin",
    }.items():
        monkeypatch.setenv(name, value)
    time.tzset()
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bare folder of notes, without `mem.yaml` and without git."""
    place = tmp_path / "vault"
    place.mkdir()
    return place


@pytest.fixture
def vault(folder: Path) -> Vault:
    """The same folder, opened."""
    return opened(folder)


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Warm | None]:
    """The process that forks a `mem` for each call; None where there is no forking."""
    if not (hasattr(os, "fork") and hasattr(socket, "send_fds")):
        yield None
        return
    told = getattr(request.config, "workerinput", {}).get("warm", "")
    process = Warm(tmp_path_factory.mktemp("w"), told)
    yield process.ready()
    process.end()


@pytest.fixture
def mem(folder: Path, warm: Warm | None) -> Callable[..., Ran]:
    """`mem WORDS…` as a real process, on the vault in `folder`."""

    def call(*words: str, stdin: str | bytes | None = None, cwd: Path | None = None, **environ: str) -> Ran:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        here, full = cwd or folder, {**os.environ, "MEM_VAULT": str(folder), **environ}
        if warm and not any(name.startswith("PYTHON") for name in environ):
            with TemporaryFile() as source, TemporaryFile() as out, TemporaryFile() as err:
                source.write(given or b"")
                source.seek(0)
                nothing = os.open(os.devnull, os.O_RDONLY)
                streams = [nothing if given is None else source.fileno(), out.fileno(), err.fileno()]
                code = warm.run(list(words), here, full, streams)
                os.close(nothing)
                out.seek(0)
                err.seek(0)
                return Ran(code, out.read().decode(), err.read().decode())
        done = subprocess.run(
            [sys.executable, "-m", "memcli", *words],
            cwd=here, input=given, stdin=subprocess.DEVNULL if given is None else None,
            env=full, capture_output=True, timeout=300,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture
def inside(folder: Path) -> Callable[..., Ran]:
    """`mem WORDS…` on the vault in `folder` without a process of its own, for tests that run hundreds of commands."""

    def call(*words: str, stdin: str | bytes | None = None, cwd: Path | None = None, **environ: str) -> Ran:
        given = stdin.encode() if isinstance(stdin, str) else stdin or b""
        return Ran(*run_inside(words, cwd or folder, given, {"MEM_VAULT": str(folder), **environ}))

    return call


def opened(folder: Path, now: datetime = NOW, **flags: object) -> Vault:
    """A vault with a fixed clock and the environment of the test."""
    return open_vault(folder, lambda: now, dict(os.environ), {k.replace("__", "."): v for k, v in flags.items()})


def trusted(folder: Path) -> Vault:
    """A repository whose owner said that git may run there, opened."""
    trust.trust(folder, os.environ)
    return opened(folder)


def git(folder: Path, *words: str) -> str:
    """Plain git, as a person would use it."""
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def repository(folder: Path) -> Path:
    """The vault's folder as a git repository with one commit, in which git may run."""
    git(folder, "init", "--quiet")
    (folder / ".gitattributes").write_text("journal/*.jsonl merge=union\n", encoding="utf-8")
    (folder / ".gitignore").write_text(".mem/\n", encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", "begin")
    trust.trust(folder, os.environ)
    return folder
