"""The duplicate gate: the same again is found wherever it lies, and what differs in anything that matters is not the same."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta

import pytest

from memcli.remember import Memory, add, forget
from memcli.remember.gates.duplicate import find_duplicate
from memcli.vault import journal
from memcli.vault.vault import Vault
from tests.conftest import NOW, Ran, opened

LOG = "logs/2026-11-21.md"
LONG = (
    "After the review on Monday we agreed that the importer keeps its own retry queue, because the shared one loses messages "
    "whenever the broker restarts during a deployment, and nobody wants to be called at night for that again"
)
LONG_ZH = "周一评审之后大家同意导入服务保留自己的重试队列，因为共用的那个在发布期间代理重启时会丢消息，谁也不想半夜再被叫起来处理这种事情了"


def write(vault: Vault, path: str, text: str) -> None:
    place = vault.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    moment = NOW.timestamp()
    os.utime(place, (moment, moment))


def again(vault: Vault, text: str, path: str = LOG, agent: str | None = None) -> str:
    found = find_duplicate(vault.seen_by(agent), text, path, vault.today)
    return found.place if found else ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Redis replaces the local cache", "redis replaces the local cache."),
        ("Redis replaces the local cache", "**Redis** replaces the `local cache`!"),
        ("14:02 Redis replaces the cache #cache [type:: decision] ^redis", "Redis replaces the cache"),
        ("用 Redis 替换本地缓存", "用Redis替换本地缓存。"),
        ("14:02 -3 dB at 400 on the guitar bus", "-3 dB at 400 on the guitar bus"),
        ("妈妈生日１２月３日", "妈妈生日12月3日"),
        (LONG, LONG.replace("nobody", "nobody really")),
        (LONG, LONG.replace("importer", "imprter")),
        (LONG_ZH, LONG_ZH.replace("大家同意", "大家都同意")),
        ("[ ] buy milk and bread", "- [ ] buy milk and bread"),
        (LONG, LONG.replace("importer", "imoprter")),
        ("buy milk and bread #home", "buy milk and bread #errands #2026goals"),
        ("the flat has 3 rooms, 72.5 m²", "the flat has 3 rooms – 72.5 m²!"),
    ],
)
def test_the_same_in_other_dress_is_the_same(vault: Vault, old: str, new: str) -> None:
    write(vault, LOG, f"# d\n\n- something else\n- {old}\n- and more\n")
    assert again(vault, new) == f"{LOG}:4"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Redis replaces the local cache", "Redis replaces the shared cache"),
        ("Lin owes Anna ten euros", "Anna owes Lin ten euros"),
        (LONG, LONG.replace("Monday", "Tuesday")),
        (LONG, LONG.replace("nobody wants", "nobody never wants")),
        (LONG, LONG.replace("again", "twice again")[:-6] + " 2 times"),
        (LONG, LONG.replace("retry", "3 retry")),
        (LONG_ZH, LONG_ZH.replace("同意", "不同意")),
        (LONG_ZH, LONG_ZH.replace("周一", "周三")),
        (LONG + " for Anna and then Ben", LONG + " for Ben and then Anna"),
        ("9:00 dentist with Mia", "15:00 dentist with Mia"),
        ("[x] buy milk and bread", "[ ] buy milk and bread"),
        ("the port is 6379 here [superseded:: abc1234]", "the port is 6379 here"),
        ("妈妈生日12月3日", "妈妈生日12月8日"),
        ("fixed ticket #512 in billing", "fixed ticket #513 in billing"),
        ("the colour is #1a2b3c", "the colour is #4d5e6f"),
        ("talked with #anna about the rent", "talked with #bob about the rent"),
        ("the freezer is at -5 degrees", "the freezer is at 5 degrees"),
        ("冰箱-5度", "冰箱5度"),
        ("pages 1-5 are due", "pages 1.5 are due"),
        ("学 C++ 语言", "学 C# 语言"),
        ("Mia got an A+ in maths", "Mia got an A- in maths"),
        ("Nina：A型血", "Nina：A+型血"),
        ("the rent is €900", "the rent is $900"),
        ("delay stays < 50 ms", "delay stays > 50 ms"),
        ("the new office 👍", "the new office 👎"),
        ("we move to Lyon?", "we move to Lyon."),
        (LONG + " at 5 °C", LONG + " at -5 °C"),
        (LONG + " by Anna", LONG + " by Hanna"),
        (LONG + " by Martina", LONG + " by Martine"),
        (LONG + " for legal trades", LONG + " for illegal trades"),
        (LONG + " in green paint", LONG + " in greed paint"),
        (LONG + " in the shed", LONG + " in the old shed"),
        (LONG_ZH + "就在左边的墙上", LONG_ZH + "就在右边的墙上"),
    ],
)
def test_what_differs_in_anything_that_matters_is_not_the_same(vault: Vault, old: str, new: str) -> None:
    write(vault, LOG, f"- {old}\n")
    assert again(vault, new) == ""


def test_logs_count_for_seven_days(vault: Vault) -> None:
    for days in (0, 3, 7, 8, 30):
        write(vault, f"logs/{vault.today - timedelta(days=days)}.md", f"- ran the loop {days} by the lake\n")
    assert [bool(again(vault, f"ran the loop {days} by the lake")) for days in (0, 3, 7, 8, 30)] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_the_same_words_on_another_day_that_was_named_tell_of_another_event(vault: Vault) -> None:
    first = add(vault, Memory("swam 40 lengths at the pool", day=date(2026, 11, 18)))
    second = add(vault, Memory("swam 40 lengths at the pool", day=date(2026, 11, 20)))
    assert not second.again and second.entry.path == "logs/2026-11-20.md" != first.entry.path
    assert add(vault, Memory("swam 40 lengths at the pool", day=date(2026, 11, 20))).again
    assert add(vault, Memory("swam 40 lengths at the pool")).again  # no day was named


def test_lasting_facts_count_for_ever_and_are_not_replaced_by_a_line_in_a_log(vault: Vault) -> None:
    write(vault, "MEMORY.md", "- Lin was born in Qingdao [date:: 2019-01-01]\n")
    write(vault, LOG, "- Mia was born in Xiamen\n")
    assert again(vault, "Lin was born in Qingdao", "MEMORY.md") == "MEMORY.md:1"
    assert again(vault, "Lin was born in Qingdao") == "MEMORY.md:1"
    assert again(vault, "Mia was born in Xiamen", "MEMORY.md") == ""


def test_a_note_counts_by_the_days_in_it_or_by_when_it_was_changed(vault: Vault) -> None:
    write(vault, "people/lin.md", "- likes tea with milk\n- sings in a choir [date:: 2024-01-01]\n")
    assert again(vault, "likes tea with milk") == "people/lin.md:1"
    assert again(vault, "sings in a choir") == ""
    long_ago = (NOW - timedelta(days=20)).timestamp()
    os.utime(vault.root / "people/lin.md", (long_ago, long_ago))
    assert again(vault, "likes tea with milk") == ""


def test_archive_snapshots_and_other_agents_do_not_count(vault: Vault) -> None:
    for path in (
        "archive/logs/2026-11-21.md",
        "snapshots/2026-11-21-1400-ab12.md",
        "agents/other/logs/2026-11-21.md",
        "sessions/2026-11-21.md",
    ):
        write(vault, path, "- the walls are painted green\n")
    assert again(vault, "the walls are painted green") == ""
    assert again(vault, "the walls are painted green", "agents/other/logs/2026-11-21.md", "other").startswith(
        "agents/other/"
    )


def test_a_broken_file_is_passed_over(vault: Vault) -> None:
    (vault.root / "logs").mkdir()
    (vault.root / "logs/2026-11-20.md").write_bytes(b"- caf\xe9 au lait in bed\n")
    assert again(vault, "caf au lait in bed") == ""


# -- what becomes of it ----------------------------------------------------------------------------------------------


def test_said_again_is_seen_again_and_weighs_more_and_nothing_is_added(vault: Vault) -> None:
    first = add(vault, Memory("Redis replaces the local cache", ("cache",))).entry
    second = add(vault, Memory("redis replaces the local cache!"))
    assert second.again and second.entry.hash == first.hash
    assert second.entry.raw == "- 14:30 Redis replaces the local cache #cache [seen:: 2026-11-21] [importance:: 0.6]"
    assert len(list(vault.entries())) == 1
    assert [record["action"] for record in journal.read_journal(vault.root, journal.AUDIT)] == ["add", "seen"]


def test_importance_rises_once_a_day_and_not_above_one(vault: Vault) -> None:
    add(vault, Memory("Redis replaces the local cache", importance=0.85))
    for days, importance in ((0, 0.95), (0, 0.95), (1, 1.0), (2, 1.0)):
        later = opened(vault.root, NOW + timedelta(days=days))
        assert add(later, Memory("Redis replaces the local cache")).entry.importance == importance


def test_a_tag_that_is_not_there_is_said_and_the_old_one_stays_as_it_is(vault: Vault) -> None:
    add(vault, Memory("Redis replaces the local cache", ("cache",)))
    entry = add(vault, Memory("Redis replaces the local cache", ("cache", "redis"))).entry
    assert entry.tags == ("cache",)
    assert any("without #redis" in notice for notice in vault.notices)


def test_forgotten_is_not_a_reason_to_leave_it_out(vault: Vault) -> None:
    forget(vault, add(vault, Memory("Redis replaces the local cache")).entry)
    assert not add(vault, Memory("Redis replaces the local cache")).again


def test_a_conversation_of_long_ago_is_compared_with_its_own_days(vault: Vault) -> None:
    said = datetime(2025, 5, 5, 9)
    first = add(vault, Memory("Mia moved to Xiamen", at=said)).entry
    assert first.day == date(2025, 5, 5)
    assert add(vault, Memory("Mia moved to Xiamen", at=said)).again
    assert not add(vault, Memory("Mia moved to Xiamen")).again


def test_a_trial_changes_nothing(vault: Vault) -> None:
    add(vault, Memory("Redis replaces the local cache"))
    before = (vault.root / LOG).read_bytes()
    trial = add(vault, Memory("Redis replaces the local cache"), dry_run=True)
    assert trial.again and trial.entry.importance == 0.6
    assert (vault.root / LOG).read_bytes() == before


def test_hooks_that_fire_at_the_same_moment_write_one_memory(mem: Callable[..., Ran], vault: Vault) -> None:
    with ThreadPoolExecutor(6) as hooks:
        ran = list(hooks.map(lambda _: mem("add", "Redis replaces the local cache"), range(6)))
    assert [each.code for each in ran] == [0] * 6, ran
    assert [entry.words for entry in vault.entries()] == ["14:30 Redis replaces the local cache"]
    assert sum("remembered" in each.out for each in ran) == 1


def test_what_can_not_be_marked_is_no_duplicate(vault: Vault) -> None:
    write(vault, "notes/2026-11-20.md", "| port | 6379 |\n| --- | --- |\n")
    assert again(vault, "port 6379") == ""
