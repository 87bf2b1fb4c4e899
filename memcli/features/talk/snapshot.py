"""Sum up a talk in a snapshot, by rules: the user's wish, its limits, the outcome.

Sentences are split into phrases. The worth of a phrase comes from numbers, names and limits that no chosen phrase has
yet. The phrases with the most worth for their length are chosen, and shown in order and in the speakers' words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, pairwise

from memcli.features.talk.summary import (
    WeighedSentence,
    fit_sentence,
    in_chinese,
    is_request,
    says,
    sign_pattern,
    weigh_sentences,
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

CHARACTERS, WORDS = (50, 100), (15, 45)  # length of a Chinese and of an English snapshot: at least, at most
PARTS = WANTED, LIMITS, OUTCOME = "wanted", "limits", "outcome"
_TOPICAL = {"avoid", "only"}  # anchors about the subject of the conversation, not about how to answer
_SHARE = 0.4  # share of the room that one phrase may take
_SET_OUT = 0.05  # share of the room that any phrase costs besides its length
_LEAST = 0.5  # worth below which a phrase says nothing new
_NUMBER, _NAME, _WORD = 3.0, 2.0, 1.5  # worth of each new one
_AGAIN, _ONCE = 1.3, 0.5  # factors: said in several messages; a word in only one
_ASIDE = 1.5  # most that words of only one message are worth together: a story is long
_MOST = 10.0  # most that a phrase is worth by its facts: a row of figures is not a row of facts
_WISH, _LIMIT, _DECIDED, _ANSWER = 5.0, 3.0, 3.0, 2.0  # what a phrase is worth by its kind
_LATER = 0.6  # how much more a user's last words count than the first, since the latest are in force
_REPLY, _REPEATS = 0.2, 2.0  # factor of a reply, and how much more by the share of it that the user had said
_SUMS_UP = 1.2  # the highest factor for such a reply
_STALE = 0.5  # how much less the first reply counts than the last
_SURE, _OFFERED = (
    0.7,
    0.5,
)  # least factor of the reply with the outcome; factor of an earlier figure that nobody took up
_TAKEN_UP = 0.6  # factor of a reply that the user agrees to
_ANSWERED = 0.4  # factor of a question that the reply answers
_MOMENT = 0.3  # factor of a user's words that are chatter
_TOOL = 0.5  # least factor of a reply with a tool
_ASKED = 0.2  # factor on that for a question of the assistant
_OUTPUT = 0.1  # factor on that for the raw output of a tool: the words beside it sum it up
_BRIEF = 60  # characters of a brief answer
_OPEN = compile_later(r"(?:咋办|咋样|怎么办|怎么样|多少钱?|哪一?[天个里家]|几点|啥时候|什么时候|吗|呢|不)\s*\Z")
_QUESTION = compile_later(r"[?？]\s*\Z")
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
    facts: Mapping[str, float]  # its facts, with the worth of each
    asides: Mapping[str, float]  # words that no other message has
    factor: float = 1.0
    opens: bool = False  # the user began with it


def snapshot(messages: Sequence[SessionMessage], anchors: Mapping[str, str]) -> str:
    """Return 50 to 100 characters in Chinese or 15 to 45 words in English; "" if nothing was said. A shorter talk is
    returned whole, with its tools and its time."""
    messages = [message for message in messages if not is_request(message)]  # not its content
    language, size, least, most = measure(messages)
    phrases = list(_phrases(messages, anchors, int(most * _SHARE), size))
    chosen: list[_Phrase] = []
    seen: set[str] = set()
    opening, cost = True, most * _SET_OUT
    while phrases:
        best = max(phrases, key=lambda phrase: (_gain(phrase, seen) / (size(phrase.text) + cost), -phrase.at))
        if opening:  # the subject of the conversation is always included
            best, opening = next((phrase for phrase in phrases if phrase.opens), best), False
        phrases.remove(best)
        says_new = _gain(best, seen) >= _LEAST or (chosen and size(_join_phrases(chosen, language)) < least)
        if says_new and size(_join_phrases([*chosen, best], language)) <= most:
            chosen.append(best)
            seen |= best.facts.keys() | best.asides.keys()
    text = _join_phrases(chosen, language)
    return text if not text or size(text) >= least else _filled(text, messages)


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
    facts, asides = (
        sum(worth for fact, worth in told.items() if fact not in seen) for told in (phrase.facts, phrase.asides)
    )
    return (phrase.worth + min(facts + min(asides, _ASIDE), _MOST)) * phrase.factor


def _count(text: str) -> int:
    return len(text.split())


def _join_phrases(phrases: Sequence[_Phrase], language: str) -> str:
    """Return phrases by part and in order, joining those of one sentence."""
    joints = (", ", "; ") if language == LANGUAGES[0] else ("，", "；")
    told, before = dict.fromkeys(PARTS, ""), -1
    for phrase in sorted(phrases, key=lambda phrase: phrase.at):
        told[phrase.part] += joints[phrase.sentence != before] * bool(told[phrase.part]) + phrase.text
        before = phrase.sentence
    return in_parts(told, language)


def _phrases(
    messages: Sequence[SessionMessage], anchors: Mapping[str, str], most: int, size: Size
) -> Iterator[_Phrase]:
    """Yield all phrases that the snapshot may contain."""
    replies = _replies(messages)
    sentences = weigh_sentences(messages)
    users = [sentence for sentence in sentences if sentence.by_user and not _orders(sentence.anchors)]
    wish = max(users, key=partial(_wish, first=users[0])) if users else None
    at, told = count(), set[str]()
    answers = _answers(messages)
    outcome = max((at for at, worth in replies.items() if worth >= _SURE), default=0)
    times = Counter(feature for message in messages for feature in _features(message.content))
    for number, sentence in enumerate(sentences):
        opens = sentence is wish
        room = most // 2 if sentence.by_user else most * (sentence.message == outcome)
        whole = says("condition", sentence.text) or size(sentence.text) <= room
        for part in [sentence.text] if whole else _JOINT.split(sentence.text):
            orders = anchors_in(part) if sentence.anchors else []
            ordered, lifted = _orders(orders), [each for each in orders if each.value not in anchors.get(each.key, "")]
            text = fit_sentence(_bare(part), most, size)
            if not text or says("empty", text) or (ordered and lifted):
                continue
            told |= {anchor.key for anchor in orders}
            facts, asides = _facts(text, times)
            opening, opens = opens, opens and not sentence.by_user
            if not sentence.by_user:
                factor = replies.get(sentence.message, _REPLY) * _doubt(text, sentence, outcome, times)
                yield _Phrase(
                    next(at), number, OUTCOME, text, _DECIDED * bool(says("decision", text)), facts, asides, factor
                )
                continue
            later = (1 + _LATER * sentence.message / len(messages)) * (_MOMENT if is_chatter(text) else 1)
            later *= _ANSWERED if not opens and _is_question(text) and sentence.message + 1 < len(messages) else 1
            worth = _ANSWER * (sentence.message in answers)
            if ordered or (not opening and says("limit", text)):
                yield _Phrase(next(at), number, LIMITS, text, worth + _LIMIT, facts, asides, later)
            else:
                worth += _WISH * opening + _LIMIT * bool(says("limit", text))
                yield _Phrase(next(at), number, WANTED, text, worth, facts, asides, later, opening)
    for key in (key for key in anchors if key not in told):
        text = fit_sentence(one_line(f"{key}: {anchors[key]}"), most, size) if anchors[key] else ""
        if text:
            yield _Phrase(next(at), -1, LIMITS, text, _LIMIT, *_facts(text, times))


def _doubt(text: str, sentence: WeighedSentence, outcome: int, times: Mapping[str, int]) -> float:
    """Return the factor for a doubtful phrase of a reply: one that asks back, is raw output, or has an early figure
    that nobody repeated."""
    left = _ASKED if text.endswith(("?", "？")) else 1.0
    left *= _OUTPUT if _DUMPED.search(sentence.text) else 1.0
    offered = sentence.message < outcome and any(times[number] < 2 for number in _NUMBERS.findall(text))
    return left * (_OFFERED if offered else 1.0)


def _is_question(text: str) -> bool:
    return bool(_QUESTION.search(text) or (_OPEN.search(text) and not _NUMBERS.search(text)))


def _orders(anchors: Iterable[Anchor]) -> set[str]:
    """Return the keys of anchors that apply to all answers of the conversation."""
    return {anchor.key for anchor in anchors} - _TOPICAL


def _wish(sentence: WeighedSentence, first: WeighedSentence) -> float:
    """Return how likely this sentence of the user names the purpose of the conversation. The first one usually does."""
    signs = 2 * ("ask" in sentence.holds) + len(sentence.holds & {"name", "number"})
    return signs + 1.5 * (sentence is first) - sentence.message / 4


def _bare(text: str) -> str:
    """Return a phrase without leading words and politeness."""
    spoken = languages(text)
    for taken in ("filler", "lead"):
        text = sign_pattern(taken, spoken).sub("", text.strip(_EDGES))
    return sign_pattern("polite", spoken).sub("", text).strip(_EDGES)


def _answers(messages: Sequence[SessionMessage]) -> set[int]:
    """Return the numbers of messages in which a user briefly answers the question just before."""
    pairs = enumerate(pairwise(messages), 1)
    return {
        at
        for at, (asked, said) in pairs
        if said.role == "user" and _QUESTION.search(asked.content) and len(said.content) <= _BRIEF
    }


def _replies(messages: Sequence[SessionMessage]) -> dict[int, float]:
    """Return the factor of each reply, by the number of its message. A reply that repeats much of the user's words
    probably sums up the agreement; the last one with a tool reports what was done."""
    worths: dict[int, float] = {}
    called, said = False, set[str]()
    for number, message in enumerate(messages):
        features = {word for word in _features(message.content) if not words.is_stop(word)}
        if message.role == "user":
            said |= features
        called = message.role != "user" and (called or bool(message.tools) or message.role == "tool")
        if message.role == "assistant" and message.content.strip():
            share = len(features & said) / max(1, len(features))
            worth = min(_SUMS_UP, _REPLY + _REPEATS * share) * (1 - _STALE * (1 - number / len(messages)))
            after = messages[number + 1 : number + 2]
            agreed = any(one.role == "user" and says("agreed", one.content) for one in after)
            worths[number] = max(_TOOL * called, worth, _TAKEN_UP * agreed)
    if worths and called:
        worths[max(worths)] = max(1.0, worths[max(worths)])
    return worths


def _features(text: str) -> set[str]:
    """Return the numbers, names and words of a text."""
    return {*words.features(text), *names_and_numbers(text)}


def _facts(text: str, times: Mapping[str, int]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the worth of the numbers, names and words of a text, and separately of words in one message alone.
    `times` holds in how many messages each occurs."""
    told = dict.fromkeys((name.strip().lower() for name in _NAMES.findall(text)), _NAME)
    told |= dict.fromkeys(_NUMBERS.findall(text), _NUMBER)
    facts = {fact: worth * (_AGAIN if times[fact] > 1 else 1) for fact, worth in told.items()}
    asides: dict[str, float] = {}
    for word in words.features(text):
        if not words.is_stop(word) and word not in facts:
            worth = _WORD / (1 if word.isascii() else 2)
            (facts if times[word] > 1 else asides)[word] = worth * (1 if times[word] > 1 else _ONCE)
    return facts, asides
