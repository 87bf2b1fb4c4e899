"""Match rules against the pieces of a sentence, and read the other pieces by their words. Each piece gets the
features from which its likelihood is computed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memcli.features.learn.clauses import analyse_clause, cut_statement, neighbour_runs, whose
from memcli.features.learn.frames import BLANK
from memcli.features.learn.language import Language, Rule, language_of
from memcli.remember.atoms import SURE
from memcli.text import words
from memcli.text.clean import one_line

NAMELESS = "wish"  # the name of a wish that names nothing
_NUMBER = rf"(?:\d+|[零一二两三四五六七八九十百半]+[点度分号日天块元])[{words.CJK}]*"  # 22, 22度, 十点前
_BARE = rf"[{words.CJK}]+|[^\W_]+"
ONLY_HOW = "only says how"  # the piece only qualifies its neighbour
KEYED = frozenset({"profile", "label", "preference"})
EDGES = " ,，;；、:："
ENDS = " \"'”’…。.!！~～"
ASKS = ("?", "？")
_CLAUSE_END = re.compile(r"[,，。;；]")
_REST = 16  # characters after a word like "today": more make a statement of its own
_QUOTES = (("“", "”"), ("「", "」"), ('"', '"'))
_LOOSE = frozenset({"event", "fact", "opinion"})  # types that a neighbour may turn into a settled one
_SETTLED = frozenset({"decision", "preference", "task"})
_HELD = frozenset({"preference", "decision", "fact", "profile", "label"})  # these hold once, if that is said


@dataclass(frozen=True)
class RuleHit:
    """Hold a rule that matches words of a sentence, and where these words stand."""

    rule: Rule
    match: re.Match[str]
    words: str
    place: frozenset[str] = frozenset()
    pieces: range = range(0)  # the pieces of the sentence that it covers


@dataclass(frozen=True)
class PieceReadings:
    """Hold the results of the rules and of the words for each piece of a statement."""

    pieces: tuple[str, ...]
    hits: tuple[RuleHit, ...]
    fits: tuple[tuple[RuleHit, ...], ...]  # possible meanings of each piece by its words, if no rule matches
    signs: tuple[tuple[str, ...], ...]


def read_statement(statement: str, place: frozenset[str], language: Language) -> PieceReadings:
    """Match each piece of a statement against the rules, and interpret the others by their words. If no single piece
    has a meaning, several are read together. `place` holds features of the statement's position."""
    cut = cut_statement(statement, language)
    ruled: list[RuleHit | None] = []
    fits: list[list[RuleHit]] = []
    for at in range(len(cut)):
        ruled.append(next(_in_piece(cut, at, ruled, language.rules, language), None))
    bares = [language.signs["bare"].fullmatch(strip_joints(piece, language)) is not None for piece in cut]
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
    return PieceReadings(tuple(cut), tuple(found), tuple(map(tuple, fits)), tuple(map(tuple, signs)))


def _signs(
    cut: list[str], at: int, hit: RuleHit | None, fits: Sequence[RuleHit], is_bare: bool, language: Language
) -> Iterator[str]:
    """Yield the features of a piece beyond its words; all parts of the piece share them."""
    own = strip_joints(cut[at], language)
    clause = analyse_clause(own, fits[0].rule.name if fits else "", language, _owner(cut[:at], language))
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
        and bool(language.signs["condition"].search(strip_joints(cut[at - 1], language))),
        "a condition": bool(language.signs["condition"].search(own)),
    }  # fmt: skip
    yield from (name for name, holds in standing.items() if holds)


def values_of(match: re.Match[str]) -> dict[str, str]:
    """Return what a rule captured, by name."""
    return {
        name.partition("__")[0]: one_line(value).strip(" .,!。，！")
        for name, value in match.groupdict().items()
        if value
    }


def _owner(before: Sequence[str], language: Language) -> str:
    """Return the owner of the preceding pieces: the last one named, or ""."""
    owners = (whose(strip_joints(piece, language), language) for piece in reversed(before))
    return next(filter(None, owners), "")


def _in_piece(
    cut: list[str], at: int, before: list[RuleHit | None], rules: Sequence[Rule], language: Language
) -> Iterator[RuleHit]:
    """Yield the rules that match a piece, the first match first. Only the user's own words tell of their profile: not
    those after `my wife is called Ingrid`."""
    signs, mood = language.signs, _mood(cut[at], cut, at, language)
    last = before[-1] if before else None
    goes_on = last is not None and last.rule.type == "profile"
    is_own = (
        goes_on or _owner(cut[:at], language) != "family" or whose(strip_joints(cut[at], language), language) == "user"
    )
    for more in language.follows if last else ():
        match = more.pattern.search(cut[at]) if is_own or more.type != "profile" else None
        if match and _goes_on(last, more) and _has_value(more, match, language):
            yield RuleHit(more, match, cut[at])
            return
    if at + 1 < len(cut) and signs["condition"].search(strip_joints(cut[at], language)):
        return  # the consequence of the condition follows in the next piece
    if at and signs["condition"].search(strip_joints(cut[at - 1], language)) and not signs["contrast"].search(cut[at]):
        joined = _fitting(cut[at - 1] + cut[at], mood, rules, language)  # keep a wish; anything else is not so yet
        yield from (hit for hit in joined if hit.rule.type == "preference")
        return
    told = any(each and each.rule.type in ("fact", "profile", "label") for each in before)
    for hit in _fitting(cut[at], mood, rules, language):
        consequence = told and hit.rule.type == "preference" and _is_consequence(cut[at], language)
        if not consequence and (is_own or hit.rule.type != "profile"):
            yield hit


def _goes_on(last: RuleHit | None, more: Rule) -> bool:
    """Return whether a follow-up rule applies after this memory."""
    return last is not None and not {last.rule.type, *values_of(last.match)}.isdisjoint(more.after)


def _is_consequence(piece: str, language: Language) -> bool:
    """Return whether a piece only orders the consequence of a fact stated before: `I'm deaf, so don't call`."""
    bare = strip_joints(piece, language)
    return bool(language.signs["forbids"].search(bare) and not language.signs["ever"].search(bare))


@dataclass(frozen=True)
class _Mood:
    asks: bool
    once: bool


def _mood(piece: str, cut: Sequence[str], at: int, language: Language) -> _Mood:
    """Return the mood of a piece. A question extends to the end of its sentence, unless the piece is the user's own
    statement."""
    signs, own = language.signs, strip_joints(piece, language)
    asks = bool(signs["asks"].search(own))
    if cut[-1].rstrip(ENDS).endswith(ASKS) and (at == len(cut) - 1 or not signs["own"].search(own)):
        asks = True
    after = strip_joints(cut[at + 1], language) if at + 1 < len(cut) else ""
    next_says_once = signs["once"].match(after)
    once = signs["once"].search(own) or (next_says_once and len(after) - next_says_once.end() <= _REST)
    return _Mood(asks and not signs["order"].search(own), bool(once and not signs["lasting"].search(own)))


def _fitting(piece: str, mood: _Mood, rules: Sequence[Rule], language: Language) -> Iterator[RuleHit]:
    """Yield the rules that match a piece, with or without the filler words at its end."""
    own = strip_joints(piece, language)
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
            yield RuleHit(replace(rule, once=once), match, piece, frozenset({"looks like none"} if barred else ()))


def _has_value(rule: Rule, match: re.Match[str], language: Language) -> bool:
    """Return whether a captured value is not empty after its end is trimmed."""
    if rule.type not in ("profile", "label"):
        return True
    captured = values_of(match)
    told = {"label": captured.get("what", "")} if rule.type == "label" else captured
    shapes = ((language.shapes.get(key), value) for key, value in told.items())
    return any(value and (shape is None or shape.cut(value)) for shape, value in shapes)


def _shortest(whole: RuleHit, cut: list[str], language: Language) -> RuleHit:
    """Return the hit on the fewest neighbouring pieces that its rule still matches."""
    for run in neighbour_runs(len(cut)):
        words = "".join(cut[run.start : run.stop])
        if match := whole.rule.pattern.search(strip_joints(words, language)):
            return RuleHit(whole.rule, match, words, pieces=run)
    return replace(whole, pieces=range(len(cut)))


def _settle(cut: list[str], settles: list[bool], hits: list[RuleHit | None], language: Language) -> None:
    """Turn phrases like `That's settled` and `from now on, always` into the type of the piece beside them. The type
    is a decision or a preference. Change `hits` in place."""
    for at, hit in enumerate(hits):
        if not settles[at]:
            continue
        hits[at] = None
        rule = hit.rule if hit and hit.rule.type in _SETTLED else _how(strip_joints(cut[at], language), language)
        near = (at + 1, at - 1) if rule and rule.type == "decision" else (at - 1, at + 1)
        beside = next((n for n in near if 0 <= n < len(cut) and not settles[n]), None)
        if not rule or beside is None or BLANK in cut[beside]:
            continue
        other, match = hits[beside], re.match("", strip_joints(cut[beside], language))
        if (
            match
            and (other is None or other.rule.general or other.rule.type in _LOOSE)
            and not _mood(cut[beside], cut, beside, language).asks
        ):
            hits[beside] = RuleHit(rule, match, cut[beside])


def _how(piece: str, language: Language) -> Rule | None:
    """Return a rule for words that only settle something or make it lasting, or None."""
    for type, sign, why in (("decision", "decides", "a decision"), ("preference", "lasting", "a standing wish")):
        if language.signs[sign].search(piece):
            return Rule(sign, type, language.signs[sign], why, confidence=SURE - 0.05)
    return None


def strip_joints(piece: str, language: Language) -> str:
    """Return a piece without the words that join it to others."""
    return trim_text(language.signs["joint"].sub("", piece))


def trim_text(text: str) -> str:
    """Return a text without punctuation at its ends, but keep a quotation mark whose partner stays."""
    core = text.strip(EDGES + ENDS)
    before, _, after = text.partition(core) if core else ("", "", "")
    for begin, end in _QUOTES:
        lone = core.count(begin) - core.count(end) if begin != end else core.count(begin) % 2
        if lone > 0 and after.startswith(end):
            return core + end
        if lone and before.endswith(begin):
            return begin + core
    return core


def slug(text: str) -> str:
    """Return a key for the subject of a preference: up to three lower-case words joined by `_`, without the value. A
    `not` behind the subject stays, so that the key of `tea, no sugar` is not about tea with sugar."""
    language, low = language_of(text), text.lower()
    thing = language.signs["thing"].fullmatch(low.strip(" .!"))
    rest = values_of(thing)["thing"] if thing else low
    for match in language.signs["not"].finditer(rest):
        if subject := _key_words(rest[: match.start()], language)[:2]:
            denied = "not_" if match[0].isascii() else match[0]
            denies = _CLAUSE_END.split(rest[match.end() :], maxsplit=1)[0]
            others = [denied + word for word in _key_words(denies, language) if word not in subject]
            return "_".join([*subject, *(others[:1])])[:40]
    bare = re.findall(_BARE, language.signs["aside"].sub(" ", rest))
    return "_".join((_key_words(rest, language) or list(dict.fromkeys(bare)))[:3])[:40]


def _key_words(text: str, language: Language) -> list[str]:
    """Return the words of a text that can name the subject of a preference, in their order; numbers can't."""
    pattern = words.WORD.pattern if text.isascii() else _BARE
    found = re.findall(pattern, language.signs["aside"].sub(" ", text))
    return list(dict.fromkeys(word for word in found if not (words.is_stop(word) or re.fullmatch(_NUMBER, word))))
