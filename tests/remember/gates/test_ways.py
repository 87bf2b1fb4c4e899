"""Ways of saying a secret that once went through, and look-alikes that were once taken: settings files, seeds, keys of
disks, pairs of names and passwords, PINs, bank accounts, Russian. Packed like the sets of `test_by_others`.

`first_sight` was written before any of them was mended, without a look at what the rules missed of it.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from memcli.remember.gates import sensitive

HERE = Path(__file__).parent


def read_set(name: str) -> dict[str, Any]:
    return dict(json.loads(gzip.decompress((HERE / f"{name}.json.gz").read_bytes())))


@pytest.mark.parametrize(("name", "missed", "taken"), [("kinds", 0, 0), ("first_sight", 3, 1)])
def test_what_was_missed_is_found_and_what_was_taken_is_left(name: str, missed: int, taken: int) -> None:
    texts = read_set(name)
    left = [text for text, secret in texts["secrets"] if secret in sensitive.redacted(text)[0]]
    lost = [text for text in texts["lookalikes"] if sensitive.redacted(text)[0] != text]
    assert len(left) <= missed, left
    assert len(lost) <= taken, lost
