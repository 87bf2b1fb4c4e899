"""Run a deep search in the background: queue it, let `mem watch` or `mem work` do it, and report when it is done.

Answers stay in `.mem/answers/` until they are read. They yield proposals like any other answer.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from memcli.errors import UsageError
from memcli.evidence import Want
from memcli.features.ask import page
from memcli.features.ask.pipeline import AskRequest, AskResult, ask
from memcli.message import Message
from memcli.remember import name_kinds, redacted
from memcli.text.clean import one_line
from memcli.text.digest import digest
from memcli.vault import cache_files, files, queue
from memcli.vault.vault import Vault

KIND = "ask"
FOLDER = "answers"  # in the cache, separate for each agent
_NEW, _READ = ".new.md", ".md"
_DAYS = ("since", "until")


def queue_question(vault: Vault, request: AskRequest) -> str:
    """Queue a question without its sensitive data, and return its name.

    The same question on one day is queued once.
    """
    facts = _gated(vault, asdict(request))
    facts["want"] = {name: str(day) if name in _DAYS and day else day for name, day in facts["want"].items()}
    name = digest(f"{vault.today} {facts}", 8)
    queue.queue_job(vault, KIND, name, {"name": name, "request": facts})
    return name


def _gated(vault: Vault, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the request as it may be written to disk, with a notice that says what was redacted."""
    rules, found = vars(vault.settings.gates), list[str]()

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(each) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return tuple(map(plain, value))
        if not isinstance(value, str):
            return value
        text, kinds = redacted(value, rules)
        found.extend(kinds)
        return text

    # A session is named by mem itself, and found by its name.
    gated = {key: each if key == "session" else plain(each) for key, each in facts.items()}
    if found:
        vault.notice("blacked out {KINDS}", KINDS=name_kinds(list(dict.fromkeys(found))))
    return gated


def work(vault: Vault, payload: dict[str, Any]) -> None:
    """Answer a question of the queue, and leave the answer among the unread ones."""
    facts = payload["request"]
    want: dict[str, Any] = {key: tuple(it) if isinstance(it, list) else it for key, it in facts["want"].items()}
    want |= {name: date.fromisoformat(want[name]) for name in _DAYS if want[name]}
    request = AskRequest(**{**facts, "want": Want(**want), "only": tuple(facts["only"])})
    text = as_text(request.query, ask(vault, request))
    place = _folder(vault) / f"{payload['name']}{_NEW}"
    files.make_cache(vault.cache)
    files.make_folder(place.parent)
    files.write_file(place, text)


def as_text(query: str, answered: AskResult) -> str:
    """Return the question and the answer with its sources, or the evidence when there is no answer."""
    if not answered.answer:
        return f"# {one_line(query)}\n\n{page.page(answered.items)}"
    sources = page.list_sources(answered.items, answered.cited) if answered.cited else page.UNCITED
    return f"# {one_line(query)}\n\n{answered.answer}\n\nSources:\n{sources}\n"


def unread_answers(vault: Vault) -> list[str]:
    """Return the names of the answers that nobody has read yet."""
    return [name.removesuffix(_NEW) for name in cache_files.names(_folder(vault), _NEW)]


def news(vault: Vault) -> list[str]:
    """Return a line for each answer that is ready."""
    return [
        Message("the answer {id} is there: mem ask --read {name}", id=name, name=name) for name in unread_answers(vault)
    ]


def read_answer(vault: Vault, name: str = "") -> str:
    """Return an answer by its name, or the first unread one, and mark it as read.

    Raise UsageError when there is none.
    """
    name = name or next(iter(unread_answers(vault)), "")
    folder = _folder(vault)
    for end in (_NEW, _READ):
        if f"{name}{end}" in cache_files.names(folder, end):
            text = files.read_file(folder / f"{name}{end}").text
            if end == _NEW:
                files.write_file(folder / f"{name}{_READ}", text)
                files.remove(folder / f"{name}{_NEW}")
            return text
    asked = [job.payload for job in queue.jobs(vault) if job.kind == KIND]
    waiting = [str(job["name"]) for job in asked if job.get(queue.AGENT, "") == vault.agent]
    if name in waiting or (not name and waiting):
        raise UsageError("it has not been searched for yet", "mem watch does it, or mem work")
    raise UsageError(
        Message("no answer is called '{name}'", name=one_line(name)) if name else "no answer is waiting",
        "mem ask --later …",
    )


def _folder(vault: Vault) -> Path:
    return vault.cache / vault.space / FOLDER
