"""What mem says to a person: every message has its words in Chinese, and no row is left over."""

from __future__ import annotations

import ast
import pickle
import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from memcli import contributions, registry
from memcli.errors import UsageError
from memcli.message import Message, joined, some
from memcli.remember import review
from memcli.text.messages import table_language, translated
from memcli.text.tables import LANGUAGE_FOLDER, rows, spread_rows
from memcli.vault import schema, settings, sources
from tests.package import nodes_of
from tests.rows import check_rows

pytestmark = pytest.mark.quick
PACKAGE = LANGUAGE_FOLDER.parent
ERRORS = {
    "MemError", "CheckFailed", "UsageError", "NotFound", "VaultError", "Refused", "NotKept", "Busy", "MissingPart",
    "ChangeConflict", "ModelFailure", "HttpError", "TimedOut", "UnacceptableAnswer",
}  # fmt: skip
SAYS = {"tell", "fail", "ask", "confirm", "key", "notice", "said", "translate", "joined"}
TOLD_LATER = {"hint", "fix", "note"}  # names of what is told a few lines below
# What the system and the reader of YAML say of themselves.
OTHERS = (
    "No such file", "Permission denied", "Is a directory", "Not a directory", "Connection refused", "Address already",
    "Read-only file", "No space left", "File name too long", "Operation timed out", "Name or service",
    "Temporary failure", "Network is unreachable",
    "did not find expected", "could not find expected", "mapping values", "found ",
)  # fmt: skip
JOINED = ("{A}; {B}", "{A}, {B}", "{A} and {B}")  # made of their parts
PLAIN = ("key_env: NAME names the variable that holds it, and {key} in the address is where it goes",)  # takes no value
ROWS = [row for path in sorted(PACKAGE.rglob("zh/messages.txt")) for row in rows(path)]


@cache
def keys_in(path: Path) -> tuple[str, ...]:
    """The texts that a module gives to a terminal, a notice, an error or a Message."""
    return tuple(_keys_in(path))


def _keys_in(path: Path) -> Iterator[str]:
    for call in nodes_of(path):
        if isinstance(call, ast.Call):
            name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
            wanted = {
                **dict.fromkeys(ERRORS, (0, 2)),
                **dict.fromkeys(SAYS, (0, 1)),
                "Message": (0, 1),
                "Verdict": (2, 4),
                "Check": (2, 4),
                "Result": (2, 3),
            }
            for argument in call.args[slice(*wanted.get(name, (0, 0)))]:
                yield from filter(is_english, texts(argument))
        elif isinstance(call, ast.Assign) and getattr(call.targets[0], "id", "") in TOLD_LATER:
            yield from filter(is_english, texts(call.value))


def texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):  # its values could be told by no other language: it should be a Message
        return ["".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)]
    if isinstance(node, ast.IfExp):
        return [*texts(node.body), *texts(node.orelse)]
    return []


def is_english(text: str) -> bool:
    """Words to a person; a command to type or an example is the same in every language."""
    words = re.sub(r"\{\w+\}|…", " ", text)
    return bool(re.search(r"[a-z]{2,} [a-z]", words)) and not re.match(
        r"mem [a-z]+( [a-z]+)?( [A-Z\W]|/|$)|- ask|--me |[0-9]{4}-|(pip|git|ray) [a-z]+ [\w'…{-]+", text
    )


@check_rows("module", [path.relative_to(PACKAGE).as_posix() for path in sorted(PACKAGE.rglob("*.py"))])
def test_every_name_of_a_message_has_its_value(module: str) -> None:
    for call in nodes_of(PACKAGE / module):
        if isinstance(call, ast.Call) and call.args and all(given.arg for given in call.keywords):
            name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
            values = {given.arg for given in call.keywords} | {"s"}
            if name == "Message" or (name in {*ERRORS, *SAYS, "Check"} and call.keywords):
                for key in texts(call.args[2 if name == "Check" else 0]):
                    assert names_in(key) <= values, (call.lineno, key)


def names_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@check_rows("module", [path.relative_to(PACKAGE).as_posix() for path in sorted(PACKAGE.rglob("*.py"))])
def test_every_message_has_its_words_in_chinese(module: str) -> None:
    known = {row["en"][0] for row in ROWS}
    missing = [key for key in keys_in(PACKAGE / module) if key.strip() not in known]
    assert not missing, "add a row to language/zh/messages.txt for: " + "; ".join(missing)


def reasons() -> list[str]:
    """Why something is proposed, as the tables of learning have it."""
    tables = [
        path.read_text(encoding="utf-8").split("\n") for path in PACKAGE.glob("features/learn/language/*/learn*.txt")
    ]
    listed = [line.removeprefix("why: ") for lines in tables for line in lines if line.startswith("why: ")]
    return [*listed, *reasons_in_code()]


def reasons_in_code() -> set[str]:
    """Constants that stand for a reason, such as `why=WHY`, in the modules of learning."""
    nodes = [node for path in PACKAGE.glob("features/learn/*.py") for node in nodes_of(path)]
    given = {
        node.value.id
        for node in nodes
        if isinstance(node, ast.keyword) and node.arg == "why" and isinstance(node.value, ast.Name)
    }
    made = [node for node in nodes if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]
    return {text for node in made if node.targets[0].id in given - {"why"} for text in texts(node.value)}


def test_every_reason_has_its_words_in_chinese() -> None:
    assert not [reason for reason in reasons() if translated(reason, "zh") == reason]


def test_every_setting_and_field_has_its_meaning_in_chinese() -> None:
    records = [fields for file in contributions.vault_files() for fields in file.lists().values()]
    fields = [kept.fields for kept in schema.FILES.values()] + records
    keys = [
        *settings.keys().values(),
        *sources.SourceFields.settings.values(),
        *(key for one in fields for key in one.settings.values()),
    ]
    assert not [key.name for key in keys if not key.like and translated(key.meaning, "zh", part=True) == key.meaning]


def test_every_feature_says_in_chinese_what_it_does() -> None:
    assert not [each.name for each in registry.known() if translated(each.about, "zh") == each.about]


def choices() -> set[str]:
    """The answers to the questions of a review, each with its key."""
    words = [word for answers, _ in review.kinds().values() for word in answers.split()]
    return {f"({word[0]}){word[1:]}" for word in [*words, "quit"]}


def test_every_question_of_a_review_has_its_words_in_chinese() -> None:
    for kind, (_, why) in review.kinds().items():
        assert translated(kind, "zh") != kind and translated(why, "zh") != why
    assert not [choice for choice in choices() if translated(choice, "zh") == choice]


def test_no_row_is_left_over() -> None:
    written = {
        node.value for path in PACKAGE.rglob("*.py") for node in nodes_of(path) if isinstance(node, ast.Constant)
    }
    tables = [path for path in PACKAGE.rglob("language/*/*.txt") if path.name != "messages.txt"]
    listed = "\n".join(path.read_text(encoding="utf-8") for path in tables)
    for key in (row["en"][0] for row in ROWS if not row["en"][0].startswith(OTHERS)):
        assert key in {*written, *choices()} or key in JOINED or f": {key}\n" in listed, (
            f"nothing says this any more, delete its row in messages.txt: {key}"
        )


def test_no_key_has_two_rows() -> None:
    often = Counter((row["en"][0], "part" in row) for row in ROWS)
    assert not [key for key, times in often.items() if times > 1]


@check_rows("row", ROWS, ids=lambda row: row["en"][0])
def test_the_words_have_the_names_of_the_english(row: dict[str, list[str]]) -> None:
    key, says = row["en"][0], row["says"][0]
    assert key != says
    if re.search(r"\{\w+\}", key) and key not in PLAIN:
        assert names_in(says) <= names_in(key) and names_in(key) - names_in(says) <= {"s"}


def test_a_message_is_its_english_and_is_told_by_its_key() -> None:
    why = Message("it holds {KINDS}", KINDS=joined("a password", "a PIN", by=", "))
    told = Message("not kept: {WHY}", WHY=why)
    assert told == "not kept: it holds a password, a PIN"
    assert translated(told, "zh").startswith("没记下：里面有密码、")
    assert translated(str(UsageError("'{given}' is not a number", given="x")), "zh") == "“x”不是数字"


def test_what_a_person_wrote_is_left_as_it_is() -> None:
    assert translated("not kept: coffee", "zh") == "not kept: coffee"  # words that only look like a message
    assert (
        translated(Message("not kept: {WHY}", WHY="coffee, cream and sugar"), "zh") == "没记下：coffee, cream and sugar"
    )
    place = Message("{place}: {WHY}", place="fact", WHY=Message("{id} is not an open task", id="fact"))
    assert translated(place, "zh") == "fact：fact 不是还没做的待办"


def test_a_message_without_a_row_is_told_in_english_but_not_its_parts() -> None:
    assert translated(Message("so {WHY}", WHY="it ended"), "zh") == "so it ended"
    assert (
        translated(Message("odd: {WHY}", WHY=Message("'{given}' is not a number", given=1)), "zh") == "odd: “1”不是数字"
    )


@pytest.mark.parametrize(("n", "files"), [(0, "0 files"), (1, "1 file"), ("1", "1 file"), (2, "2 files")])
def test_the_plural_is_that_of_the_number(n: object, files: str) -> None:
    assert Message("{n} file{s} in it", n=n) == f"{files} in it"


def test_a_translation_from_outside_that_does_not_fit_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"{n} bird{s} seen": "{x} 只鸟", "an open {n}": "一 {"}
    monkeypatch.setattr("memcli.text.messages._table", lambda language: (table, {}))
    assert translated(Message("{n} bird{s} seen", n=2), "zh") == "2 birds seen"
    assert translated(Message("an open {n}", n=2), "zh") == "an open 2"


def test_a_table_from_outside_may_hold_no_translations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "zh").mkdir()
    (tmp_path / "zh/messages.txt").write_bytes(b"garbage\nsays\n\nen: tea\nsays: \xff\n\nen: milk\nsays: a\n")
    monkeypatch.setattr("memcli.text.tables.LANGUAGE_FOLDER", tmp_path)
    monkeypatch.setattr("memcli.contributions.folders", lambda name: [])
    assert [row["en"] for row in spread_rows("zh", "messages.txt")] == [["tea"], ["milk"]]


def test_lists_are_joined_and_cut() -> None:
    assert joined() == joined("", "") == "" and joined("a") == "a" and joined("a", "", "b") == "a; b"
    assert some(["a", "b", "c"], 2) == "a, b and 1 more" and some(["a", "b"], 2) == "a, b"
    assert translated(joined("a", "b"), "zh") == "a；b"


def test_a_message_survives_being_copied() -> None:
    message = Message("'{given}' is not a number", given="{x}")
    for same in (deepcopy(message), pickle.loads(pickle.dumps(message))):
        assert same == message and (same.key, same.values) == (message.key, message.values)


@pytest.mark.parametrize(
    ("word", "language"),
    [("zh", "zh"), ("zh_CN.UTF-8", "zh"), ("中文", "zh"), ("Chinese", "zh"), ("C.UTF-8", ""), ("en_GB", ""), ("", "")],
)
def test_a_language_is_known_by_its_names(word: str, language: str) -> None:
    assert table_language(word) == language
