"""Run all steps from a question to an answer with its evidence, or to evidence alone for a prompt."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from memcli.errors import MemError
from memcli.evidence import SCENES, Evidence, FoundEvidence, PlanStep, Want
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.features.ask.gather import SourceResult
    from memcli.features.ask.understand import Understood

IN_HAND = 3.0  # seconds reserved for starting, ranking and printing
READING, GATHERING = 0.2, 0.5  # with a model: shares of the time for understanding, and for all sources
MOST = 10
CONCERNS = 0.5  # share of a question's words that a document about roles or fiction must have
HELPS = 0.15  # the same for any other document, since every README has one word of a question
TURNS = 6  # the last turns of the session, which may explain what "it" is


@dataclass(frozen=True)
class AskRequest:
    """Hold a question with its flags."""

    query: str
    most: int = MOST
    want: Want = Want()
    only: tuple[str, ...] = ()  # sources
    session: str = ""
    evidence: bool = False  # no model is asked


@dataclass(frozen=True)
class AskResult:
    """Hold the evidence, the answer if there is a model, and the result of every step."""

    asked: Understood
    heard: tuple[SourceResult, ...] = ()
    items: tuple[Evidence, ...] = ()
    reranked: bool = False
    answer: str = ""  # "" when no model was asked or none answered
    cited: tuple[int, ...] = ()
    struck: tuple[int, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)  # of each step

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": 1,
            "query": self.asked.raw,
            "answer": self.answer,
            "cited": list(self.cited),
            "struck": list(self.struck),
            "evidence": [
                {"n": n, **asdict(item), "score": round(item.score, 6)} for n, item in enumerate(self.items, 1)
            ],
            "steps": {
                "understand": asdict(self.asked),
                "gather": [
                    {
                        **asdict(result.step), "found": len(result.found), "seconds": result.seconds,
                        "why_not": result.why_not,
                        "ids": [one.id for one in result.found],
                    }
                    for result in self.heard
                ],
                "reranked": self.reranked,
            },
            "seconds": dict(self.seconds),
        }  # fmt: skip


def ask(vault: Vault, request: AskRequest, hear: Callable[[str], None] | None = None) -> AskResult:
    """Answer a question: understand, plan, gather, rank, answer. `hear` gets the answer piece by piece as it comes."""
    from memcli import llm
    from memcli.features.ask import gather, plan, rank, understand
    from memcli.remember import redacted

    began = time.monotonic()
    seconds: dict[str, float] = {}
    given: float = vault.settings.of_feature("deep.seconds")
    whole = max(given / 2, given - IN_HAND)

    def left() -> float:
        return max(0.1, whole - (time.monotonic() - began))

    def timed(step: str) -> None:
        seconds[step] = round(time.monotonic() - began - sum(seconds.values()), 4)

    vault, before = _turns(vault, request.session)
    asked = understand.by_rules(request.query, vault.today, before)
    model = not request.evidence and llm.available(vault)
    if model and asked.intent in (understand.MEMORY, understand.KNOWLEDGE):
        asked = understand.by_model(_hurried(vault, whole * READING), asked, before)
    timed("understand")
    calls = plan.plan_steps(vault, asked, request.want, request.only)
    results = gather.gather(vault, calls, redacted, min(left(), whole * GATHERING) if model else left())
    timed("gather")
    ranked = rank.fuse([result.found for result in results], [result.step.weight for result in results])
    ranked, judged = rank.rerank(vault, asked.query, ranked, request.most)
    if model and vault.settings.of_feature("deep.weigh") and len(ranked) > 1:
        from memcli.features.ask import answer

        ranked = answer.weigh(_hurried(vault, left() / 2), asked.query, ranked[: rank.POOL * request.most])
    elif not judged:
        own = {step.source for step, config in calls if config["kind"] == "memory"}
        ranked = rank.own_first(ranked, asked.query, own)
    items = rank.choose(ranked, request.most, vault.settings.of_feature("deep.mmr"))
    timed("choose")
    done = AskResult(asked, tuple(results), tuple(items), judged, seconds=seconds)
    if calls and not items and asked.want != Want():
        vault.notice("only some documents were searched, as the question says: --explain shows which")
    if not (model and items):
        return done
    from memcli.features.ask import answer

    try:
        said = answer.write_answer(_hurried(vault, left()), asked.query, items, hear)
    except MemError as error:
        vault.notice("no answer, the evidence alone: {WHY}", WHY=error.message)
        return done
    timed("answer")
    return replace(done, answer=said.text.lstrip(), cited=tuple(sorted(said.cited)), struck=tuple(sorted(said.struck)))


def evidence(vault: Vault, query: str, budget: int = 300) -> FoundEvidence:
    """Return passages from this vault's documents about a question, in at most `budget` tokens.

    No model is asked. Without documents this returns at once.
    """
    from memcli import contributions

    shelves = [each for each in contributions.sources().values() if each.has_documents and each.has_documents(vault)]
    if budget <= 0 or not shelves:
        return FoundEvidence()
    from memcli.features.ask import page, rank, understand

    asked = understand.by_rules(query, vault.today)
    if asked.intent in (understand.TALK, understand.COMMAND):
        return FoundEvidence()
    lists = [each.find(vault, {"hurried": True}, PlanStep(each.name, asked.query, asked.want)) for each in shelves]
    near = set()
    for each in shelves if vault.vectors else ():  # a prompt can't wait for a model to load
        lists.append(each.find(vault, {"by": "meaning"}, PlanStep(each.name, asked.query, asked.want)))
        near |= {item.id for item in lists[-1]}
    concerned = [
        item
        for item in rank.fuse(lists)
        if (item.id in near and not _is_scene(item))
        or page.share_of_words(item, asked.query) >= (CONCERNS if _is_scene(item) else HELPS)
    ]
    items = rank.choose(concerned, MOST, vault.settings.of_feature("deep.mmr"))
    text, shown = page.brief_evidence(items, asked.query, budget, vault.settings.recall.encoding)
    return FoundEvidence(text, tuple(shown))


def find_passages(vault: Vault, arguments: Mapping[str, Any]) -> str:
    """Return passages from this vault's documents about a question, as text for an agent, or "".

    The vault's watcher searches if there is one, because it has the documents open.
    """
    question, budget = arguments["question"], arguments["budget"]
    items = None if vault.stays else _of_watcher(vault, question)
    if items is None:
        return evidence(vault, question, budget).text
    from memcli.features.ask import page

    return page.brief_evidence(items, question, budget, vault.settings.recall.encoding)[0]


def _of_watcher(vault: Vault, question: str) -> list[Evidence] | None:
    """Return the passages that the watcher found, or None if there is none or it failed."""
    from memcli.watch import wire

    words = ["ask", "--evidence", "--source=knowledge", "--json", "--", question]
    code, answered = wire.run(str(vault.root), words, vault.environ, str(vault.root)) or (0, "")
    if not answered or code:
        return None
    rows = json.loads(answered)["evidence"]
    return [Evidence(**{name: value for name, value in item.items() if name != "n"}) for item in rows]


def _is_scene(item: Evidence) -> bool:
    """Return whether a document describes roles or a fictional world.

    Such a document is used only when a question concerns it.
    """
    return str(item.meta.get("type", "")).lower() in SCENES


def _turns(vault: Vault, name: str) -> tuple[Vault, list[tuple[str, str]]]:
    """Return the vault as the agent of a session sees it, and the session's last turns.

    The flag or MEM_SESSION names the session.
    """
    if not (name or vault.environ.get("MEM_SESSION")):
        return vault, []
    from memcli import session

    found = session.find_session(vault, name)
    return vault.seen_by(found.agent), [(message.role, message.content) for message in found.messages[-TURNS:]]


def _hurried(vault: Vault, seconds: float) -> Vault:
    """Return the same vault with at most `seconds` for its model."""
    settings = vault.settings
    short = settings.llm.with_values(timeout=min(settings.llm.timeout, seconds))
    return vault.with_values(resolved=vault.resolved._replace(settings=settings._replace(llm=short)))
