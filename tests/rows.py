"""A table whose rows are checked in one test: every row is tried, and each that fails is named with its reason.

For rows that cost next to nothing and write nothing. A row that needs a folder or a process of its own is a test of
its own: `pytest.mark.parametrize`.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any

import pytest
from _pytest.mark import ParameterSet

Test = Callable[..., None]


def check_rows(names: str | tuple[str, ...], rows: Iterable[Any], ids: Callable[[Any], Any] | None = None) -> Any:
    """Run the decorated test once for each row, as `parametrize` would, within one test."""
    parameters = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else names
    table = [(_name_row(row, ids), _read_values(row, parameters)) for row in rows]

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)
        assert set(parameters) <= set(signature.parameters), f"{test.__name__} does not take {parameters}"

        @wraps(test)
        def check_each(**fixtures: Any) -> None:
            if not table:
                pytest.skip("a table without rows")
            failed = [
                f"[{name}] {reason}"
                for name, values in table
                if (reason := _find_failure(test, {**fixtures, **values}))
            ]
            if failed:
                pytest.fail(f"{len(failed)} of {len(table)} rows:\n" + "\n".join(failed), pytrace=False)

        others = [each for name, each in signature.parameters.items() if name not in parameters]
        check_each.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return check_each

    return decorate


def _read_values(row: Any, parameters: tuple[str, ...]) -> Mapping[str, Any]:
    if isinstance(row, ParameterSet):
        assert not row.marks, "a row that is skipped or marked is a test of its own"
        values = row.values
    else:
        values = (row,) if len(parameters) == 1 else row
    return dict(zip(parameters, values, strict=True))


def _name_row(row: Any, ids: Callable[[Any], Any] | None) -> str:
    if isinstance(row, ParameterSet):
        name = str(row.id) if row.id else repr(row.values)
    else:
        name = str(ids(row)) if ids else repr(row)
    return name if len(name) <= 300 else f"{name[:300]}…"


def _find_failure(test: Test, values: Mapping[str, Any]) -> str:
    """Return why a row fails and in which line, or "" if it does not."""
    try:
        test(**values)
    except (Exception, pytest.fail.Exception) as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
        kind = "" if isinstance(error, AssertionError | pytest.fail.Exception) else f"{type(error).__name__}: "
        return f"line {lines[0]}: {kind}{error}"
    return ""
