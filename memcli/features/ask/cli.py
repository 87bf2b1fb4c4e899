"""Define `mem ask`: answer a question from memories, documents and other sources."""

from __future__ import annotations

import os
from typing import Annotated, Any

from memcli.cli.command import Result, command
from memcli.cli.looks import CYAN, DIM, GREEN, YELLOW
from memcli.cli.options import Filters, Query, Session, Yes
from memcli.cli.terminal import Terminal
from memcli.errors import CheckFailed, Refused, UsageError
from memcli.evidence import Want
from memcli.features.ask import later as background
from memcli.features.ask import page, pipeline
from memcli.features.ask.pipeline import AskRequest, AskResult
from memcli.message import Message, joined
from memcli.text.clean import one_line

_READ_IT = "mem ask --read shows the answer"
SHOWN = 4  # the most passages of each source that --explain prints


@command(
    "ask",
    'mem ask "how does the index merge its segments"',
    "mem ask 龙井和碧螺春有什么区别 --source knowledge --tag tea",
    'mem ask --evidence "reranking with cross-encoders" --since 2024-01-01 | llm "what is agreed on?"',
    'mem ask "what did we learn about the cache" --remember',
    'mem ask --later "what is known about sleep and memory"; mem ask --read',
    text=True,
    json="Every step as JSON.",
    filters="tag type project since until",
    agents=True,
)
def ask(
    terminal: Terminal,
    query: Query = None,
    /,
    evidence: Annotated[bool, "What was found, ranked and numbered; no answer."] = False,
    most: Annotated[int, "-k", "N", "At most this many pieces of evidence."] = 10,
    source: Annotated[list[str] | None, "NAME", "Ask only this source; may be repeated."] = None,
    filters: Filters = Filters(),
    session: Session = "",
    explain: Annotated[bool, "Say on stderr what each step did."] = False,
    remember: Annotated[bool, "Propose what is worth keeping, and ask."] = False,
    yes: Yes = False,
    strict: Annotated[bool, "Exit 1 when nothing was found."] = False,
    later: Annotated[bool, "Leave it to mem watch or mem work; prints its name."] = False,
    read: Annotated[bool, "Show the answer of that name, or one that is new."] = False,
    stream: Annotated[
        bool, "With --json: a line of JSON for each piece of the answer as it comes, then all of it."
    ] = False,
) -> Result | None:
    """A language model, if one is set up, answers from what was found, and cites it by number.

    Without a model, or with --evidence, what was found is printed.
    """
    if read:
        return _read(terminal, " ".join(query or ()))
    question = terminal.words_and_pipe(query)
    if not question.strip():
        raise UsageError("there is no question", 'mem ask "what is known about …"')
    if most < 1:
        raise UsageError("-k {n}: at least 1", n=most)
    vault = terminal.vault()
    since, until = filters.days(vault.today)
    want = Want(filters.tags, filters.types, project=filters.project, since=since, until=until)
    request = AskRequest(question, most, want, tuple(source or ()), session, evidence)
    if later:
        return Result(
            {"name": (name := background.queue_question(vault, request))},
            name,
            Message("left for mem work; {HOW}", HOW=_READ_IT),
        )
    streamed: list[str] = []

    def hear(piece: str) -> None:
        streamed.append(piece)
        if terminal.as_json:
            terminal.json({"event": "piece", "text": piece, "notices": []}, None)
        else:
            terminal.out(piece, end="")
        terminal.stdout.flush()
        terminal.stdout.must_be_heard()

    answered = pipeline.ask(vault, request, hear if stream or not terminal.as_json else None)
    if not terminal.as_json:
        with terminal.paged():
            _show(terminal, answered, bool(streamed))
        _searched(terminal, answered)
        for line in background.news(terminal.vault()):
            terminal.tell(line)
        if explain:
            _explain(terminal, answered)
    proposed = _remember(terminal, answered, yes) if remember else []
    if stream and terminal.as_json:
        terminal.json({"event": "answer", **answered.as_json()}, None)
        return None
    nothing = CheckFailed("nothing was found for this question")
    return Result(
        lambda: {**answered.as_json(), **({"proposals": proposed} if remember else {})},
        failure=nothing if strict and not answered.items else None,
    )


def _read(terminal: Terminal, name: str) -> Result:
    text = background.read_answer(terminal.vault(), name)
    return Result({"text": text}, lambda: terminal.prose(text.removesuffix("\n")))


def _show(terminal: Terminal, answered: AskResult, streamed: bool) -> None:
    if answered.answer:
        terminal.out("" if streamed else answered.answer)
        if not answered.cited:
            terminal.out(f"\n{terminal.translate(page.UNCITED)}")
        else:
            terminal.out(f"\n{terminal.translate('Sources:')}\n" + page.list_sources(answered.items, answered.cited))
    elif answered.heard or not streamed:
        for line in page.page(answered.items).splitlines():
            style = CYAN if line.startswith("#") else GREEN if line.startswith("[") else DIM if line == "---" else ""
            terminal.prose(terminal.paint(line, style) if style else terminal.marked(line, answered.asked.keywords))


def _searched(terminal: Terminal, answered: AskResult) -> None:
    """Tell the person when nothing was searched for a question, and why."""
    if not answered.heard:
        how = "mem add keeps it, mem forget takes it away" if answered.asked.intent == "command" else ""
        why = joined(answered.asked.why, how)
        terminal.tell("nothing was searched: {WHY} (--source NAME searches all the same)", WHY=why)


def _explain(terminal: Terminal, answered: AskResult) -> None:
    asked = answered.asked
    want = {name: value for name, value in vars(asked.want).items() if value and (name, value) != ("status", "active")}
    rows = [
        [
            "asked",
            terminal.translate("{INTENT}, by {BY}: {WHY}", INTENT=asked.intent, BY=asked.by, WHY=asked.why),
        ],
        ["question", asked.query],
        ["words", ", ".join(asked.keywords)],
        ["names", ", ".join(asked.entities)],
        ["documents", ", ".join(f"{name} {_plain(value)}" for name, value in want.items())],
        ["passage", asked.hyde],
    ]
    rows = [[terminal.translate(name), one_line(text)] for name, text in rows if text]
    terminal.table(rows, (YELLOW,), to_stderr=True)
    for source in answered.heard:
        found = Message("{n} found", n=len(source.found))
        name = terminal.paint(source.step.source, YELLOW, terminal.stderr)
        terminal.tell(
            "{name}  {OUTCOME} in {n} s ({WHY})",
            name=name,
            OUTCOME=source.why_not or found,
            n=f"{source.seconds:.2f}",
            WHY=one_line(source.step.why),
        )
        for rank, passage in enumerate(source.found[:SHOWN], 1):
            terminal.tell(f"    {rank}. {one_line(passage.place)}  {one_line(passage.title, 60)}")
    order = "{n} chosen, reranked: {scores}" if answered.reranked else "{n} chosen, fused order: {scores}"
    scores = ", ".join(f"{item.score:.4f}" for item in answered.items)
    terminal.tell(order, n=len(answered.items), scores=scores)
    spent = (f"{terminal.translate(name)} {value:.2f}" for name, value in answered.seconds.items())
    terminal.tell("seconds: {list}", list=terminal.speech.comma.join(spent))


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _remember(terminal: Terminal, answered: AskResult, yes: bool) -> list[dict[str, Any]]:
    """Propose memories from an answer, ask about each one, keep those agreed to, and return what happened to each."""
    from memcli.features.ask import keep

    vault = terminal.vault()
    vault.batch = f"ask:{os.urandom(6).hex()}"
    asking = terminal.interactive() and not (yes or terminal.as_json)
    done = []
    for proposal in keep.proposals(answered, vault.settings.gates.answer):
        place = why_not = ""
        if not terminal.as_json:
            label = terminal.paint(terminal.translate("worth keeping"), CYAN, terminal.stderr)
            terminal.tell(f"{label}{terminal.speech.colon}{proposal.text} ({one_line(', '.join(proposal.places))})")
        if asking and not yes:
            answer = terminal.key("keep it  (y)es, (n)o, (a)ll the rest, (q)uit", ["y", "n", "a", "q"])
            if answer == "q":
                break
            if answer == "n":
                continue
            yes = answer == "a"
        if asking or yes:  # anybody who was asked and reached this line said yes
            try:
                place = keep.keep_proposal(vault, proposal).entry.place
            except Refused as error:
                why_not = error.why
            if not terminal.as_json:
                terminal.tell(
                    Message("not kept: {WHY}", WHY=one_line(why_not)) if why_not else Message("in {place}", place=place)
                )
        done.append({"text": proposal.text, "places": list(proposal.places), "place": place, "why_not": why_not})
    if not done and not asking:
        terminal.tell("there is nothing in it to remember")
    elif not (asking or yes):
        terminal.tell("nothing is kept yet: --yes keeps it")
    return done
