"""The `git` program, asked quietly: never a prompt, never a pager, never a hook or a signature for automatic commits."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from memcli.errors import MissingPart

# An unpacked vault may carry a `.git/config` that runs programs. Those that any command could set off are switched
# off here; the rest (filters, remotes) are looked for by `trust`.
_QUIET = (
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.pager=cat", "-c", "core.editor=true",
    "-c", "commit.gpgsign=false", "-c", "core.quotepath=false", "-c", "diff.external=", "-c", "color.ui=false",
    "-c", "protocol.ext.allow=never", "-c", "advice.detachedHead=false",
)  # fmt: skip


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
        lines = [line for line in (self.err or self.out).splitlines() if line.strip()]
        return lines[-1].strip() if lines else f"git ended with {self.code}"


def ask(root: Path, *words: str, timeout: float = 30, stdin: str | None = None, index: Path | None = None) -> Answer:
    """Run git in the vault. MissingPart when the program isn't installed; any other failure is in the answer."""
    environ = {
        **os.environ,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0" if words[:1] in (("status",), ("diff",)) else "1",
        "LC_ALL": "C.UTF-8",
        "GIT_MERGE_AUTOEDIT": "no",
    }
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):  # set when called from another repository's hook
        environ.pop(name, None)
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


def commit(root: Path, paths: list[str], message: str) -> tuple[str, str]:
    """Commit just these paths; returns (short commit id, why not). What the user has staged stays as it is."""
    if state := busy(root):
        return "", f"a git {state} is under way"
    added = ask(root, "add", "--all", "--", *paths)
    if not added.ok:
        return "", "the file is ignored by .gitignore" if "are ignored by" in added.err else added.why
    done = ask(root, "commit", "--quiet", "--only", "-m", message, "--", *paths)
    if not done.ok:
        if "tell me who you are" in done.err or "unable to auto-detect email" in done.err or "empty ident" in done.err:
            return "", 'git does not know who you are: git config --global user.name "…" and user.email "…"'
        if "nothing to commit" in done.out + done.err or "no changes added" in done.out + done.err:
            return "", ""
        return "", done.why
    head = ask(root, "rev-parse", "--short", "HEAD")
    return head.out.strip(), ""
