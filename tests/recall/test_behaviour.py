"""Manners: what can't be read is named and left out, nothing is ever written, and the way in stays light."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memcli.errors import VaultError
from memcli.recall import Request, recall
from memcli.vault.files import LARGEST
from memcli.vault.vault import Vault
from tests.conftest import git, opened
from tests.recall.vaults import SAMPLE, lay, log, texts

GOOD = {"notes/good.md": "- the cache is redis\n"}


def noticed(vault: Vault, name: str) -> list[str]:
    return [notice for notice in vault.notices if name in notice]


# -- files that can't be read --------------------------------------------------------------------------------------


def test_a_file_that_vanishes_in_the_middle_is_one_notice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(folder, {**GOOD, "notes/gone.md": "- another cache, of redis too\n", "MEMORY.md": "- m\n"})
    vault = opened(folder)
    read = Vault.document

    def vanishing(self: Vault, path: str, part: Any = str) -> Any:
        (folder / "notes/gone.md").unlink(missing_ok=True)  # after ripgrep has seen it
        return read(self, path, part)

    monkeypatch.setattr(Vault, "document", vanishing)
    assert texts(recall(vault, Request("redis cache"))) == ["the cache is redis"]
    assert len(noticed(vault, "notes/gone.md")) == 1


def test_a_file_that_vanishes_before_the_search_is_no_matter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(folder, GOOD)
    monkeypatch.setattr(Vault, "files", lambda self, want: ["MEMORY.md", "logs/2026-11-20.md", "notes/good.md"])
    vault = opened(folder)
    assert texts(recall(vault, Request("redis cache"))) == ["the cache is redis"]


@pytest.mark.parametrize(
    "content",
    [
        b"- the cache \xe9\xff\n",
        b"- cache\0\0\0binary\n",
        "- cache\n".encode("utf-16"),
        b"- cache " + b"x" * LARGEST + b"\n",
    ],
    ids=["latin-1", "binary", "utf-16", "huge"],
)
def test_what_is_no_text_is_one_notice_and_the_rest_works(folder: Path, content: bytes) -> None:
    lay(folder, {**GOOD, "MEMORY.md": content, log(opened(folder).today): content})
    vault = opened(folder)
    assert texts(recall(vault, Request("redis cache"))) == ["the cache is redis"]
    assert len(noticed(vault, "MEMORY.md")) == len(noticed(vault, "logs/")) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_one_notice(folder: Path) -> None:
    lay(folder, {**GOOD, "MEMORY.md": "- the cache\n"})
    (folder / "MEMORY.md").chmod(0)
    vault = opened(folder)
    assert texts(recall(vault, Request("redis cache"))) == ["the cache is redis"]
    assert len(noticed(vault, "MEMORY.md")) == 1


def test_what_refuses_to_be_read_is_one_notice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(folder, {**GOOD, "MEMORY.md": "- the cache\n"})
    read = Vault.document

    def refusing(self: Vault, path: str, part: Any = str) -> Any:
        if path == "MEMORY.md":
            raise VaultError(f"{path}: can't be read: Permission denied")
        return read(self, path, part)

    monkeypatch.setattr(Vault, "document", refusing)
    vault = opened(folder)
    assert texts(recall(vault, Request("redis cache"))) == ["the cache is redis"]
    assert len(noticed(vault, "MEMORY.md")) == 1


def test_links_that_lead_nowhere_or_out_are_no_memories(folder: Path, tmp_path: Path) -> None:
    lay(folder, GOOD)
    (tmp_path / "secret.md").write_text("- the cache of a stranger\n")
    (folder / "notes/out.md").symlink_to(tmp_path / "secret.md")
    (folder / "notes/loop.md").symlink_to(folder / "notes/loop.md")
    (folder / "notes/gone.md").symlink_to(folder / "nothing.md")
    (folder / "notes/folder.md").mkdir()
    vault = opened(folder)
    assert texts(recall(vault, Request("redis cache"))) == ["the cache is redis"]
    assert vault.notices == []


def test_broken_front_matter_is_a_notice_and_its_entries_are_there(folder: Path) -> None:
    lay(folder, {"notes/a.md": "---\ntags: [a\n---\n- the cache is redis\n"})
    vault = opened(folder)
    assert texts(recall(vault, Request("redis"))) == ["the cache is redis"]
    assert len(noticed(vault, "notes/a.md")) == 1


# -- nothing is written --------------------------------------------------------------------------------------------


def listing(root: Path) -> dict[str, tuple[int, int, int]]:
    """Every file and folder with its size, time of change and mode."""
    return {
        str(path.relative_to(root)): (info.st_size, info.st_mtime_ns, info.st_mode)
        for path in sorted(root.rglob("*"))
        for info in [path.lstat()]
    }


def questions() -> Iterator[Request]:
    for text in ("the cache", "", "xyzzy", "上周五", "#缓存", "who am I"):
        for format in ("md", "xml", "json", "plain"):
            yield Request(text, format=format)


@pytest.mark.slow
def test_recall_writes_nothing_anywhere_in_the_vault(folder: Path) -> None:
    import shutil

    shutil.copytree(SAMPLE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".mem"))  # of who tried it
    before = listing(folder)
    for request in questions():
        recall(opened(folder), request)
    assert listing(folder) == before


def test_recall_leaves_git_status_clean(repository: Path) -> None:
    for name, text in {**GOOD, "logs/2026-11-20.md": "- a day\n"}.items():
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text(text)
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "-m", "more")
    for request in questions():
        recall(opened(repository), request)
    assert git(repository, "status", "--porcelain", "--ignored") == ""


def test_a_vault_that_is_read_only_can_be_asked(folder: Path) -> None:
    lay(folder, GOOD)
    for path in [*folder.rglob("*"), folder]:
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert texts(recall(opened(folder), Request("redis cache"))) == ["the cache is redis"]
    finally:
        for path in [folder, *folder.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)


# -- the way in is light -------------------------------------------------------------------------------------------

HEAVY = {"lancedb", "fastembed", "pyarrow", "numpy", "pydantic", "requests", "rich", "httpx", "urllib3", "dateparser", "ruamel",
         "onnxruntime", "git", "markdown_it", "asyncio"}  # fmt: skip
SLOW = {"inspect", "dataclasses", "difflib", "subprocess"}  # each takes a twentieth of the time that a recall takes


@pytest.mark.slow
def test_a_piped_recall_imports_nothing_heavy(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "memcli", "recall", "what did we decide about the cache"],
        env={**os.environ, "MEM_VAULT": str(SAMPLE)}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert "cache" in done.stdout
    listed = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    imported = listed[listed.index("site") + 1 :]  # what an environment itself brings comes first
    assert "memcli.recall.engine" in imported  # the list is what it seems to be
    assert {name.partition(".")[0] for name in imported} & (HEAVY | SLOW) == set()


@pytest.mark.slow
def test_the_python_door_imports_nothing_heavy_either(folder: Path) -> None:
    lay(folder, GOOD)
    code = (
        "import sys; from pathlib import Path; from datetime import datetime\n"
        "from memcli.vault.vault import open_vault; from memcli.recall import recall, Request\n"
        f"assert recall(open_vault(Path({str(folder)!r}), datetime.now, {{}}), Request('redis cache')).chosen\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stderr == ""
    assert set(done.stdout.split()) & HEAVY == set()
    assert "memcli" in done.stdout.split()


def test_the_weekday_in_a_logs_heading_is_no_word_of_it(folder: Path) -> None:
    lay(folder, {
        "logs/2026-11-18.md": "# 2026-11-18 Wed\n\n- 10:00 pasta with Jo\n- 11:00 the boiler hums\n",
        "logs/2026-11-20.md": "# 2026-11-20 Fri\n\n- 10:00 the wedding is at the town hall\n",
    })  # fmt: skip
    found = recall(opened(folder), Request("where is the wedding"))
    assert texts(found) == ["10:00 the wedding is at the town hall"]


def test_what_holds_now_comes_with_what_held_before_however_it_is_put(folder: Path) -> None:
    lay(folder, {
        "logs/2026-11-18.md": "# 2026-11-18 Wed\n\n- 10:00 the spare key is under the blue pot\n",
        "logs/2026-11-19.md": "# 2026-11-19 Thu\n\n- 10:00 actually the key is now under the red pot, not the blue one\n",
    })  # fmt: skip
    assert any("red pot" in text for text in texts(recall(opened(folder), Request("where is the spare key"))))


def test_where_a_note_was_brought_from_is_no_memory(folder: Path) -> None:
    head = '---\nsource: "markdown:recipes/Lasagne.md"\norigin: Anna\n---\n\n'
    lay(folder, {"imported/markdown/Lasagne.md": f"{head}Forty minutes in the oven\n"})
    found = texts(recall(opened(folder), Request("lasagne")))
    assert "origin: Anna" in found and not any("markdown:" in text for text in found)
