"""Define `mem add` and `mem supersede`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from memcli.cli import options, render
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import DIM, YELLOW
from memcli.cli.options import Tags
from memcli.cli.terminal import Terminal
from memcli.errors import UsageError
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.text.later import compile_later
from memcli.vault import names

if TYPE_CHECKING:
    from memcli.remember import Verdict

# How a sentence begins that may be a preference, and is not about a single time. The rules of learning decide, but they
# take long to load.
_LIKES = compile_later(
    r"(?!.*(?:\b(?:last (?:time|night)|yesterday|today|tonight|tomorrow|this (?:time|week|morning|afternoon|evening))\b"
    r"|上[次回]|昨[天晚]|今[天晚早]|明[天晚早]|[这本][次回周]))"
    r"(?:I(?:'d| would)? (?:now |really |always |usually )?(?:prefer|like|love|hate|dislike|rather)\b"
    r"|I (?:do not|don't|never) (?:like|eat|drink)\b"
    r"|[Ff]rom now on,? (?:I (?:prefer|want|like)|no|never|always|don't)\b"
    r"|I (?:never|no longer) want\b"
    r"|I (?:do not|don't) want (?:to be \w+ed |(?!to|the|this|that|it|him|her|them|you)\w+s )"
    r"|我(?:现在|更|最|比较|很|一般|通常){0,2}(?:喜欢|偏好|偏爱|讨厌|爱|烦|不喜欢|不爱|不吃|不喝)"
    r"|(?:以后|今后|往后|从现在起)[^，,。]{0,12}(?:一律(?! ?\d)|别(?!忘)|不要|都用|只用)|(?:别|不要)再?[给跟对]我)"
)


def _is_wish(words: str) -> bool:
    return words[:1] in "IFf我以今往从别不" and _LIKES.match(words) is not None  # the pattern is slow to compile


@command(
    "add",
    'mem add "Redis replaces the local cache" -t cache --type decision',
    'mem add "mum was born on 3 December" --to MEMORY.md#People',
    'mem add "paid Stu 360" --date yesterday',
    "pbpaste | mem add - -t snippet",
    text=True,
    json="The new memory as JSON.",
    agents=True,
)
def add(
    terminal: Terminal,
    text: Annotated[list[str] | None, "[TEXT]...", "What to remember; - at its end, or nothing, reads stdin."] = None,
    /,
    tag: Tags = None,
    to: Annotated[
        str, "FILE[#HEADING]", "Where to write; else today's log, or the file of the type.", options.files
    ] = "",
    kind: Annotated[
        str, "--type", "decision, fact, preference, task, insight … or any word.", options.words(*options.TYPES)
    ] = "",
    date: Annotated[
        str, "DAY", "The day it happened: 2026-11-20, yesterday; else today, or the day it begins with."
    ] = "",
    importance: Annotated[float | None, "0 to 1."] = None,
    replaces: Annotated[str, "OLD", "The memory whose place it takes: an id, path:line, or words."] = "",
    force: Annotated[bool, "Keep it even if it looks worthless or is there already."] = False,
    allow_sensitive: Annotated[bool, "Keep addresses, numbers and secrets in plain words."] = False,
    dry_run: Annotated[bool, "Show what would be written, and what the checks say."] = False,
) -> Result:
    """It goes into today's log, or the file it belongs to; a preference becomes one that mem prefer lists. Exit 4 when
    it is refused: a secret, or not worth it."""
    from memcli.remember import Memory, TurnedAway, contradicted, contradicted_value
    from memcli.remember import add as remember
    from memcli.remember.days import resolve_days
    from memcli.text.dates import find_coming_dates

    words = terminal.words_and_pipe(text, adds_pipe=False)
    if not words and text is None:
        raise UsageError(
            "the text is empty: there is nothing to remember", 'mem add "what you want remembered", or pipe it in'
        )
    kind = names.type_name(kind) if kind else ""
    more = bool(tag or importance or replaces)
    if not to and (kind == "preference" or (not (kind or more or date) and _is_wish(words))):
        from memcli.cli.prefer import keep_sentence

        if result := keep_sentence(terminal, words, dry_run, more, is_told=bool(kind)):
            return result
    today = terminal.vault().today
    day = options.one_day(date, today) if date else None
    if day and day in {span.first for span in find_coming_dates(words, today)}:
        words = resolve_days(words, today)  # --date repeats the day of the text, which counts from today
    if replaces:
        from memcli.cli.show import find_or_pick  # most memories replace none

        replaces = find_or_pick(terminal, terminal.vault(), [replaces]).id
    memory = Memory(words, tuple(tag or ()), kind, importance, to, replaces=replaces, day=day)
    try:
        added = remember(terminal.vault(), memory, dry_run, force=force, allow_sensitive=allow_sensitive)
    except TurnedAway as no:
        verdicts = _verdicts(terminal, no.verdicts) if dry_run else ""
        return Result(
            {"kept": False, "verdicts": [*map(asdict, no.verdicts)], "dry_run": dry_run}, verdicts, failure=no
        )
    new = not dry_run and not added.again
    other = contradicted(terminal.vault(), added.entry) if new else None
    known = contradicted_value(terminal.vault(), added.entry) if new and not other else ""
    data = {**render.as_json(added.entry), "commit": added.written.commit or None, "kept": True, "again": added.again}
    data |= {"against": other.id if other else known} if other or known else {}
    data |= {"replaces": added.moves.id} if added.moves else {}
    data |= {"verdicts": [*map(asdict, added.verdicts)], "dry_run": dry_run}

    def plain() -> None:
        place = one_line(added.entry.path if dry_run and not added.again else added.entry.place)
        gone = replaces or (added.moves.words if added.moves else "")
        became = terminal.translate(_VERBS[added.again, dry_run], place=place)
        if gone:
            became += terminal.speech.comma + terminal.translate("in place of {before}", before=one_line(gone, 60))
        terminal.out(f"{terminal.paint(added.entry.id, YELLOW)} {became}")
        if dry_run:
            terminal.out(added.entry.raw)
            terminal.table(*_verdicts(terminal, added.verdicts))

    note = "--force writes it a second time" if added.again and not dry_run else ""
    if against := one_line(other.words if other else known, 60):
        note = Message("against: {other}; mem review asks which holds", other=against)
    return Result(data, plain, note)


@command(
    "supersede",
    "mem supersede 3f2a9c1 b73fced",
    'mem supersede "redis only" "two-level cache"        by words that they hold',
    json="The memory that holds, and the one that no longer does.",
    agents=True,
)
def supersede(
    terminal: Terminal,
    old: Annotated[str, "OLD", "The memory that no longer holds: an id, path:line, or words that it holds."],
    new: Annotated[str, "NEW", "The one that took its place."],
    /,
) -> Result:
    """The old one stays where it is, is marked, and counts less in recall."""
    from memcli import remember
    from memcli.cli.show import find_or_pick  # mem add does without

    vault = terminal.vault()
    gone, holds = (find_or_pick(terminal, vault, [name]) for name in (old, new))
    remember.supersede(vault, gone, holds)
    if holds.day and gone.day and holds.day < gone.day:
        vault.notice("{id} is older than what it supersedes; mem undo takes it back", id=holds.id)
    was, now = (f"{each.id} {one_line(each.words, 60)}" for each in (gone, holds))
    message = terminal.translate("{old} — superseded by {new}", old=was, new=now)
    return Result({"superseded": render.as_json(gone), "holds": render.as_json(holds)}, message)


# Maps (was there already, is a dry run) to the message.
_VERBS = {
    (False, False): "remembered in {place}",
    (False, True): "would write to {place}",
    (True, False): "was there already, marked as seen again: {place}",
    (True, True): "is there already, would be marked as seen again: {place}",
}


def _verdicts(terminal: Terminal, verdicts: Sequence[Verdict]) -> Table:
    """Return a table of what each gate decided, and why."""
    said = terminal.speech.translate_part
    return Table([[said(one.gate), said(one.action), one_line(said(one.reason))] for one in verdicts], (DIM, YELLOW))
