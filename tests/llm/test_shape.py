"""JSON out of an answer, held against a schema."""

from __future__ import annotations

from typing import Any

import pytest

from memcli.check_value import find_fault
from memcli.llm.client import read_json
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
    assert find_fault("the answer", value, ATOMS) == ""


@check_rows(
    ("value", "wrong"),
    [
        ([], "the answer must be an object"),
        ({}, "atoms is missing"),
        ({"atoms": {}}, "atoms must be a list"),
        ({"atoms": atom()["atoms"] * 3}, "atoms has 3 items; at most 2 items are taken"),
        (atom(type="secret"), "type must be one of fact, task"),
        (atom(sure=1.5), "sure must be a number from 0 to 1"),
        (atom(sure=True), "sure must be a number from 0 to 1"),
        (atom(sure=float("inf")), "sure must be a number from 0 to 1"),
        (atom(key=""), "key has 0 characters; 1 to 3 are taken"),
        (atom(key=5), "key must be a string"),
        (atom(lasting=1), "lasting must be true or false"),
        (atom(line=1.5), "line must be a whole number"),
    ],
)
def test_what_does_not_fit_is_named(value: Any, wrong: str) -> None:
    assert find_fault("the answer", value, ATOMS) == wrong


NUMBER = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}


@pytest.mark.parametrize(
    "said",
    [
        '{"n": 1}',
        '```json\n{"n": 1}\n```',
        'Of course! Here {it} is [1]:\n{"n": 1}\nAnything else? {"n": 2}',
        '{"m": 0} no, {"n": 1}',
        '{"n": NaN} {"n": 1}',
        '{"n": 1.0}',
        '{"n": 1' + "0" * 5000 + '} {"n": 1}',
    ],
)
def test_the_json_is_found_in_what_stands_around_it(said: str) -> None:
    assert read_json(said, NUMBER) == ({"n": 1}, "")


@pytest.mark.parametrize("said", ["", "no", "{" * 50_000, "[" * 50_000, '{"a":' * 5_000, '{"n": 1'])
def test_where_there_is_none_it_is_said(said: str) -> None:
    assert read_json(said, NUMBER)[1]
