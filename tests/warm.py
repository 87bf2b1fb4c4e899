"""`mem` as a process of its own without waiting for Python to start each time: a warm process forks for every call.

What is forked has its own environment, folder and streams, as a started one has. Only what loads and is compiled at the
start is not tested so; test_house and README do that with cold processes.
"""

from __future__ import annotations

import os
import pkgutil
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
import warnings
from ast import literal_eval
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, NoReturn

HERE = Path(__file__).parent.parent
# What commands load that takes long and outlives a fork: LanceDB starts its one thread anew there.
ALSO = ("yaml", "ruamel.yaml", "httpx", "phonenumbers", "tiktoken", "pyarrow.compute", "lancedb.index")
# Commands that are run once before, so that patterns are compiled and tables read for all that are forked.
REHEARSAL = (
    ["recall", "what did we decide about tea last week"],
    ["recall", "上周决定喝什么茶"],
    ["prompt", "tea"],
    ["add", "--dry-run", "the tea is moved to Friday"],
    ["add", "--dry-run", "我明天去杭州喝茶"],
    ["learn", "PLACE/talk.txt"],
    ["learn", "PLACE/zh.txt"],
    ["list"],
)
TALKS = {"talk.txt": "User: I moved to Ghent and I like tea\n", "zh.txt": "我: 我在杭州上班，我喜欢喝茶\n"}


class Warm:
    """The warm process; it ends with the one that started it, whose end of a pipe it reads."""

    def __init__(self, folder: Path, elsewhere: str = "") -> None:
        """`elsewhere`: where one listens, or is about to, that another process has started."""
        self.address = elsewhere or str(folder / "warm")
        self.process = None if elsewhere else self._begin()

    def _begin(self) -> subprocess.Popen[bytes]:
        paths = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
        return subprocess.Popen(
            [sys.executable, "-m", "tests.warm", self.address],
            cwd=HERE, env={**os.environ, "PYTHONPATH": paths}, stdin=subprocess.PIPE,
        )  # fmt: skip

    def ready(self) -> Warm:
        """Wait until it listens."""
        until = time.monotonic() + 120
        while not os.path.exists(self.address):
            assert time.monotonic() < until and not (self.process and self.process.poll()), (
                "the warm process is not there"
            )
            time.sleep(0.05)
        return self

    def run(self, words: list[str], cwd: Path, environ: dict[str, str], streams: list[int]) -> int:
        """Run `mem WORDS…` on these streams; its exit code."""
        code = self.start(words, cwd, environ, streams).wait(60)
        assert code != -signal.SIGKILL, "mem came to no end"
        return code

    def start(self, words: list[str], cwd: Path, environ: dict[str, str], streams: list[int]) -> Forked:
        """Begin `mem WORDS…` on these streams."""
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(60)
        line.connect(self.address)
        said = ascii([words, str(cwd), environ]).encode()
        socket.send_fds(line, [len(said).to_bytes(8, "big")], streams)
        line.sendall(said)
        return Forked(line)

    def end(self) -> None:
        if self.process and self.process.stdin:
            self.process.stdin.close()
            self.process.wait()


class Forked:
    """A process that the warm one has forked: as much of `Popen` as tests need."""

    def __init__(self, line: socket.socket) -> None:
        self.line, self.answer = line, b""
        while b" " not in self.answer:
            self.answer += self._read()
        self.pid = int(self.answer.split()[0])
        self.returncode: int | None = None

    def _read(self) -> bytes:
        piece = self.line.recv(16)
        assert piece, "it did not begin"
        return piece

    def poll(self) -> int | None:
        with suppress(TimeoutError):
            self.wait(0.001)
        return self.returncode

    def wait(self, timeout: float = 60) -> int:
        """Wait until the process is gone, with all it held; its exit code."""
        if self.returncode is None:
            self.line.settimeout(timeout)
            while piece := self.line.recv(16):
                self.answer += piece
            self.line.close()
            self.returncode = int(self.answer.split()[1]) if self.answer[-1:] != b" " else -signal.SIGKILL
        return self.returncode

    def send_signal(self, sign: int) -> None:
        os.kill(self.pid, sign)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Unseen(Loader, MetaPathFinder):
    """A package that is loaded and seems not to be until it is imported, for some answers depend on that."""

    def __init__(self, name: str) -> None:
        self.name, self.module = name, sys.modules.pop(name, None)

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if self.module and fullname == self.name else None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        """It was run before."""


def serve(address: str) -> None:
    import memcli

    for name in [each.name for each in pkgutil.walk_packages(memcli.__path__, "memcli.")]:
        if not name.endswith("__main__"):
            import_module(name)
    os.environ["LANCE_LOG"] = os.environ["LANCEDB_LOG"] = "error"  # as `database` in memcli/index/store.py has it
    for name in ALSO:
        with suppress(ImportError):
            import_module(name)
    warnings.filterwarnings("ignore", "lancedb fork support", RuntimeWarning)
    _rehearse()
    sys.meta_path.insert(0, Unseen("lancedb"))
    threads = {thread.name for thread in threading.enumerate()} - {"MainThread", "LanceDBBackgroundEventLoop"}
    assert not threads, "what has threads can't be forked"
    server = socket.socket(socket.AF_UNIX)
    server.bind(f"{address}.new")
    server.listen(64)
    os.rename(f"{address}.new", address)  # whoever sees it can connect
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever has answered is not waited for
    while True:
        line, _ = server.accept()
        if os.fork() == 0:
            server.close()
            _answer(line)
        line.close()


def _rehearse() -> None:
    from memcli import registry
    from memcli.cli.main import main

    with TemporaryDirectory() as place, open(os.devnull, "w") as nowhere:
        os.environ.update(dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"), place))
        for name, text in {"MEMORY.md": "- tea at four\n", **TALKS}.items():
            Path(place, name).write_text(text, encoding="utf-8")
        for words in REHEARSAL:
            with suppress(SystemExit), redirect_stdout(nowhere), redirect_stderr(nowhere):
                main(["--vault", place, *(word.replace("PLACE", place) for word in words)])
    registry._off = None  # which features are off, each process reads anew


def _answer(line: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, streams, _, _ = socket.recv_fds(line, 8, 3)
    said = b""
    while len(said) < int.from_bytes(size, "big"):
        said += line.recv(1 << 20)
    line.sendall(f"{os.getpid()} ".encode())
    leave = os._exit

    def tell_and_leave(code: int) -> NoReturn:
        with suppress(OSError):
            line.sendall(str(code).encode())
        leave(code)

    os._exit = tell_and_leave  # a second fork for the exit code costs as much as a command
    _become(literal_eval(said.decode()), streams)


def _become(said: list[Any], streams: list[int]) -> None:
    words, cwd, environ = said
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for stream in streams:
        os.close(stream)
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()
    os.chdir(cwd)
    sys.argv = ["mem", *words]
    for name, number, mode, errors in (
        ("stdin", 0, "r", "surrogateescape"), ("stdout", 1, "w", "surrogateescape"), ("stderr", 2, "w", "backslashreplace"),
    ):  # fmt: skip
        by_line = number == 2 or "PYTHONUNBUFFERED" in environ
        setattr(sys, name, open(number, mode, 1 if by_line else -1, "utf-8", errors, closefd=False))  # noqa: SIM115
    code = 1
    try:
        from memcli.__main__ import main

        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(bool(end.code))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve(sys.argv[1])
