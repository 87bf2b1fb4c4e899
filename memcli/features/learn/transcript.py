"""Read conversations as messages with their speakers, and find the user's own words.

The output of `mem recall` is removed here, so that it is not taken for a message. `chats` (text) and `exports` (JSON)
know how programs write conversations down.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memcli.errors import UsageError
from memcli.features.learn.chats import turns_of_chat, who_may_talk
from memcli.features.learn.exports import turns_of_json
from memcli.features.learn.stamps import DAY
from memcli.features.learn.turns import SpeakerTurn, speaker_words
from memcli.message import Message
from memcli.remember.echo import unechoed
from memcli.text.clean import harmless
from memcli.text.transcripts import tagged

USER, OTHER = "user", "other"

# Parts of a message not by its author: code, quotes, the message that a messenger shows above an answer, and
# what programs put between tags.
_UNSAID = re.compile(
    r"^[ \t]*(?P<fence>```+|~~~+)[^\n]*\n.*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z)|^[ \t]*>[^\n]*$"
    r"|^[ \t]*「[^「」\n]{1,40}[:：][^」]*」[ \t]*(?:\n[ \t—–-]{3,}$)?",
    re.S | re.M,
)
# A notice for a picture that was left out, in any language, or a day between messages; no answer looks like these.
_PROGRAM = re.compile(
    rf"<[^<>\d]{{3,40}}>|\[[^\[\]\d]{{2,12}}\]|\{{[a-z]{{3,20}}\}}"
    rf"|[-—–=]+ *{DAY} *[-—–=]+|{DAY},? *(?:[(（]?(?:周|週|星期|礼拜)[一二三四五六日天][)）]?|\w{{3,6}}day)",
    re.I,
)


@dataclass(frozen=True)
class Utterance:
    role: str  # USER, or OTHER: an assistant or somebody else
    text: str
    line: int  # the line where it begins, from 1
    at: datetime | None = None
    escaped: bool = False  # its line feeds are escaped, as in JSON, so lines can't be counted
    project: str = ""  # the folder it was said in, if the program tells


def read_transcript(
    text: str, names: Sequence[str] = (), tell: Callable[[str], object] = str, own: Sequence[str] = ()
) -> list[Utterance]:
    """Return the messages of a conversation, in order. `names` are the user's names in it, one of which must occur;
    `own` are their other names. Text that is not a chat is all the user's own."""
    text, asked = harmless(text), {name.casefold().strip() for name in names}
    known = asked | {name.casefold() for name in own}
    records = turns_of_json(text, tell)
    turns = turns_of_chat(unechoed(text, tell), known, bool(asked)) if records is None else records
    if turns is None and asked:
        raise UsageError(
            "nobody is called {name} in it: no speakers were found", "without --me all of it is yours", name=names[0]
        )
    if turns is None and (people := who_may_talk(text)):
        tell(
            Message(
                "read as notes of your own; if {people} talk in it, --me NAME says who you are",
                people=", ".join(people[:6]),
            )
        )
    turns = turns or [SpeakerTurn("user", text, 1)] if records is None else records
    mine = _mine(list(dict.fromkeys(turn.name for turn in turns if turn.name)), names, known)
    return [
        Utterance(USER if turn.name in mine else OTHER, said, turn.line, turn.at, records is not None, turn.project)
        for turn in turns
        if (said := _own_words(turn.text, tell)).strip()
    ]


def _own_words(text: str, tell: Callable[[str], object]) -> str:
    """Return the author's own words, keeping their line numbers."""
    text = unechoed(text, tell)
    lines_kept, at = [], 0
    for start, stop in tagged(text):
        lines_kept += [text[at:start], "\n" * text.count("\n", start, stop)]
        at = stop
    text = _UNSAID.sub(lambda match: "\n" * match[0].count("\n"), "".join([*lines_kept, text[at:]]))
    return "\n".join("" if _is_notice(line) else line for line in text.split("\n"))


def _is_notice(line: str) -> bool:
    """Return whether the chat program wrote a line: a picture that was left out, somebody who joined."""
    low = line.casefold().strip(" \t\u200e\u200f")
    if _PROGRAM.fullmatch(low):
        return True
    return len(low) <= 80 and any(low.startswith(words) or low.endswith(words) for words in speaker_words("notice"))


def _mine(speakers: Sequence[str], names: Sequence[str], known: set[str]) -> set[str]:
    """Return the speakers that are the user: by name, by role, or as the only person."""
    asked = {name.casefold().strip() for name in names}
    people = [name for name in speakers if name.casefold() not in speaker_words("machine")]
    if asked and (mine := {name for name in speakers if _goes_by(name, asked)}):
        return mine
    if asked and not {name.casefold() for name in people} <= speaker_words("user"):
        raise UsageError(
            "nobody is called {name} in it: there are {people}",
            f'--me "{people[0]}"',
            name=" or ".join(names),
            people=", ".join(people[:6]),
        )
    for own in (known, speaker_words("user")):
        if mine := {name for name in people if name.casefold() in own}:
            return mine
    if len(people) > 1:
        raise UsageError("which of {people} are you?", f'--me "{people[0]}"', people=", ".join(people[:6]))
    return set(people)


def _goes_by(speaker: str, names: Iterable[str]) -> bool:
    """Return whether a speaker has one of these names, as the whole name or as one word of it."""
    low = speaker.casefold().strip("~ ")
    return any(name == low or name in re.split(r"[\s_\-·(（]+", low) for name in names)
