"""`mem knowledge add|list|show|archive|restore|remove|stats`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memcli.cli.options import AsJson, Limit, Yes, examples, group
from memcli.cli.progress import progress
from memcli.cli.terminal import CYAN, DIM, GREEN, YELLOW, Terminal
from memcli.errors import CheckFailed, UsageError
from memcli.text.clean import harmless, one_line

if TYPE_CHECKING:
    from memcli.knowledge.intake import AddedDocuments
    from memcli.knowledge.store import Shelved
    from memcli.vault.vault import Vault

app = typer.Typer(rich_markup_mode=None)
knowledge = group(
    app, "knowledge", "Documents of the world: papers, manuals, pages, apart from what you remember.",
    "mem knowledge add ~/papers -t reading", "mem knowledge list", "mem ask --evidence \"write amplification\"",
)  # fmt: skip

Names = Annotated[list[str], typer.Argument(metavar="NAME...", help="An id, a file, a folder, an address or a title.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", "-t", metavar="TAG", help="May be repeated.")]


@knowledge.command(
    epilog=examples(
        "mem knowledge add                            all sources again: what is new, changed or gone",
        "mem knowledge add ~/papers -t reading        a folder, and what will lie in it",
        "mem knowledge add https://example.org/post   kept as Markdown under knowledge/",
        'pdftotext scan.pdf - | mem knowledge add - --title "The scan"',
        "mem knowledge add arxiv-metadata.jsonl --meta shelf=physics",
        "mem knowledge add handbook.md --keep         the older version is archived, not replaced",
    )
)
def add(
    ctx: typer.Context,
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH|URL|-]...", help="Nothing: all sources again.")
    ] = None,
    tag: Tags = None,
    meta: Annotated[
        list[str] | None, typer.Option("--meta", metavar="KEY=VALUE", help="Anything else to know of it.")
    ] = None,
    type: Annotated[str, typer.Option("--type", help="What kind of text: paper, manual, role, …")] = "",
    project: Annotated[str, typer.Option("--project", help="What it belongs to.")] = "",
    title: Annotated[str, typer.Option("--title", help="How to call it.")] = "",
    keep: Annotated[bool, typer.Option("--keep", help="Archive older versions instead of replacing them.")] = False,
    limit_tokens: Annotated[
        int,
        typer.Option("--limit-tokens", min=20, max=2000, help="Of a piece; 300 for the settings of a role or world."),
    ] = 2000,
    engine: Annotated[str, typer.Option("--engine", metavar="local|ray", help="Who does the work.")] = "local",
    address: Annotated[str, typer.Option("--address", help="Of a Ray cluster; without one Ray runs here.")] = "",
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Make the store anew, of all sources.")] = False,
    as_json: AsJson = False,
) -> None:
    """Put documents on the shelf: Markdown, text, HTML, PDF, JSON lines, folders of them; only what changed is read again."""
    from memcli.knowledge import add as documents
    from memcli.knowledge import engines
    from memcli.knowledge.documents import Given
    from memcli.knowledge.sources import Options

    terminal: Terminal = ctx.obj
    vault = terminal.vault()
    pairs = [each.partition("=") for each in meta or ()]
    if wrong := [key for key, equals, _ in pairs if not (key and equals)]:
        raise UsageError(f"--meta {wrong[0]}: it is KEY=VALUE")
    engines.load(engine)  # a name that it does not know is told first
    given = Given(title, tuple(tag or ()), type, project, {key: value for key, _, value in pairs})
    paths = [each for each in sources or () if each != "-"]
    text = terminal.stdin_text() if "-" in (sources or ()) else ""
    if "-" in (sources or ()) and not text.strip():
        raise UsageError("nothing was piped in")
    if not sources and given != Given():
        raise UsageError("tags and the like belong to a source", "name it: mem knowledge add PATH -t TAG")
    paths = [each if "://" in each else str(terminal.here / each) for each in map(_home, paths)]
    # an engine prints what happens to its workers, and stdout is for what was asked for
    with progress(terminal, _so_far) as tell, nullcontext() if engine == engines.LOCAL else redirect_stdout(sys.stderr):
        done = documents.add(
            vault, paths, Options(given, limit_tokens, keep), _redact(vault), tell, rebuild,
            lambda busy: terminal.tell(f"{busy}; waiting for it"), text, engine, address,
        )  # fmt: skip
    if as_json:
        terminal.json({"schema": 1, **asdict(done)})
    else:
        terminal.out(_told(done))
        terminal.lines(f"kept as {each}" for each in done.kept)
    for each in [] if as_json else done.broken:
        terminal.tell(
            f"{terminal.paint('left out:', YELLOW, terminal.stderr)} {one_line(each.origin)}: {one_line(each.why)}"
        )
    if done.broken and not (done.documents or done.unchanged):
        raise CheckFailed("nothing of it could be read")


@knowledge.command(
    "list", epilog=examples("mem knowledge list -t reading", "mem knowledge list --all --json | jq '.[].origin'")
)
def list_(
    ctx: typer.Context,
    tag: Tags = None,
    type: Annotated[str, typer.Option("--type", help="Only this type.")] = "",
    project: Annotated[str, typer.Option("--project", help="Only of this.")] = "",
    all: Annotated[bool, typer.Option("--all", "-a", help="Archived versions, too.")] = False,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List the documents on the shelf."""
    from memcli.knowledge.documents import Want
    from memcli.knowledge.store import reader

    terminal: Terminal = ctx.obj
    want = Want(tuple(tag or ()), (type,) if type else (), project=project, status="" if all else "active")
    there = reader(terminal.vault())
    found = there.documents(want) if there else []
    shown = found[:limit] if limit else found
    if as_json:
        terminal.json([_as_json(each) for each in shown])
        return
    terminal.table([_row(each) for each in shown], (CYAN, DIM, GREEN, "", DIM), clip=True)
    if there is None:
        terminal.tell("no documents yet: mem knowledge add PATH")
    if len(shown) < len(found):
        terminal.tell(f"{len(found) - len(shown)} more; --limit 0 shows all")


@knowledge.command(epilog=examples("mem knowledge show 3f2a91", "mem knowledge show handbook.md | less"))
def show(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="As in list.")],
    as_json: AsJson = False,
) -> None:
    """Show a document as it is kept, in all versions when it has several."""
    from memcli.knowledge import cut
    from memcli.knowledge.change import find, shelf, which

    terminal: Terminal = ctx.obj
    found = find(terminal.vault(), name)
    if len({each.doc for each in found}) > 1:
        raise which(name, found)
    texts = [[row.text for row in shelf(terminal.vault()).around(each.doc, each.version)] for each in found]
    if as_json:
        both = [{**_as_json(each), "text": cut.stitched(text)} for each, text in zip(found, texts, strict=True)]
        terminal.json({"schema": 1, "versions": both})
        return
    for each, text in zip(found, texts, strict=True):
        for key, value in _as_json(each).items():
            if value and key not in ("hash", "pieces"):
                terminal.out(terminal.paint(f"{key}: {one_line(str(value))}", DIM))
        terminal.out(f"\n{harmless(cut.stitched(text))}\n")


def _with(name: str, says: str, verb: str, example: str) -> None:
    @knowledge.command(name, help=says, epilog=examples(example))
    def command(ctx: typer.Context, names: Names, as_json: AsJson = False) -> None:
        from memcli.knowledge import change

        terminal: Terminal = ctx.obj
        _changed(
            terminal, getattr(change, name)(terminal.vault(), [_path(terminal, each) for each in names]), verb, as_json
        )


_with(
    "archive",
    "Take documents out of the search; they stay on the shelf.",
    "archived",
    "mem knowledge archive old/handbook.md",
)
_with("restore", "Let archived documents be found again.", "restored", "mem knowledge restore 3f2a91")


@knowledge.command(epilog=examples("mem knowledge remove ~/papers", "mem knowledge remove 3f2a91 --yes"))
def remove(ctx: typer.Context, names: Names, yes: Yes = False, as_json: AsJson = False) -> None:
    """Take documents off the shelf, or a folder with all of its own. Files stay; those in the vault go to its archive."""
    from memcli.knowledge import change

    terminal: Terminal = ctx.obj
    paths = [_path(terminal, each) for each in names]
    if not terminal.confirm(f"Remove {', '.join(map(one_line, names))} from the shelf?", yes):
        raise typer.Exit(1)
    _changed(terminal, change.remove(terminal.vault(), paths), "removed", as_json)


@knowledge.command(epilog=examples("mem knowledge stats --json | jq .chunks"))
def stats(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show what is on the shelf, in numbers."""
    from memcli.knowledge import sources
    from memcli.knowledge.change import shelf

    terminal: Terminal = ctx.obj
    there = shelf(terminal.vault())
    found, listed = there.stats(), list(sources.noted(terminal.vault()).sources)
    if as_json:
        terminal.json({"schema": 1, "store": there.at.url, "sources": listed, **found._asdict()})
        return
    rows = [["store", there.at.url], ["documents", f"{found.documents}, {found.archived or 'none'} archived"]]
    rows += [
        [
            "pieces",
            f"{found.chunks}, {found.vectors or 'none'} with a vector" + f" of {found.model}" * bool(found.model),
        ]
    ]
    rows += [["kinds", _counts(found.kinds)], ["languages", _counts(found.langs)]]
    rows += [["size", f"{found.size / 1e6:.1f} MB"]] if found.size else []
    rows += [["not folded in", f"{waiting} pieces"]] if (waiting := max(found.indexes.values(), default=0)) else []
    terminal.table([*rows, *(["source", each] for each in listed)], (DIM, ""))


def _redact(vault: Vault) -> Callable[[str], tuple[str, list[str]]]:
    """What may not stand in a document, by the settings of the gates."""
    from memcli.remember.gates import of_documents, redacted

    return partial(redacted, rules=of_documents(vault.settings.gates))


def _told(done: AddedDocuments) -> str:
    parts = [f"{_many(done.documents, 'document')} in {_many(done.chunks, 'piece')}"] if done.documents else []
    rest = [
        (done.replaced, "of them replaced"), (done.unchanged, "unchanged"), (done.gone, "gone"),
        (done.left_out, "archived or removed before"), (done.embedded, "texts embedded"), (len(done.broken), "left out"),
    ]  # fmt: skip
    parts += [f"{number} {what}" for number, what in rest if number]
    return ", ".join(parts) or "nothing to read: mem knowledge add PATH names a source"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _changed(terminal: Terminal, found: list[Shelved], verb: str, as_json: bool) -> None:
    if as_json:
        terminal.json({"schema": 1, verb: [_as_json(each) for each in found]})
        return
    terminal.lines(f"{verb} {each.doc[:8]}  {one_line(each.title)}  {one_line(each.place)}" for each in found)


def _as_json(each: Shelved) -> dict[str, Any]:
    from memcli.knowledge.store import meta

    return {**each._asdict(), "place": each.place, "meta": meta(each)}


def _row(each: Shelved) -> list[str]:
    status = f"v{each.version}" + f" {each.status}" * (each.status != "active")
    return [each.doc[:8], status, each.date, one_line(each.title, 60), one_line(each.place)]


def _counts(counted: dict[str, int]) -> str:
    return ", ".join(f"{number} {name or 'unknown'}" for name, number in counted.items())


def _home(path: str) -> str:
    from os.path import expanduser

    return expanduser(path)


def _path(terminal: Terminal, name: str) -> str:
    """A name as it is, unless it is a file from here."""
    path = terminal.here / _home(name)
    return str(path) if "://" not in name and path.exists() else name


def _so_far(done: AddedDocuments) -> str:
    return f"{done.chunks} pieces" + f", {done.embedded} embedded" * bool(done.embedded)
