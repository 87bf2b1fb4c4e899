"""Start the `git` program quietly: never a prompt, never a pager, nothing that outlives `mem`."""

from __future__ import annotations

import os
import subprocess
from _contextvars import ContextVar  # `contextvars` would be one module more for every command
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from memcli.errors import MissingPart
from memcli.message import Message

GRACE = 2.0  # seconds in which git may release its locks
QUIET = {
    "core.pager": "cat", "core.editor": "true", "commit.gpgSign": "false", "core.quotePath": "false",
    "diff.external": "", "color.ui": "false", "advice.detachedHead": "false", "log.showSignature": "false",
    "submodule.recurse": "false", "fetch.recurseSubmodules": "false", "push.recurseSubmodules": "no",
    "diff.ignoreSubmodules": "all", "gc.autoDetach": "false", "maintenance.autoDetach": "false",
}  # fmt: skip
NONE: Mapping[str, str] = MappingProxyType({})
_OF_ANOTHER_REPOSITORY = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_SHALLOW_FILE", "GIT_REPLACE_REF_BASE",
)  # fmt: skip
# Lines of git's message that don't tell why a remote can't be read.
_SAYS_NOTHING = (
    "fatal: Could not read from remote repository.",
    "Please make sure you have the correct access rights",
    "and the repository exists.",
)


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    raw: bytes
    err: str

    @property
    def ok(self) -> bool:
        return self.code == 0

    @property
    def out(self) -> str:
        return self.raw.decode("utf-8", "replace")

    @property
    def names(self) -> list[str]:
        """Return the file names that git printed with `-z`."""
        return [os.fsdecode(name) for name in self.raw.split(b"\0") if name]

    @property
    def why(self) -> str:
        """Return the last informative line of what git printed."""
        lines = [line.strip() for line in (self.err or self.out).splitlines() if line.strip()]
        telling = [line for line in lines if line not in _SAYS_NOTHING] or lines
        return telling[-1] if telling else Message("{name} ended with {n}", name="git", n=self.code)


LISTED = ("--pathspec-from-file=-", "--pathspec-file-nul")  # a command line is too short for the files of an import


def listed(paths: Iterable[str]) -> bytes:
    """Return paths as git reads them from its input."""
    return os.fsencode("".join(f"{path}\0" for path in paths))


Ask = Callable[..., Answer]  # `ask` in one folder, perhaps with other values of its own
NAME, EMAIL = "mem", "mem@localhost"  # the committer while git does not know the user
NOBODY = "git does not know who you are, so commits carry the name mem"
WHO = 'git config --global user.name "…" and user.email "…"'
_OWN = {"GIT_AUTHOR_NAME": NAME, "GIT_AUTHOR_EMAIL": EMAIL, "GIT_COMMITTER_NAME": NAME, "GIT_COMMITTER_EMAIL": EMAIL}


# Open files that git keeps open, too, as long as it runs.
INHERITED: ContextVar[tuple[int, ...]] = ContextVar("inherited", default=())


def ask(
    folder: Path, *words: str, timeout: float = 30, stdin: bytes | None = None, variables: Mapping[str, str] = NONE,
    settings: Mapping[str, str] = NONE,
) -> Answer:  # fmt: skip
    """Run git as the user would; as `mem` where git does not know who that is: such a history is better than none."""
    options = (word for key, value in {**QUIET, **settings}.items() for word in ("-c", f"{key}={value}"))
    command = ["git", *options, *words]
    answer = _run(folder, command, timeout, stdin, variables)
    # keeps git from guessing a name for the user
    if answer.ok or not _asks_who(answer.err) or "auto-detection is disabled" in answer.err:
        return answer
    return _run(folder, command, timeout, stdin, {**variables, **_OWN})


def _run(folder: Path, command: list[str], timeout: float, stdin: bytes | None, variables: Mapping[str, str]) -> Answer:
    environ = {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER_REPOSITORY}
    environ |= {"GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1", "LC_ALL": "C.UTF-8", **variables}
    try:
        process = subprocess.Popen(
            command, cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE, pass_fds=INHERITED.get(),
        )  # fmt: skip
    except FileNotFoundError:
        raise MissingPart("git is not installed", "install git, or set write.commit to false") from None
    try:
        out, err = process.communicate(stdin, timeout=timeout)
    except subprocess.TimeoutExpired:
        return _ended(process, f"git took longer than {timeout:g} s")
    return Answer(process.returncode, out, err.decode("utf-8", "replace"))


def _ended(process: subprocess.Popen[bytes], why: str) -> Answer:
    """End a git that takes too long, first by a request, so that it releases its locks; return a failed answer."""
    process.terminate()
    try:
        process.communicate(timeout=GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    return Answer(124, b"", why)


def is_own(root: Path) -> bool:
    """Return whether commits carry mem's own name, because git does not know the user's."""
    return ask(root, "var", "GIT_COMMITTER_IDENT").out.startswith(f"{NAME} <{EMAIL}>")


def _asks_who(output: str) -> bool:
    """Return whether git failed because it does not know who the user is."""
    return any(sign in output.lower() for sign in ("tell me who you are", "unable to auto-detect email", "empty ident"))


def plain(failed: Answer) -> str:
    """Return why git would not commit: what to do if it has no user name or its index is locked, else its words."""
    message = failed.err
    if _asks_who(message):
        return 'git does not know who you are: git config --global user.name "…" and user.email "…"'
    if "index.lock" in message and "File exists" in message:
        return "another git is at work in the vault; if none is, remove .git/index.lock"
    return failed.why
