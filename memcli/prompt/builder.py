"""Build a whole prompt from the user's words: share out the tokens, in the order in which layers give way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from memcli.errors import UsageError
from memcli.prompt import admission, knowledge, layers, roles, state, unasked
from memcli.prompt.gathered import attempt, counter, find_session, gather
from memcli.prompt.layers import Layer
from memcli.prompt.messages import as_messages
from memcli.prompt.unasked import Unasked
from memcli.vault import labels
from memcli.vault.spoken import vault_language
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memcli.extend import Asked, PromptLayer, Timely

T = TypeVar("T")

OF_TALK = "the talk itself is asked for"
_MORE = 10  # tokens by which the line of fewer messages may be longer
TALK_FIRST = ("role", "admission", "state", "summary", "recent", "questions", "recall", "knowledge", "words")
ORDER = ("role", "admission", "state", "summary", "questions", "recall", "recent", "knowledge", "words")


@dataclass(frozen=True)
class PromptRequest:
    """Hold what the user says, and how to build the prompt."""

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
    questions: tuple[Asked, ...] = ()  # questions for the user that the prompt contains
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
    """Return the prompt for what the user says. A part that fails costs only its layer, and is listed in `degraded`."""
    told, vault.notices = vault.notices, []
    try:
        made = _build(vault, request)
        return replace(made, degraded=tuple(vault.notices))
    finally:
        fresh, vault.notices = vault.notices, told
        for message in fresh:
            vault.notice(message)


def sent(vault: Vault, prompt: BuiltPrompt) -> None:
    """Record what was used of a prompt that was really given to a model: questions asked, labels named."""
    if prompt.labels:
        labels.count(vault, prompt.labels)
    unasked.sent(vault, prompt.session, Unasked(prompt.questions, prompt.nudges))


def _build(vault: Vault, request: PromptRequest) -> BuiltPrompt:
    limit = vault.settings.prompt.total if request.budget is None else request.budget
    if limit < 0:
        raise UsageError("a budget can't be negative")
    sizes = layers.grown(vault.settings.prompt, limit)

    session = find_session(vault, request.session)
    vault = vault.seen_by(session.agent if session else None)
    found = gather(vault, session, request.query, sizes.rounds)
    words, unsummed, turns, lines = found.words, found.unsummed, found.turns, found.lines
    sizes = layers.of_talk(sizes) if found.of_talk else sizes
    heads = layers.heads(session) | {each.name: each.head for each in found.added}
    text = layers.words(words)
    if not words:
        vault.notice("nobody said anything to answer: the prompt ends without words of the user")
    count, spoken = counter(vault), vault_language(vault)
    own = session if session and not request.role else None
    who = roles.read(vault, own.role if own else request.role, count, own.role_kept if own else None)

    made = {"words": Layer("words", sizes.free, count(text), ("user",) * bool(words), text=text)}
    said = made["words"].tokens
    room = limit - said

    def left(budget: int) -> int:
        return max(0, min(budget, room))

    def give(layer: Layer) -> int:
        """Add a layer, and return how many tokens it took."""
        nonlocal room
        made[layer.name] = replace(
            layer, tight=room < layer.budget and bool(layer.left_out or layer.why == layers.NO_ROOM)
        )
        room -= layer.tokens
        return layer.tokens

    def listed(name: str, budget: int, width: int = layers.LINE) -> Layer:
        return layers.listed(name, heads[name], lines[name], budget, left(budget), count, name == "summary", width)

    # What always stands: the user's words, then the admission, the role and the state.
    if room < 0:
        vault.notice(f"the user's words alone take {said} tokens of {limit}: they stay whole, memory stays out")
        room = (
            sizes.role + sizes.state + admission.layer(vault.today, spoken, limit, count).budget
        )  # the limit is exceeded anyway, so keep the role and the state
    give(admission.layer(vault.today, spoken, room, count))
    rules = [line for line in lines["state"] if line[0].startswith(layers.ANCHOR)]
    above_all = state.layer(heads["state"], rules, sizes.state, left(limit), count).tokens
    give(layers.role(who, sizes.role, left(min(sizes.role, max(0, room - above_all))), count))
    give(state.layer(heads["state"], lines["state"], sizes.state, left(limit), count))
    if (needed := made["state"].tokens) > sizes.state:
        vault.notice(f"the state takes {needed} tokens of {sizes.state}: what holds in this talk stands whole")
    for source, _ in lines["state"]:
        if source.startswith(layers.ANCHOR) and source not in made["state"].items:
            vault.notice(f"the state has no room for what holds in this talk: {source}")

    # The last exchange comes before all that gives way; it may use half of the room that stays free otherwise.
    fixed, free = sum(layer.tokens for layer in made.values()) - said, min(sizes.free, limit * 2 // 7)
    room = limit - fixed - max(said, free // 2)
    alone = len(unsummed) < 3 and not lines["summary"]
    last = layers.exchange(session, turns, left(sizes.recent - (0 if alone else sizes.long_term)), count)
    held = count(layers.spoken(session, last))

    # What gives way, the last layer first: each gets what those above it left, and the free room stays.
    room = limit - fixed - max(said, free) - held
    summed = give(listed("summary", max(0, min(sizes.long_term, sizes.recent - held))))
    others = sum(count(layers.shown(turn)) for at, turn in enumerate(turns) if at not in last)
    crowded = len(unsummed) > len(turns) or 0 < others > min(sizes.recent - summed - held, room - sizes.recall)
    # Reserve room for the line that will sum up the turns that don't fit: about what it will take.
    head = "" if summed else heads["summary"]
    line = count(layers.bulleted(head, layers.in_a_line(session, unsummed[:-1]))) + _MORE if crowded else 0
    room -= line
    give(listed("questions", sizes.questions))
    for each in found.added:
        size = int(vault.settings.of_feature(f"prompt.{each.name}") * max(1.0, limit / max(1, sizes.total)))
        give(listed(each.name, size, layers.STANDING if each.is_long else layers.LINE))
    sought = found.sought
    if sought and request.pick:
        sought = layers.picked(sought, request.pick, made["state"].items, left(sizes.recall), count)
    memory, used = layers.memory(sought, made["state"].items, sizes.recall, left(sizes.recall), count)
    memory = replace(memory, why=OF_TALK) if found.of_talk else memory
    give(memory)
    recent, kept = layers.recent(
        session, turns, last, sizes.recent - summed, left(sizes.recent - summed - held - line), count
    )
    room += held + line
    give(recent)
    first = len(unsummed) - len(turns)
    if missing := [turn for at, turn in enumerate(unsummed, -first) if at not in kept]:
        lines["summary"] = layers.in_a_line(session, missing) + lines["summary"]
        room += summed
        give(listed("summary", min(sizes.long_term, sizes.recent - recent.tokens)))
        told = "not all of it in the summary" if made["summary"].left_out else "they are in the summary"
        vault.notice(f"{len(missing)} messages of the talk have no room as they were said: {told}")
    switches = (request.knowledge, session.knowledge if session else None, sizes.use_knowledge)
    on = not found.of_talk and next(switch for switch in switches if switch is not None)
    world = sizes.knowledge, left(sizes.knowledge), count, on
    give(
        attempt(vault, "knowledge", lambda: knowledge.layer(vault, words, *world), Layer("knowledge", sizes.knowledge))
    )

    _tell_tight(vault, made.values(), limit, said)
    ordered = tuple(made[name] for name in ordered_names(TALK_FIRST if sizes.talk_first else ORDER, found.added))
    asking = found.unprompted.within(made["questions"].items)
    ident = session.id if session else ""
    return BuiltPrompt(
        words, ident, who.name, ordered, limit, as_messages(ordered, [*kept.values()], words), asking.questions, used,
        nudges=asking.nudges,
    )  # fmt: skip


def ordered_names(own: Sequence[str], added: Iterable[PromptLayer]) -> list[str]:
    """Return the names of all layers in order; a feature's layer stands after the one it names."""
    order = list(own)
    for each in added:
        order.insert(order.index(each.after) + 1 if each.after in order else len(order) - 1, each.name)
    return order


def _tell_tight(vault: Vault, made: Iterable[Layer], limit: int, said: int) -> None:
    """Give a notice of the layers that lost something because they had less room than intended."""
    if lost := [f"{layer.name} {layer.tokens} of {layer.budget}" for layer in made if layer.tight]:
        vault.notice(f"{limit} tokens are tight beside {said} of the user's words: {', '.join(lost)}")
