"""What changes is noticed, however it is saved; what does not matter is not."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memcli.watch import events
from memcli.watch.events import MANY, FolderWatch
from tests.conftest import git
from tests.watch.conftest import until


class Heard:
    """A watched folder, and what was said about it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sets: list[set[str] | None] = []
        self.told: list[str] = []
        self.watch = FolderWatch(root, self.sets.append, self.told.append)

    @property
    def paths(self) -> set[str]:
        return {path for each in self.sets if each for path in each}

    def knows(self, *paths: str) -> None:
        """Each was named, or everything was to be looked at."""
        until(lambda: None in self.sets or set(paths) <= self.paths, 5)

    def everything(self) -> None:
        until(lambda: None in self.sets, 5)

    def nothing(self) -> None:
        """Told by something that is noticed surely: all before it would have been, too."""
        (self.root / "last.md").write_text("- last\n", encoding="utf-8")
        until(lambda: "last.md" in self.paths, 5)
        assert (self.paths, None in self.sets) == ({"last.md"}, False)


@pytest.fixture
def heard(folder: Path) -> Iterator[Heard]:
    (folder / "logs").mkdir()
    (folder / ".git").mkdir()
    (folder / ".mem").mkdir()
    (folder / "logs" / "a.md").write_text("- one\n", encoding="utf-8")
    found = Heard(folder)
    found.watch.start()
    yield found
    found.watch.stop()


def in_place(file: Path) -> None:
    file.write_text("- two\n", encoding="utf-8")


def appended(file: Path) -> None:
    with open(file, "a", encoding="utf-8") as out:
        out.write("- two\n")


def like_vim(file: Path) -> None:
    """Tries the folder, moves the file away, writes a new one, removes the old."""
    (file.parent / "4913").touch()
    (file.parent / "4913").unlink()
    file.rename(file.with_name(file.name + "~"))
    file.write_text("- two\n", encoding="utf-8")
    file.with_name(file.name + "~").unlink()


def like_most(file: Path) -> None:
    """A temporary beside it, put in its place."""
    temporary = file.with_name(f".{file.name}.tmp")
    temporary.write_text("- two\n", encoding="utf-8")
    temporary.replace(file)


def from_outside(file: Path) -> None:
    """`mv` over it, from a folder that nobody watches."""
    temporary = file.parents[2] / "outside.md"
    temporary.write_text("- two\n", encoding="utf-8")
    temporary.replace(file)


def cut_and_filled(file: Path) -> None:
    with open(file, "w", encoding="utf-8") as out:
        out.flush()
        time.sleep(0.3)
        out.write("- two\n")


def deleted(file: Path) -> None:
    file.unlink()


def moved_out(file: Path) -> None:
    file.rename(file.parents[2] / "gone.md")


@pytest.mark.parametrize(
    "save", [in_place, appended, like_vim, like_most, from_outside, cut_and_filled, deleted, moved_out]
)
def test_every_way_to_save_is_noticed(heard: Heard, save: Callable[[Path], None]) -> None:
    save(heard.root / "logs" / "a.md")
    heard.knows("logs/a.md")


def test_new_files_and_files_in_new_folders(heard: Heard) -> None:
    (heard.root / "新 笔记.md").write_text("- 茶\n", encoding="utf-8")
    heard.knows("新 笔记.md")
    (heard.root / "deep" / "er").mkdir(parents=True)
    (heard.root / "deep" / "er" / "b.md").write_text("- b\n", encoding="utf-8")
    heard.everything()  # the folder may have been there before it was watched
    heard.sets.clear()
    (heard.root / "deep" / "er" / "b.md").write_text("- c\n", encoding="utf-8")
    heard.knows("deep/er/b.md")


def test_a_folder_that_is_renamed_moved_in_or_deleted_is_looked_at_whole(heard: Heard) -> None:
    (heard.root / "logs").rename(heard.root / "diary")
    heard.everything()
    heard.sets.clear()
    (heard.root / "diary" / "a.md").write_text("- two\n", encoding="utf-8")
    heard.knows("diary/a.md")
    shutil.copytree(heard.root / "diary", heard.root.parent / "copy")
    heard.sets.clear()
    (heard.root.parent / "copy").rename(heard.root / "copy")
    heard.everything()
    heard.sets.clear()
    shutil.rmtree(heard.root / "copy")
    heard.everything()


def test_a_checkout_of_many_files_is_one_look_at_everything(folder: Path) -> None:
    git(folder, "init", "-q")
    (folder / "keep.md").write_text("- keep\n", encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    git(folder, "checkout", "-qb", "other")
    for n in range(MANY * 3):
        (folder / f"n{n}.md").write_text(f"- {n}\n", encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "two")
    git(folder, "checkout", "-q", "-")
    heard = Heard(folder)
    heard.watch.start()
    try:
        git(folder, "checkout", "-q", "other")
        heard.everything()
        assert not {path for path in heard.paths if ".git" in path}
    finally:
        heard.watch.stop()


def test_what_is_no_memory_is_not_noticed(heard: Heard) -> None:
    (heard.root / ".git" / "index").touch()
    (heard.root / ".mem" / "x.md").touch()
    (heard.root / ".hidden.md").touch()
    (heard.root / "photo.jpg").write_bytes(b"jpg")
    (heard.root / "logs" / "a.md").read_text(encoding="utf-8")
    heard.nothing()


def test_a_burst_is_handed_on_once(heard: Heard) -> None:
    for n in range(20):
        (heard.root / "logs" / "a.md").write_text(f"- {n}\n", encoding="utf-8")
        (heard.root / f"b{n}.md").touch()
    heard.knows("logs/a.md", *(f"b{n}.md" for n in range(20)))
    assert len(heard.sets) <= 3


def test_who_asks_at_once_is_told_at_once(folder: Path) -> None:
    heard = Heard(folder)  # not started: nobody else hands on
    heard.watch.hint("a.md")
    heard.watch.flush()
    heard.watch.flush()
    assert heard.sets == [{"a.md"}]


def test_lost_events_mean_a_look_at_everything(heard: Heard) -> None:
    logging.getLogger("watchdog.observers.inotify_c").warning("Inotify queue overflowed; filesystem events were lost")
    heard.everything()


def test_without_watches_everything_is_looked_at_again_and_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "inotify watch limit reached")

    monkeypatch.setattr(events, "POLL", 0.1)
    monkeypatch.setattr(events, "Observer", refuse)
    heard = Heard(folder)
    heard.watch.start()
    try:
        until(lambda: heard.sets.count(None) >= 3, 5)
        assert heard.watch.polling
        assert len(heard.told) == 1 and "watch limit" in heard.told[0]
    finally:
        heard.watch.stop()


def test_now_and_then_everything_is_looked_at_in_any_case(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "NET", 0.1)
    heard = Heard(folder)
    heard.watch.start()
    try:
        until(lambda: heard.sets.count(None) >= 3, 5)
        assert heard.told == []
    finally:
        heard.watch.stop()


def test_a_real_editor_if_there_is_one(heard: Heard) -> None:
    if not shutil.which("vim"):
        pytest.skip("no vim")
    subprocess.run(
        ["vim", "-es", "-u", "NONE", "-c", "normal ovim was here", "-c", "wq", str(heard.root / "logs" / "a.md")],
        check=False, timeout=20, env={**os.environ, "TERM": "dumb"},
    )  # fmt: skip
    heard.knows("logs/a.md")


def test_a_note_is_seen_whose_name_holds_the_name_of_a_folder_that_is_not(heard: Heard) -> None:
    (heard.root / "node_modules-notes.md").write_text("- pnpm\n", encoding="utf-8")
    heard.knows("node_modules-notes.md")
    (heard.root / "node_modules").mkdir()
    (heard.root / "node_modules" / "readme.md").write_text("- not ours\n", encoding="utf-8")
    heard.knows("node_modules-notes.md")
    assert "node_modules/readme.md" not in heard.paths
