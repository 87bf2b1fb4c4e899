"""Read conversations from text: `Name: words`, `## Name`, and exports or copies from messengers.

A turn begins with a name and a colon, or with a name and a time in either order. The words follow on that line or on
the lines below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from memcli.features.learn.stamps import DATED, STAMP, clock, moment, month_first
from memcli.features.learn.turns import SpeakerTurn, speaker_words

_MARK = r"(?:\*\*|__|#{1,6}[ \t]+)?"
_PLAIN_NAME = r"(?P<name>[^\W\d_][^\n:：|<>{}()\[\]*#\"]{0,30}?)"
_ANY_NAME = r"(?P<name>[^\s:：\[\](（][^\n:：\[\]]{0,40}?)"  # beside a time any name is allowed
_NUMBER = r"(?:[ \t]*(?:[(（]\d{4,}[)）]|<[^<>\n]+@[^<>\n]+>))?"  # QQ puts the account after the name
_FIRST = rf"[ \t]*(?:[-*][ \t]+)?[\[(（]?(?P<at>{STAMP})[\])）]?[ \t]*"
_COLON = r"[ \t]*[:：](?!//)[ \t]*"

_STAMP_NAME_WORDS = re.compile(
    rf"{_FIRST}(?:[-–—,|][ \t]*)?{_MARK}{_ANY_NAME}{_NUMBER}(?:\*\*|__)?{_COLON}(?:\*\*|__)?(?P<words>.*)", re.I
)
_STAMP_NAME = re.compile(rf"{_FIRST}{_ANY_NAME}{_NUMBER}[ \t]*$", re.I)
_NAME_STAMP = re.compile(
    rf"[ \t]*{_MARK}{_ANY_NAME}(?:\*\*|__)?{_NUMBER}[ \t]*[,，|·•—–-]*[ \t]*"
    rf"[\[(（]?(?<![\d.:])(?P<at>{STAMP})[\])）]?[ \t]*[:：]?[ \t]*$",
    re.I,
)
_NAME_STAMP_WORDS = re.compile(
    rf"[ \t]*{_MARK}{_ANY_NAME}(?:\*\*|__)?[ \t]*,?[ \t]*[\[(（](?P<at>{STAMP})[\])）]{_COLON}"
    r"(?:\*\*|__)?[ \t]*(?P<words>.*)",
    re.I,
)
_NAME_WORDS = re.compile(
    rf"[ \t]*(?:[-*][ \t]+)?{_MARK}{_PLAIN_NAME}(?:\*\*|__)?{_COLON}(?:\*\*|__)?[ \t]*(?P<words>.*)"
)
_TITLE = re.compile(rf"#{{1,6}}[ \t]+\W*{_PLAIN_NAME}[ \t]*$")
_TIME_ALONE = re.compile(rf"[ \t]*[\[(]?(?P<at>{STAMP})[\])]?[ \t]*$", re.I)
# above the messages of a day, as WeChat forwards them: ————— 2026-10-28 —————
_DAY_ALONE = re.compile(
    r"[ \t—–─=*#-]*(?P<at>\d{4}[-/.年] ?\d\d?[-/.月] ?\d\d?日?)(?: *(?:星期|周)[一二三四五六日天])?[ \t—–─=*#-]*$"
)
_TIME_WORDS = re.compile(rf"\[(?P<at>{STAMP})\][ \t]*(?P<words>\S.*)$", re.I)
_BY_PROGRAM = re.compile(rf"[ \t]*[\[(]?{DATED}[\])]?[ \t]+[-–—][ \t]+\S", re.I)  # written by the chat program
# The head of a message as tools that read backups of Signal write it; the one who exported it is the user.
_FIELD = r"[A-Z][\w-]*:[^\n]*\n"
_SIGNAL = re.compile(
    rf"^From:[ \t]*(?P<name>[^\n(<]+?)[ \t]*(?:[(<][^\n]*)?\n(?:{_FIELD}){{0,9}}?"
    rf"Type:[ \t]*(?P<type>incoming|outgoing)[ \t]*\n(?:{_FIELD}){{0,30}}",
    re.M | re.I,
)
_SENT = re.compile(rf"^(?:Sent|Date)[^:\n]*:[ \t]*(?P<at>{STAMP})", re.M | re.I)
_SHORT_TALK = 40  # lines
_PERSON = re.compile(r"\b(?:i|i'm|i've|my|me|we|our|you|your)\b|[我咱你您]", re.I)
_MARKS = {ord(mark): "" for mark in "\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff"}  # of direction
_SPACES = {ord(space): " " for space in "\u00a0\u202f"}
_EDITED = re.compile(r"[ \t]*(?:\(edited\)|<This message was edited>|（?已编辑）?$)", re.I)


@dataclass(frozen=True)
class _Start:
    """Hold the beginning of a turn, found in a line."""

    name: str
    words: str
    stamp: str = ""
    sure: bool = True  # false: a name with only a time of day, which may be a note


def turns_of_chat(text: str, names: set[str], asked: bool = False) -> list[SpeakerTurn] | None:
    """Return the turns of a chat, or None if the text is not a chat. `names` are the user's names; `asked` tells
    whether the user said which speaker they are."""
    lines = _without_heads(text.translate(_MARKS | _SPACES), names).split("\n")
    starts = dict(_starts(lines, names))
    stamped = {start.name.casefold() for start in starts.values() if start.stamp}
    known = names | speaker_words("user") | speaker_words("machine")
    stamps = [start.stamp for start in starts.values() if start.stamp]
    if len(stamps) * 2 > len(starts):  # in a chat with times, a name before a colon inside a message is not a speaker
        starts = {
            n: start
            for n, start in starts.items()
            if start.stamp or not start.name or start.name.casefold() in stamped | known
        }
    named = [start.name.casefold() for start in starts.values() if start.name]
    sure = {name for name in named if name in stamped or named.count(name) > 1}
    alone = len(set(named)) == 1 and len(stamps) > 1  # somebody writes to themselves, or to a silent group
    if not known & set(named) and len(sure) < 2 and not alone and not (asked and len(set(named)) > 1):
        return None  # notes with a colon in them are not a chat
    return [turn for turn in _turns(lines, starts, month_first(stamps)) if turn.name]


def who_may_talk(text: str) -> list[str]:
    """Return the speakers of a short text that was read as notes but may be a conversation; empty if it hardly is
    one."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > _SHORT_TALK:
        return []
    starts = [start for number, line in enumerate(lines) if (start := _start(lines, number, line))]
    names = list(dict.fromkeys(start.name for start in starts if start.name))
    talks = len(names) > 1 and len(starts) == len(lines) and any(_PERSON.search(start.words) for start in starts)
    return names if talks else []


def _without_heads(text: str, names: set[str]) -> str:
    """Return the text with each head of a Signal message replaced by one line, keeping the number of lines."""

    def line(head: re.Match[str]) -> str:
        name, sent = head["name"], _SENT.search(head[0])
        if head["type"].lower() == "outgoing" and name.casefold() not in names:
            name = "Me"
        return f"[{sent['at']}] {name}:" + "\n" * head[0].count("\n") if sent else head[0]

    return _SIGNAL.sub(line, text)


def _turns(lines: list[str], starts: dict[int, _Start], months_first: bool) -> Iterator[SpeakerTurn]:
    turn, words, last = SpeakerTurn("", "", 1), list[str](), None
    for number, line in enumerate(lines):
        if start := starts.get(number):
            yield replace(turn, text="\n".join(words))
            at = moment(start.stamp, months_first) or _same_day(start.stamp, last)
            turn, words, last = SpeakerTurn(start.name, "", number + 1, at), [start.words], at or last
        elif (match := _DAY_ALONE.match(line)) and (day := moment(match["at"], months_first)):
            last = day
        elif (match := _TIME_WORDS.match(line)) and words:
            words.append(match["words"])
        else:
            words.append("" if _TIME_ALONE.match(line) else _EDITED.sub("", line))
    yield replace(turn, text="\n".join(words))


def _same_day(stamp: str, last: datetime | None) -> datetime | None:
    """Return a time of day on the day of the message before, or None."""
    time = clock(stamp) if last and re.fullmatch(STAMP, stamp) and not re.search(DATED, stamp, re.I) else None
    return datetime.combine(last, time) if last and time else None


def _starts(lines: list[str], known: set[str]) -> Iterator[tuple[int, _Start]]:
    """Yield the lines that may begin a turn. A name with only a time of day counts if the name repeats, the name is
    the user's, or another line has a day."""
    found = {number: start for number, line in enumerate(lines) if (start := _start(lines, number, line))}
    dated = any(start.stamp and (start.sure or start.name.casefold() in known) for start in found.values())
    names = [start.name.casefold() for start in found.values()]
    for number, start in found.items():
        follows = number + 1 < len(lines) and lines[number + 1].strip() and number + 1 not in found
        if start.sure or ((dated or names.count(start.name.casefold()) > 1 or _many(found)) and follows):
            yield number, start


def _many(found: dict[int, _Start]) -> bool:
    return len({start.name for start in found.values() if not start.sure}) < sum(not s.sure for s in found.values())


def _start(lines: list[str], number: int, line: str) -> _Start | None:
    for pattern in (_STAMP_NAME_WORDS, _NAME_STAMP_WORDS, _NAME_STAMP, _STAMP_NAME, _TITLE, _NAME_WORDS):
        if not (match := pattern.match(line)):
            continue
        parts = match.groupdict()
        name = re.sub(r"\s+said$", "", parts["name"].strip(" \t,，~*|-—–"), flags=re.I)
        stamp = parts.get("at") or ""
        if not (_is_handle(name) if stamp else _is_name(name)):
            continue
        header = pattern in (_NAME_STAMP, _STAMP_NAME)
        dated = bool(re.match(DATED, stamp, re.I))
        if pattern is _STAMP_NAME and (" - " in line or not dated or len(name.split()) > 3):
            continue
        return _Start(name, parts.get("words") or "", stamp, not header or dated)
    if _BY_PROGRAM.match(line):
        return _Start("", "")
    below = _TIME_ALONE.match(lines[number + 1]) if number + 1 < len(lines) else None
    if below and _is_name(line.strip()) and (number == 0 or not lines[number - 1].strip()):
        return _Start(line.strip(), "", below["at"], False)  # Slack puts name, time and words on separate lines
    return None


def _is_handle(name: str) -> bool:
    """Return whether this may be a speaker beside a time: any name, but not a sentence."""
    low = name.casefold()
    return (
        bool(name)
        and low not in speaker_words("nobody")
        and len(name.split()) <= 5
        and not re.search(r"[。！？!?;；]|\.\s", name)
    )


def _is_name(name: str) -> bool:
    """Return whether this may be a speaker: a role, or one to three words that begin like a name."""
    low = name.casefold()
    if low in speaker_words("user") | speaker_words("machine"):
        return True
    words = name.split()
    if not words or len(words) > 3 or low in speaker_words("nobody") or speaker_words("nobody") & set(low.split()):
        return False
    return all(word[0].isupper() for word in words) if name.isascii() else len(name) <= 12
