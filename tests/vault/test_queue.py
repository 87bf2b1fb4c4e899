"""The queue: nothing that was put in it is lost or done twice, whatever dies on the way."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memcli.errors import MissingPart, Refused, UsageError
from memcli.remember import Memory, add
from memcli.vault import queue
from memcli.vault.lock import hold_lock
from memcli.vault.queue import DELAYS, QueueReport
from memcli.vault.vault import Vault
from tests.conftest import NOW, git, opened

SCRIPTS = Path(__file__).parent / "scripts"


class Worker:
    """A handler that notes what it did, and fails as long as it is told to."""

    def __init__(self, *failures: BaseException) -> None:
        self.failures = list(failures)
        self.did: list[str] = []

    def __call__(self, vault: Vault, payload: dict[str, Any]) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.did.append(payload["n"])

    def drain(self, vault: Vault, again: bool = False) -> QueueReport:
        return queue.drain(vault, {"say": self}, again)


def test_jobs_are_done_once_in_the_order_they_came(vault: Vault) -> None:
    for n, letter in enumerate("abc"):
        assert queue.queue_job(opened(vault.root, NOW + timedelta(seconds=n)), "say", letter, {"n": letter})
    worker = Worker()
    assert [job.id for job in worker.drain(vault).done] == ["a", "b", "c"]
    assert worker.drain(vault) == QueueReport()
    assert worker.did == ["a", "b", "c"]


def test_an_id_is_queued_once_and_done_once(vault: Vault) -> None:
    worker = Worker()
    assert queue.queue_job(vault, "say", "a/../\n?", {"n": 1})
    assert not queue.queue_job(vault, "say", "a/../\n?", {"n": 2})
    worker.drain(vault)
    assert not queue.queue_job(vault, "say", "a/../\n?", {"n": 3})
    worker.drain(vault)
    assert worker.did == [1]
    assert queue.queue_job(vault, "other kind", "a/../\n?", {})


def test_what_waits_outlives_the_cache_and_stays_out_of_git(repository: Path) -> None:
    vault = opened(repository)
    queue.queue_job(vault, "say", "a", {"n": 1})
    assert git(repository, "status", "--porcelain") == ""
    for path in sorted(vault.cache.rglob("*"), reverse=True):
        path.unlink()
    vault.cache.rmdir()
    assert [job.id for job in queue.jobs(vault)] == ["a"]
    assert list(vault.entries()) == []


def test_a_failed_job_is_tried_later_and_later_then_set_aside_and_named(vault: Vault) -> None:
    queue.queue_job(vault, "say", "a", {"n": 1})
    worker = Worker(*[MissingPart("no model")] * 10)
    now = NOW
    for delay in DELAYS:
        here = opened(vault.root, now)
        (failed,) = worker.drain(here).failed
        assert failed.error == "no model"
        assert not failed.aside
        assert f"tried again in {delay // 60} min" in here.notices[0]
        assert worker.drain(opened(vault.root, now + timedelta(seconds=delay - 1))).failed == ()
        now += timedelta(seconds=delay)
    here = opened(vault.root, now)
    assert worker.drain(here).failed[0].aside
    assert "say a is set aside: no model" in here.notices[0]
    assert worker.drain(opened(vault.root, now + timedelta(days=9))).failed == ()
    worker.failures.clear()
    assert worker.drain(opened(vault.root, now), again=True).done
    assert queue.jobs(vault) == []


def test_one_failure_does_not_hold_up_the_others(vault: Vault) -> None:
    for n in range(3):
        queue.queue_job(vault, "say", str(n), {"n": n})
    worker = Worker(ValueError("odd"))
    ran = worker.drain(vault)
    assert [len(ran.done), [job.error for job in ran.failed], len(ran.waiting)] == [2, ["ValueError: odd"], 1]


def test_words_that_are_wrong_will_be_wrong_tomorrow(vault: Vault) -> None:
    queue.queue_job(vault, "say", "a", {"n": 1})
    assert Worker(UsageError("no such file")).drain(vault).failed[0].aside


def test_a_clock_that_went_back_does_not_stop_the_queue(vault: Vault) -> None:
    queue.queue_job(vault, "say", "a", {"n": 1})
    worker = Worker(ValueError("odd"))
    worker.drain(opened(vault.root, NOW + timedelta(days=400)))
    assert worker.drain(vault).done


def test_interrupting_a_job_is_no_failure_of_it(vault: Vault) -> None:
    queue.queue_job(vault, "say", "a", {"n": 1})
    with pytest.raises(KeyboardInterrupt):
        Worker(KeyboardInterrupt()).drain(vault)
    assert [(job.tries, job.error) for job in queue.jobs(vault)] == [(0, "")]


def test_a_job_that_kills_its_worker_is_set_aside_in_the_end(vault: Vault) -> None:
    queue.queue_job(vault, "say", "a", {"n": 1})
    worker = Worker(*[SystemExit(9)] * 50)  # nobody catches it, as nobody catches a SIGKILL
    for _ in range(len(DELAYS) + 1):
        with pytest.raises(SystemExit):
            worker.drain(vault)
    assert worker.drain(vault).failed[0].error == "its worker died each time"


def test_work_of_an_unknown_kind_and_broken_files_wait_and_are_named(vault: Vault) -> None:
    queue.queue_job(vault, "dream", "a", {})
    (vault.root / "journal/queue/odd.json").write_text('{"id": 3', encoding="utf-8")
    assert [job.kind for job in Worker().drain(vault).waiting] == ["dream"]
    assert sorted(vault.notices) == [
        "dream a waits: this mem does not know such work",
        "journal/queue/odd.json is not a job that can be read, left alone",
    ]


def test_two_at_once_one_works_and_the_other_says_so(vault: Vault) -> None:
    queue.queue_job(vault, "say", "a", {"n": 1})
    worker = Worker()
    with hold_lock(vault.root / "journal/queue/lock", 1, "work"):
        assert worker.drain(vault).done == ()
    assert vault.notices == ["another process is working through the queue already"]


def test_a_link_in_place_of_the_queue_leads_nowhere(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (vault.root / "journal").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused):
        queue.queue_job(vault, "say", "a", {"n": 1})


def test_ids_of_done_jobs_are_not_kept_for_ever(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "KEPT", 5)
    worker = Worker()
    for n in range(30):
        queue.queue_job(vault, "say", str(n), {"n": n})
        worker.drain(vault)
    assert len((vault.root / "journal/queue/done").read_text().split()) <= 11
    assert not queue.queue_job(vault, "say", "29", {"n": 29})


def test_killed_at_any_moment_no_job_is_lost_and_none_has_its_effect_twice(folder: Path) -> None:
    chance = random.Random(3)
    vault, first, put = opened(folder), 0, set[int]()
    for _ in range(5):
        victim = subprocess.Popen(
            [sys.executable, str(SCRIPTS / "work_queue.py"), str(folder), str(first)], stdout=subprocess.PIPE, text=True
        )
        assert victim.stdout is not None
        put.add(int(victim.stdout.readline()))
        time.sleep(chance.random() * 0.2)
        victim.kill()
        victim.wait()
        put |= {int(line) for line in victim.stdout.read().split()}
        victim.stdout.close()
        first = max(put) + 1

    def keep(vault: Vault, payload: dict[str, Any]) -> None:
        if payload["said"] not in {entry.words for entry in vault.entries()}:
            add(vault, Memory(payload["said"], to="list"))

    queue.drain(vault, {"keep": keep})
    assert queue.jobs(vault) == []
    found = Counter(entry.words for entry in vault.entries())
    assert set(found.values()) == {1}
    assert {f"memory {n}" for n in put} <= set(found)
    assert vault.notices == []


def test_looking_at_a_queue_with_nothing_due_changes_no_file(vault: Vault) -> None:
    queue.queue_job(vault, "say", "a", {"n": 1})
    queue.queue_job(vault, "dream", "b", {})
    worker = Worker(ValueError("odd"))
    worker.drain(vault)
    before = {path: path.stat().st_mtime_ns for path in (vault.root / "journal").rglob("*")}
    worker.drain(vault)
    assert {path: path.stat().st_mtime_ns for path in (vault.root / "journal").rglob("*")} == before
