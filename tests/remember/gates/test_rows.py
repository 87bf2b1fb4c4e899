"""Every row of the tables of secrets holds what it promises: its examples are taken, its counterexamples left."""

from __future__ import annotations

import re

import pytest

from memcli.remember.gates import labels, patterns, sensitive, tokens
from memcli.remember.gates.sensitive import find_sensitive, redacted
from memcli.text import tables
from memcli.text.hanzi import simplified
from tests.remember.gates.cases import filled

TOKENS = [row for path in (tokens.TOKENS, tokens.COMMANDS) for row in tables.rows(path, examples=True)]
WORDS = [row for path in (labels.LABELS, labels.PROSE) for row in tables.rows(path, examples=True)]
SETTINGS = ("{}", "the build uses it\n\n    {}\n\nuntil May", "- {}", "> {} (old)")
_SECRETS = {"api_key", "password", "high_entropy", "private_key"}


def of(row: tables.Row) -> str:
    return (row.get("vendor") or [f"{row['lang'][0]} {row.get('value', ['prose'])[0]}"])[0]


def test_every_format_has_a_counterexample() -> None:
    assert [of(row) for row in TOKENS if not row.get("leaves")] == []


@pytest.mark.slow
def test_a_format_takes_its_example_wherever_it_stands() -> None:
    for row in TOKENS:
        for example in row["takes"]:
            for setting in SETTINGS:
                text, holes = filled(setting.replace("{}", example), example)
                left = redacted(text)[0]
                assert not [hole for hole in holes if len(hole) > 5 and hole in left], f"{of(row)}: {left}"


def _finds(row: tables.Row, text: str) -> bool:
    patterns = tokens.patterns_in(text.lower(), tokens.read_formats(row))
    return any(re.search(pattern, text, re.A) for _, pattern in patterns)


def test_a_format_finds_its_example_by_itself() -> None:
    """The gate would find most of them by their shape alone, also where the pattern of the row matches nothing."""
    for row in TOKENS:
        for example in row["takes"]:
            text = filled(example, example)[0]
            assert _finds(row, text), f"{of(row)}: {text}"


def test_a_format_leaves_its_counterexample() -> None:
    for row in TOKENS:
        for text in row.get("leaves", ()):
            assert not _finds(row, text), f"{of(row)}: {text}"


def test_the_cheap_look_sees_whatever_a_format_takes() -> None:
    """A row whose secrets the look before all others would pass over is a row that does nothing."""
    for row in TOKENS:
        for example in row["takes"]:
            text = filled(example, example)[0]
            assert sensitive._secret(text), f"{of(row)}: `sensitive` would never look at {text!r}"


def test_a_row_of_words_takes_what_it_says() -> None:
    for row in WORDS:
        for example in row["takes"]:
            text = filled(example.replace("\\n", "\n"), example)[0]
            secrets = re.findall("⟦(.*?)⟧", text)
            assert secrets, f"{of(row)}: mark what is to be found in {example!r} with ⟦⟧"
            left = redacted(re.sub("[⟦⟧]", "", text))[0]
            assert not [secret for secret in secrets if secret in left], f"{of(row)}: {left}"


def test_a_row_of_words_leaves_what_it_says() -> None:
    for row in WORDS:
        for example in row["leaves"]:
            text = example.replace("\\n", "\n")
            assert not [text[hit.start : hit.stop] for hit in find_sensitive(text)], f"{of(row)}: {text}"


def test_every_label_is_seen_by_the_cheap_look() -> None:
    assert all(sensitive._secret(label.word) for _, label in labels.labels())


def test_traditional_characters_are_read_as_simplified_ones_sign_for_sign() -> None:
    assert simplified("密碼 帳號 通行碼 金鑰 驗證碼") == "密码 帐号 通行码 金钥 验证码"
    assert redacted("新公司的密碼是 Kopi!2023tw，分機 312")[0] == "新公司的密碼是 [REDACTED_PASSWORD]，分機 312"


def test_a_pattern_finds_its_examples_and_leaves_the_others() -> None:
    for row in tables.rows(patterns.PATTERNS, examples=True):
        (pattern,) = patterns.patterns(name := row["name"][0])
        assert [text for text in row["takes"] if not pattern.search(text.replace("\\n", "\n"))] == [], name
        assert [text for text in row["leaves"] if pattern.search(text.replace("\\n", "\n"))] == [], name
