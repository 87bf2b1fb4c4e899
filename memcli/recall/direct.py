"""Direct reads: who the user is, what they prefer, the labels a question names, what was just done. No search, straight
from the files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any

from memcli.errors import MemError
from memcli.recall.query import ME, Query
from memcli.recall.search import Search
from memcli.text import words
from memcli.text.clean import one_line
from memcli.vault import files, labels, layout, preferences, profile, yaml_read
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault

NEAR, FAR = 0.25, 0.03  # of the budget, at most: for what the question speaks of, and for the rest
FRESH, FRESH_DAYS, FRESH_SHARE = 2, 3, 0.1  # snapshots with a place of their own, their age, and the budget of each
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
    label: str = ""  # its name, when it is one
    preference: str = ""  # its key, when it is one


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


def fresh(search: Search) -> list[Entry]:
    """The latest snapshots of the last days, newest first: what was just done may be meant without being named."""
    today = search.vault.today
    latest = search.vault.dated(search.paths, today - timedelta(days=FRESH_DAYS), today)
    late = [path for _, path in latest if layout.kind_of(path) == "snapshot"]
    first = (entry for path in sorted(late, reverse=True) for entry in search.entries(path)[:1])
    return list(islice(first, FRESH))


def tag_words(vault: Vault) -> dict[str, list[str]]:
    """Which words lead to which tag: `tags.yaml`."""
    try:
        found = yaml_read.mapping(
            files.read_or_empty(files.inside(vault.root, "tags.yaml"), "tags.yaml").text, "tags.yaml"
        )
    except MemError as error:
        vault.notice(error.message)
        return {}
    return {
        tag.lstrip("#"): [str(word) for word in (listed if isinstance(listed, list) else [listed]) if word]
        for tag, listed in found.items()
    }


def _profile(vault: Vault, query: Query) -> list[Fact]:
    front = profile.read(vault)
    known = [f"{key}: {_value(front[key])}" for key in _PROFILE if front.get(key)]
    if query.kind == "who":
        known += [f"{key}: {_value(value)}" for key, value in front.items() if value and key not in _PROFILE]
    return [Fact("user: " + "; ".join(known), profile.FILE, True, query.kind == "who")] if known else []


def _labels(vault: Vault, query: Query) -> list[Fact]:
    """Labels that the question names, and home or work when it only means them."""
    found = []
    for label in labels.held(vault):
        if not label.told or not any(_speaks_of(query.raw, name) for name in label.names):
            low = {name.lower() for name in label.names}
            meant = (_HOME.search(query.raw) and low & {"home", "家"}) or (
                _WORK.search(query.raw) and low & {"work", "office", "公司"}
            )
            if not label.told or not meant:
                continue
        said = f"label {label.name}: {_value(label.told)}"
        found.append(Fact(said, labels.FILE, True, True, label.name))
    return found


def _preferences(vault: Vault, query: Query) -> list[Fact]:
    """The one that counts of each key, where the question speaks of its scene."""
    low = query.raw.lower()
    found = []
    for each in preferences.effective(preferences.held(vault), lambda scene: scene.lower() in low):
        value = preferences.shown(each)
        about = [*re.split(r"[_\s-]", each.key), *words.words(value), each.category]
        about = [
            word for word in about if (len(word) > 2 or words.CJK_RUN.match(word)) and not words.is_stop(word.lower())
        ]
        shared = words.pairs(query.raw) & words.pairs(value)
        near = (
            query.kind == "preference"
            or bool(each.scene)
            or len(shared) > 1
            or any(_speaks_of(query.raw, word) for word in about)
        )
        found.append(Fact(f"prefers {each.key}: {_value(value)}", preferences.FILE, near, near, preference=each.key))
    return found


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
