"""The index follows the files, whatever happens to either."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from memcli.errors import Refused, VaultError
from memcli.index import catalog, memory_table, refresh, sync
from memcli.index.embed import Embedder
from memcli.index.models import Model
from memcli.index.refresh import reader
from memcli.index.status import check, state
from memcli.vault.lock import hold_lock
from memcli.vault.vault import Vault
from tests.conftest import opened


def found(vault: Vault, words: str) -> list[str]:
    there = reader(vault)
    assert there
    return sorted(f"{hit.path}:{hit.line}" for hit in there.words(words, 20))


def write(folder: Path, path: str, text: str) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, encoding="utf-8")


def test_memories_are_found_by_words_in_english_and_chinese(notes: Path) -> None:
    vault = opened(notes)
    assert refresh.refresh(vault).changed == 5
    assert found(vault, "Redis") == ["logs/2026-11-19.md:1"]
    assert found(vault, "缓存") == ["logs/2026-11-20.md:1"]
    assert found(vault, 'it\'s "quoted" AND (odd') == []
    assert found(vault, "document") == []  # documents are another room's
    assert check(vault).clean
    assert vault.notices == []


def test_meaning_finds_what_words_do_not(notes: Path, model: Model) -> None:
    vault = opened(notes, index__model="tiny")
    done = refresh.refresh(vault)
    assert done.embedded == done.rows == state(vault).entries
    there = reader(vault)
    assert there
    embedder = Embedder(model, vault.environ)
    best = there.near(embedder.query("cache"), 3)
    assert {(hit.path, hit.line) for hit in best[:2]} == {("logs/2026-11-19.md", 1), ("logs/2026-11-20.md", 1)}
    assert 0 < best[0].score <= 1.001
    with catalog.Catalog(vault.cache) as held:
        everything = held.meanings()
    assert sum(len(each.entries) for each in everything) == done.rows
    file = next(each for each in everything if each.path == best[0].path)
    vectors = np.frombuffer(file.vectors, np.float16).reshape(len(file.entries), model.dim)
    assert abs(vectors[file.entries.index(best[0].parent)] @ embedder.query("cache") - best[0].score) < 0.01


def test_only_what_changed_is_read_and_only_new_texts_are_embedded(notes: Path, model: Model) -> None:
    vault = opened(notes, index__model="tiny")
    first = refresh.refresh(vault)
    assert refresh.refresh(vault).changed == 0
    (notes / "logs").rename(notes / "diary")
    moved = refresh.refresh(vault)
    assert (moved.changed, moved.removed, moved.embedded) == (2, 2, 0)
    assert found(vault, "redis") == ["diary/2026-11-19.md:1"]
    write(notes, "MEMORY.md", "# People\n\n- Anna's birthday is in May\n- Bob's in June\n")
    edited = refresh.refresh(vault)
    assert (edited.changed, edited.rows, edited.embedded) == (1, 2, 1)
    (notes / "MEMORY.md").touch()
    assert refresh.refresh(vault).changed == 0
    (notes / "MEMORY.md").unlink()
    assert refresh.refresh(vault).removed == 1
    assert found(vault, "Bob") == []
    again = refresh.refresh(vault, rebuild=True)
    assert (again.embedded, again.rows) == (0, first.rows - 1)
    assert check(vault).clean


def test_named_paths_alone_are_looked_at(notes: Path) -> None:
    vault = opened(notes)
    refresh.refresh(vault)
    write(notes, "a.md", "- alpha\n")
    write(notes, "b.md", "- beta\n")
    (notes / "essay.md").unlink()
    assert refresh.refresh(vault, paths={"a.md", "essay.md", "knowledge/paper.md", ".git/x.md"}).changed == 1
    assert found(vault, "alpha beta") == ["a.md:1"]
    assert found(vault, "leaves") == []
    assert state(vault).behind == 1


def test_a_changed_model_embeds_again_and_says_so(notes: Path, model: Model, model_folder: Path) -> None:
    from memcli.index import download

    words = opened(notes)
    refresh.refresh(words)
    vault = opened(notes, index__model="tiny")
    assert refresh.refresh(vault).embedded > 0
    assert vault.notices == ["the model is tiny now, it was none: the index is made anew"]
    download.register(model_folder, dict(os.environ), pooling="cls")
    vault = opened(notes, index__model="tiny")
    done = refresh.refresh(vault)
    assert done.embedded == done.rows
    assert "the model is tiny now" in vault.notices[0]


def test_without_its_model_the_index_goes_on_by_words_and_catches_up(notes: Path, model: Model) -> None:
    refresh.refresh(opened(notes, index__model="tiny"))
    write(notes, "new.md", "- the cache is full\n")
    vault = opened(notes)
    assert refresh.refresh(vault).embedded == 0
    assert found(vault, "full") == ["new.md:1"]
    assert state(vault).behind == 0
    vault = opened(notes, index__model="tiny")
    assert state(vault).behind == 1  # it has no vectors yet
    assert refresh.refresh(vault).embedded == 1
    assert state(vault).behind == 0
    with catalog.Catalog(vault.cache) as held:
        assert [len(each.entries) for each in held.meanings(["new.md"])] == [1]


def test_what_cannot_be_read_is_named_once_and_the_rest_goes_on(notes: Path) -> None:
    (notes / "bad.md").write_bytes(b"\xff\xfe- no\n")
    vault = opened(notes)
    assert refresh.refresh(vault).changed == 6
    assert "UTF-16" in vault.notices[0]
    vault = opened(notes)
    assert refresh.refresh(vault).changed == 0
    write(notes, "bad.md", "- mended\n")
    refresh.refresh(vault)
    assert found(vault, "mended") == ["bad.md:1"]
    assert vault.notices == []


SPOILS = {
    "no .mem": lambda mem: shutil.rmtree(mem),
    "no book": lambda mem: (mem / catalog.NAME).unlink(),
    "no table": lambda mem: shutil.rmtree(mem / memory_table.FOLDER),
    "an empty book": lambda mem: (mem / catalog.NAME).write_bytes(b""),
    "half a book": lambda mem: (mem / catalog.NAME).write_bytes((mem / catalog.NAME).read_bytes()[:5000]),
    "a book of noise": lambda mem: (mem / catalog.NAME).write_bytes(b"noise" * 4000),
    "noise alone": lambda mem: (
        shutil.rmtree(mem / memory_table.FOLDER),
        (mem / catalog.NAME).write_bytes(b"noise" * 9),
    ),
    "a table of noise": lambda mem: [p.write_bytes(b"noise") for p in mem.glob("lance/**/*.manifest")],
    "no data": lambda mem: [p.unlink() for p in mem.glob("lance/**/*.lance") if p.is_file()],
}


@pytest.mark.parametrize("name", SPOILS)
def test_a_spoilt_cache_is_made_anew_and_said(notes: Path, model: Model, name: str) -> None:
    refresh.refresh(opened(notes, index__model="tiny"))
    SPOILS[name](notes / ".mem")
    write(notes, "new.md", "- the cache is full\n")
    vault = opened(notes, index__model="tiny")
    state(vault)
    refresh.refresh(vault)
    assert check(vault).clean
    assert found(vault, "full") == ["new.md:1"]
    assert len(vault.notices) == (name not in ("no .mem", "no book"))


def test_damage_that_a_reader_finds_is_mended_though_no_file_changed(notes: Path) -> None:
    vault = opened(notes)
    refresh.refresh(vault)
    for each in (notes / ".mem").glob("lance/**/*.lance"):
        if each.is_file():
            each.write_bytes(b"noise")
    assert refresh.refresh(vault).changed == 0
    with pytest.raises(VaultError, match="damaged"):
        reader(vault).ids()  # type: ignore[union-attr]
    assert not state(vault).made
    refresh.refresh(vault)
    assert vault.notices == ["its table is gone: the index is made anew"]
    assert check(vault).clean


def test_a_damaged_table_costs_no_vectors(notes: Path, model: Model) -> None:
    vault = opened(notes, index__model="tiny")
    refresh.refresh(vault)
    for each in (notes / ".mem").glob("lance/**/*.manifest"):
        each.write_bytes(b"noise")
    write(notes, "new.md", "- the cache is full\n")
    done = refresh.refresh(vault)
    assert (done.embedded, done.known) == (0, done.rows)  # the new text was embedded before the table turned out bad
    assert vault.notices == ["its table is gone: the index is made anew"]


def test_an_open_reader_outlives_a_rebuild(notes: Path) -> None:
    vault = opened(notes)
    refresh.refresh(vault)
    there = reader(vault)
    assert there
    assert len(there.words("redis", 5)) == 1
    write(notes, "new.md", "- redis again\n")
    refresh.refresh(vault, rebuild=True)
    assert len(there.words("redis", 5)) == 2


def test_a_link_in_place_of_the_cache_is_not_followed(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (notes / ".mem").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused):
        refresh.refresh(opened(notes))
    (notes / ".mem").unlink()
    (notes / ".mem").mkdir()
    for name in (memory_table.FOLDER, catalog.NAME):
        (notes / ".mem" / name).symlink_to(tmp_path / "elsewhere" / name)
    refresh.refresh(opened(notes))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_killed_at_any_moment_it_catches_up(notes: Path) -> None:
    for n in range(300):
        write(notes, f"many/{n}.md", "".join(f"- entry {k} of note {n}\n" for k in range(20)))
    for moment in (0.8, 1.6, 2.2):
        child = subprocess.Popen(
            [sys.executable, "-m", "memcli", "index"],
            env={**os.environ, "MEM_VAULT": str(notes)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(moment)
        child.send_signal(signal.SIGKILL)
        child.wait()
    vault = opened(notes)
    refresh.refresh(vault)
    assert check(vault).clean
    assert len(found(vault, "entry")) == 20


def test_two_at_once_one_works_and_the_other_waits_or_says_so(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = opened(notes)
    (notes / ".mem").mkdir()
    told: list[str] = []
    monkeypatch.setattr(sync, "WAIT", 0.1)
    with (
        hold_lock(notes / ".mem" / "index.lock", 1, "index", doing="the index is being written"),
        pytest.raises(Refused, match="the index"),
    ):
        refresh.refresh(vault, waiting=told.append)
    assert told == [f"the index is being written by `mem index` (process {os.getpid()})"]
    command = [sys.executable, "-m", "memcli", "index"]
    both = [subprocess.Popen(command, env={**os.environ, "MEM_VAULT": str(notes)}) for _ in range(2)]
    assert [each.wait() for each in both] == [0, 0]
    assert check(vault).clean


def test_drift_is_told_file_by_file(notes: Path) -> None:
    vault = opened(notes)
    assert sum(check(vault).missing.values()) > 5
    refresh.refresh(vault)
    write(notes, "MEMORY.md", "- something else\n")
    (notes / "essay.md").unlink()
    drift = check(vault)
    assert drift.missing == {"MEMORY.md": 1}
    assert drift.stale.keys() == {"MEMORY.md", "essay.md"}
    here = state(vault)
    assert (here.made, here.behind, here.files) == (True, 2, 5)


def test_nothing_changed_loads_nothing_heavy(notes: Path) -> None:
    refresh.refresh(opened(notes))
    script = (
        "import os, sys; from pathlib import Path; from datetime import datetime\n"
        "from memcli.vault.vault import open_vault; from memcli.index import status, refresh\n"
        f"vault = open_vault(Path({str(notes)!r}), datetime.now, os.environ)\n"
        "assert refresh.refresh(vault).changed == 0 and status.state(vault).behind == 0\n"
        "assert not {'lancedb', 'numpy', 'pyarrow', 'fastembed'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_vectors_of_texts_that_are_gone_are_swept(notes: Path, model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync, "WRITES", 1)
    vault = opened(notes, index__model="tiny")
    refresh.refresh(vault)
    for path in ("essay.md", "logs/2026-11-20.md"):
        (notes / path).unlink()
    refresh.refresh(vault)
    assert refresh.refresh(vault, rebuild=True).known == 4
    write(notes, "essay.md", "- other words\n")
    assert refresh.refresh(vault).embedded == 1


def test_who_was_stopped_before_the_last_step_is_made_up_for(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = opened(notes)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(memory_table.MemoryTable, "settle", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        refresh.refresh(vault)
    assert state(vault).behind == 0
    assert found(vault, "redis") == ["logs/2026-11-19.md:1"]
    assert refresh.refresh(vault).changed == 0
    (words,) = (each for each in reader(vault)._table.list_indices() if each.columns == ["text"])  # type: ignore[union-attr]
    assert words.num_unindexed_rows == 0


def test_what_was_embedded_before_ctrl_c_is_not_embedded_again(
    notes: Path, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memcli.index.sync.PIECE", 4)
    vault = opened(notes, index__model="tiny")

    def press(done: refresh.RefreshReport) -> None:
        if done.embedded == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        refresh.refresh(vault, tell=press)
    done = refresh.refresh(vault)
    assert (done.known, done.embedded) == (8, done.rows - 8)
    assert check(vault).clean


def test_a_folder_of_many_files_comes_and_goes(folder: Path) -> None:
    for n in range(1200):
        write(folder, f"many/{n}.md", f"- number {n}\n")
    write(folder, "one.md", "- number one\n")
    vault = opened(folder)
    assert refresh.refresh(vault).changed == 1201
    (folder / "many").rename(folder / "some")
    assert (refresh.refresh(vault).removed, state(vault).entries) == (1200, 1201)
    shutil.rmtree(folder / "some")
    assert refresh.refresh(vault).removed == 1200
    assert found(vault, "number") == ["one.md:1"]
    assert check(vault).clean


def test_odd_names_and_odd_texts_stop_nobody(folder: Path) -> None:
    write(folder, 'it\'s "odd" 名.md', "- quoted path\n")
    write(folder, "endless.md", "- " + "x" * 300_000 + "\n- " + "公园" * 20_000 + "\n")
    write(folder, "empty.md", "")
    (folder / os.fsdecode(b"\xff.md")).write_text("- strange\n", encoding="utf-8")
    vault = opened(folder)
    refresh.refresh(vault)
    assert len(vault.notices) == 1
    assert "not UTF-8" in vault.notices[0]
    assert found(vault, "quoted") == ['it\'s "odd" 名.md:1']
    assert found(vault, "公园")[0].startswith("endless.md:")
    (folder / 'it\'s "odd" 名.md').unlink()
    refresh.refresh(vault)
    assert found(vault, "quoted") == []
    assert check(vault).clean
