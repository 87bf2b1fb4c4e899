"""The door: one question in, one block out."""

from __future__ import annotations

from datetime import date
from time import perf_counter

from memcli.errors import UsageError
from memcli.recall import block, current, direct, layers, likelihood, missed, query, select
from memcli.recall.block import Block
from memcli.recall.likelihood import Ending
from memcli.recall.packing import pack, unscored
from memcli.recall.paths import PATHS
from memcli.recall.query import Query
from memcli.recall.readings import readings
from memcli.recall.score import Scored, score, weights
from memcli.recall.searched import Searched
from memcli.recall.sought import Request, Sought
from memcli.text import tokens
from memcli.vault import journal, layout, profile, snapshots
from memcli.vault.entries import Entry
from memcli.vault.vault import Filter, Vault

EXPECTED = 30  # memories that usually fit; the pool for diversity is three times that
FAINT = 0.2  # of the best score: below that, what has no word of the question itself only fills up
LATEST = 12  # memories shown when nothing matched


def recall(vault: Vault, request: Request) -> Block:
    """Return the best memories for a question, within the budget."""
    began = perf_counter()
    sought = vault.steadily(lambda: _seek(vault, request, hints=True))
    block = pack(sought, sought.budget, tokens.counter(vault.settings.recall.encoding))
    counted(block, vault, sought.budget, "watched" if vault.stays else "cold", perf_counter() - began)
    return block


def counted(block: Block, vault: Vault, budget: int, way: str, seconds: float) -> None:
    """For `mem stats`: how it came about, how long it took, what it cost, and which memories are in it."""
    shown = ",".join(journal.mark(each.scored.entry.raw) for each in block.chosen)
    journal.count(vault, "recall", way, f"{seconds * 1000:.1f}", block.tokens, budget, int(block.matched), shown)


def seek(vault: Vault, request: Request) -> Sought:
    """Search and rank without packing, for callers that share one token counter. Give no hints when nothing matches."""
    return vault.steadily(lambda: _seek(vault, request, hints=False))


def _seek(vault: Vault, request: Request, hints: bool) -> Sought:
    budget = vault.settings.recall.budget if request.budget is None else request.budget
    if request.format not in block.FORMATS:
        raise UsageError(f"--format {request.format}: one of {', '.join(block.FORMATS)}")
    if layout.leaves(request.path):
        raise UsageError(
            f"--path {request.path} leads out of the vault", "a file, folder or glob within it: --path notes/"
        )
    if budget < 0 or (request.most is not None and request.most < 0):
        raise UsageError("a budget can't be negative")
    asked = query.parse(request.query, vault.today, direct.tag_words(vault))
    if asked.empty:
        asked = asked._replace(tags=request.tags)  # without a question the filter is what is asked for
    want = Filter(request.since, request.until, request.tags, asked.types, request.path or asked.path)
    search = searched(vault, asked, want, _by_meaning(vault, request))
    fill = vault.settings.recall.fill if request.fill is None else request.fill
    facts = [fact for fact in direct.read(vault, asked) if fact.near or fill] if vault.settings.recall.direct else []
    known = any(fact.source == profile.FILE and fact.answers for fact in facts)  # who the user is answers by itself
    reached = candidates(search)
    dates = readings(search, (scored.entry for scored in reached))
    found = _led_to(reached)
    answered = fill or (
        likelihood.answered(search, found, known, any(fact.answers for fact in facts)) and not (known and asked.open)
    )
    early = _ends_early(search, request.most, fill)
    relevant, ending = found, Ending()
    if not answered:
        relevant, ending = [], Ending("nothing", len(found))
    elif early:
        relevant, ending = likelihood.helpful(found)
    layered = vault.settings.recall.preset == "layered"
    latest = not known and (asked.empty or (not relevant and (layered or _asks_for_the_latest(search))))
    fresh = []
    if vault.settings.recall.direct and request.most is None:  # else so many are the best ones
        near = {each.entry for each in found if each.said or likelihood.leads_to(each)} if answered else set()
        fresh = [entry for entry in direct.fresh(search) if fill or latest or entry in near]
    ranked: list[Scored] = []
    newer = current.newer_ones(relevant) if early and not asked.spans else {}
    if relevant:
        ranked = current.newest_first(_in_order(search, relevant, request.most), newer)
    elif layered and latest:  # the latest memories are a part of their own, whatever the words
        ranked = _in_order(search, [], request.most)
    elif latest or fill:
        ranked = _latest(search, LATEST if request.most is None else request.most)
    most = request.most if request.most is not None else len(ranked) + len(fresh)
    if layered:
        most = min(most, layers.MOST)
    matched = bool(relevant or any(fact.answers for fact in facts) or (latest and ranked))
    note = "" if matched else block.NOTHING
    if dates and not (known or any(reading.noted for reading in dates)):
        note = block.not_noted(asked.named_spans)
    if hints and not (matched or asked.empty):
        missed.tell(search)
    return Sought(
        vault, request, budget, facts, fresh, ranked, most, matched, note, search, ending, dates,
        early and bool(relevant), newer,
    )  # fmt: skip


def _led_to(ranked: list[Scored]) -> list[Scored]:
    """All that something of the question leads to, the best first."""
    return [each for each in ranked if each.relevant and (each.said or each.score >= FAINT * ranked[0].score)]


def _ends_early(search: Searched, most: int | None, fill: bool) -> bool:
    """Return whether the block ends with what is likely to help. A day, a tag or the open tasks are meant as a whole
    when nothing else is named; `most` is a number that was asked for; the other presets have sizes of their own."""
    asked = search.query
    whole = asked.open and (asked.spans or asked.tags or asked.kind == "task")
    return not (fill or whole or most is not None or search.vault.settings.recall.preset != "default")


def _in_order(search: Searched, relevant: list[Scored], most: int | None) -> list[Scored]:
    """Return the memories in the order in which they get their room."""
    settings = search.vault.settings.recall
    if settings.preset == "layered":
        return layers.layered(relevant, _latest(search, layers.RECENT), settings.mmr)
    return select.diverse(relevant, most or EXPECTED, settings.mmr)


def _asks_for_the_latest(search: Searched) -> bool:
    """Whether the latest notes answer a question that names nothing: what did I do lately, what is left to do."""
    asked, today = search.query, search.today
    now = any(span.first <= today <= span.last for span in asked.spans)
    return asked.open and (now or (asked.kind in ("recent", "task") and not asked.spans))


def _by_meaning(vault: Vault, request: Request) -> bool:
    """Return whether to search by meaning, too: as the request says, else whenever a model is chosen."""
    if request.semantic is not None:
        return request.semantic
    when = vault.settings.recall.semantic
    return when == "always" or (when == "auto" and bool(vault.settings.index.model))


def searched(vault: Vault, query: Query, want: Filter, semantic: bool = False) -> Searched:
    """Search the vault once for all that the paths look for."""
    paths = vault.files(want)
    looks = [look for path in PATHS for look in path.looks(query)]
    return Searched(vault, query, want, paths, vault.search(paths, query.terms, looks), semantic)


def candidates(search: Searched) -> list[Scored]:
    """Return what the paths bring, scored, best first."""
    weights(search)  # a wrong weight is said before any work is done
    by_path: dict[str, list[Entry]] = {path.name: list(path.find(search)) for path in PATHS}
    return _few_snapshots(search, score(search, by_path))


def _few_snapshots(search: Searched, ranked: list[Scored]) -> list[Scored]:
    """Without those snapshots that are too many. Who names a place gets what lies there."""
    found: dict[str, float] = {}
    for each in ranked:
        if each.entry.kind == "snapshot":
            found.setdefault(each.entry.path, each.score * search.faded(each.entry.path))
    if len(found) <= snapshots.MOST or search.want.path:
        return ranked
    kept = snapshots.best(search.query.raw, found, found.__getitem__, search.text)
    return [each for each in ranked if each.entry.kind != "snapshot" or each.entry.path in kept]


def _latest(search: Searched, most: int) -> list[Scored]:
    """Return the latest entries, for a question that nothing matches; what lies ahead comes last."""
    today = search.today

    def age(day: date | None) -> tuple[bool, date]:
        return (day is not None and day <= today, day or date.min)

    found: list[Entry] = []
    for path in sorted(search.paths, key=lambda path: age(layout.day_of(path)), reverse=True):
        found += search.entries(path)
        if len(found) >= most:
            break
    found.sort(key=lambda e: (age(e.day), e.time or "", e.line), reverse=True)
    return [unscored(entry, "time") for entry in found]
