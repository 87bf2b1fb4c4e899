"""Choosing: nothing twice, no near-repeats, never over the room there is, and a cut only for the best."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.recall.score import ScoredMemory
from memcli.recall.select import POOL, SHORT, SMALLEST, Choice, PackingRules, order_diverse, pack
from memcli.text.excerpt import Spots, best_excerpt
from memcli.text.novelty import SAME
from tests.recall.vaults import scored
from tests.rows import check_rows


def words(chosen: list[Choice] | list[ScoredMemory]) -> list[str]:
    return [each.text if isinstance(each, Choice) else each.entry.words for each in chosen]


def packed(ranked: list[ScoredMemory], room: int, most: int = 100) -> list[Choice]:
    """With one token a character and nothing for headings."""
    return pack(ranked, room, most, rules())


def rules(
    cost: Callable[[ScoredMemory, str, bool], int] = lambda each, text, opens: len(text),
    spots: Callable[[str], Spots] = lambda text: (),
) -> PackingRules:
    return PackingRules(cost, lambda each: each.entry.words, lambda each: each.entry.path, spots)


# -- diversity -----------------------------------------------------------------------------------------------------


def test_the_best_comes_first_whatever_the_balance() -> None:
    ranked = [scored("- the best of all", 3), scored("- the second one", 2), scored("- a third", 1)]
    for balance in (0.0, 0.3, 0.7, 1.0):
        assert words(order_diverse(ranked, 3, balance))[0] == "the best of all"


def test_relevance_alone_keeps_the_order() -> None:
    ranked = [scored(f"- entry number {n} of the pool", 9 - n) for n in range(6)]
    assert order_diverse(ranked, 6, 1.0) == ranked


def test_a_near_repeat_falls_behind_something_new() -> None:
    ranked = [
        scored("- the cache moved to redis in october", 1.0),
        scored("- the cache moved to redis in late october", 0.98),
        scored("- lulu likes tea", 0.9),
    ]
    assert words(order_diverse(ranked, 3, 0.7))[1] == "lulu likes tea"


def test_what_says_the_same_in_other_words_order_is_left_out() -> None:
    ranked = [scored("- the cache is redis now", 1.0), scored("- Now the cache is Redis.", 0.9), scored("- other", 0.1)]
    assert words(order_diverse(ranked, 3, 0.7)) == ["the cache is redis now", "other"]


def test_the_same_in_chinese_is_left_out_too() -> None:
    ranked = [scored("- 缓存方案定为两级", 1.0), scored("- 缓存方案定为两级。", 0.9)]
    assert words(order_diverse(ranked, 2, 0.7)) == ["缓存方案定为两级"]


LONG = "on the way back from the office we talked about the tide table, the lamp in the harbour and why the old jetty "


@check_rows(
    ("one", "other"),
    [
        (LONG + "is closed until 5 March", LONG + "is closed until 6 March"),
        (LONG + "costs 40 a year", LONG + "costs 45 a year"),
        (LONG + "opens on Monday", LONG + "opens on Tuesday"),
        (LONG + "is safe to walk on", LONG + "is not safe to walk on"),
        (LONG + "moved from Postgres to SQLite", LONG + "moved from SQLite to Postgres"),
        ("从公司回家的路上聊了潮汐表、港口的灯和旧码头为什么到三月五号才开放的事情", "从公司回家的路上聊了潮汐表、港口的灯和旧码头为什么到三月六号才开放的事情"),
        ("从公司回家的路上聊了潮汐表、港口的灯和旧码头的修缮计划，最后张三借了李四一百块钱", "从公司回家的路上聊了潮汐表、港口的灯和旧码头的修缮计划，最后李四借了张三一百块钱"),
        ("Anna owes Bob", "Bob owes Anna"),
    ],
)  # fmt: skip
def test_another_number_another_day_or_another_order_is_another_memory(one: str, other: str) -> None:
    assert len(order_diverse([scored(f"- {one}", 1.0), scored(f"- {other}", 0.9)], 2, 0.7)) == 2


@pytest.mark.parametrize("again", [LONG.upper(), f"09:00 {LONG}", LONG.replace(",", ";"), LONG + "too", "so " + LONG])
def test_a_long_line_said_again_is_left_out(again: str) -> None:
    assert len(order_diverse([scored(f"- {LONG}", 1.0), scored(f"- {again}", 0.9)], 2, 0.7)) == 1


def test_entries_beyond_the_pool_follow_in_their_order() -> None:
    ranked = [scored(f"- word{n}", 100 - n) for n in range(POOL * 2 + 5)]
    assert order_diverse(ranked, 2, 0.7)[POOL * 2 :] == ranked[POOL * 2 :]


def test_nothing_is_as_diverse_as_it_can_be() -> None:
    assert order_diverse([], 10, 0.7) == []


def test_scores_of_zero_are_no_trouble() -> None:
    assert len(order_diverse([scored("- a b", 0.0), scored("- c d", 0.0)], 2, 0.7)) == 2


sets = st.frozensets(st.sampled_from("abcdef"), max_size=5)


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


ranked_lists = st.lists(
    st.tuples(st.lists(st.sampled_from("cache redis tea moved likes 缓存 方案".split()), min_size=1, max_size=5), st.floats(0, 5)), max_size=12
).map(lambda rows: sorted((scored("- " + " ".join(said), score) for said, score in rows), key=lambda s: -s.score))  # fmt: skip


@given(ranked_lists, st.integers(1, 5), st.floats(0, 1))
def test_diversity_invents_nothing_and_drops_only_what_is_said(
    ranked: list[ScoredMemory], keep: int, balance: float
) -> None:
    order = order_diverse(ranked, keep, balance)
    assert all(any(each is other for other in ranked) for each in order)
    assert len({id(each) for each in order}) == len(order)
    left = [each for each in ranked if not any(each is other for other in order)]
    for each in left:
        mine = frozenset(each.entry.words.split())
        assert any(alike(mine, frozenset(kept.entry.words.split())) >= SAME - 0.2 for kept in order)


# -- packing -------------------------------------------------------------------------------------------------------


def test_what_does_not_fit_is_passed_over_for_the_next_that_does() -> None:
    ranked = [scored("- " + "a" * 20), scored("- " + "b" * 50), scored("- " + "c" * 15)]
    assert words(packed(ranked, 40)) == ["a" * 20, "c" * 15]


def test_the_best_is_cut_at_a_sentence_when_it_does_not_fit() -> None:
    best = scored("- One sentence. Another one. And a third that is long.")
    (only,) = packed([best, scored("- short")], 30)
    assert (only.text, only.cut) == ("One sentence. Another one. …", True)


def test_the_best_is_cut_in_its_first_sentence_when_not_even_that_fits() -> None:
    (only,) = packed([scored("- " + "word " * 50)], 20)
    assert (only.text, only.cut) == ("word word word word…", True)


@pytest.mark.parametrize("mark", ["。", "！", "？", "；"])
def test_chinese_is_cut_at_its_own_sentence_ends(mark: str) -> None:
    (only,) = packed([scored(f"- 第一句在这里{mark}第二句比较长一点{mark}第三句也在")], 12)
    assert only.text == f"第一句在这里{mark} …"


def spots(text: str) -> list[tuple[int, str, float]]:
    """Where the words asked for stand."""
    return [(match.start(), match[0], 1.0) for match in re.finditer("redis|cache|缓存", text)]


def cut(text: str, room: int) -> str:
    (only,) = pack([scored(f"- {text}")], room, 9, rules(spots=spots))
    assert only.cut
    assert len(only.text) <= room
    return only.text


def test_a_cut_shows_the_sentences_around_the_words_asked_for() -> None:
    filler = "Nothing of the kind here. " * 40
    text = f"{filler}It was raining. Then we moved the cache to redis. Lulu slept. {filler}"
    assert cut(text, 70) == "… It was raining. Then we moved the cache to redis. Lulu slept. …"
    assert cut(text, 45) == "… Then we moved the cache to redis. …"
    assert cut(f"One. Two. Three redis. {filler}", 30) == "One. Two. Three redis. …"
    assert cut(f"{filler}The end is redis.", 60).endswith("of the kind here. The end is redis.")
    assert cut(f"{'无关的话。' * 30}后来缓存搬走了。{'无关的话。' * 30}", 20) == "… 无关的话。后来缓存搬走了。 …"


def test_of_several_sentences_the_one_with_most_of_the_words_is_shown() -> None:
    text = f"The cache is old. {'Filler here. ' * 30}The cache is redis. {'Filler here. ' * 30}"
    assert "The cache is redis." in cut(text, 40)


def test_a_cut_leaves_out_what_lies_between_sentences_with_words_asked_for() -> None:
    text = f"We took redis for 40 euros. {'Filler here. ' * 30}The cache is redis. {'Filler here. ' * 30}"
    assert cut(text, 60).startswith("We took redis for 40 euros. … ")
    assert "The cache is redis." in cut(text, 60)


def test_a_long_text_is_counted_few_times() -> None:
    text, counted = "The roof is due. The mill is wet. " * 1000, []

    def count(shown: str) -> int:
        counted.append(shown)
        return len(shown.split())

    shown, size = best_excerpt(text, 3000, count, lambda text: [(0, "roof", 1.0)])
    assert size <= 3000 and len(shown.split()) == size and len(counted) < 50


def test_a_sentence_too_long_for_the_room_is_cut_around_the_word() -> None:
    said = cut("word " * 500 + "the redis is here " + "word " * 500, 90)
    assert said.startswith("…word")
    assert "redis is here" in said
    assert said.endswith("…")
    assert "缓存" in cut("长" * 500 + "缓存" + "长" * 500, 90)


def test_only_the_best_is_ever_cut() -> None:
    ranked = [
        scored("- first one"),
        scored("- Second. Much too long for the room that is left here. No."),
        scored("- third"),
    ]
    assert [(each.text, each.cut) for each in packed(ranked, 24)] == [("first one", False), ("third", False)]


def test_a_short_memory_keeps_its_last_sentence_and_a_long_one_is_cut() -> None:
    short = "He pulled a tick out. " * (SHORT // 22)
    ranked = [scored("- the best", 2.0), scored(f"- {short}", 1.0), scored(f"- {short * 2}", 0.9, path="b.md")]
    chosen = pack(ranked, 1000, 9, rules()._replace(odds=lambda each: 0.1, least_odds=lambda spent: 0))
    assert [each.cut for each in chosen] == [False, False, True]
    assert len(chosen[2].text) < SHORT
    room = sum(len(each.text) for each in chosen) - 1
    assert [each.cut for each in pack(ranked, room, 9, rules()._replace(odds=lambda each: 0.1, least_odds=lambda n: 0))] == [
        False, True, True,
    ]  # fmt: skip


def test_room_too_small_for_anything_worth_reading_stays_empty() -> None:
    assert packed([scored("- a b")], SMALLEST - 1) == []
    assert packed([scored("- a b")], -5) == []


def test_no_more_memories_than_asked_for() -> None:
    ranked = [scored(f"- entry {n}") for n in range(9)]
    assert len(packed(ranked, 1000, most=3)) == 3
    assert packed(ranked, 1000, most=0) == []


def test_nothing_is_said_twice() -> None:
    ranked = [
        scored("- the cache"),
        scored("- The  CACHE", path="b.md"),
        scored("- the cache [x:: y]", path="c.md"),
        scored("- tea"),
    ]
    assert words(packed(ranked, 1000)) == ["the cache", "tea"]


def test_a_heading_is_paid_for_once() -> None:
    def cost(each: ScoredMemory, text: str, opens: bool) -> int:
        return len(text) + (30 if opens else 0)

    ranked = [scored("- " + "a" * 10), scored("- " + "b" * 10), scored("- " + "c" * 10, path="other.md")]
    chosen = pack(ranked, 60, 100, rules(cost))
    assert words(chosen) == ["a" * 10, "b" * 10]


def test_a_text_of_a_megabyte_is_not_counted_whole() -> None:
    counted: list[int] = []

    def cost(each: ScoredMemory, text: str, opens: bool) -> int:
        counted.append(len(text))
        return len(text)

    pack([scored("- " + "long text. " * 100 + ("\n  " + "long text. " * 100) * 1000)], 100, 10, rules(cost))
    assert max(counted) < 10_000


@given(st.lists(st.text("ab .。\n", max_size=60), max_size=8), st.integers(-5, 150), st.integers(0, 5))
def test_the_room_is_never_exceeded(texts: list[str], room: int, most: int) -> None:
    ranked = [scored(f"- x{n}{text}", 9 - n) for n, text in enumerate(texts)]
    chosen = packed(ranked, room, most)
    assert sum(len(each.text) for each in chosen) <= max(0, room)
    assert len(chosen) <= most
    assert [each.cut for each in chosen[1:]] == [False] * len(chosen[1:])
    for each in chosen:
        whole = each.scored.entry.words
        assert each.text == whole if not each.cut else whole.startswith(each.text.rstrip("… ").rstrip())
