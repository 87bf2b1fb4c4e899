"""Wrap what differs between operating systems: file opening, locks, sockets, processes, signals, terminals.

No other module uses `fcntl`, `msvcrt`, `termios` and the like. The choice depends on what Python has here and not on
the system's name, so a test can remove it. The client of `mem watch` loads this, so rare imports are in functions.
"""

from __future__ import annotations

import _socket
import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    import subprocess
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, TypeVar

    T = TypeVar("T")

# -- opening files -----------------------------------------------------------------------------------------------------

# Don't wait for the other end of a pipe, take no terminal, keep line ends, and let no child inherit it.
AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
AT_ONCE |= getattr(os, "O_CLOEXEC", 0)
NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # 0: the caller has to ask `is_link` first
FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | AT_ONCE
STEPWISE = os.open in os.supports_dir_fd  # whether folders can be opened, and files in them by descriptor

WINDOWS = os.sep == "\\"
PATIENCE, PAUSE = 2.0, 0.02  # seconds to wait for an open file, and between two tries
_IN_USE = (5, 32, 33)  # errors of Windows for a file that is read or being replaced
_MOUNT_POINT = 0xA0000003  # a junction, which is a link between folders on Windows


def patiently(act: Callable[[], T]) -> T:
    """Open, replace or remove a file. Windows refuses that while any program, such as a scanner, has it open."""
    tries = int(PATIENCE / PAUSE)
    while True:
        try:
            return act()
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _IN_USE or not tries:
                raise
        import time

        tries -= 1
        time.sleep(PAUSE)


def replace(old: str | os.PathLike[str], new: str | os.PathLike[str]) -> None:
    patiently(lambda: os.replace(old, new))


def is_link(info: os.stat_result) -> bool:
    """Return whether the result of `lstat` is a link or a junction."""
    return stat.S_ISLNK(info.st_mode) or getattr(info, "st_reparse_tag", 0) == _MOUNT_POINT


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Return whether this is a real folder, not a link or junction to one."""
    if not entry.is_dir(follow_symlinks=False):
        return False
    if hasattr(entry, "is_junction"):  # from Python 3.12 on
        return not entry.is_junction()
    return not (WINDOWS and is_link(entry.stat(follow_symlinks=False)))


def is_mine(info: os.stat_result) -> bool:
    """Return whether a file is this user's own; where users have no numbers, return True."""
    return info.st_uid == my_number() if hasattr(os, "getuid") else True


def my_number() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0


def binary(*handles: int) -> None:
    """Let bytes pass through these handles unchanged; Windows would change the line ends."""
    if WINDOWS:
        import msvcrt

        for handle in handles:
            msvcrt.setmode(handle, os.O_BINARY)  # type: ignore[attr-defined]


def set_mode(handle: int, mode: int) -> None:
    """Set the permissions of an open file, on systems that have them."""
    if hasattr(os, "fchmod"):
        os.fchmod(handle, mode)


# -- locks -------------------------------------------------------------------------------------------------------------

_LOCKED_BYTE = 2**30  # Windows keeps others from reading what is locked, so that lies far behind the holder's name


def lock(handle: int) -> bool:
    """Lock a file for this process until it is closed. Return False when another process has it locked."""
    try:
        try:
            import fcntl
        except ImportError:
            import msvcrt

            os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


# -- sockets -----------------------------------------------------------------------------------------------------------

LOCAL_SOCKETS = hasattr(_socket, "AF_UNIX")  # Windows has them, but its Python does not


def peer_is_mine(sock: Any) -> bool:
    """Return whether a local client is the same user, or True where only permissions protect the socket."""
    if not hasattr(_socket, "SO_PEERCRED"):
        return True
    credentials = sock.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return int.from_bytes(credentials[4:8], sys.byteorder) == my_number()


def speaks(stdin: Any, patience: float) -> bool:
    """Return whether a pipe has something to read, or has ended, within `patience` seconds."""
    try:
        import _winapi  # `select` takes no pipes on Windows
        import msvcrt
    except ImportError:
        import select

        return bool(select.select([stdin], [], [], patience)[0])
    import time

    pipe = msvcrt.get_osfhandle(stdin.fileno())  # type: ignore[attr-defined]
    peek = _winapi.PeekNamedPipe  # type: ignore[attr-defined]
    end = time.monotonic() + patience
    try:
        while not (there := peek(pipe, 0)[0]) and time.monotonic() < end:
            time.sleep(PAUSE)
    except OSError:  # the other end is closed
        return True
    return bool(there)


# -- processes ---------------------------------------------------------------------------------------------------------


def command_words(line: str) -> list[str]:
    """Return the words of a command such as `EDITOR` has, or raise ValueError. Windows keeps its backslashes."""
    import shlex

    words = shlex.split(line, posix=not WINDOWS)
    return [word[1:-1] if WINDOWS and word[:1] == word[-1:] == '"' else word for word in words]


def detached() -> dict[str, Any]:
    """Return the arguments of `subprocess.Popen` for a process that outlives this one and its terminal."""
    import subprocess

    if hasattr(os, "setsid"):
        return {"start_new_session": True}
    apart = ("CREATE_NO_WINDOW", "CREATE_NEW_PROCESS_GROUP")
    return {"creationflags": sum(getattr(subprocess, name, 0) for name in apart)}


def end_with_children(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started with `detached`, and all that it started."""
    if hasattr(os, "killpg"):
        import signal

        os.killpg(process.pid, signal.SIGKILL)  # the group may live on when its first process is done
        return
    import subprocess

    try:
        tree = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
        subprocess.run(tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    finally:
        process.kill()


def end(pid: int, force: bool = False) -> None:
    """Ask another process of ours to end, or force it. Raise OSError when it is gone or not ours."""
    import signal

    if pid > 1:
        os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM) if force else signal.SIGTERM)


def shown(name: str) -> str:
    """Return what Linux shows under `/proc`, or "" where there is no such thing."""
    try:
        with open(f"/proc/{name}", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def ending_signals() -> Sequence[signal.Signals]:
    """Return the signals by which a person or the system asks a process to end."""
    import signal

    names = ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


def cut_off(over: Callable[..., object]) -> Callable[[float, float], None] | None:
    """Return a function that arms a timer to call `over`, or None where a process can't be interrupted.

    It takes seconds of work and seconds in all; zeros disarm it.
    """
    import signal

    if not hasattr(signal, "setitimer"):
        return None
    signal.signal(signal.SIGPROF, over)
    signal.signal(signal.SIGALRM, over)

    def arm(work: float, whole: float) -> None:
        signal.setitimer(signal.ITIMER_PROF, work)
        signal.setitimer(signal.ITIMER_REAL, whole)

    return arm


def is_read(handle: int) -> bool:
    """Return whether a pipe still has a reader, or True where the system can't tell."""
    import select

    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(handle, 0)
    return not any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def step_back() -> None:
    """Lower the priority of this thread below all others, where a thread has its own."""
    if sys.platform == "linux" and hasattr(os, "setpriority"):
        import threading

        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


def memory_in_use() -> int:
    """Return the bytes of memory of this process, as well as the system reports them, or 0 when it does not."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):
        pass
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


# -- terminals ---------------------------------------------------------------------------------------------------------


def keystrokes(terminal: int) -> AbstractContextManager[None] | None:
    """Return a context in which a terminal passes on each key as it is pressed, or None where that takes Enter."""
    try:
        import termios
        import tty
    except ImportError:
        return None
    from contextlib import contextmanager

    @contextmanager
    def unbuffered() -> Iterator[None]:
        before = termios.tcgetattr(terminal)
        tty.setcbreak(terminal, termios.TCSADRAIN)
        try:
            yield
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)

    return unbuffered()
