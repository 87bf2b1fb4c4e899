"""Processes that read: they say what this one would say, know what was written, and are replaced when they die."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from memcli.errors import NotFound
from memcli.features.serve.access import Access
from memcli.features.serve.problems import Problem
from memcli.features.serve.readers import Readers, command
from memcli.remember import Memory, add
from tests.conftest import Ran, opened
from tests.features.serve.process import eventually, started

HANGS = "import pickle, sys, time; pickle.dump(None, sys.stdout.buffer); sys.stdout.flush(); time.sleep(60)"
DIES = "import pickle, sys; pickle.dump(None, sys.stdout.buffer); sys.stdout.flush(); sys.stdin.buffer.read(10)"


class Two(Readers):
    """Two readers, which can be asked each."""

    said: list[str]

    def each(self) -> Iterator[int]:
        """Make one after the other the only one who is free; their processes."""
        both = list(self._free)
        for reader in both:
            self._free = [reader]
            yield reader._process.pid
        self._free = [*self._free, *(reader for reader in both if reader not in self._free)][:2]


def two(start: list[str], longest: float = 60.0) -> Two:
    told: list[str] = []
    made = Two(start, 2, dict(os.environ), told.append, longest)
    made.said = told
    return made


@pytest.fixture
def readers(folder: Path) -> Iterator[Two]:
    (folder / "mem.yaml").write_text("", encoding="utf-8")
    add(opened(folder), Memory("The teapot is on the upper shelf"))
    made = two(command(folder, 2))
    made.wait()
    yield made
    made.close()


def asked(readers: Readers, root: Path, question: str) -> str:
    ran = readers.run(["recall", "--", question], b"", Access(root))
    assert ran.code == 0, ran
    return ran.out


def test_a_reader_says_what_the_command_prints_and_what_it_refuses(
    readers: Two, folder: Path, mem: Callable[..., Ran]
) -> None:
    for words in (["recall", "--json", "where is the teapot"], ["list", "--json"], ["prompt", "teapot"]):
        assert readers.run(words, b"", Access(folder)).out == mem("--vault", str(folder), *words).out
    error = readers.run(["show", "0000000"], b"", Access(folder)).error
    assert isinstance(error, NotFound) and "0000000" in error.message and error.hint


@pytest.mark.slow
def test_what_was_written_is_seen_by_the_next_read_of_every_reader(readers: Two, folder: Path) -> None:
    for number in range(3):
        for _ in readers.each():
            assert "teapot" in asked(readers, folder, "where is the teapot")
        place = "" if number else "deep/er/shelf.md"
        add(opened(folder), Memory(f"The astrolabe {number} belongs to Grandfather", to=place))
        readers.wrote(folder)
        for _ in readers.each():
            assert f"astrolabe {number} belongs" in asked(readers, folder, f"astrolabe {number} Grandfather")


@pytest.mark.slow
def test_an_agents_reader_sees_what_the_agent_sees(readers: Two, folder: Path) -> None:
    add(opened(folder).seen_by("coder"), Memory("The deploy key of the agent is on shelf nine"))
    readers.wrote(folder)
    words = ["recall", "--agent=coder", "--", "deploy key shelf"]
    for _ in readers.each():
        assert "shelf nine" in readers.run(words, b"", Access(folder, "coder")).out
        assert "shelf nine" not in asked(readers, folder, "deploy key shelf")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_a_reader_that_dies_is_replaced_and_nobody_notices(readers: Two, folder: Path) -> None:
    for pid in readers.each():
        os.kill(pid, signal.SIGKILL)
        assert "teapot" in asked(readers, folder, "where is the teapot")
    assert len(readers.said) == 2 and all("another one takes its place" in line for line in readers.said)


@pytest.mark.slow
def test_what_every_reader_dies_of_is_asked_twice_and_no_more(folder: Path) -> None:
    readers = two([sys.executable, "-c", DIES])
    with pytest.raises(Problem) as problem:
        readers.run(["recall"], b"", Access(folder))
    readers.close()
    assert problem.value.status == 503 and len(readers.said) == 2


@pytest.mark.slow
def test_a_reader_that_hangs_is_ended(folder: Path) -> None:
    readers = two([sys.executable, "-c", HANGS], longest=0.3)
    with pytest.raises(Problem) as problem:
        readers.run(["recall"], b"", Access(folder))
    readers.close()
    assert problem.value.status == 503


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux tells who a process has started")
def test_no_reader_outlives_a_server_that_was_killed(folder: Path, tmp_path: Path) -> None:
    (folder / "mem.yaml").write_text("", encoding="utf-8")
    server = started(folder, tmp_path / "log", "--workers", "2")
    pid = server.process.pid
    pids = [line for task in Path(f"/proc/{pid}/task").iterdir() for line in (task / "children").read_text().split()]
    assert len(pids) == 2
    server.process.kill()
    server.process.wait()
    eventually(lambda: any(Path(f"/proc/{pid}").exists() for pid in pids) and 1 / 0)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix end it here")
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_server_answers_alike_however_many_read(folder: Path, tmp_path: Path, workers: str) -> None:
    (folder / "mem.yaml").write_text("", encoding="utf-8")
    server = started(folder, tmp_path / "log", "--workers", workers)
    told = "The barometer hangs in the hall"
    assert server.ask("POST", "/v1/memories", {"text": told})[0] == 201
    questions = [{"query": f"barometer {number}", "format": "md"} for number in range(4)]
    with ThreadPoolExecutor(4) as clients:
        answers = list(clients.map(lambda question: server.ask("POST", "/v1/recall", question), questions))
    assert all(status == 200 and told in text.decode() for status, text in answers), answers
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(30) == 0


@pytest.mark.slow
def test_a_reader_that_never_answers_does_not_keep_the_server(folder: Path) -> None:
    readers = two([sys.executable, "-c", HANGS])
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(readers.run, ["recall"], b"", Access(folder))
        eventually(lambda: readers._busy or 1 / 0)
        readers.close()
        assert isinstance(answer.exception(20), Problem)
