"""Read a talk as sentences that can be cut without losing their meaning, for what sums it up (`snapshot`).

The rules, and our own words in a summary, are in `language/*/summary.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memcli.session.anchors import Anchor, anchors_in
from memcli.session.fold import SessionMessage
from memcli.text import words
from memcli.text.clean import harmless, one_line
from memcli.text.later import compile_later
from memcli.text.phrases import LANGUAGES, NOTHING, languages, pattern, table, ways
from memcli.text.requests import talk_request
from memcli.text.sentences import beginning, sentences, whole_pieces
from memcli.text.words import CJK

_LONGEST = 40  # characters of a word; a longer one is a key, an address or noise
_AFTER = 3  # words that stay after a negation
_READ = 4000  # characters of a message
_FENCED = compile_later(r"```.*?(?:```|\Z)", re.S)

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
class SpokenSentence:
    """Hold one sentence of the talk."""

    message: int  # the number of its message
    by_user: bool
    text: str
    anchors: tuple[Anchor, ...] = ()  # what it asks for the whole conversation


def is_request(message: SessionMessage) -> bool:
    """Return whether the user only asks something about the conversation itself."""
    return message.role == "user" and bool(talk_request(message.content))


def read_sentences(messages: Sequence[SessionMessage]) -> list[SpokenSentence]:
    """Return the sentences of the user and the assistant, without code."""
    found: list[SpokenSentence] = []
    for number, message in enumerate(messages):
        by_user = message.role == "user"
        if not by_user and message.role != "assistant":
            continue
        for raw in sentences(_FENCED.sub("\n", harmless(beginning(message.content, _READ)))):
            if text := one_line(raw).lstrip("-*#>•→ "):
                found.append(SpokenSentence(number, by_user, text, tuple(anchors_in(raw)) if by_user else ()))
    return found


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
