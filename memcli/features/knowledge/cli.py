"""Define `mem knowledge add|list|show|archive|restore|remove|stats`."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from memcli.cli.command import Result, Table, command
from memcli.cli.looks import CYAN, DIM, GREEN, YELLOW
from memcli.cli.options import Filters, Limit, Tags, Yes
from memcli.cli.progress import progress
from memcli.cli.terminal import Terminal
from memcli.errors import CheckFailed, UsageError
from memcli.message import Message
from memcli.text.clean import harmless, one_line

if TYPE_CHECKING:
    from memcli.features.knowledge.intake import AddedDocuments
    from memcli.features.knowledge.store import ShelvedDocument
    from memcli.vault.vault import Vault

ENGINES = LOCAL, RAY = ("local", "ray")
Names = Annotated[list[str], "NAME...", "An id, a file, a folder, an address or a title."]


@command(
    "knowledge add",
    "mem knowledge add ~/papers -t reading        a folder, and what will lie in it",
    "mem knowledge add                            all sources again: what is new, changed or gone",
    "mem knowledge add https://example.org/post   kept as Markdown under knowledge/",
    'pdftotext scan.pdf - | mem knowledge add - --title "The scan"',
    "mem knowledge add arxiv-metadata.jsonl --meta shelf=physics",
    "mem knowledge add handbook.md --keep         the older version is archived, not replaced",
)
def add(
    terminal: Terminal,
    sources: Annotated[list[str] | None, "[PATH|URL|-]...", "Nothing: all sources again."] = None,
    /,
    tag: Tags = None,
    meta: Annotated[list[str] | None, "KEY=VALUE", "Anything else to know of it."] = None,
    type: Annotated[str, "What kind of text: paper, manual, role, …"] = "",
    project: Annotated[str, "What it belongs to."] = "",
    title: Annotated[str, "Its title."] = "",
    keep: Annotated[bool, "Archive older versions instead of replacing them."] = False,
    limit_tokens: Annotated[int, "N", "Of a piece, 20 to 2000, a tenth shared; unset: some 200, code up to 2000."] = 0,
    engine: Annotated[str, "|".join(ENGINES), "Where the work is done."] = LOCAL,
    address: Annotated[str, "Of a cluster the engine is to use; else it runs here."] = "",
    rebuild: Annotated[bool, "Build the store anew, from all sources."] = False,
) -> Result:
    """Add documents: Markdown, text, HTML, PDF, JSON lines, folders of them. Only what changed is read again."""
    from memcli.features.knowledge import add as adding
    from memcli.features.knowledge.documents import UserMetadata
    from memcli.features.knowledge.sources import LIMIT, SMALLEST, Options

    vault = terminal.vault()
    pairs = [pair.partition("=") for pair in meta or ()]
    if wrong := [key for key, equals, _ in pairs if not (key and equals)]:
        raise UsageError("--meta {key}: it is KEY=VALUE", key=wrong[0])
    if limit_tokens and not SMALLEST <= limit_tokens <= LIMIT:
        raise UsageError("--limit-tokens {n}: {least} to {most}", n=limit_tokens, least=SMALLEST, most=LIMIT)
    if engine not in ENGINES:
        raise UsageError(f"--engine {engine}: {' or '.join(ENGINES)}")
    given = UserMetadata(title, tuple(tag or ()), type, project, {key: value for key, _, value in pairs})
    text = terminal.stdin_text() if "-" in (sources or ()) else ""
    if "-" in (sources or ()) and not text.strip():
        raise UsageError("nothing was piped in")
    if not sources and given != UserMetadata():
        raise UsageError("tags and the like belong to a source", "name it: mem knowledge add PATH -t TAG")
    paths = [os.path.expanduser(source) for source in sources or () if source != "-"]
    paths = [path if "://" in path else str(terminal.here / path) for path in paths]
    # The engine prints news of its workers, and stdout is for the result alone.
    with (
        progress(terminal, _so_far) as tell,
        nullcontext() if engine == LOCAL else redirect_stdout(terminal.stderr.raw),
    ):
        done = adding.add(
            vault, paths, Options(given, limit_tokens, keep), _redact(vault), tell, rebuild,
            lambda busy: terminal.tell("{WHY}; waiting for it", WHY=busy), text, engine == RAY, address,
        )  # fmt: skip

    def left_out() -> None:
        for source in [] if terminal.as_json else done.broken:
            label = terminal.paint(f"{terminal.translate('left out')}:", YELLOW, terminal.stderr)
            terminal.tell(f"{label} {one_line(source.origin)}: {one_line(terminal.translate(source.why))}")

    nothing = done.broken and not (done.documents or done.unchanged)
    failure = CheckFailed("nothing of it could be read") if nothing else None
    kept = [terminal.translate("kept as {path}", path=path) for path in done.kept]
    return Result(asdict(done), [_summary(terminal, done), *kept], left_out, failure)


@command(
    "knowledge list",
    "mem knowledge list -t reading",
    "mem knowledge list --all --json | jq '.documents[].origin'",
    filters="tag type project",
)
def list_(
    terminal: Terminal,
    filters: Filters,
    all: Annotated[bool, "-a", "Archived versions, too."] = False,
    limit: Limit = 50,
) -> Result:
    """List the documents."""
    from memcli.evidence import Want
    from memcli.features.knowledge.store import open_reader

    want = Want(filters.tags, filters.types, project=filters.project, status="" if all else "active")
    there = open_reader(terminal.vault())
    documents = there.documents(want) if there else []
    shown = documents[:limit] if limit else documents
    more = len(documents) - len(shown)
    note = Message("{n} more; --limit 0 shows all", n=more) if more else ""
    return Result(
        {"documents": [_as_json(document) for document in shown]},
        Table([_row(document) for document in shown], (CYAN, DIM, GREEN, "", DIM), clip=True),
        note if there else "no documents yet: mem knowledge add PATH",
    )


@command("knowledge show", "mem knowledge show 3f2a91", "mem knowledge show handbook.md | less")
def show(terminal: Terminal, name: Annotated[str, "NAME", "As in list."], /) -> Result:
    """Show a document as it is kept, in all versions when it has several."""
    from memcli.features.knowledge.change import ambiguous_name, find_documents, shelf

    versions = find_documents(terminal.vault(), name)
    if len({version.doc for version in versions}) > 1:
        raise ambiguous_name(name, versions)
    texts = [shelf(terminal.vault()).text(version.doc, version.version) for version in versions]

    def text() -> None:
        for version, whole in zip(versions, texts, strict=True):
            for key, value in _as_json(version).items():
                if value and key not in ("hash", "pieces"):
                    terminal.out(terminal.paint(f"{key}: {one_line(_in_words(value))}", DIM))
            terminal.prose(f"\n{harmless(whole)}\n")

    both = [{**_as_json(version), "text": whole} for version, whole in zip(versions, texts, strict=True)]
    return Result({"versions": both}, text)


@command("knowledge archive", "mem knowledge archive old/handbook.md")
def archive(terminal: Terminal, names: Names, /) -> Result:
    """Leave documents out of searches; they are kept."""
    from memcli.features.knowledge import change

    return _changed(terminal, change.archive(terminal.vault(), _paths(terminal, names)), "archived")


@command("knowledge restore", "mem knowledge restore 3f2a91")
def restore(terminal: Terminal, names: Names, /) -> Result:
    """Let archived documents be found again."""
    from memcli.features.knowledge import change

    return _changed(terminal, change.restore(terminal.vault(), _paths(terminal, names)), "restored")


@command("knowledge remove", "mem knowledge remove ~/papers", "mem knowledge remove 3f2a91 --yes")
def remove(terminal: Terminal, names: Names, /, yes: Yes = False) -> Result:
    """Remove documents, or a folder with all of its own. Files stay; those in the vault go to its archive."""
    from memcli.features.knowledge import change

    paths = _paths(terminal, names)
    if not terminal.confirm(Message("Remove {names} from the documents?", names=", ".join(map(one_line, names))), yes):
        raise SystemExit(1)
    return _changed(terminal, change.remove(terminal.vault(), paths), "removed")


@command("knowledge stats", "mem knowledge stats --json | jq .chunks")
def stats(terminal: Terminal) -> Result:
    """Show how many documents there are, of which kinds and languages."""
    from memcli.features.knowledge import sources
    from memcli.features.knowledge.store import open_reader

    if not (there := open_reader(terminal.vault())):
        return Result({"store": None, "documents": 0}, note="no documents yet: mem knowledge add PATH")
    counts, listed = there.stats(), list(sources.read_register(terminal.vault()).sources)
    number, some, model = counts.chunks, counts.vectors or "none", counts.model
    vectors = (
        Message("{n}, {N} with a vector of {model}", n=number, N=some, model=model)
        if model
        else Message("{n}, {N} with a vector", n=number, N=some)
    )
    rows = [
        ["store", there.at.url],
        ["documents", Message("{n}, {N} archived", n=counts.documents, N=counts.archived or "none")],
    ]
    rows += [["pieces", vectors], ["kinds", _counts(counts.kinds)], ["languages", _counts(counts.langs)]]
    rows += [["size", f"{counts.size / 1e6:.1f} MB"]] if counts.size else []
    waiting = max(counts.indexes.values(), default=0)
    rows += [["not yet indexed", Message("{n} piece{s}", n=waiting)]] if waiting else []
    rows = [[terminal.translate(name), terminal.translate(fact)] for name, fact in rows]
    rows += [[terminal.translate("source"), source] for source in listed]
    return Result({"store": there.at.url, "sources": listed, **counts._asdict()}, Table(rows, (DIM, "")))


def _redact(vault: Vault) -> Callable[[str], tuple[str, list[str]]]:
    """Return a function that removes secrets from a document, as the settings of the gates require."""
    from memcli.remember.gates.sensitive import of_documents, redacted

    return partial(redacted, rules=of_documents(vault.settings.gates))


def _summary(terminal: Terminal, done: AddedDocuments) -> str:
    from memcli.features.knowledge.status import documents_in_pieces

    parts: list[str] = [documents_in_pieces(done.documents, done.chunks)] if done.documents else []
    rest = {
        "{n} of them replaced": done.replaced,
        "{n} unchanged": done.unchanged,
        "{n} gone": done.gone,
        "{n} archived or removed before": done.left_out,
        "{n} text{s} embedded": done.embedded,
        "{n} left out": len(done.broken),
    }
    parts += [Message(what, n=number) for what, number in rest.items() if number]
    return ", ".join(map(terminal.translate, parts or ["nothing to read: mem knowledge add PATH names a source"]))


def _changed(terminal: Terminal, documents: list[ShelvedDocument], verb: str) -> Result:
    lines = [
        f"{terminal.translate(verb)} {document.doc[:8]}  {one_line(document.title)}  {one_line(document.place)}"
        for document in documents
    ]
    return Result({verb: [_as_json(document) for document in documents]}, lines)


def _as_json(document: ShelvedDocument) -> dict[str, Any]:
    from memcli.features.knowledge.store import meta_of

    return {**document._asdict(), "place": document.place, "meta": meta_of(document)}


def _in_words(value: Any) -> str:
    """Return a value as a person writes it: a list with commas, a mapping with colons."""
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_in_words(each)}" for key, each in value.items())
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _row(document: ShelvedDocument) -> list[str]:
    status = f"v{document.version}" + f" {document.status}" * (document.status != "active")
    return [document.doc[:8], status, document.date, one_line(document.title, 60), one_line(document.place)]


def _counts(counted: dict[str, int]) -> str:
    return ", ".join(f"{number} {name or 'unknown'}" for name, number in counted.items())


def _paths(terminal: Terminal, names: list[str]) -> list[str]:
    """Return the names, with those of existing files made into paths from the current folder."""
    paths = [terminal.here / os.path.expanduser(name) for name in names]
    return [str(path) if "://" not in name and path.exists() else name for name, path in zip(names, paths, strict=True)]


def _so_far(done: AddedDocuments) -> str:
    pieces = Message("{n} piece{s}", n=done.chunks)
    return Message("{PIECES}, {n} embedded", PIECES=pieces, n=done.embedded) if done.embedded else pieces
