"""`mem ask`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from memcli import deep
from memcli.cli import complete, options
from memcli.cli.options import examples
from memcli.cli.plain import Plain
from memcli.cli.terminal import CYAN, DIM, GREEN, YELLOW, Terminal
from memcli.deep import Answered, AskRequest, Want
from memcli.errors import CheckFailed, Refused, UsageError
from memcli.text.clean import one_line

SHOWN = 4  # passages of each source that --explain names

app = typer.Typer(rich_markup_mode=None)


@app.command(
    cls=Plain,
    epilog=examples(
        'mem ask "how does the index merge its segments"',
        "mem ask 龙井和碧螺春有什么区别 --source knowledge --tag tea",
        'mem ask --evidence "reranking with cross-encoders" --since 2024-01-01 | llm "what is agreed on?"',
        'mem ask "what did we learn about the cache" --remember',
    ),
)
def ask(
    ctx: typer.Context,
    query: Annotated[
        list[str] | None, typer.Argument(metavar="[QUERY]...", help="A question; stdin joins it, - is stdin alone.")
    ] = None,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="What was found, ranked and numbered; no answer.")
    ] = False,
    most: Annotated[int, typer.Option("-k", "--most", metavar="N", help="At most this many pieces of evidence.")] = 10,
    source: Annotated[
        list[str] | None, typer.Option("--source", metavar="NAME", help="Ask only this source; may be repeated.")
    ] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", "-t", help="Only with this tag; may be repeated.")] = None,
    type: Annotated[list[str] | None, typer.Option("--type", help="Only of this type; may be repeated.")] = None,
    project: Annotated[str, typer.Option("--project", help="Only of this project.")] = "",
    since: Annotated[str, typer.Option("--since", metavar="DAY", help="Nothing older: 2026-11-01, 'last week'.")] = "",
    until: Annotated[str, typer.Option("--until", metavar="DAY", help="Nothing newer.")] = "",
    session: Annotated[
        str,
        typer.Option(
            "--session",
            "-s",
            metavar="ID",
            help="The talk that tells what 'it' is; else MEM_SESSION.",
            autocompletion=complete.sessions,
        ),
    ] = "",
    explain: Annotated[bool, typer.Option("--explain", help="Say on stderr what each step did.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Every step as JSON.")] = False,
    remember: Annotated[bool, typer.Option("--remember", help="Propose what is worth keeping, and ask.")] = False,
    yes: options.Yes = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 when nothing was found.")] = False,
) -> None:
    """Search notes, documents and other sources at once; a language model, if one is set up, answers from what was found.

    Every statement cites its evidence by number. Without a model, or with --evidence, the evidence itself is printed.
    """
    from memcli.cli.show import day

    terminal: Terminal = ctx.obj
    question = terminal.question(query)
    if not question.strip():
        raise UsageError("there is no question", 'mem ask "what is known about …"')
    if most < 1:
        raise UsageError(f"-k {most}: at least 1")
    vault = terminal.vault()
    want = Want(
        tuple(tag or ()), tuple(type or ()), project=project,
        since=day(since, vault.today, 0), until=day(until, vault.today, 1),
    )  # fmt: skip
    request = AskRequest(question, most, want, tuple(source or ()), session, evidence)
    heard: list[str] = []

    def hear(piece: str) -> None:
        heard.append(piece)
        terminal.out(piece, end="")
        terminal.stdout.flush()

    found = deep.ask(vault, request, None if as_json else hear)
    if not as_json:
        _show(terminal, found, bool(heard))
        if explain:
            _explain(terminal, found)
    kept = _remember(terminal, found, yes, as_json) if remember else []
    if as_json:
        terminal.json({**found.as_json(), **({"proposals": kept} if remember else {})})
    if strict and not found.items:
        raise CheckFailed("nothing was found for this question")


def _show(terminal: Terminal, found: Answered, heard: bool) -> None:
    from memcli.deep import page

    if found.answer:
        terminal.out("" if heard else found.answer)
        if not found.cited:
            terminal.out(f"\n{page.UNCITED}")
        else:
            terminal.out("\nSources:\n" + page.listed(found.items, found.cited))
    elif found.heard or not heard:
        for line in page.page(found.items).splitlines():
            style = CYAN if line.startswith("#") else GREEN if line.startswith("[") else DIM if line == "---" else ""
            terminal.out(terminal.paint(line, style) if style else line)
    if not found.heard:
        how = "; mem add keeps it, mem forget takes it away" if found.asked.intent == "command" else ""
        terminal.tell(f"nothing was searched: {found.asked.why}{how} (--source NAME searches all the same)")


def _explain(terminal: Terminal, found: Answered) -> None:
    asked = found.asked
    want = {name: value for name, value in vars(asked.want).items() if value and (name, value) != ("status", "active")}
    rows = [
        ["asked", f"{asked.intent}, by {asked.by}: {asked.why}"],
        ["question", asked.query],
        ["words", ", ".join(asked.keywords)],
        ["names", ", ".join(asked.entities)],
        ["documents", ", ".join(f"{name} {_plain(value)}" for name, value in want.items())],
        ["passage", asked.hyde],
    ]
    terminal.table([[name, one_line(said)] for name, said in rows if said], (YELLOW,), to_stderr=True)
    for each in found.heard:
        said = each.why_not or f"{len(each.found)} found"
        terminal.tell(
            f"{terminal.paint(each.step.source, YELLOW, terminal.stderr)}  {said} in {each.seconds:.2f} s ({one_line(each.step.why)})"
        )
        for rank, one in enumerate(each.found[:SHOWN], 1):
            terminal.tell(f"    {rank}. {one_line(one.place)}  {one_line(one.title, 60)}")
    order = "reranked" if found.reranked else "fused order"
    terminal.tell(f"{len(found.items)} chosen, {order}: " + ", ".join(f"{each.score:.4f}" for each in found.items))
    terminal.tell("seconds: " + ", ".join(f"{name} {value:.2f}" for name, value in found.seconds.items()))


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _remember(terminal: Terminal, found: Answered, yes: bool, as_json: bool) -> list[dict[str, Any]]:
    """Propose, ask, keep; what became of each."""
    vault = terminal.vault()
    asking = terminal.interactive() and not (yes or as_json)
    done = []
    for each in deep.proposals(found):
        place = why_not = ""
        if not as_json:
            terminal.tell(
                f"{terminal.paint('worth keeping', CYAN, terminal.stderr)}: {each.text} ({one_line(', '.join(each.places))})"
            )
        if asking and not yes:
            answer = terminal.key("keep it  (y)es, (n)o, (a)ll the rest, (q)uit", ["y", "n", "a", "q"])
            if answer == "q":
                break
            if answer == "n":
                continue
            yes = answer == "a"
        if asking or yes:  # who was asked and came here said yes
            try:
                place = deep.remember(vault, each).entry.place
            except Refused as error:
                why_not = error.message.removeprefix("not kept: ")
            if not as_json:
                terminal.tell(f"not kept: {one_line(why_not)}" if why_not else f"in {place}")
        done.append({"text": each.text, "places": list(each.places), "place": place, "why_not": why_not})
    if not done and not asking:
        terminal.tell("there is nothing in it to remember")
    elif not (asking or yes):
        terminal.tell("nothing is kept yet: --yes keeps it")
    return done
