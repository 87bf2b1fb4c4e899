"""Fit the weights of a language, `memcli/language/LANGUAGE/learn_weights.txt`, which `memcli/remember/learn/likelihood.py` uses.

    python tests/bench/learn_weights.py LANGUAGE TALKS.json … [--said SAID.tsv …] [--marked MARKED.txt] [--show] [--write]

TALKS are sets as for learn.py, SAID are utterances.tsv and weighed.tsv of tests/remember/learn, MARKED is
tests/bench/marked_LANGUAGE.txt. Every clause that any rule or word tells
something of is proposed; right is what somebody wants of it. Each part of the talks is judged by weights that were fitted on
the others, which is what to believe of them; `--write` keeps those that were fitted on all.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from learn import Atom, answers, learnt, names, score

from memcli.remember.learn import likelihood, statement, why_not
from memcli.remember.learn.atoms import SURE
from memcli.remember.learn.find import find
from memcli.remember.learn.language import language_of
from memcli.remember.learn.proposals import ONCE
from memcli.remember.learn.transcript import read
from memcli.text.simplified import simplified
from memcli.text.tables import LANGUAGE

HEAD = """\
# How much each sign of a clause speaks for a memory: written by tests/bench/learn_weights.py, explained in
# memcli/remember/learn/likelihood.py. Fitted, so there is nothing to mend by hand: mend the words in learn_words.txt."""
FOLDS = 5
HELD_BACK = {"en": 2.0, "zh": 4.0}  # how far weights are drawn to nothing
SEEN = 4  # a sign of fewer clauses tells nothing
BAD = 3.0  # a wrong memory weighs as much as so many that nobody asked for
LEFT = 0.6  # what a clause weighs that the author of the words left unmarked: it may do no harm
MARKED = re.compile(r"([A-Z])\{([^{}]*)\}")
MARKS = {
    "F": {"fact", "profile", "event", "label"}, "P": {"preference"}, "D": {"decision"}, "T": {"task", "event"},
    "H": {"fact", "preference", "profile", "event"}, "L": {"label", "fact", "profile"}, "O": {"opinion"}, "Q": {"question"},
}  # fmt: skip
SAID = 0.5  # what a clause of the author of the rules weighs


@dataclass(frozen=True)
class Case:
    """A clause that could be proposed: its signs, whether it should be, and how much that weighs."""

    signs: tuple[str, ...]
    right: bool
    weight: float
    talk: str  # its id


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("language")
    ask.add_argument("talks", nargs="+", type=Path)
    ask.add_argument("--said", nargs="*", type=Path, default=[])
    ask.add_argument("--marked", type=Path)
    ask.add_argument("--show", action="store_true", help="print what is missed or wrong by weights fitted without it")
    ask.add_argument("--write", action="store_true")
    options = ask.parse_args()
    least = likelihood.LEAST
    sets = {f"{path.parent.name}_{path.stem}": json.loads(path.read_text(encoding="utf-8")) for path in options.talks}
    talks = [{**talk, "id": f"{name} {talk['id']}"} for name, found in sets.items() for talk in found]
    likelihood.LEAST, statement.EVERY = 0.0, True
    cases = [case for talk in talks for case in of_talk(talk, learnt(talk))]
    cases += [case for path in options.said for case in of_said(path, options.language)]
    cases += of_marked(options.marked) if options.marked else []
    likelihood.LEAST, statement.EVERY = least, False
    unseen: dict[str, list[Atom]] = {}
    fitted_for = dict[str, dict[str, float]]()
    likelihood.weights = lambda language: fitted_for.get(language, {})  # type: ignore[assignment]
    for fold in range(FOLDS):
        out = talks[fold::FOLDS]
        left = {talk["id"] for talk in out}
        fitted_for[options.language] = fitted([case for case in cases if case.talk not in left], options.language)
        unseen |= {talk["id"]: learnt(talk) for talk in out}
    for name in [*sets, ""]:
        part = [talk for talk in talks if talk["id"].startswith(name + " " * bool(name))]
        print(name or "all", score(part, lambda talk: unseen[talk["id"]]))
    tell_sure(talks, unseen)
    if options.show:
        print("\n".join(score(talks, lambda talk: unseen[talk["id"]]).shown))
    if options.write:
        lines = [f"{weight:5.2f} {sign}" for sign, weight in sorted(fitted(cases, options.language).items())]
        path = LANGUAGE / options.language / "learn_weights.txt"
        path.write_text("\n".join([HEAD, *lines, ""]), encoding="utf-8")


def of_talk(talk: dict[str, Any], atoms: Sequence[Atom]) -> list[Case]:
    found = []
    for atom in atoms:
        right = any(answers(atom, {**want, "not": []}) for want in talk["want"])  # where a value ends is told elsewhere
        bad = names(talk["wrong"], atom)
        if atom.signs and (right or bad or not names(talk["optional"], atom)):
            found.append(Case(atom.signs, right and not bad, BAD if bad else 1.0, talk["id"]))
    return found


def of_said(path: Path, language: str) -> list[Case]:
    found = []
    for line in path.read_text(encoding="utf-8").split("# part 8, held out")[0].splitlines():
        labels, _, said = line.partition("\t")
        if line.startswith("#") or language_of(said).name != language:
            continue
        for atom in find(read(said)):
            if atom.signs:
                type = "fact" if atom.type in ("profile", "label") and "fact+" in labels else atom.type
                right = type + ("+" if atom.lasting else "-") in labels.split()
                found.append(Case(atom.signs, right, SAID, ""))
    return found


def of_marked(path: Path) -> list[Case]:
    """Lines in which what should be learnt stands in brackets behind the letter of its type, and `助手:` before what
    the assistant said."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        asked, _, said = line.rpartition("|")
        talk = [("assistant", asked.partition(":")[2]), ("user", MARKED.sub(r"\2", said))]
        lines = "\n".join(json.dumps({"role": role, "content": text}) for role, text in talk if text)
        wants = [(MARKS[letter], simplified(words).casefold()) for letter, words in MARKED.findall(said)]
        for atom in find(read(lines)):
            told = simplified(f"{atom.text} {atom.value}").casefold()
            right = any(atom.type in types and (words in told or atom.text in words) for types, words in wants)
            if atom.signs and why_not(atom) != ONCE:
                found.append(Case(atom.signs, right, 1.0 if right else LEFT, ""))
    return found


def fitted(cases: Sequence[Case], language: str) -> dict[str, float]:
    """Logistic regression by Newton's method, held back."""
    seen = Counter(sign for case in cases for sign in case.signs)
    signs = [sign for sign, number in seen.items() if number >= SEEN]
    at = {sign: column for column, sign in enumerate(signs)}
    there = np.zeros((len(cases), len(signs)))
    for row, case in enumerate(cases):
        there[row, [at[sign] for sign in case.signs if sign in at]] = 1.0
    weight, right = np.array([case.weight for case in cases]), np.array([float(case.right) for case in cases])
    found = np.zeros(len(signs))
    for _ in range(25):
        likely = 1 / (1 + np.exp(-there @ found))
        slope = (there * (weight * likely * (1 - likely))[:, None]).T @ there + HELD_BACK[language] * np.eye(len(signs))
        found += np.linalg.solve(slope, there.T @ (weight * (right - likely)) - HELD_BACK[language] * found)
    return {sign: round(float(value), 2) for sign, value in zip(signs, found, strict=True) if abs(value) >= 0.01}


def tell_sure(talks: Sequence[dict[str, Any]], unseen: Mapping[str, Sequence[Atom]]) -> None:
    print("| SURE | kept | right | wrong |\n| --- | ---: | ---: | ---: |")
    for sure in (0.6, 0.7, SURE, 0.85, 0.9, 0.95):
        kept = [(talk, atom) for talk in talks for atom in unseen[talk["id"]] if atom.confidence >= sure]
        right = sum(any(answers(atom, want) for want in talk["want"]) for talk, atom in kept)
        wrong = sum(names(talk["wrong"], atom) for talk, atom in kept)
        print(f"| {sure} | {len(kept)} | {right} | {wrong} |")


if __name__ == "__main__":
    sys.exit(main())
