"""Answer requests on the socket of `mem watch`: a thread for each connection, and one server for each vault.

The caller determines the answer to a request. A client whose request fails gets the reason and works without a watcher.
"""

from __future__ import annotations

import socket
import stat
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from memcli import system
from memcli.errors import Refused, VaultError
from memcli.vault import files
from memcli.vault.layout import CACHE
from memcli.vault.lock import hold_lock
from memcli.watch import wire

CHECK = 1.0  # seconds between two checks that the socket is still there
REST = 0.04  # seconds to wait when no client can be served
PATIENCE = 1.0  # seconds that a client may take to send its request, and answers may take at the end
MOST = 64  # simultaneous connections

Identity = tuple[int, int] | None  # the file or folder that a name stands for; None means none
# kind and payload of a request → kind and payload of its answer
Respond = Callable[[bytes, bytes], tuple[bytes, bytes]]


class Server:
    """Own the meeting place of one vault from `open` to `close`."""

    def __init__(self, root: Path, environ: Mapping[str, str], respond: Respond) -> None:
        self.root, self.respond = root, respond
        self.name = Path(wire.socket_path(str(root), environ))
        self.answered = 0
        self.asked = 0.0  # when the last question came, in the seconds of `time.monotonic`
        self._home = _identity(root)
        self._held = ExitStack()  # the lock, and the listening socket
        self._listening: socket.socket | None = None
        self._lock_file = root / CACHE / "watch.lock"
        self._made: tuple[Identity, Identity] | None = None  # identity of our socket's file and of our lock's
        self._secret = b""  # the secret that clients must know where the socket itself keeps nobody out
        self._lock = threading.Lock()  # guards the threads
        self._threads: dict[socket.socket, threading.Thread] = {}
        self._done = threading.Event()

    @property
    def busy(self) -> bool:
        return bool(self._threads)

    def open(self) -> None:
        """Take the vault's meeting place. Raise Refused, naming the other process, when somebody watches already."""
        files.make_cache(self.root / CACHE)
        with ExitStack() as stack:
            stack.enter_context(hold_lock(self._lock_file, 0, "watch", doing="the vault is being watched"))
            self._listening = stack.enter_context(_new_socket())
            self._listening.settimeout(CHECK)
            with files.writing(self.name):
                self._place(self._listening)
            self._made = self._there()
            self._held = stack.pop_all()
        self.asked = time.monotonic()

    def serve(self) -> None:
        """Answer until `stop` is called or the vault is gone."""
        try:
            while not self._done.is_set() and _identity(self.root) == self._home:
                if self._made is None or self._there() != self._made:  # anybody may delete the cache
                    self._open_again()
                elif self._listening is not None:
                    self._accept(self._listening)
        finally:
            self.stop()
            self._finish()

    def stop(self) -> None:
        self._done.set()
        with suppress(OSError), _new_socket() as knock:  # wakes `serve`
            knock.setblocking(False)
            if self._listening:
                knock.connect(self._listening.getsockname() if self._secret else str(self.name))

    def close(self) -> None:
        """Give up the meeting place, so that another process can watch."""
        self._held.close()

    # -- the meeting place -------------------------------------------------------------------------------------------

    def _place(self, listening: socket.socket) -> None:
        """Put the socket where clients look for it. A file there is a dead watcher's, because we hold the lock."""
        if not system.LOCAL_SOCKETS:
            from memcli.watch import loopback  # only where it is needed

            self._secret = loopback.listen(self.name, listening, MOST)
            return
        folder = self.name.parent
        if folder.name != CACHE:
            folder.mkdir(0o700, parents=True, exist_ok=True)
        info = folder.lstat()
        if not stat.S_ISDIR(info.st_mode) or not system.is_mine(info):
            raise Refused("{name} is not your own", "it has to be, for nobody else may listen in", name=folder)
        new = self.name.with_name(self.name.name + ".new")
        new.unlink(missing_ok=True)
        listening.bind(str(new))
        new.chmod(0o600)
        listening.listen(MOST)
        new.replace(self.name)

    def _there(self) -> tuple[Identity, Identity]:
        """Return what lies where our socket and our lock should."""
        return _identity(self.name), _identity(self._lock_file)

    def _open_again(self) -> None:
        self._held.close()
        self._made = None
        try:
            self.open()
        except VaultError:  # for instance, a full disk
            self._done.wait(CHECK)

    def _finish(self) -> None:
        """Let answers be finished, and remove the socket."""
        if self._made and _identity(self.name) == self._made[0]:
            self.name.unlink(missing_ok=True)
        with self._lock:
            threads = list(self._threads.values())
        until = time.monotonic() + PATIENCE
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))

    # -- connections -------------------------------------------------------------------------------------------------

    def _accept(self, listening: socket.socket) -> None:
        try:
            sock, _ = listening.accept()
        except TimeoutError:
            return
        except OSError:  # the client is gone again, or no descriptor is left
            self._done.wait(REST)
            return
        thread = threading.Thread(target=self._converse, args=(sock,), name="answer", daemon=True)
        with self._lock:
            welcome = len(self._threads) < MOST and (self._secret or system.peer_is_mine(sock))
            if welcome:
                self._threads[sock] = thread
        try:
            if welcome:
                thread.start()
                return
        except RuntimeError:  # no more threads
            with self._lock:
                del self._threads[sock]
        sock.close()

    def _converse(self, sock: socket.socket) -> None:
        try:
            sock.settimeout(PATIENCE)
            if self._secret:
                from memcli.watch import loopback

                loopback.admit(sock, self._secret)
            wire.send(sock, wire.frame(wire.HELLO, wire.GREETING))
            kind, reply = self._reply(sock)
            wire.send(sock, wire.frame(*reply))
            with self._lock:
                self.asked = self.asked if kind == wire.STATUS else time.monotonic()
                self.answered += kind == wire.RUN and reply[0] == wire.ANSWER
        except (wire.WireError, OSError):  # the client is gone
            pass
        finally:
            with self._lock:
                self._threads.pop(sock, None)
            sock.close()

    def _reply(self, sock: socket.socket) -> tuple[bytes, tuple[bytes, bytes]]:
        """Return the kind of a request and its answer. Any failure becomes an answer, too."""
        kind = b""
        try:
            kind, payload = wire.receive(sock, time.monotonic() + PATIENCE)
            return kind, self.respond(kind, payload)
        except wire.WireError as error:
            return kind, (wire.DECLINED, str(error).encode("utf-8", "replace"))
        except (Exception, SystemExit) as error:  # the command itself will report it better
            return kind, (wire.DECLINED, f"failed: {type(error).__name__}: {error}".encode("utf-8", "replace"))


def _identity(path: Path) -> Identity:
    """Return the identity of the file or folder that a name stands for now, or None."""
    info = files.stat_of(path)
    return (info.st_dev, info.st_ino) if info else None


def _new_socket() -> socket.socket:
    return socket.socket(socket.AF_UNIX if system.LOCAL_SOCKETS else socket.AF_INET, socket.SOCK_STREAM)
