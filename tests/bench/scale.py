"""What a chunk costs, stage by stage, in processor time and bytes: the figures that docs/scale.md counts with."""

from __future__ import annotations

import argparse
import json
import pickle
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from memcli.features.knowledge import cut, intake, read
from memcli.features.knowledge.cli import _redact
from memcli.features.knowledge.documents import FilePart, KnowledgeDocument, PieceRow, rows_of
from memcli.features.knowledge.store import DocumentTable
from memcli.index import store as tables
from memcli.index.embed import Embedder
from memcli.index.models import Model
from memcli.vault.vault import open_vault
from tests.features.knowledge.pdfs import pdf

BATCH = 4000
_HAN = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经"


class Words:
    """Invented words with the frequencies of a language: the n-th is used 1/n as often as the first."""

    def __init__(self, number: int = 50_000) -> None:
        self.random = random.Random(7)
        made = (
            "".join(self.random.choice("bcdfghklmnprst") + self.random.choice("aeiou") for _ in range(2 + n % 3))
            for n in range(number)
        )
        self.all = ["the", "of", "and", "to", "in", "is", "that", "for", "it", "as", *made]
        self.weights = np.cumsum(1 / np.arange(1, len(self.all) + 1)).tolist()

    def sentence(self, chinese: bool) -> str:
        if chinese:
            return "".join(self.random.choices(_HAN, k=self.random.randint(10, 30))) + "。"
        words = self.random.choices(self.all, cum_weights=self.weights, k=self.random.randint(8, 22))
        return " ".join(words).capitalize() + ". "

    def document(self, sections: int, chinese: bool) -> str:
        parts = [f"---\ntitle: {self.sentence(chinese)[:40].strip()}\ntags: [a, b]\ndate: 2025-01-02\n---\n"]
        for n in range(sections):
            said = "".join(self.sentence(chinese) for _ in range(14))
            parts.append(f"{'#' if n == 0 else '##'} {self.sentence(chinese)[:30].strip()}\n\n{said}\n\n")
        return "".join(parts)


def processor() -> float:
    """Seconds of all threads of this process and of the ones it started and waited for."""
    told = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in told)


@contextmanager
def stage(name: str, chunks: int, rest: str = "") -> Iterator[None]:
    began = processor()
    yield
    spent = processor() - began
    print(f"| {name} | {spent / chunks * 1e6:,.0f} | {chunks:,} | {rest} |", flush=True)


def size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())


def documents(folder: Path) -> list[KnowledgeDocument]:
    found = [
        each for part in read.list_parts(folder) if isinstance(part, FilePart) for each in read.read_documents(part)
    ]
    assert all(isinstance(each, KnowledgeDocument) for each in found)
    return [each for each in found if isinstance(each, KnowledgeDocument)]


def kinds(folder: Path, words: Words) -> None:
    """Extraction, by kind of file."""
    texts = [words.document(10, False) for _ in range(60)]
    for kind in ("html", "pdf", "jsonl"):
        (folder / kind).mkdir()
    for n, text in enumerate(texts):
        body = "".join(f"<h2>{p[3:]}</h2>" if p.startswith("#") else f"<p>{p}</p>" for p in text.split("\n\n")[1:])
        menu = "<nav><ul>" + "<li><a href='/x'>Entry</a></li>" * 30 + "</ul></nav>"
        page = f"<html><head><title>T</title></head><body>{menu}<main>{body}</main></body></html>"
        (folder / "html" / f"{n}.html").write_text(page, encoding="utf-8")
        lines = [text[at : at + 90].replace("\n", " ") for at in range(0, len(text), 90)]
        pages = ["\n".join(lines[at : at + 50]) for at in range(0, len(lines), 50)]
        (folder / "pdf" / f"{n}.pdf").write_bytes(pdf(pages))
    record = {"abstract": text[200:1400], "authors": "A. One and B. Two", "categories": "cs.CL", "title": "T" * 60}
    lines = [json.dumps({**record, "id": f"2301.{n:05d}", "update_date": "2025-01-02"}) for n in range(3000)]
    (folder / "jsonl" / "arxiv.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for kind in ("html", "pdf", "jsonl"):
        some = documents(folder / kind)  # once before: the library is loaded
        chunks = sum(len(cut.cut_pieces(each)) for each in some)
        with stage(f"read {kind}", chunks, f"{len(some)} documents, {size(folder / kind) / chunks:,.0f} bytes a chunk"):
            documents(folder / kind)


def timed(ask: Callable[[int], Any], times: int = 40) -> str:
    ask(0)
    taken = []
    for n in range(times):
        began = time.perf_counter()
        ask(n)
        taken.append((time.perf_counter() - began) * 1000)
    return f"{statistics.median(taken):.1f} ms (slowest of {times}: {max(taken):.1f})"


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--documents", type=int, default=10_000)
    given.add_argument("--dim", type=int, default=384)
    given.add_argument("--model", type=Path, help="folder of an ONNX model, for the cost of embedding")
    said = given.parse_args()
    words = Words()
    print("| stage | µs of processor a chunk | chunks | |\n| --- | ---: | ---: | --- |")
    with tempfile.TemporaryDirectory() as place:
        top = Path(place)
        kinds(top, words)
        (top / "md").mkdir()
        for n in range(said.documents):
            (top / "md" / f"{n}.md").write_text(words.document(10, n % 3 == 2), encoding="utf-8")
        texts = size(top / "md")
        documents(top / "jsonl")
        began = processor()
        found = documents(top / "md")
        spent = processor() - began
        began = processor()
        pieces = [cut.cut_pieces(each) for each in found]
        cutting = processor() - began
        chunks = sum(map(len, pieces))
        tell = (
            f"{texts / chunks:,.0f} bytes, about {sum(p.tokens for s in pieces for p in s) / chunks:.0f} tokens a chunk"
        )
        print(f"| read markdown | {spent / chunks * 1e6:,.0f} | {chunks:,} | {tell} |")
        print(f"| cut | {cutting / chunks * 1e6:,.0f} | {chunks:,} | |")
        with stage("rows and ids", chunks):
            made: list[PieceRow] = [
                row for each, some in zip(found, pieces, strict=True) for row in rows_of(each, some, "2026-11-21T12:00")
            ]
        redact = _redact(open_vault(top, datetime.now, {}))
        intake.redact_document(found[0], redact)
        with stage("look for secrets", chunks):
            for each in found:
                intake.redact_document(each, redact)
        with stage("to another worker and back", chunks):
            pickle.loads(pickle.dumps(made))
        if said.model:
            embedding(said.model, said.dim, made)
        measured(top, made, said.dim)


def embedding(folder: Path, dim: int, made: list[PieceRow]) -> None:
    file = next(folder.glob("*.onnx")).name
    embedder = Embedder(Model("measured", ("en",), dim, 0, file, folder=str(folder)), {})
    some = [row.text for row in made if row.lang == "en"][:256]
    embedder.passages(some[:8])
    with stage("embed", len(some), f"{file}, {dim} numbers"):
        embedder.passages(some)


def measured(top: Path, made: list[PieceRow], dim: int) -> None:
    """Writing, indexes, bytes and answers of the table itself."""
    chunks = len(made)
    held: list[bytes | None] = [None] * chunks
    if dim:  # around 200 centres: nearer to one another than texts are, so the harder case
        rng = np.random.default_rng(7)
        centres = rng.standard_normal((200, dim)).astype(np.float32)
        spread = centres[rng.integers(0, 200, chunks)] + rng.standard_normal((chunks, dim)).astype(np.float32)
        vectors = spread.astype(np.float16)
        held = [each.tobytes() for each in vectors]
    base = top / "shelf"
    store = DocumentTable(tables.Address(str(base), (), base), tables.TableOptions(dim, "measured", "print"))
    table = store._table
    with stage("write", chunks, f"{BATCH} rows a commit"):
        for at in range(0, chunks, BATCH):
            table.add(tables.arrow(store.schema, made[at : at + BATCH], held[at : at + BATCH]))
    print(f"| (rows on disk) | | {chunks:,} | {size(base) / chunks:,.0f} bytes a chunk |")

    def built(name: str, column: str, kind: Any) -> None:
        before = {each for each in base.rglob("*") if each.is_file()}
        began = processor()
        table.create_index(column, config=kind, replace=True)
        spent = processor() - began
        new = sum(each.stat().st_size for each in base.rglob("*") if each.is_file() and each not in before)
        print(f"| {name} | {spent / chunks * 1e6:,.0f} | {chunks:,} | {new / chunks:,.0f} bytes a chunk |", flush=True)

    from lancedb.index import BTree, IvfRq, IvfSq

    built("index of words", "text", tables.indexes(DocumentTable.kind)["text"])
    rare = [" ".join(row.text.split()[-7:-4]) for row in made if row.lang == "en"][:: max(1, chunks // 80)]
    usual = ["the of tea", "and to kilo", "的水 人们"]
    print(f"| (three words asked) | | | {timed(lambda n: store.words(rare[n % len(rare)], 20))} |", flush=True)
    print(f"| (usual words asked) | | | {timed(lambda n: store.words(usual[n % 3], 20))} |", flush=True)
    built("index of documents", "doc", BTree())
    if not dim:
        return

    def nearest(vector: Any, most: int, refine: int = 0) -> Any:
        found = table.search(vector).distance_type("cosine").limit(most).select(["id", "_distance"])
        return (found.nprobes(tables.PROBES).refine_factor(refine) if refine else found.bypass_vector_index()).to_list()

    truth = [{each["id"] for each in nearest(vector, 10)} for vector in vectors[:40]]
    for name, kind, refines in (("IVF_SQ", IvfSq, (3,)), ("IVF_RQ", IvfRq, (3, 20, 100))):
        built(f"index of vectors, {name}", "vector", kind(distance_type="cosine"))
        for refine in refines:
            found = [{each["id"] for each in nearest(vector, 10, refine)} for vector in vectors[:40]]
            right = sum(len(a & b) for a, b in zip(found, truth, strict=True)) / 400
            taken = timed(lambda n, refine=refine: nearest(vectors[n * 7], 20, refine))
            print(f"| (asked, refined {refine} times) | | | {taken}, {right:.0%} of the nearest ten |", flush=True)


if __name__ == "__main__":
    main()
