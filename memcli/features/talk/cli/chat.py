"""Define `mem chat`: talk with the language model line by line. A line that begins with / is a command for `mem`."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from memcli import contributions, llm, remember, session
from memcli.cli import options
from memcli.cli.command import command
from memcli.cli.options import Session
from memcli.cli.talk_input import read_lines
from memcli.cli.terminal import Terminal
from memcli.cli.upkeep import ask_doubts, contradiction_note
from memcli.errors import MemError, UsageError
from memcli.features.talk.cli.role import check_name
from memcli.features.talk.cli.session import tell
from memcli.message import Message
from memcli.remember import proposals
from memcli.remember.proposals import Addition, OpenQuestion, Repetition
from memcli.text.clean import one_line
from memcli.text.later import compile_later
from memcli.vault.settings import nearest

if TYPE_CHECKING:
    from memcli.features.talk.turn import TalkRound
    from memcli.session import Session as Talk

_COMMAND = compile_later(r"/(\w+|\?)(?:\s+(.*))?\s*\Z", re.S)  # /etc/hosts is not a command


@dataclass
class Chat:
    """Hold the state of a talk in progress."""

    terminal: Terminal
    talk: Talk
    own: bool  # whether this command began the conversation, so that it also ends it
    learn: bool
    last: TalkRound | None = None
    told: set[str] = field(default_factory=set)  # the notices that were printed already
    proposed: int = 0  # how many memories the person was asked about
    refused: bool = False  # the person said no once, so no more questions follow


@command(
    "chat",
    "mem chat",
    "mem chat --role engineer",
    "mem chat --session c7f2         go on with a session",
    "printf '%s\\n' 'what is left to do?' /why | mem chat --no-learn",
    json="One JSON object a round, on one line.",
    agents=True,
)
def chat(
    terminal: Terminal,
    name: Session = "",
    role: Annotated[str, "NAME", "The role it is led in.", options.roles] = "",
    no_learn: Annotated[bool, "Remember nothing of what you say by itself."] = False,
) -> None:
    """Each line is a round of prompt, answer and learning.

    Ctrl-C stops an answer, Ctrl-D ends the conversation. Lines that begin with / are commands: /help shows them.
    """
    vault = terminal.vault()
    way = llm.chosen_target(vault)  # raises before a useless session is begun
    if role:
        check_name(vault, role)
    name = name or terminal.environ.get("MEM_SESSION", "").strip()
    talk = session.find_session(vault, name) if name else session.start(vault, role=role)
    talk = session.resume(vault, talk, role=role or None) if name and (talk.ended or role) else talk
    terminal.switch_agent(talk.agent)
    on = Chat(terminal, talk, not name, not no_learn)
    for line in contributions.news(vault):
        terminal.tell(line)
    terminal.tell("session {id}, {model}; /help shows what else can be typed", id=talk.id, model=way)
    for line in read_lines(terminal):
        try:
            if (command := _COMMAND.match(line)) and not _obeyed(on, command[1], (command[2] or "").strip()):
                return
            if not command and line.strip():
                _round(on, line.strip())
        except KeyboardInterrupt:  # a second Ctrl-C: the answer is stored already, but nothing was learnt from it
            terminal.tell("stopped")
            on.talk = session.find_session(vault, on.talk.id)
        except MemError as error:
            _failed(terminal, error)
        _notes(on)
    if on.own:
        _end(on, "")
    else:
        terminal.tell("session {id} stays open: it was not begun here; /end ends it", id=talk.id)
    _notes(on)
    if on.last and on.last.failure and not terminal.interactive():  # a script must see that there is no answer
        raise SystemExit(on.last.failure.code)


def _round(on: Chat, text: str) -> None:
    """Print the answer as it comes, then keep and report what was learnt."""
    from memcli.features.talk import turn

    pieces: list[str] = []

    def hear(piece: str) -> None:
        pieces.append(piece)
        if not on.terminal.as_json:
            on.terminal.out(piece, end="")
            on.terminal.stdout.flush()
            on.terminal.stdout.must_be_heard()

    before, vault = on.last, on.terminal.vault()
    on.last = done = turn.take_round(vault, on.talk, text, hear, learn=_learning(on))
    on.talk = done.session
    if done.said.request == "unsay" and before:
        _unlearn(on, before)
    kept = [memory for memory in done.learnt if proposals.is_news(memory)]
    if on.terminal.as_json:
        learnt = [
            {
                "type": memory.atom.type,
                "text": memory.atom.text,
                "place": getattr(memory, "place", ""),
                "why_not": getattr(memory, "why_not", ""),
            }
            for memory in kept
        ]
        facts = {"session": on.talk.id, "said": done.said.message.content, "answer": done.answer, "cut": done.cut}
        failure = done.failure.message if done.failure else None
        facts |= {"anchors": [*map(asdict, done.said.anchors)], "failure": failure, "learnt": learnt}
        facts |= {"request": done.said.request, "degraded": list(done.prompt.degraded if done.prompt else ())}
        on.terminal.json({"schema": 1, **facts, "notices": list(vault.notices)}, indent=None)
    elif pieces and not pieces[-1].endswith("\n"):
        on.terminal.out()
    on.terminal.stdout.flush()
    if done.failure:
        _failed(on.terminal, done.failure)
    elif done.cut:
        on.terminal.tell("stopped")
    tell(on.terminal, done.said)
    said = on.terminal.translate
    for memory in kept:
        words = f"{memory.atom.key}: {memory.atom.value}" if memory.atom.key else memory.atom.text
        stands = isinstance(memory, Addition | Repetition)
        became = said(
            Message("in {place}", place=memory.place)
            if stands
            else Message("not kept: {WHY}", WHY=one_line(memory.why_not, 100))
        )
        asked = on.terminal.interactive() and not on.terminal.as_json
        verb, instead = f"{said('kept')} " if stands else "", said(contradiction_note(memory, asked))
        on.terminal.tell(f"· {verb}{said(memory.atom.type)} {one_line(words, 100)} {became}{instead}")
        if asked and isinstance(memory, Addition | OpenQuestion):
            ask_doubts(on.terminal, memory.doubts)


def _learning(on: Chat) -> bool | Callable[[Any], bool]:
    """Return whether to learn from a round: True, False, or a function that asks the person before a memory is kept."""
    keep = on.terminal.vault().settings.of_feature("nudge.keep")
    if not on.learn or keep == "never":
        return False
    return keep == "always" or on.terminal.as_json or not on.terminal.interactive() or partial(_agreed, on)


def _agreed(on: Chat, atom: Any) -> bool:
    """Ask whether to keep a memory, unless it is a contradiction or too much was asked. Return whether to keep it."""
    if proposals.replaced_value(on.terminal.vault(), atom):
        return True
    if on.refused or on.proposed >= on.terminal.vault().settings.nudge.questions:
        return False
    on.proposed += 1
    words = f"{atom.key}: {atom.value}" if atom.key else atom.text
    kept = (
        on.terminal.key(
            Message("shall I remember {KIND} “{words}”  (y)es, (n)o", KIND=atom.type, words=one_line(words, 100)),
            ["y", "n"],
        )
        == "y"
    )
    on.refused = not kept
    return kept


def _unlearn(on: Chat, turn: TalkRound) -> None:
    """Archive the memories learnt from messages that the user has taken back."""
    for memory in turn.learnt:
        if isinstance(memory, Addition):
            with suppress(
                MemError
            ):  # a preference or a profile field is not an entry and stays; mem undo takes it back
                remember.forget(on.terminal.vault(), on.terminal.vault().find_entry(memory.place))
                on.terminal.tell("· no longer kept: {words}", words=one_line(memory.atom.text, 100))


# -- what is typed after a / -------------------------------------------------------------------------------------------


def _prefer(on: Chat, rest: str) -> None:
    key, _, value = rest.partition(" ")
    if not value.strip():
        raise UsageError("a preference is a key and a value", "/prefer drink tea, no coffee after noon")
    remember.prefer(on.terminal.vault(), key, value.strip())
    on.terminal.tell(f"{one_line(key)}: {one_line(value)}")


def _remember(on: Chat, rest: str) -> None:
    done = remember.add(on.terminal.vault(), remember.Memory(rest))
    on.terminal.tell(f"{done.entry.id}  {done.entry.place}{', known' * done.again}")


def _forget(on: Chat, rest: str) -> None:
    vault = on.terminal.vault()
    entry = vault.find_entry(rest)
    remember.forget(vault, entry)
    on.terminal.tell("{id} is archived: {words}", id=entry.id, words=one_line(entry.words, 60))


def _mode(on: Chat, rest: str) -> None:
    remember.state(on.terminal.vault(), "session_mode", rest)
    on.terminal.tell(f"session_mode: {rest}")


def _why(on: Chat, rest: str) -> None:
    from memcli.features.talk.cli.prompt import explained

    if on.last is None or on.last.prompt is None:
        raise UsageError("nothing was asked yet", "/why shows what the last prompt was made of")
    explained(on.terminal, on.last.prompt)
    for line in on.last.prompt.degraded:
        on.terminal.tell(f"{on.terminal.translate('degraded')}{on.terminal.speech.colon}{on.terminal.translate(line)}")


def _end(on: Chat, rest: str) -> None:
    from memcli.features.talk.ending import end_session

    ended = end_session(on.terminal.vault(), on.talk)
    kept = "".join(Message("; kept in {path}", path=path) for path in ended.snapshots)
    on.terminal.tell("session {id} has ended{KEPT}", id=on.talk.id, KEPT=kept)


def _help(on: Chat, rest: str) -> None:
    said = on.terminal.translate
    on.terminal.table([[f"/{name}", usage, said(says)] for name, (_, usage, says) in _COMMANDS.items()], to_stderr=True)


_COMMANDS: dict[str, tuple[Callable[[Chat, str], None], str, str]] = {
    "prefer": (_prefer, "KEY VALUE", "keep a preference"),
    "remember": (_remember, "TEXT", "keep a memory"),
    "forget": (_forget, "ID", "move a memory to the archive"),
    "mode": (_mode, "casual|deep_dive|tutorial", "how to talk from now on"),
    "why": (_why, "", "what the last prompt was made of, and from where"),
    "end": (_end, "", "end the session"),
    "help": (_help, "", "this"),
}


def _obeyed(on: Chat, name: str, rest: str) -> bool:
    """Run a slash command. Return False when it ends the conversation."""
    name = "help" if name == "?" else name.lower()
    if name not in _COMMANDS:
        raise UsageError(
            "there is no /{name}", nearest(name, list(_COMMANDS)) or "/help shows what there is", name=name
        )
    _COMMANDS[name][0](on, rest)
    return name != "end"


# -- notes out ---------------------------------------------------------------------------------------------------------


def _notes(on: Chat) -> None:
    """Report what was skipped, degraded or redacted, each notice once in a conversation."""
    vault = on.terminal.vault()
    for message in vault.notices:
        if message not in on.told:
            on.terminal.tell(f"{on.terminal.translate('note:')} {on.terminal.translate(message)}")
    on.told.update(vault.notices)
    vault.notices.clear()


def _failed(terminal: Terminal, error: MemError) -> None:
    told = map(terminal.translate, filter(None, (error.message, error.hint)))
    terminal.tell(f"mem: {terminal.speech.semicolon.join(told)}")
