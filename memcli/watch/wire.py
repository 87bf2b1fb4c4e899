"""Define the protocol between a client and `mem watch`, and the address of their socket.

They exchange frames of bytes, because json takes long to load. The server greets, and the client sends one request
together with its stdin. The server answers or declines.
"""

from __future__ import annotations

import _socket
import os
import stat
import sys
import time

from memcli import __version__, system
from memcli.message import Message
from memcli.vault.discover import CACHE, data_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

PROTOCOL = 3
GREETING = f"mem {PROTOCOL} {__version__}".encode()
SILENCE, LIMIT = 0.1, 2.0  # seconds without a greeting, and in all, after which a client gives up
LARGEST = 64 * 1024 * 1024  # bytes of a frame

# Kinds of frames from the client: run a command, report the status, stop, and find a memory that says the same.
RUN, STATUS, STOP, ALIKE = b"R", b"S", b"Q", b"L"
# Kinds of frames from the server: the greeting, the answer, and a refusal.
HELLO, ANSWER, DECLINED = b"H", b"A", b"D"
# Parts of a request: the words of a command with all that belongs to them, and its stdin.
WORDS, STDIN = b"w", b"i"
# Parts of an answer: the exit code, text for a stream, and a flush of stdout.
CODE, OUT, ERR, FLUSH = b"c", b"o", b"e", b"f"

_ROOM = 96  # bytes of a socket's name that every system takes, with a few spare for the name during creation
_SENT_PREFIXES = ("MEM_", "XDG_", "LC_")
_SENT_NAMES = frozenset(
    ("HOME", "USER", "USERNAME", "TERM", "NO_COLOR", "COLUMNS", "LINES", "TZ", "LANG", "TIKTOKEN_CACHE_DIR")
)


class WireError(Exception):
    """Report that the other side is gone, silent, or does not speak the protocol."""


class NoWatcher(WireError):
    """Report that nobody watches."""


def frame(kind: bytes, payload: bytes = b"") -> bytes:
    return kind + len(payload).to_bytes(4, "big") + payload


def frames(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the frames in the payload of another frame."""
    at = 0
    while at < len(data):
        end = at + 5 + int.from_bytes(data[at + 1 : at + 5], "big")
        if end > len(data):
            raise WireError("sent half a frame")
        yield data[at : at + 1], data[at + 5 : end]
        at = end


def send(sock: Any, data: bytes) -> None:
    """Send everything, each piece within the socket's own timeout, so that a slow reader does not count as broken."""
    left = memoryview(data)
    try:
        while left:
            left = left[sock.send(left[:65536]) :]
    except OSError as error:
        raise WireError(Message("can't be reached: {WHY}", WHY=error)) from None


def receive(sock: Any, until: float | None = None, most: int = LARGEST) -> tuple[bytes, bytes]:
    """Return one frame, received by the monotonic time `until`.

    Between two pieces of it no more than the socket's own timeout may pass.
    """
    head = exactly(sock, 5, until)
    length = int.from_bytes(head[1:], "big")
    if length > most:
        raise WireError("sent too much data")
    return head[:1], exactly(sock, length, until)


def exactly(sock: Any, length: int, until: float | None = None) -> bytes:
    pieces, left = [], length
    while left:
        if until is not None and time.monotonic() >= until:
            raise WireError("took too long")
        try:
            piece = sock.recv(min(left, 65536))
        except TimeoutError:
            raise WireError("did not answer in time") from None
        except OSError as error:
            raise WireError(Message("closed the connection: {WHY}", WHY=error)) from None
        if not piece:
            raise WireError("closed the connection")
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


# -- what a request says ---------------------------------------------------------------------------------------------


def request(
    argv: Sequence[str], environ: Mapping[str, str], here: str, encoding: str, ttys: str, stdin: bytes | None
) -> bytes:
    """Return a request to run a command: its words, the environment it may read, its streams and its stdin.

    A `stdin` of None means that stdin has yet to come.
    """
    sent = [
        f"{name}={value}" for name, value in environ.items() if name in _SENT_NAMES or name.startswith(_SENT_PREFIXES)
    ]
    words = [encoding, ttys, here, str(len(argv)), *argv, *sent]
    command = frame(WORDS, b"\0".join([GREETING, *map(os.fsencode, words)]))
    return command if stdin is None else command + frame(STDIN, stdin)


def parse_request(payload: bytes) -> tuple[list[str], dict[str, str], str, str, str, bytes | None]:
    """Return the parts of a request: words, environment, folder, encoding of names, which streams are terminals,
    stdin."""
    parts = dict(frames(payload))
    greeting, *rest = parts.get(WORDS, b"").split(b"\0")
    if greeting != GREETING:
        raise WireError("is of another version")
    try:
        encoding, ttys, here, number, *words = map(os.fsdecode, rest)
        count = int(number)
        environ = dict(word.split("=", 1) for word in words[count:])
    except ValueError:
        raise WireError("got an unknown request") from None
    return words[:count], environ, here, encoding, ttys, parts.get(STDIN)


class RecordedStream:
    """Record text for a stream of another process, which prints it later."""

    encoding = "utf-8"

    def __init__(self, kind: bytes, pieces: list[tuple[bytes, str]], is_terminal: bool) -> None:
        self.kind, self.pieces, self.is_terminal = kind, pieces, is_terminal

    def write(self, text: str) -> int:
        self.pieces.append((self.kind, text))
        return len(text)

    def flush(self) -> None:
        if self.kind == OUT:
            self.pieces.append((FLUSH, ""))

    def isatty(self) -> bool:
        return self.is_terminal


def answer_payload(code: int, pieces: Iterable[tuple[bytes, str]]) -> bytes:
    """Return an answer with the printed text, in order, as UTF-8, which the terminal accepts in any locale."""
    printed = b"".join(frame(kind, text.encode("utf-8", "replace")) for kind, text in pieces)
    return frame(CODE, b"%d" % code) + printed


# -- where to meet ---------------------------------------------------------------------------------------------------


def socket_path(root: str, environ: Mapping[str, str]) -> str:
    """Return the path of a vault's socket: in its cache, or in the user's runtime folder if that path is too long.

    Without local sockets it is a file in the user's data folder, see `loopback`.
    """
    name = os.path.join(os.path.realpath(root), CACHE, "socket")
    if system.LOCAL_SOCKETS and len(os.fsencode(name)) <= _ROOM:
        return name
    info = os.stat(root)
    own_name = f"{info.st_dev:x}-{info.st_ino:x}"
    if not system.LOCAL_SOCKETS:
        return os.path.join(data_home(environ), "doors", own_name)
    for folder in (environ.get("XDG_RUNTIME_DIR"), environ.get("TMPDIR"), "/tmp"):
        name = f"{folder}/mem-{system.my_number()}/{own_name}"
        if folder and len(os.fsencode(name)) <= _ROOM:
            break
    return name


def is_own_socket(name: str) -> bool:
    """Return whether a watcher of this user made it, in a folder of theirs that is no link: nobody else may answer."""
    try:
        folder, info = os.lstat(os.path.dirname(name)), os.lstat(name)
    except OSError:
        return False
    is_door = stat.S_ISSOCK(info.st_mode) if system.LOCAL_SOCKETS else stat.S_ISREG(info.st_mode)
    real = stat.S_ISDIR(folder.st_mode) and not system.is_link(folder)
    return real and is_door and system.is_mine(folder) and system.is_mine(info)


# -- asking ----------------------------------------------------------------------------------------------------------


def call(name: str, kind: bytes, payload: bytes = b"", silence: float = SILENCE) -> bytes:
    """Return the whole answer to a request. Raise WireError when there is none."""
    if not is_own_socket(name):
        raise NoWatcher("is not there")
    sock = _socket.socket(_socket.AF_UNIX if system.LOCAL_SOCKETS else _socket.AF_INET, _socket.SOCK_STREAM)
    try:
        sock.settimeout(silence)
        try:
            connect(name, sock)
        except (ConnectionRefusedError, FileNotFoundError):
            raise NoWatcher("is not there") from None
        except OSError as error:  # too many clients are asking
            raise WireError(Message("can't be reached: {WHY}", WHY=error)) from None
        return _answered(sock, frame(kind, payload))
    finally:
        sock.close()


def run(
    root: str, words: Sequence[str], environ: Mapping[str, str], here: str, stdin: bytes = b""
) -> tuple[int, str] | None:
    """Return the exit code and output of a command that the vault's watcher ran, or None if there is no watcher or it
    failed; then the caller does the work itself."""
    if environ.get("MEM_LANE") == "off":
        return None
    try:
        asked = request(["--vault", root, *words], environ, here, sys.getfilesystemencoding(), "00", stdin)
        (_, code), *pieces = frames(call(socket_path(root, environ), RUN, asked))
    except (WireError, OSError, ValueError):
        return None
    return int(code), b"".join(text for kind, text in pieces if kind == OUT).decode("utf-8", "replace")


def connect(name: str, sock: Any) -> None:
    """Connect to the watcher that made this socket or file."""
    if system.LOCAL_SOCKETS:
        sock.connect(name)
    else:
        from memcli.watch import loopback  # only where it is needed, because it hashes

        loopback.connect(name, sock)


def _answered(sock: _socket.socket, request: bytes) -> bytes:
    until = time.monotonic() + LIMIT
    send(sock, request)
    if receive(sock, until, 1000) != (HELLO, GREETING):
        raise WireError("is of another version")
    sock.settimeout(LIMIT)
    kind, payload = receive(sock, until)
    if kind == DECLINED:
        raise WireError(payload.decode("utf-8", "replace"))
    if kind != ANSWER:
        raise WireError("answered in a way nobody understands")
    return payload
