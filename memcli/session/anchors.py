"""Find instructions for a whole talk in a user's messages: how to answer, what to talk about, what to avoid.

The words that lead up to an order ("could you please from now on") are removed, and only an order that then begins the
sentence counts: no quote, no question and no wish for a single answer. `language/*/anchors.txt` has the phrases.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from memcli.text.clean import harmless, one_line
from memcli.text.hanzi import simplified
from memcli.text.phrases import LANGUAGES, languages, table
from memcli.text.sentences import sentences
from memcli.text.words import CJK_RUN

GATHERED = ("avoid", "rule", "not_called")  # keys to which a new value is added; for others it replaces the old one
ALL = "*"  # the key that lifts every anchor
LONGEST = 240  # characters of a sentence that is read; orders are short, pasted text is not
_QUOTED = r"(?sm)```.*?(?:```|\Z)|^[ \t]*>[^\n]*$|\"[^\"\n]{12,}\"|“[^”\n]{5,}”|「[^」\n]{5,}」"
_PLAIN_QUOTES = str.maketrans("’", "'", '"“”「」')
_EDGES = " ,，.。!！?？~～"


@dataclass(frozen=True)
class Anchor:
    """Hold one instruction, which holds until it is overridden. An empty value lifts it; the key `*` lifts all."""

    key: str
    value: str
    said: str = ""  # the words it was found in


@dataclass(frozen=True)
class _Order:
    """Hold one way of giving an order, from a row of the table."""

    key: str
    value: str  # empty: what the pattern captures
    cues: tuple[str, ...]
    pattern: str
    lasting: bool  # counts only with words like "from now on"


@dataclass(frozen=True)
class _Rules:
    """Hold the table of one language."""

    orders: tuple[_Order, ...]
    cues: tuple[str, ...]  # a sentence with none of these, nor of an order's, is skipped
    parts: Mapping[str, str]  # patterns for all orders, by the name of their row

    def part(self, name: str) -> re.Pattern[str]:
        return re.compile(self.parts[name], re.I)


def anchors_in(text: str) -> list[Anchor]:
    """Return the instructions for the talk in a user's message, in order."""
    anchors: dict[str, Anchor] = {}
    for sentence in sentences(re.compile(_QUOTED, re.I).sub(" , ", harmless(text)).translate(_PLAIN_QUOTES)):
        if 1 < len(sentence.strip()) <= LONGEST:
            for anchor in _anchors_of_sentence(one_line(sentence)):
                if anchor.value or anchor.key not in anchors:  # "stop the Dutch, English again" in either order
                    anchors.pop(anchor.key, None)
                    anchors[anchor.key] = anchor
    return list(anchors.values())


def apply_anchors(in_force: Mapping[str, str], anchors: Iterable[Anchor]) -> dict[str, str]:
    """Return the anchors in force after more of them were set or lifted."""
    now = dict(in_force)
    for anchor in anchors:
        if not anchor.value:
            now = {} if anchor.key == ALL else {key: value for key, value in now.items() if key != anchor.key}
        elif anchor.key == "not_called" and now.get("name", "").casefold() == anchor.value.casefold():
            del now["name"]  # "call me Captain", and later "don't call me Captain"
        elif anchor.key in GATHERED and (before := now.get(anchor.key, "")):
            if anchor.value not in before.split("; "):
                now[anchor.key] = f"{before}; {anchor.value}"
        else:
            now[anchor.key] = anchor.value
    return now


def _anchors_of_sentence(written: str) -> Iterator[Anchor]:
    """Yield the orders of a sentence. Traditional characters are read as simplified ones; the value stays as
    written."""
    chinese, sentence = CJK_RUN.search(written) is not None, simplified(written)
    rules, low = anchor_rules(LANGUAGES[chinese]), sentence.lower()
    likely = [order for order in rules.orders if any(cue in low for cue in order.cues)]
    if not (likely or any(cue in low for cue in rules.cues)) or rules.part("barred").search(sentence):
        return
    lasting = rules.part("lasting").search(sentence) is not None
    bare = rules.part("lasting").sub("" if chinese else " ", sentence).strip(" ,，")
    seen = False
    for clause in rules.part("clause").split(bare):
        core = rules.part("lead").sub("", clause.strip(_EDGES))
        if found := _order_of_clause(core, [order for order in likely if lasting or not order.lasting], rules):
            key, value = found
            seen = True
            yield Anchor(key, _as_written(value, sentence, written), written)
            if key == ALL:
                return
    rest = rules.part("lead").sub("", bare.strip(" .。!！"))
    is_lasting = lasting or rules.part("standing").search(sentence) is not None
    if is_lasting and not seen and len(rest) > 3 and rules.part("imperative").match(rest):
        yield Anchor("rule", _as_written(rest, sentence, written), written)


def _order_of_clause(clause: str, orders: Iterable[_Order], rules: _Rules) -> tuple[str, str] | None:
    """Return the key and the value of the first order that a clause gives, or None."""
    for order in orders:
        if match := re.compile(order.pattern, re.I).match(clause):
            if order.value or not match.re.groups:
                return order.key, order.value
            captured = next(filter(None, match.groups()), "")
            if value := _known_name(rules.part("tail").sub("", captured.strip(_EDGES)).strip())[:80]:
                return order.key, value
    return None


def _as_written(value: str, sentence: str, written: str) -> str:
    """Return the original spelling of a value that was found in the simplified sentence."""
    at = sentence.find(value)
    return written[at : at + len(value)] if at >= 0 else value


@lru_cache(maxsize=2)
def anchor_rules(language: str) -> _Rules:
    """Return the rules for orders in one language. `{NAME}` in a pattern stands for a piece, or for names of
    `names.txt`."""
    rows = table("anchors", language)
    pieces = {row["piece"][0]: "|".join(row["pattern"]) for row in rows if "piece" in row}
    spoken: dict[str, list[str]] = {"language": [], "manner": [], "unit": []}
    for row in table("names", language):
        spoken[next(key for key in row if key != "words")] += _listed(row["words"][0])
    for piece, kind in (("LANG", "language"), ("MANNER", "manner")):
        pieces[piece] = "|".join(sorted(spoken[kind], key=len, reverse=True))
    things = [(row["thing"][0], _listed(row["cues"][0]), row["pattern"][0]) for row in rows if "thing" in row]

    def filled(pattern: str, thing: str) -> str:
        for name, stands_for in {"THING": thing, **pieces}.items():
            pattern = pattern.replace("{" + name + "}", stands_for)
        return pattern

    orders = []
    for row in rows:
        if "sets" in row:
            key, _, value = row["sets"][0].partition("=")
            cues = [name.lower() for name in spoken["language"]] if row["cues"] == ["LANG"] else _listed(row["cues"][0])
            for thing in things if key == "THING" else [(key, cues, "")]:
                pattern = filled("|".join(row["pattern"]), thing[2])
                orders.append(_Order(thing[0], value, tuple(thing[1]), pattern, "only when lasting" in row))
    general = next(row["cues"][0] for row in rows if row.get("part") == ["cues"])
    parts = {row["part"][0]: "|".join(row["pattern"]) for row in rows if "part" in row and "pattern" in row}
    return _Rules(tuple(orders), tuple(_listed(general)), parts)


def _listed(words: str) -> list[str]:
    return [word.replace("_", " ") for word in words.split(", ")]


def _known_name(value: str) -> str:
    """Return the name under which a language, manner or unit is kept; other text unchanged."""
    for language in languages(value):
        if known := _names(language).get(value.lower()):
            return known
    return value


@lru_cache(maxsize=2)
def _names(language: str) -> dict[str, str]:
    """Return every name in a language, with the one that is kept."""
    names: dict[str, str] = {}
    for row in table("names", language):
        stored = next(value[0] for key, value in row.items() if key != "words")
        names |= {word.lower(): stored for word in _listed(row["words"][0])}
    return names
