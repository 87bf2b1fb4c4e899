"""A way of working comes into a prompt inside its frame, whatever its words are, and is archived after 90 days."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

from memcli.remember import expired
from memcli.vault.vault import Vault
from tests.conftest import NOW, opened
from tests.features import import_feature
from tests.test_frames import ASKED
from tests.test_frames import hostile as hostile  # a fixture


def test_a_way_of_working_reaches_a_prompt_as_data(hostile: Vault) -> None:
    hook = import_feature("memcli.features.hook.handler")
    answer = hook.handle(hostile, "prompt", hook.Payload(prompt=ASKED, session="s"), "claude")
    assert answer
    context = answer["hookSpecificOutput"]["additionalContext"]
    assert context.count("<ways") == context.count("</ways>") == 1


def test_what_nobody_used_for_ninety_days_is_archived_and_not_before(folder: Path) -> None:
    for more, old in ((timedelta(hours=1), True), (timedelta(hours=-1), False)):
        record = {"pattern": "a", "last_used": (NOW - timedelta(days=90) - more).isoformat()}
        (folder / "patterns.yaml").write_text(json.dumps({"patterns": [record]}), encoding="utf-8")
        assert bool(expired(opened(folder))) is old
