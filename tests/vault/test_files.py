"""Bytes: what can't be read is named, what is written is whole."""

from __future__ import annotations

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memcli.errors import Refused, UsageError, VaultError
from memcli.vault import files


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff\xfeh\0i\0", "x.md: is UTF-16"),
        (b"\xfe\xff\0h\0i", "x.md: is UTF-16"),
        (b"PNG\0\1\2", "x.md: is binary"),
        (b"one\ntwo\nca\xe9sar\n", "x.md:3: is not UTF-8"),
        ("中文".encode("gb18030"), "x.md:1: is not UTF-8"),
    ],
)
def test_what_is_no_utf8_text_is_named_with_its_line(tmp_path: Path, data: bytes, says: str) -> None:
    (tmp_path / "x.md").write_bytes(data)
    with pytest.raises(VaultError, match=says):
        files.read_file(tmp_path / "x.md")


def test_a_file_of_200_megabytes_is_not_read(tmp_path: Path) -> None:
    with open(tmp_path / "x.md", "wb") as handle:
        handle.truncate(200 * 2**20)  # sparse
    with pytest.raises(VaultError, match=r"x.md: 200 MB is too large, left out \(limit 16 MB\)"):
        files.read_file(tmp_path / "x.md")


def test_a_folder_or_a_pipe_is_no_note(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    for name in ("folder.md", "pipe.md", "absent.md"):
        with pytest.raises(VaultError, match=name):
            files.read_file(tmp_path / name)


@pytest.mark.parametrize("name", ["", " ", "a\0b"])
def test_what_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        files.inside(tmp_path, name)


@pytest.mark.parametrize(
    "name", ["..", "../x", "/etc/passwd", "a/../../x", ".", ".mem/lock", ".git/config", "a/.git/x"]
)
def test_places_that_are_not_the_vaults_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused):
        files.inside(tmp_path, name)


def test_replacing_keeps_permissions_and_leaves_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o600)
    assert files.replace(path, "new", files.read_file(path))
    assert (path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777) == ("new", 0o600)
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_changed_since_it_was_read_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("old", encoding="utf-8")
    before = files.read_file(path)
    path.write_text("from an editor", encoding="utf-8")
    assert not files.replace(path, "new", before)
    path.unlink()
    assert not files.replace(path, "new", before)
    assert files.replace(path, "new", files.read_or_empty(path))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("number", "hint"), [(errno.ENOSPC, "disk is full"), (errno.EROFS, "read-only"), (errno.EIO, "nothing was changed")]
)
@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, hint: str, step: str
) -> None:
    path = tmp_path / "x.md"
    path.write_text("old", encoding="utf-8")
    before = files.read_file(path)

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    if step == "write":
        real = os.fdopen
        monkeypatch.setattr(os, "fdopen", lambda *words: _Full(real(*words), fail))
    else:
        monkeypatch.setattr(os, step, fail)
    with pytest.raises(VaultError, match=r"x.md: can't be written") as failed:
        files.replace(path, "new", before)
    monkeypatch.undo()
    assert hint in failed.value.hint
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


class _Full:
    """A file on a disk without room."""

    def __init__(self, handle, write) -> None:  # type: ignore[no-untyped-def]
        self._handle, self.write = handle, write

    def __enter__(self):  # type: ignore[no-untyped-def]
        return self

    def __exit__(self, *_: object) -> None:
        self._handle.close()

    def fileno(self) -> int:
        return self._handle.fileno()


def test_an_appended_line_closes_one_that_a_crash_tore(tmp_path: Path) -> None:
    path = tmp_path / "journal" / "audit.jsonl"
    files.append(path, "one")
    with open(path, "a", encoding="utf-8") as handle:
        handle.write("to")
    files.append(path, "three")
    assert path.read_text(encoding="utf-8") == "one\nto\nthree\n"


def test_the_cache_is_ignored_by_git_and_never_a_link(tmp_path: Path) -> None:
    files.make_cache(tmp_path / ".mem")
    assert (tmp_path / ".mem" / ".gitignore").read_text(encoding="utf-8") == "*\n"
    (tmp_path / "away").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "away")
    with pytest.raises(Refused, match="is a link"):
        files.make_cache(tmp_path / "linked")


def test_threads_that_write_into_one_folder_do_not_take_each_others_drafts(tmp_path: Path) -> None:
    texts = {tmp_path / f"{number}.md": f"{number}\n" * 20_000 for number in range(4)}

    def write(path: Path) -> None:
        for _ in range(25):
            assert files.replace(path, texts[path], files.read_or_empty(path), tmp_path)

    with ThreadPoolExecutor(len(texts)) as threads:
        list(threads.map(write, texts))
    assert {path: path.read_text(encoding="utf-8") for path in texts} == texts
