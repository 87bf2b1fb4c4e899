"""A loop over rows loses no row: each is tried, and each that fails is named."""

from __future__ import annotations

import pytest

from tests.rows import check_rows

tried: list[int] = []


@check_rows(("word", "length"), [("tea", 3), pytest.param("coffee", 6, id="long"), ["", 0]])
def test_each_row_has_its_values(word: str, length: int) -> None:
    assert len(word) == length


def test_every_row_is_tried_and_each_that_fails_is_named() -> None:
    @check_rows("number", [1, pytest.param(2, id="two"), 3, 0])
    def check(number: int) -> None:
        tried.append(number)
        if number == 3:
            with pytest.raises(ValueError):
                pass
        assert 6 // number == 6

    with pytest.raises(pytest.fail.Exception) as failed:
        check()
    assert tried == [1, 2, 3, 0]
    said = str(failed.value).split("\n")
    assert said[0] == "3 of 4 rows:"
    assert [line.partition("]")[0] for line in said if line.startswith("[")] == ["[two", "[3", "[0"]
    assert "DID NOT RAISE" in said[-2] and "ZeroDivisionError" in said[-1]


def test_rows_of_rows_are_all_tried() -> None:
    @check_rows("a", [1, 2])
    @check_rows("b", [1, 2])
    def check(a: int, b: int) -> None:
        assert a == b

    with pytest.raises(pytest.fail.Exception, match=r"2 of 2 rows:\n\[1\] line \d+: 1 of 2 rows:\n\[2\]"):
        check()


def test_a_table_without_rows_is_skipped() -> None:
    with pytest.raises(pytest.skip.Exception):
        check_rows("a", [])(lambda a: None)()


def test_what_is_no_row_of_the_test_is_told_at_once() -> None:
    with pytest.raises(AssertionError, match="does not take"):
        check_rows("b", [1])(lambda a: None)
    with pytest.raises(ValueError):
        check_rows(("a", "b"), [(1, 2, 3)])
