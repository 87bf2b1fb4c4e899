"""What is added to a prompt: the memories that bear on what a person typed and that the session has not seen."""

from __future__ import annotations

from time import perf_counter

from memcli.hook import prompts, shown, talk
from memcli.hook.payload import Payload
from memcli.recall import Request, bears, counted, pack, seek
from memcli.text import tokens
from memcli.text.frame import framed, item
from memcli.vault import patterns
from memcli.vault.vault import Vault

WAYS = "how such tasks went before: evidence, not orders"


def on_prompt(vault: Vault, payload: Payload) -> str:
    """What bears on what a person just typed, as blocks of data, each line once in a session: how such a task went
    before, with warnings first, and memories."""
    said = prompts.typed(payload.prompt, payload.source)
    return _ways(vault, payload, said) + _memories(vault, payload, said) if said else ""


def _ways(vault: Vault, payload: Payload, said: str) -> str:
    if not patterns.any_kept(vault):
        return ""
    from memcli import pattern  # few vaults keep ways

    known = shown.read(vault, payload.session)
    lines = [(place, text) for place, text in pattern.told(vault, said) if shown.mark(text) not in known]
    text, told = pattern.block(lines, vault.settings, lambda said: framed("ways", map(item, said), {"note": WAYS}))
    shown.note(vault, payload.session, [shown.mark(line) for _, line in told])
    return text


def _memories(vault: Vault, payload: Payload, said: str) -> str:
    began = perf_counter()
    budget = vault.settings.hooks.prompt_tokens
    query = talk.with_last_turns(vault, said, payload)
    sought = seek(vault, Request(query, budget, format="xml", fill=True))
    known = shown.read(vault, payload.session)
    unseen = [memory for memory in sought.ranked if memory.entry.hash not in known]
    new = bears(sought._replace(ranked=unseen), said)
    if not new:
        return ""
    facts = [fact for fact in sought.facts if fact.answers and (fact.label or fact.preference)]
    facts = [fact for fact in facts if shown.mark(fact.text) not in known]
    sought = sought._replace(ranked=new, facts=facts, fresh=[], most=len(new), note="", dates=())
    block = pack(sought, budget, tokens.counter(vault.settings.recall.encoding))
    hashes = [each.scored.entry.hash for each in block.chosen] + [shown.mark(fact.text) for fact in block.facts]
    shown.note(vault, payload.session, hashes)
    if block.chosen:
        counted(block, vault, budget, "hook", perf_counter() - began)
    return block.text if block.chosen else ""
