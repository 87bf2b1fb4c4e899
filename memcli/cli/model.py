"""Define `mem model list|use|add|test`. `mem model test llm` asks the language model."""

from __future__ import annotations

import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from memcli.cli.command import Result, Table, command
from memcli.cli.looks import CYAN, DIM, GREEN
from memcli.cli.terminal import Terminal
from memcli.errors import MemError, MissingPart, UsageError, VaultError
from memcli.index import download, model_check, models
from memcli.index.embed import Embedder
from memcli.index.models import Model
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault import yaml_edit
from memcli.vault.layout import CONFIG
from memcli.vault.vault import Vault
from memcli.vault.write import write_vault

NONE = "none"
LANGUAGE_MODEL = "llm"

_QUESTION = "What colour is the sky on a clear day? Answer in one word."
_SHAPE = {"type": "object", "properties": {"colour": {"type": "string", "maxLength": 60}}, "required": ["colour"]}


@command("model list", "mem model list", "mem model list --json | jq '.models[] | select(.ready)'")
def list_(terminal: Terminal) -> Result:
    """Show the models for search by meaning: their languages, size and licence, and which one is in use."""
    try:
        used = terminal.vault().settings.index.model
    except VaultError:  # models belong to the machine, so no vault is needed
        used = ""
    listed = models.list_models(terminal.environ)
    here = {model.name: models.is_ready(model, terminal.environ) for model in listed}
    rows = []
    for model in listed:
        state = "here" if here[model.name] else ""
        if model.name == used:
            state = "in use" if here[model.name] else "in use, not here"
        languages = ",".join(model.languages) or "?"
        numbers, state = terminal.translate("{n} numbers", n=model.dim), terminal.translate(state)
        rows.append([model.name, languages, f"{model.size_mb} MB", numbers, model.licence, state])
    data = [{**asdict(model), "ready": here[model.name], "used": model.name == used} for model in listed]
    return Result({"models": data}, Table(rows, (CYAN, GREEN, "", DIM, DIM, "")))


@command("model use", "mem model use bge-small-zh-v1.5", "mem model use none")
def use(
    terminal: Terminal,
    name: Annotated[str, "NAME", "A model of mem model list; none for words only."],
    /,
) -> Result:
    """Choose a model for this vault. If it is not here it is downloaded: no other command does that."""
    vault = terminal.vault()
    chosen = None if name == NONE else models.find_model(name, terminal.environ)
    _choose(terminal, vault, chosen)
    if chosen:
        text = Message("{name} is used from now on; mem index embeds your memories with it", name=chosen.name)
        return Result({"model": asdict(chosen)}, terminal.translate(text))
    return Result({"model": None}, terminal.translate("words only from now on"))


def _choose(terminal: Terminal, vault: Vault, chosen: Model | None) -> None:
    """Write the choice to the vault's settings, once the model is here."""
    if chosen and not models.is_ready(chosen, terminal.environ):
        _download(terminal, chosen)
    new = chosen.name if chosen else ""
    write_vault(vault, "config", [(CONFIG, lambda text: yaml_edit.with_value(text, CONFIG, ["index", "model"], new))])


def offer(terminal: Terminal, vault: Vault) -> None:
    """Ask once whether a new vault should find notes by meaning: with the model that is here, else with a small one."""
    if vault.settings.index.model:
        return
    model = models.suggest_model(terminal.environ)
    terminal.tell(
        "{name} ({licence}, {n} MB) finds notes in other words, on this machine alone.",
        name=model.name,
        licence=model.licence,
        n=model.size_mb,
    )
    ready = models.is_ready(model, terminal.environ)
    if not terminal.confirm("Use it?" if ready else "Download and use it?", False):
        return
    try:
        _choose(terminal, vault, model)
        terminal.tell("mem index embeds your notes with it")
    except MemError as error:  # a failure of the model must not fail the new vault
        terminal.tell(f"{terminal.translate(error.message)}{terminal.speech.semicolon}{terminal.translate(error.hint)}")


def _download(terminal: Terminal, model: Model) -> None:
    if model.hub:  # others come as a package
        terminal.tell("fetching {name}, {n} MB", name=model.name, n=model.size_mb)
    last = time.monotonic()

    def tell(megabytes: int) -> None:
        nonlocal last
        if time.monotonic() - last >= 1:
            last = time.monotonic()
            terminal.tell("{done} of {total} MB", done=megabytes, total=model.size_mb)

    download.fetch(model, terminal.environ, tell)


@command(
    "model add",
    "mem model add ~/models/minilm",
    'mem model add ~/models/e5 --query-prefix "query: " --passage-prefix "passage: "',
)
def add(
    terminal: Terminal,
    folder: Annotated[str, "PATH", "A folder with a model as ONNX and its tokenizer."],
    /,
    name: Annotated[str, "What to call it; else as the folder."] = "",
    pooling: Annotated[str, "mean, cls, last or none; else as the folder says, or mean."] = "",
    query_prefix: Annotated[str, "TEXT", "Put before questions."] = "",
    passage_prefix: Annotated[str, "TEXT", "Put before memories."] = "",
) -> Result:
    """Make a model from your disk known on this machine, for all your vaults. It is tried, and needs no network."""
    if pooling not in ("", "mean", "cls", "last", "none"):
        raise UsageError("--pooling {value}: one of mean, cls, last, none", value=pooling)
    place = terminal.here / Path(os.path.expanduser(folder))
    model = download.register(place, terminal.environ, name, pooling, query_prefix, passage_prefix)
    speaks = " and ".join(model.languages) or "neither en nor zh"
    made = Message(
        "{name}: {n} numbers a text, {pooling} pooling, understands {LANGUAGES}",
        name=one_line(model.name),
        n=model.dim,
        pooling=model.pooling,
        LANGUAGES=speaks,
    )
    return Result(
        asdict(model),
        terminal.translate(made),
        Message("mem model use {name} chooses it for this vault", name=one_line(model.name)),
    )


@command("model test", "mem model test", "mem model test bge-small-zh-v1.5 --json", "mem model test llm")
def test(
    terminal: Terminal,
    name: Annotated[str, "[NAME]", "A model; else the one in use; llm is the language model."] = "",
    /,
) -> Result:
    """Try a model: how fast it is here, and whether it can tell related sentences from others, in each language.

    The language model is asked one question, as mem asks it: nothing of yours is sent. Exit 5 when it does not answer.
    """
    if name == LANGUAGE_MODEL:
        return _test_language_model(terminal)
    model = models.find_model(name, terminal.environ) if name else models.named_model(terminal.vault())
    if model is None:
        raise MissingPart("no model is in use", "mem model list shows the choice, mem model use NAME chooses")
    embedder = Embedder(model, terminal.environ)
    embedder.load()
    hits = {language: model_check.hits(embedder, language) for language in model_check.PAIRS}
    texts = [f"{one} {two}" for pairs in model_check.PAIRS.values() for one, two in pairs] * 8
    began = time.perf_counter()
    embedder.passages(texts)
    speed = len(texts) / (time.perf_counter() - began)
    rows = [["model", one_line(model.name)], ["numbers a text", str(model.dim)], ["texts a second", f"{speed:.0f}"]]
    for language, share in hits.items():
        verdict = "understands it" if share >= model_check.ENOUGH else "does not understand it"
        message = Message("{share} found their paraphrase: {VERDICT}", share=f"{share:.0%}", VERDICT=verdict)
        rows.append([Message("related in {language}", language=language), message])
    data = {"model": asdict(model), "texts_per_second": round(speed), "related": hits}
    return Result(data, Table([list(map(terminal.translate, row)) for row in rows], (DIM, "")))


def _test_language_model(terminal: Terminal) -> Result:
    from memcli import llm

    vault = terminal.vault()
    way = llm.chosen_target(vault)
    if not terminal.as_json:
        terminal.tell(terminal.paint(terminal.translate("asking {name} …", name=way), DIM))
    answer = llm.ask(vault, _QUESTION, redact=lambda text: (text, []), schema=_SHAPE)
    rows = [["model", str(way)]]
    if way.url:
        rows += [["key", terminal.translate("sent" if way.key else "none")]]
    rows += [["said", answer.data["colour"]], ["time", f"{answer.seconds:.1f} s"]]
    return Result(
        {"model": str(way), "key": bool(way.key), **asdict(answer)},
        Table([[terminal.translate(name), fact] for name, fact in rows], (DIM, "")),
    )
