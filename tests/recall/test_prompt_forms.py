"""The forms of prompts in language/*/prompts.txt, by the examples that stand there."""

from __future__ import annotations

from memcli.text import phrases
from memcli.text.tables import LANGUAGE_FOLDER, rows
from tests.rows import check_rows


def examples(key: str) -> list[tuple[str, str]]:
    """The sign of each row of the tables, and what it takes or leaves."""
    found = []
    for language in phrases.LANGUAGES:
        for row in rows(LANGUAGE_FOLDER / language / "prompts.txt", examples=True):
            found += [(row["sign"][0], text) for text in row.get(key, [])]
    return found


def has(sign: str, text: str) -> bool:
    return phrases.pattern("prompts", sign, phrases.languages(text)).search(text) is not None


@check_rows(("sign", "text"), examples("takes"))
def test_a_form_is_known_by_its_examples(sign: str, text: str) -> None:
    assert has(sign, text)


@check_rows(("sign", "text"), examples("leaves"))
def test_what_only_looks_like_a_form_is_left_alone(sign: str, text: str) -> None:
    assert not has(sign, text)
