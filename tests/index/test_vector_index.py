"""The vectors grows when it has to, and only then."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from memcli.index.catalog import FileVectors
from memcli.index.embed import Embedder
from memcli.index.models import Model
from memcli.index.vector_index import VectorIndex


def known(path: str, number: int) -> FileVectors:
    names = [f"{path}-{at}" for at in range(number)]
    return FileVectors(path, names, np.ones((number, 4), np.float16).tobytes())


def test_a_file_that_grows_by_a_line_does_not_have_all_vectors_copied(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").touch()
    vectors = VectorIndex(Embedder(Model("m", ("en",), 4, 1, "m.onnx", folder=str(tmp_path)), {}))
    vectors.fill([known("a.md", 2000)])
    vectors.set_vectors("b.md", ["one"], np.ones((1, 4), np.float32))
    kept = vectors._vectors
    for number in range(2, 20):
        vectors.drop("b.md")
        vectors.fill([known("b.md", number)])
    assert vectors._vectors is kept and len(vectors) == 2019


def test_latin_with_accents_is_read_and_other_scripts_are_not() -> None:
    model = Model("m", ("en",), 4, 1, "m.onnx")
    assert all(map(model.reads, ("it’s Anna’s", "a café – “quoted”", "plain")))
    assert not any(map(model.reads, ("книга", "缓存 cache", "本")))


def test_a_sentence_of_a_long_question_may_lead_where_the_whole_does_not(model: Model) -> None:
    embedder = Embedder(model, dict(os.environ))
    vectors = VectorIndex(embedder)
    texts = ["puppy", "budget tea"]
    vectors.set_vectors("a.md", texts, embedder.passages(texts))
    apart = ["money money.", "tea tea tea.", "dog."]
    whole, parts = (
        {near.hash: near.likeness for near in vectors.nearest(" ".join(apart), ["a.md"], 2, sentences).found}
        for sentences in ((), apart)
    )
    assert whole["budget tea"] > whole["puppy"] + 0.3
    assert parts["puppy"] > whole["puppy"] + 0.2
