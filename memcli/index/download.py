"""Install models from a folder of the user's or from the hub. Only `fetch` uses the network."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from memcli import system
from memcli.errors import MissingPart, UsageError
from memcli.extras import how_to_install
from memcli.index import model_check, models
from memcli.index.embed import Embedder, load_model
from memcli.index.models import Model
from memcli.message import Message
from memcli.text.digest import digest
from memcli.vault import cache_files

STALL = 30.0  # seconds without a byte after which a download is given up
POLL = 0.5
_POOLED = {"pooling_mode_cls_token": "cls", "pooling_mode_lasttoken": "last", "pooling_mode_mean_tokens": "mean"}
_USUAL = ("model.onnx", "onnx/model.onnx")

# The hub is asked once with a time limit, because the download alone would retry for minutes.
_FETCH = """
import json, sys
from pathlib import Path
repository, home, answer, *wanted = sys.argv[1:]
try:
    from huggingface_hub import model_info, snapshot_download
    model_info(repository, timeout=8)
    found = snapshot_download(repository, cache_dir=home, allow_patterns=wanted)
    said = {"folder": str(Path(found).relative_to(home))}
except Exception as error:
    why = getattr(error, "strerror", None) or str(error)
    said = {"error": (why.strip().splitlines() or [type(error).__name__])[0][:200]}
Path(answer).write_text(json.dumps(said), encoding="utf-8")
"""
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
        folder = _download(model, part, environ, tell)
        stamp = {"fingerprint": model.fingerprint, "folder": folder}
        (part / "ready.json").write_text(json.dumps(stamp), encoding="utf-8")
        if not (part / folder / model.file).is_file():
            raise MissingPart("the download of {name} has no {file}", "try again", name=model.name, file=model.file)
        if (dim := _measured(model, part / folder).dim) != model.dim:
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


def _download(model: Model, part: Path, environ: Mapping[str, str], tell: Callable[[int], None] | None) -> str:
    """Download in a separate process, which can be ended when nothing arrives; return the model's folder in `part`."""
    if not find_spec("huggingface_hub"):  # it comes with fastembed
        raise MissingPart("{library} is missing, which this needs", how_to_install("fastembed"), library="fastembed")
    answer = part / "answer.json"
    quiet = {
        "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1", "HF_HUB_DISABLE_SHARED_BLOBS": "1",
        "HF_HUB_ETAG_TIMEOUT": "8", "HF_HUB_DOWNLOAD_TIMEOUT": "15",
    }  # fmt: skip
    child = subprocess.Popen(
        [sys.executable, "-c", _FETCH, model.repository or model.hub, str(part), str(answer), model.file, *_BESIDE],
        env={**environ, **quiet}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        # Python imports from the folder it starts in, and that may be a stranger's vault
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    hint = "it needs the network once; mem model add FOLDER takes a model that is on this disk already"
    try:
        still, size = 0.0, 0
        while True:
            try:
                child.wait(POLL)
                break
            except subprocess.TimeoutExpired:
                now = cache_files.size(part)
                still = 0.0 if now > size else still + POLL
                size = now
                if tell:
                    tell(size // 2**20)
                if still >= STALL:
                    raise MissingPart(
                        "{name} can't be fetched: nothing came for {n} s", hint, name=model.name, n=f"{STALL:.0f}"
                    ) from None
    finally:
        child.kill()
        child.wait()
    try:
        answered: dict[str, str] = json.loads(answer.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        answered = {"error": Message("the download ended with {n}", n=child.returncode)}
    if "folder" not in answered:
        why = re.sub(r"^\[Errno -?\d+\] ", "", answered.get("error", ""))
        raise MissingPart("{name} can't be fetched: {WHY}", hint, name=model.name, WHY=why)
    return answered["folder"]


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
