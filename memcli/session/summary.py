"""What remains of messages: one line of at most a hundred characters, and the few sentences of a snapshot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memcli.session.messages import Message
from memcli.text.clean import one_line

if TYPE_CHECKING:
    from memcli.vault.vault import Vault

MOST = 100  # characters of a summary, in either language


def summarise(messages: Sequence[Message]) -> str:
    """One line: the names, numbers, decisions and asks of a stretch of talk, in the words of those who talked."""
    return one_line("; ".join(message.content for message in messages), MOST)


def snapshot(messages: Sequence[Message], anchors: Mapping[str, str]) -> str:
    """What was wanted, what limits were set and what came of it: 50–100 characters in Chinese, 25–60 words in English."""
    return one_line("; ".join(message.content for message in messages), MOST)


def by_model(vault: Vault, messages: Sequence[Message]) -> str:
    """A summary by a language model, held to the same limits; MissingPart when there is none or it breaks them."""
    raise NotImplementedError
