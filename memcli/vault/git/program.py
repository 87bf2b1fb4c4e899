"""The `git` program, started quietly: never a prompt, never a pager, never a hook, a signature or a submodule.

`sandbox` is where it runs in a vault nobody has vouched for, `trusted` where somebody has.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from memcli.errors import MissingPart

# Said again here what the sandbox's own config says: it holds in a trusted vault, too.
QUIET = {
    "core.hooksPath": os.devnull, "core.fsmonitor": "false", "core.pager": "cat", "core.editor": "true",
    "commit.gpgSign": "false", "core.quotePath": "false", "diff.external": "", "color.ui": "false",
    "protocol.ext.allow": "never", "advice.detachedHead": "false", "log.showSignature": "false",
    "submodule.recurse": "false", "fetch.recurseSubmodules": "false", "push.recurseSubmodules": "no",
    "diff.ignoreSubmodules": "all",
}  # fmt: skip

# Variables of the user's that say who they are or where git is; of all others (`GIT_DIR` from a hook of another
# repository, configuration from outside) a command that only looks at the vault has no need.
NONE: Mapping[str, str] = MappingProxyType({})
_WHO = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")
_ALWAYS = (*_WHO, "GIT_EXEC_PATH")
_OF_ANOTHER_REPOSITORY = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_SHALLOW_FILE", "GIT_REPLACE_REF_BASE",
)  # fmt: skip
_NOBODYS = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1"}
# What git says after the line that tells why a remote can't be read.
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
        """File names, as `-z` has them printed."""
        return [os.fsdecode(name) for name in self.raw.split(b"\0") if name]

    @property
    def why(self) -> str:
        """The last telling line of what git said."""
        lines = [line.strip() for line in (self.err or self.out).splitlines() if line.strip()]
        telling = [line for line in lines if line not in _SAYS_NOTHING] or lines
        return telling[-1] if telling else f"git ended with {self.code}"


@dataclass(frozen=True, slots=True)
class Running:
    """A git that was started and will be asked for its answer later."""

    process: subprocess.Popen[bytes]
    words: tuple[str, ...]
    stdin: bytes | None

    def answer(self, timeout: float = 30) -> Answer:
        try:
            out, err = self.process.communicate(self.stdin, timeout=timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            return Answer(124, b"", f"git {self.words[0]} took longer than {timeout:g} s")
        return Answer(self.process.returncode, out, err.decode("utf-8", "replace"))


def start(
    folder: Path,
    *words: str,
    variables: Mapping[str, str],
    users: bool = False,
    stdin: bytes | None = None,
    settings: Mapping[str, str] = NONE,
) -> Running:
    """Start git in a folder; `users`: with the user's own settings, which name programs of the user's choice."""
    environ = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1", "LC_ALL": "C.UTF-8"}
    if users:
        for name in _OF_ANOTHER_REPOSITORY:
            environ.pop(name, None)
    else:
        alone = {name: value for name, value in environ.items() if not name.startswith("GIT_") or name in _ALWAYS}
        environ = {**alone, **_NOBODYS, "GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1"}
    said = [word for name, value in {**QUIET, **settings}.items() for word in ("-c", f"{name}={value}")]
    try:
        process = subprocess.Popen(
            ["git", *said, *words], cwd=folder, env={**environ, **variables}, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        )  # fmt: skip
    except FileNotFoundError:
        raise MissingPart("git is not installed", "install git, or set write.commit to false") from None
    return Running(process, words, stdin)


def ask(
    folder: Path,
    *words: str,
    timeout: float = 30,
    stdin: bytes | None = None,
    variables: Mapping[str, str] = NONE,
    settings: Mapping[str, str] = NONE,
) -> Answer:
    """Run git as the user would, in a repository that is theirs or trusted. A failure is in the answer."""
    return start(folder, *words, variables=variables, users=True, stdin=stdin, settings=settings).answer(timeout)


def plain(failed: Answer) -> str:
    """Why git would not commit, in words that say what to do."""
    said = failed.err
    if "tell me who you are" in said or "unable to auto-detect email" in said or "empty ident" in said:
        return 'git does not know who you are: git config --global user.name "…" and user.email "…"'
    if "index.lock" in said:
        return "another git is at work in the vault; if none is, remove .git/index.lock"
    return failed.why
