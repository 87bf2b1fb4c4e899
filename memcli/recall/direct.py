"""Read what needs no search from its file: who the user is, what they prefer, the labels that a question names, and
what was just done."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from memcli.errors import MemError
from memcli.recall.other_names import mentions
from memcli.recall.query import Query
from memcli.recall.search_state import VaultSearch
from memcli.recall.value_kinds import PROOFS, find_asked_value, holds_value
from memcli.text import categories, phrases, words
from memcli.text.clean import one_line
from memcli.text.sentences import sentences
from memcli.text.tokens import rarity
from memcli.vault import files, labels, layout, names, preferences, profile, yaml_read
from memcli.vault.entries import Entry
from memcli.vault.labels import Label
from memcli.vault.preferences import Preference
from memcli.vault.vault import Vault

WHO, NEAR, FAR = 0.15, 0.25, 0.03  # the most of the budget for the profile, for related facts, and for the rest
FRESH, FRESH_DAYS, FRESH_SHARE = 2, 3, 0.1  # the most snapshots, their age in days, the share of each
MOST_APPLYING = 4  # at most so many preferences that the question does not name
# With a model, the least fit of a preference that applies, and what a category in common adds to its nearness.
FITS, CATEGORY = 0.18, 0.15
MOST_MEASURED = 200  # with more preferences they apply by category alone: a model embeds each new one in 8 ms
_PROFILE = ("name", "occupation", "city", "language")  # fields that are shown without being asked for
TELLING = 0.4  # rarity of a word of a key of several words that alone names the preference
SHORT_VALUE = 3  # words that say something; of a longer value one alone may be there by chance
LONGEST = 200  # characters of a value that are shown
FACTUAL = ("when", "number")  # kinds of question to which no preference applies that they do not name
_PLACES = ("home", "work")


# Returns how near texts are to the question, by name, or None without a model; see `paths.semantic.measure_texts`.
MeasureTexts = Callable[[Mapping[str, str]], "dict[str, float] | None"]


class Fact(NamedTuple):
    """Hold a line that needs no search. `near` means that it is related to the question, `answers` that it may answer
    it."""

    text: str
    source: str
    near: bool = False
    answers: bool = False
    label: str = ""  # its name, when it is one
    preference: str = ""  # its key, when it is one
    shorter: tuple[str, ...] = ()  # shorter texts, for a small budget
    is_named: bool = True  # False for a preference that may apply but is not named

    @property
    def share(self) -> float:
        """Return the share of the budget that this kind of fact may use; a profile field that was asked for may use all
        of it."""
        if self.source == profile.FILE and not self.answers:
            return WHO
        return NEAR if self.near else FAR


def find_facts(vault: Vault, query: Query, measure: MeasureTexts = lambda texts: None) -> list[Fact]:
    """Return profile, label and preference facts, those the question names first. A file that can't be read causes a
    notice and is skipped."""
    facts: list[Fact] = []
    for reader in (_read_profile, _read_labels, partial(_read_preferences, measure=measure)):
        try:
            facts += reader(vault, query)
        except MemError as error:
            vault.notice(error.message)
    return facts


def fit_facts(facts: list[Fact], budget: int, cost: Callable[[Fact], int]) -> list[Fact]:
    """Return the facts that fit their share of the budget. Possible answers are placed first; long facts are
    shortened."""
    budgets = {share: int(budget * share) for share in (WHO, NEAR, FAR)}
    selected: dict[int, Fact] = {}
    for at in sorted(range(len(facts)), key=lambda at: (not facts[at].answers, at)):
        share = facts[at].share
        for text in (facts[at].text, *facts[at].shorter):
            fact = facts[at]._replace(text=text)
            if (need := cost(fact)) <= budgets[share]:
                budgets[share] -= need
                selected[at] = fact
                break
    return [selected[at] for at in sorted(selected)]


def find_latest_snapshots(search: VaultSearch) -> list[Entry]:
    """Return the latest snapshots, newest first: a question may mean what was just done without naming it."""
    today = search.today
    latest = layout.dated(search.paths, today - timedelta(days=FRESH_DAYS), today)
    late = [path for _, path in latest if layout.kind_of(path) == "snapshot"]
    first = (entry for path in sorted(late, reverse=True) for entry in search.entries(path)[:1])
    return list(islice(first, FRESH))


def read_tag_words(vault: Vault) -> dict[str, list[str]]:
    """Return the words for each tag in `tags.yaml`."""
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


def read_labels(vault: Vault) -> list[Label]:
    """Return the labels; none of a file that can't be read, which `find_facts` reports."""
    try:
        return labels.read_labels(vault)
    except MemError:
        return []


def _read_profile(vault: Vault, query: Query) -> list[Fact]:
    """Return a short line about the user, and every other profile field that the question asks for."""
    front = {key: value for key, value in profile.read_profile(vault).items() if profile.is_told(value)}
    asked = [key for key in front if _asks_for(query.raw, key)]
    keys = [*(key for key in _PROFILE if key in front), *asked]
    if query.kind == "who":
        keys += [*(key for key in profile.KNOWN if key in front), *front]
    keys = list(dict.fromkeys(keys))
    first = [*asked, *(key for key in keys if key not in asked)]
    answers = query.kind == "who" or bool(asked)
    texts = [
        "user: " + "; ".join(f"{key}: {_show_value(front[key])}" for key in keys if key in first[:size])
        for size in range(len(first), 0, -1)
    ]
    return [Fact(texts[0], profile.FILE, True, answers, shorter=tuple(texts[1:]))] if texts else []


def _asks_for(text: str, key: str) -> bool:
    """Return whether the question asks for profile field `key`: by a phrase of `recall.txt`, by its name alone, or with
    all words of its name."""
    name, fields = names.folded(key), names.profile_names()
    if sign := key if key in profile.KNOWN else fields.get(name):
        bare = names.folded(text.strip(" ?？。."))
        return phrases.find_phrase("profile", sign, text) is not None or (bare == name) or (fields.get(bare) == sign)
    parts = [part for part in name.split() if not words.is_stop(part)]
    return bool(parts) and all(mentions(text, part) for part in parts)


def _read_labels(vault: Vault, query: Query) -> list[Fact]:
    """Return the labels that the question names, and home or work when it only alludes to them."""
    found = []
    stored = labels.read_labels(vault)
    places = [phrases.words_of("recall", place, phrases.LANGUAGES) for place in _PLACES if stored and query.says(place)]
    for label in stored:
        low = {name.lower() for name in label.names}
        meant = any(low & place for place in places)
        # "Emrys, Llandysul" says more of Emrys than the name; "Pudong" alone would come with all about Pudong
        named = label.all_names if len(label.value) > len(label.all_names[-1]) else label.names
        if label.value and (meant or any(mentions(query.raw, name) for name in named)):
            known = dict.fromkeys(
                _show_value(label.record[key]) for key in labels.VALUE_FIELDS if label.record.get(key)
            )
            found.append(Fact(f"label {label.name}: {'; '.join(known)}", labels.FILE, True, True, label.name))
    return found


def _read_preferences(vault: Vault, query: Query, measure: MeasureTexts) -> list[Fact]:
    """Return the preference in force of each key: those that the question names, then the few that apply to it."""
    low = query.raw.lower()
    lasting = preferences.drop_expired(preferences.read_preferences(vault), vault.now)
    effective = preferences.choose_effective(lasting, lambda scene: scene.lower() in low)
    named = {each.key for each in effective if _is_named(query, each)}
    is_search = query.is_keywords and query.raw.isascii()  # "goalkeeper training" is about no task
    asks_for_fact = is_search or query.kind in FACTUAL or categories.looks_back(query.raw)
    asks_for_fact = asks_for_fact or query.is_for_a_time or bool(query.task)
    fits = {} if asks_for_fact else _rate_preferences(query.raw, effective, measure)
    if (named or fits) and (value := find_asked_value(query)):  # its patterns take long to compile
        named = {each.key for each in effective if each.key in named and _may_be(each, value)}
        fits = {}
    half = max(fits.values(), default=0) / 2  # preferences below half of the best match are about something else
    nearest = sorted(fits, key=lambda key: -fits[key])
    applying = [key for key in nearest if key not in named and fits[key] > half][:MOST_APPLYING]
    order = {key: at for at, key in enumerate(applying)} | dict.fromkeys(named, -1)
    found = []
    for each in sorted(effective, key=lambda each: order.get(each.key, MOST_APPLYING)):
        shown = preferences.as_model_text(each, LONGEST)
        near = each.key in order
        found.append(Fact(shown, preferences.FILE, near, near, preference=each.key, is_named=each.key in named))
    return found


def _may_be(preference: Preference, value: str) -> bool:
    """Return whether a preference may be the value that is asked for: a birthday has to be one, a size need not."""
    return value not in PROOFS or holds_value(preferences.value_text(preference), value)


def _is_named(query: Query, preference: Preference) -> bool:
    """Return whether the question mentions a preference: by its key or a word of it that says something (`commit`, not
    `messages`), by a word of a short value or two of a longer one, or by its scene."""
    value = preferences.value_text(preference)
    key, called, said = (
        {word for word in found if (len(word) > 2 or words.CJK_RUN.match(word)) and not words.is_stop(word.lower())}
        for found in (re.split(r"[_\s-]", preference.key), [preference.category], words.words(value))
    )
    key_hits = {word for word in key if mentions(query.raw, word)}
    return (
        (query.kind == "preference" and query.is_general)
        or bool(preference.scene)
        or len(words.pairs(query.raw) & words.pairs(value)) > 1
        or (_is_of_sort(query.raw, preference) and any(mentions(query.raw, word) for word in called))
        or bool(key and key_hits == key)
        or any(not word.isascii() or rarity(word.removesuffix("s")) >= TELLING for word in key_hits)
        or sum(mentions(query.raw, word) for word in said) > (len(said) > SHORT_VALUE)
    )


def _is_of_sort(text: str, preference: Preference) -> bool:
    """Return whether a question is about the sort of thing that the key of a preference names: emails, not cards."""
    own = categories.sorts_of(preference.key)
    return not own or bool(own & categories.sorts_of(text))


def _rate_preferences(text: str, known: Sequence[Preference], measure: MeasureTexts) -> dict[str, float]:
    """Return how closely preferences fit the task in the question: by category, and with a model mainly by meaning."""
    known = [each for each in known if _is_of_sort(text, each)]
    texts = {each.key: f"{each.key} {preferences.value_text(each)}".replace("_", " ") for each in known}
    worth = _rate_by_category(text, known, texts)
    near = measure(texts) if len(texts) <= MOST_MEASURED else None
    if near is None:
        return worth
    most = max(worth.values(), default=1)
    fits = {key: near[key] + CATEGORY * worth.get(key, 0) / most for key in texts}
    return {key: fit for key, fit in fits.items() if fit >= FITS}


def _rate_by_category(text: str, known: Sequence[Preference], texts: Mapping[str, str]) -> dict[str, float]:
    """Return how closely preferences fit the question by category, and by the words they share."""
    asked = categories.categories_of(text) if known else {}
    worth: dict[str, float] = {}
    for each in known if asked else ():
        called = categories.categories_named(each.category)
        own = _find_subjects(" ".join(sentences(texts[each.key])[:1]), called)  # a later one is an aside
        worth[each.key] = sum(
            (field in called) + (field in own) + len(shared_words & own.get(field, set()))
            for field, shared_words in asked.items()
        )
    return {key: value for key, value in worth.items() if value}


def _find_subjects(text: str, called: set[str]) -> dict[str, set[str]]:
    """Return the categories of which a text has most words: 代码风格：接口里不要写 any is about code, not about writing. Of
    several the ones that it is `called` count: the 剪辑口味 of a preference for films is no food."""
    found = categories.categories_of(text)
    most = max(map(len, found.values()), default=0)
    subjects = {field: shared for field, shared in found.items() if len(shared) == most}
    return {field: subjects[field] for field in subjects if field in called} or subjects


def _show_value(value: Any) -> str:
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    elif isinstance(value, bool):
        value = "yes" if value else "no"
    return one_line(str(value), LONGEST)
