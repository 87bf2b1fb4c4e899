"""Which rules take the pieces of a sentence, and what the other pieces say by their words: each with its mood, its
place, and how likely it is that it holds a memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memcli.remember.learn import likelihood
from memcli.remember.learn.atoms import SURE
from memcli.remember.learn.clause import analysed, whose
from memcli.remember.learn.clauses import pieces, runs
from memcli.remember.learn.frames import BLANK
from memcli.remember.learn.language import Language, Rule
from memcli.text.clean import one_line

KEYED = frozenset({"profile", "label", "preference"})
EDGES = " ,，;；、:："
ENDS = " \"'”’…。.!！~～"
ASKS = ("?", "？")
_QUOTES = (("“", "”"), ("「", "」"), ('"', '"'))
_LOOSE = frozenset({"event", "fact", "opinion"})  # what may be meant as something that was settled
_SETTLED = frozenset({"decision", "preference", "task"})
_HELD = frozenset({"preference", "decision", "fact", "profile", "label"})  # these hold once, if that is said


@dataclass(frozen=True)
class Hit:
    """A rule that fits some words of a sentence, how these stand in it, and how likely that makes a memory of them."""

    rule: Rule
    match: re.Match[str]
    words: str
    place: frozenset[str] = frozenset()
    before: str = ""  # whose the words before it are
    likely: float = 0.0
    signs: tuple[str, ...] = ()
    rivals: tuple[Hit, ...] = ()  # what the same words could be as well


def hits(statement: str, place: frozenset[str], language: Language) -> list[Hit]:
    """What each piece of a statement says by the rules; where none says anything, what several together say; and what
    the other pieces say by their words. `place` is where the statement stands."""
    cut = pieces(statement, language)
    found: list[Hit | None] = []
    for at in range(len(cut)):
        found.append(next(_in_piece(cut, at, found, language.rules, language), None))
    bares = [language.signs["bare"].fullmatch(bare(piece, language)) is not None for piece in cut]
    mood = _mood(statement, [statement], 0, language)
    if not (any(found) or all(bares)) and (whole := next(_fitting(statement, mood, language.rules, language), None)):
        return [weighed(replace(_shortest(whole, cut, language), place=place), True, language)]
    for at in range(len(cut)):
        if not found[at] and not bares[at]:
            here = place | _place(cut, at, found)
            fits = _in_piece(cut, at, found[:at], language.predicates, language)
            ways = [replace(hit, place=hit.place | here, before=_owner(cut[:at], language)) for hit in fits]
            likely = sorted((weighed(hit, True, language) for hit in ways), key=lambda hit: -hit.likely)
            found[at] = replace(likely[0], rivals=tuple(likely[1:])) if likely else None
    _settle(cut, bares, found, language)
    return [
        hit if hit.rule.general else replace(hit, place=place | _place(cut, at, found))
        for at, hit in enumerate(found)
        if hit
    ]


def weighed(hit: Hit, looks_right: bool, language: Language) -> Hit:
    """How sure it is, and what speaks for and against it; where nothing was fitted, as sure as its rule."""
    says = hit.rule.name if hit.rule.general else ""
    clause = analysed(bare(hit.words, language), says, hit.place, language, hit.before)
    signs = tuple(likelihood.signs(clause, hit.rule, looks_right))
    likely = likelihood.likelihood(language.name, signs)
    if likely is None:
        doubted = "said lightly" in hit.place or not looks_right
        likely = min(hit.rule.confidence, SURE - 0.1) if doubted else hit.rule.confidence
    return replace(hit, likely=likely, signs=signs)


def values(match: re.Match[str]) -> dict[str, str]:
    """What a rule captured, by name."""
    return {
        name.partition("__")[0]: one_line(value).strip(" .,!。，！")
        for name, value in match.groupdict().items()
        if value
    }


def _place(cut: Sequence[str], at: int, hits: Sequence[Hit | None]) -> frozenset[str]:
    """Where a piece stands in its sentence."""
    signs = {"behind a memory": any(hits[:at]), "beside a question": cut[-1].rstrip(ENDS).endswith(ASKS)}
    return frozenset(name for name, holds in signs.items() if holds)


def _owner(before: Sequence[str], language: Language) -> str:
    """Whose the pieces are that stand before another: the last of them that says so."""
    owners = (whose(bare(piece, language), language) for piece in reversed(before))
    return next(filter(None, owners), "")


def _in_piece(
    cut: list[str], at: int, before: list[Hit | None], rules: Sequence[Rule], language: Language
) -> Iterator[Hit]:
    """The rules that fit a piece, the first before all."""
    signs, mood = language.signs, _mood(cut[at], cut, at, language)
    last = before[-1] if before else None
    if last and (more := language.follows.get(last.rule.type)) and (match := more.pattern.search(cut[at])):
        yield Hit(more, match, cut[at])
        return
    if at + 1 < len(cut) and signs["condition"].search(bare(cut[at], language)):
        return  # what holds under it comes next
    if at and signs["condition"].search(bare(cut[at - 1], language)) and not signs["contrast"].search(cut[at]):
        joined = _fitting(cut[at - 1] + cut[at], mood, rules, language)  # a wish; anything else is not so yet
        yield from (hit for hit in joined if hit.rule.type == "preference")
        return
    told = any(each and each.rule.type in ("fact", "profile", "label") for each in before)
    for hit in _fitting(cut[at], mood, rules, language):
        if not (told and hit.rule.type == "preference" and _is_consequence(cut[at], language)):
            yield hit


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


def _fitting(piece: str, mood: _Mood, rules: Sequence[Rule], language: Language) -> Iterator[Hit]:
    """The rules that fit a piece, with or without what only sounds at its end."""
    own = bare(piece, language)
    if BLANK in own:
        return
    ways = list(dict.fromkeys((own, language.signs["tail"].sub("", own) or own)))
    for rule in rules:
        if (mood.asks and rule.type != "question") or (rule.once and not mood.once):
            continue
        match = next(filter(None, map(rule.pattern.search, ways)), None)
        barred = not rule.once and language.is_barred(rule.type, own)
        if match and (rule.general or not barred) and _has_value(rule, match, language):
            once = rule.once or (mood.once and rule.type in _HELD)
            yield Hit(replace(rule, once=once), match, piece, frozenset({"looks like none"} if barred else ()))


def _has_value(rule: Rule, match: re.Match[str], language: Language) -> bool:
    """Whether something is left of a value that the rule captures, when it is cut where it ends."""
    if rule.type not in ("profile", "label"):
        return True
    captured = values(match)
    told = {"label": captured.get("what", "")} if rule.type == "label" else captured
    shapes = ((language.shapes.get(key), value) for key, value in told.items())
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
            and (other is None or other.rule.general or other.rule.type in _LOOSE)
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
    return stripped(language.signs["joint"].sub("", piece))


def stripped(text: str) -> str:
    """A text without the signs at its ends, save a quotation mark whose partner stays."""
    core = text.strip(EDGES + ENDS)
    before, _, after = text.partition(core) if core else ("", "", "")
    for begin, end in _QUOTES:
        lone = core.count(begin) - core.count(end) if begin != end else core.count(begin) % 2
        if lone > 0 and after.startswith(end):
            return core + end
        if lone and before.endswith(begin):
            return begin + core
    return core
