"""Commit a few files with git, whatever else is staged."""

from __future__ import annotations

import os
from datetime import datetime
from functools import partial
from pathlib import Path

from memcli.message import Message
from memcli.vault.git import program, repository

BY_HAND = "edits made by hand"  # ends the subject of a commit that holds no write of mem's own
PATIENCE, A_FILE = 30.0, 0.02  # seconds; an import may bring tens of thousands of files
LOOSE = 27  # files in one of the 256 folders of loose objects; git packs at 6,900 in all
# run this later: another process after each commit would slow every `mem add`
_LATER = {"gc.auto": "0", "maintenance.auto": "false"}


def commit(root: Path, paths: list[str], message: str, at: datetime) -> tuple[str, str]:
    """Commit these paths and leave staged changes alone; return the short commit id, or "", and why not, or ""."""
    if state := repository.unfinished(root):
        return "", Message("a git {state} is under way", state=state)
    ask = partial(program.ask, root, variables=dates(at), settings=_LATER, timeout=PATIENCE + A_FILE * len(paths))
    words = ("commit", "-m", message, "--only", *program.LISTED)
    done = ask(*words, stdin=program.listed(paths))
    if not done.ok and "did not match any file" in done.err:  # some files are new to git
        paths = _known(ask, root, paths)
        if not paths:
            return "", "the file is ignored by .gitignore"
        added = ask("add", "--all", *program.LISTED, stdin=program.listed(paths))
        if not added.ok:
            return "", program.plain(added)
        done = ask(*words, stdin=program.listed(paths))
    if not done.ok:
        nothing = any(sign in done.out for sign in ("nothing to commit", "no changes added", "nothing added"))
        return "", "" if nothing else program.plain(done)
    _pack(root)
    if "[" in done.out:  # git reports `[main (root-commit) 1a2b3c4] …`
        return done.out.partition("]")[0].rpartition(" ")[2], ""
    return ask("rev-parse", "--short", "HEAD").out.strip(), ""


def dates(at: datetime) -> dict[str, str]:
    """Return the moment of a commit as variables for git."""
    moment = at.isoformat(timespec="seconds")
    return {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}


def _known(ask: program.Ask, root: Path, paths: list[str]) -> list[str]:
    """Return the paths that git can commit: without ignored ones, and without missing ones that git never knew."""
    # with `./`, because `:b.md` alone would be a pattern, not a name
    words = ("--no-literal-pathspecs", "check-ignore", "-z", "--stdin")
    left_out = {
        name.removeprefix("./") for name in ask(*words, stdin=program.listed(f"./{path}" for path in paths)).names
    }
    if gone := {path for path in paths if not os.path.lexists(root / path)}:
        left_out |= gone.difference(ask("ls-files", "-z").names)
    return [path for path in paths if path not in left_out]


def _pack(root: Path) -> None:
    try:
        many = len(os.listdir(root / ".git" / "objects" / "17")) > LOOSE
    except OSError:
        return
    if many:
        program.ask(root, "gc", "--auto", "--quiet", timeout=300)
