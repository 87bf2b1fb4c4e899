"""Bringing memories in: told first, done as one write, once, and nothing hostile costs more than a message."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from memcli import jobs, remember
from memcli.cli.progress import progress
from memcli.errors import Refused, VaultError
from memcli.features.move import archives, formats, sorter, talks
from memcli.features.move import bring as bringing
from memcli.features.move import export as exporting
from memcli.features.move.cli import WRITTEN
from memcli.features.move.formats import server_memory
from memcli.features.move.import_plan import ImportOptions, ImportProgress
from memcli.format import Statement
from memcli.message import Message
from memcli.vault import history, queue
from memcli.vault.vault import Filter, Vault
from tests.conftest import Ran, inside, opened
from tests.features import needs
from tests.remember.gates.cases import filled
from tests.remember.gates.test_gate import everything

Mem = Callable[..., Ran]
mem = inside  # in this process: what is tested here is what the commands do
MEMORIES = [
    {"id": "1", "memory": "Anna is allergic to nuts", "created_at": "2025-03-01T10:00:00", "categories": ["health"]},
    {"id": "2", "memory": "The flat is in Leipzig", "metadata": {"type": "fact", "confidence": 0.8}},
]


@pytest.fixture
def brought(tmp_path: Path) -> Path:
    place = tmp_path / "mem0.json"
    place.write_text(json.dumps({"results": MEMORIES}), encoding="utf-8")
    return place


def bring(vault: Vault, place: Path, **wanted: object) -> bringing.ImportResult:
    tree = archives.open_tree(place)
    return bringing.bring_items(vault, tree, ImportOptions(formats.detect_format(tree), **wanted))  # type: ignore[arg-type]


def files_of(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".mem" not in path.parts and "journal" not in path.parts
    }


def test_statements_become_entries_that_tell_where_they_came_from(vault: Vault, brought: Path) -> None:
    done = bring(vault, brought)
    assert done.plan.memories == 2 and done.paths == ("imported/mem0",)
    anna, flat = vault.entries(Filter(path="imported"))
    assert (anna.words.removesuffix(" #health"), str(anna.day), anna.tags) == (
        "Anna is allergic to nuts",
        "2025-03-01",
        ("health",),
    )
    assert anna.fields["source"] == "mem0:1" and flat.fields["confidence"] == "0.8" and flat.type == "fact"


def test_planning_writes_nothing(vault: Vault, brought: Path) -> None:
    before = files_of(vault.root)
    tree = archives.open_tree(brought)
    told = sorter.plan_import(vault, tree, ImportOptions("mem0"))
    assert (told.memories, dict(told.files)) == (2, {"imported/mem0/2025.md": 1, "imported/mem0/undated.md": 1})
    assert files_of(vault.root) == before


def test_run_again_it_brings_only_what_is_new(vault: Vault, brought: Path) -> None:
    bring(vault, brought)
    assert bring(vault, brought).plan.known == 2
    more = [*MEMORIES, {"id": "3", "memory": "Bob moved to Graz", "created_at": "2025-06-01"}]
    brought.write_text(json.dumps({"results": more}), encoding="utf-8")
    assert bring(vault, brought).plan.memories == 1
    assert len(list(vault.entries(Filter(path="imported")))) == 3


def test_a_note_that_changed_since_it_was_brought_is_named_and_comes_anew_without_the_old_one(
    vault: Vault, tmp_path: Path
) -> None:
    note, other = tmp_path / "notes/pump.md", tmp_path / "notes/list.md"
    note.parent.mkdir()
    note.write_text("# Pump\n\nIt needs oil of type A, write to anna@example.org.\n", encoding="utf-8")
    other.write_text("---\nmood: good\n---\n- bread\n", encoding="utf-8")
    bring(vault, note.parent)
    assert bring(vault, note.parent).plan.unread == []
    note.write_text("# Pump\n\nIt needs oil of type B.\n", encoding="utf-8")
    plan = bring(vault, note.parent).plan
    assert [(name, "pump.md differs" in why) for name, why in plan.unread] == [("pump.md", True)]
    (vault.root / "imported/markdown/pump.md").unlink()
    assert (bring(vault, note.parent).plan.pages, bring(vault, note.parent).plan.unread) == (1, [])


def test_what_the_vault_says_already_is_not_said_twice(vault: Vault, brought: Path) -> None:
    (vault.root / "MEMORY.md").write_text("- The flat is in Leipzig.\n", encoding="utf-8")
    done = bring(vault, brought)
    assert (done.plan.memories, done.plan.same) == (1, 1)


def test_a_written_conversation_is_left_to_learn(mem: Mem, tmp_path: Path) -> None:
    (tmp_path / "chat.txt").write_text("User: I moved to Bath\nAssistant: Noted.\n", encoding="utf-8")
    (tmp_path / "note.txt").write_text("User: the one who pays\n", encoding="utf-8")
    assert "mem learn" in mem("import", str(tmp_path / "chat.txt"), "--dry-run").err
    assert "mem learn" not in mem("import", str(tmp_path / "note.txt"), "--dry-run").err


def test_a_number_behind_a_hash_is_no_tag_and_is_exported(mem: Mem) -> None:
    for text in ("we fixed ticket #512", "Lin is our #1.", "the piece in C #jazz"):
        mem("add", text)
    texts = [json.loads(line)["text"] for line in mem("export").out.splitlines()]
    assert texts == ["we fixed ticket #512", "Lin is our #1.", "the piece in C"]


def test_an_export_brings_nothing_into_the_vault_it_came_from(mem: Mem, vault: Vault, tmp_path: Path) -> None:
    for text in ("[ ] call Tom about the boiler", "[ ] water the plants #home", "the bakery closes on Mondays #food"):
        mem("add", text)
    mem("export", "--out", str(tmp_path / "all.jsonl"))
    mem("done", "boiler")
    plan = bring(vault, tmp_path / "all.jsonl").plan
    assert (plan.fresh, plan.same) == (0, 3)


@pytest.mark.parametrize(
    "pair",
    [("坐火车喜欢靠窗", "周三晚上去游泳"), ("用 Redis", "不用 Redis"), ("learns C++", "learns C#"), ("👍", "👎")],
)
def test_two_memories_in_other_words_are_two(vault: Vault, tmp_path: Path, pair: tuple[str, str]) -> None:
    (tmp_path / "m.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in pair), "utf-8")
    assert bring(vault, tmp_path / "m.jsonl").plan.same == 0


def test_stops_and_spaces_make_no_other_memory(vault: Vault, tmp_path: Path) -> None:
    same = ("坐火车喜欢靠窗。", "坐火车喜欢靠窗", "Tea, please!", "tea please")
    (tmp_path / "m.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in same), "utf-8")
    assert bring(vault, tmp_path / "m.jsonl").plan.same == 2


def test_notes_and_tables_in_older_encodings_are_read_or_named(vault: Vault, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "one.md").write_bytes("周三晚上去游泳，周四休息\n".encode("gb18030"))
    (notes / "two.md").write_bytes("Der Kaffee schmeckt süß\n".encode("cp1252"))
    (notes / "three.md").write_bytes("кофе без сахара\n".encode("koi8-r"))
    assert bring(vault, notes).plan.unread == [
        ("three.md", "is neither UTF-8 nor UTF-16 nor GB18030: save it as UTF-8")
    ]
    (tmp_path / "table.csv").write_bytes("内容,日期\n坐火车喜欢靠窗,2026-09-01\n周三晚上去游泳,\n".encode("gb18030"))
    assert bring(vault, tmp_path / "table.csv").plan.memories == 2
    kept = "\n".join(entry.words for entry in vault.entries(Filter(path="imported")))
    assert "坐火车喜欢靠窗" in kept and "周四休息" in kept and "süß" in kept


def test_no_memory_of_the_user_takes_the_tag_of_another() -> None:
    told = [Statement("tea at four", "a", tags=("food",)), Statement("allergic to nuts", "b")]
    (entity,) = map(json.loads, server_memory.write_items(told))
    assert entity["entityType"] == "person" and entity["observations"] == ["tea at four", "allergic to nuts"]


def test_how_long_is_left_follows_the_pace_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    now, told = [0.0], []
    monkeypatch.setattr("memcli.cli.progress.time.monotonic", lambda: now[0])
    terminal = SimpleNamespace(
        quiet=False, stderr=io.StringIO(), translate=lambda text, **values: Message(text, **values), tell=told.append
    )
    with progress(terminal, lambda done: "looked through", "MB") as tell:  # type: ignore[arg-type]
        for seconds, megabytes in ((60, 10), (600, 20)):
            now[0] = seconds
            tell(ImportProgress(megabytes << 20, 100 << 20))
    assert [line.rpartition(", ")[2] for line in told] == ["about 9 min left", "about 40 min left"]


def test_one_undo_takes_all_of_it_back(vault: Vault, brought: Path, tmp_path: Path) -> None:
    bring(vault, brought)
    before = files_of(vault.root)
    more = [{"id": str(n), "memory": f"thing number {n}", "created_at": "2025-03-02"} for n in range(20)]
    brought.write_text(json.dumps({"results": more}), encoding="utf-8")
    bring(vault, brought)
    assert history.undo(vault)[0] == "import"
    assert files_of(vault.root) == before
    history.undo(vault)
    assert not list(vault.entries(Filter(path="imported")))


def test_who_is_cut_short_leaves_the_vault_as_it_was(
    vault: Vault, brought: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_of(vault.root)

    def stop(progress: object) -> None:
        if progress[0]:  # type: ignore[index]
            raise KeyboardInterrupt

    tree = archives.open_tree(brought)
    with pytest.raises(KeyboardInterrupt):
        bringing.bring_items(vault, tree, ImportOptions("mem0"), stop)
    assert files_of(vault.root) == before


@pytest.mark.slow
def test_what_a_killed_import_left_is_cleared_by_the_next(vault: Vault, brought: Path, tmp_path: Path) -> None:
    """Killed at once, with no time to clear up: the vault is as it was, and the next run brings all of it."""
    before = files_of(vault.root)
    script = (
        "import os, sys\nfrom datetime import datetime\nfrom pathlib import Path\n"
        "from memcli.features.move import archives, bring as bringing\n"
        "from memcli.features.move.import_plan import ImportOptions\n"
        "from memcli.vault.vault import open_vault\n"
        "def die(done):\n    if done.taken: os._exit(9)\n"
        "vault = open_vault(Path(sys.argv[1]), datetime.now, dict(os.environ))\n"
        "tree = archives.open_tree(Path(sys.argv[2]))\n"
        "bringing.bring_items(vault, tree, ImportOptions('markdown'), die)\n"
    )
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(5):
        (notes / f"{number}.md").write_text(f"note {number}\n", encoding="utf-8")
    assert subprocess.run([sys.executable, "-c", script, str(vault.root), str(notes)]).returncode == 9
    left = {name: data for name, data in files_of(vault.root).items() if not name.startswith("archive/imports/")}
    assert left == before and (vault.root / "archive/imports").exists()
    assert not list(vault.entries(Filter()))
    assert bring(vault, notes).plan.pages == 5 and not list((vault.root / "archive/imports").iterdir())
    history.undo(vault)
    assert not list(vault.entries(Filter()))


def test_what_was_written_by_hand_stays_when_an_import_is_undone(vault: Vault, brought: Path, tmp_path: Path) -> None:
    """Nor does the next import clear what the undo put aside."""
    bring(vault, brought)
    for name in ("2025", "mine"):
        (vault.root / f"imported/mem0/{name}.md").write_text("- by hand\n", encoding="utf-8")
    other = {path.name for path in (vault.root / "imported/mem0").iterdir()} - {"2025.md", "mine.md"}
    history.undo(vault)
    assert {path.name for path in (vault.root / "imported/mem0").iterdir()} == {"2025.md", "mine.md"}
    assert "imported/mem0/2025.md, imported/mem0/mine.md" in vault.notices[-1]
    (tmp_path / "note.md").write_text("tea\n", encoding="utf-8")
    bring(vault, tmp_path / "note.md")
    assert other and other <= {path.name for path in (vault.root / "archive").rglob("*.md")}
    assert (vault.root / "imported/mem0/mine.md").read_text(encoding="utf-8") == "- by hand\n"


def test_two_things_that_their_tool_calls_the_same_both_come_over_once(vault: Vault, tmp_path: Path) -> None:
    """Evernote's notes have no id: a title and the second they were made in, which several may share."""
    said = ("tea", "coffee", "tea")
    note = "<note><title>A link</title><created>20200518T214753Z</created><content><![CDATA[<en-note><div>{}</div></en-note>]]></content></note>"
    (tmp_path / "x.enex").write_text(f"<en-export>{''.join(map(note.format, said))}</en-export>", encoding="utf-8")
    first = bring(vault, tmp_path / "x.enex").plan
    assert (first.pages, len(first.copies), first.known) == (2, 1, 0)
    again = bring(vault, tmp_path / "x.enex").plan
    assert (again.pages, again.known, again.unread) == (0, 3, [])


def test_how_far_it_is_is_told_in_bytes(vault: Vault, brought: Path) -> None:
    told = list[tuple[int, int]]()
    sorter.plan_import(vault, archives.open_tree(brought), ImportOptions("mem0"), told.append)
    size = brought.stat().st_size
    assert told[-1] == (size, size) and all(done <= whole for done, whole in told)


def test_pages_keep_their_folders_words_and_pictures(vault: Vault, tmp_path: Path) -> None:
    notes = tmp_path / "Notes"
    (notes / ".obsidian").mkdir(parents=True)
    (notes / ".obsidian/app.json").write_text("{}", encoding="utf-8")
    (notes / "People").mkdir()
    (notes / "People/Anna.md").write_text("---\nbirthday: 3 May\n---\nLikes ![[tea.png]]\n", encoding="utf-8")
    (notes / "tea.png").write_bytes(b"\x89PNG tea")
    bring(vault, notes)
    home = vault.root / "imported/obsidian"
    text = (home / "People/Anna.md").read_text(encoding="utf-8")
    assert text == '---\nbirthday: 3 May\nsource: "obsidian:Notes/People/Anna.md"\n---\nLikes ![[tea.png]]\n'
    assert (home / "tea.png").read_bytes() == b"\x89PNG tea"
    assert bring(vault, notes).plan.known == 1


def test_secrets_never_reach_the_disk(vault: Vault, tmp_path: Path) -> None:
    said = ["the wifi password is Blue-Kettle-42", "call 13812345678 about the pipe"]
    (tmp_path / "m.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in said), encoding="utf-8")
    page = tmp_path / "notes"
    page.mkdir()
    (page / "home.md").write_text("wifi password: Blue-Kettle-42\n", encoding="utf-8")
    done = bring(vault, tmp_path / "m.jsonl")
    assert [why for _, why in done.plan.refused] == ["a password"] and done.plan.blacked_out["phone"] == 1
    bring(vault, page)
    whole = b"".join(path.read_bytes() for path in vault.root.rglob("*") if path.is_file())
    assert b"Blue-Kettle" not in whole and b"13812345678" not in whole


def test_what_names_a_thing_is_looked_at_like_its_words(vault: Vault, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "wifi password Blue-Kettle-42.md").write_text("in the hall\n", encoding="utf-8")
    entry = {"uuid": "1", "creationDate": "2026-03-01T10:00:00Z", "text": "a day", "tags": ["call 13812345678"]}
    (tmp_path / "Journal.json").write_text(json.dumps({"entries": [entry]}), encoding="utf-8")
    bring(vault, notes)
    bring(vault, tmp_path / "Journal.json")
    names = " ".join(path.as_posix() for path in vault.root.rglob("*"))
    whole = b"".join(path.read_bytes() for path in vault.root.rglob("*") if path.is_file())
    assert "Blue-Kettle" not in names and b"Blue-Kettle" not in whole and b"13812345678" not in whole


@pytest.mark.parametrize("to", ["../out", "/tmp/out", ".mem/x", "a/../../out"])
def test_it_is_brought_into_the_vault_and_nowhere_else(vault: Vault, brought: Path, to: str) -> None:
    before = files_of(vault.root.parent)
    with pytest.raises(Refused):
        bring(vault, brought, to=to)
    assert files_of(vault.root.parent) == before


def test_a_picture_that_is_too_large_is_named(vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["memcli.features.move.sorter"], "LARGEST", 4)
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("tea ![](b.png)", encoding="utf-8")
    (notes / "b.png").write_bytes(b"12345")
    done = bring(vault, notes)
    assert (done.plan.pages, done.plan.attachments) == (1, 0) and done.plan.unread[0][0] == "b.png"


@pytest.fixture
def pictured(tmp_path: Path) -> Path:
    """Notes in folders that name pictures in all the ways there are."""
    notes = tmp_path / "my notes"
    (notes / "trips/files").mkdir(parents=True)
    (notes / ".obsidian").mkdir()
    (notes / ".obsidian/app.json").write_text("{}", "utf-8")
    for name in ("a b.png", "trips/files/c.pdf"):
        (notes / name).write_bytes(b"12345")
    (notes / "one.md").write_text("![x](a%20b.png) ![[c.pdf|300]] [web](https://example.org/a) ![](gone.png)", "utf-8")
    (notes / "trips/two.md").write_text('![x](<../a b.png>) [y](files/c.pdf "the plan") ![[a b.png]]', "utf-8")
    return notes


def test_attachments_are_linked_where_they_lie(vault: Vault, pictured: Path) -> None:
    done = bring(vault, pictured, attachments="link")
    assert (done.plan.pages, done.plan.attachments, done.plan.linked) == (2, 0, 2)
    png, pdf = ((pictured / name).as_uri() for name in ("a b.png", "trips/files/c.pdf"))
    one, two = ((vault.root / "imported/obsidian" / name).read_text("utf-8") for name in ("one.md", "trips/two.md"))
    assert f"![x]({png}) ![c.pdf]({pdf}) [web](https://example.org/a) ![](gone.png)" in one
    assert f'![x]({png}) [y]({pdf} "the plan") ![a b.png]({png})' in two
    assert not [path for path in vault.root.rglob("*") if path.suffix in (".png", ".pdf")]


def test_attachments_are_left_alone(vault: Vault, pictured: Path) -> None:
    done = bring(vault, pictured, attachments="leave")
    assert (done.plan.attachments, done.plan.left) == (0, 2)
    assert "![x](a%20b.png)" in (vault.root / "imported/obsidian/one.md").read_text("utf-8")
    assert not [path for path in vault.root.rglob("*") if path.suffix in (".png", ".pdf")]


def test_attachments_of_an_archive_are_copied_where_links_were_asked_for(vault: Vault, tmp_path: Path) -> None:
    place = archive(tmp_path / "x.zip", {"a.md": b"tea ![](b.png)", "b.png": b"12345"})
    done = bring(vault, place, attachments="link")
    assert (done.plan.attachments, done.plan.linked) == (1, 0)
    assert "![](b.png)" in (vault.root / "imported/markdown/a.md").read_text("utf-8")


def test_attachments_go_a_way_that_is_known(mem: Mem, pictured: Path) -> None:
    ran = mem("import", str(pictured), "--attachments", "move")
    assert ran.code == 2 and "copy, link, leave" in ran.err


def test_talks_wait_to_be_learnt_from_once(vault: Vault, tmp_path: Path) -> None:
    place = Path(__file__).parent / "samples/claude/conversations.json"
    assert bring(vault, place).waiting == 2
    again = bring(vault, place)
    assert (again.waiting, again.plan.known) == (0, 2)


def test_talks_that_were_taken_back_are_not_learnt_from(vault: Vault, tmp_path: Path) -> None:
    place = Path(__file__).parent / "samples/claude/conversations.json"
    before = len(list(vault.entries(Filter())))
    bring(vault, place)
    assert history.undo(vault)[0] == "import"
    jobs.work(vault)
    assert len(list(vault.entries(Filter()))) == before and not queue.jobs(vault)
    assert bring(vault, place).waiting == 2


@needs("learn")
def test_what_talks_say_is_learnt_by_work_and_nothing_is_left(vault: Vault, tmp_path: Path) -> None:
    talk = {"sender": "human", "text": "I live in Graz. I'm allergic to peanuts.", "created_at": "2025-03-01T10:00:00Z"}
    place = tmp_path / "conversations.json"
    place.write_text(json.dumps([{"uuid": "u1", "name": "x", "chat_messages": [talk]}]), encoding="utf-8")
    bring(vault, place)
    jobs.work(vault)
    told = [each.words for each in vault.entries(Filter())] + [str(doubt) for doubt in remember.doubts(vault)]
    assert any("peanut" in each for each in told) and not queue.jobs(vault)
    assert not list((vault.root / "journal/queue/imported").rglob("*.jsonl"))


def test_talks_of_an_import_that_was_killed_before_their_jobs_were_left_are_found(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, brought: Path
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(talks, "queue_waiting", lambda vault: None)
        bring(vault, Path(__file__).parent / "samples/claude/conversations.json")
    assert not queue.jobs(vault)
    bring(vault, brought)
    assert [job.kind for job in queue.jobs(vault)] == ["talks"]


def test_talks_can_be_kept_as_they_are(vault: Vault) -> None:
    place = Path(__file__).parent / "samples/claude/conversations.json"
    bring(vault, place, keep=True)
    kept = sorted((vault.root / "sessions/imported").glob("*/*.jsonl"))
    assert len(kept) == 2 and '"role": "user"' in kept[0].read_text(encoding="utf-8")


# -- hostile archives --------------------------------------------------------------------------------------------------


def archive(place: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            info = zipfile.ZipInfo(name.removeprefix("link:"))
            info.external_attr = (0o120777 if name.startswith("link:") else 0o100644) << 16
            made.writestr(info, data, zipfile.ZIP_DEFLATED)
    return place


def test_no_name_in_an_archive_leads_out_of_it(vault: Vault, tmp_path: Path) -> None:
    place = archive(
        tmp_path / "x.zip",
        {
            "../out.md": b"x",
            "/etc/out.md": b"x",
            "C:\\out.md": b"x",
            "a/../../out.md": b"x",
            "link:to.md": b"/etc/passwd",
            "ok.md": b"tea",
        },
    )
    done = bring(vault, place)
    assert done.plan.pages == 1 and len(done.plan.unread) == 5
    assert not list(tmp_path.rglob("out.md"))


def test_a_bomb_costs_a_message(vault: Vault, tmp_path: Path) -> None:
    place = archive(tmp_path / "x.zip", {"big.md": b"\0" * 1 + b"tea " * (8 * 2**20), "ok.md": b"tea"})
    done = bring(vault, place)
    assert done.plan.pages == 1 and "16 MB" in done.plan.unread[0][1]


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST", 2)
    place = archive(tmp_path / "x.zip", {f"{n}.md": b"tea" for n in range(3)})
    with pytest.raises(VaultError, match="more than 2 files"):
        archives.open_tree(place)


def test_archives_in_archives_are_opened_once(vault: Vault, tmp_path: Path) -> None:
    def packed(files: dict[str, bytes]) -> bytes:
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as inner:
            for name, data in files.items():
                inner.writestr(name, data)
        return made.getvalue()

    deepest = packed({"lost.md": b"x"})
    place = archive(tmp_path / "x.zip", {"part.zip": packed({"tea.md": b"tea", "deeper.zip": deepest})})
    done = bring(vault, place)
    assert done.plan.pages == 1 and (vault.root / "imported/markdown/tea.md").exists()


def test_broken_json_and_deep_nesting_are_told(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "conversations.json").write_text('[{"mapping": {}}, ' + "[" * 100_000, encoding="utf-8")
    done = bring(vault, tmp_path / "conversations.json")
    assert done.plan.fresh == 0 and "not JSON" in done.plan.unread[-1][1]


def test_a_note_does_not_choose_a_hidden_or_a_foreign_place(vault: Vault, tmp_path: Path) -> None:
    place = archive(
        tmp_path / "x.zip", {".git/config.md": b"x", ".mem/trust.md": b"x", "a/.hidden/../b.md": b"x", "CON.md": b"tea"}
    )
    bring(vault, place)
    assert not (vault.root / "imported/markdown/.git").exists()
    assert not (vault.root / ".mem/trust.md").exists()


# -- at the command line -----------------------------------------------------------------------------------------------


def test_what_another_vault_has_forgotten_is_not_brought(mem: Mem, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    mem("init", str(other), "--yes")
    id_ = mem("--vault", str(other), "add", "the spare key is with Gerrit").out.split()[0]
    mem("--vault", str(other), "add", "the boiler is serviced in May")
    mem("--vault", str(other), "forget", id_, "--yes")
    ran = mem("import", str(other), "--yes")
    assert "1 file: of the archive" in ran.err
    assert mem("recall", "who services the boiler").code == 0
    brought = "".join(path.read_text("utf-8") for path in (folder / "imported").rglob("*.md"))
    assert "boiler" in brought and "Gerrit" not in brought


def test_it_says_first_and_does_it_when_told(mem: Mem, folder: Path, brought: Path) -> None:
    told = mem("import", str(brought))
    assert "mem0's memories: 2 memories, 2025-03-01 to 2025-03-01" in told.out and "--yes imports it" in told.err
    assert not (folder / "imported").exists()
    assert mem("import", str(brought), "--yes").out.endswith("2 brought into imported/mem0\n")
    assert "nothing new to bring" in mem("import", str(brought), "--yes").err
    assert mem("show", "imported/mem0/2025.md:1").out.count("mem0:1") == 1
    assert mem("undo").code == 0 and not (folder / "imported/mem0").exists()


def test_what_is_taken_out_comes_in_elsewhere_as_it_was(mem: Mem, folder: Path, tmp_path: Path) -> None:
    mem("add", "Redis holds the routes", "-t", "cache", "--type", "decision")
    mem("add", "met Anna\nat the harbour", "--importance", "0.8")
    out = mem("export").out
    assert [json.loads(line)["text"] for line in out.splitlines()] == [
        "Redis holds the routes",
        "met Anna\nat the harbour",
    ]
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / "m.jsonl").write_text(out, encoding="utf-8")
    mem("--vault", str(other), "import", str(tmp_path / "m.jsonl"), "--yes")
    assert sorted(mem("--vault", str(other), "export").out.splitlines()) == sorted(out.splitlines())


def test_a_memory_that_comes_back_has_its_time_and_its_id(mem: Mem, tmp_path: Path) -> None:
    mem("add", "met Anna\nat the harbour")
    mem("add", "todo: buy cat litter")
    mem("add", "Redis holds the routes", "--type", "decision")
    (tmp_path / "m.jsonl").write_text(mem("export").out, encoding="utf-8")
    other = tmp_path / "other"
    other.mkdir()
    mem("--vault", str(other), "import", str(tmp_path / "m.jsonl"), "--yes")
    first, second = (
        {(one["id"], one["time"]) for one in json.loads(mem(*vault, "list", "--json").out)["memories"]}
        for vault in ((), ("--vault", str(other)))
    )
    assert first == second and {time for _, time in first} == {"14:30", None}


@pytest.mark.parametrize("to", ["mem", "markdown"])
def test_what_replaced_a_memory_is_found_again_elsewhere(mem: Mem, folder: Path, tmp_path: Path, to: str) -> None:
    mem("add", "rent is 815")
    mem("add", "rent is 845 now", "--replaces", "rent is 815")
    log = next((folder / "logs").glob("*.md"))
    log.write_text(re.sub(r"\[superseded:: \w+\]", "[superseded:: rent-now]", log.read_text("utf-8"), count=1), "utf-8")
    log.write_text(re.sub(r"\^\w+", "^rent-now", log.read_text("utf-8"), count=1), "utf-8")
    place, other = tmp_path / ("x.md" if to == "markdown" else "x.json"), str(tmp_path / "other")
    mem("export", "--to", to, "--out", str(place))
    mem("init", other, "--yes")
    mem("--vault", other, "import", str(place), "--yes")
    assert "superseded by" not in mem("--vault", other, "doctor").out
    assert re.search(r"superseded by imported/\S+:\d", mem("--vault", other, "recall", "how much is the rent").out)


def test_a_block_id_is_given_once(mem: Mem, folder: Path, tmp_path: Path) -> None:
    (folder / "MEMORY.md").write_text("- the boiler is serviced in May ^one\n", "utf-8")
    (tmp_path / "m.jsonl").write_text('{"mem": 1, "text": "the roof was mended", "block": "one"}\n', "utf-8")
    mem("import", str(tmp_path / "m.jsonl"), "--yes")
    assert "^one" not in next((folder / "imported").rglob("*.md")).read_text("utf-8")


def test_the_command_line_names_the_formats_that_can_be_written() -> None:
    assert sorted(WRITTEN) == sorted(exporting.exportable())


@pytest.mark.parametrize("to", exporting.exportable())
def test_every_format_is_written_and_read_again(mem: Mem, vault: Vault, tmp_path: Path, to: str) -> None:
    mem("add", "Redis holds the routes", "-t", "cache", "--type", "decision")
    suffix = {"csv": "csv", "mem": "jsonl", "jsonl": "jsonl", "server-memory": "jsonl", "letta": "af", "html": "html"}
    text = {"markdown": "md", "claude": "md", "chatgpt-text": "txt", "obsidian": "d", "openclaw": "d"}
    place = tmp_path / f"x.{(suffix | text).get(to, 'json')}"
    ran = mem("export", "--to", to, "--out", str(place))
    assert ran.code == 0 and place.exists()
    assert mem("export", "--to", to, "--out", str(place)).code == 4  # nothing that lies there is written over
    other = opened(tmp_path / "other") if (tmp_path / "other").mkdir() is None else vault
    assert bring(other, place).plan.fresh == 1
    assert "Redis holds the routes" in " ".join(entry.words for entry in other.entries())


def test_what_a_format_can_not_carry_is_told_in_numbers(mem: Mem) -> None:
    mem("add", "Redis holds the routes", "-t", "cache", "--type", "decision")
    mem("add", "the harbour was closed for a week")
    assert "no place for: 2 dates, 1 type, 1 tag, 2 ids, of 2 memories" in mem("export", "--to", "letta").err
    assert "no place for" not in mem("export", "--to", "mem0").err
    assert "is written as a folder" in mem("export", "--to", "obsidian").err


def test_who_the_user_is_and_what_they_like_goes_along(mem: Mem) -> None:
    mem("profile", "set", "city", "Leipzig")
    mem("prefer", "set", "drink", "tea")
    out = mem("export", "--to", "claude").out
    assert "## About me\n\n- city: Leipzig" in out and "## What I like\n\n- drink: tea" in out
    assert "Leipzig" not in mem("export", "--type", "preference").out
    assert mem("export", "--since", "2026-01-01").out == ""


def test_what_contradicts_what_is_known_waits_for_review(mem: Mem, folder: Path, tmp_path: Path) -> None:
    (folder / "MEMORY.md").write_text("- Anna lives in Leipzig. [date:: 2024-01-01]\n", encoding="utf-8")
    (tmp_path / "m.jsonl").write_text(json.dumps({"text": "Anna lives in Munich", "date": "2026-03-01"}), "utf-8")
    mem("import", str(tmp_path / "m.jsonl"), "--yes")
    asked = mem("review", "--json").out
    assert "Leipzig" in asked and "Munich" in asked


def test_a_task_keeps_its_box_on_the_way_out_and_in(mem: Mem, tmp_path: Path) -> None:
    mem("add", "buy a drill", "--type", "task")
    mem("add", "ring the vet", "--type", "task")
    mem("done", "drill")
    (tmp_path / "told.jsonl").write_text(mem("export").out, encoding="utf-8")
    assert "- [x] buy a drill" in mem("export", "--to", "markdown").out
    mem("init", str(tmp_path / "other"), "--yes")
    mem("--vault", str(tmp_path / "other"), "import", str(tmp_path / "told.jsonl"), "--from", "mem", "--yes")
    shown = mem("--vault", str(tmp_path / "other"), "list", "--type", "task").out
    assert "[x] buy a drill" in shown and "[ ] ring the vet" in shown


def test_export_names_only_formats_that_it_writes(mem: Mem) -> None:
    ran = mem("export", "--to", "nosuch")
    assert ran.code == 2 and "markdown" in ran.err and "notion" not in ran.err


def test_a_list_by_day_has_each_day_once_and_in_order(mem: Mem, folder: Path) -> None:
    days = ("11-20", "11-18", "11-20")
    lines = "".join(f"- memory {n} [date:: 2026-{day}]\n" for n, day in enumerate(days))
    (folder / "MEMORY.md").write_text(lines, encoding="utf-8")
    told = mem("export", "--to", "markdown").out.splitlines()
    assert [line[:10] for line in told if line] == [
        "## 2026-11",
        "- memory 1",
        "## 2026-11",
        "- memory 0",
        "- memory 2",
    ]


def test_export_blacks_out_what_it_is_told_to(mem: Mem) -> None:
    mem("add", "call Wang at 13812345678", "--allow-sensitive")
    assert "13812345678" in mem("export").out
    assert "13812345678" not in mem("export", "--redact").out


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """Notes with something sensitive in them, and links that only look like it."""
    folder = tmp_path / "notes"
    (folder / "scans").mkdir(parents=True)
    image = "scans/Screenshot GB29NWBK60161331926819.png"
    (folder / image).write_bytes(b"PNG")
    (folder / "Doors.md").write_text(
        f"---\npermalink: 2fa\n---\n# Doors\n\nThe wifi password is Blue-Kettle-42.\n\n![[{image}]]\n", encoding="utf-8"
    )
    (folder / "Anna.md").write_text("# Anna\n\nAnna has the card 4539 1488 0343 6467.\n", encoding="utf-8")
    (folder / "Tea.md").write_text("# Tea\n\nLongjing is picked in April.\n", encoding="utf-8")
    return folder


def test_an_import_tells_note_by_note_what_it_blacked_out(mem: Mem, repository: Path, private: Path) -> None:
    ran = mem("import", str(private), "--yes")
    assert "Doors.md: blacked out a password" in ran.err and "Anna.md: blacked out a payment card" in ran.err
    assert "Tea.md" not in ran.err and "--keep-sensitive" in ran.err
    told = (repository / "imported/markdown/Doors.md").read_text("utf-8")
    assert "Blue-Kettle-42" not in told and "permalink: 2fa" in told
    assert "![[scans/Screenshot GB29NWBK60161331926819.png]]" in told
    assert (repository / "imported/markdown/scans/Screenshot GB29NWBK60161331926819.png").exists()
    assert json.loads(mem("import", str(private), "--dry-run", "--to", "again", "--json").out)["sensitive"] == {}


def test_what_would_come_is_told_as_json(mem: Mem, repository: Path, brought: Path) -> None:
    told = json.loads(mem("import", str(brought), "--json").out)
    assert told["memories"] == sum(told["files"].values()) > 0 and told["first"] and not told["brought"]


def test_keep_sensitive_takes_the_whole_in_after_asking(mem: Mem, repository: Path, private: Path) -> None:
    told = mem("import", str(private), "--keep-sensitive")
    assert "Doors.md: kept in plain words: a password" in told.err and not (repository / "imported").exists()
    assert mem("import", str(private), "--keep-sensitive", "--yes").code == 0
    for name in ("Doors", "Anna", "Tea"):
        there = (repository / f"imported/markdown/{name}.md").read_text("utf-8")
        assert (private / f"{name}.md").read_text("utf-8").split("---\n")[-1] in there


def test_a_page_that_needs_a_missing_library_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, vault: Vault
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/tea.html").write_text("<html><body><h1>Tea</h1></body></html>", encoding="utf-8")
    (tmp_path / "in/a.md").write_text("- green tea is best\n", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "markdownify", None)
    ((name, why),) = bring(vault, tmp_path / "in").plan.unread
    assert name == "tea.html" and "install markdownify" in why


def test_a_key_in_the_name_of_a_note_or_its_folder_is_blacked_out_everywhere(tmp_path: Path, folder: Path) -> None:
    keys = [filled("ghp_{A36}", seed)[0] for seed in ("folder", "note")]
    place = tmp_path / keys[0]
    place.mkdir()
    (place / f"{keys[1]}.md").write_text("# Tea\n\nGreen tea is best.\n", encoding="utf-8")
    bring(opened(folder), place)
    assert "Green tea" in everything(folder) and not [key for key in keys if key in everything(folder)]


def test_rows_of_a_table_whose_date_is_no_day_are_told_once(tmp_path: Path, vault: Vault) -> None:
    rows = "2026-03-01,new tyres\n01/03/2026,new brakes\n2026-02-30,new lamps\n,new mirror\n25/11/2026,new horn\n"
    (tmp_path / "t.csv").write_text(f"date,text\n{rows}", encoding="utf-8")
    plan = bring(vault, tmp_path / "t.csv").plan
    assert plan.unread == [("t.csv", "the dates of 2 rows, like 01/03/2026; write them like 2026-11-28")]
    assert "new brakes; 01/03/2026" in everything(vault.root)
    assert "new horn [date:: 2026-11-25]" in everything(vault.root)
