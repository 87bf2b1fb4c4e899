"""Rate how likely a short text is chatter: remarks of the moment, thanks, "next please", the output of a program.

`small_talk.py` lists the words that certainly are chatter. This module weighs all others by the words and pairs of
words (in Chinese: one to three characters) in the text. `tests/bench/chatter_weights.py` fits the weights,
`language/*/chatter_weights.txt`, on texts that people did and did not want to keep.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from memcli.text.hanzi import simplified
from memcli.text.later import compile_later
from memcli.text.tables import LANGUAGE_FOLDER, read_table_text
from memcli.text.tokens import rarity

SURE = 1.0  # from this score on a text is chatter
RARE = 0.5  # each unknown word lowers the score by this much
SCALE = 100  # the table has each weight times this, as an integer
NAMES = -1.0  # up to this weight a word names something
NAMED = 0.9  # rarity of a word that may be a name
_DAY = (
    r"\b(?:today|tonight|yesterday|this (?:morning|afternoon|evening|week|weekend)|last night)\b"
    r"|今[天晚早]|昨[天晚]|这周|刚才|(?<=[\u3400-\u9fff]{2})又(?=[\u3400-\u9fff]{2})"  # what came again came on a day
)
_CITES = compile_later(r"\.md:\d+\)")
_WORD = r"[a-z']+|\d+|[^\w\s]"
_CHINESE = "[\u3400-\u9fff]"
# Cyrillic, Arabic, Korean …: nobody weighed their words.
_OTHER_SCRIPT = r"[^\W\d_a-zA-Z\u00c0-\u024f\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]{2}"
_CONTENT = rf"[a-z']{{4,}}|{_CHINESE}"  # an unknown word of this form counts as content


def is_chatter(text: str) -> bool:
    """Return whether a text is chatter.

    A single word, which may be all there is to note, a task and a text that cites a memory never are.
    """
    language = language_of(text)
    if (language == "en" and len(re.findall(r"\w[\w'’]*", text)) < 2) or "[ ]" in text or _CITES.search(text):
        return False
    if not text.isascii() and re.search(_OTHER_SCRIPT, text):
        return False
    if language == "en" and _tells_of_somebody(text):
        return False
    return likeness_to_chatter(text) >= SURE


def _tells_of_somebody(text: str) -> bool:
    """Return whether a text begins with a name, as "Nev off sick" does: a rare word in capitals that chatter never
    has."""
    first = re.match(r"[A-Z][a-z]{2,}(?= [a-z])", text)
    word = first[0].lower() if first else ""
    return bool(word) and word not in chatter_weights("en") and rarity(word) >= NAMED


def likeness_to_chatter(text: str) -> float:
    """Return the score of a text with the weights of its language. A mark at the end makes no text chatter that is none
    without it: people write "Gwen quit" and "Gwen quit."."""
    plain, known = simplified(text), chatter_weights(language_of(text))
    return min(chatter_score(each, known) for each in (plain, plain.rstrip(" .!。！")))


def tells_of_day(text: str) -> bool:
    """Return whether a text reports an event of a day: `Great rehearsal today!` has a noun that chatter lacks."""
    if not re.search(_DAY, text, re.I):
        return False
    language = language_of(text)
    known = chatter_weights(language)
    if language == "zh":
        run = re.sub(rf"[^\u3400-\u9fff]|{_DAY}", " ", simplified(text))
        pairs = (run[at : at + 2] for at in range(len(run) - 1))
        return any(" " not in pair and pair not in known and _speaks_against(pair, known) for pair in pairs)
    long_words = re.findall(r"[a-z']{5,}", re.sub(_DAY, " ", text.lower()))
    return any(known.get(word, NAMES) <= NAMES for word in long_words)


def _speaks_against(pair: str, known: dict[str, float]) -> bool:
    return sum(known.get(sign, 0.0) for sign in pair) <= NAMES


def chatter_score(text: str, known: dict[str, float]) -> float:
    """Return the score of a text with the given weights. It is above 0 where chatter is more likely than not."""
    signs = chatter_signs(text)
    weights = [known[sign] for sign in signs if sign in known]
    rare = sum(sign not in known for sign in signs if re.fullmatch(_CONTENT, sign))
    return float(sum(weights) / max(1.0, len(weights)) ** 0.5 + known.get("always", 0.0) - RARE * rare)


def language_of(text: str) -> str:
    return "zh" if any("\u3400" <= sign <= "\u9fff" for sign in text) else "en"  # a pattern takes 2 ms to compile


def chatter_signs(text: str) -> set[str]:
    """Return the features of a text that separate chatter from what is worth keeping."""
    low = re.sub(r"\d+", "0", " ".join(text.lower().replace("’", "'").split()))
    low = low.removeprefix("-").lstrip()  # an item of a list
    low = re.sub(r"([a-z])\1{2,}", r"\1\1", low)  # sooooo becomes soo
    low = re.sub("[<>]=? ?(?=0)", "below ", low)  # a limit, as a person writes it
    if language_of(text) == "zh":
        framed = f"^{low}$"
        signs = {framed[at : at + size] for size in (1, 2, 3) for at in range(len(framed) - size + 1)}
    else:
        parts = ["^", *re.findall(_WORD, low), "$"]
        signs = {*parts, *(f"{one} {other}" for one, other in pairwise(parts))}
    signs -= {"^", "$"}
    if "0" in low:
        signs.add("a number")
    if re.search(r"(?<=[a-z,] )[A-Z][a-z]", text):
        signs.add("a name")
    return signs


@cache
def chatter_weights(language: str) -> dict[str, float]:
    """Return the weight of each feature in a language. Each line of the table has a weight and a feature."""
    lines = read_table_text(LANGUAGE_FOLDER / language / "chatter_weights.txt").split("\n")
    pairs = (line.split("\t", 1) for line in lines if line and line[0] != "#")
    return {sign: int(weight) / SCALE for weight, sign in pairs}
