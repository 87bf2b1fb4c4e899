"""No picture of a model's words reaches whoever shows them, in one piece or many."""

from __future__ import annotations

import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from memcli.text.images import ImageFilter, without_images

PARTS = [
    "![",
    "](",
    "]",
    "(",
    ")",
    "!",
    "[",
    "<img",
    "<im",
    "g ",
    "<",
    ">",
    " src=x",
    "\n",
    "tea",
    "https://evil.example/",
]


@given(st.lists(st.sampled_from(PARTS), max_size=30), st.lists(st.integers(0, 200), max_size=6))
def test_no_picture_is_left_wherever_the_text_is_cut(parts: list[str], cuts: list[int]) -> None:
    text, heard = "".join(parts), []
    images = ImageFilter(heard.append)
    for begin, stop in itertools.pairwise([0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]):
        images.add(text[begin:stop])
    images.end()
    assert not re.search(r"!\[|<img\b", "".join(heard), re.I)
    assert not re.search(r"!\[|<img\b", without_images(text), re.I)


def test_pictures_that_never_end_cost_next_to_nothing() -> None:
    for text in ("![" * 50_000, "![a](" * 20_000 + ")", "<img" * 30_000 + ">", "!" * 100_000):
        assert len(without_images(text)) <= 2 * len(text)  # by the square of its length this took half a minute


def test_what_is_taken_out_makes_no_new_picture() -> None:
    for text in ("!<img src=x>[tea](https://evil.example/)", "<i<img>mg src=x>", "<i![mg src=x](y)"):
        for pieces in ([text], list(text)):
            heard: list[str] = []
            images = ImageFilter(heard.append)
            for piece in pieces:
                images.add(piece)
            images.end()
            assert not re.search(r"!\[|<img\b", "".join(heard))
        assert not re.search(r"!\[|<img\b", without_images(text))


def test_other_words_stay() -> None:
    for text in ("[a link](https://example.org)", "wow! [1]", "a < b and c > d", "<image>", "太好了！[1]"):
        assert without_images(text) == text
