"""Choose what to add to a prompt: memories that are relevant to the typed words and that the session has not seen
yet."""

from __future__ import annotations

from time import perf_counter

from memcli import contributions
from memcli.features.hook import display_log, prompts, talk
from memcli.features.hook.payload import Payload
from memcli.recall import Request, asked_for, current, find_relevant, pack, record_recall, seek
from memcli.text import tokens
from memcli.text.digest import digest
from memcli.text.frame import choose_fitting, framed, item
from memcli.vault.vault import Vault


def on_prompt(vault: Vault, payload: Payload) -> str:
    """Return relevant lines for the words that a person typed, as blocks of data: lines of features, then memories. No
    line is repeated within a session. Return "" if there are none."""
    typed = prompts.typed_text(payload.prompt, payload.source)
    return _unasked(vault, payload, typed) + _memories(vault, payload, typed) if typed else ""


def _unasked(vault: Vault, payload: Payload, prompt: str) -> str:
    """Return lines of features about the typed words, without lines that the session has seen."""
    blocks = ""
    for layer in contributions.prompt_layers():
        tag, note = layer.hook
        if tag and (found := contributions.lines(layer, vault, prompt)):
            known = display_log.read_shown(vault, payload.session)
            lines = [(place, text) for place, text in found if digest(text, 16) not in known]
            budget, encoding = vault.settings.of_feature(f"prompt.{layer.name}"), vault.settings.recall.encoding
            render = lambda lines, tag=tag, note=note: framed(tag, map(item, lines), {"note": note})  # noqa: E731
            text, shown = choose_fitting(lines, budget, render, tokens.counter(encoding))
            display_log.note_shown(vault, payload.session, [digest(line, 16) for _, line in shown])
            blocks += text
    return blocks


def _memories(vault: Vault, payload: Payload, prompt: str) -> str:
    began = perf_counter()
    budget = vault.settings.of_feature("hooks.prompt_tokens")
    query = talk.with_last_turns(vault, prompt, payload)
    result = seek(vault, Request(query, budget, format="xml", fill=True))
    known = display_log.read_shown(vault, payload.session)
    relevant = find_relevant(result, prompt, known)
    newer = current.find_newer(result.search, relevant, result.ranked)
    shown = current.put_newest_first(relevant, newer)
    if relevant:
        shown, newer = current.add_told_later(result.search, shown, newer, relevant[0])
    new = [each for each in shown if each.entry.hash not in known]
    if not new:
        return ""
    newer = {old: each for old, each in newer.items() if each in new}
    facts = [fact for fact in result.facts if fact.answers and (fact.label or fact.preference)]
    facts = [fact for fact in facts if digest(fact.text, 16) not in known]
    result = result._replace(
        ranked=new, facts=facts, fresh=[], most=len(new), note="", dates=(), newer=newer,
        ends_early=not asked_for.wants_all_tasks(result.search.query),
    )  # fmt: skip
    block = pack(result, budget, tokens.counter(vault.settings.recall.encoding))
    hashes = [each.scored.entry.hash for each in block.chosen] + [digest(fact.text, 16) for fact in block.facts]
    display_log.note_shown(vault, payload.session, hashes)
    if block.chosen:
        record_recall(block, vault, budget, "hook", perf_counter() - began)
    return block.text if block.chosen else ""
