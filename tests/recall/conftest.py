"""What the tests of recall share."""

from __future__ import annotations

import pytest

from memcli.text import tokens


@pytest.fixture(scope="session", autouse=True)
def whole_table() -> None:
    """The token table, loaded once: a cold process loads parts of it for each question, which adds up."""
    tokens.encoding()
