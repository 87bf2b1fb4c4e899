"""One file, changed on two machines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.vault import entries, yaml_read
from memcli.vault.merge import merge_texts
from memcli.vault.merge_values import Contradiction

MEMORY = "# Memory\n\n<!-- What lasts. -->\n\n## People\n\n- Ana: sister\n\n## Decisions\n\n## Other facts\n"
TASTES = "# What I like\n- key: drink\n  value: tea\n  updated: 2026-11-01\n"


def refused(path: str, base: str, one: str, other: str) -> str:
    with pytest.raises(Contradiction) as error:
        merge_texts(path, base, one, other)
    return str(error.value)


def test_facts_added_on_both_sides_stand_below_each_other() -> None:
    assert (
        merge_texts("MEMORY.md", MEMORY, MEMORY + "\n- here\n", MEMORY + "\n- there\n")
        == MEMORY + "\n- here\n- there\n"
    )


def test_what_was_added_stays_under_its_heading_also_where_there_was_no_file_before() -> None:
    one, other = "# M\n\n## A\n\n- 1\n\n## B\n\n- 2\n", "# M\n\n## A\n\n- 3\n\n## B\n\n- 2\n- 4\n"
    assert merge_texts("MEMORY.md", "", one, other) == "# M\n\n## A\n\n- 1\n- 3\n\n## B\n\n- 2\n- 4\n"


def test_the_same_fact_added_on_both_sides_is_one() -> None:
    assert merge_texts("MEMORY.md", MEMORY, MEMORY + "\n- same\n", MEMORY + "\n- same\n- more\n").count("- same") == 1


def test_an_entry_changed_here_and_its_neighbour_changed_there_are_both_changed() -> None:
    base = "- rent is 7200\n- the cat eats 48 g\n"
    one, other = base.replace("7200", "7600"), base.replace("48 g", "52 g")
    assert merge_texts("MEMORY.md", base, one, other) == "- rent is 7600\n- the cat eats 52 g\n"


def test_what_was_taken_out_here_is_gone_though_something_was_added_beside_it_there() -> None:
    assert merge_texts("MEMORY.md", "- a\n- b\n- c\n", "- a\n- c\n", "- a\n- b\n- new\n- c\n") == "- a\n- new\n- c\n"


@pytest.mark.parametrize(
    ("base", "one", "other", "both"),
    [
        ("- a\n- b\n- c\n", "- a\n- c\n", "- b\n- a\n- c\n", "- a\n- c\n"),
        ("- a\n- b\n- c\n", "- a\n- b\n", "- c\n- a\n- b\n", "- a\n- b\n"),
        ("- a\n- b\n- c\n- d\n", "- b\n- c\n- d\n- a\n", "- d\n- a\n- b\n- c\n", "- d\n- b\n- c\n- a\n"),
        ("# A\n\n- a\n\n# B\n\n- b\n", "# A\n\n# B\n\n- b\n", "# B\n\n- b\n\n# A\n\n- a\n", "# B\n\n- b\n\n# A\n"),
    ],
)
def test_what_is_moved_here_and_taken_out_there_is_gone_and_what_both_move_is_there_once(
    base: str, one: str, other: str, both: str
) -> None:
    for sides in ((one, other), (other, one)):
        assert merge_texts("MEMORY.md", base, *sides).split() == both.split()


@pytest.mark.parametrize(
    ("base", "one", "other", "named"),
    [
        ("- home is Pudong\n", "- home is Xuhui\n", "- home is Minhang\n- more\n", "home is Pudong"),
        ("- 家住浦东\n", "- 家住徐汇\n", "- 家住闵行\n", "家住浦东"),
        ("- a\n- gone or changed\n", "- a\n", "- a\n- gone or changed it is\n", "gone or changed"),
        (
            "- the harbour opens at nine\n- rent rises in March\n",
            "- the harbour opens at nine\n",
            "- rent rises in April\n- the cat eats twice a day\n",
            "rent rises in March",
        ),
        ("", "- one ^x\n", "- two ^x\n", "one ^x"),
        ("---\ncity: Berlin\n---\n", "---\ncity: Leipzig\n---\n", "---\ncity: Rome\n---\n", "city: Berlin"),
    ],
)
def test_one_entry_changed_on_both_sides_is_for_a_person(base: str, one: str, other: str, named: str) -> None:
    assert refused("MEMORY.md", base, one, other) == named


def test_seen_again_on_both_sides_is_no_contradiction() -> None:
    base = "- the plumber is Ana [date:: 2026-11-01] ^plumber\n"
    one = base.replace(" ^", " [seen:: 2026-11-20] [importance:: 0.6] ^")
    other = base.replace(" ^", " [seen:: 2026-11-21] [importance:: 0.8] ^")
    assert merge_texts("MEMORY.md", base, one, other) == other


def test_new_words_here_and_a_mark_there_come_together() -> None:
    base = "- rent is 7200 ^rent\n"
    result = merge_texts("MEMORY.md", base, "- rent is 7600 ^rent\n", "- rent is 7200 [superseded:: x] ^rent\n")
    assert result == "- rent is 7600 [superseded:: x] ^rent\n"


def test_lines_of_the_profile_come_together() -> None:
    base = "---\nname: Lin\n---\nHi.\n"
    one, other = base.replace("Lin\n", "Lin\ncity: Berlin\n"), base.replace("Lin\n", "Lin\nmbti: INTP\n")
    assert merge_texts("USER.md", base, one, other) == "---\nname: Lin\ncity: Berlin\nmbti: INTP\n---\nHi.\n"


def test_records_added_on_both_sides_keep_their_comments_and_form() -> None:
    one = TASTES + "- key: food\n  value: rice # and beans\n"
    other = TASTES + "# at work\n- {key: music, value: jazz}\n"
    added = "- key: food\n  value: rice # and beans\n# at work\n- {key: music, value: jazz}\n"
    assert merge_texts("preferences.yaml", TASTES, one, other) == TASTES + added


def test_a_value_changed_here_and_its_day_there_are_one_record() -> None:
    one = TASTES.replace("tea", "coffee").replace("-01", "-03")
    other = TASTES.replace("-01", "-05") + "- key: music\n  value: jazz\n"
    expected = TASTES.replace("tea", "coffee").replace("-01", "-05") + "- key: music\n  value: jazz\n"
    assert merge_texts("preferences.yaml", TASTES, one, other) == expected


def test_the_same_record_made_on_both_sides_is_one_and_another_value_is_for_a_person() -> None:
    new, beside = "- key: food\n  value: rice\n  created: 2026-11-03\n", "- key: music\n  value: jazz\n"
    result = merge_texts("preferences.yaml", TASTES, TASTES + new, TASTES + beside + new.replace("-03", "-02"))
    assert result == TASTES + new.replace("-03", "-02") + beside
    assert refused("preferences.yaml", TASTES, TASTES + new, TASTES + new.replace("rice", "noodles"))


def test_of_what_was_gathered_each_value_is_a_record_of_its_own() -> None:
    record = "- key: food\n  value: {}\n  source: inferred\n"
    result = merge_texts("preferences.yaml", "", record.format("rice"), record.format("noodles"))
    assert result == record.format("rice") + record.format("noodles")


def test_lists_inside_a_record_take_in_what_both_added() -> None:
    base, one, other = "cache: [redis, a]\n", "cache: [redis, b]\n", "cache: [redis, a, c]\nfood: [rice]\n"
    assert yaml_read.load(merge_texts("tags.yaml", base, one, other), "") == {
        "cache": ["redis", "b", "c"],
        "food": ["rice"],
    }


@pytest.mark.parametrize(
    "texts",
    [("home: x\n", "- name: home\n  value: x\n- name: w\n  value: u\n", "home: x\nk: z\n"), ("", "[a: 1", "b: 2\n")],
)
def test_what_would_not_read_as_its_records_is_not_written(texts: tuple[str, str, str]) -> None:
    refused("labels.yaml", *texts)


def test_a_fence_that_is_left_open_takes_in_nothing_of_the_other_side() -> None:
    base = "- a\n"
    with pytest.raises(Contradiction):
        merge_texts("MEMORY.md", base, base + "\n```\nopen\n", base + "\n```\nclosed\n```\n- b\n")


@pytest.mark.slow
def test_what_would_take_for_ever_is_left_to_a_person() -> None:
    base = "- the same\n" * 20_000
    refused("MEMORY.md", base, base + "- here\n", base + "- there\n")
    long = "a b " * 100_000
    refused("MEMORY.md", f"- {long}\n", f"- {long}here\n", f"- {long}there\n- more\n")


def test_line_ends_stay() -> None:
    assert merge_texts("MEMORY.md", "- a\r\n", "- a\r\n- b\r\n", "- a\r\n- c\r\n") == "- a\r\n- b\r\n- c\r\n"


WORDS = st.sampled_from([f"fact {name} is so" for name in "abcdefgh"])
CHANGES = st.lists(st.tuples(st.sampled_from(["add", "drop", "change"]), st.integers(0, 9)), max_size=4)


def changed(lines: list[str], changes: list[tuple[str, int]], side: str) -> list[str]:
    now = list(lines)
    for number, (what, at) in enumerate(changes):
        at %= len(now) or 1
        if what == "add" or not now:
            now.insert(at, f"{side} {number} is new")
        elif what == "drop":
            now.pop(at)
        elif side not in now[at]:
            now[at] += f", says {side}"
    return now


@given(st.lists(WORDS, max_size=6, unique=True), CHANGES, CHANGES)
def test_nothing_that_was_said_is_lost(
    lines: list[str], here: list[tuple[str, int]], there: list[tuple[str, int]]
) -> None:
    one, other = changed(lines, here, "here"), changed(lines, there, "there")
    base_text, one_text, other_text = ("".join(f"- {line}\n" for line in each) for each in (lines, one, other))
    try:
        result = merge_texts("MEMORY.md", base_text, one_text, other_text)
    except Contradiction:
        return
    words = [entry.words for entry in entries.parse_document("MEMORY.md", result).entries]
    assert {*one, *other} - {*lines} <= {*words}  # what is new on either side
    assert {*one} & {*other} <= {*words}  # what both have
    assert not {*words} & ({*lines} - ({*one} & {*other}))  # what one side took out, or put in other words
