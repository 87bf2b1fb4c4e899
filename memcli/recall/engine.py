"""Turn one question into one block: search, rank, choose, pack."""

from __future__ import annotations

from datetime import date
from functools import partial
from time import perf_counter
from typing import NamedTuple

from memcli.errors import UsageError
from memcli.recall import (
    asked_for,
    block,
    current,
    direct,
    layers,
    likelihood,
    other_names,
    query,
    select,
    spelling_hints,
)
from memcli.recall.block import Block
from memcli.recall.direct import Fact
from memcli.recall.likelihood import BlockEnding
from memcli.recall.packing import make_unscored, pack
from memcli.recall.paths import PATHS
from memcli.recall.paths.semantic import measure_texts
from memcli.recall.query import Query
from memcli.recall.readings import read_dates
from memcli.recall.request import Request, SearchResult
from memcli.recall.score import ScoredMemory, score
from memcli.recall.search_state import VaultSearch
from memcli.text import tokens
from memcli.text.clean import one_line
from memcli.vault import journal, layout, profile, snapshots
from memcli.vault.entries import Entry
from memcli.vault.vault import Filter, Vault

USUAL_NUMBER = 30  # memories that usually fit; the pool for diversity is three times that
MOST_LATEST = 12  # memories shown when nothing matched


def recall(vault: Vault, request: Request) -> Block:
    """Return the best memories for a question, within the budget."""
    began = perf_counter()
    result = vault.steadily(lambda: _seek(vault, request, hints=True))
    block = pack(result, result.budget, tokens.counter(vault.settings.recall.encoding))
    record_recall(block, vault, result.budget, "watched" if vault.stays else "cold", perf_counter() - began)
    return block


def record_recall(block: Block, vault: Vault, budget: int, process: str, seconds: float) -> None:
    """Record for `mem stats` how the block came about, how long it took, what it cost, and which memories are in it."""
    shown = ",".join(journal.mark(each.scored.entry.raw) for each in block.chosen)
    journal.count(vault, "recall", process, f"{seconds * 1000:.1f}", block.tokens, budget, int(block.matched), shown)


def seek(vault: Vault, request: Request) -> SearchResult:
    """Search and rank without packing, for callers that share one token counter. Give no hints when nothing matches."""
    return vault.steadily(lambda: _seek(vault, request, hints=False))


def _seek(vault: Vault, request: Request, hints: bool) -> SearchResult:
    budget = _check_request(vault, request)
    fill = vault.settings.recall.fill if request.fill is None else request.fill
    search = _start_search(vault, request)
    candidates = find_candidates(search)
    dates = read_dates(search, (scored.entry for scored in candidates))
    facts = _find_facts(search, fill)
    found = _select(search, request, asked_for.keep_asked(search, candidates, fill), facts, fill)
    matched = bool(found.relevant or any(fact.answers for fact in facts) or (found.shows_latest and found.ranked))
    note = "" if matched else block.NOTHING
    if dates and search.want == Filter() and not (_is_in_profile(facts) or any(reading.noted for reading in dates)):
        note = block.nothing_noted_line(search.query.named_spans)
    if hints and not (matched or search.query.empty):
        if respelt := spelling_hints.add_hints(search):
            return _seek(vault, request._replace(query=respelt), hints)
    elif hints and search.query.empty and _is_no_question(request.query.strip()):
        vault.notice(
            "'{words}' has no word to search for; these are the latest memories", words=one_line(request.query, 40)
        )
    most = request.most if request.most is not None else len(found.ranked) + len(found.fresh)
    if vault.settings.recall.preset == "layered":
        most = min(most, layers.MOST)
    return SearchResult(
        vault, request, budget, facts, found.fresh, found.ranked, most, matched, note, search, found.ending, dates,
        found.ends_early and bool(found.relevant), found.newer,
    )  # fmt: skip


def _is_no_question(words: str) -> bool:
    """Return whether words are no question but a slip: a letter, 的, a question mark, a picture."""
    return bool(words) and (len(words) <= 2 or not any(map(str.isalnum, words)))


def _check_request(vault: Vault, request: Request) -> int:
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


def _start_search(vault: Vault, request: Request) -> VaultSearch:
    """Read the question and search the vault for it, within the filters of the request."""
    question = query.parse(request.query, vault.today, direct.read_tag_words(vault))
    if vault.settings.recall.direct:
        question = other_names.add_other_names(question, direct.read_labels(vault))
    if question.empty:
        question = question._replace(tags=request.tags)  # without a question, the filter is the question
    filters = Filter(request.since, request.until, request.tags, question.types, request.path or question.path)
    return search_vault(vault, question, filters, _uses_meaning(vault, request))


class _Selection(NamedTuple):
    """Hold which memories compete for the budget, in which order, and why."""

    relevant: list[ScoredMemory]  # those that are likely to help
    ranked: list[ScoredMemory]  # those to show, in the order in which they are packed into the budget
    fresh: list[Entry]  # the latest snapshots
    ending: BlockEnding
    newer: dict[Entry, ScoredMemory]  # what a newer memory says on the subject of an older one
    ends_early: bool  # whether the block ends after the likely memories, even when the budget is not full
    shows_latest: bool  # whether the latest memories are shown because no word matches


def _find_facts(search: VaultSearch, fill: bool) -> list[Fact]:
    """Return the facts that are related to the question, or all of them with `fill`."""
    if not search.vault.settings.recall.direct:
        return []
    facts = direct.find_facts(search.vault, search.query, partial(measure_texts, search))
    return [fact for fact in facts if fact.near or fill]


def _is_in_profile(facts: list[Fact]) -> bool:
    """Return whether the profile answers the question, which then needs no memory."""
    return any(fact.source == profile.FILE and fact.answers for fact in facts)


def _select(
    search: VaultSearch, request: Request, found: list[ScoredMemory], facts: list[Fact], fill: bool
) -> _Selection:
    """Choose the memories to show among those found."""
    question, is_layered = search.query, search.vault.settings.recall.preset == "layered"
    is_known = _is_in_profile(facts)
    partly = any(fact.answers and fact.is_named for fact in facts)
    is_answered = fill or (
        likelihood.is_answered(search, found, is_known, partly) and not (is_known and question.is_general)
    )
    ends_early = _ends_early(search, request.most, fill)
    relevant, ending = found, BlockEnding()
    if question.kind == "who" and question.is_general and profile.FILE in search.paths and not fill:
        relevant = [make_unscored(entry, "direct") for entry in search.entries(profile.FILE)]  # what it says in prose
    elif not is_answered:
        relevant, ending = [], BlockEnding("nothing", len(found))
    elif ends_early:
        relevant, ending = likelihood.helpful_memories(found)
    asks_latest = question.empty or (not relevant and (is_layered or _asks_for_the_latest(search)))
    shows_latest = asks_latest and not is_known
    fresh = []
    if search.vault.settings.recall.direct and request.most is None:  # `most` counts the best ones alone
        fresh = direct.find_latest_snapshots(search)
        if not (fill or shows_latest):
            fresh = [entry for entry in fresh if is_answered and _is_led_to(entry, found)]
    asks_what_was = bool(question.spans) and not question.says("holds")  # "do backups run on Sunday" asks what is
    newer: dict[Entry, ScoredMemory] = {}
    if ends_early and not asks_what_was:
        newer = current.find_newer(search, relevant, found)
    elif not asks_what_was:
        newer = current.find_successors(search, relevant[: request.most], found)
    ranked: list[ScoredMemory] = []
    if relevant or (is_layered and shows_latest):  # a layered block has a layer for the latest memories
        ranked = current.put_newest_first(_order(search, relevant, request.most), newer)
        if ends_early and not asks_what_was:
            ranked, newer = current.add_told_later(search, ranked, newer, relevant[0])
    elif shows_latest or fill:
        ranked = _find_latest(search, MOST_LATEST if request.most is None else request.most)
    return _Selection(relevant, ranked, fresh, ending, newer, ends_early, shows_latest)


def _is_led_to(entry: Entry, found: list[ScoredMemory]) -> bool:
    """Return whether a word, a tag or another part of the question leads to an entry."""
    return any(each.matched or likelihood.find_strongest_part(each) for each in found if each.entry == entry)


def _ends_early(search: VaultSearch, most: int | None, fill: bool) -> bool:
    """Return whether the block ends after the likely memories. It does not when the question only names a day, a tag,
    the open tasks or the decisions, which means all of them; when `most` gives a number; or in presets with a size of
    their own."""
    question = search.query
    names_many = bool(question.spans or question.tags or question.task)
    wants_all = question.wants_decisions or (names_many and question.is_general)
    return not (fill or wants_all or most is not None or search.vault.settings.recall.preset != "default")


def _order(search: VaultSearch, relevant: list[ScoredMemory], most: int | None) -> list[ScoredMemory]:
    """Return the memories in the order in which they are packed into the budget."""
    settings = search.vault.settings.recall
    if settings.preset == "layered":
        return layers.choose_by_layer(relevant, _find_latest(search, layers.RECENT), settings.mmr)
    chosen = select.order_diverse(relevant, most or USUAL_NUMBER, settings.mmr)
    return asked_for.order_by_day(search.query, chosen) if asked_for.wants_all_tasks(search.query) else chosen


def _asks_for_the_latest(search: VaultSearch) -> bool:
    """Return whether the latest notes answer a question that names nothing, like what did I do lately."""
    question, today = search.query, search.today
    is_about_now = any(span.first <= today <= span.last for span in question.spans)
    return question.is_general and (is_about_now or (question.kind in ("recent", "task") and not question.spans))


def _uses_meaning(vault: Vault, request: Request) -> bool:
    """Return whether to search by meaning, too: as the request says, else as `recall.semantic` and the model do."""
    if request.semantic is not None:
        return request.semantic
    when = vault.settings.recall.semantic
    return when == "always" or (when == "auto" and bool(vault.settings.index.model))


def search_vault(vault: Vault, query: Query, filters: Filter, semantic: bool = False) -> VaultSearch:
    """Search the vault once for the words and patterns of all paths."""
    paths = vault.files(filters)
    patterns = [pattern for path in PATHS for pattern in path.looks(query)]
    return VaultSearch(vault, query, filters, paths, vault.search(paths, query.terms, patterns), semantic)


def find_candidates(search: VaultSearch) -> list[ScoredMemory]:
    """Return the candidates of all paths, scored, best first."""
    by_path: dict[str, list[Entry]] = {path.name: list(path.find(search)) for path in PATHS}
    return _limit_snapshots(search, score(search, by_path))


def _limit_snapshots(search: VaultSearch, ranked: list[ScoredMemory]) -> list[ScoredMemory]:
    """Drop snapshots beyond the limit for a question, unless `--path` names their folder."""
    found: dict[str, float] = {}
    for each in ranked:
        if each.entry.kind == "snapshot":
            found.setdefault(each.entry.path, each.score * search.snapshot_factor(each.entry.path))
    if len(found) <= snapshots.MOST or search.want.path:
        return ranked
    selected = snapshots.best(search.query.raw, found, found.__getitem__, search.text)
    return [each for each in ranked if each.entry.kind != "snapshot" or each.entry.path in selected]


def _find_latest(search: VaultSearch, most: int) -> list[ScoredMemory]:
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
    return [make_unscored(entry, "time") for entry in found]
