"""Install models from a folder of the user's or from the hub. Only `fetch` uses the network."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from memcli import system
from memcli.errors import MissingPart, UsageError
from memcli.http import is_local
from memcli.index import model_check, models
from memcli.index.embed import Embedder, load_model
from memcli.index.models import Model
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.text.digest import digest

HUB = "https://huggingface.co"
STALL, CONNECT = 30.0, 8.0  # seconds without a byte, and without a connection, after which a download is given up
_POOLED = {"pooling_mode_cls_token": "cls", "pooling_mode_lasttoken": "last", "pooling_mode_mean_tokens": "mean"}
_USUAL = ("model.onnx", "onnx/model.onnx")

_BESIDE = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")  # files of every model


def register(
    folder: Path, environ: Mapping[str, str], name: str = "", pooling: str = "", query: str = "", passage: str = ""
) -> Model:
    """Try a folder with an ONNX model and its tokenizer, register it on this machine and return the model."""
    folder = Path(os.path.expanduser(folder)).absolute()
    if not folder.is_dir():
        raise UsageError("{root} is not a folder", "it should hold a model as ONNX and a tokenizer.json", root=folder)
    name = name or folder.name
    if any(name.lower() in (each.name.lower(), each.hub.lower()) for each in models.CATALOGUE):
        raise UsageError("{name} is the name of a built-in model", "--name gives it another", name=name)
    file = _onnx(folder)
    for needed in ("tokenizer.json", "tokenizer_config.json"):
        if not (folder / needed).is_file():
            raise MissingPart(
                Message("{folder} has no {name}", folder=folder, name=needed),
                "it comes with the model; copy it beside the .onnx file",
            )
    mark = digest((folder / file).read_bytes(), 12)
    size = (folder / file).stat().st_size // 2**20
    model = Model(name, (), 1, size, file, "", str(folder), pooling or _pooling(folder), True, query, passage, mark)
    model = _measured(model, folder)
    model = replace(model, languages=model_check.languages(Embedder(model, environ)))
    models.register_model(model, environ)
    return model


def fetch(model: Model, environ: Mapping[str, str], tell: Callable[[int], None] | None = None) -> None:
    """Download a built-in model, try it, and only then move it to its place.

    `tell` is called with the megabytes so far.
    """
    if models.is_ready(model, environ):
        return
    if not model.hub:
        models.model_folder(model, environ)  # raises, as the folder is gone
    home = models.models_folder(environ)
    part = home / f".{model.name}.part"
    shutil.rmtree(part, ignore_errors=True)  # remains of an earlier attempt must not spoil this one
    part.mkdir(parents=True)
    try:
        _download(model, part, environ, tell)
        (part / "ready.json").write_text(json.dumps({"fingerprint": model.fingerprint}), encoding="utf-8")
        if (dim := _measured(model, part).dim) != model.dim:
            raise MissingPart(
                "{name} gives {n} numbers a text, not {expected}",
                "try again, or another model",
                name=model.name,
                n=dim,
                expected=model.dim,
            )
        shutil.rmtree(home / model.name, ignore_errors=True)
        system.replace(part, home / model.name)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _download(model: Model, part: Path, environ: Mapping[str, str], tell: Callable[[int], None] | None) -> None:
    """Download the files of a model to `part`, from the hub or the mirror of it that `HF_ENDPOINT` names."""
    import httpx  # takes a tenth of a second to load

    hub, size = environ.get("HF_ENDPOINT") or HUB, 0
    hint = "it needs the network once; mem model add FOLDER takes a model that is on this disk already"
    timeout = httpx.Timeout(STALL, connect=CONNECT)
    try:
        with httpx.Client(timeout=timeout, follow_redirects=True, trust_env=not is_local(hub)) as client:
            for name in (model.file, *_BESIDE):
                with client.stream("GET", f"{hub}/{model.repository or model.hub}/resolve/main/{name}") as answer:
                    if answer.status_code == 404 and name != model.file:  # the trial shows whether it is needed
                        continue
                    answer.raise_for_status()
                    (part / name).parent.mkdir(exist_ok=True)
                    with (part / name).open("wb") as file:
                        for piece in answer.iter_bytes(2**16):
                            size += file.write(piece)
                            if tell:
                                tell(size // 2**20)
    except httpx.ReadTimeout:
        raise MissingPart(
            "{name} can't be fetched: nothing came for {n} s", hint, name=model.name, n=f"{STALL:.0f}"
        ) from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        why = re.sub(r"^\[Errno -?\d+\] ", "", one_line(str(error), 200)) or type(error).__name__
        raise MissingPart("{name} can't be fetched: {WHY}", hint, name=model.name, WHY=why) from None


def _measured(model: Model, folder: Path) -> Model:
    """Return the model with the pooling that its output needs and the dimension that it has."""
    probe = load_model(model, folder)
    try:
        found = replace(model, dim=len(probe.vector("a word")))
    except Exception as error:
        raise MissingPart(
            "the model in {place} can't embed a text: {WHY}", "another one may", place=folder, WHY=str(error)[:200]
        ) from error
    return replace(found, pooling="none") if probe.pools else found


def _onnx(folder: Path) -> str:
    found = sorted(path.relative_to(folder).as_posix() for path in folder.glob("**/*.onnx"))
    usual = [name for name in _USUAL if name in found]
    if not found:
        raise MissingPart("{place} has no .onnx file", "a model is exported with optimum-cli export onnx", place=folder)
    if len(found) > 1 and not usual:
        raise UsageError(
            "{place} has several models: {names}",
            "keep one of them, or call one model.onnx",
            place=folder,
            names=", ".join(found),
        )
    return usual[0] if usual else found[0]


def _pooling(folder: Path) -> str:
    """Return the pooling that the model's own config names, or "mean" when it names none."""
    try:
        config = json.loads((folder / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
        return next((name for key, name in _POOLED.items() if config.get(key)), "mean")
    except (OSError, ValueError, AttributeError):
        return "mean"
