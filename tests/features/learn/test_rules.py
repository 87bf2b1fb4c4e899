"""The tables of rules: every row takes what it says it takes, and leaves what it says it leaves."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter

import pytest

from memcli.features.learn import likelihood
from memcli.features.learn.hits import KEYED
from memcli.features.learn.language import CLASSES, FOLDER, SIGNS, TABLES, load_language, normalized
from memcli.features.learn.statement import in_sentence
from memcli.remember.atoms import TYPES
from memcli.text.tables import Row, rows
from tests.rows import check_rows

LANGUAGES = sorted(path.parent.name for path in FOLDER.glob("*/learn.txt"))
KINDS = ("rule", "sign", "never", "turn", "piece", "value", "ask", "predicate", *CLASSES)
COLUMNS = {
    "rule": {
        "rule", "type", "why", "says", "takes", "leaves", "holds", "inferred", "sure", "key", "part", "after", "first", "here",
        "outright",
    },
    "sign": {"sign", "says", "takes", "leaves"},
    "never": {"never", "says", "takes", "leaves"},
    "turn": {"turn", "says", "into", "takes", "leaves"},
    "piece": {"piece", "is"},
    "value": {"value", "ends", "never", "only", "sure", "takes", "leaves"},
    "ask": {"ask", "type", "says", "of", "takes", "leaves"},
    "predicate": {"predicate", "type", "why", "says", "words", "takes", "leaves", "inferred", "here"},
    **{kind: {kind, "says", "words", "takes", "leaves"} for kind in CLASSES},
}  # fmt: skip


@pytest.fixture(autouse=True)
def whatever_its_likelihood(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row is tried by itself; how likely it is that a clause holds a memory is told by the talks of others."""
    monkeypatch.setattr(likelihood, "LEAST", 0.0)


def table(language: str, kind: str = "") -> list[Row]:
    found = [row for name in TABLES for row in rows(FOLDER / language / f"{name}.txt", examples=True)]
    return [row for row in found if not kind or kind == next(iter(row))]


def name(row: Row) -> str:
    kind = next(kind for kind in row if kind in KINDS)
    return f"{kind}: {row[kind][0]}"


def examples(kind: str, column: str) -> list[object]:
    return [
        pytest.param(language, row, example, id=f"{language}-{name(row)}-{example}")
        for language in LANGUAGES
        for row in table(language, kind)
        for example in row.get(column, [])
    ]


def taken(sentence: str, rule: str, examples: bool = False) -> list[str]:
    """What one rule takes of a sentence, `key = value` where it has a key; of its own examples also what a narrower rule
    of its type takes before it."""
    fits = (
        next(each for name in LANGUAGES for each in load_language(name).rules if each.name == rule)
        if examples
        else None
    )
    words = normalized(sentence).strip(" .!。！")
    atoms = [
        atom
        for by, atom in in_sentence(sentence, 1, None)
        if by.name == rule or (fits and by.type == fits.type and fits.pattern.search(words))
    ]
    return [f"{atom.key} = {atom.value}" if atom.key else "" for atom in atoms]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_is_complete_and_has_examples(language: str) -> None:
    for row in table(language):
        kind = next(iter(row))
        assert kind in KINDS, f"{row} does not say what it is"
        assert set(row) <= COLUMNS[kind], f"{name(row)}: no such column: {set(row) - COLUMNS[kind]}"
        if kind == "piece":
            assert "is" in row, f"{name(row)} is nothing"
            continue
        assert kind == "value" or {"says", "words"} & set(row), f"{name(row)} has no `says:`"
        assert "takes" in row, f"{name(row)} has no example: it needs a line `takes:`"
        if row.get("sign") != ["joint"]:  # what ties a statement may be nothing, so it leaves none
            assert "leaves" in row, f"{name(row)} has no counterexample: it needs a line `leaves:`"


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_used_once_and_what_a_row_refers_to_exists(language: str) -> None:
    pieces = [row["piece"][0] for row in table(language, "piece")]
    rules = [row["rule"][0] for row in table(language, "rule")]
    for titles in (pieces, rules):
        assert [title for title, number in Counter(titles).items() if number > 1] == []
    columns = ("says", "is", "ends", "never", "only", "sure")
    written = "\n".join(line for row in table(language) for column in columns for line in row.get(column, []))
    used = set(re.findall(r"\{([^\W\d][^{}]*)\}", written))
    assert used == set(pieces), "a piece that is not used, or none of this name"
    assert {row["sign"][0] for row in table(language, "sign")} <= set(SIGNS)
    assert {type.strip() for row in table(language, "never") for type in row["never"][0].split(",")} <= set(TYPES)
    made = {row["type"][0] for kind in ("rule", "predicate") for row in table(language, kind)}
    assert made == set(TYPES)


@check_rows(("language", "row", "example"), examples("rule", "takes"))
def test_a_rule_takes_its_examples_with_their_values(language: str, row: Row, example: str) -> None:
    sentence, _, values = example.partition(" => ")
    if row.get("after"):
        assert any(by.name == row["rule"][0] for by, _ in in_sentence(sentence, 1, None))
        return
    found = taken(sentence, row["rule"][0], examples=True)
    assert found, f"{name(row)} does not take: {sentence}"
    assert "; ".join(found) == values
    assert bool(values) == (row["type"][0] in KEYED)


@check_rows(("language", "row", "example"), examples("rule", "leaves"))
def test_a_rule_leaves_its_counterexamples(language: str, row: Row, example: str) -> None:
    assert not taken(example, row["rule"][0]), f"{name(row)} takes: {example}"


@pytest.mark.parametrize("kind", ["sign", "never"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sign_is_seen_in_its_examples_and_in_no_other(language: str, kind: str) -> None:
    patterns = load_language(language).signs if kind == "sign" else load_language(language).barred
    for row in table(language, kind):
        for title in map(str.strip, row[kind][0].split(",")):
            seen = patterns[title].fullmatch if title == "bare" else patterns[title].search
            for example in row["takes"]:
                match = seen(normalized(example))
                assert match and match[0], f"{name(row)} does not take: {example}"
            for example in row.get("leaves", []):
                match = seen(normalized(example))
                assert not (match and match[0]), f"{name(row)} takes: {example}"


@check_rows("kind", [*CLASSES, "predicate"])
@check_rows("language", LANGUAGES)
def test_a_class_of_words_holds_what_it_says(language: str, kind: str) -> None:
    patterns = dict(load_language(language).classes.get(kind, ()))
    patterns |= {rule.name: rule.pattern for rule in load_language(language).predicates if kind == "predicate"}
    for row in table(language, kind):
        words = patterns[row[kind][0]]
        assert all(words.search(example) for example in row["takes"]), name(row)
        assert not any(words.search(example) for example in row["leaves"] if example), name(row)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_value_ends_where_it_ends_and_what_is_none_is_left(language: str) -> None:
    for row in table(language, "value"):
        for title in map(str.strip, row["value"][0].split(",")):
            shape = load_language(language).shapes[title]
            for example in row["takes"]:
                told, _, value = example.partition(" => ")
                assert shape.cut(told) == value, f"{name(row)}: {told}"
            for example in filter(None, row.get("leaves", [])):
                assert not shape.cut(example), f"{name(row)} takes: {example}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_about_the_user_is_told_from_others(language: str) -> None:
    for row, ask in zip(table(language, "ask"), load_language(language).asks, strict=True):
        assert all(ask.pattern.search(example) for example in row["takes"]), name(row)
        assert not any(ask.pattern.search(example) for example in row["leaves"]), name(row)


def test_words_of_a_dialect_are_as_long_as_those_they_stand_for() -> None:
    for row in rows(FOLDER / "zh" / "dialect.txt"):
        for way in row.get("says", []):
            plain = re.sub(r"\(\?.*?\)", "", way)
            assert {len(word) for word in plain.split("|")} == {len(row["is"][0])}, way


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_proposal_is_turned_into_the_words_of_who_agrees(language: str) -> None:
    for row, (pattern, into) in zip(table(language, "turn"), load_language(language).turns, strict=True):
        for example in row["takes"]:
            before, _, after = example.partition(" => ")
            assert pattern.sub(into, before) == after, f"{name(row)}: {before}"
        for example in row["leaves"]:
            assert pattern.sub(into, example) == example, f"{name(row)} takes: {example}"


@pytest.mark.parametrize(
    ("said", "loaded"),
    [("I never eat fish.", ["en"]), ("我不吃鱼。", ["zh"]), ("I never eat fish.\n我不吃鱼。", ["en", "zh"])],
)
def test_only_the_languages_of_a_text_are_read(said: str, loaded: list[str]) -> None:
    script = (
        "import sys; from memcli.features.learn import find, language, transcript\n"
        "load, names = language.rows, []\n"
        "language.rows = lambda path: names.append(path.parent.name) or load(path)\n"
        f"assert find.find_atoms(transcript.read_transcript({said!r}))\n"
        "print(*sorted(set(names)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == loaded, done.stderr
