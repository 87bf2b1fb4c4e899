"""Build a whole prompt from the user's words, and assign the tokens to its layers by priority."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memcli import contributions
from memcli.errors import UsageError
from memcli.features.talk.prompt import layers, roles
from memcli.features.talk.prompt.layers import Layer
from memcli.features.talk.prompt.material import counter, find_session, gather
from memcli.features.talk.prompt.shares import Shares
from memcli.features.talk.sizes import sizes_of
from memcli.vault import labels
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memcli.extend import ProfileQuestion, PromptLayer, Timely
    from memcli.session import SessionMessage

TALK_FIRST = ("role", "admission", "state", "summary", "recent", "questions", "recall", "knowledge", "words")
ORDER = ("role", "admission", "state", "summary", "questions", "recall", "recent", "knowledge", "words")


@dataclass(frozen=True)
class PromptRequest:
    """Hold the user's words, and options for building the prompt."""

    query: str
    session: str = ""  # its id or the beginning of it; empty: MEM_SESSION, else none
    role: str = ""  # empty: the session's, else the state's
    budget: int | None = None  # tokens of the whole prompt
    knowledge: bool | None = None  # None: the session's, else `prompt.use_knowledge`
    pick: layers.Pick | None = None  # lets the user choose among the memories found


@dataclass(frozen=True)
class BuiltPrompt:
    """Hold a prompt, as text and as messages, with all its parts."""

    query: str
    session: str
    role: str
    layers: tuple[Layer, ...]  # all layers in order, with the empty ones
    limit: int
    messages: tuple[dict[str, str], ...]  # as chat APIs take them
    questions: tuple[ProfileQuestion, ...] = ()  # questions for the user that the prompt contains
    labels: tuple[str, ...] = ()  # the labels that were used
    degraded: tuple[str, ...] = ()  # one line for each thing that failed
    nudges: tuple[Timely, ...] = ()  # reminders that the prompt contains

    @property
    def text(self) -> str:
        return "".join(layer.text for layer in self.layers)

    @property
    def total(self) -> int:
        return sum(layer.tokens for layer in self.layers)

    @property
    def free(self) -> int:
        return max(0, self.limit - self.total)

    def layer(self, name: str) -> Layer:
        return next(layer for layer in self.layers if layer.name == name)

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
            "questions": [{"key": question.key, "text": question.text} for question in self.questions],
            "nudges": [{"id": each.id, "text": each.text, "citation": each.citation} for each in self.nudges],
            "degraded": list(self.degraded),
        }


def build(vault: Vault, request: PromptRequest) -> BuiltPrompt:
    """Return the prompt for the user's words. A part that fails leaves only its layer empty, and is listed in
    `degraded`."""
    notices, vault.notices = vault.notices, []
    try:
        made = _build(vault, request)
        return replace(made, degraded=tuple(vault.notices))
    finally:
        fresh, vault.notices = vault.notices, notices
        for message in fresh:
            vault.notice(message)


def note_sent(vault: Vault, prompt: BuiltPrompt) -> None:
    """Record the questions and labels in a prompt that was really sent to a model."""
    if prompt.labels:
        labels.count_uses(vault, prompt.labels)
    if (prompt.questions or prompt.nudges) and (initiative := contributions.initiative()):
        initiative.note(vault, prompt.session, prompt.questions, prompt.nudges)


def _build(vault: Vault, request: PromptRequest) -> BuiltPrompt:
    sizes = sizes_of(vault)
    limit = sizes.total if request.budget is None else request.budget
    if limit < 0:
        raise UsageError("a budget can't be negative")
    sizes = layers.grown(sizes, limit)
    session = find_session(vault, request.session)
    vault = vault.seen_by(session.agent if session else None)
    found = gather(vault, session, request.query, sizes.rounds)
    sizes = layers.of_talk(sizes) if found.of_talk else sizes
    if not found.words:
        vault.notice("nobody said anything to answer: the prompt ends without words of the user")
    shares = Shares(vault, session, found, sizes, limit, counter(vault))
    own = session if session and not request.role else None
    who = roles.read_role(vault, own.role if own else request.role, shares.count, own.role_kept if own else None)

    shares.add_fixed_layers(who)
    kept, used = shares.add_optional_layers(request.pick)
    switches = (request.knowledge, session.knowledge if session else None, sizes.use_knowledge)
    shares.add_knowledge(not found.of_talk and next(switch for switch in switches if switch is not None))

    made = shares.made
    _tell_tight(vault, made.values(), limit, made["words"].tokens)
    ordered = tuple(made[name] for name in ordered_names(TALK_FIRST if sizes.talk_first else ORDER, found.added))
    asking = found.unprompted.within(made["questions"].items)
    return BuiltPrompt(
        found.words, session.id if session else "", who.name, ordered, limit,
        _chat_messages(ordered, [*kept.values()], found.words), asking.questions, used, nudges=asking.nudges,
    )  # fmt: skip


def _chat_messages(ordered: Sequence[Layer], turns: Sequence[SessionMessage], words: str) -> tuple[dict[str, str], ...]:
    """Return one system message with everything known, then user and assistant messages in turn, the user's words last.
    The templates of many models refuse a conversation that begins with the assistant or has two messages of one speaker
    in a row, so such a beginning is quoted in the system message."""
    known = "".join(layer.text for layer in ordered if layer.name not in ("recent", "words")).strip()
    begins = next((at for at, turn in enumerate(turns) if turn.role == "user"), len(turns))
    if begins:
        head = next(layer.text for layer in ordered if layer.name == "recent").split("\n")[0]
        known = f"{known}\n\n{head}\n{''.join(map(layers.shown, turns[:begins]))}".strip()
    made = [{"role": "system", "content": known}] if known else []
    for turn in (*map(layers.message, turns[begins:]), *({"role": "user", "content": words},) * bool(words)):
        if made and made[-1]["role"] == turn["role"]:
            made[-1] = {**turn, "content": f"{made[-1]['content']}\n\n{turn['content']}"}
        else:
            made.append(turn)
    return tuple(made)


def ordered_names(own: Sequence[str], added: Iterable[PromptLayer]) -> list[str]:
    """Return the names of all layers in order. A feature's layer follows the one it names."""
    order = list(own)
    for each in added:
        order.insert(order.index(each.after) + 1 if each.after in order else len(order) - 1, each.name)
    return order


def _tell_tight(vault: Vault, made: Iterable[Layer], limit: int, said: int) -> None:
    """Add a notice that names the layers which lost text because too few tokens were left."""
    if lost := [f"{layer.name} {layer.tokens} of {layer.budget}" for layer in made if layer.tight]:
        vault.notice(
            "{n} tokens are tight beside {said} of the user's words: {what}", n=limit, said=said, what=", ".join(lost)
        )
