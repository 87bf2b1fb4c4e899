"""Decide which memories are sure enough to keep without asking, whatever their likelihood. A plain statement about
oneself is sure; the user is asked about a memory that may be about somebody else or the past."""

from __future__ import annotations

import re
from datetime import date

from memcli.features.learn.clauses import analyse_clause
from memcli.features.learn.hits import slug, strip_joints
from memcli.features.learn.language import Language, Rule
from memcli.text import dates

_OURS = frozenset({"user", "family", "ours", "theirs"})  # classes of people that a plain statement is about
_LASTS = frozenset({"", "lasting", "regular", "for some time"})
_SLIGHT = frozenset({"a name in it", "a number in it", "feeling", "sayings", "pointing", "passing things"})
_APPOINTED = frozenset({"schedule", "a number in it"})
_SOME_DAY = date(2000, 1, 3)  # whether a text names a day does not depend on today
_POINTS = 2  # words with a meaning, besides the first, that outweigh a pointing word


def is_plain(rule: Rule, text: str, statement: str, language: Language) -> bool:
    """Return whether a memory is a plain statement about the user or their family. Naming the day of a coming event
    counts, too. Its sentence must not ask, doubt, wish or suppose."""
    if any(analyse_clause(strip_joints(each, language), "", language).mood for each in (text, statement)):
        return False
    clause = analyse_clause(strip_joints(text, language), "", language)
    if language.signs["points"].search(text) or language.signs["supposes"].search(statement):
        return False
    if rule.type == "event":
        return (clause.time in ("", "ahead") and "schedule" in clause.about) or names_coming_day(text, language)
    says_much = bool(clause.about - _SLIGHT) and clause.length != "a word or two"
    return rule.type == "fact" and clause.whose in _OURS and clause.time in _LASTS and says_much


def names_coming_day(text: str, language: Language) -> bool:
    """Return whether a text names an event on a coming day, with a time or a word for an appointment."""
    clause = analyse_clause(strip_joints(text, language), "", language)
    return clause.time == "ahead" and bool(clause.about & _APPOINTED) and bool(dates.find_dates(text, _SOME_DAY))


def is_doubtful(rule: Rule, match: re.Match[str] | None, text: str, language: Language) -> bool:
    """Return whether a memory may be about somebody else or the past, or depends on something outside it."""
    return (
        _may_be_of_others(rule, match, text, language)
        or _only_points(text, language)
        or bool(language.signs["somebody"].match(text))
        or (rule.type == "label" and bool(language.signs["past"].search(text)))
    )


def _may_be_of_others(rule: Rule, match: re.Match[str] | None, text: str, language: Language) -> bool:
    """Return whether nothing shows that it is about the user: `People sail`, `The candidate is based in Porto`."""
    if language.signs["mine"].search(text):
        return False
    behind_others = match and re.search(r"\w", match.string[: match.start()])
    return rule.type == "fact" if rule.general else rule.type == "profile" and bool(behind_others)


def _only_points(text: str, language: Language) -> bool:
    """Return whether a text depends on something outside it: `I always swap them round`."""
    return bool(language.signs["points"].search(text)) and slug(text).count("_") < _POINTS
