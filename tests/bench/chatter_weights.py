"""Fit `memcli/language/*/chatter_weights.txt`, by which `memcli/text/chatter.py` tells chatter from what is worth keeping.

    python tests/bench/chatter_weights.py [--write]

Read is `chatter.txt` beside it: `+` before what somebody wanted to keep, `-` before what nobody will look for. Each
quarter is judged by weights fitted on the rest, which is what is printed; `--write` keeps those fitted on all.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from memcli.remember.gates import worth
from memcli.text.chatter import SCALE, SURE, chatter_score, chatter_signs, language_of
from memcli.text.tables import LANGUAGE_FOLDER, rows

HEAD = """\
# How much each sign speaks for chatter: written by tests/bench/chatter_weights.py, explained in memcli/text/chatter.py.
# Fitted, so there is nothing to mend by hand: add texts to tests/bench/chatter.txt instead."""
TEXTS = Path(__file__).with_name("chatter.txt")
PARTS = 4
HELD_BACK = 0.01  # how far weights are drawn to nothing
NOISE = 1.0  # what all chatter weighs beside all that is kept
LEAST = 0.4  # a weight below it is left out
STEPS = 400
ALWAYS = -0.3  # what nothing is known of is kept

Texts = list[tuple[bool, str]]


def main(write: bool) -> None:
    worth.is_chatter = lambda text: False  # what the rules alone turn away
    lines = TEXTS.read_text(encoding="utf-8").splitlines()
    texts = [(line[0] == "-", line[2:]) for line in lines if line[:1] in ("+", "-")] + list(examples())
    for language in ("en", "zh"):
        mine = [(noise, text) for noise, text in texts if language_of(text) == language]
        wrong: Counter[bool] = Counter()
        for part in range(PARTS):
            known = fitted([one for at, one in enumerate(mine) if at % PARTS != part])
            for noise, text in mine[part::PARTS]:
                refused = chatter_score(text, known) >= SURE or (noise and bool(worth.why_worthless(text)[0]))
                wrong[noise] += refused != noise
        of = Counter(noise for noise, _ in mine)
        print(f"{language}: of {of[False]} to keep {wrong[False]} turned away, of {of[True]} others {wrong[True]} kept")
        if write:
            found = sorted(fitted(mine).items(), key=lambda pair: (-abs(pair[1]), pair[0]))
            told = [
                f"{round(weight * SCALE)}\t{sign}" for sign, weight in found if abs(weight) >= LEAST or sign == "always"
            ]
            (LANGUAGE_FOLDER / language / "chatter_weights.txt").write_text(
                "\n".join([HEAD, *told, ""]), encoding="utf-8"
            )


def examples() -> Iterator[tuple[bool, str]]:
    """What the tables take and leave alone."""
    for path in (*LANGUAGE_FOLDER.glob("*/small_talk.txt"), LANGUAGE_FOLDER / "errors.txt"):
        for row in rows(path, examples=True):
            yield from ((True, text) for text in row.get("takes", []))
            yield from ((False, text) for text in row.get("leaves", []))


def fitted(texts: Texts) -> dict[str, float]:
    """Logistic weights of all signs that stand in two texts."""
    found = [chatter_signs(text) for _, text in texts]
    counts = Counter(sign for signs in found for sign in signs)
    names = sorted(sign for sign, count in counts.items() if count > 1)
    place = {sign: at for at, sign in enumerate(names)}
    rows = [[place[sign] for sign in signs if sign in place] for signs in found]
    column = np.array([at for row in rows for at in row])
    row_of = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    norm = 1 / np.sqrt(np.maximum(1, [len(row) for row in rows]))
    noise = np.array([float(one) for one, _ in texts])
    share = np.where(noise == 1, NOISE * (1 - noise).sum() / noise.sum(), 1.0)
    weights = np.zeros(len(names))
    slope = np.full(len(names), 1e-6)  # of all steps, which makes the next ones smaller
    for _ in range(STEPS):
        told = np.bincount(row_of, weights=weights[column], minlength=len(rows)) * norm + ALWAYS
        error = share * (1 / (1 + np.exp(-told)) - noise)
        step = np.bincount(column, weights=(error * norm)[row_of], minlength=len(names)) + HELD_BACK * weights
        slope += step**2
        weights -= 0.5 * step / np.sqrt(slope)
    return {**dict(zip(names, weights.tolist(), strict=True)), "always": ALWAYS}


if __name__ == "__main__":
    main("--write" in sys.argv)
