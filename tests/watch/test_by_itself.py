"""`watch.auto`: a watcher that starts with the first question, never twice, and of which nothing remains."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memcli.vault.layout import CACHE
from memcli.watch import spawn
from tests.conftest import Ran
from tests.features import needs
from tests.watch.conftest import until

Mem = Callable[..., Ran]
AUTO = {"MEM_WATCH_AUTO": "true"}


def processes(folder: Path) -> set[int]:
    """Return the watchers of a vault that run now."""
    found = set()
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().split(b"\0")
        except OSError:  # it has just ended
            continue
        if b"watch" in words and str(folder).encode() in words:
            found.add(int(place.parent.name))
    return found


pytestmark = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="counts processes in /proc")


@pytest.fixture(autouse=True)
def none_remains(mem: Mem, notes: Path) -> Iterator[None]:
    yield
    if notes.exists():
        mem("watch", "--stop", **AUTO)
    until(lambda: not processes(notes))


def test_it_starts_with_the_first_question_and_answers_the_next(mem: Mem, notes: Path) -> None:
    first = mem("recall", "cache", **AUTO)
    here = until(lambda: json.loads(mem("watch", "--status", "--json").out).get("pid"))
    assert processes(notes) == {here}
    assert "it ends by itself when nobody asks" in mem("status").out
    assert mem("recall", "cache").out == first.out
    assert mem("watch", "--stop").out == f"process {here} has ended\n"
    until(lambda: not processes(notes))


@needs("hook")
def test_a_hook_starts_it_too(mem: Mem, notes: Path) -> None:
    payload = json.dumps({"prompt": "which cache did we decide on", "cwd": str(notes), "session_id": "s"})
    assert mem("hook", "prompt", "--for", "claude", stdin=payload, **AUTO).code == 0
    until(lambda: processes(notes))


def test_many_questions_at_once_start_one(mem: Mem, notes: Path) -> None:
    with ThreadPoolExecutor(6) as pool:
        assert {ran.code for ran in pool.map(lambda _: mem("recall", "cache", **AUTO), range(6))} == {0}
    until(lambda: json.loads(mem("watch", "--status", "--json").out).get("pid"))
    until(lambda: len(processes(notes)) == 1)


def test_one_that_is_still_starting_can_be_ended(mem: Mem, notes: Path) -> None:
    mem("recall", "cache", **AUTO)
    until(lambda: "has ended" in mem("watch", "--stop", **AUTO).out)  # it is a process before it holds its lock
    until(lambda: not processes(notes))


def test_nothing_starts_unless_it_is_wanted(mem: Mem, notes: Path) -> None:
    (notes / "mem.yaml").write_text("watch: {auto: true}\n", encoding="utf-8")  # a stranger's vault may say so
    ran = mem("recall", "cache")
    assert ran.code == 0 and "watch.auto" in ran.err
    mem("recall", "cache", MEM_LANE="off", **AUTO)
    (notes / CACHE).mkdir(exist_ok=True)
    (notes / CACHE / spawn.TOO_LARGE).touch()
    mem("recall", "cache", **AUTO)
    mem("list", **AUTO)
    time.sleep(1)
    assert not processes(notes)


def test_it_ends_when_nobody_asks(mem: Mem, notes: Path) -> None:
    pid = int(mem("watch", "--detach", "--idle", "3").out.split()[1])
    assert pid in processes(notes)
    until(lambda: not processes(notes))
    assert "none" in mem("status").out


def test_it_ends_when_it_takes_too_much(mem: Mem, notes: Path) -> None:
    code = (
        "import sys; from memcli.watch import spawn; spawn.LARGEST = 1; sys.argv = ['mem', 'watch', '--idle', '1000'];"
        "from memcli.watch import watcher; watcher.AGAIN = 0.2; from memcli.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "MEM_VAULT": str(notes)}, cwd=notes, capture_output=True,
        timeout=120, text=True,
    )  # fmt: skip
    assert "used more than" in done.stderr and (notes / CACHE / spawn.TOO_LARGE).exists()


def test_it_ends_with_its_vault(mem: Mem, notes: Path) -> None:
    mem("watch", "--detach", "--idle", "1000")
    assert processes(notes)
    notes.rename(notes.with_name("elsewhere"))
    until(lambda: not processes(notes))
