"""Sum up a talk by rules: in a line of at most a hundred characters, or in a snapshot with wish, limits and outcome.

Sentences are split into phrases. The worth of a phrase comes from numbers, names and limits that no chosen phrase has
yet. The phrases with the most worth for their length are chosen, and shown in order and in the speakers' words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heapify, heappop, heappush
from typing import Any

from memcli.features.talk.summary import (
    fit_sentence,
    in_chinese,
    is_request,
    read_sentences,
    says,
    sign_pattern,
    wording,
)
from memcli.session.anchors import Anchor, anchors_in
from memcli.session.fold import SessionMessage
from memcli.text import words
from memcli.text.chatter import is_chatter
from memcli.text.clean import one_line
from memcli.text.later import compile_later
from memcli.text.phrases import LANGUAGES, languages
from memcli.text.words import CJK

LINE = 100  # characters of a line, in either language
CHARACTERS, WORDS = (50, 100), (15, 45)  # length of a Chinese and of an English snapshot: at least, at most
PARTS = WANTED, LIMITS, OUTCOME = "wanted", "limits", "outcome"
_TOPICAL = {"avoid", "only"}  # anchors about the subject of the conversation, not about how to answer
ARROW = "→ "  # marks a reply in a line
_SHARE = 0.37  # share of the room that one phrase may take if there are others
_SET_OUT = 0.05  # share of the room that any phrase costs besides its length
_LEAST = 0.5  # worth below which a phrase says nothing new
_NUMBER, _NAME, _WORD = 3.0, 2.0, 1.5  # worth of each new one
_LIMIT = 3.0  # what a limit is worth
_LATER = 0.6  # how much more a user's last words count than the first, since the latest are in force
_REPLY, _TOOL, _LAST = 0.2, 0.5, 1.0  # factor of a reply, of one with a tool or after it, and of the last of these
_POOR = 0.1  # factor of a question of the assistant, and of the raw output of a tool: the words beside it sum it up
_MOMENT = 0.3  # factor of a user's words that are chatter
_DUMPED = compile_later(r"\A\[[^\]]*\]|\s\|\s|-+\+-+")  # a call, or rows of a table
_DOUBLE = compile_later("([?？…])[.。]$")
_EDGES = " .。,，、;；:：!！"
_JOINT = compile_later(r"[,;]\s+|[，；]|\s+[–—-]+\s+|：(?=\D)|(?<=[^\d\s]):\s+")
_COUNT = "零一二两三四五六七八九十百千万半"
_NUMBERS = compile_later(
    rf"\d+(?:[.,:/-]\d+)*|[{_COUNT}]{{2,}}|[{_COUNT.replace('一', '')}](?=[个点月号日天年岁元块人次位份间张米里斤克周楼层套室])"
)
_NAMES = compile_later(
    rf"(?<!\w)[A-Z][\w'-]+|\w+[._/-]\w+[\w./-]*|(?<=[{CJK}]) ?[A-Za-z]\w+|《[^》]+》"
    rf"|(?<=[叫姓])[{CJK}]{{1,3}}(?![{CJK}])|[{CJK}]{{2}}(?:路|街|店|医院|大学|公园|小区|机场|老师|医生)",
    re.A,
)

Size = Callable[[str], int]


@dataclass(frozen=True)
class _Phrase:
    at: int  # its number among all phrases
    sentence: int
    part: str
    text: str
    worth: float  # the worth of the phrase alone
    factor: float
    facts: Mapping[str, float]  # its facts, with the worth of each
    opens: bool = False  # the user began with it


def snapshot(messages: Sequence[SessionMessage], anchors: Mapping[str, str]) -> str:
    """Return 50 to 100 characters in Chinese or 15 to 45 words in English; "" if nothing was said. A shorter talk is
    returned whole, with its tools and its time."""
    messages = [message for message in messages if not is_request(message)]  # not its content
    language, size, least, most = measure(messages)
    phrases = _phrases(messages, anchors, most, size)
    text = _chosen(phrases, partial(_join_in_parts, language), size, least, most)
    return text if not text or size(text) >= least else _filled(text, messages)


def summarise(messages: Sequence[SessionMessage]) -> str:
    """Return one line that sums up a stretch of talk. Orders for the whole conversation are stored as anchors, and are
    left out."""
    own = [message for message in messages if not is_request(message)]
    language = measure(own)[0]
    text = _chosen(_phrases(own, {}, LINE, len), partial(_join_in_line, language), len, 0, LINE)
    return text or (wording(language)["small talk"] if messages else "")


def summary_event(event: str, first: int, messages: Sequence[SessionMessage]) -> dict[str, Any]:
    """Return the event for a session's file that sums up messages, by rules. `first` is the number of the first
    message."""
    return {"event": event, "first": first, "last": first + len(messages), "summary": summarise(messages)}


def _chosen(phrases: Sequence[_Phrase], join: Callable[[list[_Phrase]], str], size: Size, least: int, most: int) -> str:
    """Return the best phrases, joined. A gain only shrinks as others are chosen, so the best one is known when its gain
    is up to date and still the greatest."""
    chosen: list[_Phrase] = []
    seen: set[str] = set()
    cost = most * _SET_OUT

    def rank(phrase: _Phrase) -> tuple[bool, float, int]:
        """Order phrases: the subject of the conversation comes first, then what says most for its length."""
        return not phrase.opens, -_gain(phrase, seen) / (size(phrase.text) + cost), phrase.at

    queue = [(rank(phrase), phrase) for phrase in phrases]
    heapify(queue)
    while queue:
        before, best = heappop(queue)
        if (now := rank(best)) != before:
            heappush(queue, (now, best))
            continue
        is_short = bool(chosen) and size(join(chosen)) < least
        says_new = best.opens or is_short or _gain(best, seen) >= _LEAST
        if says_new and size(join([*chosen, best])) <= most:
            chosen.append(best)
            seen |= best.facts.keys()
    return join(chosen)


def _filled(text: str, messages: Sequence[SessionMessage]) -> str:
    """Return a text that is too short to be understood later, with the tools and the time added."""
    language, size, least, most = measure(messages)
    said = wording(language)
    tools = dict.fromkeys(name for message in messages for name in message.tools)
    at = next((message.at for message in messages if message.at), None)
    more = [said["with"].format(text=", ".join(tools))] if tools else []
    more += [said["when"].format(text=f"{at:%Y-%m-%d %H:%M}")] if at else []
    for each in more:
        longer = f"{text}{' ' * (language == LANGUAGES[0])}{each}"
        text = longer if size(text) < least and size(longer) <= most else text
    return text


def measure(messages: Sequence[SessionMessage]) -> tuple[str, Size, int, int]:
    """Return the language of a snapshot of these messages, the function that measures its length, and its least and
    greatest length."""
    return (LANGUAGES[1], len, *CHARACTERS) if in_chinese(messages) else (LANGUAGES[0], _count, *WORDS)


def in_parts(told: Mapping[str, str], language: str) -> str:
    """Return the parts, each with its introducing words."""
    said = wording(language)
    parts = [_DOUBLE.sub(r"\1", said[part].format(text=told[part])) for part in PARTS if told.get(part)]
    return (" " if language == LANGUAGES[0] else "").join(parts)


def importance(text: str) -> float:
    """Return the importance of a snapshot, from 0.3 to 1, by its names, numbers, limits and decisions."""
    worth = (
        0.3 + 0.05 * len(names_and_numbers(text)) + 0.2 * bool(says("decision", text)) + 0.1 * bool(says("limit", text))
    )
    return round(min(1.0, worth), 1)


def names_and_numbers(text: str) -> set[str]:
    return {name.strip().lower() for name in _NAMES.findall(text)} | {*_NUMBERS.findall(text)}


def _gain(phrase: _Phrase, seen: set[str]) -> float:
    return (phrase.worth + sum(worth for fact, worth in phrase.facts.items() if fact not in seen)) * phrase.factor


def _count(text: str) -> int:
    return len(text.split())


def _join_in_parts(language: str, phrases: Sequence[_Phrase]) -> str:
    """Return phrases by part and in order, joining those of one sentence."""
    return in_parts({part: _join(language, [one for one in phrases if one.part == part]) for part in PARTS}, language)


def _join_in_line(language: str, phrases: Sequence[_Phrase]) -> str:
    return _join(language, phrases, ARROW)


def _join(language: str, phrases: Sequence[_Phrase], arrow: str = "") -> str:
    joints = (", ", "; ") if language == LANGUAGES[0] else ("，", "；")
    text, before = "", -1
    for phrase in sorted(phrases, key=lambda phrase: phrase.at):
        begins = phrase.sentence != before
        text += joints[begins] * bool(text) + arrow * (begins and phrase.part == OUTCOME) + phrase.text
        before = phrase.sentence
    return text


def _phrases(messages: Sequence[SessionMessage], anchors: Mapping[str, str], most: int, size: Size) -> list[_Phrase]:
    """Return all phrases that may be shown. What fits as a whole is not split."""
    sentences, replies = read_sentences(messages), _factors_of_replies(messages)
    fits = len(sentences) == 1 or sum(size(sentence.text) for sentence in sentences) <= most
    most = most if fits else int(most * _SHARE)
    found: list[_Phrase] = []
    told, has_begun = set[str](), False
    for number, sentence in enumerate(sentences):
        is_short = not sentence.anchors and size(sentence.text) <= (most if fits else most // 2)
        whole = is_short or says("condition", sentence.text)
        for part in [sentence.text] if whole else _JOINT.split(sentence.text):
            asked = anchors_in(part) if sentence.anchors else []
            is_order = bool(_orders(asked))
            is_lifted = any(anchor.value not in anchors.get(anchor.key, "") for anchor in asked)
            text = fit_sentence(_bare(part), most, size)
            if not text or says("empty", text) or (is_order and is_lifted):
                continue
            told |= {anchor.key for anchor in asked}
            opens = sentence.by_user and not (has_begun or _orders(sentence.anchors))
            has_begun |= opens
            is_limit = sentence.by_user and (is_order or bool(says("limit", text)))
            if sentence.by_user:
                kind = LIMITS if is_order or (is_limit and not opens) else WANTED
                factor = (1 + _LATER * sentence.message / len(messages)) * (_MOMENT if is_chatter(text) else 1)
            else:
                is_poor = text.endswith(("?", "？")) or _DUMPED.search(sentence.text)
                kind, factor = OUTCOME, replies[sentence.message] * (_POOR if is_poor else 1)
            found.append(_Phrase(len(found), number, kind, text, _LIMIT * is_limit, factor, _facts(text), opens))
    for key, value in anchors.items():
        text = fit_sentence(one_line(f"{key}: {value}"), most, size) if value and key not in told else ""
        if text:
            found.append(_Phrase(len(found), -1, LIMITS, text, _LIMIT, 1.0, _facts(text)))
    return found


def _orders(anchors: Iterable[Anchor]) -> set[str]:
    """Return the keys of anchors that apply to all answers of the conversation."""
    return {anchor.key for anchor in anchors} - _TOPICAL


def _bare(text: str) -> str:
    """Return a phrase without leading words and politeness."""
    spoken = languages(text)
    for taken in ("filler", "lead"):
        text = sign_pattern(taken, spoken).sub("", text.strip(_EDGES))
    return sign_pattern("polite", spoken).sub("", text).strip(_EDGES)


def _factors_of_replies(messages: Sequence[SessionMessage]) -> dict[int, float]:
    """Return the factor of each reply, by the number of its message. One with a tool, or after it, tells what was done;
    the last one tells what came of it."""
    factors: dict[int, float] = {}
    called = False
    for number, message in enumerate(messages):
        called = message.role != "user" and (called or bool(message.tools) or message.role == "tool")
        if message.role == "assistant":
            factors[number] = _TOOL if called else _REPLY
    if factors and called:
        factors[max(factors)] = _LAST
    return factors


def _facts(text: str) -> dict[str, float]:
    """Return the worth of the numbers, names and words of a text."""
    facts = dict.fromkeys((name.strip().lower() for name in _NAMES.findall(text)), _NAME)
    facts |= dict.fromkeys(_NUMBERS.findall(text), _NUMBER)
    for word in words.features(text):
        if not words.is_stop(word):
            facts.setdefault(word, _WORD / (1 if word.isascii() else 2))
    return facts
