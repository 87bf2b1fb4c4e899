"""Conversations as messages: JSON lines, exports of chat programs and agents, Markdown and plain chats, or simply text.

What `mem recall` printed is taken out here, before anything can read it as something that was said.
"""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memcli.errors import UsageError
from memcli.recall import TITLE
from memcli.text.clean import harmless

USER, OTHER = "user", "other"
_ME = frozenset("user me you human i myself 我 用户 本人 自己".split())
_MACHINES = frozenset(
    "assistant ai bot claude chatgpt gpt codex copilot gemini agent model system tool developer "
    "助手 机器人 ai助手 ai伴侣 智能助手 系统".split()
)
# What stands before a colon without having said anything.
_NOT_NAMES = frozenset(
    "todo note notes ps decision question reminder update edit fyi btw http https warning error title date time self "
    "decided task fact 待办 注意 备注 问题 决定 结论 提醒 日期 时间 地址 标题 电话 还有个问题".split()
)
_DAY = r"\d{4}[-/年]\d\d?[-/月]\d\d?日?"
_CLOCK = r"\d\d?:\d\d(?::\d\d)?"
_STAMP = rf"{_DAY}(?:[T ,]+{_CLOCK})?|{_CLOCK}|\d\d?/\d\d?/\d{{2,4}},? {_CLOCK}"
_MARK = r"(?:\*\*|__|#{1,6}[ \t]+)?"
_NAME = r"(?P<name>[^\W\d_][^\n:：|<>{}()\[\]*#\"]{0,30}?)"
_TURN = re.compile(
    rf"[ \t]*(?:[-*][ \t]+)?(?:\[?(?P<before>{_STAMP})\]?[ \t,-]*)?"
    rf"{_MARK}{_NAME}(?:[ \t]*[(\[](?P<after>{_STAMP})[)\]])?"
    r"(?:\*\*|__)?[ \t]*[:：](?!//)(?:\*\*|__)?[ \t]*(?P<said>.*)"
)
_TITLED = re.compile(rf"#{{1,6}}[ \t]+\W*{_NAME}(?:[ \t]*[(\[—-]+[ \t]*(?P<at>{_STAMP})[)\]]?)?[ \t]*$")
_STAMPED = re.compile(rf"(?P<name>[^\s:：]{{1,20}})[ \t]+(?P<at>{_DAY} {_CLOCK})[ \t]*$")

# What stands in a message without having been said by its author: code, quotes, and what programs put between tags.
_UNSAID = re.compile(
    r"^[ \t]*(?P<fence>```+|~~~+)[^\n]*\n.*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z)|^[ \t]*>[^\n]*$", re.S | re.M
)
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)(?:\s[^<>]*)?>")
_OURS = re.compile(  # a line that only `mem` prints, wherever it stands
    r":\d+ \S|\S+\.(?:md|markdown):\d+(?:: |\s)|\^?[\w-]+  .*\.(?:md|markdown):\d+(?:\s|$)"
    r"|(?:USER\.md|labels\.yaml|preferences\.yaml): |(?:label|prefers) [^:\n]{1,60}: "
    r"|## \S+\.(?:md|markdown)(?: > .*)?$"
    r"|user: (?:name|occupation|city|language|timezone|interests): |<(?:notes from|facts|memory note)\b"
    r'|"\w+": ["\[{\d]|"[^"]*",?$'  # of `--json`; nobody speaks so
)
_SHAPE = re.compile(
    r"\s*$|##? |:\d+ |    |</?(?:notes|facts|memory)\b|\s*[\"{}\[\],]|-{3,}\s*$|Nothing in memory"
    r"|\s*(?:[\d.]+|true|false|null),?\s*$"
)
_QUOTE = re.compile(r"[ \t]*(?:[>|│▁-█][ \t]?)*[ \t]*")  # also the bars that a terminal gets
_LONGEST_BLOCK = 200  # lines


@dataclass(frozen=True)
class Message:
    role: str  # USER, or OTHER: an assistant or somebody else
    text: str
    line: int  # where it begins in what was read, from 1
    at: datetime | None = None
    escaped: bool = False  # its line feeds are none of the file's, as in JSON


def read(text: str, names: Sequence[str] = (), tell: Callable[[str], object] = str) -> list[Message]:
    """The messages of a conversation, in order; `names` are the ones the user goes by. Text that is no chat is all
    the user's own."""
    text, own = harmless(text), {name.casefold() for name in names}
    records = _from_json(text, tell)
    found = _from_chat(unechoed(text, tell), own) if records is None else records
    mine = _mine(dict.fromkeys(name for name, *_ in found), own)
    return [
        Message(USER if name in mine else OTHER, said, line, at, records is not None)
        for name, raw, line, at in found
        if (said := _own_words(raw, tell)).strip()
    ]


def unechoed(text: str, tell: Callable[[str], object] = str) -> str:
    """The text without what `mem recall` printed, in any format, quoted or indented; its lines keep their numbers."""
    lines = text.split("\n")
    drop: set[int] = set()
    under = -1  # the indentation of the memory that the lines below it may belong to
    stop = 0
    for at, line in enumerate(lines):
        quote = _QUOTE.match(line)[0]  # type: ignore[index]
        bare = line[len(quote) :]
        if at >= stop and (TITLE in line or re.match(r'[{ ]*"schema": 1\b', bare)):
            stop = _end(lines, at)
        if at < stop or _OURS.match(bare) or (0 <= under <= len(quote) - 4 and bare):
            drop.add(at)
        under = len(quote) if bare[:1] == ":" and _OURS.match(bare) else under if at in drop else -1
    if drop:
        tell("what mem itself had printed is in this conversation: it was passed over")
    return "\n".join("" if at in drop else line for at, line in enumerate(lines))


def _end(lines: list[str], start: int) -> int:
    """Behind the last line of a printed block: behind its closing mark, or where it was cut."""
    title = lines[start]
    depth = len(_QUOTE.match(title)[0])  # type: ignore[index]
    close = "</memory>" if "<memory" in title else "}" if '"schema"' in title else "---"
    rest = range(start + 1, min(len(lines), start + _LONGEST_BLOCK))
    cut = [line[depth:] if not line[:depth].strip(" \t>|│") else line for line in lines]
    if close != "}":
        for at in rest:
            if cut[at].strip(" \t>|│") == close.rstrip(">"):
                return at + 1
    return next((at for at in rest if not _SHAPE.match(cut[at])), rest.stop)


def _own_words(text: str, tell: Callable[[str], object]) -> str:
    """The author's own words, on their own lines."""
    text = unechoed(text, tell)
    kept, at = [], 0
    for start, stop in _tagged(text):
        kept += [text[at:start], "\n" * text.count("\n", start, stop)]
        at = stop
    return _UNSAID.sub(lambda match: "\n" * match[0].count("\n"), "".join([*kept, text[at:]]))


def _tagged(text: str) -> list[tuple[int, int]]:
    """From each opening tag to the next that closes it."""
    tags = list(_TAG.finditer(text))
    closing: dict[str, list[int]] = {}
    for tag in tags:
        if tag[1]:
            closing.setdefault(tag[2], []).append(tag.end())
    spans: list[tuple[int, int]] = []
    for tag in tags:
        ends = closing.get(tag[2], [])
        if not tag[1] and (not spans or tag.start() >= spans[-1][1]) and (at := bisect(ends, tag.end())) < len(ends):
            spans.append((tag.start(), ends[at]))
    return spans


def _mine(speakers: Iterable[str], names: set[str]) -> set[str]:
    """Which of the speakers is the user: by name, by role, or as the only one who is no machine."""
    people = [name for name in speakers if name.casefold() not in _MACHINES]
    for known in (names, _ME):
        if mine := {name for name in people if name.casefold() in known}:
            return mine
    if len(people) > 1:
        raise UsageError(f"which of {', '.join(people[:6])} are you?", f'--me "{people[0]}"')
    return set(people)


Turn = tuple[str, str, int, datetime | None]  # name, text, line, time


def _from_chat(text: str, own: set[str]) -> list[Turn]:
    """`Name: text`, `## Name`, or a name with a time on a line of its own."""
    turns: list[tuple[str, list[str], int, datetime | None]] = []
    loose: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if match := _TITLED.match(line) or _STAMPED.match(line) or _TURN.match(line):
            parts = match.groupdict()
            name = re.sub(r"\s+said$", "", parts["name"].strip(), flags=re.I)
            if _is_name(name):
                at = parts.get("at") or parts.get("before") or parts.get("after")
                turns.append((name, [parts.get("said") or ""], number, moment(at)))
                continue
        (turns[-1][1] if turns else loose).append(line)
    said = [name.casefold() for name, *_ in turns]
    known = own | _ME | _MACHINES
    sure = {name for name, turn in zip(said, turns, strict=True) if turn[3] or said.count(name) > 1}
    if not known & set(said) and len(sure) < 2:
        return [("user", text, 1, None)]  # notes with a colon in them are no chat
    return [(name, "\n".join(lines), number, at) for name, lines, number, at in turns]


def _is_name(name: str) -> bool:
    """Whether this may be a speaker: a role, or one to three words that begin like a name."""
    low = name.casefold()
    if low in _ME | _MACHINES:
        return True
    words = name.split()
    if len(words) > 3 or _NOT_NAMES & set(low.split()):
        return False
    return all(word[0].isupper() for word in words) if name.isascii() else len(name) <= 12


def _from_json(text: str, tell: Callable[[str], object]) -> list[Turn] | None:
    """Messages of JSON lines or of one JSON document; None when it is no JSON."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return list(_records(json.loads(text), 1))
    except (json.JSONDecodeError, RecursionError):
        pass
    found: list[Turn] = []
    broken = good = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found += _records(json.loads(line), number)
            good += 1
        except (json.JSONDecodeError, RecursionError):
            broken += 1  # a program that was killed leaves half a line
    if broken and good > broken:
        tell(f"{broken} line{'s' * (broken > 1)} of the conversation could not be read, the others were")
    return found if good > broken else None


def _records(value: Any, line: int) -> Iterator[Turn]:
    """The messages somewhere in a JSON value, oldest first."""
    if isinstance(value, list):
        for each in value:
            yield from _records(each, line)
    if not isinstance(value, dict) or value.get("isMeta") or value.get("isSidechain"):
        return
    for key in ("messages", "chat_messages", "conversation"):
        if isinstance(value.get(key), list):
            yield from _records(value[key], line)
            return
    if isinstance(value.get("mapping"), dict):  # a tree of versions: the branch that was shown last
        nodes, at = value["mapping"], value.get("current_node")
        branch: list[Any] = []
        while isinstance(node := nodes.get(at), dict) and len(branch) < len(nodes):
            branch.append(node.get("message"))
            at = node.get("parent")
        yield from _records(branch[::-1], line)
        return
    inner = next((value[key] for key in ("message", "payload") if isinstance(value.get(key), dict)), value)
    author = inner.get("author")
    role = author.get("role") if isinstance(author, dict) else None
    role = role or next((inner[key] for key in ("role", "sender", "speaker", "from", "name") if inner.get(key)), "")
    said = _text(inner.get("content") or inner.get("text") or "")
    times = (
        each.get(key) for each in (inner, value) for key in ("timestamp", "time", "at", "created_at", "create_time")
    )
    if said.strip() and isinstance(role, str) and role and not said.startswith("# AGENTS.md"):
        yield role, said, line, moment(next((each for each in times if each), None))


def _text(content: Any) -> str:
    if isinstance(content, dict):
        content = content.get("parts") or content.get("text") or ""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    said = (
        part.get("text") if isinstance(part, dict) and part.get("type") != "tool_result" else part for part in content
    )
    return "\n".join(part for part in said if isinstance(part, str))


def moment(value: Any) -> datetime | None:
    """A time as the user's clock shows it; None for what has no day."""
    try:
        if isinstance(value, (int, float)):
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value)
        plain = re.sub(r"[/年月]", "-", str(value).strip()).replace("日", "").replace("Z", "+00:00")
        parts = re.match(r"(\d{4})-(\d\d?)-(\d\d?)(.*)", plain)
        if not parts:
            return None
        clock = re.sub(
            r"\.\d+", "", re.sub(r"^[ ,T]+(\d:)?", lambda lead: f"T{'0' if lead[1] else ''}{lead[1] or ''}", parts[4])
        )
        found = datetime.fromisoformat(f"{parts[1]}-{parts[2]:0>2}-{parts[3]:0>2}{clock}")
        return found.astimezone().replace(tzinfo=None) if found.tzinfo else found
    except (ValueError, OverflowError, OSError):
        return None
