"""What mem says to a person: every message has its words, and no row is left over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from memcli import registry
from memcli.remember import review
from memcli.text import messages
from memcli.text.messages import message, speaks
from memcli.text.tables import LANGUAGE, rows
from memcli.vault import schema, settings, sources
from tests.package import nodes_of
from tests.rows import check_rows

pytestmark = pytest.mark.quick
PACKAGE = LANGUAGE.parent
ERRORS = {"MemError", "CheckFailed", "UsageError", "VaultError", "Refused", "Busy", "MissingPart"}
SAYS = {"tell", "fail", "ask", "confirm", "key", "notice", "said"}
# What the library that reads the command line says; tests/cli/test_language.py hears it.
PARSER = ("no such ", "invalid value ", "missing argument ", "option ", "got unexpected ")
# What the system, git and the reader of YAML say.
OTHERS = (
    "No such file", "Permission denied", "Is a directory", "Not a directory", "Connection refused", "Address already",
    "Read-only file", "No space left", "File name too long", "Operation timed out", "Name or service", "[Errno ",
    "did not find expected", "could not find expected", "mapping values", "found ", "fatal: ", "bad revision", "ambiguous argument",
)  # fmt: skip
GAP = "⟨x.y⟩"
ROWS = [row for path in sorted(PACKAGE.rglob("zh/messages.txt")) for row in rows(path)]
GAPS = re.compile(r"\{(\w+)\}")


@cache
def said_in(path: Path) -> tuple[str, ...]:
    """What a module says: the texts it gives to a terminal, a notice or an error, `⟨x.y⟩` for what is put into them."""
    return tuple(_said_in(path))


def _said_in(path: Path) -> Iterator[str]:
    for call in nodes_of(path):
        if isinstance(call, ast.Call):
            name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
            wanted = {
                **dict.fromkeys(ERRORS, (0, 2)),
                "Verdict": (2, 4),
                "Check": (2, 4),
                "Result": (2, 3),
                **dict.fromkeys(SAYS, (0, 1)),
            }
            for argument in call.args[slice(*wanted.get(name, (0, 0)))]:
                yield from filter(is_english, texts(argument))


def texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        return ["".join(map(piece, node.values))]
    if isinstance(node, ast.IfExp):
        return [*texts(node.body), *texts(node.orelse)]
    return []


def piece(part: ast.expr) -> str:
    """A piece of a text with gaps; the `s` of a plural is one letter, no gap."""
    value = part.value if isinstance(part, ast.FormattedValue) else part
    value = value.left if isinstance(value, ast.BinOp) else value
    return str(value.value) if isinstance(value, ast.Constant) else GAP


def is_english(text: str) -> bool:
    """Words to a person; a command to type or an example is the same in every language."""
    words = text.replace(GAP, " ")
    return bool(re.search(r"[a-z]{2,} [a-z]", words)) and not re.match(
        r"mem [a-z]+( [a-z]+)?( [A-Z\W]|/|$)|- ask|--me |(pip|git|ray) [a-z]+ [\w'⟨-]+", text
    )


@check_rows("module", [path.relative_to(PACKAGE).as_posix() for path in sorted(PACKAGE.rglob("*.py"))])
def test_every_message_has_its_words_in_chinese(module: str) -> None:
    missing = [text for text in said_in(PACKAGE / module) if message(text.strip(), "zh", part=True) == text.strip()]
    assert not missing, "add a row to language/zh/messages.txt for: " + "; ".join(missing)


def test_no_row_swallows_words_of_another_message() -> None:
    """What is put into a gap as it is holds no English sentence of ours."""
    for path in PACKAGE.rglob("*.py"):
        for text in said_in(path):
            row, gaps = messages._fitting(text.strip(), "zh", True) or (None, {})
            kept = [words for name, words in gaps.items() if not name.isupper()]
            assert not [words for words in kept if re.search("[a-z]{3} [a-z]{2}", words.replace(GAP, ""))], (text, row)


def reasons() -> list[str]:
    """Why something is proposed, as the tables of learning have it."""
    tables = [
        path.read_text(encoding="utf-8").split("\n") for path in PACKAGE.glob("features/learn/language/*/learn*.txt")
    ]
    return [line.removeprefix("why: ") for lines in tables for line in lines if line.startswith("why: ")]


def test_every_reason_has_its_words_in_chinese() -> None:
    assert not [reason for reason in reasons() if message(reason, "zh") == reason]


def test_every_setting_and_field_has_its_meaning_in_chinese() -> None:
    records = [fields for lists in schema.lists().values() for fields in lists.values()]
    fields = [kept.fields for kept in schema.FILES.values()] + records
    keys = [
        *settings.keys().values(),
        *sources.Source.settings.values(),
        *(key for one in fields for key in one.settings.values()),
    ]
    assert not [key.name for key in keys if not key.like and message(key.meaning, "zh", part=True) == key.meaning]


def test_every_feature_says_in_chinese_what_it_does() -> None:
    assert not [each.name for each in registry.known() if message(each.about, "zh") == each.about]


def test_every_question_of_a_review_has_its_words_in_chinese() -> None:
    for kind, (_, why) in review.kinds().items():
        assert message(kind, "zh") != kind and message(why, "zh") != why


def test_no_row_is_left_over() -> None:
    spoken = {text for path in PACKAGE.rglob("*.py") for node in nodes_of(path) for text in texts(node)}  # type: ignore[arg-type]
    whole = "\n".join([*spoken, *reasons()])
    for row in (row for row in ROWS if not row["en"][0].startswith((*PARSER, *OTHERS))):
        pieces = re.split(r"\{\w+\}|[;,:] ", re.sub(r"^\((\w)\)", r"\1", row["en"][0]))
        assert max(pieces, key=len).strip() in whole, row["en"][0]


@check_rows("row", ROWS, ids=lambda row: row["en"][0])
def test_the_words_have_the_gaps_of_the_english(row: dict[str, list[str]]) -> None:
    english, words = (set(GAPS.findall(row[key][0])) for key in ("en", "says"))
    assert words <= english and english - words <= {"s"}
    assert row["en"][0] != row["says"][0]


def test_what_a_person_wrote_is_left_as_it_is() -> None:
    assert message("plans changed", "zh") == "plans changed"
    assert message("not kept: coffee, cream and sugar", "zh") == "没记下：coffee, cream and sugar"
    assert message("notes/x.md: a5c is no open task", "zh") == "notes/x.md：a5c 不是未完成的任务"
    assert message("not kept: it holds a password", "zh") == "没记下：里面有密码"
    assert message('keep fact "done", no longer "archived"  (y)es, (n)o, (a)ll the rest, (q)uit', "zh") == (
        "记下事实“done”，不再是“archived”？  y 记，n 不记，a 其余都记，q 退出"
    )


@pytest.mark.parametrize(
    ("word", "language"),
    [("zh", "zh"), ("zh_CN.UTF-8", "zh"), ("中文", "zh"), ("Chinese", "zh"), ("C.UTF-8", ""), ("en_GB", ""), ("", "")],
)
def test_a_language_is_known_by_its_names(word: str, language: str) -> None:
    assert speaks(word) == language
