"""The door of learning: a conversation in, proposals out; and each proposal kept where its kind of memory lives."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from memcli import llm, remember
from memcli.errors import Busy, MemError, Refused, UsageError
from memcli.remember.gates import sensitive
from memcli.remember.learn import find, transcript
from memcli.remember.learn.atoms import PASSING, SURE, Atom, distinct
from memcli.text.clean import one_line
from memcli.vault import labels, preferences, queue
from memcli.vault import profile as profiles
from memcli.vault.vault import Vault

ONCE = "holds for one occasion"
UNSURE = "not sure enough to be kept unasked"
_REACH = ("phone", "email")  # what a label is for
_LIST = re.compile(r",|、|，|;|\band\b|和|以及|\s&\s")
Place = tuple[str, bool]  # where it stands, and whether it did before
_UNSAID = re.compile(r"\[REDACTED_(?:API_KEY|PRIVATE_KEY|PASSWORD)\]")
_BESIDE = re.compile(r"[()（）/,，]")


@dataclass(frozen=True)
class Proposed:
    """What a conversation holds; those of `atoms` that are not `worth` keeping say so."""

    atoms: tuple[Atom, ...]
    messages: int
    by: str  # rules, or model


@dataclass(frozen=True)
class Kept:
    """What became of a proposal."""

    atom: Atom
    place: str = ""  # where it stands now; empty: it was not kept
    known: bool = False  # it stood there before
    why_not: str = ""


def propose(vault: Vault, text: str, names: Sequence[str] = (), rules: bool = False) -> Proposed:
    """The memories in a conversation, nothing kept yet: by the model that is configured, else (or with `rules`) by
    rules. `names` are the user's in it, beside the one in the profile."""
    messages = transcript.read(text, names, vault.notice, _own_names(vault))
    if not rules and llm.available(vault):
        from memcli.remember.learn import model

        try:
            return Proposed(tuple(distinct(model.find(vault, messages))), len(messages), "model")
        except MemError as error:
            vault.notice(f"learnt by rules alone: {error.message}")
    return Proposed(tuple(find.find(messages)), len(messages), "rules")


def why_not(atom: Atom) -> str:
    """Why a proposal is not kept by itself; empty when it is. A habit is kept as the inference that it is."""
    if not (atom.lasting or atom.type in PASSING):
        return ONCE
    return UNSURE if atom.confidence < SURE and atom.stated else ""


def keep(vault: Vault, atom: Atom, confirmed: bool = False) -> Kept:
    """Keep one proposal; `confirmed` when the user has looked at it. A refusal is told, not raised. Where the vault
    can't be written nothing else can be kept either: that is raised, and the queue tries again."""
    if _UNSAID.search(f"{atom.text} {atom.value}"):
        return Kept(atom, why_not="a secret was blacked out in it, and nothing else is left")
    try:
        return Kept(atom, *_KEEPERS.get(atom.type, _entry)(vault, atom, confirmed))
    except Busy:
        raise
    except (Refused, UsageError) as error:
        return Kept(atom, why_not=error.message.removeprefix("not kept: "))


def later(vault: Vault, text: str, names: Sequence[str] = (), rules: bool = False) -> bool:
    """Leave the conversation, without what is sensitive in it, to `mem work`; False when it was left before."""
    plain = sensitive.redacted(text, sensitive.policy(vault.settings.gates))[0]
    mark = hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()[:16]
    return queue.put(vault, "learn", mark, {"text": plain, "names": list(names), "rules": rules})


def work(vault: Vault, job: queue.Job) -> None:
    """What `later` left: keep all that lasts, as if without asking."""
    for atom in propose(vault, job.payload["text"], job.payload["names"], job.payload["rules"]).atoms:
        if not why_not(atom) and (why := keep(vault, atom).why_not):
            vault.notice(f"a {atom.type} was not kept: {why}")


def _entry(vault: Vault, atom: Atom, confirmed: bool) -> Place:
    """A memory of its own, through the gates of `mem add`."""
    task = atom.type == "task"
    memory = remember.Memory(f"[ ] {atom.text}" if task else atom.text, type="" if task else atom.type, at=atom.at)
    added = remember.add(vault, memory)
    return added.entry.place, added.again


def _preference(vault: Vault, atom: Atom, confirmed: bool) -> Place:
    """What the user says of themselves is explicit; what is concluded from what they do waits to be confirmed."""
    source = "explicit" if atom.stated else "confirmed" if confirmed else "inferred"
    where = {"scope": atom.scope} if atom.scope else {}
    done = remember.prefer(
        vault, _clean(vault, atom.key), _clean(vault, atom.value), category=atom.category, source=source, **where
    )
    return f"{preferences.FILE} {atom.key}", not done.written.changes


def _label(vault: Vault, atom: Atom, confirmed: bool) -> Place:
    value = _clean(vault, atom.value, _REACH)
    known = next((each for each, sure in labels.find(labels.held(vault), atom.key) if sure == 1.0), None)
    told = str(known.record.get(atom.part) or "") if known and atom.part else known.told if known else ""
    place = f"{labels.FILE} {known.name if known else atom.key}"
    if value.casefold() in told.casefold():
        return place, True
    if told and not confirmed:
        raise Refused(f"{place} says {one_line(told, 60)}")
    name = known.name if known else _clean(vault, atom.key)
    remember.label(vault, name, **{atom.part or "told": value})
    return place, False


def _profile(vault: Vault, atom: Atom, confirmed: bool) -> Place:
    value: Any = _clean(vault, atom.value)
    known = profiles.read(vault).get(atom.key)
    if isinstance(known, list) or atom.key == "interests":
        told = [part.strip() for part in _LIST.split(value) if part.strip()]
        had = known if isinstance(known, list) else [known] if known else []
        value = [*had, *(each for each in told if each.casefold() not in {str(one).casefold() for one in had})]
    elif known and str(known).casefold() != value.casefold() and not confirmed:
        raise Refused(f"{profiles.FILE} says {atom.key}: {one_line(str(known), 60)}")
    if value != known:
        remember.profile(vault, atom.key, value)
    return f"{profiles.FILE} {atom.key}", value == known


_KEEPERS: dict[str, Callable[[Vault, Atom, bool], Place]] = {
    "preference": _preference, "label": _label, "profile": _profile,
}  # fmt: skip


def _clean(vault: Vault, text: str, wanted: Sequence[str] = ()) -> str:
    """What goes into a file of keys passes no gate on its way: nothing sensitive may be in it but what is `wanted`."""
    policy = {**sensitive.policy(vault.settings.gates), **dict.fromkeys(wanted, "allow")}
    if kinds := sensitive.redacted(text, policy)[1]:
        raise Refused(f"it holds {sensitive.named(kinds)}")
    return one_line(text)


def _own_names(vault: Vault) -> list[str]:
    """What the profile says the user is called: `林舟 (Zhou Lin)` is both, and Zhou."""
    try:
        name = str(profiles.read(vault).get("name") or "")
    except MemError as error:
        vault.notice(error.message)
        return []
    names = [part.strip() for part in _BESIDE.split(name) if part.strip()]
    return [*names, *(word for each in names for word in each.split() if len(each.split()) > 1)]
