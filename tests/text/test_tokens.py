"""Counting tokens: to the token what tiktoken counts, with the whole table or only the part a text needs."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memcli.errors import MissingPart
from memcli.text import tokens
from tests import cl100k
from tests.rows import check_rows
from tests.text import table

SAMPLES = [
    "hello world",
    "tiktoken is great!",
    "<|endoftext|> and <|im_start|>system",
    "今天下午和老王讨论缓存方案，决定用 Redis。",
    "日本語のテキストと한국어 텍스트",
    "👩‍👩‍👧‍👦 family 🏳️‍🌈 flag 🎉🎉🎉",
    "नमस्ते مرحبا שלום Привет",
    "a" * 3000,
    " " * 500 + "\n" * 50 + "\t\t\t",
    "====" * 100 + "----" * 100,
    "1234567890" * 20,
    "## logs/2026-11-20.md\n:14 text\n\n---\n",
    "I'll we've DON'T it's",
    "\r\n\r\n  \r\n x",
    "\0\x01\x02\x7f\u200b\ufeff",
]

text = st.text(st.characters(exclude_categories=("Cs",)), max_size=120) | st.sampled_from(SAMPLES)


@pytest.fixture
def nothing_loaded():
    """As in a cold process: the whole table is not there yet."""
    tokens.encoding.cache_clear()
    yield
    tokens.encoding.cache_clear()


def test_the_packaged_table_is_the_published_one() -> None:
    published = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
    assert sha256(table.published()).hexdigest() == published


@pytest.mark.parametrize(
    ("said", "number"),
    [("", 0), ("hello world", 2), ("tiktoken is great!", 6), ("antidisestablishmentarianism", 6), ("2 + 2 = 4", 7), ("お誕生日おめでとう", 9)],
)  # fmt: skip
def test_known_counts(said: str, number: int) -> None:
    assert tokens.count(said) == number


@check_rows("said", SAMPLES)
def test_a_count_is_tiktokens_own(said: str) -> None:
    assert tokens.count(said) == cl100k.count(said)


@given(text)
def test_any_text_counts_as_tiktoken_counts_it(said: str) -> None:
    assert tokens.count(said) == cl100k.count(said)


def test_special_tokens_in_a_note_are_plain_text() -> None:
    assert tokens.count("<|endoftext|>") == cl100k.count("<|endoftext|>") > 1


def test_a_lone_surrogate_counts_as_what_is_printed_for_it() -> None:
    assert tokens.count("caf\udce9") == cl100k.count("caf?")


@pytest.mark.slow
@pytest.mark.parametrize("said", SAMPLES)
def test_the_part_of_the_table_that_a_text_needs_counts_it_the_same(said: str, nothing_loaded: None) -> None:
    assert tokens.counter()(said) == cl100k.count(said)


def test_where_python_splits_a_text_itself_the_two_agree_on_every_sign() -> None:
    agreed = [sign for sign in map(chr, range(0x1F700)) if tokens._AGREED.fullmatch(sign)]
    assert len(agreed) > 40_000
    for said in ("".join(agreed), " ".join(agreed), "a" + "a".join(agreed), "1" + "1".join(agreed), "\n".join(agreed)):
        encoding = cl100k.own()
        pieces = tokens._SPLIT.findall(said)
        assert "".join(pieces) == said
        assert sum(len(encoding.encode_ordinary(piece)) for piece in pieces) == len(encoding.encode_ordinary(said))


signs = st.sampled_from(" \n\t\r'sStT.,-_#*1aé中文、。の한Ж🎉") | st.characters(max_codepoint=0x3FF)


@settings(max_examples=300)
@given(st.text(signs, max_size=40))
def test_mixed_signs_are_counted_piece_by_piece_as_tiktoken_counts_them(said: str) -> None:
    tokens._work[0] = 0  # as in a cold process
    assert tokens.count(said) == cl100k.count(said)


@settings(max_examples=25)
@given(st.lists(text, max_size=3), st.lists(text, min_size=1, max_size=3))
@example(["abc"], ["xyz abc"])
def test_a_counter_counts_pieces_that_it_has_seen_and_texts_that_it_has_not(seen: list[str], others: list[str]) -> None:
    tokens._work[0] = 0  # as in a cold process
    count = tokens.counter()
    for said in [*seen, *(piece[: len(piece) // 2] for piece in seen), *others]:
        assert count(said) == cl100k.count(said)


def test_an_unknown_encoding_is_refused_with_the_known_ones() -> None:
    with pytest.raises(MissingPart) as refused:
        tokens.count("x", "cl999k")
    assert "cl999k" in refused.value.message
    assert "cl100k_base" in refused.value.hint


def test_a_table_that_can_not_be_fetched_says_what_works_without_network(monkeypatch: pytest.MonkeyPatch) -> None:
    import tiktoken

    def no_network(name: str) -> None:
        raise ConnectionError("no route")

    monkeypatch.setattr(tiktoken, "get_encoding", no_network)
    with pytest.raises(MissingPart) as refused:
        tokens.count("x", "o200k_base")
    assert "o200k_base" in refused.value.message
    assert "cl100k_base" in refused.value.hint


def test_a_part_of_many_words_may_be_a_rare_word() -> None:
    assert tokens.rarity("ub") > tokens.rarity("price")
