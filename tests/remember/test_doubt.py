"""`review`: what is asked, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.remember import Doubt, doubts, review, settle
from memcli.vault import history, journal
from memcli.vault.vault import Filter, Vault
from tests.conftest import git, opened


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def text(vault: Vault, path: str) -> str:
    return (vault.root / path).read_text(encoding="utf-8")


def kinds(vault: Vault) -> list[str]:
    return [doubt.kind for doubt in doubts(vault)]


def one(vault: Vault) -> Doubt:
    (found,) = doubts(vault)
    return found


DISAGREE = [
    ("房租从9月起2600", "房租从11月起2800"),
    ("体检约在9月", "体检约在10月"),
    ("The gateway timeout is 30 seconds", "The gateway timeout is 60 seconds now"),
    ("The standup begins at 10:00 every day", "The standup begins at 9:30 every day"),
    ("Su Qing's birthday is 3 May", "Su Qing's birthday is 5 May"),
    ("Anna eats meat on weekdays", "Anna never eats meat on weekdays"),
    ("We ship the images by rail freight", "We don't ship the images by rail freight"),
    ("My manager is Wei Chen", "My manager is Tom Baker"),
    ("The capital of the project: Lisbon", "the capital of the project: Porto"),
    ("Office: Berlin", "Office: Hamburg"),
    ("Wifi password hint: 1987", "wifi password hint: 1990"),
    ("办公室的楼层是3层", "办公室的楼层是5层"),
    ("我老婆的生日是5月3日", "我老婆的生日是5月8日"),
    ("组长：王伟", "组长：李娜"),
    ("苏晴吃香菜，常去川菜馆", "苏晴不吃香菜，常去川菜馆"),
    ("服务器的内存是16G，放在二号机柜", "服务器的内存是32G，放在二号机柜"),
    ("我的英文名叫汤姆", "我的英文名叫杰克"),
    ("站会改到每天10点开", "站会改到每天9点开"),
    ("以后开车走延安高架上班", "以后开车别走延安高架上班"),
    ("Dentist appointment is on Monday at 9:00", "Dentist appointment is on Monday at 14:00"),
    ("Anna's phone number is 555-1234", "Anna's phone number is 555-9876"),
    ("Prod database runs PostgreSQL 14", "Prod database runs PostgreSQL 16"),
    ("Mum lives in Ningbo", "Mum lives in Hangzhou"),
    ("My favourite editor is Vim", "My favourite editor is Helix"),
    ("The release train leaves every 2 weeks", "The release train leaves every 3 weeks"),
    ("I do not eat gluten", "I eat gluten"),
    ("Rent: 6500", "Rent: 7200"),
    ("The API key rotates every 30 days", "The API key rotates every 90 days"),
    ("Team lead of payments is Olga", "Team lead of payments is Marek"),
    ("爸爸的手机号是13800000001", "爸爸的手机号是13900000002"),
    ("房租每月6500元", "房租每月7200元"),
    ("我的工位在三楼", "我的工位在五楼"),
    ("公司的行政是小高", "公司的行政是小李"),
    ("缓存过期时间：30秒", "缓存过期时间：60秒"),
    ("我不喝咖啡", "我喝咖啡"),
    ("女儿上三年级", "女儿上四年级"),
    ("车牌：沪A12345", "车牌：沪B54321"),
    ("苏晴喜欢吃辣", "苏晴不喜欢吃辣"),
    ("The office is in Berlin", "The office is now in Hamburg"),
    ("办公室在柏林", "办公室现在在汉堡"),
    ("The office is on the 2nd floor", "The office is on the 3rd floor"),
    ("The office is on the second floor", "The office is on the third floor"),
    ("The office is on the 2nd floor", "Our office is on the third floor now"),
    ("Ana has two cats at home", "Ana has three cats at home"),
    ("工位在3楼东边的窗户旁", "工位在五楼东边的窗户旁"),
    ("例会改到周三", "例会改到周四"),
    ("例会在周三", "例会改到周四了"),
    ("体检约在周五", "体检改约到周六"),
    ("画展挪到北馆", "画展挪到南馆"),
    ("The standup moved to Wednesday", "The standup moved to Thursday"),
    ("The standup is on Wednesday", "Our standup has been moved to Thursday"),
    ("Band practice is every Tuesday", "Band practice is every Thursday"),
    ("The book club meets in Porto", "The book club meets in Lisbon"),
    ("The offsite was postponed to June", "The offsite was postponed to July"),
]

AGREE = [
    ("电费：9 月 214 块", "电费：10 月 187 块"),
    ("Electricity bill: September 214 euros", "Electricity bill: October 187 euros"),
    ("Pay day is the 2nd Friday", "Pay day is the second Friday of the month, by transfer to the new account"),
    ("Ana called on the 3rd about the lease", "Ben wrote on the 4th about the boiler"),
    ("The second call was about the budget", "The third call was about the plan"),
    ("The gateway timeout is 30 seconds", "The cache timeout is 60 seconds"),
    ("Su Qing is a designer", "Su Qing is from Ningbo"),
    ("My wife is a designer", "My wife is Su Qing"),
    ("Bought two tickets to Shaoxing", "Bought a book on Lisbon"),
    ("Redis: eviction policy is allkeys-lru", "Redis: port 6379"),
    ("The office is closed on Fridays", "The office is near the river"),
    ("Anna likes tea", "Anna likes tea with milk at breakfast and plain hot water later"),
    ("Deploys run from CI", "Deploys run from CI since release 41"),
    ("Her name: Anna", "her name: Anna Schmidt"),
    ("喜欢喝龙井茶", "喜欢喝普洱茶"),
    ("老婆是设计师", "老婆是宁波人"),
    ("非常喜欢凤凰单丛，下午喝", "喜欢凤凰单丛，下午喝"),
    ("缓存用了Redis，三个副本", "数据库用了PostgreSQL，两个副本"),
    ("12月去绍兴看岳母", "11月去杭州看爸妈"),
    ("Read 'Dune' in May", "Read 'Emma' in June"),
    ("Use tabs in Go", "Use spaces in Python"),
    ("Call Anna about the flat", "Call Ben about the flat"),
    ("Book list: Dune", "Film list: Alien"),
    ("Likes jasmine tea", "Likes oolong tea"),
    ("The cat is called Miso", "The dog is called Bean"),
    ("Postgres is slow on cold start", "Postgres is the main store"),
    ("Lisbon trip was great", "Porto trip was great"),
    ("周一去健身房", "周三去健身房"),
    ("老王喜欢钓鱼", "老李喜欢爬山"),
    ("年糕是橘猫", "豆包是黑猫"),
    ("项目的目标是稳定", "项目的风险是人手不够"),
    ("我妈住宁波", "我姐住杭州"),
    ("用Redis做缓存", "用Redis做队列"),
    ("The tea is in the cupboard", "The tea is in the kitchen"),
    ("The office is in Berlin", "The office is noisy"),
    ("第一次会议讨论了预算", "第二次会议讨论了排期"),
    ("We moved to Leeds", "We moved to York"),
    ("The standup moved to Wednesday", "The retro moved to Thursday"),
    ("例会改到周三", "评审改到周四"),
    ("例会改到周三", "例会改到周三下午"),
]


@pytest.mark.parametrize(("older", "newer"), DISAGREE)
def test_facts_that_disagree_are_asked_about(vault: Vault, older: str, newer: str) -> None:
    put(vault.root, "MEMORY.md", f"- {older} [date:: 2026-10-01]\n- something else\n- {newer} [date:: 2026-11-01]\n")
    doubt = one(vault)
    assert doubt.kind == "conflict"
    assert [entry.line for entry in doubt.entries] == [1, 3]


@pytest.mark.parametrize(("older", "newer"), AGREE)
def test_facts_that_go_together_are_left_in_peace(vault: Vault, older: str, newer: str) -> None:
    put(vault.root, "MEMORY.md", f"- {older} [date:: 2026-10-01]\n- {newer} [date:: 2026-11-01]\n")
    assert "conflict" not in kinds(vault)


def test_the_older_comes_first_wherever_it_stands(vault: Vault) -> None:
    put(vault.root, "MEMORY.md", "- Office: Berlin [date:: 2026-11-01]\n- Office: Hamburg [date:: 2026-10-01]\n")
    assert [entry.line for entry in one(vault).entries] == [2, 1]


def test_what_happened_on_two_days_is_no_conflict_in_a_log(vault: Vault) -> None:
    put(vault.root, "logs/2026-11-20.md", "- 07:00 ran 5 km along the river\n")
    put(vault.root, "logs/2026-11-21.md", "- 07:30 ran 7 km along the river\n")
    assert kinds(vault) == []
    put(vault.root, "logs/2026-11-20.md", "- 07:00 the run is 5 km along the river [type:: fact]\n")
    put(vault.root, "logs/2026-11-21.md", "- 07:30 the run is 7 km along the river [type:: fact]\n")
    assert kinds(vault) == ["conflict"]


def test_the_same_within_a_week_is_a_duplicate_and_later_it_happened_again(vault: Vault) -> None:
    put(vault.root, "logs/2026-11-01.md", "- watered the plants on the balcony\n")
    put(vault.root, "logs/2026-11-21.md", "- 9:00 watered the plants on the balcony\n")
    assert kinds(vault) == []
    put(vault.root, "logs/2026-11-20.md", "- 18:00 Watered the plants on the balcony!\n")
    assert kinds(vault) == ["duplicate"]
    put(
        vault.root, "notes.md", "- 每周三下午不开会，专心写代码 [date:: 2026-01-01]\n- 每周三下午不开会，专心写代码。\n"
    )
    assert kinds(vault) == ["duplicate"] * 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana is allergic to peanuts", "Peanuts: Ana is allergic"),
        ("The movers come to the flat by noon", "movers coming to the flat by noon"),
        ("My mum collects old maps", "My mother collects old maps"),
        ("这个账号的备份放在书柜", "這個賬號的備份放在書櫃"),
    ],
)
def test_the_same_in_other_words_is_a_duplicate_too(vault: Vault, one: str, other: str) -> None:
    put(vault.root, "MEMORY.md", f"- {one} [date:: 2026-01-01]\n- {other} [date:: 2026-03-01]\n")
    assert kinds(vault) == ["duplicate"]


def test_what_means_the_same_is_asked_about_where_a_model_says_so(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    np = pytest.importorskip("numpy")
    from memcli.index import models, texts, vector_index

    said = ("The doctor wants me to run less", "Jogging: cut down, on medical advice", "We painted the shed")
    floors = ("The desk stands on floor 2 of the house", "Where I sit in the building: level 5", "Ana sings")
    lines = [*said, *floors]
    put(vault.root, "MEMORY.md", "".join(f"- {line} [date:: 2026-01-0{n}]\n" for n, line in enumerate(lines, 1)))
    points = [(1, 0, 0, 0), (0.99, 0.1, 0, 0), (0, 0, 1, 0), (0, 1, 0, 0), (0, 0.99, 0.1, 0), (0, 0, 0, 1)]
    known = {texts.hash_of(entry): np.array(at, np.float32) for entry, at in zip(vault.entries(), points, strict=True)}
    assert kinds(vault) == []
    monkeypatch.setattr(models, "usable_model", lambda vault: object())
    monkeypatch.setattr(vector_index, "own_vectors", lambda cache, model, hashes: known)
    asked = doubts(opened(vault.root, index__model="any"))
    assert [(doubt.kind, *(entry.words for entry in doubt.entries)) for doubt in asked] == [
        ("conflict", *floors[:2]),
        ("duplicate", *said[:2]),
    ]


@pytest.mark.slow
def test_a_memory_that_many_repeat_does_not_take_for_ever(vault: Vault) -> None:
    put(vault.root, "notes.md", "".join(f"- the very same words each time {'!' * (n % 5)}\n" for n in range(1500)))
    assert len(kinds(vault)) < 1500 * 21


def test_tasks_are_asked_after_when_open_for_a_month_and_again_a_month_later(vault: Vault) -> None:
    put(vault.root, "logs/2026-10-22.md", "- [ ] call the landlord\n- [x] done\n- no task\n")
    put(vault.root, "logs/2026-10-23.md", "- [ ] too young\n")
    assert one(vault).kind == "task"
    settle(vault, one(vault), "keep")
    soon = opened(vault.root, vault.now.replace(month=12, day=20))
    assert [doubt.entries[0].words for doubt in doubts(soon)] == ["too young"]
    later = opened(vault.root, vault.now.replace(month=12, day=22))
    assert [doubt.entries[0].words for doubt in doubts(later)] == ["call the landlord", "too young"]


def test_snapshots_are_asked_about_before_they_end(vault: Vault) -> None:
    for name, ends in (("soon", "2026-11-22"), ("later", "2026-11-26"), ("over", "2026-11-20")):
        put(vault.root, f"snapshots/{name}.md", f"---\nsession: s\nexpires: {ends}\n---\nwanted tea\n")
    assert one(vault).entries[0].path == "snapshots/soon.md"
    settle(vault, one(vault), "keep")
    assert text(vault, "snapshots/soon.md") == "---\nsession: s\nexpires: 2026-11-28\n---\nwanted tea\n"
    assert doubts(vault) == []


PREFERENCES = """\
# mine
- {key: drink, value: tea, source: explicit}
- {key: drink, value: coffee, source: inferred, confidence: 0.8, updated: 2026-11-01}
- {key: seat, value: window, source: inferred, confidence: 0.6}   # maybe
- {key: road, value: tunnel, source: confirmed, confidence: 0.9}
"""
BLOCK = """\
- key: drink
  value: tea
  source: explicit
- key: drink
  value: coffee
  source: inferred
  confidence: 0.8
- key: seat
  value: window
  source: inferred
  confidence: 0.6
"""


def test_preferences_that_disagree_or_are_not_sure_enough(vault: Vault) -> None:
    put(vault.root, "preferences.yaml", PREFERENCES)
    first, second = doubts(vault)
    assert (first.kind, [each.value for each in first.preferences]) == ("preference", ["tea", "coffee"])
    assert (second.kind, second.preferences[0].key) == ("unsure", "seat")


@pytest.mark.parametrize(
    ("answer", "left", "archived"),
    [("1", ["tea"], "coffee"), ("archive", ["tea"], "coffee"), ("keep", ["tea", "coffee"], "")],
)
def test_settling_preferences(vault: Vault, answer: str, left: list[str], archived: str) -> None:
    put(vault.root, "preferences.yaml", BLOCK)
    settle(vault, doubts(vault)[0], answer)
    assert kinds(vault) == ["unsure"]
    assert [v for v in ("tea", "coffee") if f"value: {v}\n" in text(vault, "preferences.yaml")] == left
    assert not archived or f"value: {archived}\n" in text(vault, "archive/preferences.yaml")
    settle(vault, one(vault), "confirm")
    assert doubts(vault) == []
    assert "source: confirmed\n" in text(vault, "preferences.yaml")


def test_the_gathered_preference_may_be_the_right_one(vault: Vault) -> None:
    put(vault.root, "preferences.yaml", BLOCK)
    settle(vault, doubts(vault)[0], "2")
    assert kinds(vault) == ["unsure"]
    assert "value: tea" not in text(vault, "preferences.yaml")


OFFICE = "- Office: Berlin [date:: 2026-10-01] ^berlin\n- else\n- Office: Hamburg [date:: 2026-11-01]\n"


def test_the_loser_of_a_conflict_is_marked_and_asked_about_no_more(repository: Path) -> None:
    put(repository, "MEMORY.md", OFFICE)
    vault = opened(repository)
    winner = vault.find_entry("MEMORY.md:3")
    done = settle(vault, one(vault), "2")
    assert done.commit
    assert (
        text(vault, "MEMORY.md").splitlines()[0]
        == f"- Office: Berlin [date:: 2026-10-01] [superseded:: {winner.hash[:7]}] ^berlin"
    )
    assert doubts(vault) == []
    assert vault.find_entry(vault.find_entry("^berlin").superseded or "").hash == winner.hash
    history.undo(vault)
    assert text(vault, "MEMORY.md") == OFFICE
    settle(vault, one(vault), "1")
    assert text(vault, "MEMORY.md").splitlines()[2].endswith("[superseded:: berlin]")


def test_what_is_kept_is_not_asked_again_until_it_changes_and_undo_asks_again(repository: Path) -> None:
    put(repository, "MEMORY.md", OFFICE)
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "-m", "x")
    vault = opened(repository)
    settle(vault, one(vault), "keep")
    assert git(repository, "status", "--porcelain") == ""
    assert doubts(vault) == []
    put(repository, "MEMORY.md", "# moved\n\n" + OFFICE)
    assert doubts(vault) == []
    put(repository, "MEMORY.md", OFFICE.replace("Hamburg", "Munich"))
    assert kinds(vault) == ["conflict"]
    put(repository, "MEMORY.md", OFFICE)
    history.undo(vault)
    assert kinds(vault) == ["conflict"]


def test_skipping_changes_nothing(vault: Vault) -> None:
    put(vault.root, "MEMORY.md", OFFICE)
    settle(vault, one(vault), "skip")
    assert kinds(vault) == ["conflict"]
    assert list(journal.read_journal(vault.root, journal.AUDIT)) == []


def test_merging_keeps_the_newer_with_what_the_older_knew(vault: Vault) -> None:
    put(
        vault.root,
        "MEMORY.md",
        "- Redis replaces the local cache #cache [importance:: 0.8] [type:: decision] [date:: 2026-10-01]\n"
        "- Redis replaces the local cache. #redis [importance:: 0.3] [date:: 2026-11-01] ^r\n",
    )
    settle(vault, one(vault), "merge")
    assert text(vault, "MEMORY.md") == (
        "- Redis replaces the local cache. #redis [importance:: 0.8] [date:: 2026-11-01] [type:: decision] #cache ^r\n"
    )
    (archived,) = vault.entries(Filter(kinds=frozenset({"archive"})))
    assert str(archived.day) == "2026-10-01"
    history.undo(vault)
    assert kinds(vault) == ["duplicate"]


@pytest.mark.parametrize(("answer", "left"), [("1", 1), ("2", 2), ("archive", 2)])
def test_of_duplicates_one_is_archived(vault: Vault, answer: str, left: int) -> None:
    put(vault.root, "MEMORY.md", "- watered the green plants [n:: 1]\n- watered the green plants [n:: 2]\n")
    settle(vault, one(vault), answer)
    assert [entry.fields["n"] for entry in vault.entries()] == [str(left)]


def test_a_task_is_done_or_archived_or_edited(vault: Vault) -> None:
    put(vault.root, "logs/2026-10-01.md", "- [ ] call [the] landlord [ ]\n")
    settle(vault, one(vault), "done")
    assert text(vault, "logs/2026-10-01.md") == "- [x] call [the] landlord [ ] [done:: 2026-11-21]\n"
    history.undo(vault)
    settle(vault, one(vault), "edit", "- [x] called")
    assert text(vault, "logs/2026-10-01.md") == "- [x] called\n"
    history.undo(vault)
    settle(vault, one(vault), "archive")
    assert list(vault.entries()) == []


def test_every_kind_can_be_skipped_and_kept_and_its_keys_are_distinct() -> None:
    for choices, why in review.kinds().values():
        names = [*choices.split(), "quit"]
        assert {"keep", "skip"} <= set(names) or {"drop", "skip"} <= set(names)  # what is not kept yet is dropped
        assert len({name[0] for name in names}) == len(names)
        assert why


def test_the_sample_vault_is_not_full_of_false_alarms() -> None:
    sample = opened(Path(__file__).parents[2] / "sample_vault")
    assert not {"conflict", "duplicate"} & set(kinds(sample))


SAME_OR_NOT = Path(__file__).with_name("same_or_not.txt").read_text(encoding="utf-8").splitlines()
PAIRS = [line.split(" ", 1) for line in SAME_OR_NOT if line[:1] in "=!"]


@pytest.mark.parametrize(("sign", "pair"), PAIRS)
def test_what_is_said_again_in_other_words_is_told_from_what_only_looks_like_it(
    vault: Vault, sign: str, pair: str
) -> None:
    put(vault.root, "MEMORY.md", "".join(f"- {text}\n" for text in pair.split(" | ")))
    assert ("duplicate" in kinds(vault)) is (sign == "=")
