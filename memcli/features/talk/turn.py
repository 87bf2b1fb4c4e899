"""Run one round of a conversation: store the user's message, let a model answer a prompt built around it, and keep what
was learnt."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from memcli import llm, remember
from memcli.errors import MemError
from memcli.features.talk.prompt import BuiltPrompt, PromptRequest, build, note_sent
from memcli.features.talk.saying import SayResult, say
from memcli.session import Session, SessionMessage
from memcli.text import requests
from memcli.vault.vault import Vault

Agree = Callable[[Any], bool]  # takes a `remember.atoms.Atom` and returns whether to keep it
CUT = " … (cut)"  # ends an answer that was stopped or broke off


@dataclass(frozen=True)
class TalkRound:
    """Hold the result of a round."""

    session: Session
    said: SayResult
    prompt: BuiltPrompt | None  # None: the request is done, and no model was asked
    answer: str = ""  # the answer as it is kept
    cut: bool = False  # stopped by the user, or broken off: the part received is stored
    failure: MemError | None = None  # why there is no answer, or only a part
    learnt: tuple[Any, ...] = ()  # `remember.proposals.Outcome`s, also of memories that were not kept


def take_round(
    vault: Vault, talk: Session, text: str, hear: Callable[[str], None], *, learn: bool | Agree = True
) -> TalkRound:
    """Send a message to the model, pass its answer to `hear` piece by piece, and return the round. Memories are kept if
    `learn` is set or agrees; memories that the user asked for are kept whenever learning is on. A model that fails, or
    is stopped by Ctrl-C, ends the round but not the conversation."""
    result = say(vault, talk, SessionMessage("user", text))
    if result.request in (requests.CLEAR, requests.UNSAY):
        return TalkRound(result.session, result, None)  # the request is done, and needs no answer
    prompt = build(vault, PromptRequest(result.message.content, session=talk.id))
    note_sent(vault, prompt)
    pieces: list[str] = []

    def listen(piece: str) -> None:
        pieces.append(piece)
        hear(piece)

    redact = partial(remember.redacted, rules=vars(vault.settings.gates))
    messages = [llm.ChatMessage(message["role"], message["content"]) for message in prompt.messages]
    stopped, failure = False, None
    try:
        answer = llm.ask(vault, messages, redact=redact, hear=listen).text
    except KeyboardInterrupt:
        stopped = True
    except MemError as error:
        failure = error
    cut = stopped or failure is not None
    if cut:
        answer = "".join(pieces).rstrip() + CUT if "".join(pieces).strip() else ""
    now = say(vault, result.session, SessionMessage("assistant", answer)).session if answer else result.session
    learnt = _learnt(vault, talk, result, learn if callable(learn) else lambda atom: True) if learn else ()
    return TalkRound(now, result, prompt, answer, cut, failure, learnt)


def _learnt(vault: Vault, talk: Session, said: SayResult, agree: Agree) -> tuple[Any, ...]:
    """Learn from a message at once, by rules, and return the outcomes. It uses the stored text without secrets, since
    nobody checks that no number gets into a label. The model's earlier message counts only if the user agrees to it.
    Instructions for this conversation are anchors and not lasting preferences."""
    from memcli.remember import learning, proposals

    if not learning.is_possible():
        return ()
    before = [message for message in talk.messages[-1:] if message.role == "assistant"]
    lines = [{"role": each.role, "content": each.content} for each in (*before, said.message)]
    try:
        found = learning.propose(vault, "\n".join(json.dumps(line) for line in lines), rules=True)
        here = [anchor.said for anchor in said.anchors if anchor.key != "rule" and anchor.said]
        lasting = [atom for atom in found.atoms if atom.requested or not proposals.why_not(atom)]
        wanted = [atom for atom in lasting if atom.requested or not any(_same(atom.quote, each) for each in here)]
        wanted = [atom for atom in wanted if atom.requested or agree(atom)]
        place = f"[from:: {talk.id}#{len(said.session.messages)}]"  # an entry leads back to its message
        outcomes = []
        for atom in wanted:
            link = atom if atom.key else replace(atom, text=f"{atom.text} {place}")
            # What the user asked for but is unsure waits for `mem review`, and is not dropped.
            done = proposals.queue_doubt(vault, atom) if proposals.why_not(atom) else proposals.keep(vault, link)
            outcomes.append(replace(done, atom=atom))
        return tuple(outcomes)
    except MemError as error:
        vault.notice("nothing was learnt from that: {WHY}", WHY=error.message)
        return ()


def _same(first: str, second: str) -> bool:
    return first in second or second in first
