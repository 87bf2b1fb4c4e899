"""Fit the weights of a score on all sets together, and judge each set by the weights of the others.

A listwise softmax over the candidates of a question, each set weighing the same. Needs numpy; `ranker.py --fit` runs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from memcli.recall import engine, query
from memcli.recall.direct import read_tag_words
from memcli.recall.score import SHARPNESS
from memcli.text import tokens
from memcli.vault.vault import Filter, Vault

PARTS = ("text", "near", "day", "time", "lead", "fit", "newness", "tag", "file")
PLACE, MOST = 9, 200  # tokens of a line for its place; candidates of a question

Row = tuple[Any, Any, Any]  # parts, whether it answers, tokens


def run(sets: Mapping[str, Sequence[tuple[Vault, Any]]]) -> None:
    """Print first / top5 / any at 1000 / any at 300 of each set while it is left out, then the weights of all."""
    rows = {name: [_row(vault, case) for vault, case in cases] for name, cases in sets.items()}
    for name, own in rows.items():
        print(f"{name:20s}", _measured(own, _fitted([other for key, other in rows.items() if key != name])), flush=True)
    weights = _fitted(list(rows.values())) / SHARPNESS
    print(dict(zip(PARTS, np.round(weights, 2).tolist(), strict=True)))


def _row(vault: Vault, case: Any) -> Row:
    asked = query.parse(case.question, vault.today, read_tag_words(vault))
    want = Filter(None, None, (), asked.types, asked.path)
    found = engine.find_candidates(engine.search_vault(vault, asked, want))[:MOST]
    parts = np.array([[each.parts[part] for part in PARTS] for each in found]).reshape(-1, len(PARTS))
    answers = np.array([float((each.entry.path, each.entry.line) in case.answers) for each in found])
    return parts, answers, np.array([tokens.count(each.entry.words) + PLACE for each in found])


def _fitted(sets: Sequence[Sequence[Row]], steps: int = 250) -> Any:
    every = np.concatenate([parts for rows in sets for parts, *_ in rows])
    spread = every.std(0) + 1e-6
    data = [
        (1 / len(rows) / len(sets), parts / spread, answers / answers.sum())
        for rows in sets for parts, answers, _ in rows if answers.sum()
    ]  # fmt: skip
    weights, first, second = (np.zeros(every.shape[1]) for _ in range(3))
    for step in range(1, steps + 1):
        slope = 1e-3 * weights
        for share, parts, wanted in data:
            odds = np.exp(parts @ weights - (parts @ weights).max())
            slope = slope + share * (parts.T @ (odds / odds.sum() - wanted))
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights = weights - 0.05 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return weights / spread


def _measured(rows: Sequence[Row], weights: Any) -> str:
    sums = np.zeros(4)
    for parts, answers, costs in rows:
        if not len(answers):
            continue
        order = np.argsort(-(parts @ weights), kind="stable")
        sums[:2] += answers[order[0]], answers[order[:5]].any()
        for column, budget in ((2, 1000), (3, 300)):
            room = budget - 20
            for at in order:
                if costs[at] <= room:
                    room -= costs[at]
                    if answers[at]:
                        sums[column] += 1
                        break
    return " / ".join(f"{value:.3f}" for value in sums / max(1, len(rows)))
