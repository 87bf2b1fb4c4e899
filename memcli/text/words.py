"""Turn words into patterns, so that a question's word finds its other forms in any text without an index.

Latin and Cyrillic words become a pattern of their stem, irregular forms and close synonyms; Chinese, Japanese and
Korean run together, so they are matched by pairs of characters. Patterns are regexes that ripgrep and `re` read alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, NamedTuple

from memcli.text import lexicon
from memcli.text.hanzi import simplified, traditional
from memcli.text.later import compile_later

CJK = r"\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
CJK_RUN = compile_later(f"[{CJK}]+", in_ascii="(?!)")
WORD = compile_later(rf"[^\W_{CJK}]+(?:['’][^\W\d_{CJK}]+)?", in_ascii=r"[^\W_]+(?:'[^\W\d_]+)?")

SINGLE = 0.2  # weight of a single CJK character, relative to a pair
COMMON = 0.5  # weight of words that many questions and few answers have

_BEFORE_LEAD = compile_later(r"[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?:\[.\][ \t]*)?(?:\d{1,2}:\d\d(?::\d\d)?[ \t]+)?")
_LEAD = compile_later(r"(?:\*\*)?([^\W\d](?:[^:：\n*]{0,30}[^\s:：*])?)(?:\*\*)?[:：](?!//)")

# Endings with which a short root is still the same word, a longer one (relation of relate, not costume of cost), one
# without its e (baker of bake, not winner of wine). `{last}` is the last letter of the root, which may be doubled.
_ENDINGS = "s|es|ed|ing|er|ers|ly|y(?:ing)?|ies|ied|{last}(?:ing|ed)"
_DERIVED = "s|e[sdrn]|ers|ly|y(?:ing)?|al|th|or|in|as?|os?|ic|{last}?(?:ing|er|ed)s?|ions?|able|ments?|ness"
_DERIVED += "|ally|[ae]nce|i(?:es|ed|ly|er|est|ness)"
_OF_E = "e(?:[sdr]|rs|ly|ful|less|ments?)?|ings?|able"
_EDGE = r"(?:\b|_)"  # snake_case is made of words


def words(text: str) -> list[str]:
    """Return the words of a text that are written with spaces, in lower case, without possessive endings."""
    return [normal_form(match[0]) for match in WORD.finditer(text)]


def normal_form(word: str) -> str:
    word = word.lower().replace("’", "'")
    return word[:-2] if word.endswith("'s") else word


def is_stop(word: str) -> bool:
    return word in lexicon.stop_words("en")


def stops(text: str) -> frozenset[str]:
    """Return the stop words of a question's language, which is the one with the most stop words in it."""
    text_words, english = set(words(text)), lexicon.stop_words("en")
    other = max(lexicon.stop_words_of_others(), key=lambda stop: len(text_words & stop))
    return other if len(text_words & other) > len(text_words & english) else english


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return the stem that the forms of a lower-case word share. For scripts without a stemmer it is the word's
    beginning."""
    if word.isascii():
        return str(_stemmer("english").stem_word(word))
    if "\u0400" <= word[0] <= "\u04ff":
        return str(_stemmer("russian").stem_word(word))
    return word[:-2] if len(word) > 5 else word


class Form(NamedTuple):
    """Hold one form of a word as a pattern. Every match contains `literal`, so most lines need no regex."""

    literal: str  # lower case
    pattern: str  # "" means that the literal is the pattern
    weight: float = 1.0

    @property
    def regex(self) -> str:
        """Return a pattern of lines for ripgrep, which finds the edges of words beyond ASCII fifty times as slowly."""
        of_ascii = self.pattern.removeprefix("(?a:")
        return f"(?-u:{of_ascii}" if of_ascii != self.pattern else re.escape(self.literal)

    def times_in(self, low: str) -> int:
        """Return how often the form occurs in a lower-case text."""
        if self.literal not in low:
            return 0
        return len(_led_by(self.literal, self.pattern).findall(low)) if self.pattern else low.count(self.literal)

    def places(self, low: str) -> list[int]:
        """Return the offsets of the form in a lower-case text."""
        if self.literal not in low:
            return []
        return [match.start() for match in _led_by(self.literal, self.pattern or re.escape(self.literal)).finditer(low)]


class Term(NamedTuple):
    """Hold one search term with all its forms."""

    text: str
    forms: tuple[Form, ...]
    weight: float = 1.0

    def times_in(self, low: str) -> float:
        """Return how often a lower-case text has the term; synonyms count less."""
        return sum(form.weight * form.times_in(low) for form in self.forms)

    def places(self, low: str) -> set[int]:
        """Return the offsets of the term in a lower-case text."""
        return {place for form in self.forms for place in form.places(low)}


def form(word: str, weight: float = 1.0) -> Form:
    """Return a pattern for a word and its regular forms, those with the same stem."""
    short = stem(word)
    shared = 0
    while shared < min(len(short), len(word)) and short[shared] == word[shared]:
        shared += 1
    root = word[:shared] or word
    if len(root) <= 6 and root.endswith("i") and word.endswith(("ies", "ied")):  # not the "cook" of "cookies"
        endings = r"i\w*" if len(root) == 6 else "ie[sdr]?"
        return Form(root[:-1], _whole(root[:-1], rf"(?:y|{endings}|ying){_EDGE}"), weight)
    if len(root) > 6 and (root != word or word[-1] in "aeiouy"):  # a root is cut, culvert is not
        root = root[:-1]
    if len(root) >= 6:
        return Form(root, _whole(root, r"\w*"), weight)
    if root == word and root.endswith("e") and len(root) > 3:  # moving, lived
        return Form(root[:-1], _whole(root[:-1], f"(?:{_OF_E}){_EDGE}"), weight)
    endings = _ENDINGS if len(root) < 4 else _DERIVED if word.isascii() else r"\w{0,4}"
    endings = endings.replace("{last}", root[-1]) + ("|e" if root != word else "")  # "decide" of "decided"
    if root.endswith("e"):
        endings = f"d|r|rs|{endings}"
    rest = word[len(root) :]
    if rest and not _compiled(endings).fullmatch(rest):  # "ache" has the stem "ach", and must find itself
        endings += "|" + re.escape(rest)
    return Form(root, _whole(root, f"(?:{endings})?{_EDGE}"), weight)


def forms(word: str) -> tuple[Form, ...]:
    """Return the forms that match a word: its own at full weight, and those of other words at less."""
    irregular = lexicon.irregular()
    own = {word, *irregular.get(word, ()), *irregular.get(stem(word), ())}
    if stem(word) in irregular:
        own.add(stem(word))
    other = lexicon.other_words("en", own | _plain_forms(word))
    other |= {form: weight for each, weight in other.items() for form in irregular.get(each, ())}
    found = {_form(each, 1.0) for each in own} | {_inflected(each, other[each]) for each in other.keys() - own}
    return tuple(sorted(found, key=lambda each: (-each.weight, each.literal)))


def _plain_forms(word: str) -> set[str]:
    """Return the plain forms that a word may be of: "purchase" of purchased, "company" of companies."""
    short = stem(word)
    plain = {short, word.removesuffix("s"), f"{short[:-1]}y" if short.endswith("i") else short}
    return plain | ({word[:-1]} if word[-3:-2] != "e" and word.endswith("ed") else {re.sub("ing$", "e", word)})


def _inflected(word: str, weight: float) -> Form:
    """Return a pattern for a synonym and its plural and verb forms; its stem would find "intern" for internet."""
    if word in lexicon.irregular():
        return _form(word, weight)
    endings = {"e": "(?:e[sd]?|ing)", "y": "(?:ys?|ie[sd]|ying)"}.get(word[-1] if len(word) > 3 else "")
    root = word[:-1] if endings else word
    return Form(root, _whole(root, (endings or f"(?:e?s|{word[-1]}?(?:ed|ing))?") + _EDGE), weight)


def literal(text: str, weight: float = 1.0) -> Form:
    """Return a form that matches exactly these characters, also inside a word."""
    return Form(text.lower(), "", weight)


def whole(text: str, end: str = _EDGE) -> Form:
    """Return a form that matches these ASCII characters as a whole word, or as one that has an end."""
    return Form(text, _whole(text, end))


def cjk(run: str) -> dict[str, float]:
    """Return the search terms of a run of CJK text with their weights: pairs of characters, and single characters left
    after removing stop words. A single character is part of many words, so it only supports a pair.

    A stop word of one character may also be half of a word (成都, 部署, 问题), so its pairs count half.
    """
    stop_words, asking = lexicon.stop_words("zh"), lexicon.stop_words("zh", "asking")
    run = _without_stop_phrases(run)
    pairs: dict[str, float] = {}
    for part in run.split():
        for pair in map("".join, pairwise(part)):
            stops = (pair[0] in stop_words) + (pair[1] in stop_words)
            if stops < 2:
                pairs.setdefault(pair, COMMON if stops or pair in asking else 1.0)
    alone = "".join(" " if sign in stop_words else sign for sign in run).split()
    whole = 1.0 in pairs.values()
    return pairs | {sign: SINGLE if whole else COMMON for sign in alone if len(sign) == 1}


def _without_stop_phrases(run: str) -> str:
    for stop in lexicon.chinese_by_length():
        if len(stop) > 1:
            run = run.replace(stop, " ")
    return run


def cjk_terms(run: str) -> Iterator[Term]:
    """Yield the search terms of a run of CJK text, in simplified and traditional characters.

    A word with synonyms is one term, with all that may stand for it. A pair across its edge is not a word, and a pair
    inside it is half of one.
    """
    run = simplified(run)
    weights = cjk(run)
    run = _without_stop_phrases(run)
    for start, stop in lexicon.find_synonyms(run):
        word = run[start:stop]
        if word in lexicon.stop_words("zh"):
            continue
        parts = [run[at : at + 2] for at in range(max(0, start - 1), stop) if (at, at + 2) != (start, stop)]
        weights.update({part: min(weights[part], COMMON) for part in parts if part in weights})
        own = _written(word, weights.get(word, SINGLE) if len(word) == 1 else 1.0)
        weights.pop(word, None)
        other = lexicon.other_words("zh", [word]).items()
        yield Term(word, (*own, *chain.from_iterable(_written(*each) for each in other if len(each[0]) > 1)))
    for part, weight in weights.items():
        yield Term(part, (*_written(part),) if len(part) > 1 else (literal(part),), weight)


def _written(text: str, weight: float = 1.0) -> list[Form]:
    """Return the forms of a text in simplified characters: as it is and in traditional ones."""
    return [literal(each, weight) for each in dict.fromkeys((text, traditional(text)))]


def is_whole(term: Term) -> bool:
    """Return whether a term is a whole word, as 成都 is. A single character and a pair across a particle are not."""
    if term.weight >= 1:
        return True
    return (
        len(term.text) == 2
        and CJK_RUN.fullmatch(term.text) is not None
        and not lexicon.stop_words("zh", "particle") & {*term.text}
    )


def pairs(text: str) -> frozenset[str]:
    """Return the pairs of CJK characters in a text without stop words."""
    return frozenset(pair for run in CJK_RUN.findall(text) for pair in cjk(run) if len(pair) == 2)


def features(text: str) -> frozenset[str]:
    """Return the features of a text for computing similarity: its words and its pairs of CJK characters."""
    low = text.lower()
    return frozenset(WORD.findall(low)).union(*(map("".join, pairwise(run)) for run in CJK_RUN.findall(low)))


def sequence(text: str) -> list[str]:
    """Return the features of a text in the order of their first occurrence, without stop words."""
    low = text.lower()
    runs = re.finditer(rf"{WORD.pattern}|{CJK_RUN.pattern}", low)
    found = [[run[0]] if WORD.fullmatch(run[0]) else map("".join, pairwise(run[0])) for run in runs]
    return [each for each in dict.fromkeys(chain.from_iterable(found)) if not is_stop(each)]


def _form(word: str, weight: float) -> Form:
    """Return the pattern of an irregular form, which takes no endings, or of a base form, which does (drinks)."""
    if word in lexicon.base_forms() and word.endswith("e") and len(word) > 3:
        return Form(word[:-1], _whole(word[:-1], f"(?:{_OF_E}){_EDGE}"), weight)
    if word in lexicon.base_forms():
        return form(word, weight)
    return Form(word, _whole(word, _EDGE), weight) if word in lexicon.irregular() else form(word, weight)


def _whole(root: str, ending: str) -> str:
    """Return a pattern that begins where a word does. Only ASCII belongs to an ASCII word, as in 用Redis做缓存."""
    pattern = rf"{_EDGE}{re.escape(root)}{ending}"
    return f"(?a:{pattern})" if root.isascii() else pattern


@lru_cache(maxsize=4096)
def _led_by(literal: str, pattern: str) -> re.Pattern[str]:
    """Return the pattern with its letters searched first: searching for the edge of a word first is four times
    slower."""
    root = re.escape(literal)
    return re.compile(pattern.replace(_EDGE + root, rf"{root}(?:(?<=\b{root})|(?<=_{root}))", 1))


@lru_cache(maxsize=8192)
def lead_of(raw: str) -> str:
    """Return the `Name:` a line begins with, in lower case; "" when there is none."""
    before = _BEFORE_LEAD.match(raw)
    match = _LEAD.match(raw, before.end() if before else 0)
    return match[1].lower() if match else ""


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@lru_cache(maxsize=4)
def _stemmer(language: str) -> Any:
    from py_rust_stemmers import SnowballStemmer  # type: ignore[import-untyped]

    return SnowballStemmer(language)
