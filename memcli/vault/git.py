"""The `git` program, asked quietly: never a prompt, never a pager, never a hook or a signature for automatic commits."""

from __future__ import annotations

import os
import re
import subprocess
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memcli.errors import MissingPart

# An unpacked vault may carry a `.git/config` that runs programs. Those that any command could set off are switched
# off here; the rest (filters, remotes) are looked for by `trust`.
_QUIET = (
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.pager=cat", "-c", "core.editor=true",
    "-c", "commit.gpgsign=false", "-c", "core.quotepath=false", "-c", "diff.external=", "-c", "color.ui=false",
    "-c", "protocol.ext.allow=never", "-c", "advice.detachedHead=false", "-c", "log.showSignature=false",
)  # fmt: skip

# Set when `mem` is called from another repository's hook.
_OF_ANOTHER_REPOSITORY = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
)  # fmt: skip
# What git says after the line that tells why a remote can't be read.
_SAYS_NOTHING = (
    "fatal: Could not read from remote repository.",
    "Please make sure you have the correct access rights",
    "and the repository exists.",
)
_COMMITTED = re.compile(r"^\[.*?([0-9a-f]{4,40})\]", re.M)


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def ok(self) -> bool:
        return self.code == 0

    @property
    def why(self) -> str:
        """The last telling line of what git said."""
        lines = [line.strip() for line in (self.err or self.out).splitlines() if line.strip()]
        telling = [line for line in lines if line not in _SAYS_NOTHING] or lines
        return telling[-1] if telling else f"git ended with {self.code}"


def ask(
    root: Path,
    *words: str,
    timeout: float = 30,
    stdin: str | None = None,
    index: Path | None = None,
    at: datetime | None = None,
) -> Answer:
    """Run git in the vault. MissingPart when the program isn't installed; any other failure is in the answer."""
    environ = {
        **os.environ,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_LITERAL_PATHSPECS": "1",  # a note may be called `[a].md` or `:b.md`
        "GIT_OPTIONAL_LOCKS": "0" if words[:1] in (("status",), ("diff",)) else "1",
        "LC_ALL": "C.UTF-8",
        "GIT_MERGE_AUTOEDIT": "no",
    }
    for name in _OF_ANOTHER_REPOSITORY:
        environ.pop(name, None)
    if at:
        environ["GIT_AUTHOR_DATE"] = environ["GIT_COMMITTER_DATE"] = at.isoformat(timespec="seconds")
    if index:
        environ["GIT_INDEX_FILE"] = str(index)
    try:
        done = subprocess.run(
            ["git", *_QUIET, *words], cwd=root, env=environ, capture_output=True, timeout=timeout,
            input=None if stdin is None else stdin.encode(), stdin=subprocess.DEVNULL if stdin is None else None,
        )  # fmt: skip
    except FileNotFoundError:
        raise MissingPart("git is not installed", "install git, or set write.commit to false") from None
    except subprocess.TimeoutExpired:
        return Answer(124, "", f"git {words[0]} took longer than {timeout:g} s")
    return Answer(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def is_repository(root: Path) -> bool:
    """Whether the vault itself is a repository (a vault inside some other project's repository is not)."""
    return (root / ".git").exists()


def busy(root: Path) -> str:
    """The name of a merge or rebase somebody left unfinished, or nothing."""
    marks = {
        "MERGE_HEAD": "merge",
        "rebase-merge": "rebase",
        "rebase-apply": "rebase",
        "CHERRY_PICK_HEAD": "cherry-pick",
    }
    return next((name for mark, name in marks.items() if (root / ".git" / mark).exists()), "")


def unlock(root: Path, since: float) -> None:
    """Remove the locks of a git that was killed together with the `mem` that had called it at `since`."""
    git_dir = root / ".git"
    for _ in range(50):
        locks = [lock for place in ("", "objects/", "refs/heads/**/") for lock in git_dir.glob(f"{place}*.lock")]
        ours = [lock for lock in locks if 0 <= _changed_at(lock) - since < 10]
        if not ours:
            return
        time.sleep(0.01)  # it may be alive still, and about to finish
    for lock in ours:
        lock.unlink(missing_ok=True)


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def changed(root: Path) -> list[str]:
    """What `git status` lists; submodules are not looked into, they have settings of their own."""
    return ask(root, "status", "--porcelain", "--ignore-submodules=all").out.splitlines()


def commit(root: Path, paths: list[str], message: str, at: datetime, alone: bool = True) -> tuple[str, str]:
    """Commit these paths; returns (short commit id, why not). `alone`: what the user has staged stays as it is."""
    if state := busy(root):
        return "", f"a git {state} is under way"
    if gone := [path for path in paths if not (root / path).exists()]:
        known = ask(root, "ls-files", "-z", "--", *gone).out.split("\0")
        paths = [path for path in paths if path not in gone or path in known]
    added = ask(root, "add", "--all", "--", *paths)
    if not added.ok:
        if "are ignored by" not in added.err:
            return "", plain(added)
        ignored = ask(
            root, "--no-literal-pathspecs", "check-ignore", "-z", "--stdin", stdin="\0".join(paths)
        ).out.split("\0")
        kept = [path for path in paths if path not in ignored]
        if kept == paths or not kept:
            return "", "the file is ignored by .gitignore"
        paths = kept
        here = [path for path in paths if (root / path).exists()]  # what is gone is staged already
        if here and not (added := ask(root, "add", "--all", "--", *here)).ok:
            return "", plain(added)
    done = ask(root, "commit", "-m", message, *(["--only", "--", *paths] if alone else []), at=at)
    if not done.ok:
        nothing = "nothing to commit" in done.out + done.err or "no changes added" in done.out + done.err
        return "", "" if nothing else plain(done)
    found = _COMMITTED.search(done.out)
    return found[1] if found else "", ""


def plain(failed: Answer) -> str:
    """Why git would not commit, in words that say what to do."""
    said = failed.err
    if "tell me who you are" in said or "unable to auto-detect email" in said or "empty ident" in said:
        return 'git does not know who you are: git config --global user.name "…" and user.email "…"'
    if "index.lock" in said:
        return "another git is at work in the vault; if none is, remove .git/index.lock"
    return failed.why
