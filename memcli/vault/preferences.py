"""Decide which of the user's preferences count, and how learning changes them. All is pure except the reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from memcli.errors import VaultError
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault import names, yaml_list
from memcli.vault.filter import stands_in
from memcli.vault.setting import Section, flaws, setting
from memcli.vault.snapshots import moment
from memcli.vault.vault import Vault
from memcli.vault.yaml_list import Record

FILE = "preferences.yaml"
GLOBAL = "global"
SOURCES = ("explicit", "confirmed", "inferred")  # strongest first
STARTS = {"explicit": 1.0, "confirmed": 0.8, "inferred": 0.6}  # confidence of a new preference, by source
CONFIDENT = 0.7  # a preference that is not explicit counts only above this confidence
ACCEPTED, CORRECTED = 0.2, -0.4  # added to the confidence when a suggestion was accepted or corrected
CONTRADICTED = 0.7  # factor on the confidence when another value is seen
SESSION, HOLDS = "session", timedelta(hours=24)  # a scope that holds for one session, and for how long at most
FORGOTTEN = 0.1  # below this confidence a preference is archived


class PreferenceFields(Section):
    """Define the fields of a record of `preferences.yaml`."""

    key: Any = setting("", "what it is about; needed")
    value: Any = setting("", "what is preferred; needed")
    category: str = setting("", "what field of life it belongs to")
    scope: str = setting(GLOBAL, "`global`, a `session:ID`, or a scene like `project:NAME`")
    source: str = setting("explicit", "where it comes from", choices=SOURCES)
    confidence: float = setting(1.0, "how sure it is", most=1)
    created: date = setting("", "the day it was first said")
    updated: date = setting("", "the day it was last said")


class Preference(NamedTuple):
    """Hold one record of `preferences.yaml`."""

    key: str
    value: Any
    category: str = ""
    scope: str = GLOBAL  # or a scene, like project:tideline
    source: str = "explicit"
    confidence: float = 1.0
    created: str = ""
    updated: str = ""

    @property
    def scene(self) -> str:
        """Return the word of a question that means its scope: tideline for project:tideline, "" for global."""
        return "" if self.scope == GLOBAL else self.scope.rpartition(":")[2]

    @property
    def of_session(self) -> bool:
        return self.scope.partition(":")[0] == SESSION

    @property
    def standing(self) -> str:
        """Return its source, confidence and scope in words, for a person to read."""
        sure = "" if self.source == "explicit" else f" {self.confidence:g}"
        return self.source + sure + ("" if self.scope == GLOBAL else f" for {self.scope}")

    @property
    def confident(self) -> bool:
        return self.source == "explicit" or self.confidence > CONFIDENT


class PreferenceStep(NamedTuple):
    """Describe one change of a preference. Without `before` it is new, without `after` it is archived."""

    before: Preference | None
    after: Preference | None
    why: str


def read_or_notice(vault: Vault) -> list[Preference]:
    """Return the preferences like `read_preferences`. A file that can't be read causes a notice and is skipped."""
    try:
        return read_preferences(vault)
    except VaultError as error:
        vault.notice(error.message)
        return []


def read_preferences(vault: Vault) -> list[Preference]:
    """Return all valid preferences that the user, or the agent in use, has.

    An agent's own preferences hide shared ones of the same key and scope, except what the user said explicitly and
    the agent only concluded.
    """
    shared = _read(vault, FILE)
    own = _read(vault, vault.space + FILE) if vault.agent else []
    sure = {_slot(each): each.source for each in own if each.confident}
    return [*own, *(each for each in shared if sure.get(_slot(each)) not in ("explicit", each.source))]


def _read(vault: Vault, path: str) -> list[Preference]:
    found = []
    for record in yaml_list.read_records(vault, path, "key"):
        if preference := preference_of(record):
            found.append(preference)
            counts = {"source": preference.source, "confidence": f"{preference.confidence:g}"}
            for name in counts:
                if wrong := flaws(PreferenceFields, {name: record.get(name)}, f"{path}: {preference.key}"):
                    vault.notice("{WHY}; {value} counts", WHY=wrong[0].message, value=counts[name])
    return found


def preference_of(record: Record) -> Preference | None:
    """Return a record as a Preference, with defaults for what is missing or invalid; None without a key or a value."""
    if record.get("key") is None or record.get("value") in (None, "", []):
        return None
    source = str(record.get("source") or PreferenceFields.settings["source"].default)
    return Preference(
        str(record["key"]),
        record["value"],
        str(record.get("category") or ""),
        str(record.get("scope") or GLOBAL),
        source if source in SOURCES else "inferred",
        _sure(record.get("confidence")),
        str(record.get("created") or ""),
        str(record.get("updated") or record.get("created") or ""),
    )


def _sure(given: Any) -> float:
    number = isinstance(given, (int, float)) and not isinstance(given, bool)
    return min(1.0, max(0.0, float(given))) if number else 1.0


# -- which one counts --------------------------------------------------------------------------------------------------


def drop_expired(held: Iterable[Preference], now: datetime) -> list[Preference]:
    """Return the preferences without those of sessions that have expired."""
    return [each for each in held if not each.of_session or (at := moment(each.updated)) is None or now <= at + HOLDS]


def choose_effective(held: Iterable[Preference], here: Callable[[str], bool]) -> list[Preference]:
    """Return the preference in force for each key. `here` returns whether a scene is the present one."""
    best: dict[str, Preference] = {}
    for each in held:
        key = names.preference_name(each.key)
        if _counts(each, here) and (key not in best or _rank(each) > _rank(best[key])):
            best[key] = each
    return list(best.values())


def rank_rivals(held: Sequence[Preference], here: Callable[[str], bool], now: datetime) -> list[tuple[Preference, str]]:
    """Return the preferences of one key, the one that counts first, each with the reason for its rank."""
    lasting = drop_expired(held, now)
    rivals = sorted(lasting, key=lambda each: (_counts(each, here), _rank(each)), reverse=True)
    first = rivals[0] if rivals and _counts(rivals[0], here) else None
    ranked = [(each, _verdict(each, first, here)) for each in rivals]
    over = f"over: it held for its talk, and {HOLDS // timedelta(hours=1)} hours at most"
    return ranked + [(each, over) for each in held if each not in lasting]


def scene_names(session: str) -> set[str]:
    """Return the names of the scenes that a session with this id counts as."""
    return {SESSION, session, session.rpartition("-")[2]}


def _counts(each: Preference, here: Callable[[str], bool]) -> bool:
    return each.confident and (not each.scene or here(each.scene))


def _rank(each: Preference) -> tuple[bool, int, float, str]:
    return each.scope != GLOBAL, -SOURCES.index(each.source), each.confidence, each.updated


def _verdict(each: Preference, first: Preference | None, here: Callable[[str], bool]) -> str:
    if each is first:
        return "counts"
    if not each.confident:
        return Message(
            "not sure enough: {what}, it takes more than {least}", what=f"{each.confidence:g}", least=f"{CONFIDENT:g}"
        )
    if first is None or not _counts(each, here):
        return Message("only for {scene}", scene=each.scene)
    reasons = (
        Message("{scope} comes before global", scope=first.scope),
        Message("{SOURCE} comes before {OTHER}", SOURCE=first.source, OTHER=each.source),
        Message("{first} is surer than {other}", first=f"{first.confidence:g}", other=f"{each.confidence:g}"),
        Message("{DAY} is later than {OTHER}", DAY=first.updated or "the other", OTHER=each.updated or "this one"),
    )
    differ = (reason for reason, a, b in zip(reasons, _rank(first), _rank(each), strict=True) if a != b)
    return next(differ, "says the same as the one that counts")


# -- how they change ---------------------------------------------------------------------------------------------------


def learn_preference(held: Sequence[Preference], new: Preference) -> tuple[list[PreferenceStep], str]:
    """Return the steps that a new preference causes, and "", or no steps and the reason why it is refused.

    A key and scope has one explicit preference; the others compete, one for each value. An inference never changes
    what was said explicitly. It lowers the confidence of whatever else it contradicts.
    """
    near = [each for each in held if _slot(each) == _slot(new)]
    explicit = next((each for each in near if each.source == "explicit"), None)
    same = next((each for each in near if each is not explicit and folded(each.value) == folded(new.value)), None)
    if explicit and new.source != "explicit" and folded(explicit.value) == folded(new.value):
        return [PreferenceStep(explicit, explicit, "said already")], ""
    if explicit and new.source == "inferred":
        day = explicit.updated or "an earlier day"
        reason = "{key} was set to {value} explicitly on {DAY}: an inference does not change that"
        return [], Message(reason, key=new.key, value=value_text(explicit), DAY=day)
    if new.source == "explicit" and explicit:
        own = PreferenceStep(explicit, _merged(explicit, new, new.confidence), "said anew")
    elif same:
        stronger = min(same.source, new.source, key=SOURCES.index)
        surer = _merged(same, new, max(same.confidence, new.confidence))
        own = PreferenceStep(same, surer._replace(source=stronger), "seen again")
    else:
        own = PreferenceStep(None, new, "new")
    others = (each for each in near if each.source != "explicit" and folded(each.value) != folded(new.value))
    return [*(_trusted(each, CONTRADICTED, 0.0, "contradicted", new.updated) for each in others), own], ""


def judge_preference(target: Preference, accepted: bool, today: str) -> PreferenceStep:
    """Return how a preference changes when a suggestion built on it was accepted or corrected."""
    return _trusted(target, 1.0, ACCEPTED if accepted else CORRECTED, "accepted" if accepted else "corrected", today)


def _trusted(each: Preference, times: float, plus: float, why: str, today: str) -> PreferenceStep:
    confidence = round(min(1.0, each.confidence * times + plus), 4)
    after = None if confidence < FORGOTTEN else each._replace(confidence=confidence, updated=today)
    change = f"{each.confidence:g} → {max(0.0, confidence):g}"
    return PreferenceStep(each, after, Message("{HOW}: {change}", HOW=why, change=change))


def _merged(old: Preference, new: Preference, confidence: float) -> Preference:
    category = new.category or old.category
    return old._replace(value=new.value, category=category, confidence=confidence, updated=new.updated)


def _slot(each: Preference) -> tuple[str, str]:
    return names.preference_name(each.key), folded(each.scope)


def is_key(each: Preference, key: str) -> bool:
    """Return whether a preference has this key, by any of its names."""
    return names.preference_name(each.key) == names.preference_name(key)


def find_holding(held: Iterable[Preference], text: str) -> list[Preference]:
    """Return the preferences with this key, or else those that hold all words of the text."""
    held, low = list(held), folded(text).split()
    return [each for each in held if is_key(each, text)] or [
        each for each in held if all(stands_in(word, folded(f"{each.key} {value_text(each)}")) for word in low)
    ]


def folded(value: Any) -> str:
    """Return the form of a value in which different spellings are equal."""
    listed = value if isinstance(value, (list, tuple)) else [value]
    return ", ".join(" ".join(str(each).casefold().replace("_", " ").split()) for each in listed)


def as_model_text(each: Preference, width: int = 0) -> str:
    """Return a preference as text for a model, cut to `width` characters if given, and the day it was last set, because
    a newer note may say otherwise. A sentence of the user is returned alone, because `prefers cilantro: I don't like
    cilantro` would contradict itself."""
    value, key = value_text(each), folded(each.key)
    is_sentence = (
        each.source == "explicit" and key != folded(value) and all(word in folded(value) for word in key.split())
    )
    text = f"in the user's words: {value}" if is_sentence else f"prefers {each.key}: {value}"
    day = moment(each.updated)
    return one_line(text, width) + (f" (as of {day:%Y-%m-%d})" if day else "")


def value_text(each: Preference) -> str:
    """Return the value as a person would write it."""
    if isinstance(each.value, bool):
        return "yes" if each.value else "no"
    return ", ".join(map(str, each.value)) if isinstance(each.value, (list, tuple)) else str(each.value)
