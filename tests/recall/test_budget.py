"""The budget: never one token over, whatever the notes are made of, counted with tiktoken over what is printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memcli.errors import UsageError
from memcli.recall import Block, Request, recall
from memcli.recall.block import NOTHING
from memcli.text import tokens
from tests import cl100k
from tests.conftest import opened
from tests.recall.vaults import ask, ask_sample, lay, texts
from tests.vault import texts as written

FORMATS = ("md", "xml", "plain")


def keeps(block: Block, budget: int) -> None:
    """What is printed is within the budget, and the number told is the true one."""
    assert block.tokens == cl100k.count(block.text) <= budget


pieces = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=80),
    st.sampled_from(
        [
            "cache ", "缓存方案定为两级。", "👩‍👩‍👧‍👦🏳️‍🌈", "<|endoftext|>", "&<>&amp;", "\0\x01\x1b[31m", "\u202e\u200b", "नमस्ते مرحبا", "= " * 300,
            "a" * 5000, "长" * 3000, "🎉" * 500, "word " * 900, "Sentence one. " * 200, "一句话。" * 400, " " * 400, "\t" * 100, "1234567890" * 50,
        ]
    ),
)  # fmt: skip
notes = st.lists(st.lists(pieces, max_size=4).map("".join), max_size=8).map(
    lambda lines: "".join(f"- cache {line}\n" for line in lines)
)
budgets = st.one_of(st.integers(0, 1200), st.integers(0, 60))


@pytest.mark.slow
@settings(max_examples=100)
@given(notes, st.one_of(written.files, notes), st.sampled_from(FORMATS), budgets, st.booleans())
@example("- cache " + "x" * 100_000 + "\n", "", "md", 1000, True)
@example("- cache " + "缓存" * 50_000 + "\n", "", "xml", 300, True)
@example("- cache " + "&" * 2000 + "\n", "", "xml", 300, True)
def test_no_block_is_ever_over_its_budget(
    folder: Path, one: str, other: str, format: str, budget: int, asks: bool
) -> None:
    lay(folder, {
        "logs/2026-11-20.md": one,
        "notes/other.md": other,
        "USER.md": "---\nname: Lin 林舟\noccupation: engineer\n---\n",
        "preferences.yaml": "- {key: cache, value: 'Redis & nothing <else>'}\n",
    })  # fmt: skip
    keeps(ask(folder, "cache 缓存" if asks else "", format=format, budget=budget), budget)


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("budget", [0, 1, 5, 12, 13, 20, 33, 50, 75, 100, 200, 400, 1000, 5000])
def test_any_budget_is_kept_on_a_real_vault(format: str, budget: int) -> None:
    for question in ("what did we decide about the cache", "上周五和老王聊了什么", "xyzzy", ""):
        keeps(ask_sample(question, format=format, budget=budget), budget)


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
def test_a_cold_process_counts_the_same_with_a_part_of_the_table(format: str) -> None:
    whole = [ask_sample(question, format=format) for question in ("the cat", "缓存")]
    tokens.encoding.cache_clear()
    try:
        parts = [ask_sample(question, format=format) for question in ("the cat", "缓存")]
    finally:
        tokens.encoding()
    assert [each.text for each in parts] == [each.text for each in whole]
    assert [each.tokens for each in parts] == [each.tokens for each in whole]


def test_who_wants_the_budget_filled_gets_most_of_it_used() -> None:
    for format in FORMATS:
        for budget in (300, 1000):
            said = ask_sample("what did we decide about the cache", format=format, budget=budget, fill=True)
            assert said.tokens > 0.8 * budget


def test_the_budget_is_a_thousand_tokens_unless_said_otherwise(folder: Path) -> None:
    lay(folder, {f"notes/{n}.md": f"- the cache number {n} is a cache {'of words ' * 9}{n}\n" for n in range(200)})
    assert 900 < ask(folder, "cache").tokens <= 1000
    assert 400 < recall(opened(folder, recall__budget=500), Request("cache")).tokens <= 500


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("budget", [0, 1, 5])
def test_a_budget_smaller_than_the_frame_prints_nothing(folder: Path, format: str, budget: int) -> None:
    lay(folder, {"a.md": "- the cache is redis, and redis alone\n"})
    block = ask(folder, "cache", format=format, budget=budget)
    assert (block.text, block.tokens, block.chosen, block.facts) == ("", 0, (), ())


def test_a_budget_of_fifty_still_says_something(folder: Path) -> None:
    lay(folder, {"a.md": "- the cache is redis\n- the cache has ten thousand entries\n"})
    assert "the cache is redis" in ask(folder, "redis cache", budget=50).text
    assert NOTHING in ask(folder, "xyzzy", budget=50).text


def test_a_negative_budget_is_refused(folder: Path) -> None:
    for wrong in ({"budget": -1}, {"most": -1}):
        with pytest.raises(UsageError):
            ask(folder, "cache", **wrong)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("budget", [60, 100, 250])
@pytest.mark.parametrize("sentence", ["The cache & the queue moved. ", "缓存搬到了新机器上。"])
def test_the_best_hit_is_cut_at_a_sentence_rather_than_left_out(
    folder: Path, format: str, budget: int, sentence: str
) -> None:
    lay(folder, {"notes/a.md": "- cache cache 缓存 " + sentence * 300 + "\n"})
    block = ask(folder, "cache 缓存", format=format, budget=budget)
    (only,) = block.chosen
    assert only.cut
    assert only.text.endswith(sentence.rstrip() + " …")
    keeps(block, budget)


def test_what_is_too_long_and_not_the_best_makes_room_for_the_next(folder: Path) -> None:
    lay(folder, {
        "notes/a.md": "- redis cache is the cache of redis\n",
        "notes/b.md": "- redis cache " + "and very much more to say of it " * 200 + "\n",
        "notes/c.md": "- the cache is small\n",
    })  # fmt: skip
    block = ask(folder, "redis cache", budget=120, fill=True)
    assert texts(block) == ["redis cache is the cache of redis", "the cache is small"]
    assert not any(each.cut for each in block.chosen)


@pytest.mark.parametrize("said", ["<|endoftext|>", "<|im_start|>system", "<|fim_prefix|>"])
def test_a_special_token_in_a_note_is_text(folder: Path, said: str) -> None:
    block = ask(lay(folder, {"a.md": f"- the cache says {said} and goes on\n"}), "cache")
    assert "and goes on" in block.text
    keeps(block, 1000)


def test_an_unknown_table_of_tokens_is_refused(folder: Path) -> None:
    from memcli.errors import UsageError

    with pytest.raises(UsageError, match=r"'cl9k' is not one of .*cl100k_base"):
        opened(folder, recall__encoding="cl9k")


def test_a_long_memory_in_letters_that_grow_in_lower_case_is_cut(folder: Path) -> None:
    lay(folder, {"notes/a.md": f"- {'İstanbul İzmir. ' * 80} cache\n", "notes/b.md": "- the cache is cold\n" * 3})
    assert "cache" in ask(folder, "cache").text
