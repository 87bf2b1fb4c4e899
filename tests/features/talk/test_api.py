"""Talks and prompts through the Python door."""

from __future__ import annotations

from memcli import Vault
from tests.conftest import NOW
from tests.test_api import memory

__all__ = ["memory"]  # a fixture


def test_a_talk_its_prompts_and_what_stays_of_it(memory: Vault) -> None:
    talk = memory.start("the cache", role="")
    memory.say("Which cache did we take?", session=talk)
    memory.say("Redis, booked as ticket 4711.", "assistant", session=talk.id, tools=["tickets"])
    built = memory.prompt("and since when?", session=talk.id, pick=lambda offered: range(len(offered)))
    assert "ticket 4711" in built.text and built.messages[-1] == {"role": "user", "content": "and since when?"}
    (path,) = memory.end(talk).snapshots
    assert "4711" in (memory.root / path).read_text(encoding="utf-8")
    assert memory.session("last").ended == NOW and memory.session(talk.id).rounds == 1
