"""Define `mem index`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from memcli.cli.command import Result, command
from memcli.cli.looks import DIM, GREEN
from memcli.cli.progress import progress
from memcli.cli.terminal import Terminal
from memcli.errors import CheckFailed, MemError, MissingPart
from memcli.index import models
from memcli.index.embed import Embedder
from memcli.index.memory_table import MemoryHit
from memcli.index.refresh import RefreshReport, reader, refresh
from memcli.index.status import check as drift_of
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault import snapshots
from memcli.vault.vault import Vault

SHOWN = 5


@command(
    "index",
    "mem index                        read what changed",
    "mem index --check                compare index and files",
    'mem index --try "缓存怎么办"          what the index finds by itself',
)
def index(
    terminal: Terminal,
    rebuild: Annotated[bool, "Build it anew; known vectors are kept."] = False,
    check: Annotated[bool, "Compare index and files; exit 1 when they differ."] = False,
    attempt: Annotated[str, "--try", "QUERY", "Show what the index finds, by words and by meaning."] = "",
) -> Result:
    """Brings it in line with the files. It is a cache; with a model, recall searches by meaning, too."""
    vault = terminal.vault()
    if check:
        return _check(terminal, vault)
    if attempt:
        return _attempt(terminal, vault, attempt)
    with progress(terminal, _embedded) as tell:
        done = refresh(
            vault,
            tell=tell,
            rebuild=rebuild,
            waiting=lambda busy: terminal.tell("{WHY}; waiting for it", WHY=busy),
        )
    parts: list[str] = [Message("{n} file{s} changed", n=done.changed), Message("{n} gone", n=done.removed)]
    parts += [Message("{n} entr{s} written", n=done.rows, s="y" if done.rows == 1 else "ies")]
    parts += [Message("{n} embedded", n=done.embedded), Message("{n} known", n=done.known)] if done.model else []
    missing = vault.settings.index.model and not done.model
    return Result(
        asdict(done),
        terminal.speech.comma.join(
            map(terminal.translate, parts if done.changed or done.removed else ["nothing changed"])
        ),
        failure=MissingPart("indexed by words only: the model that index.model names is not here", "mem model list")
        if missing
        else None,
    )


def _check(terminal: Terminal, vault: Vault) -> Result:
    drift = drift_of(vault)
    lines = [
        Message("{place}: {n} not in the index", place=one_line(path), n=number)
        for path, number in drift.missing.items()
    ]
    lines += [
        Message("{place}: {n} in the index only", place=one_line(path), n=number)
        for path, number in drift.stale.items()
    ]
    differ = len(drift.missing.keys() | drift.stale.keys())
    wrong = CheckFailed("index and files differ in {n} file{s}", "mem index", n=differ)
    return Result(
        {"clean": drift.clean, **asdict(drift)},
        [terminal.translate(line) for line in (["index and files agree"] if drift.clean else lines)],
        failure=None if drift.clean else wrong,
    )


def _attempt(terminal: Terminal, vault: Vault, query: str) -> Result:
    table = reader(vault)
    if table is None:
        raise CheckFailed("there is no index yet", "mem index")
    hits = {"words": table.words(query, SHOWN)}
    if table.dim and (model := models.usable_model(vault)):
        hits["meaning"] = table.near(Embedder(model, vault.environ).query(query), SHOWN)
    listed = {
        way: [(hit, text) for hit in ranked if (text := _text(vault, hit)) is not None] for way, ranked in hits.items()
    }

    def plain() -> None:
        for way, pairs in listed.items():
            terminal.out(
                terminal.translate(Message("by {WAY}:", WAY=way) if pairs else Message("by {WAY}: nothing", WAY=way))
            )
            rows = [[f"  {hit.score:.2f}", f"{one_line(hit.path)}:{hit.line}", text] for hit, text in pairs]
            terminal.table(rows, (GREEN, DIM, ""), clip=True)

    rows = {way: [{**hit._asdict(), "text": text} for hit, text in pairs] for way, pairs in listed.items()}
    return Result({"query": query, **rows}, plain)


def _text(vault: Vault, hit: MemoryHit) -> str | None:
    """Return the text of a hit as its file has it now, or None if it has expired."""
    try:
        document = vault.document(hit.path)
    except MemError as error:
        return error.message
    if snapshots.expired(document, vault.today):
        return None
    return next((one_line(entry.words) for entry in document.entries if entry.line <= hit.line <= entry.last_line), "")


def _embedded(done: RefreshReport) -> str:
    return Message("{n} text{s} embedded", n=done.embedded) if done.model else ""
