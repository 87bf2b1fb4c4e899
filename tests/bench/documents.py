"""Is the evidence among the ten passages of `mem ask --evidence`? documents.py [--model FOLDER]

Of the 736 questions over 306 documents in `tests/features/ask/`, all by words, or with a model (ONNX) by meaning as well where it
reads the language. Printed is the share of questions with the evidence in the first ten, by language and kind.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import defaultdict
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script from a checkout

from memcli.features.ask import pipeline as deep
from memcli.features.ask.pipeline import AskRequest
from memcli.index import download, models
from memcli.index.embed import Embedder
from memcli.vault.vault import open_vault
from tests.features.ask.test_quality import HERE, QUESTIONS, read
from tests.features.knowledge.shelves import document, lay


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--model", type=Path, metavar="FOLDER", help="an embedding model as ONNX")
    args = ask.parse_args()
    with tempfile.TemporaryDirectory(prefix="mem-documents-") as folder:
        environ = {**os.environ, **{f"XDG_{name}_HOME": f"{folder}/{name}" for name in ("CONFIG", "DATA")}}
        root = Path(folder, "vault")
        root.mkdir()
        flags, embedder = {}, None
        if args.model:
            model = download.register(args.model.resolve(), environ, name="bench")
            flags, embedder = {"index.model": model.name}, Embedder(models.find_model(model.name, environ), environ)
        vault = open_vault(root, datetime.now, environ, flags)
        corpus = [each for file in sorted((HERE / "corpus").glob("*.jsonl")) for each in read(file)]
        known = ("title", "date", "lang")
        lay(vault, [
            document(each["id"], each["text"], tags=tuple(each["tags"]), **{name: each[name] for name in known})
            for each in corpus
        ], embedder)  # fmt: skip
        hits: dict[str, list[bool]] = defaultdict(list)
        for each in QUESTIONS:
            found = deep.ask(vault, AskRequest(each["q"], only=("knowledge",), evidence=True)).items
            said = " ".join(" ".join(one.text for one in found).split())
            for name in ("all", each["lang"], f"{each['lang']} {each['kind']}"):
                hits[name].append(" ".join(each["evidence"].split()) in said)
    print("| questions | | in the first ten |\n| --- | ---: | ---: |")
    for name in sorted(hits):
        print(f"| {name} | {len(hits[name])} | {sum(hits[name]) / len(hits[name]):.3f} |")


if __name__ == "__main__":
    main()
