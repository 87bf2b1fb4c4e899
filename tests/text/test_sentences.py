"""Where sentences end, as people end them, and that no cut ever falls inside a number, a word, an amount."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memcli.index.texts import spans
from memcli.text.excerpt import best_excerpt
from memcli.text.sentences import beginning, sentences, whole_before
from memcli.text.tables import LANGUAGE_FOLDER, Row, rows
from tests.rows import check_rows

anything = st.text(st.sampled_from('ab. 1,5\n!?…。；;:"”)-*至多三元kmA1. e.g'), max_size=80)

# What is never cut in two, in either language, and what stays in one sentence at least.
amounts_and_words = st.sampled_from(
    [
        "1.5 litres", "39.90 euros", "7.5", "€ 39.90", "$1,200.50", "1 200 kilometres", "3.14159", "12:30", "v2.10.3", "10.0.0.1",
        "main.py", "https://a.example/b.c?d=1.5;e", "ella@mail.example.org", "~/.ssh/config", "Node.js",
        "39.9元", "7.5 公里", "三千五百块", "2026 年 11 月 5 日", "3月5日", "7点半", "两个小时", "1.5升", "12.5万元", "Redis", "hello", "don't", "state-of-the-art", "100%", "3.5kg", "-4 °C",
    ]
)  # fmt: skip
phrases = st.sampled_from(
    [
        "Python 3.12", "Dr. Keller", "e.g. apples", "St. Petersburg", "No. 5", "Jan. 5", "5 p.m. on", "J. R. Smith",
        "max. 900 euros", "U.S. dollars", "well... maybe", "see p. 12", "1.5\nlitres", "Tom & Co. in",
    ]
)  # fmt: skip
joints = st.sampled_from([" ", ", ", ". ", "! ", "。", "；", "，", "\n", "？", "; ", "… ", "："])
Parts = list[tuple[str, str]]


def _texts(things: st.SearchStrategy[str]) -> st.SearchStrategy[Parts]:
    return st.lists(st.tuples(things, joints), min_size=1)


def _places(parts: Parts) -> tuple[str, list[tuple[int, int]]]:
    """The text, and where each thing in it begins and ends."""
    text, places = "", []
    for thing, joint in parts:
        places.append((len(text), len(text) + len(thing)))
        text += thing + joint
    return text, places


@given(anything)
@example("1.")
@example("a\n")
def test_sentences_joined_are_the_text(said: str) -> None:
    assert "".join(sentences(said)) == said
    assert all(sentences(said))


@given(_texts(amounts_and_words | phrases))
def test_no_sentence_ends_inside_a_number_a_word_or_an_amount(parts: Parts) -> None:
    text, places = _places(parts)
    at = 0
    for sentence in sentences(text):
        at += len(sentence)
        assert not [text[a:b] for a, b in places if a < at < b]


@given(_texts(amounts_and_words), st.integers(0, 200))
def test_a_text_is_cut_between_words_and_amounts(parts: Parts, most: int) -> None:
    text, places = _places(parts)
    at = whole_before(text, min(most, len(text)))
    assert not [text[a:b] for a, b in places if a < at < b]
    assert len(beginning(text, 200)) <= 200


@given(_texts(amounts_and_words), st.integers(4, 60))
def test_an_excerpt_holds_numbers_whole_or_not_at_all(parts: Parts, room: int) -> None:
    text, places = _places(parts)
    shown, _ = best_excerpt(text, room, len, lambda _: ())
    kept = shown.removesuffix("…").strip()
    at = len(kept)
    assert text.startswith(kept)
    assert not [text[a:b] for a, b in places if a < at < b]


@given(_texts(amounts_and_words))
def test_pieces_of_a_document_hold_amounts_whole(parts: Parts) -> None:
    text, places = _places(parts)
    for piece in (text[start:stop] for start, stop in spans(text, 60, 0, len)):
        begin = text.index(piece)
        if text.count(piece) == 1:
            assert not [text[a:b] for a, b in places if a < begin < b]


@check_rows(
    ("said", "cut"),
    [
        ("One. Two! Three?", ["One. ", "Two! ", "Three?"]),
        ("决定了。用 Redis！好吗？好", ["决定了。", "用 Redis！", "好吗？", "好"]),
        ('He said "no." Then left.', ['He said "no." ', "Then left."]),
        ('"Stop!" she said. He did.', ['"Stop!" she said. ', "He did."]),
        ("一行\n两行", ["一行\n", "两行"]),
        ("We need 1.5 litres of water. Bring it.", ["We need 1.5 litres of water. ", "Bring it."]),
        ("It costs 39.90. 5 people come.", ["It costs 39.90. ", "5 people come."]),
        ("i like it. it is good", ["i like it. ", "it is good"]),
        ("It takes 1.5\nlitres\nno meat", ["It takes 1.5\nlitres\n", "no meat"]),
        ("Buy: 1. milk 2. eggs 3. bread. Go.", ["Buy: 1. milk 2. eggs 3. bread. ", "Go."]),
        ("1. Milk\n2. Eggs", ["1. Milk\n", "2. Eggs"]),
        ("预算 500。3月出发；别走高架……就这样", ["预算 500。", "3月出发；", "别走高架……就这样"]),
        ("他说：“好。”然后走了", ["他说：“好。”", "然后走了"]),
        ("Tea &amp; milk; no sugar", ["Tea &amp; milk; ", "no sugar"]),
        ("well... maybe. Wait… Now", ["well... maybe. ", "Wait… ", "Now"]),
        ("no end at all", ["no end at all"]),
        ("", []),
    ],
)  # fmt: skip
def test_sentences_end_at_their_marks_in_either_language(said: str, cut: list[str]) -> None:
    assert sentences(said) == cut


TABLE = [row for language in ("en", "zh") for row in rows(LANGUAGE_FOLDER / language / "sentences.txt", examples=True)]


@pytest.mark.parametrize("row", TABLE)
def test_a_row_takes_what_it_says(row: Row) -> None:
    def stays(text: str) -> bool:
        return (
            len(sentences(text)) == 1 if "stop" in row else not any(whole_before(text, at) for at in range(len(text)))
        )

    assert all(map(stays, row["takes"]))
    assert not any(map(stays, row.get("leaves", [])))
