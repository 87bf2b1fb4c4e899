"""Define `mem recall` and `mem cite`."""

from __future__ import annotations

from typing import Annotated

from memcli.cli import options
from memcli.cli.command import Result, command
from memcli.cli.commands import COMMANDS
from memcli.cli.looks import CYAN, DIM, GREEN, YELLOW
from memcli.cli.options import Budget, Filters, Query
from memcli.cli.terminal import Terminal
from memcli.errors import CheckFailed
from memcli.message import Message
from memcli.recall import FORMATS, Block, Request
from memcli.recall import recall as find
from memcli.recall.score import PRESETS
from memcli.text.clean import one_line
from memcli.vault import labels


@command(
    "recall",
    'mem recall "what did we decide about the cache"',
    "mem recall 上周五和老王聊了什么",
    'mem recall "redis #cache" --since "last month" --budget 400',
    'git diff | mem recall "have we seen this before" | llm "review this"',
    text=True,
    json="The same as --format json.",
    filters="since until tag path",
    agents=True,
)
def recall(
    terminal: Terminal,
    query: Query = None,
    /,
    budget: Budget = None,
    most: Annotated[int | None, "-k", "-n", "N", "The best so many memories, also unlikely ones."] = None,
    filters: Filters = Filters(),
    format: Annotated[str, "-f", "md, xml, json or plain.", options.words(*FORMATS)] = "md",
    preset: Annotated[str | None, "The scoring formula: default, classic or layered.", options.words(*PRESETS)] = None,
    semantic: Annotated[bool | None, "Search by meaning too; else as recall.semantic says."] = None,
    fill: Annotated[bool | None, "Fill the budget, also with what is unlikely to help."] = None,
    explain: Annotated[bool, "Say why each memory was chosen, and why the block ends."] = False,
    strict: Annotated[bool, "Exit 1 when nothing matched."] = False,
) -> Result:
    """They come as a block of at most 1000 tokens to put in front of a model, each with its source."""
    question = terminal.words_and_pipe(query)  # before a watcher opens the vault, which must not wait for stdin
    vault = terminal.vault(recall__preset=preset)
    first, last = filters.days(vault.today)
    format = "json" if terminal.as_json else format
    request = Request(question, budget, most, first, last, filters.tags, filters.path, format, semantic, fill)
    block = find(vault, request)
    if not block.chosen:
        filters.tell_empty(vault)
    terminal.as_json = block.format == "json"

    def text() -> None:
        _show(terminal, block)

    def more() -> None:
        if used := [fact.label for fact in block.facts if fact.label]:
            labels.count_uses(vault, used)
        if terminal.verbose:
            terminal.tell(
                "{n} of {all} memories, {tokens} tokens", n=len(block.chosen), all=block.considered, tokens=block.tokens
            )
        for reading in block.dates if terminal.verbose or explain else ():
            terminal.tell(reading.line)
        if not block.text:
            some = block.considered or block.query
            terminal.tell("the budget is too small for a block" if some else "no memories yet")
        elif block.ending.why == "budget" and not (block.chosen or block.facts):
            terminal.tell("the budget is too small for any of the memories found")
        elif block.ending.why == "budget" and "whole" in block.kinds:
            terminal.tell("{n} more of that time did not fit; a larger --budget shows them", n=block.ending.left)
        if most == 0:
            terminal.tell("-k 0 asks for no memory")
        elif block.query and block.text and not (block.matched or strict):  # --strict says so by its error
            has_more = "ask" in COMMANDS and (vault.settings.sources or (vault.root / "knowledge").is_dir())
            terminal.tell(
                "nothing in memory matches; mem ask looks into documents and other sources, too"
                if has_more
                else "nothing in memory matches this question"
            )
        if explain and block.format != "json":
            if block.chosen:
                _explain_scores(terminal, block)
            terminal.tell("the block ends here: {WHY}", WHY=block.ending)

    failure = CheckFailed("nothing in memory matches this question") if strict and not block.matched else None
    return Result(block.as_json, text, more, failure)


@command(
    "cite",
    'mem recall "which cache" | llm "answer, and cite path:line" | mem cite',
    "mem cite logs/2026-11-10.md:9",
    json="What is cited as JSON, instead of the answer.",
    agents=True,
)
def cite(
    terminal: Terminal,
    text: Annotated[list[str] | None, "[PLACE]...", "path:line; without any, an answer on stdin."] = None,
    /,
) -> Result:
    """Those it names as path:line fade more slowly in recall. An answer on stdin is passed through."""
    from memcli import remember
    from memcli.cli import render

    text = None if text == ["-"] else text
    answer = " ".join(text) if text else terminal.stdin_text()
    if not (text or terminal.as_json):
        terminal.out(answer, end="")
    used = remember.cite(terminal.vault(), answer)
    return Result(
        {"cited": [render.as_json(entry) for entry in used]},
        note=Message("noted: {places}", places=", ".join(entry.place for entry in used))
        if used
        else "no memory is cited",
    )


def _show(terminal: Terminal, block: Block) -> None:
    """Print the block. Where colour may be used, add a bar for each memory's score and highlight the question's
    words."""
    if not terminal.may_color():
        terminal.prose(block.text, end="")
        return
    asked = {word for memory in block.chosen for word in memory.scored.matched}
    best = max((memory.scored.score for memory in block.chosen), default=0.0) or 1.0
    bars = {f":{memory.scored.entry.line} {memory.text[:20]}": memory.scored.score / best for memory in block.chosen}
    for line in block.text.splitlines():
        if line.startswith("#"):
            terminal.prose(terminal.paint(line, CYAN))
        elif line.startswith(":"):
            place, _, words = line.partition(" ")
            share = next((value for key, value in bars.items() if line.startswith(key[:24])), 0.0)
            bar = "▁▂▃▄▅▆▇█"[min(7, int(share * 7.99))]
            words = terminal.marked(words, asked)
            terminal.prose(f"{terminal.paint(bar, GREEN)} {terminal.paint(place, DIM)} {words}")
        else:
            terminal.prose(terminal.paint(line, DIM) if line == "---" else terminal.marked(line, asked))


# The kinds of question in words that have no other meaning, so that they can be translated.
_QUESTIONS = {
    "open": "question open", "who": "question who", "decision": "question decision", "task": "question task",
    "preference": "question preference", "howto": "question howto", "when": "question when", "name": "question name",
    "number": "question number", "recent": "question recent", "dated": "question dated", "whole": "question whole",
    "tagged": "question tagged", "now": "question now", "prompt": "question prompt", "talk": "question talk",
    "finished": "question finished",
}  # fmt: skip


def _explain_scores(terminal: Terminal, block: Block) -> None:
    """Print to stderr each memory's score, its parts and the words that matched."""
    parts = [
        name for name in block.chosen[0].scored.parts if any(memory.scored.parts.get(name) for memory in block.chosen)
    ]
    rows = [[terminal.translate(head) for head in ("score", *parts, "place", "found by", "words")]]
    for memory in block.chosen:
        scored = memory.scored
        numbers = [f"{scored.parts.get(name, 0):.2f}".replace("0.00", "·") for name in parts]
        rows.append([
            f"{scored.score:.3f}", *numbers, scored.entry.place,
            "+".join(map(terminal.translate, scored.paths)), one_line(" ".join(scored.matched)),
        ])  # fmt: skip
    terminal.table(rows, (YELLOW,), to_stderr=True)
    asked = (terminal.translate(_QUESTIONS.get(kind, kind)).removeprefix("question ") for kind in block.kinds)
    kinds = terminal.speech.comma.join(asked)
    listed = terminal.speech.comma.join(
        f"{terminal.translate(name)} {value:g}" for name, value in block.weights.items() if value
    )
    terminal.tell("score = sum of parts × weights ({kinds}): {list}", kinds=kinds, list=listed)
