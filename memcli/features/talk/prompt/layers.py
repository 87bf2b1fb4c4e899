"""Make the layers of a prompt, each within its budget, framed by its kind and with its source.

Every line of foreign text begins with a mark of ours or with spaces, so that no text can imitate a heading. Text under
a heading is data. Only the role and the admission are instructions, and no file can remove the admission.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from memcli.recall import SearchResult, pack
from memcli.text.clean import harmless, one_line, tame
from memcli.text.frame import bullet, indented
from memcli.text.later import compile_later
from memcli.text.sentences import beginning
from memcli.vault import preferences

if TYPE_CHECKING:
    from memcli.features.talk.prompt.roles import Role
    from memcli.features.talk.sizes import PromptSizes
    from memcli.session import Session, SessionMessage

Count = Callable[[str], int]
Lines = list[tuple[str, str]]  # pairs of a source and a text
Pick = Callable[[Sequence[str]], Container[int]]  # returns which of the offered items are wanted
Turns = dict[int, "SessionMessage"]  # messages as they are shown, by their position in the conversation

NO_ROOM = "no room"
ANCHOR, PREFERENCE = "anchor ", f"{preferences.FILE} "
SMALLEST = 40  # tokens below which memories or knowledge are not worth their frame
LONGEST = 40  # characters of a token, at most, for a text that is too long to count
LINE = 160  # characters of a line of the state or of a preference
STANDING = 400  # characters of an anchor or a long layer: more than any order
_BLACKED = compile_later(r"\[REDACTED_\w+\]")
_CUT = " … (cut)"


@dataclass(frozen=True)
class Layer:
    """Hold one layer of the prompt. An empty one has no text and gives the reason."""

    name: str
    budget: int
    tokens: int = 0
    items: tuple[str, ...] = ()  # the source of each part
    left_out: int = 0
    why: str = ""
    tight: bool = False  # whether text is missing that would fit the layer's own budget
    text: str = ""

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "text"}


def grown(sizes: PromptSizes, limit: int) -> PromptSizes:
    """Return the sizes with those of flexible layers enlarged in proportion to a larger total."""
    share = max(1.0, limit / max(1, sizes.total))
    flexible = ("long_term", "questions", "recall", "recent", "knowledge")
    return sizes.with_values(**{name: int(getattr(sizes, name) * share) for name in flexible})


def of_talk(sizes: PromptSizes) -> PromptSizes:
    """Return the sizes for a question about the conversation itself. It needs no recall, so the conversation gets those
    tokens."""
    return sizes.with_values(long_term=sizes.long_term + sizes.recall, recent=sizes.recent + sizes.recall)


def of_last(session: Session) -> Lines:
    """Return a summary of another session: its last messages in one line, then its stages, the latest first."""
    from memcli.features.talk.snapshot import summarise

    rest = [message for message in session.messages[session.kept_from :] if message.content]
    said = f"the talk before this one ({session.started:%Y-%m-%d %H:%M})" if session.started else "the talk before this"
    lines = [summarise(rest)] if rest else []
    lines = [f"{said}{f', {session.title}' if session.title else ''}: {line}" for line in lines[:1]]
    return [(talk(session), line) for line in [*lines, *reversed(session.summaries)]]


def talk(session: Session) -> str:
    """Return the name of a session as a source."""
    return f"session {session.id}"


def heads(session: Session | None) -> dict[str, str]:
    """Return the headings of the layers made of lines."""
    named = f": {talk(session)}" if session else ""
    return {
        "state": "# State: how to answer the user",
        "summary": f"# This talk so far, in short{named}",
        "questions": "# Not known yet, or worth bringing up: where it fits, never twice",
        "recent": f"# Last turns, as they were said{named}",
    }


def split(query: str, session: Session | None) -> tuple[str, list[SessionMessage]]:
    """Return the user's words, and the turns before them that are in no summary. If the session already ends with these
    words, they are not repeated as a turn. Without words, use the user's last message."""
    turns = [turn for turn in session.messages[session.kept_from :] if turn.content.strip()] if session else []
    words = harmless(query).strip()
    if turns and turns[-1].role == "user" and (not words or _same(turns[-1].content, words)):
        words = words or harmless(turns[-1].content).strip()
        turns.pop()
    return words, turns


def last_rounds(turns: list[SessionMessage], most: int) -> list[SessionMessage]:
    """Return the turns of the last rounds, at most as many as the window has. A round begins with a user's message."""
    from memcli.session import SHOWN  # not needed without a session

    turns = turns[-SHOWN:]
    begins = [at for at, turn in enumerate(turns) if turn.role == "user"]
    return turns if len(begins) <= most else turns[begins[-most] :] if most else []


def words(said: str) -> str:
    return f"# The user's words\n{said}\n" if said else ""


def role(given: Role, budget: int, room: int, count: Count) -> Layer:
    """Return as many lines of the role as fit, in order: who it is, how it talks, what it avoids."""
    lines = given.text.splitlines()
    source = "built-in" if given.problem or given.name == "built-in" else f"roles/{given.name}.yaml"
    kept = len(lines)
    while kept and count(_joined(lines[:kept])) > min(budget, room):
        kept -= 1
    text = _joined(lines[:kept])
    items = (f"{source} {given.version}",) if kept else ()
    return Layer("role", budget, count(text), items, len(lines) - kept, given.problem, text=text)


def listed(
    name: str, head: str, lines: Lines, budget: int, room: int, count: Count, turned: bool = False, width: int = LINE
) -> Layer:
    """Return a layer with as many lines as fit. `lines` are ordered by worth; they are shown in that order, or reversed
    if `turned`."""
    selected: Lines = []
    text, used = "", 0
    for each in lines:
        more = [*selected, each]
        longer = bulleted(head, more[::-1] if turned else more, width)
        if (need := count(longer)) <= room:
            selected, text, used = more, longer, need
    return Layer(name, budget, used, tuple(source for source, _ in selected), len(lines) - len(selected), text=text)


def bulleted(head: str, lines: Lines, width: int = LINE) -> str:
    """Return lines as bullets under their heading, without marks that could imitate ours."""
    widths = [STANDING if at.startswith(ANCHOR) else width for at, _ in lines]
    return _joined([head, *(bullet(said, width) for (_, said), width in zip(lines, widths, strict=True))])


def memory(
    sought: SearchResult | None, state: Sequence[str], budget: int, room: int, count: Count
) -> tuple[Layer, tuple[str, ...]]:
    """Return the layer of recall, without preferences that the state has, and the labels used in it."""
    if sought is None or room < SMALLEST:
        return Layer("recall", budget, why=NO_ROOM if sought else "broken"), ()
    found = pack(sought, room, count, {each.removeprefix(PREFERENCE) for each in state})
    items = [fact.source for fact in found.facts] + [memory.scored.entry.place for memory in found.chosen]
    why = "" if found.matched else "nothing matches"
    if not items:
        return Layer("recall", budget, why=why), ()
    left = found.considered - len(found.chosen)  # the text ends with a rule, so the next layer may follow directly
    layer = Layer("recall", budget, found.tokens, tuple(items), max(0, left), why, text=found.text)
    return layer, tuple(fact.label for fact in found.facts if fact.label)


def picked(sought: SearchResult, pick: Pick, state: Sequence[str], room: int, count: Count) -> SearchResult:
    """Return the results of recall, reduced to those that the user picks among those for the prompt."""
    found = pack(sought, room, count, {each.removeprefix(PREFERENCE) for each in state})
    entries = [memory.scored.entry for memory in found.chosen]
    offered = [f"{fact.text} ({fact.source})" for fact in found.facts]
    wanted = pick([*offered, *(f"{one_line(entry.words, LINE)} ({entry.place})" for entry in entries)])
    facts = [fact for at, fact in enumerate(found.facts) if at in wanted]
    selected = {entry for at, entry in enumerate(entries, len(offered)) if at in wanted}
    return sought._replace(
        facts=facts, fresh=[entry for entry in sought.fresh if entry in selected],
        ranked=[scored for scored in sought.ranked if scored.entry in selected],
    )  # fmt: skip


def exchange(session: Session | None, turns: Sequence[SessionMessage], room: int, count: Count) -> Turns:
    """Return the last reply and the message that it answers, shortened if needed. A long reply leaves a third of the
    tokens for that message."""
    selected: Turns = {}
    if not turns:
        return selected
    last = len(turns) - 1
    asked = next((at for at in range(last, -1, -1) if turns[at].role == "user"), last)
    room -= count(heads(session)["recent"] + "\n\n")
    for at in dict.fromkeys((last, asked)):
        before = min(count(shown(turns[asked])[: room * LONGEST]), room // 3) if at != asked else 0
        if (turn := _shortened(turns[at], room - before, count)).content:
            selected[at] = turn
            room -= count(shown(turn))
    return selected


def recent(
    session: Session | None, turns: Sequence[SessionMessage], last: Turns, budget: int, room: int, count: Count
) -> tuple[Layer, Turns]:
    """Return the layer of verbatim turns, and these turns: the last exchange, and the newest others that fit."""
    if session is None:
        return Layer("recent", budget, why="no session is named"), {}
    selected = dict(last)
    room -= 0 if last else count(heads(session)["recent"] + "\n\n")
    newest = range(len(turns) - 1, -1, -1)
    done = [at for at in newest if turns[at].tools or turns[at].role == "tool"]  # results of tools are dropped last
    for at in dict.fromkeys([*done, *newest]):
        if at in selected:
            continue
        size = count(shown(turns[at])) if len(turns[at].content) <= room * LONGEST else room + 1
        if size <= room:
            selected[at] = turns[at]
            room -= size
        elif at not in done and at < min(last, default=0):
            break  # older turns make no sense without it
    selected = dict(sorted(selected.items()))
    text = spoken(session, selected)
    return Layer(
        "recent", budget, count(text), (talk(session),) * bool(selected), len(turns) - len(selected), text=text
    ), selected


def in_a_line(session: Session | None, turns: Sequence[SessionMessage]) -> Lines:
    """Return a line for the summary that sums up some turns."""
    from memcli.features.talk.snapshot import summarise  # needed only if a conversation is too long for its room

    return [(talk(session), summarise(turns))] if session and turns else []


def spoken(session: Session | None, turns: Turns) -> str:
    return f"{heads(session)['recent']}\n{''.join(map(shown, turns.values()))}\n" if turns else ""


def message(turn: SessionMessage) -> dict[str, str]:
    """Return a turn in the form of chat APIs. The output of a tool or a hook becomes a marked message of the
    assistant."""
    said = tame(harmless(turn.content))
    if turn.role in ("user", "assistant"):
        return {"role": turn.role, "content": said}
    return {"role": "assistant", "content": f"[{turn.role}] {said}"}


def _fits(text: str, room: int, count: Count) -> bool:
    return len(text) <= max(0, room) * LONGEST and count(text) <= room


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n\n" if lines else ""


def shown(turn: SessionMessage) -> str:
    """Return a turn as text. All lines but the first are indented, so that they can't imitate ours."""
    return indented(f"{turn.role}: ", turn.content, "  ") + "\n"


def _shortened(turn: SessionMessage, room: int, count: Count) -> SessionMessage:
    """Return as much of a turn as fits, or an empty turn if hardly anything fits."""
    if _fits(shown(turn), room, count):
        return turn
    said = turn.content[: max(0, room) * LONGEST]
    low, high = 0, len(said)
    while low < high:
        middle = (low + high + 1) // 2
        short = replace(turn, content=said[:middle].rstrip() + _CUT)
        low, high = (middle, high) if _fits(shown(short), room, count) else (low, middle - 1)
    return replace(turn, content=beginning(said, low).rstrip() + _CUT if low >= SMALLEST else "")


def _same(kept: str, given: str) -> bool:
    """Return whether a message of the session has these words. Secrets were blacked out in it, and white space may
    differ."""
    place, squeezed = 0, "".join(given.split())
    *parts, end = _BLACKED.split("".join(kept.split()))
    for part in parts:
        place = squeezed.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return squeezed.endswith(end) if parts else squeezed == end
