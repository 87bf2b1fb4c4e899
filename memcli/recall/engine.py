"""The door: one question in, one block out."""

from __future__ import annotations

from collections.abc import Callable, Container
from datetime import date
from time import perf_counter
from typing import NamedTuple

from memcli.errors import UsageError
from memcli.recall import block, direct, layers, likelihood, missed, query, select
from memcli.recall.block import Block
from memcli.recall.direct import Fact
from memcli.recall.likelihood import Ending
from memcli.recall.paths import PATHS
from memcli.recall.query import Query
from memcli.recall.readings import Reading, dates_line, readings
from memcli.recall.score import PRESETS, Scored, kinds, score, weights
from memcli.recall.searched import Searched
from memcli.recall.select import Chosen
from memcli.text import tokens
from memcli.vault import journal, layout, profile, snapshots
from memcli.vault.entries import Entry
from memcli.vault.vault import Filter, Vault, leaves

EXPECTED = 30  # memories that usually fit; the pool for diversity is three times that
FAINT = 0.2  # of the best score: below that, what has no word of the question itself only fills up
LATEST = 12  # memories shown when nothing matched
DATES_SHARE = 0.25  # of the budget: in a smaller one the block does not say how dates were read


class Request(NamedTuple):
    """A question, and what the flags say about the answer."""

    query: str
    budget: int | None = None
    most: int | None = None  # memories
    since: date | None = None
    until: date | None = None
    tags: tuple[str, ...] = ()
    path: str = ""
    format: str = "md"
    semantic: bool | None = None  # None: as `recall.semantic` says
    fill: bool | None = None  # the budget, also with what is unlikely to help; None: as `recall.fill` says


class Sought(NamedTuple):
    """What a question found, ranked, and not yet packed into a budget."""

    vault: Vault
    request: Request
    budget: int
    facts: list[Fact]
    fresh: list[Entry]
    ranked: list[Scored]
    most: int
    matched: bool
    note: str  # what is not in memory
    search: Searched
    ending: Ending
    dates: tuple[Reading, ...] = ()

    @property
    def shape(self) -> str:
        return self.request.format if self.request.format != "json" else "md"


def recall(vault: Vault, request: Request) -> Block:
    """The best memories for a question, within the budget."""
    began = perf_counter()
    sought = vault.steadily(lambda: _seek(vault, request, hints=not _means_more(vault, request)))
    if not sought.matched and _means_more(vault, request):
        sought = vault.steadily(lambda: _seek(vault, request._replace(semantic=True), hints=True))
    block = pack(sought, sought.budget, tokens.counter(vault.settings.recall.encoding))
    counted(block, vault, sought.budget, "watched" if vault.stays else "cold", perf_counter() - began)
    return block


def counted(block: Block, vault: Vault, budget: int, way: str, seconds: float) -> None:
    """For `mem stats`: how it came about, how long it took, what it cost, and which memories are in it."""
    shown = ",".join(journal.mark(each.scored.entry.raw) for each in block.chosen)
    journal.count(vault, "recall", way, f"{seconds * 1000:.1f}", block.tokens, budget, int(block.matched), shown)


def seek(vault: Vault, request: Request) -> Sought:
    """The first half of a recall, for who has more to count: the table of tokens is loaded once for all of it. That
    nothing matches is not looked into."""
    return vault.steadily(lambda: _seek(vault, request, hints=False))


def _seek(vault: Vault, request: Request, hints: bool) -> Sought:
    budget = vault.settings.recall.budget if request.budget is None else request.budget
    if request.format not in block.FORMATS:
        raise UsageError(f"--format {request.format}: one of {', '.join(block.FORMATS)}")
    if leaves(request.path):
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
    answered = fill or (likelihood.answered(search, found, known) and not (known and asked.open))
    relevant, ending = _likely(search, found, request.most, fill) if answered else ([], Ending("nothing", len(found)))
    latest = not known and (asked.empty or (not relevant and _asks_for_the_latest(search)))
    fresh = []
    if vault.settings.recall.direct and request.most is None:  # else so many are the best ones
        near = {each.entry for each in found if each.said or likelihood.leads_to(each)} if answered else set()
        fresh = [entry for entry in direct.fresh(search) if fill or latest or entry in near]
    ranked: list[Scored] = []
    if relevant:
        ranked = _in_order(search, relevant, request.most)
    elif latest or fill:
        ranked = _latest(search, LATEST if request.most is None else request.most)
    most = request.most if request.most is not None else len(ranked) + len(fresh)
    if vault.settings.recall.preset == "layered":
        most = min(most, layers.MOST)
    matched = bool(relevant or any(fact.answers for fact in facts) or (latest and ranked))
    note = "" if matched else block.NOTHING
    if dates and not (known or any(reading.noted for reading in dates)):
        note = block.not_noted(asked.spans)
    if hints and not (matched or asked.empty):
        missed.tell(search)
    return Sought(vault, request, budget, facts, fresh, ranked, most, matched, note, search, ending, dates)


def _led_to(ranked: list[Scored]) -> list[Scored]:
    """All that something of the question leads to, the best first."""
    return [each for each in ranked if each.relevant and (each.said or each.score >= FAINT * ranked[0].score)]


def _likely(search: Searched, found: list[Scored], most: int | None, fill: bool) -> tuple[list[Scored], Ending]:
    """Those that are likely to help. A day, a tag or the open tasks are meant as a whole when nothing else is named;
    who wants so many gets so many; and the other presets have sizes of their own."""
    asked = search.query
    whole = asked.open and (asked.spans or asked.tags or asked.kind == "task")
    if fill or whole or most is not None or search.vault.settings.recall.preset != "default":
        return found, Ending()
    return likelihood.helpful(search, found)


def _in_order(search: Searched, relevant: list[Scored], most: int | None) -> list[Scored]:
    """The order in which they get their room."""
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
    when = vault.settings.recall.semantic
    return (
        request.semantic
        if request.semantic is not None
        else when == "always" or (when == "auto" and bool(vault.vectors))
    )


def _means_more(vault: Vault, request: Request) -> bool:
    """Whether meaning is asked where words find nothing: a model is chosen, and it costs seconds to load it here."""
    chosen = bool(vault.settings.index.model) and vault.settings.recall.semantic == "auto"
    return chosen and request.semantic is None and not vault.vectors and bool(request.query.strip())


def searched(vault: Vault, query: Query, want: Filter, semantic: bool = False) -> Searched:
    """The vault searched once for all that the paths look for."""
    paths = vault.files(want)
    looks = [look for path in PATHS for look in path.looks(query)]
    return Searched(vault, query, want, paths, vault.search(paths, query.terms, looks), semantic)


def candidates(search: Searched) -> list[Scored]:
    """What the paths bring, scored, best first."""
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
    """The latest entries, for a question that nothing matches or none at all; what lies ahead comes last."""
    today = search.today

    def age(day: date | None) -> tuple[bool, date]:
        return (day is not None and day <= today, day or date.min)

    found: list[Entry] = []
    for path in sorted(search.paths, key=lambda path: age(layout.day_of(path)), reverse=True):
        found += search.entries(path)
        if len(found) >= most:
            break
    found.sort(key=lambda e: (age(e.day), e.time or "", e.line), reverse=True)
    return [_unscored(entry, "time") for entry in found]


def _unscored(entry: Entry, path: str) -> Scored:
    """A memory that nothing in the question leads to."""
    return Scored(entry, 0.0, dict.fromkeys(PRESETS["default"], 0.0), (path,), ())


def pack(sought: Sought, budget: int, count: Callable[[str], int], said: Container[str] = ()) -> Block:
    """Fill the budget best first, then make sure of it: the whole text is counted, and what is over is dropped. The
    preferences whose keys are `said` already need no place."""
    request, shape, ranked, note = sought.request, sought.shape, sought.ranked, sought.note
    facts = [fact for fact in sought.facts if fact.preference not in said]

    def cost(scored: Scored, text: str, opens: bool) -> int:
        return count(block.piece(shape, Chosen(scored, text), opens))

    def fact_cost(fact: Fact) -> int:
        return count(block.fact_piece(shape, fact))

    def packed(ranked: list[Scored], room: int, most: int = sought.most) -> list[Chosen]:
        head = lambda each: block.group(each.entry)  # noqa: E731
        return select.pack(ranked, room, most, cost, block.shown, head, sought.search.query.spots)

    rank = {each.entry: at for at, each in enumerate(ranked)}

    def rendered() -> tuple[list[Chosen], str, int]:
        every = sorted([*chosen, *kept], key=lambda each: rank.get(each.scored.entry, len(rank)))
        text = block.render(shape, facts, every, note, dates)
        return every, text, count(text)

    dates = dates_line(sought.dates)
    if dates and count(block.render(shape, [], [], note, dates)) > budget * DATES_SHARE:
        dates = ""
    if count(block.render(shape, [], [], note)) > budget:
        return Block(request.query, request.format, "", 0, (), (), sought.matched, len(ranked))
    facts = direct.within(facts, budget, fact_cost)
    room = budget - count(block.render(shape, facts, [], note, dates))
    known = [ranked[rank[entry]] if entry in rank else _unscored(entry, "direct") for entry in sought.fresh]
    kept = [found for each in known for found in packed([each], min(room, int(budget * direct.FRESH_SHARE)))]
    kept = [each for each in kept if not each.cut or each.text.endswith(" …")]  # half a sentence helps nobody
    room -= sum(cost(each.scored, each.text, True) for each in kept)
    whole = {each.scored.entry for each in kept if not each.cut}
    chosen = packed([each for each in ranked if each.entry not in whole], room, sought.most - len(kept))
    kept = [each for each in kept if each.scored.entry not in {other.scored.entry for other in chosen}]
    every, text, used = rendered()
    while used > budget and every + facts:  # the parts were counted apart; the sum is what binds
        if len(chosen) > 1:
            chosen = chosen[:-1]
        elif chosen:
            room -= used - budget
            chosen = packed([chosen[0].scored], room)
        elif kept:
            kept = kept[:-1]
        else:
            facts = facts[:-1]
        every, text, used = rendered()
    ending = sought.ending
    if left := len({*rank} - {each.scored.entry for each in every}):
        ending = Ending("budget" if request.most is None else "number", left + ending.left, ending.likeliest)
    return Block(
        request.query, request.format, text, used, tuple(facts), tuple(every), sought.matched,
        len({*rank, *sought.fresh}), weights(sought.search), tuple(kinds(sought.search.query)), ending, sought.dates,
    )  # fmt: skip
