"""What a user asks for the whole of a talk: how to answer, what to talk about, what not. Text in, plain data out.

A sentence is stripped of what leads up to an order ("could you please from now on"), and only an order that is left at
its beginning counts: what others said, questions and wishes for a single answer never do. `orders` has the tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memcli.text.clean import harmless, one_line
from memcli.text.words import CJK_RUN

if TYPE_CHECKING:
    from memcli.session.anchor_rules import Tongue

KEYS = (
    "language", "length", "only", "avoid", "tables", "bullets", "emoji", "code", "steps", "name", "tone", "units",
    "currency", "secrecy", "rule",
)  # fmt: skip
GATHERED = ("avoid", "rule")  # one more is beside the others, not instead of them
ALL = "*"  # the key that lifts every anchor
LONGEST = 240  # characters of a sentence that is read; orders are short, what is pasted is not
_UNSAID = r"(?sm)```.*?(?:```|\Z)|^[ \t]*>[^\n]*$|\"[^\"\n]{12,}\"|“[^”\n]{5,}”|「[^」\n]{5,}」"
_SENTENCE = r"(?<=[!?。！？…])|(?<=\.)(?=\s)|\n+"
_QUOTES = str.maketrans("’", "'", '"“”「」')


@dataclass(frozen=True)
class Anchor:
    """One instruction that holds until it is overridden; an empty value lifts what held (`*`: everything)."""

    key: str
    value: str
    said: str = ""  # the words it was found in


def found(text: str) -> list[Anchor]:
    """The instructions for the talk in what a user said, in the order in which they were said."""
    anchors: dict[str, Anchor] = {}
    for sentence in _compiled(_SENTENCE).split(_compiled(_UNSAID).sub(" , ", harmless(text)).translate(_QUOTES)):
        if 1 < len(sentence.strip()) <= LONGEST:
            for anchor in _of(one_line(sentence)):
                if anchor.value or anchor.key not in anchors:  # "stop the Dutch, English again" in either order
                    anchors.pop(anchor.key, None)
                    anchors[anchor.key] = anchor
    return list(anchors.values())


def applied(held: Mapping[str, str], anchors: Iterable[Anchor]) -> dict[str, str]:
    """The anchors in force after some more were said: the fold that whoever keeps them needs."""
    now = dict(held)
    for anchor in anchors:
        if not anchor.value:
            now = {} if anchor.key == ALL else {key: value for key, value in now.items() if key != anchor.key}
        elif anchor.key in GATHERED and (before := now.get(anchor.key, "")):
            if anchor.value not in before.split("; "):
                now[anchor.key] = f"{before}; {anchor.value}"
        else:
            now[anchor.key] = anchor.value
    return now


def _of(sentence: str) -> Iterator[Anchor]:
    """The anchors of one sentence."""
    from memcli.session.anchor_rules import tongue as spoken  # only who has something to read needs the tables

    tongue = spoken(chinese := CJK_RUN.search(sentence) is not None)
    low = sentence.lower()
    likely = [order for order in tongue.orders if any(cue in low for cue in order.cues)]
    if not (likely or any(cue in low for cue in tongue.cues)) or _compiled(tongue.barred).search(sentence):
        return
    lasting = _compiled(tongue.lasting).search(sentence) is not None
    bare = _compiled(tongue.lasting).sub("" if chinese else " ", sentence).strip(" ,，")
    seen = False
    for clause in _compiled(tongue.clause).split(bare):
        core = _compiled(tongue.lead).sub("", clause.strip(" ,，.。!！?？~～"))
        for order in likely:
            match = _compiled(order.pattern).match(core)
            if match and (lasting or not order.lasting):
                value = order.value
                if match.re.groups and not value:
                    value = _value(next(filter(None, match.groups()), ""), tongue)
                    if not value:
                        continue
                seen = True
                yield Anchor(order.key, value, sentence)
                if order.key == ALL:
                    return
                break
    rest = _compiled(tongue.lead).sub("", bare.strip(" .。!！"))
    lasting = lasting or _compiled(tongue.standing).search(sentence) is not None
    if lasting and not seen and len(rest) > 3 and _compiled(tongue.imperative).match(rest):
        yield Anchor("rule", rest, sentence)


def _value(said: str, tongue: Tongue) -> str:
    """The free part of an order, without what only ends a sentence; names of languages and manners as everybody has them."""
    from memcli.session.anchor_rules import NAMED

    said = _compiled(tongue.tail).sub("", said.strip(" ,，.。!！?？~～")).strip()
    return NAMED.get(said.lower(), said)[:80]


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)
