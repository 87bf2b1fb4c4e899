"""What a prompt offers beside memory: questions that may be asked of the user, and how a task was done before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.nudge import Question
    from memcli.prompt.layers import Lines
    from memcli.session import Session


def questions(vault: Vault, session: Session | None, words: str) -> list[Question]:
    """Only in a session: what was asked has to be remembered there."""
    if session is None:
        return []
    from memcli import nudge  # without a session, nothing of it need be loaded

    said = "\n".join([words, *(message.content for message in session.messages if message.role == "user")])
    return nudge.questions(vault, session.id, said=said)


def ways(vault: Vault, words: str, agent: str | None) -> Lines:
    """What is known of how to do it: warnings first, then the way to take, and others that are proven."""
    from memcli import pattern  # by the prompt of a task alone

    found = pattern.offered(vault, words, agent)
    lines = [(each.places[0], f"beware: {each.said}") for each in found.warnings]
    taken = [each for each in found.ways if each.chosen or each.proven]
    return lines + [(each.way.place, f"{each.way.goal}: {each.way.said} ({each.why})") for each in taken]
