"""Define `mem work`, `mem audit`, `mem tidy` and `mem review`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from memcli import contributions
from memcli.cli import options, render
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import DIM, GREEN, RED, YELLOW
from memcli.cli.options import DryRun, Filters, Limit, Yes
from memcli.cli.terminal import Terminal
from memcli.errors import CheckFailed, MemError, NotFound, UsageError
from memcli.message import Message, joined
from memcli.remember import Doubt
from memcli.text.clean import one_line
from memcli.vault.queue import Job

if TYPE_CHECKING:
    from memcli.remember.proposals import Outcome


@command(
    "work",
    "mem work",
    "mem work --dry-run         what waits, and what failed",
    "mem work --retry           what failed too, at once",
)
def work(
    terminal: Terminal,
    retry: Annotated[bool, "What failed or waits for its next try, too."] = False,
    drop: Annotated[str, "ID", "Remove this job, undone."] = "",
    job: Annotated[str, "ID", "Only say how it stands with this job: waiting, failed, aside or done."] = "",
    dry_run: DryRun = False,
) -> Result:
    """Updates the index, too. Once: mem watch does the same all the time."""
    from memcli.jobs import catch_up
    from memcli.jobs import work as do_waiting_work
    from memcli.vault import queue

    vault = terminal.vault()
    if job:
        if not (state := queue.job_state(vault, job, contributions.names_of("jobs"))):
            raise NotFound("no job is called '{id}'", "mem work --dry-run shows what waits", id=job)
        return Result({"job": job, "state": state}, terminal.translate(state))
    if drop and not queue.drop_jobs(vault, drop):
        raise NotFound("no job is called '{id}'", "mem work --dry-run shows what waits", id=drop)
    if drop or dry_run:
        ran, index = queue.QueueReport(waiting=tuple(queue.jobs(vault))), None
    else:
        ran, index = do_waiting_work(vault, retry), catch_up(vault)

    def text() -> None:
        if not (drop or dry_run):
            counts = {name: len(jobs) for name, jobs in ran._asdict().items()}
            terminal.out(terminal.translate("{done} done, {failed} failed, {waiting} waiting", **counts))
        if index and (index.changed or index.removed):
            changed = "index: {changed} changed, {removed} removed"
            terminal.out(terminal.translate(changed, changed=index.changed, removed=index.removed))
        terminal.table([_job_row(terminal, job) for job in ran.waiting], (YELLOW, "", DIM, RED), clip=True)

    jobs = {name: [_job_as_json(job) for job in jobs] for name, jobs in ran._asdict().items()}
    failed = Message("{failed} of {all} failed", failed=len(ran.failed), all=len(ran.done) + len(ran.failed))
    failure = CheckFailed(failed, "mem work --retry") if ran.failed else None
    return Result({**jobs, "index": index and asdict(index)}, text, failure=failure)


def _job_as_json(job: Job) -> dict[str, object]:
    """Return a job as data, without its payload, which may be a whole conversation."""
    return {name: value for name, value in job._asdict().items() if name != "payload"}


def _job_row(terminal: Terminal, job: Job) -> list[str]:
    """Return the columns of a job: kind, id, when it was queued, and when and why it is tried again."""
    again = Message("again {time}", time=job.due[:16].replace("T", " ")) if job.due else ""
    state = "set aside" if job.aside else again
    state = Message("{WHEN}: {WHY}", WHEN=state, WHY=one_line(job.error)) if job.error else state
    return [terminal.translate(job.kind), one_line(job.id), job.at[:16].replace("T", " "), terminal.translate(state)]


@command(
    "audit", "mem audit --since yesterday", "mem audit --id 3f2a9c1     what happened to one memory", filters="since"
)
def audit(
    terminal: Terminal,
    filters: Filters,
    id: Annotated[str, "ID", "Only what was done to this memory.", options.ids] = "",
    limit: Limit = 20,
) -> Result:
    """Latest first. mem doctor tells whether somebody tampered with this record."""
    from memcli.vault import journal

    vault = terminal.vault()
    writes = journal.writes(vault.root, filters.days(vault.today)[0], id, vault.notice)
    shown = writes[:limit] if limit > 0 else writes
    more = len(writes) - len(shown)
    none = "no write has this id" if id else "nothing was written"
    note = Message("{n} more; -n 0 shows all", n=more) if more else "" if writes else none
    table = Table([_audit_row(terminal, record) for record in shown], (GREEN, DIM, "", YELLOW), clip=True)
    return Result({"writes": shown}, table, note)


def _audit_row(terminal: Terminal, record: dict[str, Any]) -> list[str]:
    """Return the columns of a write: time, writer, action, the ids of its memories and its files."""
    from memcli.vault import journal

    listed = [" ".join(journal.ids_of(record)), " ".join(journal.paths_of(record))]
    when = str(record.get("at"))[:16].replace("T", " ")
    who, action = (terminal.speech.translate_part(str(record.get(key))) for key in ("by", "action"))
    return [one_line(cell) for cell in (when, who, action, *listed)]


@command(
    "tidy",
    "mem tidy                   shows what is out of date",
    "mem tidy --yes             archives it; mem undo brings it back",
)
def tidy(terminal: Terminal, yes: Yes = False, dry_run: DryRun = False) -> Result | None:
    """Snapshots, old conversations, patterns out of use, preferences of one session. It shows them and asks first."""
    from memcli import remember

    vault = terminal.vault()
    old = remember.expired(vault)
    if not terminal.as_json:
        rows = [[terminal.translate(one.kind), one.since, one_line(one.what), f"→ {one_line(one.to)}"] for one in old]
        terminal.table(rows, (YELLOW, GREEN, "", DIM))
    if old and not (dry_run or yes or terminal.as_json) and terminal.interactive():
        yes = terminal.confirm("Archive this?" if len(old) == 1 else Message("Archive these {n}?", n=len(old)), False)
    done = remember.tidy(vault, old) if old and yes and not dry_run else None
    data = [{"kind": one.kind, "path": one.path, "since": one.since, "to": one.to, "what": one.what} for one in old]
    archived = Message("archived {n}; mem undo brings them back", n=len(old))
    note = archived if done else "nothing changed; --yes archives them"
    return Result(
        {"old": data, "archived": done is not None, "commit": (done and done.commit) or None},
        note=note if old else "nothing is out of date",
    )


@command(
    "review",
    "mem review                 one question after the other, one key each",
    "mem review --json > questions.json",
    'echo \'[{"id": "3f2a9c1", "answer": "2"}]\' | mem review --apply -',
    json="The questions as JSON, or what became of the answers.",
)
def review(
    terminal: Terminal,
    apply: Annotated[str, "FILE", "Answers as JSON, a list of id and answer; - reads stdin."] = "",
) -> Result | None:
    """A number says which of two is right: of facts that disagree the other is marked superseded, of repeated ones
    it is archived. keep leaves all as it is and does not ask again; a snapshot is kept for another week. mem undo takes
    an answer back."""
    from memcli import remember

    doubts = remember.doubts(terminal.vault())
    if apply:
        return _apply_answers(terminal, doubts, _read_answers(terminal, apply))
    if doubts and terminal.interactive() and not terminal.as_json:
        ask_doubts(terminal, doubts)
        return None

    def text() -> None:
        for doubt in doubts:
            _print_doubt(terminal, doubt)
            terminal.out(terminal.paint(f"  {terminal.speech.comma.join(_named_choices(terminal, doubt))}", DIM))

    left = Message("{n} to decide; on a terminal one key each, else --apply FILE", n=len(doubts))
    note = left if doubts else "nothing to decide"
    return Result({"doubts": [_doubt_as_json(doubt) for doubt in doubts]}, text, note)


def _named_choices(terminal: Terminal, doubt: Doubt) -> Iterator[str]:
    """Yield each answer as --apply takes it, with its meaning where the person speaks another language."""
    for choice in doubt.choices:
        says = terminal.translate(f"({choice[0]}){choice[1:]}").partition(" ")[2]
        yield f"{choice}{terminal.speech.bracketed(says)}" if says else choice


def ask_doubts(terminal: Terminal, doubts: Sequence[Doubt]) -> None:
    """Ask about the doubts one by one, with one key each, and report the effect of each answer. Skip a doubt about a
    memory that an earlier answer has just changed."""
    from memcli import remember
    from memcli.cli.edit import edit_memory

    settled = list[Any]()
    left = 0
    for number, doubt in enumerate(doubts, 1):
        if any(each in settled for each in (*doubt.entries, *doubt.preferences)):
            left += 1
            continue
        _print_doubt(terminal, doubt)
        keys = {choice[0]: choice for choice in doubt.choices} | {"q": "quit"}
        names = terminal.speech.choices(terminal.translate(f"({name[0]}){name[1:]}") for name in keys.values())
        answer = keys[terminal.key(f"{number}/{len(doubts)}{names}", list(keys))]
        if answer == "quit":
            return
        try:
            if answer == "edit":
                edit_memory(terminal, terminal.vault(), doubt.entries[-1])
            else:
                remember.settle(terminal.vault(), doubt, answer)
                terminal.tell(doubt.outcome(answer))
            if answer not in ("keep", "skip"):
                settled += [*doubt.entries, *doubt.preferences]
        except MemError as error:  # another program changed it; the others can still be settled
            terminal.fail(error.message, error.hint)
    if left:
        terminal.tell("{n} more depended on these answers; mem review asks what is left of them", n=left)


def contradiction_note(outcome: Outcome, asked: bool) -> str:
    """Return what to print after the outcome of a memory that contradicts another. `asked` means the person decides
    now."""
    from memcli.remember.proposals import Addition, OpenQuestion

    asks = "" if asked else "; mem review asks which holds"
    if isinstance(outcome, OpenQuestion):
        return asks
    if not isinstance(outcome, Addition) or not outcome.before:
        return ""
    before = one_line(outcome.before, 60)
    if not outcome.doubts:
        return Message(", no longer: {before}", before=before)
    return joined(Message(", against: {other}", other=before), asks, by="")


def _apply_answers(terminal: Terminal, doubts: list[Doubt], answers: list[dict[str, Any]]) -> Result:
    """Carry out every answer that can be, report the others, and return what became of each."""
    from memcli import remember

    known = {doubt.id: doubt for doubt in doubts}
    done, failed = [], 0
    for given in answers:
        id, answer, why = str(given.get("id")), str(given.get("answer", "skip")), ""
        try:
            if id not in known:
                raise UsageError("no question has the id '{id}'", "mem review --json shows them", id=id)
            remember.settle(terminal.vault(), known[id], answer, str(given.get("text") or ""))
        except MemError as error:
            why, failed = error.message, failed + 1
            terminal.fail(error.message, error.hint)
        effect = known[id].outcome(answer) if not why else None
        done.append({"id": id, "answer": answer, "error": why or None, "outcome": effect})
    failure = (
        CheckFailed("{failed} of {all} answers could not be followed", failed=failed, all=len(done)) if failed else None
    )
    outcomes = [f"{each['id']} {terminal.translate(each['outcome'])}" for each in done if each["outcome"]]
    settled = terminal.translate("{n} settled", n=len(done) - failed)
    return Result({"answers": done}, [*outcomes, settled], failure=failure)


def _read_answers(terminal: Terminal, file: str) -> list[dict[str, Any]]:
    """Return the answers in a JSON file: a list, or the object that `--json` printed. Raise UsageError otherwise."""
    try:
        given = json.loads(terminal.text_of(file))
    except (ValueError, RecursionError) as error:
        raise UsageError(
            "the answers are not JSON: {error}", '[{"id": "3f2a9c1", "answer": "keep"}]', error=error
        ) from None
    given = given.get("doubts") if isinstance(given, dict) else given
    if not isinstance(given, list) or not all(isinstance(answer, dict) for answer in given):
        raise UsageError("the answers are not a list of objects", '[{"id": "3f2a9c1", "answer": "keep"}]')
    return given


def _print_doubt(terminal: Terminal, doubt: Doubt) -> None:
    """Print a question, and a numbered line for each thing that it is about."""
    kind = f"{terminal.translate(doubt.kind)}{terminal.speech.colon}"
    terminal.out(f"{terminal.paint(doubt.id, YELLOW)} {kind}{terminal.translate(doubt.why)}")
    rows = [
        [str(entry.day or ""), f"{entry.id} {one_line(entry.place)}", one_line(entry.words)] for entry in doubt.entries
    ]
    if change := doubt.change:
        rows = [[terminal.translate("known"), "", one_line(f"{change.key}: {change.had}")]] if change.had else []
        rows += [[terminal.translate("said" if change.had else change.kind), change.day, one_line(change.summary)]]
    said, heard = terminal.translate, doubt.heard
    rows += [[said(heard.kind), heard.at[:10], one_line(heard.summary)]] if heard else []
    rows += [[said(p.source), f"{p.confidence:g}", one_line(f"{p.key}: {p.value}")] for p in doubt.preferences]
    terminal.table([[f"  {number}", *row] for number, row in enumerate(rows, 1)], ("", DIM, DIM, ""), clip=True)


def _doubt_as_json(doubt: Doubt) -> dict[str, Any]:
    finding: Any = doubt.heard  # the feature that asks defines this dataclass
    return {
        "id": doubt.id,
        "kind": doubt.kind,
        "why": doubt.why,
        "choices": doubt.choices,
        "memories": [render.as_json(entry) for entry in doubt.entries],
        "preferences": [preference._asdict() for preference in doubt.preferences],
        "change": asdict(doubt.change) if doubt.change else None,
        **{kind: asdict(finding) if doubt.kind == kind else None for kind in contributions.names_of("questions")},
    }
