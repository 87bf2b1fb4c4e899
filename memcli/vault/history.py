"""Show how memory changed (log, difference), and undo the last write. `sync` exchanges changes with other machines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from memcli.errors import Refused, UsageError, VaultError
from memcli.message import Message
from memcli.vault import changes, files, journal, layout, trust
from memcli.vault.changes import FileChange, Hunk
from memcli.vault.git import program, repository
from memcli.vault.git.commit import BY_HAND
from memcli.vault.git.program import Ask
from memcli.vault.git.repository import is_repository
from memcli.vault.vault import Vault
from memcli.vault.write import Edit, WriteResult, write_vault

_RECORD, _FIELD = "\x1e", "\x1f"
_PLAIN = ("--no-renames", "--no-ext-diff", "--no-textconv")  # the differences themselves, whatever is configured

_MEMORIES = re.compile(r"^[^#\s](?s:.*)", re.M)  # of a file, without the headings above them
REFLOG = 10_000  # lines of git's own notes on what was done here that are read
FEW = 200  # lines; the log shows words of a change up to this size


@dataclass(frozen=True)
class HistoryStep:
    """Hold one change of the memory in its history."""

    id: str  # the commit, or "" in a vault without git
    at: datetime
    what: str
    paths: tuple[str, ...]
    added: int = 0  # lines
    removed: int = 0
    words: str = ""  # the words of the first line that was added, else removed


def open_git(vault: Vault) -> Ask:
    """Return git for questions about this vault. Raise Refused where it must not run."""
    trust.must_run_git(vault.root, vault.environ)
    return partial(program.ask, vault.root)


def _open_history(vault: Vault) -> Ask | None:
    """Return git if it keeps the history. Else the journal does, and in a repository a notice says why."""
    if not is_repository(vault.root):
        return None
    if why := trust.why_no_git(vault.root, vault.environ):
        vault.notice("history is the journal's alone: {WHY}", WHY=why)
        return None
    return partial(program.ask, vault.root)


def log(vault: Vault, limit: int, path: str = "") -> list[HistoryStep]:
    """Return the latest changes, newest first: commits, or journalled writes in a vault without git."""
    ask = _open_history(vault)
    return _add_words(ask, _read_commits(ask, limit, path), path) if ask else _read_journalled(vault, limit, path)


def _add_words(ask: Ask, steps: list[HistoryStep], path: str) -> list[HistoryStep]:
    """Return the steps with words of what each changed. One that changed many lines is not a memory and gets none."""
    small = [step.id for step in steps if 0 < step.added + step.removed <= FEW]
    if not small:
        return steps
    show = ("show", "--unified=0", "--no-color", *_PLAIN, f"--format={_RECORD}%h", *small)
    answer = _ask_of_memory(ask, show, path)
    words = {}
    for record in answer.out.split(_RECORD)[1:] if answer.ok else ():
        id, *lines = record.split("\n")
        added, removed = (
            [text for line in lines if line[:1] == sign and line[:3] != sign * 3 and (text := _strip_markup(line[1:]))]
            for sign in "+-"
        )
        # A line with the same words before and after only got a mark, such as that of what supersedes it.
        changed = [each for each in added if each not in removed] or [each for each in removed if each not in added]
        words[id] = next(iter(changed or added), "")
    return [replace(step, words=words.get(step.id, "")) for step in steps]


def words_of(written: WriteResult) -> str:
    """Return the words of the first memory that a write brought or else took away, or of one that it only marked; ""
    for one that changed many lines."""
    marked = ""
    for change in written.changes:
        hunk = changes.hunk_of(change)
        gone, new = (list(filter(None, map(_strip_markup, side.splitlines()))) for side in (hunk.removed, hunk.added))
        if len(gone) + len(new) > FEW or layout.is_journal(change.path):
            continue
        if words := [line for line in new if line not in gone] or [line for line in gone if line not in new]:
            return ", ".join(words[: 2 if change.path.endswith(".yaml") else 1])  # a key says little without its value
        marked = marked or next(iter(gone), "")
    return marked


def _strip_markup(line: str) -> str:
    """Return the words of a line of Markdown, or "" for a heading, a comment or the frame of YAML."""
    if re.match(r"\s*(?:#+ |-{3}|<!--)", line):
        return ""
    return re.sub(r"^[\s>*+-]*(?:\[.\] )?|\s*\[[\w-]+:: [^\]]*\]|\s\^[\w-]+\s*$", "", line).strip()


def _read_commits(ask: Ask, limit: int, path: str) -> list[HistoryStep]:
    form = f"--format={_RECORD}%h{_FIELD}%cI{_FIELD}%s"
    words = ("log", f"-{limit}", "--no-merges", "--numstat", "-z", *_PLAIN, form)
    answer = _ask_of_memory(ask, words, path)
    if not answer.ok:
        if "does not have any commits" in answer.err:
            return []
        raise VaultError("git log: {WHY}", WHY=answer.why)
    return [step for record in answer.out.split(_RECORD) if (step := _parse_step(record))]


def _ask_of_memory(ask: Ask, words: tuple[str, ...], path: str) -> program.Answer:
    """Ask git about one file, or without a path about everything but the journal."""
    return ask(*words, "--", path) if path else ask("--no-literal-pathspecs", *words, "--", ".", ":(exclude)journal")


def versions(vault: Vault, path: str, limit: int) -> Iterator[tuple[HistoryStep, str | None]]:
    """Yield the latest changes of one file, each with its text after it. The text is None in a vault without git."""
    kept: list[tuple[HistoryStep, str | None]]
    if ask := _open_history(vault):
        kept = [(step, ask("cat-file", "blob", f"{step.id}:{path}").out) for step in _read_commits(ask, limit, path)]
    else:
        kept = [(step, None) for step in _read_journalled(vault, limit, path)]
    file = vault.root / path
    now = files.read_or_empty(file, path).text
    if file.exists() and not (kept and kept[0][1] in (None, now)):
        yield HistoryStep("", datetime.fromtimestamp(file.stat().st_mtime).astimezone(), "not committed", (path,)), now
    yield from kept


def diff(vault: Vault, since: str = "", path: str = "") -> str:
    """Return how the files differ from `since`: a commit or a day, by default the last commit."""
    if not is_repository(vault.root):
        raise UsageError("this vault is not a git repository", "mem init --git begins a history")
    ask = open_git(vault)
    start = _find_revision(ask, since)
    with repository.staged_copy(vault.root) as (ask_copy, left_out):  # so that new files count as changes, too
        words = ("diff", "--cached", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", start)
        answer = ask_copy(*words, "--", *([path] if path else [".", f":(exclude){layout.JOURNAL}"]))
    if left_out:
        vault.notice(repository.left_out(left_out))
    if not (answer.ok or ask("rev-parse", "--quiet", "--verify", f"{start}^{{tree}}").ok):
        raise UsageError("'{name}' is neither a commit nor a day", "mem log shows the commits", name=since)
    if not answer.ok:
        raise UsageError("git diff: {WHY}", WHY=answer.why)
    return answer.out


def undo(vault: Vault) -> tuple[str, WriteResult]:
    """Undo the last write of `mem` with its batch, and return the action that was undone, and the new write."""
    recent, gone = changes.read_undo_records(vault.cache), list[dict[str, Any]]()
    undoable = recent or _read_last_commit(vault)
    while undoable:
        batch = undoable[-1].get("batch")
        undone = [record for record in reversed(undoable) if batch and record.get("batch") == batch] or undoable[-1:]
        edits = _make_edits_back(vault, undone)
        moves = [move for record in undone for move in changes.moves_back(vault, record)]
        ids = [id for record in undone for id in journal.ids_of(record)]
        action = str(batch).partition(":")[0] if batch else undone[0]["action"]
        if edits or moves:
            return action, write_vault(vault, "undo", edits, ids, [*undone, *gone], moves)
        gone += undone  # by an undo that was killed before it could note that
        undoable = [record for record in undoable if all(record is not each for each in undone)]
    by_git = trust.runs_git(vault.root, vault.environ)
    hint = "git revert takes back a commit (mem log shows them)" if by_git else ""
    raise Refused("there is no write left to take back", hint)


def _make_edits_back(vault: Vault, undone: list[dict[str, Any]]) -> list[tuple[str, Edit]]:
    """Return the edits that undo these records. All or nothing: each must fit before the first file is touched."""
    hunks = [Hunk(**each) for record in undone for each in reversed(record["hunks"])]
    texts = {hunk.path: files.read_or_empty(files.inside(vault.root, hunk.path), hunk.path).text for hunk in hunks}
    edits = [(hunk.path, _make_undo_edit(hunk)) for hunk in changes.not_yet_undone(hunks, texts)]
    for path, edit in edits:
        texts[path] = edit(texts[path]) or ""
    return edits


def _read_last_commit(vault: Vault) -> list[dict[str, Any]]:
    """Return the last write of this machine that git knows, in the form of `changes`, whose cache may be gone. There is
    none if it was undone, or if a person made a commit since."""
    if not trust.runs_git(vault.root, vault.environ):
        return []
    ask = open_git(vault)
    undone, made_here = 0, _find_own_commits(ask)
    for step in _read_commits(ask, changes.KEPT, ""):
        if step.id not in made_here or not step.paths:  # the journal alone is no write to take back
            continue
        action = re.match(r"mem (\w+): ", step.what)
        if not action or step.what.endswith(BY_HAND):  # it holds what a person wrote
            break
        undone += 1 if action[1] == "undo" else -1
        if undone < 0:
            hunks = [vars(changes.hunk_of(_read_change(ask, step.id, path))) for path in step.paths]
            return [{"action": action[1], "paths": list(step.paths), "hunks": hunks}]
    return []


def _find_own_commits(ask: Ask) -> set[str]:
    """Return the commits that were made on this machine: git notes how each came to be. Others came by a sync."""
    noted = ask("log", "--walk-reflogs", f"-{REFLOG}", f"--format=%h{_FIELD}%gs").out.splitlines()
    rows = (line.partition(_FIELD) for line in noted)
    return {id for id, _, how in rows if re.match(r"commit\b|.*\((pick|continue)\):", how)}


def _read_change(ask: Ask, commit: str, path: str) -> FileChange:
    """Return what a commit did to a file."""
    before, after = (ask("cat-file", "blob", f"{at}:{path}") for at in (f"{commit}^", commit))
    return FileChange(path, before.out if before.ok else None, after.out if after.ok else None)


def _make_undo_edit(hunk: Hunk) -> Edit:
    def edit(text: str) -> str | None:
        before = changes.undo_hunk(text, hunk)
        if before is None:
            why = "{place}: the lines of the last write were changed since, it can't be taken back alone"
            raise Refused(why, "mem diff shows them; edit the file, or use git", place=hunk.path)
        if hunk.created and before.strip():  # others have written below its heading by now
            return _MEMORIES.sub("", hunk.added) + before
        return None if hunk.created else before

    return edit


def _parse_step(record: str) -> HistoryStep | None:
    """Return the change in a record of `git log`, or None for a piece of a subject that holds our own sign."""
    head, *stats = record.split("\0")
    if head.count(_FIELD) < 2:
        return None
    commit, at, what = head.split(_FIELD, 2)
    rows = [line.strip("\n").split("\t", 2) for line in stats if line.count("\t") >= 2]
    number = [(int(a), int(r)) for a, r, _ in rows if a.isdigit() and r.isdigit()]
    paths = tuple(p for _, _, p in rows if not layout.is_journal(p))
    when = datetime.fromisoformat(at.replace("Z", "+00:00"))  # git writes Z for UTC, which Python 3.10 can't read
    return HistoryStep(commit, when, described(what), paths, sum(a for a, _ in number), sum(r for _, r in number))


def described(subject: str) -> str:
    """Return the subject of a commit, as a message if mem wrote it."""
    by_mem = re.fullmatch(r"mem (\w+): (.*)", subject)
    if by_mem and by_mem[2] == BY_HAND:
        return Message(BY_HAND)
    return _name_action(by_mem[1], by_mem[2]) if by_mem else subject


def _name_action(verb: str, subject: str) -> Message:
    return Message("mem {VERB}: {WHAT}", VERB=verb, WHAT=subject)


def _read_journalled(vault: Vault, limit: int, path: str) -> list[HistoryStep]:
    steps = []
    for record in journal.read_journal(vault.root, journal.AUDIT, vault.notice):
        paths = tuple(journal.paths_of(record))
        if path and path not in paths:
            continue
        try:
            at = datetime.fromisoformat(str(record.get("at")))
        except ValueError:
            continue
        ids = f" ({', '.join(listed)})" if (listed := journal.ids_of(record)) else ""
        steps.append(HistoryStep("", at, _name_action(str(record.get("action")), f"{', '.join(paths)}{ids}"), paths))
    return steps[::-1][:limit]


def _find_revision(ask: Ask, since: str) -> str:
    """Return the revision that `since` means: a commit, the last one before a day, else the last, or the empty tree."""
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", since):
        day = ask("rev-list", "-1", f"--before={since}T00:00:00", "HEAD")
        return day.out.strip() or _find_empty_tree(ask)
    if since.startswith("-"):
        raise UsageError("'{commit}' is not a commit or a day", commit=since)
    return since or ("HEAD" if ask("rev-parse", "--verify", "--quiet", "HEAD").ok else _find_empty_tree(ask))


def _find_empty_tree(ask: Ask) -> str:
    return ask("hash-object", "-t", "tree", "--stdin", stdin=b"").out.strip()
