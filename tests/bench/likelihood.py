"""Fit the weights of `memcli/recall/likelihood.py`: likelihood.py DATA.json … [--silent SILENT.json]

DATA is as for quality.py; talks of several speakers are laid as talks, all others as notes. SILENT holds questions that
the notes of a set don't answer: a list of {"set": NAME, "question": …}, for the file NAME_dev.json among DATA. Every set
counts the same. Two logistic regressions are printed as they stand in the code: that a memory is the first of the block
to help, and that a question is answered at all; and for some thresholds, what they save and what they cost.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from quality import Question, folded, laid

from memcli.recall import Request, block, likelihood, seek
from memcli.vault.vault import open_vault

ROOM = 1_000_000
Signs = Mapping[str, float]


@dataclass(frozen=True)
class Asked:
    """One question: the signs of its memories, the best first, and which of them are evidence."""

    data: str
    question: Signs
    memories: Sequence[Signs]
    hits: Sequence[bool]
    silent: bool = False  # nothing in these notes answers it
    sure: bool = False  # by a tag or a day, whatever its words


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("data", nargs="+", type=Path)
    ask.add_argument("--silent", type=Path)
    ask.add_argument("--sample", type=int, default=1, metavar="N", help="only every Nth question of more than 200")
    args = ask.parse_args()
    with tempfile.TemporaryDirectory(prefix="mem-likelihood-") as folder:
        asked = [each for path in args.data for each in of_data(path, Path(folder), args.sample)]
        if args.silent:
            asked += of_silence(args.silent, args.data, Path(folder))
    answered = [each for each in asked if not each.silent]
    tell_helps(answered, fit_helps(answered))
    if args.silent:
        judged = [each for each in asked if each.memories and not each.sure]
        tell_answers(asked, judged, fit_answers(judged))
    return 0


def of_data(path: Path, folder: Path, sample: int) -> list[Asked]:
    questions = list(laid(path, folder, how(path)))
    return [looked_up(path.stem, each) for each in questions[:: sample if len(questions) > 200 else 1]]


def of_silence(path: Path, data: Sequence[Path], folder: Path) -> list[Asked]:
    """Each is asked of the vault that its set was laid as; only sets of one vault have such questions."""
    laid_as = {each.stem: next(laid(each, folder / "silent", how(each))) for each in data}
    found = []
    for given in json.loads(path.read_text(encoding="utf-8")):
        if near := laid_as.get(f"{given['set']}_dev"):
            found.append(looked_up(given["set"], Question(near.root, near.now, given["question"], "", (), ()), True))
    return found


def how(path: Path) -> str:
    """How it is laid: as a talk, when several take part in it."""
    talks = [item["conversation"] for item in json.loads(path.read_text(encoding="utf-8"))]
    turns = [turn for talk in talks for turns in talk.values() if isinstance(turns, list) for turn in turns]
    alone = len({turn["speaker"] for turn in turns}) == 1 or path.stem.startswith("madial")
    return "notes" if alone else "talk"


def looked_up(data: str, asked: Question, silent: bool = False) -> Asked:
    vault = open_vault(asked.root, lambda: asked.now)
    sought = seek(vault, Request(asked.text, ROOM, fill=True))
    ranked = sorted((each for each in sought.ranked if each.score > 0), key=lambda each: -each.score)
    texts = [folded(block.shown(each)) for each in ranked]
    hits = [any(turn in text for turn in (*asked.evidence, *asked.alike)) for text in texts]
    sure = any(each.parts.get("tag") or "dated" in each.paths for each in ranked)
    question = likelihood.question_signs(sought.search, ranked)
    return Asked(data, question, likelihood.all_signs(sought.search, ranked), hits, silent, sure)


def fit_helps(asked: Sequence[Asked]) -> dict[str, float]:
    rows, first, data = [], [], []
    for each in asked:
        hit = each.hits.index(True) if True in each.hits else -1
        rows += each.memories
        first += [at == hit for at in range(len(each.memories))]
        data += [each.data] * len(each.memories)
    questions = {name: sum(each.data == name for each in asked) for name in set(data)}
    return fitted(rows, first, [1 / questions[name] for name in data])


def fit_answers(asked: Sequence[Asked]) -> dict[str, float]:
    def share(of: Asked) -> float:
        return 1 / sum(each.data == of.data and each.silent == of.silent for each in asked)

    sides = {side: sum(share(each) for each in asked if each.silent is side) for side in (True, False)}
    weights = [share(each) / sides[each.silent] for each in asked]
    return fitted([each.question for each in asked], [not each.silent for each in asked], weights)


def fitted(rows: Sequence[Signs], true: Sequence[bool], weights: Sequence[float]) -> dict[str, float]:
    """Logistic regression by Newton's method, a little held back."""
    names = list(rows[0])
    signs = np.array([[row[name] for name in names] for row in rows])
    weight, there = np.array(weights) * len(weights) / sum(weights), np.array(true, dtype=float)
    found = np.zeros(len(names))
    for _ in range(40):
        likely = 1 / (1 + np.exp(-signs @ found))
        slope = (signs * (weight * likely * (1 - likely))[:, None]).T @ signs + np.eye(len(names))
        found += np.linalg.solve(slope, signs.T @ (weight * (there - likely)) - found)
    return {name: round(float(value), 2) for name, value in zip(names, found, strict=True)}


def tell_helps(asked: Sequence[Asked], weights: Mapping[str, float]) -> None:
    print("HELPS =", json.dumps(weights, indent=4))
    print("| LEAST | still any evidence | memories, mean |\n| --- | ---: | ---: |")
    for least in (0.0, 0.002, 0.003, 0.004, 0.006, 0.01):
        kept = [[likelihood.likelihood(weights, signs) >= least for signs in each.memories] for each in asked]
        there = [
            any(a and b for a, b in zip(each.hits, keeps, strict=True)) for each, keeps in zip(asked, kept, strict=True)
        ]
        print(f"| {least} | {by_set(asked, there):.3f} | {by_set(asked, [sum(keeps) for keeps in kept]):.1f} |")


def tell_answers(every: Sequence[Asked], judged: Sequence[Asked], weights: Mapping[str, float]) -> None:
    print("\nANSWERS =", json.dumps(weights, indent=4))
    print("| SURE | rightly silent | silent about what is there |\n| --- | ---: | ---: |")
    silent = [each for each in every if each.silent]
    there = [each for each in every if any(each.hits)]
    for sure in (0.0, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2):
        doubted = {id(each) for each in judged if likelihood.likelihood(weights, each.question) < sure}
        right = [not each.memories or id(each) in doubted for each in silent]
        print(
            f"| {sure} | {by_set(silent, right):.3f} | {by_set(there, [id(each) in doubted for each in there]):.4f} |"
        )


def by_set(asked: Sequence[Asked], values: Sequence[float]) -> float:
    """The mean of the means of the sets."""
    found: dict[str, list[float]] = {}
    for each, value in zip(asked, values, strict=True):
        found.setdefault(each.data, []).append(float(value))
    return float(np.mean([np.mean(listed) for listed in found.values()]))


if __name__ == "__main__":
    sys.exit(main())
