"""Tell an assistant in a prompt what it did not ask. These are questions about what is missing, and what is worth
bringing up when the talk leaves room (at a greeting or thanks, never in the middle of something)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memcli import contributions
from memcli.text.small_talk import is_small_talk
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.extend import ProfileQuestion, Timely
    from memcli.features.talk.prompt.layers import Lines
    from memcli.session import Session


class PromptInitiative(NamedTuple):
    questions: tuple[ProfileQuestion, ...] = ()
    nudges: tuple[Timely, ...] = ()

    @property
    def lines(self) -> Lines:
        worth = [(each.citation, f"worth bringing up: {each.text} ({each.why})") for each in self.nudges]
        return [*worth, *((question.key, question.text) for question in self.questions)]

    def within(self, items: tuple[str, ...]) -> PromptInitiative:
        """Return what had room."""
        return PromptInitiative(
            tuple(question for question in self.questions if question.key in items),
            tuple(each for each in self.nudges if each.citation in items),
        )


def find_unasked(vault: Vault, session: Session | None, words: str) -> PromptInitiative:
    initiative = contributions.initiative() if session else None
    if not (session and initiative):
        return PromptInitiative()
    said = "\n".join([words, *(message.content for message in session.messages if message.role == "user")])
    timely = initiative.timely(vault) if words and is_small_talk(words) else []
    return PromptInitiative(tuple(initiative.questions(vault, session.id, said)), tuple(timely))


def note_given(vault: Vault, session: str, unasked: PromptInitiative) -> None:
    """Record what was really given to a model."""
    if unasked != PromptInitiative() and (initiative := contributions.initiative()):
        initiative.note(vault, session, unasked.questions, unasked.nudges)
