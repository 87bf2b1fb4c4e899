"""Many words are looked up in a text at once, and none that stands there is missed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memcli.remember.gates.grams import WordIndex, grams

WORDS = st.text("ab密码 ", min_size=1, max_size=5)


@given(words=st.lists(WORDS, max_size=12), text=st.text("ab密码 ", max_size=30))
def test_every_word_that_stands_in_a_text_is_told_in_order(words: list[str], text: str) -> None:
    known = [(word, place) for place, word in enumerate(words)]
    assert WordIndex(known).find_standing(text, grams(text)) == [(word, place) for word, place in known if word in text]
