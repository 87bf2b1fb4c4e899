"""What one sentence says: its pieces, the mood of each, the rule that takes it and the value in it.

What people say in each language stands in `memcli/language/*/learn*.txt`, which `language` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memcli.remember.learn import likelihood
from memcli.remember.learn.atoms import PASSING, SURE, Atom
from memcli.remember.learn.clause import analysed
from memcli.remember.learn.clauses import pieces, runs
from memcli.remember.learn.frames import BLANK
from memcli.remember.learn.language import Language, Rule, heard, language_of
from memcli.text import words
from memcli.text.clean import one_line

_LOOSE = frozenset({"event", "fact", "opinion"})  # what may be meant as something that was settled
_SETTLED = frozenset({"decision", "preference", "task"})
KEYED = frozenset({"profile", "label", "preference"})
_CITED = re.compile(r"[^\s()\[\]]+\.(?:md|markdown):\d+")  # quotes a memory, so it is known already
_LONGEST = 500  # characters of a sentence; beyond it is pasted material
_EDGES = " ,，;；、:："
ENDS = " \"'”’…。.!！~～"
ASKS = ("?", "？")


@dataclass(frozen=True)
class Hit:
    """A rule that fits some words of a sentence, and how these stand in it."""

    rule: Rule
    match: re.Match[str]
    words: str
    place: frozenset[str] = frozenset()


def in_sentence(
    sentence: str, line: int, at: datetime | None, why: str = "", place: frozenset[str] = frozenset()
) -> Iterator[tuple[Rule, Atom]]:
    """The memories of a sentence, each with the rule that took it; `place` is what is known of where it stands."""
    sentence = one_line(sentence)
    language = language_of(sentence)
    statement = language.signs["opening"].sub("", heard(sentence)).strip()
    if len(statement) > _LONGEST or _CITED.search(statement) or language.signs["not_meant"].search(statement):
        return
    if language.signs["light"].search(statement):
        place |= {"said lightly"}
    for hit in _hits(statement, language):
        rule = hit.rule
        text = _trimmed(hit.words, rule, language)
        if any(follows.pattern.match(text) for follows in language.follows.values()):  # who "she" is stands before it
            text = one_line(statement)
        lasting = rule.type not in PASSING and not rule.once
        for key, value in _values(rule, hit.match, text):
            looks_right = True
            if value and (shape := language.shapes.get("label" if rule.type == "label" else key)):
                value = shape.cut(value)
                looks_right = shape.is_sure(value)
            if rule.type in KEYED and not value:
                continue
            confidence, signs = _likely(hit, looks_right, place | hit.place, language)
            if confidence < likelihood.LEAST:
                continue
            yield rule, Atom(
                rule.type, _as_said(text, sentence), key, _as_said(value, sentence), rule.part, lasting, confidence,
                sentence, line, why or rule.why, rule.stated, at, "project" if rule.here else "", signs=signs,
            )  # fmt: skip


def _likely(hit: Hit, looks_right: bool, place: frozenset[str], language: Language) -> tuple[float, tuple[str, ...]]:
    """How sure it is, and what speaks for and against it; where nothing was fitted, as sure as its rule."""
    rule, special = hit.rule, hit.rule not in language.predicates
    clause = analysed(bare(hit.words, language), "" if special else rule.name, place, language)
    signs = tuple(likelihood.signs(clause, rule, looks_right, special))
    likely = likelihood.likelihood(language.name, signs)
    if likely is None:
        doubted = "said lightly" in place or not looks_right
        likely = min(rule.confidence, SURE - 0.1) if doubted else rule.confidence
    return likely, signs


def _hits(statement: str, language: Language) -> list[Hit]:
    """What each piece of a statement says by the rules; where none says anything, what several together say; and what
    the other pieces say by their words."""
    cut = pieces(statement, language)
    hits: list[Hit | None] = []
    for at in range(len(cut)):
        hits.append(_in_piece(cut, at, hits, language.rules, language))
    bares = [language.signs["bare"].fullmatch(bare(piece, language)) is not None for piece in cut]
    mood = _mood(statement, [statement], 0, language)
    whole = None if any(hits) or all(bares) else _hit(statement, mood, language.rules, language)
    if whole:
        return [_shortest(whole, cut, language)]
    for at, piece_hit in enumerate(hits):
        if not piece_hit and not bares[at]:
            hits[at] = _in_piece(cut, at, hits[:at], language.predicates, language)
    _settle(cut, bares, hits, language)
    return [replace(hit, place=_place(cut, at, hits)) for at, hit in enumerate(hits) if hit]


def _place(cut: Sequence[str], at: int, hits: Sequence[Hit | None]) -> frozenset[str]:
    """Where a piece stands in its sentence."""
    place = {"alone" if len(cut) == 1 else "first" if not at else "last" if at + 1 == len(cut) else "amid"}
    if any(hits[:at]):
        place.add("behind a memory")
    if cut[-1].rstrip(ENDS).endswith(ASKS):
        place.add("beside a question")
    return frozenset(place)


def _in_piece(
    cut: list[str], at: int, before: list[Hit | None], rules: Sequence[Rule], language: Language
) -> Hit | None:
    signs, mood = language.signs, _mood(cut[at], cut, at, language)
    last = before[-1] if before else None
    if last and (more := language.follows.get(last.rule.type)) and (match := more.pattern.search(cut[at])):
        return Hit(more, match, cut[at])
    if at + 1 < len(cut) and signs["condition"].search(bare(cut[at], language)):
        return None  # what holds under it comes next
    if at and signs["condition"].search(bare(cut[at - 1], language)) and not signs["contrast"].search(cut[at]):
        hit = _hit(cut[at - 1] + cut[at], mood, rules, language)  # a wish; anything else is not so yet
        return hit if hit and hit.rule.type == "preference" else None
    hit = _hit(cut[at], mood, rules, language)
    told = any(each and each.rule.type in ("fact", "profile", "label") for each in before)
    if hit and told and hit.rule.type == "preference" and _is_consequence(cut[at], language):
        return None
    return hit


def _is_consequence(piece: str, language: Language) -> bool:
    """Whether it only orders what follows from a fact told before: `I'm deaf, so don't call`."""
    said = bare(piece, language)
    return bool(language.signs["forbids"].search(said) and not language.signs["ever"].search(said))


@dataclass(frozen=True)
class _Mood:
    asks: bool
    once: bool


def _mood(piece: str, cut: Sequence[str], at: int, language: Language) -> _Mood:
    """How a piece is meant: a question ends with its sentence, unless a statement of one's own stands before it."""
    signs, own = language.signs, bare(piece, language)
    asks = bool(signs["asks"].search(own))
    if cut[-1].rstrip(ENDS).endswith(ASKS) and (at == len(cut) - 1 or not signs["own"].search(own)):
        asks = True
    after = bare(cut[at + 1], language) if at + 1 < len(cut) else ""
    once = signs["once"].search(own) or (len(after) <= 24 and signs["once"].match(after))
    return _Mood(asks and not signs["order"].search(own), bool(once and not signs["lasting"].search(own)))


def _hit(piece: str, mood: _Mood, rules: Sequence[Rule], language: Language) -> Hit | None:
    """The first rule that fits a piece, with or without what only sounds at its end."""
    said = bare(piece, language)
    if BLANK in said:
        return None
    ways = list(dict.fromkeys((said, language.signs["tail"].sub("", said) or said)))
    for rule in rules:
        if (mood.asks and rule.type != "question") or (rule.once and not mood.once):
            continue
        match = next(filter(None, map(rule.pattern.search, ways)), None)
        barred = match and not rule.once and language.is_barred(rule.type, said)
        if match and not barred and (rule.type not in KEYED or _has_value(rule, match, language)):
            passing = mood.once and rule.type in ("preference", "decision", "fact", "profile", "label")
            return Hit(replace(rule, once=rule.once or passing), match, piece)
    return None


def _has_value(rule: Rule, match: re.Match[str], language: Language) -> bool:
    """Whether something is left of a value that the rule captures, when it is cut where it ends."""
    values = _values(rule, match, match.string)
    shapes = ((language.shapes.get("label" if rule.type == "label" else key), value) for key, value in values)
    return any(value and (shape is None or shape.cut(value)) for shape, value in shapes)


def _shortest(whole: Hit, cut: list[str], language: Language) -> Hit:
    """The fewest neighbouring pieces that the rule still takes."""
    for run in runs(cut):
        if match := whole.rule.pattern.search(bare(run, language)):
            return Hit(whole.rule, match, run)
    return whole


def _settle(cut: list[str], settles: list[bool], hits: list[Hit | None], language: Language) -> None:
    """`That's settled` and `from now on, always` say how what stands beside them is meant: a decision, a wish."""
    for at, hit in enumerate(hits):
        if not settles[at]:
            continue
        hits[at] = None
        rule = hit.rule if hit and hit.rule.type in _SETTLED else _how(bare(cut[at], language), language)
        near = (at + 1, at - 1) if rule and rule.type == "decision" else (at - 1, at + 1)
        beside = next((n for n in near if 0 <= n < len(cut) and not settles[n]), None)
        if not rule or beside is None or BLANK in cut[beside]:
            continue
        other, match = hits[beside], re.match("", bare(cut[beside], language))
        if (
            match
            and (other is None or other.rule.type in _LOOSE)
            and not _mood(cut[beside], cut, beside, language).asks
        ):
            hits[beside] = Hit(rule, match, cut[beside])


def _how(piece: str, language: Language) -> Rule | None:
    """The rule of words that only say that something is settled, or holds from now on."""
    for type, sign, why in (("decision", "decides", "a decision"), ("preference", "lasting", "a standing wish")):
        if language.signs[sign].search(piece):
            return Rule(sign, type, language.signs[sign], why, confidence=SURE - 0.05)
    return None


def bare(piece: str, language: Language) -> str:
    """A piece without what ties it to others."""
    return language.signs["joint"].sub("", piece).strip(_EDGES + ENDS)


def _trimmed(piece: str, rule: Rule, language: Language) -> str:
    """The words that are kept of a piece: of a task what is to be done, and nothing that only sounds."""
    text = bare(piece, language) if rule.type != "preference" else piece
    text = language.signs["joint"].sub("", one_line(text)).strip(_EDGES)
    text = language.signs["tail"].sub("", text.rstrip(ENDS)) or text
    if rule.type in ("task", "decision", "preference"):
        text = language.signs["lead"].sub("", text, count=1).strip(_EDGES) or text
    return text


def _as_said(part: str, sentence: str) -> str:
    """Words that were looked for in what was heard, as they were said."""
    at = heard(sentence).find(part)
    return sentence[at : at + len(part)] if at >= 0 else part


def _values(rule: Rule, match: re.Match[str], text: str) -> list[tuple[str, str]]:
    """Key and value of what a rule took; several when a sentence tells several things of a profile."""
    found = {
        name.partition("__")[0]: one_line(value).strip(" .,!。，！")
        for name, value in match.groupdict().items()
        if value
    }
    if rule.type == "profile":
        return list(found.items())
    if rule.type == "label":
        return [(found["who"], found["what"])] if found.get("what") else []
    if rule.type == "preference":
        key = rule.key or slug(found.get("about") or text) or slug(text) or "wish"
        return [(key, found.get("value") or text.rstrip(".。!！"))]
    return [("", "")]


def slug(text: str) -> str:
    """A short name for what a preference is about: its first words that carry meaning, without the value."""
    rest = language_of(text).signs["aside"].sub(" ", text.lower())
    kept = [word for word in words.WORD.findall(rest) if not words.is_stop(word)]
    if not kept or not text.isascii():
        kept = re.findall(rf"[{words.CJK}]+|[^\W_]+", rest)
    plain = [word for word in kept if not word.isdigit()]
    return "_".join((plain or kept)[:3])[:40]
