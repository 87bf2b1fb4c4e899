"""How memory changed: the log, the difference, and taking the last write back. Synchronising lies in `sync`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from memcli.errors import Refused, UsageError, VaultError
from memcli.vault import changes, files, journal, trust
from memcli.vault.changes import Hunk
from memcli.vault.git import sandbox, trusted, work_tree
from memcli.vault.git.dot_git import is_repository
from memcli.vault.git.sandbox import Sandbox
from memcli.vault.vault import Vault
from memcli.vault.write import Edit, Written, write

_RECORD, _FIELD = "\x1e", "\x1f"

Repository = Sandbox | trusted.History


@dataclass(frozen=True)
class Step:
    """One change of the memory, as history tells it."""

    id: str  # commit, empty in a vault without git
    at: datetime
    what: str
    paths: tuple[str, ...]
    added: int = 0  # lines
    removed: int = 0


@contextmanager
def asking(vault: Vault) -> Iterator[Repository]:
    """Git, to be asked about the vault's past: in a sandbox, or as it is where the user has agreed to that."""
    if bars := trust.bars(vault.root, vault.environ, reading=True):
        raise Refused(bars, "look at it, then `mem trust`")
    if trust.lets_git_loose(vault.root, vault.environ):
        with trusted.history(vault.root) as plain:
            yield plain
    else:
        with sandbox.opened(vault.root) as box:
            box.bring_refs()
            yield box


def log(vault: Vault, limit: int, path: str = "") -> list[Step]:
    """The latest changes first: commits, or in a vault without git the journal of writes."""
    if not is_repository(vault.root):
        return _journalled(vault, limit, path)
    with asking(vault) as repository:
        return _log(repository, limit, path)


def _log(repository: Repository, limit: int, path: str) -> list[Step]:
    form = f"--format={_RECORD}%h{_FIELD}%cI{_FIELD}%s"
    words = ("log", f"-{limit}", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv", form)
    if path:
        answer = repository.ask(*words, "--", path)
    else:
        answer = repository.ask("--no-literal-pathspecs", *words, "--", ".", ":(exclude)journal")
    if not answer.ok:
        if "does not have any commits" in answer.err:
            return []
        raise VaultError(f"git log: {answer.why}")
    return [_step(record) for record in answer.out.split(_RECORD) if record.strip()]


def versions(vault: Vault, path: str, limit: int) -> Iterator[tuple[Step, str | None]]:
    """The latest changes of one file, each with its text after it; a vault without git knows no texts."""
    kept: list[tuple[Step, str | None]]
    if is_repository(vault.root):
        with asking(vault) as repository:
            steps = _log(repository, limit, path)
            kept = [(step, repository.ask("cat-file", "blob", f"{step.id}:{path}").out) for step in steps]
    else:
        kept = [(step, None) for step in _journalled(vault, limit, path)]
    file = vault.root / path
    now = files.read_or_empty(file, path).text
    if file.exists() and not (kept and kept[0][1] in (None, now)):
        yield Step("", datetime.fromtimestamp(file.stat().st_mtime).astimezone(), "not committed", (path,)), now
    yield from kept


def diff(vault: Vault, since: str = "", path: str = "") -> str:
    """What the files say now that they did not at `since` (a commit or a day; by default the last commit)."""
    if not is_repository(vault.root):
        raise UsageError("this vault is not a git repository", "git init here, or mem init, begins a history")
    with asking(vault) as repository:
        start = _revision(repository, since)
        if nested := repository.stage():  # new files count as changes, too
            vault.notice(f"{work_tree.LEFT_ALONE}: {', '.join(nested[:8])}")
        words = ("diff", "--cached", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", start)
        answer = repository.ask(*words, "--", path or ".")
    if not answer.ok:
        raise UsageError(f"git diff: {answer.why}")
    return answer.out


def undo(vault: Vault) -> tuple[str, Written]:
    """Take back the last write of `mem` that has not been taken back yet; returns what it was, and the new write."""
    kept = changes.recent(vault.cache)
    if not kept:
        hint = "git revert takes back a commit (mem log shows them)" if is_repository(vault.root) else ""
        raise Refused("there is no write left to take back", hint)
    last = kept[-1]
    hunks = [Hunk(**each) for each in reversed(last["hunks"])]
    edits = [(hunk.path, _reversed(hunk)) for hunk in hunks]
    for path, edit in edits:  # all or nothing: see whether each can be found before the first is touched
        edit(files.read_or_empty(files.inside(vault.root, path), path).text)
    moves = [(new, old) for old, new in reversed(last.get("moves", ()))]
    return last["action"], write(vault, "undo", edits, last.get("ids", ()), last, moves)


def _reversed(hunk: Hunk) -> Edit:
    def edit(text: str) -> str | None:
        before = changes.reverse(text, hunk)
        if before is None:
            raise Refused(
                f"{hunk.path}: the lines of the last write were changed since, it can't be taken back alone",
                "mem diff shows them; edit the file, or use git",
            )
        return None if hunk.created and not before.strip() else before

    return edit


def _step(record: str) -> Step:
    head, *stats = record.strip().split("\n")
    commit, at, what = head.split(_FIELD)
    rows = [line.split("\t") for line in stats if line.count("\t") == 2]
    number = [(int(a), int(r)) for a, r, _ in rows if a.isdigit() and r.isdigit()]
    paths = tuple(p for _, _, p in rows if not p.startswith("journal/"))
    when = datetime.fromisoformat(at.replace("Z", "+00:00"))  # git writes Z for UTC, which Python 3.10 can't read
    return Step(commit, when, what, paths, sum(a for a, _ in number), sum(r for _, r in number))


def _journalled(vault: Vault, limit: int, path: str) -> list[Step]:
    steps = []
    for record in journal.read(vault.root, journal.AUDIT, vault.notice):
        paths = tuple(map(str, record.get("paths", ())))
        if path and path not in paths:
            continue
        try:
            at = datetime.fromisoformat(str(record.get("at")))
        except ValueError:
            continue
        ids = f" ({', '.join(map(str, record['ids']))})" if record.get("ids") else ""
        steps.append(Step("", at, f"mem {record.get('action')}: {', '.join(paths)}{ids}", paths))
    return steps[::-1][:limit]


def latest(repository: Repository) -> str:
    """The last commit, or where none is yet the empty tree."""
    return "HEAD" if repository.ask("rev-parse", "--verify", "--quiet", "HEAD").ok else _nothing(repository)


def _revision(repository: Repository, since: str) -> str:
    """A commit-ish; a day means the last commit before it."""
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", since):
        day = repository.ask("rev-list", "-1", f"--before={since}T00:00:00", "HEAD")
        return day.out.strip() or _nothing(repository)
    if since.startswith("-"):
        raise UsageError(f"'{since}' is not a commit or a day")
    return since or latest(repository)


def _nothing(repository: Repository) -> str:
    return repository.ask("hash-object", "-t", "tree", "--stdin", stdin=b"").out.strip()
