"""Finding a vault, its files, and the one memory that is meant."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from memcli.errors import Refused, UsageError, VaultError
from memcli.vault.vault import Filter, Vault, locate
from tests.conftest import opened


def put(vault: Vault, path: str, text: str | bytes = "- a\n") -> Path:
    place = vault.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode() if isinstance(text, str) else text)
    return place


def said(vault: Vault, **want: object) -> list[str]:
    return sorted(entry.words for entry in vault.entries(Filter(**want)))  # type: ignore[arg-type]


# -- which vault -----------------------------------------------------------------------------------------------------


def test_the_flag_then_the_environment_then_the_nearest_upwards_then_ones_own(tmp_path: Path) -> None:
    outer, inner = tmp_path / "outer", tmp_path / "outer" / "a" / "b"
    inner.mkdir(parents=True)
    environ = {"XDG_DATA_HOME": str(tmp_path / "data")}
    with pytest.raises(VaultError, match="no vault here") as missing:
        locate(None, environ, inner)
    assert "mem init" in missing.value.hint
    (tmp_path / "data" / "mem" / "vault").mkdir(parents=True)
    assert locate(None, environ, inner) == tmp_path / "data" / "mem" / "vault"
    (outer / "mem.yaml").write_text("", encoding="utf-8")
    assert locate(None, environ, inner) == outer
    assert locate(None, {**environ, "MEM_VAULT": str(inner)}, tmp_path) == inner
    assert locate(str(outer), {**environ, "MEM_VAULT": str(inner)}, tmp_path) == outer


def test_a_vault_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for name, says in (("absent", "does not exist"), ("file", "is not a folder")):
        with pytest.raises(VaultError, match=f"{name} {says}") as refused:
            opened(tmp_path / name)
        assert ("mem init" in refused.value.hint) is (name == "absent")


# -- which files -----------------------------------------------------------------------------------------------------


def test_any_folder_of_notes_is_a_vault(vault: Vault) -> None:
    for path in ("a.md", "b.markdown", "Daily/2026-11-21 Sat.md", "深/层/笔记.md"):
        put(vault, path, f"- {path}\n")
    for path in (".obsidian/x.md", ".trash.md", "node_modules/x.md", "c.txt", "d.canvas", ".git/x.md"):
        put(vault, path)
    assert vault.files() == ["Daily/2026-11-21 Sat.md", "a.md", "b.markdown", "深/层/笔记.md"]
    assert len(said(vault)) == 4
    assert not (vault.root / ".mem").exists()


def test_what_is_kept_but_no_memory_is_left_out_unless_named(vault: Vault) -> None:
    for path in ("sessions/x.md", "knowledge/x.md", "archive/x.md", "journal/x.md", "roles/x.md", "snapshots/x.md"):
        put(vault, path, f"- {path}\n")
    assert said(vault) == ["snapshots/x.md"]
    assert said(vault, path="knowledge") == ["knowledge/x.md"]
    assert said(vault, kinds=frozenset({"archive"})) == ["archive/x.md"]


def test_an_agent_sees_what_is_shared_and_its_own_never_anothers(vault: Vault) -> None:
    put(vault, "shared.md", "- shared\n")
    put(vault, "agents/one/logs/2026-11-21.md", "- one\n")
    put(vault, "agents/two/x.md", "- two\n")
    one, two = vault.seen_by("one"), vault.seen_by("two")
    assert (said(vault), said(one), said(two)) == (["shared"], ["one", "shared"], ["shared", "two"])
    assert said(one, path="agents/two") == []


@pytest.mark.parametrize(
    ("want", "words"),
    [
        ({"since": date(2026, 11, 20)}, ["late", "own day"]),
        ({"until": date(2026, 11, 19)}, ["early"]),
        ({"since": date(2026, 11, 19), "until": date(2026, 11, 19)}, ["early"]),
        ({"tags": ("work",)}, ["early", "late"]),
        ({"tags": ("WORK", "#x")}, ["late"]),
        ({"tags": ("wor",)}, []),
        ({"types": ("decision", "fact")}, ["late", "own day"]),
        ({"path": "logs"}, ["early", "late"]),
        ({"path": "logs/2026-11-1*"}, ["early"]),
        ({"path": "./notes.md"}, ["own day", "undated"]),
    ],
)
def test_filters(vault: Vault, want: dict[str, object], words: list[str]) -> None:
    put(vault, "logs/2026-11-19.md", "- early #work/api\n")
    put(vault, "logs/2026-11-20.md", "- late #Work #x [type:: decision]\n")
    put(vault, "notes.md", "- own day [date:: 2026-12-01] [type:: fact]\n- undated\n")
    found = [w.split(" #")[0] for w in said(vault, **want)]
    assert found == words


# -- what can't be read ----------------------------------------------------------------------------------------------


def test_one_bad_file_is_named_and_the_rest_goes_on(vault: Vault) -> None:
    put(vault, "good.md")
    put(vault, "latin.md", b"- a\n- caf\xe9\n")
    put(vault, "image.md", b"\x89PNG\0\0")
    put(vault, "wide.md", "- a\n".encode("utf-16"))
    put(vault, "front.md", "---\na: [\n---\n- still read\n")
    with open(vault.root / "huge.md", "wb") as handle:
        handle.truncate(200 * 2**20)
    (vault.root / "loop.md").symlink_to("loop.md")
    (vault.root / "circle").symlink_to(".")
    (vault.root / "gone.md").symlink_to("nowhere.md")
    (vault.root / "out.md").symlink_to("/etc/hostname")
    assert said(vault) == ["a", "still read"]
    for notice in (
        "latin.md:2: is not UTF-8",
        "image.md: is binary",
        "wide.md: is UTF-16",
        "front.md:",
        "huge.md: 200 MB",
    ):
        assert sum(each.startswith(notice) for each in vault.notices) == 1, notice


# -- which memory ----------------------------------------------------------------------------------------------------


def test_a_memory_answers_to_its_id_its_beginning_its_block_id_and_its_place(vault: Vault) -> None:
    put(vault, "list.md", "- a\n- b\n  more ^here\n")
    first, second = vault.entries()
    assert (
        vault.find_entry(first.id) == vault.find_entry(first.hash[:4].upper()) == vault.find_entry("list.md:1") == first
    )
    assert vault.find_entry("^here") == vault.find_entry("here") == vault.find_entry("list.md:3") == second


@pytest.mark.parametrize("name", ["0000000", "^nobody", "list.md:9", "nonsense", "abc"])
def test_a_name_nobody_has_is_said(vault: Vault, name: str) -> None:
    put(vault, "list.md")
    with pytest.raises(UsageError, match="there is no memory"):
        vault.find_entry(name)


def test_an_ambiguous_id_lists_the_candidates(vault: Vault) -> None:
    put(vault, "list.md", "".join(f"- memory number {n}\n" for n in range(2000)))
    hashes = sorted(entry.hash for entry in vault.entries())
    shared = next(a[:4] for a, b in pairwise(hashes) if a[:4] == b[:4])
    with pytest.raises(UsageError) as refused:
        vault.find_entry(shared)
    rows = refused.value.message.splitlines()
    assert rows[0] == f"'{shared}' could be any of {len(rows) - 1}:"
    assert all(row.split()[0].startswith(shared) and "list.md:" in row and "memory number" in row for row in rows[1:])
    assert vault.find_entry(rows[1].split()[0]).words in rows[1]


def test_a_place_outside_can_not_be_read(vault: Vault) -> None:
    with pytest.raises(Refused):
        vault.find_entry("../../etc/passwd:1")


def test_the_archive_answers_only_when_nothing_living_does(vault: Vault) -> None:
    put(vault, "archive/list.md", "- old ^x\n")
    assert vault.find_entry("^x").words == "old"
    put(vault, "list.md", "- new ^x\n")
    assert vault.find_entry("^x").words == "new"


# -- the latest ------------------------------------------------------------------------------------------------------


def test_the_latest_come_first_wherever_they_lie(vault: Vault) -> None:
    put(vault, "logs/2026-11-18.md", "- 09:00 early\n- 10:00 later\n")
    put(vault, "logs/2026-11-19.md", "- a day after\n")
    put(vault, "MEMORY.md", "- 2026-11-18 10:30 written elsewhere\n- 2026-11-20 the newest\n- undated\n")
    every = ["newest", "after", "elsewhere", "later", "early", "undated"]
    for most in range(8):
        found, more = vault.latest(Filter(), most)
        assert [entry.words.split()[-1] for entry in found] == (every[:most] if most else every)
        assert more == (0 < most < 6)


def test_logs_older_than_needed_are_not_opened(vault: Vault) -> None:
    for day in range(1, 21):
        put(vault, f"logs/2026-11-{day:02}.md", "- one\n- two\n" if day > 17 else b"\xff\xfe broken")
    found, more = vault.latest(Filter(), 4)
    assert [entry.path[-5:] for entry in found] == ["20.md", "20.md", "19.md", "19.md"]
    assert more
    assert vault.notices == []


def test_a_filter_looks_as_far_back_as_it_must(vault: Vault) -> None:
    for day in range(1, 21):
        put(vault, f"logs/2026-11-{day:02}.md", "- one #rare\n" if day in (2, 3) else "- one\n")
    found, _ = vault.latest(Filter(tags=("rare",)), 2)
    assert [entry.path for entry in found] == ["logs/2026-11-03.md", "logs/2026-11-02.md"]
    assert vault.latest(Filter(tags=("rare",)), 3) == (found, False)
    assert vault.latest(Filter(tags=("rare",)), 2) == (found, False), "the logs that are left have no such memory"
    assert vault.latest(Filter(tags=("rare",)), 1) == (found[:1], True)
