"""What the page says has its words in Chinese, and no row is left over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import memcli
from memcli.features.page import ask, calendar, frame, health, recall_view, review
from memcli.page import pieces
from memcli.page.visit import PageWords
from memcli.recall.likelihood import BlockEnding
from memcli.text.messages import translated
from memcli.text.tables import LANGUAGE_FOLDER, rows, spread_rows
from memcli.vault import settings
from tests.package import nodes_of
from tests.rows import check_rows

HERE = Path(memcli.__file__).parent / "page"
FEATURES = HERE.parent / "features"
KNOWN = {row["en"][0]: row["says"][0] for row in spread_rows("zh", "page.txt")}
# Tables of the page whose values are said.
TABLES = (
    *(called for _, called, _ in frame.PLACES.values()), *frame.KEYS.values(), *review.ANSWERS.values(), *ask.BESIDE.values(),
    *calendar.WEEKDAYS, *pieces.TASKS.values(), *recall_view.COLOURED, *settings.PARTS,
    *health.STATES.values(), "log", "memory", "insight", "project", "profile", "snapshot", "note",
)  # fmt: skip


def constants(module: Path) -> Iterator[str]:
    for node in nodes_of(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def said(module: Path) -> Iterator[str]:
    """The texts that are given to `say`."""
    for node in nodes_of(module):
        is_said = isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "say"
        if is_said and node.args and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value)


@check_rows("module", [*HERE.glob("*.py"), *FEATURES.glob("*/page.py")], ids=str)
def test_every_text_has_its_words(module: Path) -> None:
    assert not [text for text in said(module) if text not in KNOWN and translated(text, "zh") == text]


def test_every_word_of_a_table_has_its_words() -> None:
    assert not [text for text in TABLES if text not in KNOWN and translated(text, "zh") == text]


@check_rows("english", sorted(KNOWN))
def test_no_row_says_what_a_message_says_already(english: str) -> None:
    elsewhere = {"Tags", "Memories"}  # words of another feature, which may be away
    assert english in elsewhere or translated(english, "zh") != KNOWN[english]


@check_rows("place", [LANGUAGE_FOLDER, *FEATURES.glob("*/language")], ids=lambda place: place.parent.name)
def test_no_row_is_left_over(place: Path) -> None:
    table = place / "zh/page.txt"
    written = {row["en"][0] for row in rows(table)} if table.exists() else set()
    modules = HERE.glob("*.py") if place == LANGUAGE_FOLDER else place.parent.glob("*.py")
    left_over = written - {text for module in modules for text in constants(module)} - {*TABLES}
    assert not left_over, f"nothing says them any more, delete their rows in {table}: {left_over}"


@check_rows("english", sorted(KNOWN))
def test_the_words_have_the_gaps_of_the_english(english: str) -> None:
    assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", KNOWN[english]))


def test_why_a_block_ends_is_said_in_chinese() -> None:
    for why in ("all", "unlikely", "nothing", "budget", "number"):
        assert not re.search("[a-z]{3}", PageWords("zh").translate_part(str(BlockEnding(why, 16, 0.0015)))), why
