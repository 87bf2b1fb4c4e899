"""Direct reads: who the user is, what they prefer, the places and people a question names. No search needed."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memcli.recall import Request, direct, query, recall, seek
from memcli.recall.direct import Fact
from memcli.text import tokens
from tests.conftest import opened
from tests.recall.vaults import TODAY, ask, ask_sample, lay

LABELS = """
- name: 家
  aliases: [home, my place]
  address: 12 Example Road
- name: office
  aliases: [公司, 青梧]
  address: 7 Work Street
- name: partner
  aliases: [苏晴, Su Qing]
  value: Su Qing, illustrator
- name: gym
  aliases: [climbing gym, 岩馆]
  phone: 555-0100
- name: empty
"""

PROFILE = """---
name: Lin Zhou
occupation: backend engineer
interests: [tea, tides]
language: zh, en
mbti: INTP
---
# About me
"""


def facts(folder: Path, question: str) -> list[str]:
    return [fact.text for fact in direct.find_facts(opened(folder), query.parse(question, TODAY))]


def prefers(folder: Path, preferences: list[dict[str, object]], question: str = "anything") -> list[str]:
    lay(folder, {"preferences.yaml": yaml.safe_dump(preferences, allow_unicode=True)})
    return facts(folder, question)


@pytest.mark.parametrize("question", ["今天的饮料喝什么", "what do we drink at 潮汐"])
def test_a_preference_whose_key_or_scene_the_question_names_is_near(folder: Path, question: str) -> None:
    held = [{"key": "饮料", "value": "茶"}, {"key": "饮料", "value": "咖啡", "scope": "项目:潮汐"}]
    lay(folder, {"preferences.yaml": yaml.safe_dump(held, allow_unicode=True)})
    (fact,) = direct.find_facts(opened(folder), query.parse(question, TODAY))
    assert fact.near


# -- profile -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("question", "is_near"), [
    ("what happened last month", False), ("what's the name of my dog", False), ("what is the risk of this review", True),
])  # fmt: skip
def test_one_word_of_a_long_preference_does_not_name_it(folder: Path, question: str, is_near: bool) -> None:
    lay(
        folder,
        {"preferences.yaml": '- key: reviews_first\n  value: "in code reviews I want the risk named, style last"\n'},
    )
    (fact,) = (fact for fact in ask(folder, question, fill=True).facts if fact.preference)
    assert fact.is_named is is_near


@pytest.mark.parametrize(("question", "comes"), [("nuts", False), ("bake a cake with nuts", True)])
def test_a_search_for_words_brings_no_preference_that_is_not_named(folder: Path, question: str, comes: bool) -> None:
    lay(folder, {"preferences.yaml": "- {key: style, value: plain and cheap, category: food}\n"})
    assert any(fact.near for fact in ask(folder, question, fill=True).facts) is comes


def test_the_profile_is_always_there(folder: Path) -> None:
    lay(folder, {"USER.md": PROFILE})
    known = "user: name: Lin Zhou; occupation: backend engineer; language: zh, en"
    assert facts(folder, "anything at all") == [known]
    assert known in ask(folder, "something nobody wrote down").text.splitlines()


@pytest.mark.parametrize("question", ["who am I", "我是谁", "what is my occupation"])
def test_a_question_about_oneself_gets_all_of_the_profile(folder: Path, question: str) -> None:
    lay(folder, {"USER.md": PROFILE})
    assert facts(folder, question)[0].endswith("; interests: tea, tides; mbti: INTP")
    assert ask(folder, question).matched


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what is my mbti", "mbti: INTP"),
        ("我的性格类型是什么", "mbti: INTP"),
        ("what are my hobbies", "interests: tea, tides"),
        ("how old am I", "age_range: 30-35"),
        ("我今年多大", "age_range: 30-35"),
        ("what is my shoe size", "shoe_size: 43"),
        ("how old is the boiler", ""),
        ("what is the size of the cache", ""),
    ],
)
def test_every_field_of_the_profile_can_be_asked_for(folder: Path, question: str, told: str) -> None:
    more = PROFILE.replace("mbti: INTP", "mbti: INTP\nage_range: 30-35\nshoe_size: 43")
    lay(folder, {"USER.md": more, "logs/2026-11-20.md": "- 10:00 a friend called\n"})
    said = ask(folder, question)
    assert facts(folder, question)[0].endswith(told or "language: zh, en")
    assert said.matched is bool(told)
    assert said.chosen == () or not told  # what the profile answers needs no weak match beside it


@pytest.mark.parametrize(
    ("key", "question", "asked"),
    [
        ("blood_type", "我的血型", True),
        ("血型", "what's my blood group?", True),
        ("Date-of-birth", "我的生日", True),
        ("生日", "when was I born", True),
        ("birthday", "birthday?", True),
        ("birthday", "when is Anna's birthday", False),
        ("birthday", "妈妈的生日", False),
        ("company", "我在哪上班", True),
        ("tea_house", "which tea house", True),
        ("tea_house", "a house of cards", False),
    ],
)
def test_a_field_of_ones_own_is_asked_for_in_either_language(
    folder: Path, key: str, question: str, asked: bool
) -> None:
    lay(folder, {"USER.md": f"---\nname: Lin Zhou\nmbti: INTP\n{key}: said\n---\n"})
    assert facts(folder, question) == [f"user: name: Lin Zhou{f'; {key}: said' * asked}"]


@pytest.mark.parametrize("budget", [100, 200, 400])
def test_who_the_user_is_has_its_place_in_small_blocks_too(budget: int) -> None:
    assert "user: name: 林舟" in ask_sample("navigate home", budget=max(budget, 250)).text
    assert "user: name: 林舟" in ask_sample("what did we decide about the cache", budget=400).text


def test_where_the_profile_has_little_room_it_says_less(folder: Path) -> None:
    lay(folder, {"USER.md": PROFILE, "logs/2026-11-20.md": "- 10:00 the cache has two levels now\n" * 3})
    assert "\nuser: name: Lin Zhou; occupation: backend engineer\n" in ask(folder, "cache", budget=110).text
    assert "\nuser: name: Lin Zhou\n" in ask(folder, "cache", budget=70).text
    assert "\nuser: mbti: INTP\n" in ask(folder, "what is my mbti", budget=40).text  # what is asked for goes last


def test_who_the_user_is_has_fifteen_of_a_hundred_tokens_and_no_more() -> None:
    fact = direct.Fact("user: name: Lin Zhou", "USER.md", True)
    assert [len(direct.fit_facts([fact], 100, lambda fact, cost=cost: cost)) for cost in (15, 16)] == [1, 0]


def test_an_empty_profile_says_nothing(folder: Path) -> None:
    assert facts(lay(folder, {"USER.md": "---\nname:\n---\n# About\n"}), "who am I") == []
    assert facts(lay(folder, {"USER.md": "# About\n"}), "who am I") == []
    assert facts(lay(folder, {}), "who am I") == []


# -- labels --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("navigate home", ["label 家: 12 Example Road"]),
        ("回家", ["label 家: 12 Example Road"]),
        ("导航回家", ["label 家: 12 Example Road"]),
        ("where do I live", ["label 家: 12 Example Road"]),
        ("我住在哪", ["label 家: 12 Example Road"]),
        ("how far is my place", ["label 家: 12 Example Road"]),
        ("我家离公司多远", ["label 家: 12 Example Road", "label office: 7 Work Street"]),
        ("导航去公司", ["label office: 7 Work Street"]),
        ("when do I leave for work", ["label office: 7 Work Street"]),
        ("去青梧怎么走", ["label office: 7 Work Street"]),
        ("a present for Su Qing", ["label partner: Su Qing, illustrator"]),
        ("苏晴的生日", ["label partner: Su Qing, illustrator"]),
        ("is the CLIMBING GYM open", ["label gym: 555-0100"]),
        ("大家怎么看缓存", []),
        ("国家博物馆", []),
        ("给家里打个电话", ["label 家: 12 Example Road"]),
        ("家附近有什么超市", ["label 家: 12 Example Road"]),
        ("我家地址发我一下", ["label 家: 12 Example Road"]),
        ("家具选什么颜色", []),
        ("家长会几点", []),
        ("去家乐福买什么", []),
        ("乌镇住哪家民宿好", []),
        ("老王住哪里", []),
        ("where does Anna live", []),
        ("a lamp for the living room", []),
        ("the gymnasium of Homer", []),
        ("cache", []),
    ],
)
def test_a_label_is_there_when_the_question_means_it(folder: Path, question: str, expected: list[str]) -> None:
    assert facts(lay(folder, {"labels.yaml": LABELS}), question) == expected


@pytest.mark.parametrize(("question", "is_there"), [
    ("我的手机号码", True), ("手机号", True), ("林医生的手机号码", False), ("Anna's phone number", False), ("my phone number", True),
])  # fmt: skip
def test_what_is_mine_is_not_shown_for_what_another_has(folder: Path, question: str, is_there: bool) -> None:
    lay(folder, {"labels.yaml": "- name: 我的手机\n  aliases: my phone\n  value: 12345\n"})
    assert bool(facts(folder, question)) is is_there


def test_one_alias_needs_no_list(folder: Path) -> None:
    lay(folder, {"labels.yaml": "- {name: x, aliases: 花木, address: here}\n"})
    assert facts(folder, "花木在哪") == ["label x: here"]
    assert facts(folder, "一朵花") == []


def test_a_label_of_one_sign_is_meant_by_the_sign_twice_too(folder: Path) -> None:
    lay(folder, {"labels.yaml": "- {name: 妈, phone: 555-0100}\n"})
    assert facts(folder, "我妈妈的电话") == facts(folder, "给妈打电话") == ["label 妈: 555-0100"]


def test_a_label_is_told_with_all_that_it_stands_for(folder: Path) -> None:
    lay(folder, {"labels.yaml": "- {name: 老婆, value: 王芳, phone: 555-0100, address: 12 Example Road}\n"})
    assert facts(folder, "给我老婆打电话") == ["label 老婆: 12 Example Road; 王芳; 555-0100"]


def test_a_label_may_be_the_whole_answer(folder: Path) -> None:
    said = ask(lay(folder, {"labels.yaml": LABELS}), "导航回家")
    assert said.matched
    assert "label 家: 12 Example Road" in said.text.splitlines()


NAMED = """
- {name: 老婆, aliases: [我媳妇], value: 叶敏，做设计}
- {name: 妈, value: 王淑芬}
- {name: the accountant, value: Soo-jin Park}
- {name: wifi, value: Otter-gull-9}
- {name: office, aliases: [the loft], address: 7 Work Street}
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("老婆吃什么不舒服", "叶敏对花生过敏"),
        ("我媳妇的忌口", "叶敏对花生过敏"),
        ("叶敏的花", "老婆喜欢绣球"),
        ("我妈最近咋样", "王淑芬膝盖要复查"),
        ("what did I promise my accountant", "Soo-jin wants the receipts"),
        ("when can I reach Soo-jin Park", "the accountant is on holiday in May"),
        ("when was the office redecorated", "Mads painted the loft"),
    ],
)
def test_a_name_of_a_label_finds_its_other_names(folder: Path, question: str, found: str) -> None:
    notes = "- 叶敏对花生过敏\n- 老婆喜欢绣球\n- Soo-jin wants the receipts\n- the accountant is on holiday in May\n"
    notes += "- 王淑芬膝盖要复查\n- Mads painted the loft\n- an otter at the weir\n- Work Street is closed\n"
    vault = lay(folder, {"labels.yaml": NAMED, "logs/2026-10-10.md": notes})
    assert found in ask(vault, question).text


def test_the_names_of_a_label_have_a_bound(folder: Path) -> None:
    aliases = ", ".join(f"alias{number}" for number in range(2000))
    labels = f"- {{name: cat, aliases: [{aliases}]}}\n" * 2
    vault = opened(lay(folder, {"labels.yaml": labels, "a.md": "- the cat\n"}))
    (term,) = seek(vault, Request("cat")).search.query.terms
    assert len(term.forms) == 50


def test_the_value_of_a_label_is_no_name_when_it_is_a_code_or_an_address(folder: Path) -> None:
    notes = "- an otter at the weir\n- Work Street is closed\n- the wifi is slow\n"
    vault = lay(folder, {"labels.yaml": NAMED, "logs/2026-10-10.md": notes})
    assert "otter" not in ask(vault, "is the wifi slow").text.replace("Otter-gull", "")
    assert "closed" not in ask(vault, "who painted the office").text


@pytest.mark.parametrize(
    "text",
    [
        "home: 12 Example Road",
        "home: {address: 12 Example Road}",
        "- {name: home, value: 12 Example Road}",
        "- {name: home, aliases: flat, address: 12 Example Road}",
    ],
)
def test_labels_may_be_written_shorter(folder: Path, text: str) -> None:
    assert facts(lay(folder, {"labels.yaml": text}), "navigate home") == ["label home: 12 Example Road"]


# -- preferences ---------------------------------------------------------------------------------------------------


def test_what_is_said_beats_what_was_confirmed_beats_what_was_inferred(folder: Path) -> None:
    each = {
        source: {"key": "drink", "value": source, "source": source, "confidence": 0.9}
        for source in ("inferred", "confirmed", "explicit")
    }
    assert prefers(folder, [each["inferred"], each["confirmed"], each["explicit"]]) == ["prefers drink: explicit"]
    assert prefers(folder, [each["confirmed"], each["inferred"]]) == ["prefers drink: confirmed"]


def test_the_scene_that_is_spoken_of_beats_the_whole_world(folder: Path) -> None:
    both = [
        {"key": "database", "value": "PostgreSQL", "scope": "global", "source": "explicit"},
        {"key": "database", "value": "SQLite", "scope": "project:tideline", "source": "inferred", "confidence": 0.8},
    ]
    assert prefers(folder, both, "which database for Tideline") == ["prefers database: SQLite"]
    assert prefers(folder, both, "which database") == ["prefers database: PostgreSQL"]
    both[1]["scope"] = "tideline"
    assert prefers(folder, both, "which database for Tideline") == ["prefers database: SQLite"]
    assert prefers(folder, both, "which database") == ["prefers database: PostgreSQL"]


@pytest.mark.parametrize(
    ("preference", "there"),
    [
        ({"source": "inferred", "confidence": 0.6}, False),
        ({"source": "inferred", "confidence": 0.7}, False),
        ({"source": "inferred", "confidence": 0.71}, True),
        ({"source": "confirmed", "confidence": 0.63}, False),
        ({"source": "explicit", "confidence": 0.1}, True),
        ({}, True),
    ],
)
def test_only_what_is_sure_enough_counts(folder: Path, preference: dict[str, object], there: bool) -> None:
    assert prefers(folder, [{"key": "k", "value": "v", **preference}]) == (["prefers k: v"] if there else [])


def test_a_preference_for_nothing_in_particular_is_none(folder: Path) -> None:
    assert prefers(folder, [{"value": "no key"}, {"key": "no value"}, {"key": "k", "value": ""}]) == []


def test_of_two_alike_the_later_one_counts(folder: Path) -> None:
    both = [
        {"key": "k", "value": "new", "updated": "2026-11-02"},
        {"key": "k", "value": "old", "updated": "2026-10-30"},
    ]
    assert prefers(folder, both) == prefers(folder, both[::-1]) == ["prefers k: new (as of 2026-11-02)"]


def test_a_preference_is_shown_with_the_day_on_which_it_was_last_set(folder: Path) -> None:
    said = {"key": "k", "value": "v" * 300, "created": "2026-09-01", "updated": "2026-09-08"}
    assert prefers(folder, [said])[0].endswith("… (as of 2026-09-08)")
    for day, shown in (("2026-09-08 18:00", " (as of 2026-09-08)"), ("some day", ""), ("", "")):
        assert prefers(folder, [{"key": "k", "value": "v", "updated": day}]) == [f"prefers k: v{shown}"]
    assert prefers(folder, [{"key": "k", "value": "v", "created": "2026-09-01"}]) == ["prefers k: v (as of 2026-09-01)"]


def test_what_the_question_speaks_of_is_near(folder: Path) -> None:
    lay(folder, {"preferences.yaml": "- {key: train_seat, value: window}\n- {key: drink, value: tea}\n"})

    def near(question: str) -> list[str]:
        return [fact.text for fact in direct.find_facts(opened(folder), query.parse(question, TODAY)) if fact.near]

    assert near("book a seat on the train") == ["prefers train_seat: window"]
    assert near("what do I like") == ["prefers train_seat: window", "prefers drink: tea"]
    assert near("redis") == []


def test_values_are_shown_as_people_write_them(folder: Path) -> None:
    several = [
        {"key": "a", "value": ["x", 5]},
        {"key": "b", "value": True},
        {"key": "c", "value": "two\nlines"},
        {"key": "d", "value": 0},
    ]
    assert prefers(folder, several) == ["prefers a: x, 5", "prefers b: yes", "prefers c: two lines", "prefers d: 0"]


# -- snapshots -----------------------------------------------------------------------------------------------------


def snapshot(text: str, expires: str = "2026-11-30") -> str:
    return f"---\nsession: s\nexpires: {expires}\ntools: [x]\n---\n{text}\n"


def test_what_was_just_done_has_its_place_when_it_has_to_do_with_the_question(folder: Path) -> None:
    logs = {f"logs/2026-10-{day:02}.md": "- the cache is redis, and redis is the cache\n" * 9 for day in range(1, 9)}
    lay(folder, {
        "snapshots/2026-11-20-1435-c7f2.md": snapshot("Booked a table at the harbour, away from the cache."),
        "snapshots/2026-11-20-1535-c7f2.md": snapshot("Looked for a film."),
        **logs,
    })  # fmt: skip
    said = ask(folder, "redis cache")
    assert "harbour" in said.text
    assert "film" not in said.text
    assert "film" not in ask(folder, "xyzzy").text
    assert "film" in ask(folder, "redis cache", fill=True).text
    assert "film" in ask(folder, "what did I do lately").text


def test_what_was_just_done_is_there_unnamed_where_the_block_is_filled(folder: Path) -> None:
    lay(folder, {
        "snapshots/2026-11-20-1435-c7f2.md": snapshot("Booked a table at the harbour."),
        "logs/2026-10-01.md": "- the cache is redis\n",
    })  # fmt: skip
    said = ask(folder, "redis cache", fill=True)
    assert "## snapshots/2026-11-20-1435-c7f2.md\n:6 Booked a table at the harbour.\n" in said.text
    assert len(said.chosen) <= said.considered
    assert said.text.index("the cache is redis") < said.text.index("harbour")
    assert said.matched
    assert said.chosen[-1].scored.paths == ("direct",)
    nothing = ask(folder, "xyzzy", fill=True)
    assert "harbour" in nothing.text
    assert not nothing.matched


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("2026-11-17-0900-aaaa.md", snapshot("Booked the harbour.")),  # four days old
        ("2026-11-22-0900-aaaa.md", snapshot("Booked the harbour.")),  # of tomorrow
        ("2026-11-20-0900-aaaa.md", snapshot("Booked the harbour.", "2026-11-20")),  # expired
        ("some-name.md", snapshot("Booked the harbour.")),
    ],
)
def test_a_snapshot_that_is_not_fresh_has_to_be_asked_for(folder: Path, name: str, text: str) -> None:
    lay(folder, {f"snapshots/{name}": text, "logs/2026-10-01.md": "- the cache is redis\n"})
    assert "harbour" not in ask(folder, "redis cache", fill=True).text


def test_the_two_latest_snapshots_have_a_place_and_no_more_than_a_tenth_each(folder: Path) -> None:
    lay(folder, {
        **{f"snapshots/2026-11-{n}-1200-aaaa.md": snapshot(f"Day {n}. " + "Then much more was done. " * 50) for n in (19, 20, 21)},
        "MEMORY.md": "".join(f"- the cache number {n} is a cache {'of words ' * 9}{n}\n" for n in range(99)),
    })  # fmt: skip
    said = ask(folder, "cache", fill=True)
    assert [f"Day {n}." in said.text for n in (19, 20, 21)] == [False, True, True]
    assert said.tokens <= 1000
    shown = [each for each in said.chosen if each.scored.entry.kind == "snapshot"]
    assert all(each.cut and tokens.count(each.text) <= 100 for each in shown)
    assert len(said.chosen) > 10


def test_a_snapshot_that_matches_stands_there_once_and_whole(folder: Path) -> None:
    text = "The cache moved to redis. " * 12 + "All went well."
    lay(folder, {"snapshots/2026-11-20-1435-c7f2.md": snapshot(text)})
    said = ask(folder, "redis cache", budget=500)
    assert said.text.count("All went well.") == 1
    assert len(said.chosen) == 1


def test_filters_and_a_wanted_number_come_before_snapshots(folder: Path) -> None:
    lay(folder, {
        "snapshots/2026-11-20-1435-c7f2.md": snapshot("Booked the harbour."),
        "logs/2026-11-20.md": "- the cache is redis #infra\n- the cache is small\n",
    })  # fmt: skip
    assert "harbour" not in ask(folder, "cache", path="logs", fill=True).text
    assert "harbour" not in ask(folder, "cache", tags=("infra",), fill=True).text
    assert len(ask(folder, "cache", most=1, fill=True).chosen) == 1
    assert "cache" in ask(folder, "cache", most=1).chosen[0].text
    assert "harbour" not in recall(opened(folder, recall__direct=False), Request("cache", fill=True)).text


# -- room ----------------------------------------------------------------------------------------------------------


def test_facts_leave_most_of_the_block_to_memories(folder: Path) -> None:
    many = [{"key": f"cache_{n}", "value": "a preference about the cache " * 3} for n in range(100)]
    lay(folder, {"preferences.yaml": yaml.safe_dump(many), "USER.md": PROFILE, "a.md": "- the cache is redis\n"})
    said = ask(folder, "cache")
    assert said.tokens < 500
    assert "the cache is redis" in said.text


def test_what_is_near_has_more_room_than_what_is_far() -> None:
    near, far = Fact("n" * 20, "x", True), Fact("f" * 20, "x", False)
    assert direct.fit_facts([far, near], 100, lambda fact: len(fact.text)) == [near]
    assert direct.fit_facts([near, near], 100, lambda fact: len(fact.text)) == [near]
    assert direct.fit_facts([near, far], 1000, lambda fact: len(fact.text)) == [near, far]
    assert direct.fit_facts([near, far], 0, lambda fact: len(fact.text)) == []


@pytest.mark.parametrize("format", ["md", "xml", "plain"])
def test_what_the_question_does_not_speak_of_comes_after_the_memories(folder: Path, format: str) -> None:
    lay(folder, {
        "preferences.yaml": "- {key: drink, value: tea}\n- {key: cache, value: redis}\n",
        "a.md": "- the cache is small\n",
    })  # fmt: skip
    said = ask(folder, "which cache", format=format, fill=True).text
    assert "drink" not in ask(folder, "which cache", format=format).text
    assert said.index("prefers cache: redis") < said.index("the cache is small") < said.index("prefers drink: tea")


def test_preferences_nobody_asked_for_take_three_hundredths_at_most(folder: Path) -> None:
    many = [{"key": f"drink_{n}", "value": f"tea number {n}"} for n in range(30)]
    lay(folder, {"preferences.yaml": yaml.safe_dump(many), "a.md": "- the cache is small\n"})
    assert not ask(folder, "which cache").facts
    said = ask(folder, "which cache", fill=True)
    assert 0 < tokens.count("".join(f"{fact.text}\n" for fact in said.facts)) <= 30


def test_direct_reads_can_be_switched_off_and_are_shared_with_agents(folder: Path) -> None:
    lay(folder, {
        "USER.md": PROFILE, "labels.yaml": LABELS, "preferences.yaml": "- {key: cache, value: redis}\n", "a.md": "- cache\n",
    })  # fmt: skip
    question = "the cache at home"
    assert recall(opened(folder, recall__direct=False), Request(question)).facts == ()
    assert len(ask(folder, question).facts) == 3
    assert ask(folder, question, agent="ada").facts == ask(folder, question).facts


# -- broken files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["preferences.yaml", "labels.yaml", "tags.yaml", "USER.md"])
@pytest.mark.parametrize(
    "broken",
    [b"a: [b\n", b"\xff\xfe\x00bin", b"\xe9\xe9\xe9: caf\xe9", b"- a\n b: c\n- {", b"&a [*a]"],
    ids=["open", "utf16", "latin1", "indent", "loop"],
)
def test_a_broken_file_is_a_notice_and_the_rest_is_read(folder: Path, name: str, broken: bytes) -> None:
    if name == "USER.md":
        broken = b"---\n" + broken + b"\n---\n"
    lay(
        folder,
        {"labels.yaml": LABELS, "preferences.yaml": "- {key: k, value: v}\n", "a.md": "- the cache\n", name: broken},
    )
    vault = opened(folder)
    said = recall(vault, Request("navigate home to the cache", fill=True))
    assert "the cache" in said.text
    assert name == "labels.yaml" or "label 家: 12 Example Road" in said.text
    assert broken == b"&a [*a]" or len([notice for notice in vault.notices if name in notice]) == 1


scalars = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=True) | st.sampled_from(
    ["home", "家", "drink", "global", "project:x", "explicit", "inferred", "", "#tag", "2026-11-20", "a\nb", "</memory>"]
) | st.dates()  # fmt: skip
keys = st.sampled_from(
    ["name", "aliases", "address", "value", "key", "scope", "source", "confidence", "updated", "category", "tags"]
)
anything = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(keys | scalars.filter(lambda k: k == k), inner, max_size=4)
    ),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.sampled_from(["preferences.yaml", "labels.yaml", "tags.yaml", "USER.md"]), anything)
@example("labels.yaml", [{"name": "x", "aliases": 5, "address": "y"}])
@example("labels.yaml", [{"name": None, "aliases": [None, {"a": "b"}], "address": ["y"]}])
@example("labels.yaml", {"home": {"aliases": True, "address": {"street": "y"}}})
@example(
    "preferences.yaml", [{"key": ["drink"], "value": {"a": "b"}, "scope": 5, "source": ["x"], "confidence": "high"}]
)
@example("preferences.yaml", [{"key": "k", "value": 1, "source": []}, {"key": "k", "value": 2, "source": {}}])
@example("preferences.yaml", [{"value": "no key"}, "a string", 5, None])
@example("tags.yaml", {5: "x", "home": [None, 5, ["y"]], "z": {"a": "b"}})
@example("USER.md", {"name": {"first": "x"}, 5: ["y"], "interests": 7})
def test_no_yaml_however_odd_stops_a_question(folder: Path, name: str, content: object) -> None:
    text = yaml.safe_dump(content, allow_unicode=True)
    lay(folder, {name: f"---\n{text}\n---\n" if name == "USER.md" else text, "a.md": "- home is where the cache is\n"})
    assert "where the cache is" in ask(folder, "what do I drink at home, who am I #tag", fill=True).text


@pytest.mark.parametrize(
    "question", ["which yoga class am I signed up for", "what appointments do we have in December"]
)
def test_no_preference_applies_to_a_question_for_a_fact(folder: Path, question: str) -> None:
    lay(
        folder,
        {
            "preferences.yaml": "- {key: answers, value: 'short, code first', category: code}\n- {key: plots, value: viridis, category: work}\n"
        },
    )
    assert not [fact for fact in ask(folder, question).facts if fact.preference]


@pytest.mark.parametrize(("question", "comes"), [("写个便签", False), ("写个函数解析日期", True), ("代码怎么写", True)])
def test_a_preference_about_code_is_not_about_writing(folder: Path, question: str, comes: bool) -> None:
    lay(folder, {"preferences.yaml": "- {key: 风格, value: ArkTS 代码里不要写 any，接口定义单独放 model 文件夹}\n"})
    assert bool([fact for fact in ask(folder, question).facts if fact.near]) is comes


@pytest.mark.parametrize(
    ("question", "comes"),
    [("write a message to Fiona", False), ("how should commit messages look", True), ("a commit for the fix", True)],
)
def test_a_common_word_of_a_key_names_no_preference(folder: Path, question: str, comes: bool) -> None:
    lay(
        folder, {"preferences.yaml": "- {key: commit_messages, value: 'imperative, one line, no emoji or full stop'}\n"}
    )
    named = [fact for fact in ask(folder, question).facts if fact.preference and fact.is_named]
    assert bool(named) is comes


@pytest.mark.parametrize(
    ("question", "comes"),
    [
        ("who lives in Roath", False),
        ("what is in the shed", False),
        ("how does it get there, by train or on foot", False),
        ("when is the early get-in", True),
        ("a preference about ins", True),
    ],
)
def test_a_word_without_meaning_names_no_preference(folder: Path, question: str, comes: bool) -> None:
    lay(folder, {"preferences.yaml": "- {key: early_ins, value: I don't like early get-ins before 9}\n"})
    assert bool([fact for fact in ask(folder, question, fill=True).facts if fact.is_named]) is comes


@pytest.mark.parametrize(
    ("key", "category", "question", "comes"),
    [
        ("emails", "writing", "draft an email to the landlord", True),
        ("emails", "writing", "write a letter to the council", True),
        ("emails", "writing", "帮我写封邮件给房东", True),
        ("emails", "writing", "write the commit message for my staged changes", False),
        ("emails", "writing", "write a birthday card for my sister", False),
        ("emails", "writing", "write some TypeScript code for a date picker", False),
        ("周报", "writing", "写个公众号文章", False),
        ("周报", "writing", "写一下周报", True),
        ("写报价", "writing", "写首诗", False),
        ("写报价", "writing", "用python写个冒泡排序", False),
        ("写报价", "writing", "帮我写份报价给老蔡", True),
        ("calls_fridays", "communication", "write a reply to a client about her appointment", False),
        ("calls_fridays", "communication", "answer the landlord's call", True),
        ("scripts_plain_python", "code", "make a weekly checklist for the nurses incl the autoclave test", False),
        ("scripts_plain_python", "code", "plan the week of the blood tests", False),
        ("indentation", "code", "add unit tests for the parser", True),
        ("tone", "writing", "write a birthday card for my sister", True),
        ("tone", "writing", "draft an email to the landlord", True),
        ("spice", "food", "what should I cook for dinner", True),
    ],
)
def test_a_preference_for_one_sort_of_text_is_not_for_others(
    folder: Path, key: str, category: str, question: str, comes: bool
) -> None:
    lay(folder, {"preferences.yaml": yaml.safe_dump([{"key": key, "value": "plain", "category": category}])})
    assert bool([fact for fact in ask(folder, question).facts if fact.preference]) is comes


@pytest.mark.parametrize(
    ("question", "comes"),
    [("火锅店订哪家", False), ("做饭吃什么", False), ("片子怎么剪", True), ("糯米的过敏原", False)],
)
def test_the_category_decides_between_two_words_of_a_preference(folder: Path, question: str, comes: bool) -> None:
    held = [{"key": "慢动作", "value": "剪辑口味：不喜欢花哨转场，一条片子不超过三处", "category": "film"}]
    lay(folder, {"preferences.yaml": yaml.safe_dump(held, allow_unicode=True)})
    assert bool([fact for fact in ask(folder, question).facts if fact.preference]) is comes
