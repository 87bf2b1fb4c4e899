"""Which rules take the pieces of a sentence, and what the other pieces say by their words: each with its mood, its
place, and how likely it is that it holds a memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memcli.remember.learn.atoms import SURE
from memcli.remember.learn.clause import analysed, whose
from memcli.remember.learn.clauses import pieces, runs
from memcli.remember.learn.frames import BLANK
from memcli.remember.learn.language import Language, Rule
from memcli.text.clean import one_line

ONLY_HOW = "only says how"  # what stands beside it is meant
KEYED = frozenset({"profile", "label", "preference"})
EDGES = " ,，;；、:："
ENDS = " \"'”’…。.!！~～"
ASKS = ("?", "？")
_REST = 16  # characters behind what says how long it holds: more is a statement of its own
_QUOTES = (("“", "”"), ("「", "」"), ('"', '"'))
_LOOSE = frozenset({"event", "fact", "opinion"})  # what may be meant as something that was settled
_SETTLED = frozenset({"decision", "preference", "task"})
_HELD = frozenset({"preference", "decision", "fact", "profile", "label"})  # these hold once, if that is said


@dataclass(frozen=True)
class Hit:
    """A rule that fits some words of a sentence, and how these stand in it."""

    rule: Rule
    match: re.Match[str]
    words: str
    place: frozenset[str] = frozenset()
    pieces: range = range(0)  # of the sentence, which it lies in


@dataclass(frozen=True)
class Reading:
    """What the rules and the words tell of a statement, piece by piece."""

    pieces: tuple[str, ...]
    hits: tuple[Hit, ...]
    fits: tuple[tuple[Hit, ...], ...]  # what a piece could say by its words, where no rule takes it
    signs: tuple[tuple[str, ...], ...]


def read(statement: str, place: frozenset[str], language: Language) -> Reading:
    """What each piece of a statement says by the rules, or what several together say where none says anything; and what
    the others say by their words. `place` is where the statement stands."""
    cut = pieces(statement, language)
    ruled: list[Hit | None] = []
    fits: list[list[Hit]] = []
    for at in range(len(cut)):
        ruled.append(next(_in_piece(cut, at, ruled, language.rules, language), None))
    bares = [language.signs["bare"].fullmatch(bare(piece, language)) is not None for piece in cut]
    mood = _mood(statement, [statement], 0, language)
    whole = None if any(ruled) or all(bares) else next(_fitting(statement, mood, language.rules, language), None)
    for at in range(len(cut)):
        fits.append([] if ruled[at] else list(_in_piece(cut, at, ruled[:at], language.predicates, language)))
    if whole:
        found = [_shortest(whole, cut, language)]
    else:
        _settle(cut, bares, ruled, language)
        found = [replace(hit, pieces=range(at, at + 1)) for at, hit in enumerate(ruled) if hit]
    signs = [
        [
            *_signs(cut, at, next((hit for hit in found if at in hit.pieces), None), fits[at], bares[at], language),
            *place,
        ]
        for at in range(len(cut))
    ]
    return Reading(tuple(cut), tuple(found), tuple(map(tuple, fits)), tuple(map(tuple, signs)))


def _signs(
    cut: list[str], at: int, hit: Hit | None, fits: Sequence[Hit], is_bare: bool, language: Language
) -> Iterator[str]:
    """What is known of a piece beside its words: all that its parts share."""
    own = bare(cut[at], language)
    clause = analysed(own, fits[0].rule.name if fits else "", language, _owner(cut[:at], language))
    yield from clause.signs()
    yield from (f"may: {fit.rule.name}" for fit in fits[1:])
    if hit:
        yield "by a rule"
        yield f"by a rule for: {hit.rule.type}"
        yield f"rule: {hit.rule.name}"
        if hit.rule.confidence < SURE:
            yield "by a rule that may be wrong"
        if hit.rule.once:
            yield "for once"
    yield from (f"would be by a rule: {name}" for name in sorted({barred for fit in fits for barred in fit.place}))
    mood = _mood(cut[at], cut, at, language)
    standing = {
        "asks": mood.asks, "holds once": mood.once, ONLY_HOW: is_bare,
        "beside a question": cut[-1].rstrip(ENDS).endswith(ASKS), "under a condition": at > 0
        and bool(language.signs["condition"].search(bare(cut[at - 1], language))),
        "a condition": bool(language.signs["condition"].search(own)),
    }  # fmt: skip
    yield from (name for name, holds in standing.items() if holds)


def values(match: re.Match[str]) -> dict[str, str]:
    """What a rule captured, by name."""
    return {
        name.partition("__")[0]: one_line(value).strip(" .,!。，！")
        for name, value in match.groupdict().items()
        if value
    }


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
    for more in language.follows if last else ():
        if _goes_on(last, more) and (match := more.pattern.search(cut[at])) and _has_value(more, match, language):
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


def _goes_on(last: Hit | None, more: Rule) -> bool:
    """Whether a rule is of what follows such a memory."""
    return last is not None and not {last.rule.type, *values(last.match)}.isdisjoint(more.after)


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
    next_says_once = signs["once"].match(after)
    once = signs["once"].search(own) or (next_says_once and len(after) - next_says_once.end() <= _REST)
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
        if not match:
            continue
        barred = not rule.once and language.is_barred(rule.type, own)
        if (rule.general or not barred) and _has_value(rule, match, language):
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
    for run in runs(len(cut)):
        words = "".join(cut[run.start : run.stop])
        if match := whole.rule.pattern.search(bare(words, language)):
            return Hit(whole.rule, match, words, pieces=run)
    return replace(whole, pieces=range(len(cut)))


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
