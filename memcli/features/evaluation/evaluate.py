"""Measure recall on the user's own questions: read cases, and return results with the reason of every miss.

The caller passes the clock that times a recall, and shows the results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from memcli.errors import MemError, UsageError, VaultError
from memcli.message import Message
from memcli.recall import Request, recall
from memcli.recall.block import Block
from memcli.recall.score import PRESETS
from memcli.recall.select import Choice
from memcli.text import tokens
from memcli.vault import files, layout, yaml_read
from memcli.vault.entries import Entry
from memcli.vault.settings import nearest
from memcli.vault.vault import Vault

ROOM = 1_000_000  # tokens: a block that leaves nothing out, to see the rank of a miss
_KEYS = ("ask", "want", "path", "paths", "not", "budget")

# Why a case failed.
UNFOUND = "not found"  # it is in the vault, but no path of recall leads there
ABSENT = "not in memory"  # nothing that recall reads says it
OUTSIDE = "outside the budget"  # found, but others came first
UNLIKELY = "left out as unlikely"  # found, but it hardly seemed to answer
CUT = "cut"  # the memory is in the block, but not all of its words
ELSEWHERE = "wrong file"  # it is said, but the file asked for isn't cited
UNWANTED = "unwanted"  # the block says what it must not


@dataclass(frozen=True)
class Case:
    """Hold a question, and what the block that answers it must contain."""

    ask: str
    want: tuple[str, ...] = ()  # texts, `id:3f2a9c1` or `^block-id`
    paths: tuple[str, ...] = ()  # files that must be cited
    never: tuple[str, ...] = ()  # texts that must not be there
    budget: int | None = None


@dataclass(frozen=True)
class Reason:
    kind: str
    what: str  # the text, id or path it is about
    detail: str = ""


@dataclass(frozen=True)
class CaseResult:
    """Hold how one case went."""

    case: Case
    found: int  # wanted texts that are there
    rank: int | None  # rank of the first wanted memory by score, from 1; a fact read directly has 1
    tokens: int
    seconds: float
    reasons: tuple[Reason, ...] = ()  # empty: the case passed

    @property
    def passed(self) -> bool:
        return not self.reasons


@dataclass(frozen=True)
class Report:
    """Hold the results of all cases under one preset, and their figures."""

    preset: str
    results: tuple[CaseResult, ...]

    @property
    def misses(self) -> list[CaseResult]:
        return [each for each in self.results if not each.passed]

    @property
    def accuracy(self) -> float:
        """Return the share of cases with all that was wanted and nothing that was not."""
        return _mean([float(each.passed) for each in self.results])

    @property
    def found_share(self) -> float:
        """Return the share of wanted texts that were found, over all cases."""
        wanted = sum(len(each.case.want) for each in self.results)
        return sum(each.found for each in self.results) / wanted if wanted else 1.0

    @property
    def reciprocal_rank(self) -> float:
        return _mean([1 / each.rank if each.rank else 0.0 for each in self.results if each.case.want])

    @property
    def token_sizes(self) -> tuple[float, int]:
        """Return the mean and the largest size of a block, in tokens."""
        return _mean([float(each.tokens) for each in self.results]), max((r.tokens for r in self.results), default=0)

    def latency(self, share: float) -> float:
        """Return the seconds within which this share of the recalls was done."""
        spent = sorted(each.seconds for each in self.results)
        return spent[max(0, ceil(share * len(spent)) - 1)] if spent else 0.0


def read_cases(text: str, name: str) -> list[Case]:
    """Return the cases of a YAML text. Raise UsageError, with the file and the case, when one makes no sense."""
    try:
        listed = yaml_read.load(text, name)
    except VaultError as error:  # it is what was given that is wrong, not the vault
        raise UsageError(error.message, error.hint) from None
    if not isinstance(listed, list) or not listed:
        raise UsageError(
            "{place}: expected a list of cases", f"- ask: …\n{' ' * 7}want: [a text of the memory]", place=name
        )
    return [_case(each, f"{name}: case {number}") for number, each in enumerate(listed, 1)]


def evaluate(
    vault: Vault, asked: Sequence[Case], timer: Callable[[], float], preset: str = "", budget: int | None = None
) -> Report:
    """Ask every question, under the vault's own preset or `preset`, and return the report. A case's own budget
    overrides `budget`."""
    if preset:
        vault = _under(vault, preset)
    tokens.encoding(vault.settings.recall.encoding)  # load the table first, so that no case is charged for it
    return Report(vault.settings.recall.preset, tuple(_ask(vault, case, timer, budget) for case in asked))


def _case(given: Any, where: str) -> Case:
    if not isinstance(given, dict):
        raise UsageError("{place}: expected 'ask: …' and 'want: …', found {what}", place=where, what=f"{given!r:.60}")
    if unknown := [str(key) for key in given if key not in _KEYS]:
        raise UsageError("{place}: unknown key '{key}'", nearest(unknown[0], list(_KEYS)), place=where, key=unknown[0])
    ask, budget = given.get("ask"), given.get("budget")
    if not isinstance(ask, str) or not ask.strip():
        raise UsageError("{place}: 'ask' must be a question", place=where)
    where += f" ('{ask:.40}')"
    if budget is not None and (not isinstance(budget, int) or isinstance(budget, bool) or budget < 0):
        raise UsageError("{place}: 'budget' must be a number of tokens, found {what}", place=where, what=repr(budget))
    want, never = _texts(given, "want", where), _texts(given, "not", where)
    paths = _texts(given, "path", where) + _texts(given, "paths", where)
    if not (want or never or paths):
        raise UsageError("{place}: says neither what is wanted nor where", "want: [a text of the memory]", place=where)
    return Case(ask, want, paths, never, budget)


def _texts(given: dict[Any, Any], key: str, where: str) -> tuple[str, ...]:
    value = given.get(key)
    listed = [] if value is None else value if isinstance(value, list) else [value]
    for each in listed:
        if not isinstance(each, str):
            raise UsageError(
                "{place}: '{key}' holds {what}, which is not text",
                "put it in quotes",
                place=where,
                key=key,
                what=f"{each!r:.60}",
            )
        if not each.strip():
            raise UsageError("{place}: '{key}' holds an empty text", place=where, key=key)
    return tuple(listed)


def _under(vault: Vault, preset: str) -> Vault:
    """Return the vault with another scoring formula."""
    if preset not in PRESETS:
        raise UsageError(
            "unknown preset '{name}'",
            nearest(preset, list(PRESETS)) or Message("one of: {names}", names=", ".join(PRESETS)),
            name=preset,
        )
    settings = vault.settings
    settings = settings._replace(recall=settings.recall.with_values(preset=preset))
    return vault.with_values(resolved=vault.resolved._replace(settings=settings))


def _ask(vault: Vault, case: Case, timer: Callable[[], float], budget: int | None) -> CaseResult:
    begun = timer()
    block = recall(vault, Request(case.ask, case.budget if case.budget is not None else budget))
    spent = timer() - begun
    there = [want for want in case.want if _block_has(block, want)]
    reasons = [
        *_missing(vault, case, block, [want for want in case.want if want not in there]),
        *(Reason(ELSEWHERE, path, _cited(block)) for path in case.paths if path not in _sources(block)),
        *(Reason(UNWANTED, text) for text in case.never if _block_has(block, text)),
    ]
    return CaseResult(case, len(there), _rank(block, case.want), block.tokens, spent, tuple(reasons))


def _block_has(block: Block, want: str) -> bool:
    """Return whether a block has a text, or the memory of that id."""
    return _has(block.text, [each.scored.entry for each in block.chosen], want)


def _rank(block: Block, wants: Sequence[str]) -> int | None:
    if any(_has(fact.text, [], want) for want in wants for fact in block.facts):
        return 1
    by_score = sorted(block.chosen, key=lambda each: -each.scored.score)
    return next((at for at, each in enumerate(by_score, 1) if any(_choice_has(each, want) for want in wants)), None)


def _choice_has(chosen: Choice, want: str) -> bool:
    return _has(chosen.text, [chosen.scored.entry], want)


def _missing(vault: Vault, case: Case, block: Block, wants: list[str]) -> Iterator[Reason]:
    """Yield why each text is not in the block: how an unlimited block ranks it, or where in the vault it is."""
    if not wants:
        return
    whole = recall(vault, Request(case.ask, ROOM, fill=True))
    for want in wants:
        cut = next((each for each in block.chosen if each.cut and _entry_has(each.scored.entry, want)), None)
        fact = next((each for each in whole.facts if _has(each.text, [], want)), None)
        ranked = whole.chosen if whole.matched else []
        rank = next((at for at, each in enumerate(ranked, 1) if _choice_has(each, want)), None)
        if cut:
            yield Reason(CUT, want, cut.scored.entry.place)
        elif fact:
            yield Reason(OUTSIDE, want, Message("{name}, past the share of direct reads", name=fact.source))
        elif rank:
            place = whole.chosen[rank - 1].scored.entry.place
            is_full = block.ending.why in ("budget", "number")
            yield Reason(
                OUTSIDE if is_full else UNLIKELY,
                want,
                Message("{place}, ranked {rank} where {n} fit", place=place, rank=rank, n=len(block.chosen)),
            )
        else:
            place = _place(vault, want)
            yield Reason(UNFOUND, want, place) if place else Reason(ABSENT, want)


def _place(vault: Vault, want: str) -> str:
    """Return where in the vault something stands, or ""."""
    if entry := next((each for each in vault.entries() if _entry_has(each, want)), None):
        return entry.place
    for path in ("USER.md", "preferences.yaml", "labels.yaml"):  # what `direct` reads
        try:
            if _has(files.read_or_empty(vault.root / path, path).text, [], want):
                return path
        except MemError as error:
            vault.notice(error.message)
    return ""


def _sources(block: Block) -> list[str]:
    """Return the files that a block cites, each once."""
    cited = [fact.source for fact in block.facts] + [each.scored.entry.path for each in block.chosen]
    return list(dict.fromkeys(cited))


def _cited(block: Block) -> str:
    sources = [path for path in _sources(block) if path.endswith(layout.MARKDOWN)]
    if not sources:
        return "cited: nothing"
    return Message("cited: {list}", list=", ".join(sources[:3]) + (" …" if len(sources) > 3 else ""))


def _entry_has(entry: Entry, want: str) -> bool:
    return _has(entry.words, [entry], want)


def _has(text: str, entries: Sequence[Entry], want: str) -> bool:
    """Return whether one of these entries has the wanted id, or the text has the wanted words."""
    if not want.startswith(("id:", "^")) or " " in want:
        return _one_spaced(want) in _one_spaced(text)
    name = want.removeprefix("id:").strip()
    is_hash = not name.startswith("^")
    return any(each.id == name or (is_hash and each.hash.startswith(name.lower())) for each in entries)


def _one_spaced(text: str) -> str:
    return " ".join(text.split())


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
