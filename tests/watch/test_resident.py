"""A vault known by heart answers what the files would answer, byte for byte."""

from __future__ import annotations

import os
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event, Thread, current_thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.index import download
from memcli.recall import Request, query, recall
from memcli.recall.paths import PATHS, text
from memcli.remember.gates import duplicate
from memcli.vault import files, layout, yaml_read
from memcli.vault.search import matches
from memcli.vault.vault import Vault
from memcli.watch.resident import Resident
from tests.conftest import NOW, opened
from tests.index import tiny
from tests.recall.vaults import SAMPLE, SAMPLE_NOW, lay
from tests.watch.conftest import start, until

QUESTIONS = [
    "what did we decide about the cache", "上周和老王聊了什么", "open tasks #work", "缓存方案", "哈哈哈", "max_pool_size in C++",
    '"two words"', "café in 2026-11", "книга", "don't stop", "last week", "on 3 December", "what is left to do", "K2", "",
]  # fmt: skip


def answering(resident: Resident, now: datetime = NOW) -> Vault:
    return resident.vault(lambda: now, dict(os.environ), {}, "me")


def same(
    folder: Path, resident: Resident, question: str, now: datetime = NOW, agent: str = "", **request: object
) -> None:
    asked = Request(question, **request)  # type: ignore[arg-type]
    by_heart, from_disk = answering(resident, now).seen_by(agent), opened(folder, now).seen_by(agent)
    assert recall(by_heart, asked).as_json() == recall(from_disk, asked).as_json()
    assert sorted(by_heart.notices) == sorted(from_disk.notices)


words = st.sampled_from(
    "cache caches Caching redis max_pool_size pool K2 \u212a2 C++ two words café CAFÉS книга книги don't 缓存 方案 缓存方案 哈哈哈 老王： "
    "Anna: - * # [ ] [x] #work #工作 2026-11-03 2026年11月3日 Nov 2026 Thursday 27th node.js a/b foo_cache_x \u0130 ß \r \t …".split(
        " "
    )
)
lines = st.lists(words, max_size=6).map(" ".join)
texts = st.lists(lines.map(lambda line: f"- {line}"), max_size=12).map("\n".join)
names = st.sampled_from(
    [
        "logs/2026-11-20.md",
        "logs/2026-11-03.md",
        "notes/a.md",
        "MEMORY.md",
        "agents/ada/n.md",
        "archive/old.md",
        "b c.md",
    ]
)
vaults = st.dictionaries(names, texts, min_size=1, max_size=5)


@settings(max_examples=150)
@given(vaults, st.one_of(st.sampled_from(QUESTIONS), st.lists(words, min_size=1, max_size=4).map(" ".join)))
def test_lines_by_heart_are_found_as_ripgrep_finds_them(folder: Path, files: dict[str, str], question: str) -> None:
    lay(folder, files)
    vault = opened(folder)
    asked = query.parse(question, vault.today, {"work": ["cache"]})
    looks = [look for path in PATHS for look in path.looks(asked)]
    paths = vault.files()
    on_disk = vault.search(paths, asked.terms, looks)
    by_heart = answering(Resident(folder)).search(paths, asked.terms, looks)
    assert by_heart.touched() == on_disk.touched()
    one, other = by_heart.tally(asked.terms), on_disk.tally(asked.terms)
    assert one.entries == other.entries
    for path in paths:
        assert list(one.lines(path)) == list(other.lines(path))
    rarity = [text.idf(len(paths) * 10, count) for count in one.entries]
    assert one.best(rarity, [0, 1, 2, -1, -2], 0.3, 32) == other.best(rarity, [0, 1, 2, -1, -2], 0.3, 32)
    tests = [matches(look) for look in looks]
    for shows in tests:
        assert set(by_heart.files_with(shows)) == set(on_disk.files_with(shows))


@settings(max_examples=60)
@given(vaults, vaults, st.sampled_from(QUESTIONS))
def test_after_any_change_the_answer_is_the_one_of_the_files(
    folder: Path, before: dict[str, str], after: dict[str, str], question: str
) -> None:
    lay(folder, before)
    resident = Resident(folder)
    recall(answering(resident), Request(question))
    lay(folder, after)
    resident.reread({*before, *after})
    same(folder, resident, question)


@pytest.mark.parametrize("case", yaml_read.load((SAMPLE / "eval.yaml").read_text(encoding="utf-8"), "eval.yaml")[::4])
def test_every_question_of_the_sample_gets_the_same_answer(case: dict[str, str], sample: Resident) -> None:
    same(SAMPLE, sample, case["ask"], SAMPLE_NOW)


@pytest.fixture(scope="module")
def sample() -> Resident:
    resident = Resident(SAMPLE)
    resident.warm_up(lambda: False)
    return resident


@pytest.mark.parametrize(
    "request_",
    [
        {"since": NOW.date().replace(day=10)}, {"tags": ("work",)}, {"path": "logs"}, {"path": "archive"}, {"agent": "coder"},
        {"format": "json"}, {"format": "xml", "budget": 200}, {"most": 3}, {"until": NOW.date().replace(day=1)},
    ],
)  # fmt: skip
def test_filters_mean_the_same(request_: dict[str, object], sample: Resident) -> None:
    same(SAMPLE, sample, "the cache", SAMPLE_NOW, **request_)


def test_a_file_that_changed_unseen_is_read_again_before_it_is_quoted(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- the zebra sleeps\n", "notes/b.md": "- a horse\n"})
    resident = Resident(folder)
    (folder / "notes/a.md").write_text("- nothing of the kind\n", encoding="utf-8")
    same(folder, resident, "zebra")


def test_a_file_that_vanished_unseen_is_not_quoted(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- the zebra sleeps\n"})
    resident = Resident(folder)
    (folder / "notes/a.md").unlink()
    same(folder, resident, "zebra")
    assert resident.paths == []


@pytest.mark.parametrize(
    "odd", [b"- caf\xe9 cache\n- cache\n", "- 缓存 cache\n".encode("gbk"), b"\xff\xfe-\0 \0c\0", b"cache \0\0"]
)
def test_a_file_that_is_no_text_is_judged_as_without_a_watcher(folder: Path, odd: bytes) -> None:
    lay(folder, {"notes/a.md": odd, "notes/b.md": "- a cache\n", "logs/2026-11-20.md": "- cache again\n"})
    same(folder, Resident(folder), "cache")


def test_links_and_hidden_folders_are_judged_alike(folder: Path, tmp_path: Path) -> None:
    lay(folder, {"notes/a.md": "- a cache\n", ".hidden/b.md": "- cache b\n", "node_modules/c.md": "- cache c\n"})
    (tmp_path / "secret.md").write_text("- cache of somebody\n", encoding="utf-8")
    resident = Resident(folder)
    (folder / "notes/out.md").symlink_to(tmp_path / "secret.md")
    (folder / "notes/in.md").symlink_to(folder / "notes/a.md")
    (folder / "linked").symlink_to(folder / "notes")
    resident.reread({"notes/out.md", "notes/in.md", "linked/a.md", ".hidden/b.md", "node_modules/c.md"})
    assert resident.paths == opened(folder).files()
    same(folder, resident, "cache")


def test_many_changes_leave_no_waste(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- a cache\n" * 50})
    resident = Resident(folder)
    for number in range(60):
        (folder / "notes/a.md").write_text(f"- a cache {number}\n" * 50, encoding="utf-8")
        resident.reread({"notes/a.md"})
    assert resident.postings._next < 1000
    same(folder, resident, "cache 59")


def test_what_is_said_again_in_other_words_is_found_by_a_watcher_with_a_model(folder: Path, tmp_path: Path) -> None:
    download.register(tiny.build(tmp_path / "tiny"), dict(os.environ))
    lay(folder, {
        "mem.yaml": "index: {model: tiny}\n",
        "logs/2026-11-20.md": "- 09:15 The sabbatical is booked\n- no budget this year\n",
        "logs/2026-10-20.md": "- tea is bought\n- the puppy sleeps [seen:: 2026-11-19]\n",
    })  # fmt: skip
    (folder / "logs/2026-11-19.md").write_bytes("- café at four\n".encode("latin-1"))  # one that can't be read
    with start(folder) as watched:
        vault = opened(folder)
        until(lambda: watched.status()["meaning"])
        asked = partial(duplicate.find_by_meaning, vault, day=NOW.date())
        found = until(lambda: asked("holiday the is booked"))
        assert found.place == "logs/2026-11-20.md:1", "the time before it makes no name of its first word"
        assert asked("The holiday is booked").place == "logs/2026-11-20.md:1"
        assert asked("the dog sleeps").place == "logs/2026-10-20.md:2", "it was said again two days ago"
        assert asked("holiday on the 3rd") is None
        assert asked("a budget") is None, "no budget is another thing"
        assert asked("drink is bought") is None, "that was a month ago"
        assert asked("holiday the is booked by Anna") is None, "a name is news"
        assert asked("假期") is None, "the model reads no Chinese"
        assert asked("holiday the is booked " * 40) is None, "a model reads no long text to its end"
    assert duplicate.find_by_meaning(vault, "holiday the is booked", NOW.date()) is None


def test_the_slower_of_two_who_read_a_file_leaves_no_old_text(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(folder, {"a.md": "- first"})
    resident = Resident(folder)
    has_read, go_on = Event(), Event()
    read = files.read_file

    def slowly(file: Path, name: str) -> files.FileContent:
        found = read(file, name)
        if current_thread() is slow:
            has_read.set()
            go_on.wait(5)
        return found

    monkeypatch.setattr(files, "read_file", slowly)
    slow, quick = Thread(target=resident.reread, args=({"a.md"},)), Thread(target=resident.reread, args=({"a.md"},))
    lay(folder, {"a.md": "- second"})
    slow.start()
    assert has_read.wait(5)
    lay(folder, {"a.md": "- third"})
    quick.start()
    quick.join(0.2)
    go_on.set()
    slow.join()
    quick.join()
    assert resident.postings.text("a.md") == "- third"


def test_a_file_that_comes_while_everything_is_looked_at_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(folder, {"a.md": "- first"})
    resident = Resident(folder)
    (folder / "b.md").write_text("- second", encoding="utf-8")
    resident.reread({"b.md"})
    monkeypatch.setattr(layout, "walk", lambda root, tell: iter(["a.md", "gone.md"]))
    resident.reread(None)
    assert resident.paths == ["a.md", "b.md"]


def test_of_a_large_file_the_same_is_weighed_by_heart(folder: Path) -> None:
    lines = [f"- the bread of day {n} needs flour and water\n" for n in range(4000)]
    lines[1234] = "- the bread needs malt from Lindau #baking\n"
    lay(folder, {"big.md": "# Bread\n\n" + "".join(lines), "2026-11-20.md": "- bread for Marta\n"})
    resident = Resident(folder)
    for question in ("malt bread", "bread for Marta", "#baking", "flour and water on day 17"):
        same(folder, resident, question)


def test_files_are_told_apart_by_their_whole_name(folder: Path) -> None:
    lay(folder, dict.fromkeys(("a: one.md", "a: two.md"), "- tea\n" * (layout.LARGEST_NOTE // 6 + 1)))
    vault = answering(Resident(folder))
    assert not vault.files()
    assert sorted(notice.split(".md")[0] for notice in vault.notices) == ["a: one", "a: two"]
