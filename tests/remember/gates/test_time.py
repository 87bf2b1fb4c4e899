"""The gate takes the same time for each character, however often a label stands in a text."""

from __future__ import annotations

import time

import pytest

from memcli.remember.gates import sensitive

SMALL, LARGE = 2000, 12_000  # characters
MORE = 16.0  # times the small one that the large one, of six times its size, may take; the square would be 36
PIECES = (
    "密码是", "密码是\n", "password is ", "password, token\n", "| password | token |\n", "密码：", "PIN ", "助记词 ",
    "sha256:aB3dE5fG7hI9jK1lM3nO5pQ7 ", "aB3dE5fG7h\n",
)  # fmt: skip


def seconds(text: str) -> float:
    """Return the time of this process that the gate takes, the lesser of two."""
    taken = []
    for _ in range(2):
        begun = time.process_time()
        sensitive.redacted(text)
        taken.append(time.process_time() - begun)
    return max(min(taken), 0.002)


@pytest.mark.slow
@pytest.mark.parametrize("piece", PIECES)
def test_the_gate_takes_as_long_as_a_text_is(piece: str) -> None:
    small, large = (piece * (size // len(piece)) for size in (SMALL, LARGE))
    sensitive.redacted(small)  # what is read once
    assert seconds(large) / seconds(small) < MORE


def test_what_a_page_of_labels_hides_is_still_found() -> None:
    for page in ("密码是" * 500, "password is " * 300, "密码是\n" * 300):
        assert "hunter2Trout9" not in sensitive.redacted(page + "hunter2Trout9")[0]
