"""Commit a few files with git, whatever else is staged."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from memcli.vault.git import program, repository

LOOSE = 27  # files in one of the 256 folders of loose objects: 6,900 in all, where git packs them
_LATER = {"gc.auto": "0", "maintenance.auto": "false"}  # another process after each commit would cost every `mem add`


def commit(
    root: Path, paths: list[str], message: str, at: datetime, started: Callable[[int], None] = program.nobody
) -> tuple[str, str]:
    """Commit these paths, what is staged stays as it is; return (short commit id, why not)."""
    if state := repository.unfinished(root):
        return "", f"a git {state} is under way"
    ask = partial(program.ask, root, variables=dates(at), settings=_LATER, started=started)
    words = ("commit", "-m", message, "--only", "--")
    done = ask(*words, *paths)
    if not done.ok and "did not match any file" in done.err:  # some are new to git
        paths = _known(ask, root, paths)
        if not paths:
            return "", "the file is ignored by .gitignore"
        added = ask("add", "--all", "--", *paths)
        if not added.ok:
            return "", program.plain(added)
        done = ask(*words, *paths)
    if not done.ok:
        nothing = any(said in done.out for said in ("nothing to commit", "no changes added", "nothing added"))
        return "", "" if nothing else program.plain(done)
    _pack(root, started)
    return ask("rev-parse", "--short", "HEAD").out.strip() if "[" not in done.out else _short(done.out), ""


def dates(at: datetime) -> dict[str, str]:
    """The moment of a commit, as git takes it."""
    moment = at.isoformat(timespec="seconds")
    return {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}


def _known(ask: Callable[..., program.Answer], root: Path, paths: list[str]) -> list[str]:
    """Those of the paths that git can commit: not those that are ignored, nor those it never knew and that are gone."""
    listed = os.fsencode("".join(f"./{path}\0" for path in paths))  # `:b.md` alone would be an order, not a name
    words = ("--no-literal-pathspecs", "check-ignore", "-z", "--stdin")
    ignored = {name.removeprefix("./") for name in ask(*words, stdin=listed).names}
    gone = [path for path in paths if not os.path.lexists(root / path)]
    tracked = ask("ls-files", "-z", "--", *gone).names if gone else []
    return [path for path in paths if path not in ignored and (path not in gone or path in tracked)]


def _short(said: str) -> str:
    """The id in what git says of a commit: `[main (root-commit) 1a2b3c4] …`."""
    return said.partition("]")[0].rpartition(" ")[2]


def _pack(root: Path, started: Callable[[int], None]) -> None:
    try:
        many = len(os.listdir(root / ".git" / "objects" / "17")) > LOOSE
    except OSError:
        return
    if many:
        program.ask(root, "gc", "--auto", "--quiet", timeout=300, started=started)
