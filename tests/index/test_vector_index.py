"""Vectors are kept by file, and compared over all files that are asked for."""

from __future__ import annotations

import os

from memcli.index.catalog import FileVectors
from memcli.index.embed import Embedder
from memcli.index.models import Model
from memcli.index.vector_index import VectorIndex


def test_a_file_that_changed_answers_with_its_new_vectors_alone(model: Model) -> None:
    embedder = Embedder(model, dict(os.environ))
    vectors, paths = VectorIndex(embedder), ["a.md", "b.md"]

    def fill(path: str, *texts: str) -> None:
        vectors.fill([FileVectors(path, list(texts), embedder.passages(texts).astype("float16").tobytes())])

    fill("a.md", "puppy")
    fill("b.md", "budget", "tea")
    assert len(vectors) == 3 and vectors.nearest("tea", paths, 1).found[0].path == "b.md"
    vectors.drop("b.md")
    assert [near.hash for near in vectors.nearest("tea", paths, 9).found] == ["puppy"]
    fill("b.md", "tea")
    assert len(vectors) == 2 and not vectors.holds("b.md", "budget")
    assert vectors.nearest("tea", paths, 1).found[0].hash == "tea"


def test_latin_with_accents_is_read_and_other_scripts_are_not() -> None:
    model = Model("m", ("en",), 4, 1, "m.onnx")
    assert all(map(model.reads, ("it’s Anna’s", "a café – “quoted”", "plain")))
    assert not any(map(model.reads, ("книга", "缓存 cache", "本")))


def test_a_sentence_of_a_long_question_may_lead_where_the_whole_does_not(model: Model) -> None:
    embedder = Embedder(model, dict(os.environ))
    vectors = VectorIndex(embedder)
    texts = ["puppy", "budget tea"]
    vectors.fill([FileVectors("a.md", texts, embedder.passages(texts).astype("float16").tobytes())])
    apart = ["money money.", "tea tea tea.", "dog."]
    whole, parts = (
        {near.hash: near.likeness for near in vectors.nearest(" ".join(apart), ["a.md"], 2, sentences).found}
        for sentences in ((), apart)
    )
    assert whole["budget tea"] > whole["puppy"] + 0.3
    assert parts["puppy"] > whole["puppy"] + 0.2
