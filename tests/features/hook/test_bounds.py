"""What a hook is handed has a bound: the answer comes and no search grows with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memcli import bounds
from memcli.features.hook.handler import handle
from memcli.features.hook.payload import read_payload
from tests.conftest import opened
from tests.recall.vaults import lay
from tests.test_bounds import HOSTILE, NOTES, asked

__all__ = ["asked"]  # a fixture


def test_what_is_no_json_is_said_in_plain_words() -> None:
    with pytest.raises(ValueError, match=r"^no JSON object$"):
        read_payload(b"junk")


@pytest.mark.slow
def test_a_payload_may_hold_anything(folder: Path, asked: list[int]) -> None:
    lay(folder, NOTES)
    for text in [*HOSTILE, "a/" * 100_000, "x " * 500_000]:
        for field in ("prompt", "session_id", "cwd", "transcript_path", "source", "agent_id"):
            payload = read_payload(json.dumps({"prompt": "what about postgres", field: text}).encode(), str(folder))
            assert len(payload.cwd) <= bounds.VALUE
            handle(opened(folder), "prompt", payload)
