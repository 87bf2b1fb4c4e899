"""`mem model list|use|add|test`."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from memcli.cli.options import group
from memcli.cli.terminal import CYAN, DIM, GREEN, Terminal
from memcli.errors import MissingPart, UsageError, VaultError
from memcli.index import download, model_check, models
from memcli.index.embed import Embedder
from memcli.index.models import Model
from memcli.text.clean import one_line
from memcli.vault import yaml_edit
from memcli.vault.layout import CONFIG
from memcli.vault.write import write

app = typer.Typer(rich_markup_mode=None)
model = group(
    app, "model", "Choose the model that finds by meaning.",
    "mem model list",
    "mem model use paraphrase-multilingual-MiniLM-L12-v2",
    "mem model add ~/models/minilm --name minilm",
)  # fmt: skip
NONE = "none"


@model.command(
    "list",
    epilog="""\b
Examples:
  mem model list
  mem model list --json | jq '.[] | select(.ready)'
""",
)
def list_(
    ctx: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show the models there are: their languages, their size, and which one is in use."""
    terminal: Terminal = ctx.obj
    try:
        used = terminal.vault().settings.index.model
    except VaultError:  # models belong to the machine
        used = ""
    listed = models.known(terminal.environ)
    here = {each.name: models.ready(each, terminal.environ) for each in listed}
    if as_json:
        terminal.json([{**asdict(m), "ready": here[m.name], "used": m.name == used} for m in listed])
        return
    rows = []
    for each in listed:
        state = "in use" if each.name == used else "here" if here[each.name] else ""
        state += ", not here" if each.name == used and not here[each.name] else ""
        rows.append([each.name, ",".join(each.languages) or "?", f"{each.size_mb} MB", f"{each.dim} numbers", state])
    terminal.table(rows, (CYAN, GREEN, "", DIM, ""))


@model.command(
    epilog="""\b
Examples:
  mem model use bge-small-zh-v1.5
  mem model use none
""",
)
def use(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A model of mem model list; none for words only.")],
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Choose a model for this vault, fetching it first when it is not here: the only command that asks the network."""
    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    chosen = None if name == NONE else models.find(name, terminal.environ)
    if chosen and not models.ready(chosen, terminal.environ):
        terminal.tell(f"fetching {chosen.name}, {chosen.size_mb} MB")
        last = time.monotonic()

        def tell(megabytes: int) -> None:
            nonlocal last
            if time.monotonic() - last >= 1:
                last = time.monotonic()
                terminal.tell(f"{megabytes} of {chosen.size_mb} MB" if chosen else "")

        download.fetch(chosen, terminal.environ, tell)
    set_to = chosen.name if chosen else ""
    write(vault, "config", [(CONFIG, lambda text: yaml_edit.with_value(text, CONFIG, ["index", "model"], set_to))])
    if as_json:
        terminal.json({"schema": 1, "model": asdict(chosen) if chosen else None})
    elif chosen:
        terminal.out(f"{chosen.name} is used from now on; mem index embeds your memories with it")
    else:
        terminal.out("words only from now on")


@model.command(
    epilog="""\b
Examples:
  mem model add ~/models/minilm
  mem model add ~/models/e5 --query-prefix "query: " --passage-prefix "passage: "
""",
)
def add(
    ctx: typer.Context,
    folder: Annotated[str, typer.Argument(metavar="PATH", help="A folder with a model as ONNX and its tokenizer.")],
    name: Annotated[str, typer.Option("--name", help="What to call it; else as the folder.")] = "",
    pooling: Annotated[
        str, typer.Option("--pooling", help="mean, cls, last or none; else as the folder says, or mean.")
    ] = "",
    query_prefix: Annotated[str, typer.Option("--query-prefix", metavar="TEXT", help="Put before questions.")] = "",
    passage_prefix: Annotated[str, typer.Option("--passage-prefix", metavar="TEXT", help="Put before memories.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Make a model from your disk known on this machine, for all your vaults. It is tried, and needs no network."""
    terminal: Terminal = ctx.obj
    if pooling not in ("", "mean", "cls", "last", "none"):
        raise UsageError(f"--pooling {pooling}: one of mean, cls, last, none")
    added = download.register(
        terminal.here / Path(folder).expanduser(), terminal.environ, name, pooling, query_prefix, passage_prefix
    )
    if as_json:
        terminal.json({"schema": 1, **asdict(added)})
        return
    speaks = " and ".join(added.languages) or "neither en nor zh"
    terminal.out(f"{one_line(added.name)}: {added.dim} numbers a text, {added.pooling} pooling, understands {speaks}")
    terminal.tell(f"mem model use {one_line(added.name)} chooses it for this vault")


@model.command(
    epilog="""\b
Examples:
  mem model test
  mem model test bge-small-zh-v1.5 --json
""",
)
def test(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A model; else the one in use.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Try a model: how fast it is here, and how well it tells related sentences from others, by language."""
    terminal: Terminal = ctx.obj
    found: Model | None = models.find(name, terminal.environ) if name else models.asked(terminal.vault())
    if found is None:
        raise MissingPart("no model is in use", "mem model list shows the choice, mem model use NAME chooses")
    embedder = Embedder(found, terminal.environ)
    embedder.load()
    hits = {language: model_check.hits(embedder, language) for language in model_check.PAIRS}
    texts = [f"{one} {two}" for pairs in model_check.PAIRS.values() for one, two in pairs] * 8
    began = time.perf_counter()
    embedder.passages(texts)
    speed = len(texts) / (time.perf_counter() - began)
    if as_json:
        terminal.json({"schema": 1, "model": asdict(found), "texts_per_second": round(speed), "related": hits})
        return
    rows = [["model", one_line(found.name)], ["numbers a text", str(found.dim)], ["texts a second", f"{speed:.0f}"]]
    for language, share in hits.items():
        verdict = "understands it" if share >= model_check.ENOUGH else "does not understand it"
        rows.append([f"related in {language}", f"{share:.0%} found their paraphrase: {verdict}"])
    terminal.table(rows, (DIM, ""))
