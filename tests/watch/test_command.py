"""`mem watch` as people use it: in front, in the background, asked how it is, ended."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memcli import argv, registry
from memcli.index import refresh, status
from memcli.watch import wire
from memcli.watch.resident import Resident
from tests.conftest import Ran, opened
from tests.watch.conftest import PATIENCE, Watched, start, until

Mem = Callable[..., Ran]


@pytest.fixture
def detached(mem: Mem, notes: Path) -> Iterator[Ran]:
    yield mem("watch", "--detach")
    mem("watch", "--stop")


def test_in_the_background_and_back(mem: Mem, notes: Path, detached: Ran) -> None:
    assert (detached.code, detached.err) == (0, "")
    here = json.loads(mem("watch", "--status", "--json").out)
    assert here["running"] and f"process {here['pid']} watches" in detached.out
    assert (here["files"], here["vault"], here["polling"]) == (5, str(notes), False)
    assert "Redis" in mem("recall", "cache").out
    assert str(here["pid"]) in mem("watch", "--status").out
    assert json.loads(mem("status", "--json").out)["watcher"] == here["pid"]
    for again in (("watch",), ("watch", "--detach")):
        ran = mem(*again)
        assert (ran.code, f"process {here['pid']} watches already" in ran.err) == (4, True)
    ended = mem("watch", "--stop")
    assert (ended.code, ended.out) == (0, f"process {here['pid']} has ended\n")
    assert not Path(wire.socket_path(str(notes), os.environ)).exists()
    assert mem("watch", "--status").code == 1
    gone = json.loads(mem("watch", "--status", "--json").out)
    assert (gone["running"], gone["index"]["made"], "pid" in gone) == (False, False, False)
    assert mem("watch", "--stop").code == 0  # there is nothing to do
    assert "none: each recall reads the files" in mem("status").out


def test_what_keeps_it_from_starting_is_said(mem: Mem, notes: Path) -> None:
    (notes / "mem.yaml").write_text("recall: {budget: many}\n", encoding="utf-8")
    for words in (("watch",), ("watch", "--detach")):
        ran = mem(*words)
        assert (ran.code != 0, "recall.budget" in ran.err, "Traceback" in ran.err) == (True, True, False)
    assert mem("watch", "--stop", "--status").code == 2
    assert mem("watch", MEM_VAULT=str(notes / "nowhere")).code == 3
    (notes / "mem.yaml").write_text("", encoding="utf-8")
    log = notes / ".mem" / "watch.log"
    log.unlink()
    log.mkdir()
    ran = mem("watch", "--detach")
    assert (ran.code, "watch.log: can't be written" in ran.err) == (3, True)


def test_a_module_in_the_vault_is_not_run(mem: Mem, notes: Path, tmp_path: Path) -> None:
    for name in ("memcli", "json"):
        (notes / name).mkdir()
        (notes / name / "__init__.py").write_text(f"open({str(tmp_path / 'run')!r}, 'w')\n", encoding="utf-8")
    assert mem("watch", "--detach", cwd=tmp_path).code == 0
    mem("watch", "--stop", cwd=tmp_path)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly(notes: Path, sign: signal.Signals) -> None:
    with start(notes) as watched:
        watched.process.send_signal(sign)
        assert watched.process.wait(PATIENCE) == 0
        assert not Path(watched.name).exists()
    said = (notes.parent / "watch.err").read_text(encoding="utf-8")
    assert said.startswith("watching ") and "Traceback" not in said


def test_it_says_what_changed_when_asked_to(watched: Watched) -> None:
    (watched.folder / "notes" / "lion.md").write_text("- a lion\n", encoding="utf-8")
    said = watched.folder.parent / "watch.err"
    until(lambda: "notes/lion.md" in said.read_text(encoding="utf-8"), 5)


def test_the_unit_starts_this_vault(mem: Mem, notes: Path) -> None:
    ran = mem("watch", "--unit")
    assert (ran.code, ran.err) == (0, "")
    assert str(notes) in ran.out and sys.executable in ran.out
    if sys.platform == "linux":
        assert "[Service]" in ran.out and "WantedBy=default.target" in ran.out


def test_the_cache_may_be_deleted_while_it_runs(watched: Watched, mem: Mem) -> None:
    shutil.rmtree(watched.folder / ".mem", ignore_errors=True)  # the watcher may write into it meanwhile
    assert "Redis" in mem("recall", "cache").out
    until(watched.is_up, 5)
    assert "Redis" in watched.answers(lambda: mem("recall", "cache")).out


def test_it_ends_when_a_feature_is_switched(watched: Watched, mem: Mem) -> None:
    name, command = next((name, entry[0]) for name, entry in registry.commands() if entry[0] in argv.FORWARDED)
    anew = {"PYTHONOPTIMIZE": ""}  # a process that begins anew
    assert mem("features", "off", name, **anew).code == 0
    assert "Redis" in mem("recall", "cache", **anew).out
    ran = mem(command, "cache", **anew)
    assert (ran.code, "switched off" in ran.err) == (5, True)
    assert watched.process.wait(PATIENCE) == 0
    assert "features were switched" in (watched.folder.parent / "watch.err").read_text(encoding="utf-8")


def test_an_index_that_somebody_deletes_is_made_anew(notes: Path) -> None:
    resident = Resident(notes)
    resident.catch_up(opened(notes))
    assert not status.state(opened(notes)).made  # nobody asked for one
    refresh.refresh(opened(notes))
    resident.catch_up(opened(notes))
    shutil.rmtree(notes / ".mem")
    resident.catch_up(opened(notes))
    assert status.state(opened(notes)).behind == 0


def test_a_killed_one_is_followed_by_the_next(notes: Path, mem: Mem) -> None:
    with start(notes) as first:
        first.process.kill()
        first.process.wait()
        assert mem("watch", "--status").code == 1
        with start(notes) as second:
            assert "Redis" in second.answers(lambda: mem("recall", "cache")).out


def test_a_frozen_one_is_named(watched: Watched, mem: Mem) -> None:
    watched.process.send_signal(signal.SIGSTOP)
    ran = mem("watch", "--status")
    assert (ran.code, f"process {watched.process.pid}" in ran.err) == (1, True)


def test_a_frozen_one_is_ended_for_good(watched: Watched, mem: Mem) -> None:
    watched.process.send_signal(signal.SIGSTOP)
    ran = mem("watch", "--stop")
    assert (ran.code, ran.out) == (0, f"process {watched.process.pid} has ended\n")
    assert "did not answer in time: it is ended by force" in ran.err
    assert watched.process.wait(PATIENCE) == -signal.SIGKILL
    assert mem("watch", "--status").code == 1 and "Redis" in mem("recall", "cache").out


def test_one_of_another_version_can_be_ended(notes: Path, mem: Mem) -> None:
    script = "from memcli.watch import wire; wire.GREETING = b'mem 0 0.0.1'; from memcli.cli.main import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", script, "--vault", str(notes), "watch"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    until(Path(wire.socket_path(str(notes), os.environ)).exists)
    until(lambda: "is of another version; answered without it" in mem("recall", "cache", "--verbose").err)
    assert mem("watch", "--status").code == 1
    assert mem("watch", "--stop").out == f"process {process.pid} has ended\n"
    process.communicate(timeout=PATIENCE)


def test_crowds_are_answered_rightly_while_files_change(watched: Watched, mem: Mem) -> None:
    """Each question asks for what was written before it was asked."""
    log = watched.folder / "logs" / "2026-11-21.md"

    def ask(n: int) -> bool:
        return f"owl{n} sat" in mem("recall", f"owl{n}").out

    with ThreadPoolExecutor(8) as pool:
        asked = []
        for n in range(24):
            with open(log, "a", encoding="utf-8") as out:
                out.write(f"- the owl{n} sat in tree {n}\n")
            time.sleep(0.1)
            asked.append(pool.submit(ask, n))
        assert all(each.result() for each in asked)
    assert watched.is_up()
    assert watched.answered > 0
