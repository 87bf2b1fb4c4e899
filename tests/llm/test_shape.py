"""JSON out of an answer, held against a schema."""

from __future__ import annotations

from typing import Any

import pytest

from memcli.llm.json_schema import problems, read_json
from tests.rows import check_rows

ATOMS: dict[str, Any] = {
    "type": "object",
    "required": ["atoms"],
    "properties": {
        "atoms": {
            "type": "array",
            "maxItems": 2,
            "items": {
                "type": "object",
                "required": ["type", "sure"],
                "properties": {
                    "type": {"enum": ["fact", "task"]},
                    "sure": {"type": "number", "minimum": 0, "maximum": 1},
                    "key": {"type": "string", "minLength": 1, "maxLength": 3},
                    "lasting": {"type": "boolean"},
                    "line": {"type": "integer"},
                },
            },
        }
    },
}


def atom(**more: Any) -> dict[str, Any]:
    return {"atoms": [{"type": "fact", "sure": 1, **more}]}


@pytest.mark.parametrize("value", [{"atoms": []}, atom(), atom(key="多多多", lasting=True, line=0, x=1)])
def test_what_fits_fits(value: Any) -> None:
    assert list(problems(value, ATOMS)) == []


@check_rows(
    ("value", "wrong"),
    [
        ([], "the answer is not of type object"),
        ({}, "the answer lacks 'atoms'"),
        ({"atoms": {}}, "the answer.atoms is not of type array"),
        ({"atoms": atom()["atoms"] * 3}, "the answer.atoms has 3, not -inf to 2"),
        (atom(type="secret"), 'the answer.atoms[0].type is none of ["fact", "task"]'),
        (atom(sure=1.5), "the answer.atoms[0].sure has 1.5, not 0 to 1"),
        (atom(sure=True), "the answer.atoms[0].sure is not of type number"),
        (atom(sure=float("inf")), "the answer.atoms[0].sure is not of type number"),
        (atom(key=""), "the answer.atoms[0].key has 0, not 1 to 3"),
        (atom(key=5), "the answer.atoms[0].key is not of type string"),
        (atom(lasting=1), "the answer.atoms[0].lasting is not of type boolean"),
        (atom(line=1.0), "the answer.atoms[0].line is not of type integer"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(value: Any, wrong: str) -> None:
    assert list(problems(value, ATOMS)) == [wrong]


NUMBER = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}


@pytest.mark.parametrize(
    "said",
    [
        '{"n": 1}',
        '```json\n{"n": 1}\n```',
        'Of course! Here {it} is [1]:\n{"n": 1}\nAnything else? {"n": 2}',
        '{"m": 0} no, {"n": 1}',
        '{"n": NaN} {"n": 1}',
        '{"n": 1' + "0" * 5000 + '} {"n": 1}',
    ],
)
def test_the_json_is_found_in_what_stands_around_it(said: str) -> None:
    assert read_json(said, NUMBER) == ({"n": 1}, [])


@pytest.mark.parametrize("said", ["", "no", "{" * 50_000, "[" * 50_000, '{"a":' * 5_000, '{"n": 1'])
def test_where_there_is_none_it_is_said(said: str) -> None:
    assert read_json(said, NUMBER)[1]
