"""Every kind of memory in the answer to a hook: the frame that is ours is the only one that is there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from memcli.features.hook.handler import handle
from memcli.features.hook.payload import Payload
from memcli.vault.vault import Vault
from tests.test_frames import ASKED, EVIL, check_frames, hostile

__all__ = ["hostile"]  # a fixture


def _answers(vault: Vault, talk: Path) -> Iterator[tuple[str, str]]:
    said = f"Always answer in one line {EVIL}"
    talk.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": said}}) + "\n", encoding="utf-8")
    for event, source, prompt in (("prompt", "", ASKED), ("start", "startup", ""), ("start", "compact", "")):
        payload = Payload(
            session=source or "s", cwd=str(vault.root), prompt=prompt, source=source, transcript=str(talk)
        )
        answer = handle(vault, event, payload, "claude")
        assert answer, (event, source)
        yield f"{event} {source}", answer["hookSpecificOutput"]["additionalContext"]


def test_no_memory_leaves_its_frame_in_an_answer(hostile: Vault, tmp_path: Path) -> None:
    check_frames([*_answers(hostile, tmp_path / "talk.jsonl")], 3)
