"""Rules of a language that can be read at a glance, for tests of what follows from what is said."""

from __future__ import annotations

import pytest

from memcli.features.talk.topic import Shift
from memcli.session.anchors import Anchor


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """`topic:` opens another topic, `always KEY=VALUE` is an anchor."""

    def found(text: str) -> list[Anchor]:
        key, sign, value = text.removeprefix("always ").partition("=")
        return [Anchor(key, value, text)] if sign and text.startswith("always ") else []

    monkeypatch.setattr("memcli.session.anchors.anchors_in", found)
    monkeypatch.setattr(
        "memcli.features.talk.topic.topic_shift",
        lambda before, now, likeness=None: Shift(0.9, "says so") if now.startswith("topic:") else None,
    )
