"""A cross-encoder in a folder puts the evidence in order; without one, or with a broken one, the fused order stands."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from memcli.evidence import Evidence
from memcli.features.ask import rank
from memcli.vault.vault import Vault
from tests.conftest import opened

WEIGHTS = {"gold": 3.0, "silver": 1.0, "mud": -2.0}


def build(folder: Path) -> Path:
    """A real ONNX cross-encoder of a few kilobytes: a pair scores what the words of its second half weigh."""
    vocabulary = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, **{word: at for at, word in enumerate(WEIGHTS, 4)}}
    table = np.zeros(len(vocabulary), np.float32)
    for word, weight in WEIGHTS.items():
        table[vocabulary[word]] = weight
    folder.mkdir(parents=True)
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 64, "pad_token": "[PAD]"}))
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["weights"]),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["weights", "second"], ["counted"]),
        helper.make_node("ReduceSum", ["counted", "axis"], ["out"], keepdims=1),
    ]
    inputs = [
        helper.make_tensor_value_info(n, TensorProto.INT64, ["pairs", "tokens"])
        for n in ("input_ids", "token_type_ids")
    ]
    outputs = [helper.make_tensor_value_info("out", TensorProto.FLOAT, ["pairs", 1])]
    kept = [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array([1], np.int64), "axis")]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, kept)
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(folder / "model.onnx")
    )
    return folder


PASSAGES = [
    Evidence("s", word, "", "", f"some {word} was found", score=1 - at / 10)
    for at, word in enumerate(("mud", "silver", "gold"))
]


def order(vault: Vault, most: int = 10) -> tuple[list[str], bool]:
    found, done = rank.rerank(vault, "what was found", PASSAGES, most)
    return [each.id for each in found], done


def test_the_model_decides_the_order(folder: Path, tmp_path: Path) -> None:
    vault = opened(folder, deep__reranker=str(build(tmp_path / "model")))
    assert order(vault) == (["gold", "silver", "mud"], True)
    scores = [each.score for each in rank.rerank(vault, "what was found", PASSAGES, 10)[0]]
    assert all(0 <= score <= 1 for score in scores) and scores[0] > 0.9 > 0.5 > scores[-1]


def test_without_a_model_the_fused_order_stands(vault: Vault) -> None:
    assert order(vault) == (["mud", "silver", "gold"], False)


@pytest.mark.parametrize("broken", ["nothing", "model", "tokenizer"])
def test_a_model_that_is_not_there_or_broken_is_said_and_costs_nothing_else(
    folder: Path, tmp_path: Path, broken: str
) -> None:
    place = tmp_path / "gone" if broken == "nothing" else build(tmp_path / "model")
    if broken == "model":
        (place / "model.onnx").write_bytes(b"no model")
    elif broken == "tokenizer":
        (place / "tokenizer.json").unlink()
    vault = opened(folder, deep__reranker=str(place))
    assert order(vault) == (["mud", "silver", "gold"], False)
    assert vault.notices and vault.notices[0].startswith("not reranked: ")


def test_a_vault_from_a_stranger_loads_no_model(folder: Path, tmp_path: Path) -> None:
    (folder / "mem.yaml").write_text(f"deep: {{reranker: {build(tmp_path / 'model')}}}\n", encoding="utf-8")
    vault = opened(folder)
    assert order(vault)[1] is False and "ignored deep.reranker" in vault.notices[0]
