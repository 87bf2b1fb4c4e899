"""Find the memories of one sentence from its `hits`, and determine where the value of each begins and ends.

The phrases of each language are in `memcli/language/*/learn*.txt`, which `language` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import zip_longest

from memcli.features.learn import doubts, hits, likelihood
from memcli.features.learn.clauses import whose
from memcli.features.learn.frames import BLANK
from memcli.features.learn.hits import PieceReadings, RuleHit, read_statement, strip_joints, trim_text, values_of
from memcli.features.learn.language import Language, Rule, language_of, normalized
from memcli.features.learn.likelihood import KINDS, Likelihoods, Span, judge_parts
from memcli.features.learn.parts import Segment, SentenceContext, features, segments
from memcli.features.learn.tails import with_tails
from memcli.remember.atoms import PASSING, SURE, Atom
from memcli.text import lexicon, words
from memcli.text.clean import one_line

_CITED = re.compile(r"[^\s()\[\]]+\.(?:md|markdown):\d+")  # cites a memory, which is known already
_CUT_SHORT = re.compile(r"\s*[(（][^()（）]*$")  # an unclosed aside that goes on after the memory
_DIGIT = re.compile(r"\d")
PLAIN = 0.15  # from this likelihood on a sure rule's match outside a span is kept: a sentence may have several memories
MAY = 0.15  # from this likelihood on the type of a rule outweighs that of the words
WISH = 0.1  # from this likelihood on an apparent wish is one: "I don't eat fish" is also a fact
_FAMILY = "family"  # a class of words for the owner of a clause
_LONGEST = 500  # characters of a sentence; a longer one is pasted material


@dataclass(frozen=True)
class MemoryCandidate:
    """Hold a memory of a sentence: the rule that gives its type, its words, and how likely it is."""

    rule: Rule
    words: str
    likely: float
    match: re.Match[str] | None = None  # the match of the rule; None if it was found by its words
    lightly: bool = False


def in_sentence(
    sentence: str, line: int, at: datetime | None, why: str = "", place: frozenset[str] = frozenset(),
    around: SentenceContext = SentenceContext(),
) -> Iterator[tuple[Rule, Atom]]:  # fmt: skip
    """Yield the memories of a sentence, each with its rule. `place` has features of the sentence's position, and
    `around` its context."""
    sentence = one_line(sentence)
    language = language_of(sentence)
    statement = language.signs["opening"].sub("", normalized(sentence)).strip()
    if len(statement) > _LONGEST or _CITED.search(statement) or language.signs["not_meant"].search(statement):
        return
    if language.signs["light"].search(normalized(sentence)):
        place |= {"said lightly"}
    if language.signs["here"].search(statement):
        place |= {"said of the work here"}
    reading = read_statement(statement, place, language)
    told = [
        (found.rule, replace(atom, line=line, at=at, why=why or found.rule.why))
        for found in (_dated(each, language) for each in _memories(reading, place, around, language))
        for atom in _atoms(replace(found, lightly="said lightly" in place), statement, sentence, language)
    ]
    whole = with_tails([atom for _, atom in told], sentence, language)
    yield from ((rule, atom) for (rule, _), atom in zip(told, whole, strict=True))


def _memories(
    reading: PieceReadings, place: frozenset[str], around: SentenceContext, language: Language
) -> Iterator[MemoryCandidate]:
    """Yield the matches of rules that are likely here, and memories that are likely by their words alone."""
    cut = segments(reading.pieces, language)
    judged = judge_parts(language.name, features(cut, reading.signs, around, language.name))
    spans = tuple(_with_conditions(judged.spans, cut, language))
    within = [(hit, _span(hit, spans, judged, cut)) for hit in reading.hits]
    once = {at for hit in reading.hits if hit.rule.once for at in hit.pieces}
    for span in spans:
        inside = [hit for hit, its in within if its == span]
        own = {part.piece for part in cut[span.start : span.end]}
        only_how = all(hits.ONLY_HOW in reading.signs[piece] for piece in own)  # `decided`, `from now on`
        if not own & once and not only_how:
            yield from _of_span(span, judged, cut, inside, reading, language)
    for hit, its in within:
        likely = max(judged.of_type(hit.rule.type, at) for at, part in enumerate(cut) if part.piece in hit.pieces)
        unsure = hit.rule.general or (hit.rule.confidence < SURE and not hit.rule.after)
        least = likelihood.LEAST if unsure else PLAIN
        if hit.rule.outright or (hit.rule.after and hit.rule.type == "profile"):  # follows a sure match
            likely = max(likely, likelihood.LEAST)
        if not its and (hit.rule.once or "agreed to" in place or likely >= least):
            yield MemoryCandidate(hit.rule, hit.words, likely, hit.match)


def _with_conditions(spans: Sequence[Span], cut: Sequence[Segment], language: Language) -> Iterator[Span]:
    """Yield the spans, each wish extended by the condition right before it. An example is `Whenever I paste a
    receipt, pull out the total`."""
    free = 0  # where the last span ends
    for span, after in zip_longest(spans, spans[1:]):
        hangs_on_it = after and after.start == span.end and after.kind == "P"
        if hangs_on_it and _is_condition(cut[span.start : span.end], language):
            continue
        start = span.start
        if span.kind == "P" and start > free and cut[start].piece != cut[start - 1].piece:
            first = next(at for at in range(free, start) if cut[at].piece == cut[start - 1].piece)
            start = first if _is_condition(cut[first:start], language) else start
        yield replace(span, start=start)
        free = span.end


def _is_condition(found: Sequence[Segment], language: Language) -> bool:
    words = "".join(part.words for part in found)
    return bool(language.signs["only_when"].search(strip_joints(words, language)))


def _span(hit: RuleHit, spans: Sequence[Span], judged: Likelihoods, cut: Sequence[Segment]) -> Span | None:
    """Return the span in which a hit begins, if the hit's type is possible for the memory; else None."""
    for span in spans:
        at = [number for number in range(span.start, span.end) if cut[number].piece in hit.pieces]
        may = max((judged.of_type(hit.rule.type, number) for number in at), default=0.0) >= MAY
        if at and not hit.rule.once and (may or hit.rule.outright or _is_keyed(hit.rule)):
            return span
    return None


def _is_keyed(rule: Rule) -> bool:
    """Return whether a rule is sure of its preference, so that one thing keeps one key."""
    return rule.type == "preference" and rule.confidence >= SURE and not rule.general


def _of_span(
    span: Span,
    judged: Likelihoods,
    cut: Sequence[Segment],
    inside: Sequence[RuleHit],
    reading: PieceReadings,
    language: Language,
) -> Iterator[MemoryCandidate]:
    """Yield the values that rules find in a span, and the whole span if the values leave words out."""
    whole = (
        _subject(span, cut, reading, language)
        + _hanging(span, cut, language)
        + "".join(part.words for part in cut[span.start : span.end])
    )
    named = [hit for hit in inside if hit.rule.type in ("profile", "label")]
    for hit in named:
        yield MemoryCandidate(hit.rule, hit.words, _likely(hit, span, cut, judged), hit.match)
    taken = {at for hit in named if not _tells_more(hit) for at in hit.pieces}
    rest = [part for part in cut[span.start : span.end] if part.piece not in taken]
    if not named or any(not language.signs["whereabouts"].match(part.words) for part in rest):
        others = [hit for hit in inside if hit not in named]
        plain = next((hit for hit in others if hit.rule.outright), others[0] if others else None)
        if plain:
            found_words = plain.words if plain.rule.outright and named else whole  # the other words were found already
            yield MemoryCandidate(plain.rule, found_words, _likely(plain, span, cut, judged), plain.match)
        else:
            yield MemoryCandidate(_find_rule(span, judged, cut, reading, language), whole, span.likely)


def _subject(span: Span, cut: Sequence[Segment], reading: PieceReadings, language: Language) -> str:
    """Return the words before a fact that name its owner, if the fact doesn't name one; else "": `我妈八十三，只会讲白话`."""
    piece = cut[span.start].piece
    begins = span.start == 0 or cut[span.start - 1].piece != piece
    owners = [whose(strip_joints(words, language), language) for words in reading.pieces[: piece + 1]]
    if span.kind != "F" or not begins or owners[piece]:
        return ""
    last = max((at for at in range(piece) if owners[at]), default=piece)
    return "".join(reading.pieces[last:piece]) if owners[last] == _FAMILY else ""


def _hanging(span: Span, cut: Sequence[Segment], language: Language) -> str:
    """Return the words before a span that it needs, such as the not of `所以别 | 给我推荐辣的`; else ""."""
    if not span.start or cut[span.start - 1].piece != cut[span.start].piece:
        return ""
    match = language.signs["hangs"].search(cut[span.start - 1].words)
    return match[0] if match else ""


def _tells_more(hit: RuleHit) -> bool:
    """Return whether the words go on after a label: `My husband Idris is deaf`."""
    if hit.rule.type != "label":
        return False
    end = max(hit.match.end(name) for name, value in hit.match.groupdict().items() if value)
    return len(words.WORD.findall(hit.match.string[end:])) > 1


def _likely(hit: RuleHit, span: Span, cut: Sequence[Segment], judged: Likelihoods) -> float:
    """Return how likely the words of a hit are part of a memory of any kind."""
    return min(sum(judged.held[at]) for at in range(span.start, span.end) if cut[at].piece in hit.pieces)


def _find_rule(
    span: Span, judged: Likelihoods, cut: Sequence[Segment], reading: PieceReadings, language: Language
) -> Rule:
    """Return the rule that fits the words of a span, among those of its kind."""
    fits = [fit.rule for part in cut[span.start : span.end] for fit in reading.fits[part.piece]]
    wish = next((rule for rule in fits[:1] if rule.type == "preference"), None)
    if wish and span.kind == "F" and max(judged.of_type(wish.type, at) for at in range(span.start, span.end)) >= WISH:
        return wish
    others = sorted(language.predicates, key=lambda rule: rule.type == "event")  # an event needs a word for its day
    return next(rule for rule in (*fits, *others) if rule.type in KINDS[span.kind])


def _dated(found: MemoryCandidate, language: Language) -> MemoryCandidate:
    """Return a memory about something on a coming day as an event, and any other unchanged."""
    if not (found.rule.general and found.rule.type == "fact" and doubts.names_coming_day(found.words, language)):
        return found
    return replace(found, rule=next(rule for rule in language.predicates if rule.type == "event"))


def _atoms(found: MemoryCandidate, statement: str, sentence: str, language: Language) -> Iterator[Atom]:
    """Yield the atoms of a found memory; several if its rule captures several values."""
    rule = found.rule
    said = language.signs["reason"].sub("", found.words) if rule.type == "preference" else found.words
    if BLANK in said or not said.strip(hits.EDGES):
        return
    of_user = whose(strip_joints(found.words, language), language) != _FAMILY
    if rule.general and rule.type == "fact" and of_user and language.signs["habit"].search(found.words):
        rule = replace(rule, type="preference", stated=False)
    if rule.type == "profile" and language.signs["past"].search(found.words):  # it is over: no field of the profile
        rule = replace(rule, type="fact")
    text = _trimmed(said, rule, language)
    headless = rule.type in ("fact", "event") and language.signs["headless"].match(text)
    if headless or any(more.type == "fact" and more.pattern.match(text) for more in language.follows):  # add "she"
        text = one_line(statement[: statement.find(text) + len(text)])
    lasting = rule.type not in PASSING and not rule.once
    for key, value in _values(rule, found.match, text):
        looks_right = True
        if value and (shape := language.shapes.get("label" if rule.type == "label" else key)):
            value = shape.cut(value)
            looks_right = shape.is_sure(value)
        says = _DIGIT.search(value) or _says_something(value or text, language)  # "3 May": `may` alone says nothing
        if (rule.type in hits.KEYED and not value) or not says or language.signs["mere"].match(text):
            continue
        stated = rule.stated and not (rule.type == "preference" and language.signs["habit"].search(text))
        by_words = rule.general and not doubts.is_plain(rule, text, statement, language)
        confidence = max(likelihood.confidence(found.likely, by_words), rule.outright * rule.confidence)
        if (
            not looks_right
            or found.lightly
            or not (rule.general or rule.confidence >= SURE)
            or doubts.is_doubtful(rule, found.match, text, language)
        ):
            confidence = min(confidence, SURE - 0.01)  # whatever its likelihood
        yield Atom(
            rule.type, _as_said(text, sentence), key, _as_said(value, sentence), rule.part, lasting, confidence,
            sentence, stated=stated, scope=_scope(rule, statement, language), guessed=rule.general,
        )  # fmt: skip


def _says_something(text: str, language: Language) -> bool:
    """Return whether a text is more than a yes and holds a word with a meaning; `so`, `that` and `你` have none."""
    if language.signs["yes"].fullmatch(normalized(text)):
        return False
    said = (word.lower() for word in re.findall(rf"[{words.CJK}]|[^\W_{words.CJK}]{{2,}}", text))
    return any(word not in lexicon.stop_words("en") | lexicon.stop_words("zh") for word in said)


def _scope(rule: Rule, statement: str, language: Language) -> str:
    """Return "project" if a memory applies to the current project, else ""."""
    here = rule.here or language.signs["here"].search(statement)
    return "project" if here and not language.signs["everywhere"].search(statement) else ""


def _trimmed(piece: str, rule: Rule, language: Language) -> str:
    """Return the words of a piece without filler words, and of a task only the action."""
    text = strip_joints(piece, language) if rule.type != "preference" else piece
    text = _CUT_SHORT.sub("", language.signs["joint"].sub("", one_line(text))).strip(hits.EDGES)
    text = language.signs["tail"].sub("", trim_text(text)) or text
    if rule.type in ("task", "decision", "preference"):
        text = language.signs["lead"].sub("", text, count=1).strip(hits.EDGES) or text
    return text


def _as_said(part: str, sentence: str) -> str:
    """Return the original spelling of words that were found in the normalized sentence."""
    at = normalized(sentence).find(part)
    return sentence[at : at + len(part)] if at >= 0 else part


def _values(rule: Rule, match: re.Match[str] | None, text: str) -> list[tuple[str, str]]:
    """Return the keys and values of a match; several if a sentence fills several fields of the profile."""
    found = values_of(match) if match else {}
    if rule.type == "profile":
        return list(found.items())
    if rule.type == "label":
        return [(found["who"], found["what"])] if found.get("what") else []
    if rule.type == "preference":
        key = rule.key or hits.slug(found.get("about") or text) or hits.slug(text) or hits.NAMELESS
        return [(key, found.get("value") or text.rstrip(".。!！"))]
    return [("", "")]
