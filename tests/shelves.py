"""Documents on a vault's shelf for tests, and a language model that says what it is told to."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memcli.index.store import Making
from memcli.knowledge import address, cut
from memcli.knowledge.documents import KnowledgeDocument, rows
from memcli.knowledge.store import DocumentTable
from memcli.vault.vault import Vault

ADDED = "2026-11-21T14:30:00"


def document(origin: str, text: str, **known: object) -> KnowledgeDocument:
    return KnowledgeDocument(origin, str(known.pop("title", "")), text, "markdown", **known)  # type: ignore[arg-type]


def lay(vault: Vault, documents: Sequence[KnowledgeDocument], embedder: object = None) -> DocumentTable:
    """All these documents on a new shelf, with vectors where there is an embedder that can read them."""
    model = getattr(embedder, "model", None)
    at = address.of(vault)
    store = DocumentTable(at, Making(model.dim, model.name, model.fingerprint) if model else Making())
    found = [row for each in documents for row in rows(each, cut.pieces(each), ADDED)]
    vectors: list[bytes | None] = [None] * len(found)
    if model:
        read = [n for n, row in enumerate(found) if model.reads(row.text)]
        made = embedder.passages([found[n].text for n in read]).astype(np.float16)  # type: ignore[attr-defined]
        for n, vector in zip(read, made, strict=True):
            vectors[n] = vector.tobytes()
    store.write(found, vectors)
    store.settle(due=True, new=True)
    return store


def model(folder: Path, *answers: str) -> str:
    """A command for `llm.command`: it gives one answer after the other, and keeps what it was asked in asked.jsonl."""
    script = folder / "model.py"
    script.write_text(
        f"import json, pathlib, sys\nhere = pathlib.Path({str(folder)!r})\nasked = here / 'asked.jsonl'\n"
        "n = len(asked.read_text().splitlines()) if asked.exists() else 0\n"
        "asked.open('a').write(json.dumps(sys.stdin.read()) + '\\n')\n"
        f"answers = {json.dumps(answers)}\nsys.stdout.write(answers[min(n, len(answers) - 1)])\n",
        encoding="utf-8",
    )
    return f"{sys.executable} {script}"


def asked(folder: Path) -> list[str]:
    """What the model was asked."""
    return [json.loads(line) for line in (folder / "asked.jsonl").read_text(encoding="utf-8").splitlines()]
