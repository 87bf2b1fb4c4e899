"""What `mem learn` has to learn from: sentences in parts, each marked with what it holds. `learn_weights.py` fits on them.

A source is a set of talks as for learn.py, a list of marked lines, or sentences with labels as in
tests/features/learn/utterances.tsv; what it is shows in its ending (.json or .json.gz, .txt, .tsv).
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from memcli.errors import UsageError
from memcli.features.learn import find, statement
from memcli.features.learn.answers import says_only_yes
from memcli.features.learn.frames import without_foreign_words
from memcli.features.learn.language import FOLDER, TABLES, language_of, normalized
from memcli.features.learn.likelihood import LETTERS
from memcli.features.learn.parts import Segment
from memcli.features.learn.transcript import USER, Utterance, read_transcript
from memcli.text.tables import rows

MARKED = re.compile(r"([A-Z])\{([^{}]*)\}")
KIND = {"fact": "F", "profile": "F", "event": "F", "preference": "P", "anchor": "P", "decision": "D", "task": "T",
        "label": "L", "opinion": "O", "question": "Q", "H": "FP"}  # fmt: skip
WEIGHT = {".json": 2.0, ".txt": 1.0, ".tsv": 3.0}
RULES = 1.0
OWN_FREQUENCY = (
    "# memories are as frequent in it as its author made them"  # first line of a list that is no fair sample
)
OF_SOURCE = "@"  # begins a feature of the source alone: it is fitted, and left out afterwards
_CORE = re.compile(r"\w")


class Label(NamedTuple):
    """What a part may hold, as far as it is known: nothing, a memory of some kinds that begins, or that goes on."""

    nothing: bool
    begins: str
    goes_on: str


NOTHING = Label(True, "", "")
UNKNOWN = Label(True, LETTERS, LETTERS)


@dataclass(frozen=True)
class Case:
    """A sentence: the features of its parts, and for each what it may hold."""

    told: tuple[tuple[str, ...], ...]
    labels: tuple[Label, ...]
    weight: float


@dataclass(frozen=True)
class Seen:
    """A sentence as it was read: its parts with where they stand in all that the user said, and their features."""

    cut: tuple[Segment, ...]
    at: tuple[tuple[int, int], ...]
    told: tuple[tuple[str, ...], ...]


def of_source(path: Path, language: str) -> list[Case]:
    text, kind = text_of(path), Path(path.name.removesuffix(".gz")).suffix
    ways = {".json": of_talks, ".txt": of_marked, ".tsv": of_said}
    cases = [Case(case.told, case.labels, WEIGHT[kind]) for case in ways[kind](text, language)]
    return [_apart(case, path.stem) for case in cases] if text.startswith(OWN_FREQUENCY) else cases


def text_of(path: Path) -> str:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")


def _apart(case: Case, name: str) -> Case:
    """Marked as from a source in which memories are not as frequent as in what people say."""
    return Case(tuple((*part, f"{OF_SOURCE}{name}") for part in case.told), case.labels, case.weight)


def talk_of(line: str) -> list[tuple[str, str]]:
    """A marked line as a talk, with its marks."""
    asked, _, said = line.rpartition("|")
    talk = [("assistant", re.split("[:：]", asked, maxsplit=1)[-1].strip()), ("user", said.strip())]
    return [(role, words) for role, words in talk if words]


def unmarked(words: str) -> str:
    return MARKED.sub(r"\2", words)


def of_marked(text: str, language: str) -> Iterator[Case]:
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        talk = talk_of(line)
        messages = read_transcript(_lines((role, unmarked(words)) for role, words in talk))
        for seen in _seen(messages, language):
            yield Case(seen.told, _labels(seen, _marks(talk[-1][1])), 1.0)
        if "{" in talk[0][1] and len(talk) > 1:  # agreed to
            kinds = [KIND.get(letter, letter) for letter, _ in MARKED.findall(talk[0][1])]
            for seen in _seen(messages, language, agreed=True):
                rest = [Label(True, "", kinds[0])] * (len(seen.told) - 1)
                yield Case(seen.told, (Label(False, kinds[0], ""), *rest), 1.0)


def _marks(said: str) -> list[tuple[str, int, int]]:
    """The kinds of the marks with where they begin and end in the words without them."""
    marks, plain = [], 0
    for match in MARKED.finditer(said):
        start = match.start() - plain
        if not says_only_yes(match[2]):  # what it agrees to is the memory
            marks.append((KIND.get(match[1], match[1]), start, start + len(match[2])))
        plain += len(match[0]) - len(match[2])
    return marks


def of_talks(text: str, language: str) -> Iterator[Case]:
    for talk in json.loads(text):
        lines = _lines((turn["speaker"], turn["text"]) for turn in talk["talk"])
        try:
            sentences = _seen(read_transcript(lines, [talk["me"]] if talk["me"] else []), language)
        except UsageError:
            continue
        taken: set[int] = set()
        for seen in sentences:
            yield Case(seen.told, _wanted(seen, talk, taken), 1.0)


def of_said(text: str, language: str) -> Iterator[Case]:
    for line in text.split("# part 8, held out")[0].splitlines():
        labels, _, said = line.partition("\t")
        kinds = (
            [KIND[label[:-1]] for label in labels.split() if label.endswith("+") or label[:-1] in ("task", "event")]
            if not line.startswith("#") and labels != "-"
            else []
        )
        if line.startswith("#") or language_of(said).name != language or len(kinds) > 1:
            continue
        yield from _whole(said, "".join(kinds), language, 1.0)


def of_rules(language: str) -> Iterator[Case]:
    """What the tables say that their rules take."""
    for name in TABLES:
        for row in rows(FOLDER / language / f"{name}.txt", examples=True):
            if "rule" in row and "holds" not in row and "after" not in row:
                for said in row["takes"]:
                    whole = _whole(said.partition(" => ")[0], KIND[row["type"][0]], language, RULES)
                    yield from (_apart(case, "examples") for case in whole)


def _whole(said: str, kind: str, language: str, weight: float) -> Iterator[Case]:
    """A sentence that holds one memory, which may end before it does; or none."""
    rest = Label(True, "", kind) if kind else NOTHING
    for seen in _seen(read_transcript(said), language):
        yield Case(seen.told, (Label(not kind, kind, ""), *[rest] * (len(seen.cut) - 1)), weight)


def _lines(talk: Iterable[tuple[str, str]]) -> str:
    return "\n".join(json.dumps({"role": role, "content": words}) for role, words in talk)


def _seen(messages: Sequence[Utterance], language: str, agreed: bool = False) -> list[Seen]:
    """The sentences of a talk as `find` reads them: what the user says, or what they agree to in their own words."""
    heard_so: list[tuple[Sequence[Segment], Sequence[Sequence[str]]]] = []
    features = statement.features

    def recorded(cut: Sequence[Segment], signs: Sequence[Sequence[str]], *more: Any) -> list[list[str]]:
        told = features(cut, signs, *more)
        if cut and ("agreed to" in signs[0]) == agreed:
            heard_so.append((cut, told))
        return told

    statement.features = recorded
    try:
        find.find_atoms(messages)
    finally:
        statement.features = features
    if agreed:
        return [Seen(tuple(cut), (), tuple(map(tuple, told))) for cut, told in heard_so]
    said = "\n".join(normalized(without_foreign_words(message.text)) for message in messages if message.role == USER)
    found, at = [], 0
    for cut, told in heard_so:
        places, here = [], at
        for part in cut:
            start = said.find(part.words, here)
            if start < 0 or start - here > (3 if places else 200):
                break
            here = start + len(part.words)
            places.append((start, here))
        if len(places) == len(cut) and language_of("".join(part.words for part in cut)).name == language:
            found.append(Seen(tuple(cut), tuple(places), tuple(map(tuple, told))))
            at = places[0][0]
    return found


def _labels(seen: Seen, marks: Sequence[tuple[str, int, int]]) -> tuple[Label, ...]:
    """A part holds what marks most of its letters."""
    labels = []
    last = -1
    for part, (start, _) in zip(seen.cut, seen.at, strict=True):
        letters = [start + match.start() for match in _CORE.finditer(part.words)]
        shares = [sum(a <= at < b for at in letters) for _, a, b in marks]
        best = max(range(len(marks)), key=lambda number: shares[number], default=-1)
        if not letters:
            labels.append(Label(True, "", LETTERS))
            continue
        if best < 0 or shares[best] * 2 < len(letters):
            best = -1
            labels.append(NOTHING)
        elif best == last:
            labels.append(Label(False, "", marks[best][0]))
        else:
            labels.append(Label(False, marks[best][0], ""))
        last = best
    return tuple(labels)


def _wanted(seen: Seen, talk: Mapping[str, Any], taken: set[int]) -> tuple[Label, ...]:
    """The fewest parts that hold what is wanted are surely a memory; those beside them that say more of it, and those
    that may be learnt, are left open."""
    low = [part.words.casefold() for part in seen.cut]
    labels = [UNKNOWN if _holds(words, talk["optional"]) else NOTHING for words in low]
    for number, want in enumerate(talk["want"]):
        must = [normalized(word).casefold() for word in want["must"]]
        runs = [
            (b - a, a, b)
            for a in range(len(low))
            for b in range(a + 1, len(low) + 1)
            if all(word in "".join(low[a:b]) for word in must)
        ]
        if not runs or number in taken or not must:
            continue
        taken.add(number)
        _, a, b = min(runs)
        kinds = "".join(
            dict.fromkeys(kind for type in (want["type"], *want.get("also", ())) for kind in KIND.get(type, "F"))
        )
        value = normalized(str(want.get("value", ""))).casefold()
        for at, words in enumerate(low):
            if a <= at < b:
                both = "".join(dict.fromkeys(kinds + labels[at].begins)) if not labels[at].nothing else kinds
                labels[at] = Label(False, both, both)
            elif labels[at].nothing and _says(words, value) and not _holds(words, want["not"]):
                labels[at] = UNKNOWN
    return tuple(labels)


def _holds(words: str, names: Sequence[str]) -> bool:
    return any(normalized(name).casefold() in words for name in names)


def _says(words: str, value: str) -> bool:
    """Whether most of some words stand in a value."""
    tokens = re.findall(r"[a-z']+|\d+|[\u4e00-\u9fff]", words)
    return bool(tokens) and sum(token in value for token in tokens) > 0.5 * len(tokens)
