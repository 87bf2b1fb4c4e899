"""Python without what only POSIX has: a folder to put on PYTHONPATH, so that a process finds less than there is.

It takes modules, calls and flags away, lets files that are open refuse to be replaced for a moment, and has what Windows
has instead: `msvcrt` and `_winapi`, as far as `memcli` asks them. Paths and programs stay those of this machine.
"""

import _socket
import errno
import fcntl
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile  # noqa: F401
import termios
import types
from importlib.abc import MetaPathFinder

GONE = {"fcntl", "termios", "tty", "pty", "resource", "pwd", "grp", "syslog"}


class Finder(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in GONE:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


for name in GONE:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Finder())

# -- calls and flags ---------------------------------------------------------------------------------------------------

LACKING = {
    os: (
        "O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY", "O_CLOEXEC", "O_NOCTTY", "fork", "forkpty", "setsid", "getuid", "geteuid",
        "killpg", "fchmod", "pread", "pwrite", "setpriority", "sysconf", "mkfifo",
    ),
    socket: ("AF_UNIX", "SO_PEERCRED", "send_fds"),
    _socket: ("AF_UNIX", "SO_PEERCRED"),
    select: ("poll", "epoll"),
    signal: ("SIGKILL", "SIGHUP", "SIGPIPE", "SIGALRM", "SIGUSR1"),
}  # fmt: skip
for module, names in LACKING.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
subprocess.Popen.kill = subprocess.Popen.terminate
os.supports_dir_fd = set()
shutil._use_fd_functions = False  # as on Windows: a folder is taken away by its path

really_open, really_select = os.open, select.select


def open_plainly(path, flags, mode=0o777, *, dir_fd=None):
    if dir_fd is not None:
        raise NotImplementedError("dir_fd unavailable on this platform")
    if os.path.isdir(path):
        raise PermissionError(errno.EACCES, "Permission denied", os.fspath(path))
    return really_open(path, flags, mode)


def select_sockets(reading, writing, odd, timeout=None):
    if not all(isinstance(one, (socket.socket, _socket.socket)) for one in (*reading, *writing)):
        raise OSError(10038, "An operation was attempted on something that is not a socket")
    return really_select(reading, writing, odd, timeout)


os.open, select.select = open_plainly, select_sockets

# -- files that somebody has open --------------------------------------------------------------------------------------

refused: dict = {}


def refusing(call, times=2):
    """The same call, which says at first that the file is in use."""

    def act(path, *more, **options):
        if any(options.get(name) is not None for name in ("dir_fd", "src_dir_fd", "dst_dir_fd")):
            raise NotImplementedError("dir_fd unavailable on this platform")
        key = (call.__name__, os.fspath(path))
        refused[key] = refused.get(key, 0) + 1
        if os.path.isfile(path) and refused[key] <= times:
            error = PermissionError(errno.EACCES, "The process cannot access the file", os.fspath(path))
            error.winerror = 32
            raise error
        refused.pop(key)
        return call(path, *more, **options)

    return act


os.replace, os.rename = refusing(os.replace), refusing(os.rename)

# -- what there is instead ---------------------------------------------------------------------------------------------

msvcrt = types.ModuleType("msvcrt")
msvcrt.LK_NBLCK = 2
msvcrt.locking = lambda handle, how, size: fcntl.lockf(
    handle, fcntl.LOCK_EX | fcntl.LOCK_NB, size, os.lseek(handle, 0, os.SEEK_CUR)
)
msvcrt.get_osfhandle = lambda handle: handle
_winapi = types.ModuleType("_winapi")


def peek(handle, size):
    there = int.from_bytes(fcntl.ioctl(handle, termios.FIONREAD, b"\0" * 4), sys.byteorder)
    if not there and really_select([handle], [], [], 0)[0]:
        raise BrokenPipeError(109, "The pipe has been ended")
    return there, 0


_winapi.PeekNamedPipe = peek
sys.modules["msvcrt"], sys.modules["_winapi"] = msvcrt, _winapi
