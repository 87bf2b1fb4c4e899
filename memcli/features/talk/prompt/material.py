"""Gather all possible contents of a prompt, before its tokens are assigned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from memcli import contributions, recall
from memcli.errors import MemError
from memcli.features.talk.prompt import layers, state
from memcli.features.talk.prompt.layers import Count
from memcli.features.talk.sizes import sizes_of
from memcli.text import requests, tokens
from memcli.text.small_talk import is_small_talk
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.extend import ProfileQuestion, PromptLayer, Timely
    from memcli.session import Session, SessionMessage

LIKENESS = 0.65  # a memory found by meaning alone needs at least this cosine
T = TypeVar("T")


class PromptInitiative(NamedTuple):
    """Hold what an assistant may bring up: questions about what is missing, and reminders."""

    questions: tuple[ProfileQuestion, ...] = ()
    nudges: tuple[Timely, ...] = ()

    @property
    def lines(self) -> layers.Lines:
        worth = [(each.citation, f"worth bringing up: {each.text} ({each.why})") for each in self.nudges]
        return [*worth, *((question.key, question.text) for question in self.questions)]

    def within(self, items: tuple[str, ...]) -> PromptInitiative:
        """Return only the questions and reminders among `items`, those that fit into the prompt."""
        return PromptInitiative(
            tuple(question for question in self.questions if question.key in items),
            tuple(each for each in self.nudges if each.citation in items),
        )


@dataclass(frozen=True)
class PromptMaterial:
    """Hold the possible contents of a prompt. A part that failed is empty, with a notice."""

    words: str
    unsummed: list[SessionMessage]  # the turns before the words that are in no summary
    turns: list[SessionMessage]  # the last rounds of them
    of_talk: str  # the kind of request about the conversation itself, which needs no search; else ""
    sought: recall.SearchResult | None  # the results of recall
    unprompted: PromptInitiative
    added: list[PromptLayer]  # the layers of features
    lines: dict[str, layers.Lines]  # the lines of each layer that is made of lines


def gather(vault: Vault, session: Session | None, query: str, rounds: int) -> PromptMaterial:
    """Return the contents for the layers of a prompt."""
    words, unsummed = layers.split(query, session)
    turns = layers.last_rounds(unsummed, rounds) if unsummed else []
    of_talk = requests.talk_request(words) if words else ""
    results = None if of_talk else attempt(vault, "memory", lambda: _sought(vault, words, turns), None)
    unprompted = attempt(vault, "a question to ask", lambda: find_unasked(vault, session, words), PromptInitiative())
    applying = [fact.preference for fact in results.facts if fact.preference and fact.near] if results else []
    lines: dict[str, layers.Lines] = {
        "state": attempt(vault, "the state", lambda: state.lines(vault, session, words, applying), []),
        "summary": [(layers.talk(session), each) for each in reversed(session.summaries)] if session else [],
        "questions": unprompted.lines,
    }
    added = contributions.prompt_layers()
    lines |= {each.name: [] if of_talk else contributions.lines(each, vault, words) for each in added}
    lines["state"] += attempt(vault, "what to propose", lambda: state.proposing(vault, session), [])
    if of_talk == requests.LAST:
        lines["summary"] += attempt(vault, "the last session", lambda: _of_last(vault, session), [])
    return PromptMaterial(words, unsummed, turns, of_talk, results, unprompted, added, lines)


def _of_last(vault: Vault, session: Session | None) -> layers.Lines:
    from memcli import session as talks

    found = talks.latest_session(vault, but=session.id if session else "")
    if found is None:
        vault.notice("there is no conversation before this one")
    return layers.of_last(found) if found else []


def _sought(vault: Vault, words: str, turns: Sequence[SessionMessage]) -> recall.SearchResult:
    """Return the results of recall for the words. If there are none, as for "and why?", search again with the words
    before."""
    found = search_memory(vault, words, bool(turns))
    before = next((turn.content for turn in reversed(turns) if turn.role == "user"), "")
    if not before or (found.matched and not found.search.query.empty):
        return found
    wider = search_memory(vault, f"user: {before}\nuser: {words}", True)
    return wider if wider.matched else found


def search_memory(vault: Vault, question: str, in_talk: bool) -> recall.SearchResult:
    """Return the results of recall for a question. Keep at most `prompt.meant` memories found by meaning alone, because
    nobody checks a prompt. Keep none `in_talk`, where earlier turns show what is meant."""
    settings = vault.settings
    likeness = settings.recall.likeness
    kinds = {"all": LIKENESS, **likeness}
    least = settings.recall.with_values(likeness={kind: max(LIKENESS, kinds[kind]) for kind in kinds})
    resolved = vault.resolved._replace(settings=settings._replace(recall=least))
    found = recall.seek(vault.with_values(resolved=resolved), recall.Request(question))
    left = 0 if in_talk else sizes_of(vault).meant
    ranked = []
    for each in found.ranked:
        alone = set(each.paths) == {"semantic"} and not each.matched
        left -= alone
        if not alone or left >= 0:
            ranked.append(each)
    if len(ranked) == len(found.ranked):
        return found
    answered = any(fact.answers for fact in found.facts)
    return found._replace(ranked=ranked, matched=bool(ranked or answered))


def find_unasked(vault: Vault, session: Session | None, words: str) -> PromptInitiative:
    """Return questions for the user, and after a greeting or thanks also reminders."""
    initiative = contributions.initiative() if session else None
    if not (session and initiative):
        return PromptInitiative()
    user_words = "\n".join([words, *(message.content for message in session.messages if message.role == "user")])
    timely = initiative.timely(vault) if words and is_small_talk(words) else []
    return PromptInitiative(tuple(initiative.questions(vault, session.id, user_words)), tuple(timely))


def attempt(vault: Vault, what: str, make: Callable[[], T], otherwise: T) -> T:
    """Return the result of `make`, or `otherwise` with a notice. A failing layer must not fail the prompt."""
    try:
        return make()
    except MemError as error:
        vault.notice("{what} is left out: {WHY}", what=what, WHY=error.message)
    except Exception as error:
        vault.notice("{what} is left out: {WHY}", what=what, WHY=f"{type(error).__name__}: {error}")
    return otherwise


def counter(vault: Vault) -> Count:
    """Return the token counter that is set, or our own if its table can't be fetched."""
    name = vault.settings.recall.encoding
    if name != tokens.DEFAULT_ENCODING:
        try:
            tokens.encoding(name)
        except MemError as error:
            vault.notice("{WHY}; tokens are counted by {name}", WHY=error.message, name=tokens.DEFAULT_ENCODING)
            name = tokens.DEFAULT_ENCODING
    return tokens.counter(name)


def find_session(vault: Vault, name: str) -> Session | None:
    name = name or vault.environ.get("MEM_SESSION", "")
    if not name:
        return None
    from memcli import session  # not needed without a session

    return attempt(vault, "the session", lambda: session.find_session(vault, name), None)
