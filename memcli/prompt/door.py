"""The door: the user's words in, a whole prompt out. Here the tokens are shared out, in the order in which layers give way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from memcli.errors import MemError, UsageError
from memcli.prompt import knowledge, layers, roles
from memcli.prompt.layers import Count, Layer
from memcli.text import tokens
from memcli.vault import labels
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memcli.nudge import Question
    from memcli.session import Message, Session

T = TypeVar("T")

ORDER = ("role", "admission", "state", "summary", "questions", "recall", "recent", "knowledge", "words")


@dataclass(frozen=True)
class Request:
    """What the user says, and how the prompt around it is meant."""

    query: str
    session: str = ""  # its id or the beginning; empty: what MEM_SESSION says, else none
    role: str = ""  # empty: the session's, else the one of the state
    budget: int | None = None  # tokens in all
    knowledge: bool | None = None  # None: as the session says, else `prompt.use_knowledge`
    agent: str | None = None


@dataclass(frozen=True)
class Prompt:
    """A prompt, in both shapes, and all that it is made of."""

    query: str
    session: str
    role: str
    layers: tuple[Layer, ...]  # in their order, the empty ones too
    limit: int
    messages: tuple[dict[str, str], ...]  # as chat APIs take them
    questions: tuple[Question, ...] = ()  # to ask the user, which the prompt carries
    labels: tuple[str, ...] = ()  # that were used
    degraded: tuple[str, ...] = ()  # one line for whatever is not as it should be

    @property
    def text(self) -> str:
        return "".join(layer.text for layer in self.layers).rstrip("\n") + "\n"

    @property
    def total(self) -> int:
        return sum(layer.tokens for layer in self.layers)

    @property
    def free(self) -> int:
        return max(0, self.limit - self.total)

    def layer(self, name: str) -> Layer:
        return self.layers[ORDER.index(name)]

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": 1,
            "query": self.query,
            "session": self.session or None,
            "role": self.role,
            "limit": self.limit,
            "total": self.total,
            "free": self.free,
            "layers": [layer.as_json() for layer in self.layers],
            "messages": list(self.messages),
            "questions": [{"key": each.key, "text": each.text} for each in self.questions],
            "degraded": list(self.degraded),
        }


def build(vault: Vault, request: Request) -> Prompt:
    """The prompt for what the user says. Whatever is broken costs its own layer, and is told."""
    told, vault.notices = vault.notices, []
    try:
        made = _build(vault, request)
        return replace(made, degraded=tuple(vault.notices))
    finally:
        fresh, vault.notices = vault.notices, told
        for message in fresh:
            vault.notice(message)


def sent(vault: Vault, prompt: Prompt) -> None:
    """Note what a prompt used that was really handed to a model: questions asked, labels named."""
    if prompt.labels:
        labels.count(vault, prompt.labels)
    if prompt.questions:
        from memcli import nudge

        nudge.asked(vault, prompt.session, prompt.questions)


def _build(vault: Vault, request: Request) -> Prompt:
    sizes = vault.settings.prompt
    limit = sizes.total if request.budget is None else request.budget
    if limit < 0:
        raise UsageError("a budget can't be negative")
    count = _counter(vault)
    session = _session(vault, request.session)
    words, turns = layers.split(request.query, session)
    agent = request.agent or (session.agent if session else None)
    made = {"words": layers.words(words, count)}
    said = made["words"].tokens
    room = limit - said

    def give(name: str, budget: int, make: Callable[[int], tuple[Layer, T]], nothing: T) -> T:
        """Make a layer with what its budget and those before it leave; if that breaks, the rest goes on."""
        nonlocal room
        layer, more = _attempt(vault, name, lambda: make(max(0, min(budget, room))), (Layer(name, budget), nothing))
        made[name] = replace(layer, tight=room < budget and bool(layer.left_out or layer.why == layers.NO_ROOM))
        room -= layer.tokens
        return more

    # What stands whatever happens: the user's words, then the admission, the role and the state.
    if room < 0:
        vault.notice(f"the user's words alone take {said} tokens of {limit}: they stay whole, memory stays out")
        room = sizes.role + sizes.state + count(layers.ADMISSION)  # the limit is lost: no need to lose oneself too
    give("admission", room, lambda room: (layers.admission(room, count), None), None)
    who = roles.read(vault, request.role or (session.role if session else ""), count)
    give("role", sizes.role, lambda room: (layers.role(who, sizes.role, room, count), None), None)
    state = partial(layers.state_of, vault, session, words, sizes.state, count)
    keys: frozenset[str] = give("state", sizes.state, state, frozenset())

    # What gives way, the last of it first: each has what those above it left. Never is less kept free than is meant to.
    room = limit - max(said, min(sizes.free, limit // 2)) - sum(layer.tokens for layer in made.values()) + said
    give("summary", sizes.long_term, partial(layers.summary, session, sizes.long_term, count), None)
    asking = _questions(vault, session)
    long_term = sizes.long_term - made["summary"].tokens
    asked: tuple[Question, ...] = give("questions", long_term, partial(layers.questions, asking, long_term, count), ())
    memory = partial(layers.memory, vault, words, sizes.recall, agent, keys)
    used: tuple[str, ...] = give("recall", sizes.recall, memory, ())
    left = sizes.recent - made["summary"].tokens
    recent = partial(layers.recent, session, turns, sizes.rounds, left, count)
    kept: list[Message] = give("recent", left, recent, [])
    switches = (request.knowledge, session.knowledge if session else None, sizes.use_knowledge)
    on = next(each for each in switches if each is not None)
    give("knowledge", sizes.knowledge, partial(knowledge.layer, vault, words, sizes.knowledge, count, on), None)

    _tell_tight(vault, made, limit, said)
    ordered = tuple(made[name] for name in ORDER)
    messages = _messages(ordered, kept, words)
    return Prompt(words, session.id if session else "", who.name, ordered, limit, messages, asked, used)


def _attempt(vault: Vault, what: str, make: Callable[[], T], otherwise: T) -> T:
    """A layer that breaks must not take the prompt along, whatever it was that broke."""
    try:
        return make()
    except MemError as error:
        vault.notice(f"{what} is left out: {error.message}")
    except Exception as error:
        vault.notice(f"{what} is left out: {type(error).__name__}: {error}")
    return otherwise


def _counter(vault: Vault) -> Count:
    """By the whole table: a prompt has so many texts that learning piece by piece would take longer."""
    name = vault.settings.recall.encoding
    try:
        tokens.encoding(name)
    except MemError as error:
        vault.notice(f"{error.message}; tokens are counted by {tokens.DEFAULT_ENCODING}")
        name = tokens.DEFAULT_ENCODING
    return lambda text: tokens.count(text, name)


def _session(vault: Vault, name: str) -> Session | None:
    name = name or vault.environ.get("MEM_SESSION", "")
    if not name:
        return None
    from memcli import session  # without one, nothing of it need be loaded

    return _attempt(vault, "the session", lambda: session.find(vault, name), None)


def _questions(vault: Vault, session: Session | None) -> list[Question]:
    if session is None:
        return []
    from memcli import nudge

    return _attempt(vault, "a question to ask", lambda: nudge.questions(vault, session.id), [])


def _tell_tight(vault: Vault, made: dict[str, Layer], limit: int, said: int) -> None:
    """Which layers had less room than they are meant to have, and lost something by it."""
    lost = [
        f"{name} {made[name].tokens} of {made[name].budget}"
        for name in ("state", "summary", "recall", "recent", "knowledge")
        if made[name].tight
    ]
    if lost:
        vault.notice(f"{limit} tokens are tight beside {said} of the user's words: {', '.join(lost)}")


def _messages(ordered: Sequence[Layer], turns: Sequence[Message], words: str) -> tuple[dict[str, str], ...]:
    """One system message with all that is known, the turns as they were, the user's words last."""
    known = "".join(layer.text for layer in ordered if layer.name not in ("recent", "words")).strip()
    made = [{"role": "system", "content": known}] if known else []
    made += map(layers.message, turns)
    return (*made, {"role": "user", "content": words}) if words else tuple(made)
