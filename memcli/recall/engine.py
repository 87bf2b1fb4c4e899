"""Turn one question into one block: search, rank, choose, pack."""

from __future__ import annotations

from datetime import date
from functools import partial
from time import perf_counter
from typing import NamedTuple

from memcli.errors import UsageError
from memcli.recall import block, current, direct, layers, likelihood, query, select, spelling_hints
from memcli.recall.block import Block
from memcli.recall.direct import Fact
from memcli.recall.likelihood import BlockEnding
from memcli.recall.packing import pack, unscored
from memcli.recall.paths import PATHS
from memcli.recall.paths.semantic import near_texts
from memcli.recall.query import Query
from memcli.recall.readings import readings
from memcli.recall.request import Request, SearchResult
from memcli.recall.score import ScoredMemory, score, weights
from memcli.recall.search_state import VaultSearch
from memcli.text import tokens
from memcli.vault import journal, layout, profile, snapshots
from memcli.vault.entries import Entry
from memcli.vault.vault import Filter, Vault

EXPECTED = 30  # memories that usually fit; the pool for diversity is three times that
FAINT = 0.2  # share of the best score; below it, memories without a word of the question are dropped
LATEST = 12  # memories shown when nothing matched


def recall(vault: Vault, request: Request) -> Block:
    """Return the best memories for a question, within the budget."""
    began = perf_counter()
    result = vault.steadily(lambda: _seek(vault, request, hints=True))
    block = pack(result, result.budget, tokens.counter(vault.settings.recall.encoding))
    record_recall(block, vault, result.budget, "watched" if vault.source.stays else "cold", perf_counter() - began)
    return block


def record_recall(block: Block, vault: Vault, budget: int, way: str, seconds: float) -> None:
    """Record for `mem stats` how the block came about, how long it took, what it cost, and which memories are in it."""
    shown = ",".join(journal.mark(each.scored.entry.raw) for each in block.chosen)
    journal.count(vault, "recall", way, f"{seconds * 1000:.1f}", block.tokens, budget, int(block.matched), shown)


def seek(vault: Vault, request: Request) -> SearchResult:
    """Search and rank without packing, for callers that share one token counter. Give no hints when nothing matches."""
    return vault.steadily(lambda: _seek(vault, request, hints=False))


def _seek(vault: Vault, request: Request, hints: bool) -> SearchResult:
    budget = _checked_budget(vault, request)
    fill = vault.settings.recall.fill if request.fill is None else request.fill
    search = _searched_for(vault, request)
    reached = find_candidates(search)
    dates = readings(search, (scored.entry for scored in reached))
    facts = (
        [fact for fact in direct.direct_facts(vault, search.query, partial(near_texts, search)) if fact.near or fill]
        if vault.settings.recall.direct
        else []
    )
    known = any(fact.source == profile.FILE and fact.answers for fact in facts)  # the profile alone may answer
    choice = _choose(search, request, _led_to(search, reached), facts, known, fill)
    matched = bool(choice.relevant or any(fact.answers for fact in facts) or (choice.latest and choice.ranked))
    note = "" if matched else block.NOTHING
    if dates and not (known or any(reading.noted for reading in dates)):
        note = block.nothing_noted_line(search.query.named_spans)
    if hints and not (matched or search.query.empty):
        spelling_hints.add_hints(search)
    most = request.most if request.most is not None else len(choice.ranked) + len(choice.fresh)
    if vault.settings.recall.preset == "layered":
        most = min(most, layers.MOST)
    return SearchResult(
        vault, request, budget, facts, choice.fresh, choice.ranked, most, matched, note, search, choice.ending, dates,
        choice.early and bool(choice.relevant), choice.newer,
    )  # fmt: skip


def _checked_budget(vault: Vault, request: Request) -> int:
    """Return the budget in force. Raise UsageError when a flag has no meaning."""
    budget = vault.settings.recall.budget if request.budget is None else request.budget
    if request.format not in block.FORMATS:
        raise UsageError("--format {given}: one of {names}", given=request.format, names=", ".join(block.FORMATS))
    if layout.leads_out(request.path):
        raise UsageError(
            "--path {path} leads out of the vault", "a file, folder or glob within it: --path notes/", path=request.path
        )
    if budget < 0:
        raise UsageError("a budget can't be negative")
    if request.most is not None and request.most < 0:
        raise UsageError("a number of memories can't be negative")
    return budget


def _searched_for(vault: Vault, request: Request) -> VaultSearch:
    """Read the question and search the vault for it, within the filters of the request."""
    asked = query.parse(request.query, vault.today, direct.tag_words(vault))
    if asked.empty:
        asked = asked._replace(tags=request.tags)  # without a question, the filter is the question
    want = Filter(request.since, request.until, request.tags, asked.types, request.path or asked.path)
    return search_vault(vault, asked, want, _by_meaning(vault, request))


class _Choice(NamedTuple):
    """Hold which memories compete for the budget, in which order, and why."""

    relevant: list[ScoredMemory]  # those that are likely to help
    ranked: list[ScoredMemory]  # those to show, in the order in which they are packed into the budget
    fresh: list[Entry]  # the latest snapshots
    ending: BlockEnding
    newer: dict[Entry, ScoredMemory]  # what a newer memory says on the subject of an older one
    early: bool  # whether the block ends after the likely memories, even when the budget is not full
    latest: bool  # whether the latest memories are shown because no word matches


def _choose(
    search: VaultSearch, request: Request, found: list[ScoredMemory], facts: list[Fact], known: bool, fill: bool
) -> _Choice:
    """Choose the memories to show among those found. `known` means that the profile already answers the question."""
    asked, layered = search.query, search.vault.settings.recall.preset == "layered"
    partly = any(fact.answers for fact in facts)
    answered = fill or (likelihood.is_answered(search, found, known, partly) and not (known and asked.is_general))
    early = _ends_early(search, request.most, fill)
    relevant, ending = found, BlockEnding()
    if not answered:
        relevant, ending = [], BlockEnding("nothing", len(found))
    elif early:
        relevant, ending = likelihood.helpful_memories(found)
    latest = not known and (asked.empty or (not relevant and (layered or _asks_for_the_latest(search))))
    fresh = []
    if search.vault.settings.recall.direct and request.most is None:  # `most` counts the best ones alone
        near = (
            {each.entry for each in found if each.matched or likelihood.find_strongest_part(each)}
            if answered
            else set()
        )
        fresh = [entry for entry in direct.latest_snapshots(search) if fill or latest or entry in near]
    newer = current.find_newer(search, relevant, found) if early and not asked.spans else {}
    ranked: list[ScoredMemory] = []
    if relevant or (layered and latest):  # a layered block has a layer for the latest memories
        ranked = current.newest_first(_in_order(search, relevant, request.most), newer)
    elif latest or fill:
        ranked = _latest(search, LATEST if request.most is None else request.most)
    return _Choice(relevant, ranked, fresh, ending, newer, early, latest)


def _led_to(search: VaultSearch, ranked: list[ScoredMemory]) -> list[ScoredMemory]:
    """Return the memories that match a part of the question, best first. For a question about days to come, leave out
    superseded plans."""
    ahead = any(span.first > search.today for span in search.query.spans)
    return [
        each for each in ranked
        if each.relevant and (each.matched or each.score >= FAINT * ranked[0].score)
        and not (ahead and each.entry.superseded)
    ]  # fmt: skip


def _ends_early(search: VaultSearch, most: int | None, fill: bool) -> bool:
    """Return whether the block ends after the likely memories. It does not when the question only names a day, a tag or
    the open tasks, which means all of them; when `most` gives a number; or in presets with a size of their own."""
    asked = search.query
    whole = asked.is_general and (asked.spans or asked.tags or asked.kind == "task")
    return not (fill or whole or most is not None or search.vault.settings.recall.preset != "default")


def _in_order(search: VaultSearch, relevant: list[ScoredMemory], most: int | None) -> list[ScoredMemory]:
    """Return the memories in the order in which they are packed into the budget."""
    settings = search.vault.settings.recall
    if settings.preset == "layered":
        return layers.layered(relevant, _latest(search, layers.RECENT), settings.mmr)
    return select.diverse(relevant, most or EXPECTED, settings.mmr)


def _asks_for_the_latest(search: VaultSearch) -> bool:
    """Return whether the latest notes answer a question that names nothing, like what did I do lately."""
    asked, today = search.query, search.today
    now = any(span.first <= today <= span.last for span in asked.spans)
    return asked.is_general and (now or (asked.kind in ("recent", "task") and not asked.spans))


def _by_meaning(vault: Vault, request: Request) -> bool:
    """Return whether to search by meaning, too: as the request says, else as `recall.semantic` and the model do."""
    if request.semantic is not None:
        return request.semantic
    when = vault.settings.recall.semantic
    return when == "always" or (when == "auto" and bool(vault.settings.index.model))


def search_vault(vault: Vault, query: Query, want: Filter, semantic: bool = False) -> VaultSearch:
    """Search the vault once for the words and patterns of all paths."""
    paths = vault.files(want)
    looks = [look for path in PATHS for look in path.looks(query)]
    return VaultSearch(vault, query, want, paths, vault.search(paths, query.terms, looks), semantic)


def find_candidates(search: VaultSearch) -> list[ScoredMemory]:
    """Return the candidates of all paths, scored, best first."""
    weights(search)  # raises for a wrong weight before any work is done
    by_path: dict[str, list[Entry]] = {path.name: list(path.find(search)) for path in PATHS}
    return _few_snapshots(search, score(search, by_path))


def _few_snapshots(search: VaultSearch, ranked: list[ScoredMemory]) -> list[ScoredMemory]:
    """Drop snapshots beyond the limit for a question, unless `--path` names their folder."""
    found: dict[str, float] = {}
    for each in ranked:
        if each.entry.kind == "snapshot":
            found.setdefault(each.entry.path, each.score * search.faded(each.entry.path))
    if len(found) <= snapshots.MOST or search.want.path:
        return ranked
    selected = snapshots.best(search.query.raw, found, found.__getitem__, search.text)
    return [each for each in ranked if each.entry.kind != "snapshot" or each.entry.path in selected]


def _latest(search: VaultSearch, most: int) -> list[ScoredMemory]:
    """Return the latest entries, for a question that nothing matches. Entries dated in the future come last."""
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
