"""`mem add --replaces`, `mem supersede`, and what becomes of a preference at the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta

import pytest

from memcli import session
from memcli.vault import preferences
from memcli.vault.vault import Vault
from tests.conftest import NOW, Ran

Mem = Callable[..., Ran]


def test_add_replaces_says_what_it_took_the_place_of(vault: Vault, mem: Mem) -> None:
    old = json.loads(mem("add", "The office is on the 2nd floor", "--type", "fact", "--json").out)["id"]
    ran = mem("add", "The office is on the 3rd floor", "--type", "fact", "--replaces", old)
    assert ran.out.endswith(f"remembered in MEMORY.md:2, in place of {old}\n")
    assert "superseded by" in mem("show", old).out
    assert mem("review", "--json").out.count('"kind"') == 0


def test_add_says_what_it_contradicts(vault: Vault, mem: Mem) -> None:
    assert "against" not in mem("add", "The office is on the 2nd floor", "--type", "fact").err
    told = mem("add", "The office is on the 3rd floor", "--type", "fact").err
    assert told == "against: The office is on the 2nd floor; mem review asks which holds\n"
    assert "against" not in mem("add", "The cellar was painted by Kowalski", "--type", "fact").err


def test_a_new_preference_names_the_one_that_shares_a_word(vault: Vault, mem: Mem) -> None:
    assert not mem("prefer", "window seats").err
    told = mem("prefer", "aisle seats").err
    assert told == "note: does 'window seats' still hold as well? If not: mem prefer unset window_seats\n"
    assert not mem("prefer", "green tea").err


@pytest.mark.parametrize(
    "words", ["I now prefer oat milk to soya", "From now on I want invoices as PDF", "我现在更喜欢燕麦奶"]
)
def test_a_preference_that_changed_is_one_too(vault: Vault, mem: Mem, words: str) -> None:
    assert "preferences.yaml" in mem("add", words).out
    assert "preferences.yaml" not in mem("add", "From now on the office opens at nine").out


@pytest.mark.parametrize(
    "words",
    [
        "我不吃折耳根", "我最烦别人发60秒语音", "I don't eat pork", "我喜欢上海菜", "以后报价一律抹零到十位",
        "别再给我写表格了", "今后合同都用宋体", "往后开会别放周一", "不要给我发语音", "I never want calls before 9",
        "I don't want meetings on Mondays", "From now on no meetings before ten", "I don't want emojis in my emails",
    ],
)  # fmt: skip
def test_what_somebody_never_likes_is_a_preference(vault: Vault, mem: Mem, words: str) -> None:
    assert "preferences.yaml" in mem("add", words).out


@pytest.mark.parametrize(
    "words",
    [
        "我喜欢上次那家餐厅的鱼", "I like the fish from last time", "我不吃早饭了，赶车", "我爱人明天到成都东站",
        "以后要是下雨就别去了", "以后保险杠喷漆一律 450 一面", "别给我寄到公司，寄到家里", "I don't want calls today",
        "I never want to see him again", "I don't want the boiler replaced", "以后今天这种事别再问我",
    ],
)  # fmt: skip
def test_what_is_of_one_time_is_none(vault: Vault, mem: Mem, words: str) -> None:
    assert "remembered in logs/" in mem("add", words).out


def test_supersede_tells_that_the_new_one_is_older(vault: Vault, mem: Mem) -> None:
    (vault.root / "logs").mkdir(exist_ok=True)
    for day, line in (("2026-10-09", "- the fee is 35 ^old\n"), ("2026-11-09", "- the fee is 39 ^new\n")):
        (vault.root / f"logs/{day}.md").write_text(line, encoding="utf-8")
    assert "^old is older than what it supersedes" in mem("supersede", "^new", "^old").err
    assert "older" not in mem("supersede", "^old", "^new").err


def test_supersede_marks_the_old_one_and_says_so(vault: Vault, mem: Mem) -> None:
    (vault.root / "MEMORY.md").write_text("- Redis only ^one\n- two levels ^two\n", encoding="utf-8")
    assert mem("supersede", "^one", "^two").out == "^one Redis only — superseded by ^two two levels\n"
    assert (vault.root / "MEMORY.md").read_text(encoding="utf-8").startswith("- Redis only [superseded:: two] ^one\n")
    assert mem("supersede", "^one", "^three").code == 2
    assert mem("supersede", "two levels", "redis").out.startswith("^two two levels — superseded by ^one")


@pytest.mark.parametrize("words", [("supersede", "redis", "levels"), ("add", "three levels", "--replaces", "^one")])
def test_the_new_one_may_be_edited_by_hand(vault: Vault, mem: Mem, words: tuple[str, ...]) -> None:
    place = vault.root / "MEMORY.md"
    place.write_text("- Redis only ^one\n- two levels of cache\n", encoding="utf-8")
    assert mem(*words, *(["--type", "fact"] if words[0] == "add" else [])).code == 0
    text = place.read_text(encoding="utf-8")
    (id,) = re.findall(r"superseded:: (\w{7})\]", text)
    assert re.search(rf"levels.* \^{id}$", text, re.M)
    place.write_text(text.replace("levels", "tiers"), encoding="utf-8")
    assert "superseded:" not in mem("doctor").out
    assert "(superseded by MEMORY.md:" in mem("recall", "redis").out


def test_a_preference_that_is_set_anew_shows_what_it_was(vault: Vault, mem: Mem) -> None:
    assert "no longer" not in mem("prefer", "set", "tea", "assam").out
    assert mem("prefer", "set", "tea", "green").out.startswith("tea: green, no longer: assam")
    assert "no longer" not in mem("prefer", "set", "tea", "green").out


def test_a_preference_is_one_that_prefer_lists(vault: Vault, mem: Mem) -> None:
    ran = mem("add", "dark chocolate", "--type", "preference")
    assert ran.out == "remembered in preferences.yaml dark_chocolate: dark chocolate\n"
    assert "dark chocolate" in mem("prefer", "list").out
    assert not (vault.root / "MEMORY.md").exists()
    assert mem("add", "dark chocolate", "--type", "preference").out.startswith("known already: preferences.yaml")
    assert mem("add", "white tea", "--type", "preference", "--dry-run").out.startswith("would write to")
    assert [each.key for each in preferences.read_preferences(vault)] == ["dark_chocolate"]
    secret = "my key is sk-" + "a1B2c3D4" * 6
    assert mem("add", secret, "--type", "preference").code == 4
    assert mem("add", "tea", "--type", "preference", "--to", "MEMORY.md").out.endswith("MEMORY.md:1\n")


def test_a_preference_of_a_talk_counts_in_that_talk_alone_and_for_a_day(vault: Vault, mem: Mem) -> None:
    first, second = ({"MEM_SESSION": session.start(vault).id} for _ in range(2))
    mem("prefer", "set", "seat", "aisle")
    assert mem("prefer", "set", "seat", "window", "--scope", "session", **first).code == 0
    tomorrow = {"MEM_NOW": (NOW + timedelta(hours=24, minutes=1)).isoformat()}
    assert [mem("prefer", "get", "seat", **more).out for more in (first, second, {}, {**first, **tomorrow})] == [
        "window\n", "aisle\n", "aisle\n", "aisle\n",
    ]  # fmt: skip
    for more, counts in ((first, [True, True]), (tomorrow, [False, True])):
        held = json.loads(mem("prefer", "list", "--json", **more).out)["preferences"]
        assert [one["counts"] for one in sorted(held, key=lambda one: one["scope"], reverse=True)] == counts
    assert "over: it held for its talk, and 24 hours at most" in mem("prefer", "why", "seat", **first, **tomorrow).out


def test_words_name_the_memory_that_is_replaced_or_edited(mem: Mem, vault: Vault) -> None:
    assert mem("add", "storage is £55 a month").code == mem("add", "the fence stands on the east side").code == 0
    assert "in place of" in mem("add", "storage is £62 a month now", "--replaces", "£55 a month").out
    ran = mem("edit", "fence on the east", "--text", "the fence stands on the west side")
    assert (ran.code, ran.err) == (0, "was: the fence stands on the east side\n")
    texts = [entry.words for entry in vault.entries()]
    assert any("west side" in text for text in texts) and not any("east side" in text for text in texts)
    gone = next(entry for entry in vault.entries() if "£55" in entry.words)
    assert gone.superseded
    assert mem("add", "x y z of the boat", "--replaces", "nothing of the kind").code == 2


def test_a_number_alone_overwrites_no_memory_that_holds_it(mem: Mem, vault: Vault) -> None:
    mem("add", "closed on 26 December, and the todo below is for later")
    mem("add", "todo: order 26 pumps")
    for command in (("edit", "--text", "foo", "26"), ("done", "26"), ("edit", "--text", "foo", "26", "26")):
        ran = mem(*command)
        assert (ran.code, "which memory is meant?" in ran.err) == (2, True), command
    assert mem("done", "26 pumps").code == 0


def test_a_profile_takes_several_words_and_calls_a_key_as_the_user_does(mem: Mem) -> None:
    named = mem("profile", "set", "name", "Eoin", "Brannigan")
    assert (named.out, named.err) == ("Eoin Brannigan\n", "kept in USER.md\n")
    assert "hobby is kept as interests in USER.md" in mem("profile", "set", "hobby", "climbing", "tea").err
    assert "2 values of favourite" in mem("profile", "set", "favourite", "colour", "green").err
    assert mem("profile", "set", "favourite_colour", "dark green").err == "kept in USER.md\n"
    assert mem("profile", "set", "phone", "07700", "900123").out == "07700 900123\n"
    mem("profile", "unset", "hobby")
    assert "'hobby'" in mem("profile", "get", "hobby").err
    assert "default" in mem("state", "reset").out


def test_an_alias_alone_is_no_label(mem: Mem) -> None:
    assert "say what it stands for, too: mem label set Ros" in mem("label", "set", "Ros", "--alias", "cousin").err
