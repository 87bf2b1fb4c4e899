"""What embedding in batches would save, and what it would cost: `python tests/bench/batches.py FOLDER FILE`.

FOLDER holds a model, FILE a text a line. Every text is embedded by itself, in batches of the same number of tokens, and
in batches sorted by length. Of each way are told the processor time and how like the vectors are to those of texts that
stood alone: 1 where a vector does not depend on its neighbours.
"""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from memcli.index import download, embed

TOGETHER = 16  # texts of a batch


def main(folder: str, file: str) -> None:
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    with TemporaryDirectory() as home:
        model = embed.load_model(download.register(Path(folder), {"XDG_DATA_HOME": home}, "bench"), Path(folder))
    lines = [line.strip() for line in Path(file).read_text(encoding="utf-8").splitlines() if line.strip()]
    long = [" ".join(lines[at : at + 12]) for at in range(0, len(lines) - 12, 12)]
    for name, texts in (("lines", lines), ("twelve lines each", long)):
        sizes = [len(model.model.tokenizer.encode(text).ids) for text in texts]
        print(f"{name}: {len(texts)} of {sum(sizes) / len(sizes):.0f} tokens")
        alone, seconds = _run(model, texts, [[at] for at in range(len(texts))])
        print(f"  alone             {seconds:.2f} s")
        by_size = defaultdict(list)
        for at, size in enumerate(sizes):
            by_size[size].append(at)
        same = [run for places in by_size.values() for run in _runs(places)]
        for way, batches in (("of equal length", same), ("sorted by length", _runs(np.argsort(sizes).tolist()))):
            rows, seconds = _run(model, texts, batches)
            like = (alone * rows).sum(axis=1)
            told = f"likeness at least {like.min():.3f}, {like.mean():.3f} on average"
            print(f"  {way:16}  {seconds:.2f} s, {told}, {(like < 0.95).sum()} below 0.95")


def _runs(places: Sequence[int]) -> list[list[int]]:
    left = iter(places)
    return list(iter(lambda: list(islice(left, TOGETHER)), []))


def _run(model: Any, texts: Sequence[str], batches: Sequence[Sequence[int]]) -> tuple[Any, float]:
    """The vectors in the order of the texts, and the seconds of a core they took."""
    began = time.process_time()
    rows: dict[int, Any] = {}
    for places in batches:
        rows.update(zip(places, model.embed([texts[at] for at in places], batch_size=TOGETHER), strict=True))
    seconds = time.process_time() - began
    return np.array([rows[at] for at in range(len(texts))]), seconds


if __name__ == "__main__":
    main(*sys.argv[1:3])
