"""Sum up a stretch of a talk in one line of at most a hundred characters.

It works by rules: sentences are weighed by what they hold (names, numbers, decisions, requests, limits). The
weightiest are kept, in order and in the words of the speakers; an arrow marks the assistant's. The rules, and our
own words in a summary, are in `language/*/summary.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from memcli.session.anchors import Anchor, anchors_in
from memcli.session.fold import SessionMessage
from memcli.text import words
from memcli.text.clean import harmless, one_line
from memcli.text.later import compile_later
from memcli.text.phrases import LANGUAGES, NOTHING, languages, pattern, table, ways
from memcli.text.requests import talk_request
from memcli.text.sentences import beginning, sentences, whole_pieces
from memcli.text.words import CJK

MOST = 100  # characters of a summary, in either language
_SHARE = 45  # the most characters of a sentence if others are worth including
_LONGEST = 40  # characters of a word; a longer one is a key, an address or noise
_AFTER = 3  # words that stay after a negation
_READ = 4000  # characters of a message
ARROW = "→ "

_HELD = ("decision", "ask", "limit", "number", "name")  # the signs that give a sentence its worth
_FENCED = compile_later(r"```.*?(?:```|\Z)", re.S)
# Clauses that mean something alone, each long enough; a condition keeps what depends on it.
_CLAUSE = compile_later(rf"(?<=[\w{CJK} ]{{12}}),\s+(?:and|but|so)\s+(?=.{{12}})|(?<=[{CJK}\w. ]{{5}})，(?=.{{5}})")

# How the words of the table must stand in a text, unless anywhere is fine.
_FRAMES = {
    "filler": {"frame": "^(?:{})+", "en": r"(?:{})(?:[,.!:]\s*|\s+)", "zh": "(?:{})(?:[，。！,、 ]+)"},
    "lead": {"frame": "^(?:{})+", "en": r"(?:{})\s+"},
    "polite": {"en": r"[,\s]*\b(?:{})\b"},
    "empty": {"frame": r"\A\W*(?:(?:{})\W*)+\Z"},
    "negation": {"en": r"\b(?:{})\b"},
    "loose": {"frame": r"(?:{}|[\s,，;；:：、…-])+$", "en": r"\s(?:{})"},
}


@dataclass(frozen=True)
class WeighedSentence:
    """Hold one sentence of the talk with its worth."""

    at: int  # its number among all sentences
    message: int  # the number of its message
    by_user: bool
    text: str
    holds: frozenset[str]
    worth: float
    anchors: tuple[Anchor, ...] = ()  # what it asks for the whole conversation


def summarise(messages: Sequence[SessionMessage]) -> str:
    """Return one line that sums up a stretch of talk in the words of the speakers. It has their names, numbers,
    decisions and requests."""
    weighed = [sentence for sentence in weigh_sentences(messages) if sentence.worth >= 0]
    best, joint = _best(weighed), "；" if in_chinese(messages) else "; "
    chosen: dict[int, str] = {}
    opening = next((sentence.at for sentence in weighed if sentence.by_user and not sentence.anchors), -1)
    characters_left = MOST
    all_fit = sum(len(ARROW + sentence.text + joint) for sentence in best) <= MOST + len(joint)
    for share in (MOST,) if all_fit else (_SHARE, MOST):  # long sentences get the space that others leave
        for sentence in best:
            mark = "" if sentence.by_user else ARROW
            whole = ("decision" in sentence.holds and sentence.at != opening) or len(weighed) == 1
            most = min(characters_left - len(mark), MOST if whole else share)
            if sentence.at in chosen or (chosen and len(sentence.text) > most and sentence.at != opening):
                continue  # only the opening and the weightiest are cut: half of another sentence helps nobody
            if text := fit_sentence(sentence.text, most, len):
                chosen[sentence.at] = mark + text
                characters_left -= len(mark + text + joint)
    if not chosen and messages:
        return wording(LANGUAGES[in_chinese(messages)])["small talk"]
    return joint.join(chosen[at] for at in sorted(chosen))


def summary_event(event: str, first: int, messages: Sequence[SessionMessage]) -> dict[str, Any]:
    """Return the event for a session's file that sums up messages, by rules. `first` is the number of the first
    message."""
    return {"event": event, "first": first, "last": first + len(messages), "summary": summarise(messages)}


def is_request(message: SessionMessage) -> bool:
    """Return whether the user only asks something about the conversation itself."""
    return message.role == "user" and bool(talk_request(message.content))


def weigh_sentences(messages: Sequence[SessionMessage]) -> list[WeighedSentence]:
    """Return the meaningful sentences, with their worth."""
    weighed: list[WeighedSentence] = []
    spoken = languages("\n".join(message.content[:_READ] for message in messages))  # compile patterns once
    for number, message in enumerate(messages):
        if message.role not in ("user", "assistant") or is_request(message):
            continue
        by_user = message.role == "user"
        for raw in _clauses(message, spoken):
            text = (
                sign_pattern("filler", spoken).sub("", one_line(raw).lstrip("-*#>•→ ")).rstrip(" .。,，;；:：!！~～…")
            )
            if not text or sign_pattern("empty", spoken).match(text):
                continue
            holds = frozenset(sign for sign in _HELD if sign_pattern(sign, spoken).search(text))
            anchors = tuple(anchors_in(raw)) if by_user else ()  # anchors are stored anyway, and are not the subject
            worths = _worths(spoken[0])
            worth = sum(worths[sign] for sign in _HELD if sign in holds and (by_user or sign not in ("ask", "limit")))
            first = by_user and not anchors and not any(one.by_user and not one.anchors for one in weighed)
            worth -= 3.0 * (not by_user and text.endswith(("?", "？")))  # the user's answer shows what was asked
            worth = 0.5 if anchors else worth + 0.5 * by_user + 3.0 * first
            weighed.append(WeighedSentence(len(weighed), number, by_user, text, holds, worth, anchors))
    return weighed


def _clauses(message: SessionMessage, spoken: tuple[str, ...]) -> Iterable[str]:
    """Yield the sentences of a message; a user's sentence without a condition is split into clauses, too."""
    for sentence in sentences(_FENCED.sub("\n", harmless(beginning(message.content, _READ)))):
        whole = message.role != "user" or sign_pattern("condition", spoken).search(sentence)
        yield from [sentence] if whole else _CLAUSE.split(sentence)


def _best(sentences: Iterable[WeighedSentence]) -> list[WeighedSentence]:
    """Return the sentences by weight; those that only repeat a weightier one come last."""
    seen: set[str] = set()
    fresh: list[WeighedSentence] = []
    stale: list[WeighedSentence] = []
    for sentence in sorted(
        sentences, key=lambda one: (len(one.text) / 30 - one.worth, one.at)
    ):  # short ones leave room
        features = words.features(sentence.text)
        (stale if features and len(features & seen) >= 0.8 * len(features) else fresh).append(sentence)
        seen |= features
    return fresh + stale[:1] * (not fresh)


def fit_sentence(text: str, most: int, size: Callable[[str], int]) -> str:
    """Return as much of a sentence as fits, in whole words and numbers, with `…` for the rest. It never loses its
    negation; "" means that nothing fits."""
    spoken = languages(text)
    parts = _atoms(text, spoken)
    whole = "".join(parts).strip()
    if size(whole) <= most:
        return whole if whole.strip("… ") else ""
    negated = next((at for at, atom in enumerate(parts) if says("negation", atom)), -1)
    for begin in (0, *range(max(1, negated - most), negated + 1)):
        cut, end = "…" if begin else "", begin
        while end < len(parts) and size((cut + parts[end]).strip()) + (size is len and end + 1 < len(parts)) <= most:
            cut, end = (cut + parts[end]).strip(), end + 1
        if end > begin and end >= min(negated + _AFTER if negated >= 0 else 1, len(parts)):
            return cut if end == len(parts) else sign_pattern("loose", spoken).sub("", cut) + "…"
    return ""


def sign_pattern(name: str, spoken: tuple[str, ...]) -> re.Pattern[str]:
    return pattern("talk/summary", name, spoken, **_FRAMES.get(name, {}))


def says(sign: str, text: str) -> re.Match[str] | None:
    """Return the first match in a text for a sign of the table, or None."""
    return sign_pattern(sign, languages(text)).search(text)


def _atoms(text: str, spoken: tuple[str, ...]) -> list[str]:
    """Return the pieces that are never cut in two: words, amounts, a negation with the word after it. Words without
    end are replaced by `…`."""
    english, chinese = (ways("talk/summary", "negation", one) if one in spoken else NOTHING for one in LANGUAGES)
    open_ended = re.compile(rf"\s*(?:(?i:{english})|{chinese}[{CJK}]?)")  # a negation whose next word is missing
    found: list[str] = []
    for atom in whole_pieces(text):
        atom = atom if len(atom) <= _LONGEST else " …"
        if found and open_ended.fullmatch(found[-1]):
            found[-1] += atom
        else:
            found.append(atom)
    return found


@lru_cache(maxsize=2)
def _worths(language: str) -> dict[str, float]:
    """Return what each sign is worth."""
    return {row["sign"][0]: float(row["worth"][0]) for row in table("talk/summary", language) if "worth" in row}


@lru_cache(maxsize=2)
def wording(language: str) -> dict[str, str]:
    """Return the fixed words that a summary uses."""
    return {row["wording"][0]: row["text"][0] for row in table("talk/summary", language) if "wording" in row}


def in_chinese(messages: Sequence[SessionMessage]) -> bool:
    """Return whether the user writes Chinese; if they say nothing the others decide."""
    for roles in (("user",), ("assistant", "tool", "system")):
        text = "".join(message.content[:_READ] for message in messages if message.role in roles)
        characters, letters = sum(map(len, words.CJK_RUN.findall(text))), len(re.findall(r"[^\W\d_]+", text))
        if text.strip():
            return characters > letters
    return False
