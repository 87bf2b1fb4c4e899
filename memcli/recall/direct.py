"""Direct reads: who the user is, what they prefer, the labels a question names. No search, straight from the files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memcli.errors import MemError
from memcli.recall.query import ME, Query
from memcli.text import words
from memcli.text.clean import one_line
from memcli.vault import entries, files, markdown, yamls
from memcli.vault.vault import Vault

CONFIDENT = 0.7  # an inferred preference counts in recall above this
NEAR, FAR = 0.25, 0.06  # of the budget, at most: for what the question speaks of, and for the rest
_SOURCES = ("explicit", "confirmed", "inferred")
_PROFILE = ("name", "occupation", "city", "language", "timezone", "interests")
_HOME = re.compile(r"\b(home|live|living|address)\b|回家|住(在|哪)|家(在|里|的地址)", re.I)
_WORK = re.compile(r"\b(work|office|company)\b|上班|公司|单位|办公", re.I)


@dataclass(frozen=True)
class Fact:
    """A line that needs no search. `near` tells that the question speaks of it, `answers` that it may be the answer."""

    text: str
    source: str
    near: bool = False
    answers: bool = False


def read(vault: Vault, query: Query) -> list[Fact]:
    """Profile, then labels and preferences, what the question speaks of first. A broken file is noticed and left out."""
    facts: list[Fact] = []
    for reader in (_profile, _labels, _preferences):
        try:
            facts += reader(vault, query)
        except MemError as error:
            vault.notice(error.message)
    return facts


def within(facts: list[Fact], budget: int, cost: Callable[[Fact], int]) -> list[Fact]:
    """Those that fit their share of the budget, possible answers before all else; in the order they were read."""
    room = {True: int(budget * NEAR), False: int(budget * FAR)}
    kept: set[int] = set()
    for at in sorted(range(len(facts)), key=lambda at: (not facts[at].answers, at)):
        near = facts[at].near
        if (need := cost(facts[at])) <= room[near]:
            room[near] -= need
            kept.add(at)
    return [fact for at, fact in enumerate(facts) if at in kept]


def tag_words(vault: Vault) -> dict[str, list[str]]:
    """Which words lead to which tag: `tags.yaml`."""
    try:
        found = yamls.mapping(_text(vault, "tags.yaml"), "tags.yaml")
    except MemError as error:
        vault.notice(error.message)
        return {}
    return {
        tag.lstrip("#"): [str(word) for word in (listed if isinstance(listed, list) else [listed]) if word]
        for tag, listed in found.items()
    }


def _profile(vault: Vault, query: Query) -> list[Fact]:
    pieces = markdown.blocks(_text(vault, "USER.md"))
    head = next((block for block in pieces[:2] if block.kind == markdown.FRONT), None)
    front = entries.front_matter("USER.md", head.text) if head else {}
    known = [f"{key}: {_value(front[key])}" for key in _PROFILE if front.get(key)]
    if query.kind == "who":
        known += [f"{key}: {_value(value)}" for key, value in front.items() if value and key not in _PROFILE]
    return [Fact("user: " + "; ".join(known), "USER.md", True, query.kind == "who")] if known else []


def _labels(vault: Vault, query: Query) -> list[Fact]:
    """Labels that the question names, and home or work when it only means them."""
    found = []
    for label in _records(vault, "labels.yaml", "name"):
        aliases = label.get("aliases") or []
        names = [str(label.get("name", "")), *map(str, aliases if isinstance(aliases, list) else [aliases])]
        what = label.get("address") or label.get("value") or label.get("phone")
        if not what or not any(_speaks_of(query.raw, name) for name in names):
            low = {name.lower() for name in names}
            meant = (_HOME.search(query.raw) and low & {"home", "家"}) or (
                _WORK.search(query.raw) and low & {"work", "office", "公司"}
            )
            if not what or not meant:
                continue
        found.append(Fact(f"label {names[0]}: {_value(what)}", "labels.yaml", True, True))
    return found


def _preferences(vault: Vault, query: Query) -> list[Fact]:
    """The effective ones: scene over global, explicit over confirmed over inferred, and only confident ones."""
    best: dict[str, dict[str, Any]] = {}
    for each in _records(vault, "preferences.yaml", "key"):
        scope, key = str(each.get("scope") or "global"), str(each.get("key"))
        scene = scope.rpartition(":")[2] if scope != "global" else ""
        if (
            each.get("key") is None
            or each.get("value") in (None, "", [])
            or not _confident(each)
            or (scene and scene.lower() not in query.raw.lower())
        ):
            continue
        if key not in best or _rank(each) > _rank(best[key]):
            best[key] = each
    found = []
    for key, each in best.items():
        about = [*re.split(r"[_\s-]", key), *words.words(str(each["value"])), str(each.get("category", ""))]
        about = [word for word in about if len(word) > 2 and not words.is_stop(word.lower())]
        shared = words.pairs(query.raw) & words.pairs(str(each["value"]))
        near = query.kind == "preference" or len(shared) > 1 or any(_speaks_of(query.raw, word) for word in about)
        found.append(Fact(f"prefers {key}: {_value(each['value'])}", "preferences.yaml", near, near))
    return found


def _rank(preference: dict[str, Any]) -> tuple[bool, int, float, str]:
    source = str(preference.get("source") or "explicit")
    strength = len(_SOURCES) - _SOURCES.index(source) if source in _SOURCES else 0
    return (
        str(preference.get("scope") or "global") != "global",
        strength,
        _number(preference.get("confidence"), 1.0),
        str(preference.get("updated") or preference.get("created") or ""),
    )


def _confident(preference: dict[str, Any]) -> bool:
    return preference.get("source") == "explicit" or _number(preference.get("confidence"), 1.0) > CONFIDENT


def _number(value: Any, default: float) -> float:
    return float(value) if isinstance(value, (int, float)) else default


def _records(vault: Vault, path: str, key: str) -> list[dict[str, Any]]:
    """A list of mappings, or a mapping of names to mappings or plain values."""
    found = yamls.load(_text(vault, path), path)
    if isinstance(found, dict):
        found = [{key: name, **(each if isinstance(each, dict) else {"value": each})} for name, each in found.items()]
    return [each for each in found or [] if isinstance(each, dict)] if isinstance(found, list) else []


def _text(vault: Vault, path: str) -> str:
    return files.read_or_empty(files.inside(vault.root, path), path).text


def _speaks_of(text: str, name: str) -> bool:
    name, text = name.strip().lower(), text.lower()
    if not name or name in ME:
        return False
    if len(name) == 1 and words.CJK_RUN.fullmatch(name):  # 家 is meant in 回家 and 我家, not in 大家 or 国家
        return bool(re.search(rf"(?:^|[^{words.CJK}]|[回到去在从给找跟我])\s*{name}", text))
    if words.WORD.fullmatch(name):
        return name in words.words(text) or words.stem(name) in {words.stem(word) for word in words.words(text)}
    return name.replace("的", "") in text.replace("的", "")  # 苏晴工作室 is 苏晴的工作室


def _value(value: Any) -> str:
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    elif isinstance(value, bool):
        value = "yes" if value else "no"
    return one_line(str(value), 200)
