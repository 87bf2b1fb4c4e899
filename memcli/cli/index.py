"""`mem index`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from memcli.cli.progress import progress
from memcli.cli.terminal import DIM, GREEN, Terminal
from memcli.errors import CheckFailed, MemError, MissingPart
from memcli.index import models
from memcli.index.embed import Embedder
from memcli.index.memory_table import MemoryHit
from memcli.index.refresh import Refreshed, reader, refresh
from memcli.index.status import check as drift_of
from memcli.text.clean import one_line
from memcli.vault import snapshots
from memcli.vault.vault import Vault

app = typer.Typer(rich_markup_mode=None)
SHOWN = 5


@app.command(
    epilog="""\b
Examples:
  mem index                        read what changed
  mem index --check                compare index and files
  mem index --try "缓存怎么办"        what the index finds by itself
"""
)
def index(
    ctx: typer.Context,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Make it anew; vectors that are known are kept.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Compare index and files; exit 1 when they differ.")] = False,
    attempt: Annotated[
        str, typer.Option("--try", metavar="QUERY", help="Show what the index finds, by words and by meaning.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Bring the index in line with the files: a cache that lets recall find by meaning, and be faster."""
    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    if check:
        _check(terminal, vault, as_json)
        return
    if attempt:
        _attempt(terminal, vault, attempt, as_json)
        return
    with progress(terminal, _embedded) as tell:
        done = refresh(vault, tell=tell, rebuild=rebuild, waiting=lambda busy: terminal.tell(f"{busy}; waiting for it"))
    if as_json:
        terminal.json({"schema": 1, **asdict(done)})
    else:
        parts = [f"{done.changed} file{'s' * (done.changed != 1)} changed", f"{done.removed} gone"]
        parts += [f"{done.rows} entries written"]
        parts += [f"{done.embedded} embedded, {done.known} known"] if done.model else []
        terminal.out(", ".join(parts) if done.changed or done.removed else "nothing changed")
    if vault.settings.index.model and not done.model:
        raise MissingPart("indexed by words only: the model that index.model names is not here", "mem model list")


def _check(terminal: Terminal, vault: Vault, as_json: bool) -> None:
    drift = drift_of(vault)
    if as_json:
        terminal.json({"schema": 1, "clean": drift.clean, **asdict(drift)})
    else:
        for path, number in drift.missing.items():
            terminal.out(f"{one_line(path)}: {number} not in the index")
        for path, number in drift.stale.items():
            terminal.out(f"{one_line(path)}: {number} in the index only")
    if not drift.clean:
        differ = len(drift.missing.keys() | drift.stale.keys())
        raise CheckFailed(f"index and files differ in {differ} file{'s' * (differ != 1)}", "mem index")
    if not as_json:
        terminal.out("index and files agree")


def _attempt(terminal: Terminal, vault: Vault, query: str, as_json: bool) -> None:
    table = reader(vault)
    if table is None:
        raise CheckFailed("there is no index yet", "mem index")
    found = {"words": table.words(query, SHOWN)}
    if table.dim and (model := models.chosen(vault)):
        found["meaning"] = table.near(Embedder(model, vault.environ).query(query), SHOWN)
    listed = {
        way: [(hit, text) for hit in hits if (text := _text(vault, hit)) is not None] for way, hits in found.items()
    }
    if as_json:
        rows = {way: [{**hit._asdict(), "text": text} for hit, text in pairs] for way, pairs in listed.items()}
        terminal.json({"schema": 1, "query": query, **rows})
        return
    for way, pairs in listed.items():
        terminal.out(f"by {way}:" if pairs else f"by {way}: nothing")
        terminal.table(
            [[f"  {hit.score:.2f}", f"{one_line(hit.path)}:{hit.line}", text] for hit, text in pairs],
            (GREEN, DIM, ""),
            clip=True,
        )


def _text(vault: Vault, hit: MemoryHit) -> str | None:
    """The words as they stand in the file now; None when its time is over."""
    try:
        document = vault.document(hit.path)
    except MemError as error:
        return error.message
    if snapshots.expired(document, vault.today):
        return None
    return next((one_line(entry.words) for entry in document.entries if entry.line <= hit.line <= entry.last_line), "")


def _embedded(done: Refreshed) -> str:
    return f"{done.embedded} texts embedded" if done.model else ""
