"""Compute the similarity of two tasks by their words, from 0 to 1: their actions and objects. No model is needed.

Words are looked up in `language/*/tasks.txt` and in recall's synonyms, else compared by their stems; Chinese that no
table knows is compared by pairs of characters. Goals are short and questions long, so the share of the goal that the
question names counts most, and other words of the question less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from memcli.text import lexicon, words
from memcli.text.hanzi import simplified
from memcli.text.phrases import table

ALIKE = 0.8  # two tasks with a higher likeness are the same
LIGHT = 0.25  # weight of a word that says little
OTHER = 0.5  # the highest likeness of tasks with different actions
OF_QUESTION = 0.25  # share of the similarity for words of the question besides the goal
GAP = 5  # words allowed between the halves of `get~ready`
SIGNS = 12  # the same in Chinese characters

_ASIDE = re.compile(r"[(（\[][^()（）\[\]]*[)）\]]")  # a remark in brackets, which does not name the task


class Word(NamedTuple):
    """Hold one thing that a task names, with all its names."""

    names: frozenset[str]
    weight: float = 1.0
    action: bool = False


class WordMeaning(NamedTuple):
    """Hold the table's entry for a word."""

    means: str
    kind: str


def likeness(goal: str, question: str) -> float:
    """Return the similarity of a goal and the task in a question, from 0 to 1."""
    mine, asked = task_words(goal), task_words(question)
    if not mine or not asked:
        return 0.0
    of_goal, of_question = share(mine, asked), share(asked, mine)
    alike = of_goal * (1 - OF_QUESTION * (1 - of_question))
    return min(alike, OTHER) if _otherwise(mine, asked) else alike


def does_otherwise(goal: str, question: str) -> bool:
    """Return whether both name an action, and the actions differ."""
    return _otherwise(task_words(goal), task_words(question))


def share(of: tuple[Word, ...], other: tuple[Word, ...]) -> float:
    """Return the share of one text's words that the other also names, from 0 to 1."""
    names = frozenset().union(*(word.names for word in other))
    whole = sum(word.weight for word in of)
    return sum(word.weight for word in of if word.names & names) / whole if whole else 0.0


def _otherwise(first: tuple[Word, ...], second: tuple[Word, ...]) -> bool:
    mine, theirs = ([word.names for word in each if word.action] for each in (first, second))
    return bool(mine and theirs) and not any(a & b for a in mine for b in theirs)


@lru_cache(maxsize=1024)
def task_words(text: str) -> tuple[Word, ...]:
    """Return the words that a task names, each once."""
    text = simplified(text.lower())
    text = _ASIDE.sub(" ", text).strip() or text
    found: dict[frozenset[str], Word] = {}
    chinese = (word for run in words.CJK_RUN.findall(text) for word in _chinese(run))
    for word in (*_latin(words.words(text)), *chinese):
        found.setdefault(word.names, word)
    return tuple(found.values())


def _latin(text: list[str]) -> Iterator[Word]:
    stems = [_stem(word) for word in text]
    named: dict[int, list[WordMeaning]] = {}
    for phrase, names in _phrases("en").items():
        for places in _places(phrase, stems):
            for at in places:
                named.setdefault(at, []).extend(names)
    stop = lexicon.stop_words("en")
    for at, word in enumerate(text):
        if names := named.get(at, []):
            yield _word(names)
        elif word not in stop and len(word) > 1:
            alike = {_stem(other) for other in lexicon.synonyms("en", word)}
            yield Word(frozenset({stems[at], *alike}))


def _chinese(run: str) -> Iterator[Word]:
    for phrase, names in _phrases("zh").items():
        start = run.find(phrase[0])
        stop = run.find(phrase[-1], start + len(phrase[0])) if start >= 0 and len(phrase) > 1 else start
        if start < 0 or stop < 0 or stop - start > SIGNS:
            continue
        yield _word(names)
        for part in phrase:
            run = run.replace(part, " ", 1)
    for part in run.split():
        pairs = [pair for pair, weight in words.cjk(part).items() if len(pair) == 2 and weight >= words.COMMON]
        for pair in pairs:
            yield Word(frozenset({pair}), (len(pairs) + 1) / 2 / len(pairs))


def _word(names: list[WordMeaning]) -> Word:
    meanings = frozenset(f"={name.means}" for name in names)
    light = all(name.kind == "light" for name in names)
    return Word(meanings, LIGHT if light else 1.0, any(name.kind == "action" for name in names))


@lru_cache(maxsize=4)
def _phrases(language: str) -> dict[tuple[str, ...], list[WordMeaning]]:
    """Return what the table names, by its words. A name in two parts is marked where words may stand between."""
    found: dict[tuple[str, ...], list[WordMeaning]] = {}
    for row in table("ways/tasks", language):
        for word in " ".join(row["words"]).split():
            parts = word.lower().split("~")
            if language == "en":
                steps = [tuple(_stem(each) for each in part.split("_")) for part in parts]
                key = steps[0] if len(steps) == 1 else (*steps[0], "~", *steps[1])
            else:
                key = tuple(parts)
            found.setdefault(key, []).append(WordMeaning(row["means"][0], row["kind"][0]))
    return dict(sorted(found.items(), key=lambda each: -sum(map(len, each[0]))))


def _places(phrase: tuple[str, ...], stems: list[str]) -> Iterator[list[int]]:
    """Yield where a phrase stands among words, each time as a list of their numbers."""
    if phrase[0] not in stems:
        return
    apart = phrase.index("~") if "~" in phrase else 0
    head, tail = (phrase[:apart], phrase[apart + 1 :]) if apart else (phrase, ())
    for at in range(len(stems)):
        if tuple(stems[at : at + len(head)]) != head:
            continue
        here = list(range(at, at + len(head)))
        if not tail:
            yield here
            continue
        behind = at + len(head)
        for other in range(behind, min(len(stems), behind + GAP + 1)):
            if tuple(stems[other : other + len(tail)]) == tail:
                yield [*here, *range(other, other + len(tail))]
                break


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """Return the stem of a word; an irregular form counts as its plain form."""
    plain = next((each for each in (word, *lexicon.irregular().get(word, ())) if each in lexicon.base_forms()), word)
    return words.stem(plain)
