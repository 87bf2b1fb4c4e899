"""A real ONNX model of a few kilobytes: every word has a direction, and words of one meaning share it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from memcli.index.model_check import PAIRS
from memcli.text.words import words

DIM = 32
MEANINGS = (
    ("cache", "redis", "缓", "存"),
    ("holiday", "sabbatical", "假", "期"),
    ("dog", "puppy", "狗"),
    ("tea", "drink", "茶"),
    ("budget", "money", "预", "算"),
)


def build(folder: Path, dim: int = DIM, english: bool = True, pooled: bool = False) -> Path:
    """A model that knows MEANINGS and, with `english`, what the judge's English sentences mean."""
    directions: dict[str, int] = {}
    for number, meaning in enumerate(MEANINGS):
        directions.update(dict.fromkeys(meaning, number))
    if english:
        for number, pair in enumerate(PAIRS["en"]):
            for word in words(" ".join(pair)):
                directions.setdefault(word, len(MEANINGS) + number)
    vocabulary = {"[PAD]": 0, "[UNK]": 1, **{word: at for at, word in enumerate(directions, 2)}}
    table = np.zeros((len(vocabulary), dim), np.float32)
    table[:, -1] = 0.05  # an unknown word points somewhere, too
    for word, direction in directions.items():
        table[vocabulary[word], direction] = 1.0
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 64, "pad_token": "[PAD]"}))
    shape = ["texts", dim] if pooled else ["texts", "tokens", dim]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["rows"])]
    if pooled:
        nodes.append(helper.make_node("ReduceMean", ["rows"], ["out"], axes=[1], keepdims=0))
    else:
        nodes.append(helper.make_node("Identity", ["rows"], ["out"]))
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["texts", "tokens"])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
    return folder
