"""Keep, of the candidates, what the question asks for: plans of its days, tasks, decisions, what has its tag."""

from __future__ import annotations

from memcli.recall.paths import tag
from memcli.recall.query import Query
from memcli.recall.score import ScoredMemory
from memcli.recall.search_state import VaultSearch
from memcli.recall.told_days import due_key, find_due, is_planned
from memcli.text import dates
from memcli.vault.entries import Entry

LEAST_SHARE = 0.2  # share of the best score; below it, memories without a word of the question are dropped


def keep_asked(search: VaultSearch, ranked: list[ScoredMemory], fill: bool) -> list[ScoredMemory]:
    """Return the memories that match a part of the question, best first. For a question about days to come, leave out
    superseded plans."""
    question = search.query
    ranked = ranked if fill else _keep_kind(question, ranked)
    is_about_plans, is_for_a_time = any(span.first > search.today for span in question.spans), question.is_for_a_time
    is_one_day = all(span.first == span.last for span in question.spans)
    # 中秋回了自贡, noted days before; 万圣节 30 号要穿自己做的衣服. In all of 国庆 a ticket for it is of another time.
    may_name_it = is_about_plans or is_one_day or not any("dated" in each.paths for each in ranked)
    return [
        each for each in ranked
        if each.relevant and (
            each.matched or each.score >= LEAST_SHARE * ranked[0].score or tag.is_asked(question, each.entry)
        )
        and not (is_about_plans and each.entry.superseded)
        and (fill or not is_for_a_time or "dated" in each.paths
             or (may_name_it and question.names_time_of(each.matched)))
    ]  # fmt: skip


def wants_all_tasks(question: Query) -> bool:
    return question.task == "open" and question.is_general


def find_tasks(question: Query, ranked: list[ScoredMemory]) -> list[ScoredMemory]:
    """Return the open tasks that a question asks for, the next one first, and the plans of its time."""
    live = [each for each in ranked if not each.entry.superseded]
    tasks = [each for each in live if each.entry.task == "open" and _is_due_in_time(question, each.entry)]
    return [*order_by_day(question, tasks), *(each for each in live if not each.entry.task and "dated" in each.paths)]


def order_by_day(question: Query, ranked: list[ScoredMemory]) -> list[ScoredMemory]:
    """Return the memories with the open tasks first that have a day, the next one foremost."""
    due = {each.entry: find_due(each.entry, question.today) for each in ranked if each.entry.task == "open"}
    return sorted(ranked, key=lambda each: due_key(due.get(each.entry)))


def _keep_kind(question: Query, ranked: list[ScoredMemory]) -> list[ScoredMemory]:
    """Return the memories of the kind that is asked for: open tasks that are due, finished ones, decisions, and what
    has the tag of a time. Whoever marks no decision, and who ticks no task, gets all of the time."""
    if question.task == "open":
        return [each for each in ranked if _is_due(question, each)]
    chosen = ranked
    if question.task == "done":
        chosen = [each for each in ranked if _is_finished(question, each)]
        return chosen if chosen or not question.spans else ranked
    if question.wants_decisions:
        chosen = [each for each in ranked if tag.is_asked(question, each.entry)]
    elif question.tags and question.spans and question.is_general:  # "#bees in November"
        chosen = [each for each in ranked if each.parts["tag"] and "dated" in each.paths]
    return chosen or ranked


def _is_finished(question: Query, found: ScoredMemory) -> bool:
    """Return whether a memory is a task that was done in the time of the question, or has a word of it."""
    return bool(found.matched if not question.is_general else tag.is_asked(question, found.entry))


def _is_due(question: Query, found: ScoredMemory) -> bool:
    """Return whether a memory is a task or a plan of the time in the question, or of its subject."""
    if question.tags or question.hinted_tags:
        return True
    if not question.is_general:
        return bool(found.matched)
    if found.entry.task == "open":
        return _is_due_in_time(question, found.entry)
    return not question.spans or any(is_planned(found.entry, span) for span in question.spans)


def _is_due_in_time(question: Query, task: Entry) -> bool:
    """Return whether an open task is due in the time of the question, or late by then. One without a day may be done
    at any time, and a time that is over means what was noted in it."""
    asks_late, today = question.says("overdue"), question.today
    coming = [span for span in question.spans if span.last >= today]
    due = find_due(task, today) if asks_late or coming else None
    if asks_late or not due:
        return not asks_late or (due is not None and due.last < today)
    first = due.last if dates.is_deadline(due.text) else due.first
    is_late = due.last < today and any(span.first <= today for span in coming)
    return is_late or any((first <= span.last and span.first <= due.last) or is_planned(task, span) for span in coming)
