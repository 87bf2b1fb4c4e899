"""Every kind of memory in a prompt: the frame that is ours is the only one that is there."""

from __future__ import annotations

from memcli.features.talk.prompt import PromptRequest, build
from memcli.features.talk.saying import say
from memcli.session import SessionMessage, start
from memcli.vault.vault import Vault
from tests.test_frames import ASKED, EVIL, check_frames, hostile

__all__ = ["hostile"]  # a fixture


def test_no_memory_leaves_its_frame_in_a_prompt(hostile: Vault) -> None:
    talk = start(hostile)
    say(hostile, talk, SessionMessage("user", f"The harbour {EVIL}"))
    say(hostile, talk, SessionMessage("assistant", f"Yes {EVIL}"))
    built = build(hostile, PromptRequest(ASKED, session=talk.id))
    messages = [("message", message["content"]) for message in built.messages]
    check_frames([("prompt", built.text), *messages], 3)
