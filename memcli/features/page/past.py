"""Open the vault as it was on another day: its files from git, in a temporary folder. Nothing is checked out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory

from memcli.errors import MemError, Refused, UsageError
from memcli.vault import files, history, layout
from memcli.vault.git.repository import is_repository
from memcli.vault.vault import Vault, open_vault

_READ = (*layout.MARKDOWN, ".yaml", ".yml")  # what a recall may read; links are left out
_CITED = f"{layout.JOURNAL}/use.jsonl"
_REGULAR = ("100644", "100755")


@contextmanager
def as_of(vault: Vault, day: date) -> Iterator[Vault]:
    """Yield the vault as it was committed by the end of a day, with its clock at that moment."""
    if not is_repository(vault.root):
        raise UsageError("this vault is not a git repository", "mem init --git begins a history")
    with TemporaryDirectory(prefix="mem-past-") as folder:
        _lay(vault, day, Path(folder).resolve())
        end = datetime.combine(day, time(23, 59))
        then = open_vault(Path(folder).resolve(), lambda: end, vault.environ, actor=vault.actor, forgiving=True)
        yield then


def _lay(vault: Vault, day: date, folder: Path) -> None:
    """Write the files of that day's last commit into a folder."""
    ask = history.open_git(vault)
    commit = ask("rev-list", "-1", f"--before={day}T23:59:59", "HEAD").out.strip()
    if not commit:
        raise UsageError("the history of this vault begins after {day}", "mem log shows it", day=day)
    listed = ask("ls-tree", "-r", "-z", "-l", commit)
    wanted = [found for line in listed.names if (found := _wanted(line))]
    asked = "".join(f"{oid}\n" for oid, _ in wanted).encode()
    answer = ask("cat-file", "--batch", stdin=asked, timeout=120)
    if not (listed.ok and answer.ok):
        raise Refused(
            "git can't tell what there was on {day}: {WHY}", day=day, WHY=(answer if listed.ok else listed).why
        )
    at = 0
    for _, path in wanted:
        head, at = answer.raw[at : answer.raw.index(b"\n", at)], answer.raw.index(b"\n", at) + 1
        parts = head.split()
        if len(parts) != 3:  # an object is missing: the rest is still worth reading
            continue
        data, at = answer.raw[at : at + int(parts[2])], at + int(parts[2]) + 1
        try:
            target = files.inside(folder, path)
            files.make_folder(target.parent)
            files.extend(target, data.decode("utf-8", "replace"))
        except MemError as error:
            vault.notice(error.message)


def _wanted(line: str) -> tuple[str, str] | None:
    """Return (object, path) of a line of `ls-tree -l`, or None when the file is not one that is read."""
    about, _, path = line.partition("\t")
    mode, _, oid, size = about.split()
    if mode not in _REGULAR or int(size) > layout.LARGEST_NOTE or any(p.startswith(".") for p in path.split("/")):
        return None
    return (oid, path) if path.endswith(_READ) or path == _CITED else None
