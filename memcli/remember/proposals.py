"""Keep a memory atom in the file for its kind, or leave it to `mem review`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memcli import remember
from memcli.errors import Busy, MemError, Refused, UsageError, VaultError
from memcli.remember import review
from memcli.remember.atoms import PASSING, SURE, Atom
from memcli.remember.conflicts import change_queue
from memcli.remember.conflicts.change_queue import PendingChange
from memcli.remember.days import resolve_days
from memcli.remember.gates import sensitive
from memcli.remember.gates.gate import TurnedAway, sensitive_in
from memcli.remember.review import Doubt
from memcli.text import words
from memcli.text.clean import one_line
from memcli.vault import journal, labels, preferences
from memcli.vault import profile as profiles
from memcli.vault.vault import Vault

ONCE = "holds for one occasion"
UNSURE = "too uncertain to keep without asking"
LASTING = frozenset({"fact", "decision"})  # types of which a new one may replace an old one
_LIST = re.compile(r",|、|，|;|\band\b|和|以及|\s&\s")
_UNSAID = re.compile(r"\[REDACTED_(?:API_KEY|PRIVATE_KEY|PASSWORD)\]")


@dataclass(frozen=True)
class Addition:
    """Hold a memory that was written."""

    atom: Atom
    place: str
    before: str = ""  # the value known until now, if it differs
    doubts: tuple[Doubt, ...] = ()  # what it contradicts, to ask a person about; otherwise mem review asks


@dataclass(frozen=True)
class Repetition:
    """Hold a memory that existed already."""

    atom: Atom
    place: str


@dataclass(frozen=True)
class OpenQuestion:
    """Hold a memory that waits for `mem review`."""

    atom: Atom
    why_not: str
    doubts: tuple[Doubt, ...]
    before: str = ""  # the known value that it contradicts


@dataclass(frozen=True)
class Refusal:
    """Hold a memory that is not kept."""

    atom: Atom
    why_not: str


class Unreadable(Refusal):
    """Hold a memory that can't be kept before somebody mends the file that it belongs into."""


Outcome = Addition | Repetition | OpenQuestion | Refusal


def is_news(outcome: Outcome) -> bool:
    """Return whether to report an outcome to the user: it is new, it needs an answer, or they asked for it."""
    return isinstance(outcome, Addition | OpenQuestion) or outcome.atom.requested


def why_not(atom: Atom) -> str:
    """Return why a proposal is not kept unasked, or "" if it is. A habit is kept as an inference."""
    if not (atom.lasting or atom.type in PASSING):
        return ONCE
    return UNSURE if atom.confidence < SURE and atom.stated else ""


def keep(vault: Vault, atom: Atom, confirmed: bool = False) -> Outcome:
    """Keep one proposal and return the outcome. `confirmed` means that the user saw it together with the value that it
    contradicts. Otherwise a contradiction waits for `mem review`. An agent's space has no profile, and nobody is asked
    there. Return a Refusal when a gate refuses, Unreadable for a broken file; raise `Busy` to be tried again."""
    if _UNSAID.search(f"{atom.text} {atom.value}"):
        return Refusal(atom, "a secret was blacked out in it, and nothing else is left")
    try:
        if vault.agent and atom.type == "profile":
            return _entry(vault, replace(atom, type="fact"))
        try:
            change = _change(vault, atom)
        except VaultError as error:  # the file of this one is broken, the others are kept
            return Unreadable(atom, error.message)
        if change and not (confirmed or vault.agent) and (change.kind != "preference" or not atom.stated):
            change_queue.queue_change(vault, change)
            return OpenQuestion(atom, change.known, (Doubt("change", change=change),), change.had)
        if atom.type not in change_queue.FILES:
            outcome = _entry(vault, atom)
        else:
            outcome = _keyed_value(vault, atom, change.had if change else "", confirmed)
        if isinstance(outcome, Addition):
            journal.count(vault, "proposal", "accepted" if confirmed else "unasked", atom.type)
        return outcome
    except Busy:
        raise
    except (Refused, UsageError) as error:
        return Refusal(atom, error.why)


def count_decline(vault: Vault, atom: Atom) -> None:
    """Record that the user doesn't want a proposal kept."""
    journal.count(vault, "proposal", "declined", atom.type)


def queue_doubt(vault: Vault, atom: Atom, once: bool = False) -> Outcome:
    """Queue an unsure proposal for `mem review`, unless it is an agent's, and return what became of it.

    With `once`, one that was queued on another day is not queued again, even when it was answered.
    """
    if vault.agent or _UNSAID.search(f"{atom.text} {atom.value}") or _is_list(vault, atom):
        return Refusal(atom, UNSURE)
    try:
        change = _proposed(vault, atom)
    except MemError as error:
        return Refusal(atom, error.message)
    if change.had and _SAYS.get(atom.type, _same)(change.value, change.had):
        return Repetition(atom, change_queue.FILES.get(atom.type, ""))
    change = change_queue.find_queued(vault, change) if once else change
    change_queue.queue_change(vault, change)
    return OpenQuestion(atom, UNSURE, (Doubt("change" if change.had else "heard", change=change),), change.had)


def replaced_value(vault: Vault, atom: Atom) -> str:
    """Return the known value that a proposal would replace, or "" if it contradicts nothing."""
    try:
        change = _change(vault, atom)
    except MemError:  # `keep` will report it
        return ""
    return change.had if change else ""


def _change(vault: Vault, atom: Atom) -> PendingChange | None:
    """Return the change that a proposal with a key would make, or None if it contradicts nothing."""
    if atom.type not in change_queue.FILES or _is_list(vault, atom):  # a list just gets another item
        return None
    change = _proposed(vault, atom)
    if not change.had or _SAYS[atom.type](change.value, change.had):
        return None
    return None if atom.type == "profile" and _is_fuller(change.value, change.had) else change


def _is_list(vault: Vault, atom: Atom) -> bool:
    return atom.type == "profile" and (
        atom.key == "interests" or isinstance(profiles.read_profile(vault).get(atom.key), list)
    )


def _proposed(vault: Vault, atom: Atom) -> PendingChange:
    """Return a proposal as a change, together with the value known until now."""
    if atom.type not in change_queue.FILES:
        change = PendingChange(atom.type, "", "", _clean(vault, atom.text), day=f"{atom.at or vault.now:%Y-%m-%d}")
        return replace(change, had=change_queue.current_value(vault, change))
    value = _clean(vault, atom.value, sensitive.REACH if atom.type == "label" else ())
    day = f"{atom.at or vault.now:%Y-%m-%d}"
    scope = atom.scope or preferences.GLOBAL
    part = atom.part
    if atom.type == "label":
        known = change_queue.known_label(vault, atom.key)
        part = labels.find_field(known.record if known else {}, part, value)
    change = PendingChange(atom.type, _clean(vault, atom.key), "", value, part, scope, day)
    return replace(change, had=change_queue.current_value(vault, change))


def is_within(value: str, known: str) -> bool:
    """Return whether the known value includes a value: `Zhou` in `林舟 (Zhou Lin)`."""
    value_words = words.features(value)
    return bool(value_words and value_words <= words.features(known)) or _same(value, known)


def _is_fuller(value: str, known: str) -> bool:
    """Return whether a value includes the known one and adds to it: `nurse at St James's` after `nurse`, 数学老师 after
    老师."""
    new, had = preferences.folded(value), preferences.folded(known)
    if not had.isascii() and new.endswith(had):
        return True
    return new.startswith(had) and not re.match(r"[a-z\d]", new.removeprefix(had))


def _same(value: str, known: str) -> bool:
    return preferences.folded(value) == preferences.folded(known)


def _entry(vault: Vault, atom: Atom) -> Addition | Repetition:
    """Keep a memory as an entry, through the gates of `mem add`, and return it with the facts that it contradicts."""
    task = atom.type == "task"
    text = resolve_days(atom.text, atom.at.date()) if atom.at else atom.text  # "next Monday" counts from the talk
    memory = remember.Memory(f"[ ] {text}" if task else text, type="" if task else atom.type, at=atom.at)
    try:
        added = remember.add(vault, memory)
    except TurnedAway as no:  # the user asked for it, so the worth gate is overruled
        if not atom.requested or no.verdicts[-1].gate != "worth":
            raise
        added = remember.add(vault, memory, force=True)
    if added.again:
        return Repetition(atom, added.entry.place)
    doubts = tuple(review.conflicts(vault, added.entry)) if atom.type in LASTING else ()
    before = doubts[0].entries[0].words if doubts else ""
    return Addition(atom, added.entry.place, before, doubts)


def _keyed_value(vault: Vault, atom: Atom, before: str, confirmed: bool) -> Addition | Repetition:
    """Keep a preference, a label or a line of the profile; `before` is the known value that it replaces.

    A preference that the user states is explicit. One that follows from their habits is inferred until confirmed; it
    counts as explicit when it replaces a known value.
    """
    key = atom.key
    if atom.type == "preference":
        inferred = "explicit" if before else "confirmed" if confirmed else "inferred"
        done = remember.prefer(
            vault, _clean(vault, key), _clean(vault, atom.value), category=atom.category,
            scope=atom.scope or preferences.GLOBAL, source="explicit" if atom.stated else inferred, past=True,
        )  # fmt: skip
        is_known = not done.written.changes
    elif atom.type == "label":
        change = _proposed(vault, atom)
        key, is_known = change.key, _SAYS["label"](change.value, change.had)
        if not is_known:
            change_queue.apply(vault, change)
    else:
        is_known = _add_to_profile(vault, atom)
    place = f"{change_queue.FILES[atom.type]} {key}"
    return Repetition(atom, place) if is_known else Addition(atom, place, before)


def _add_to_profile(vault: Vault, atom: Atom) -> bool:
    """Write a line of the profile, and return whether it said that before."""
    value: Any = _clean(vault, atom.value)
    known = profiles.read_profile(vault).get(atom.key)
    several = isinstance(known, list) or atom.key == "interests"
    if several:
        items = [part.strip() for part in _LIST.split(value) if part.strip()]
        had = known if isinstance(known, list) else [known] if known else []
        value = [*had, *(each for each in items if each.casefold() not in {str(one).casefold() for one in had})]
    elif known and is_within(value, str(known)):
        value = known
    if value != known:
        remember.profile(vault, atom.key, value, past=not several and not _is_fuller(str(value), str(known or "")))
    return bool(value == known)


# Each function reports whether the known value says as much as a new one.
_SAYS: dict[str, Callable[[str, str], bool]] = {
    "profile": is_within, "preference": _same, "label": lambda value, known: value.casefold() in known.casefold(),
}  # fmt: skip


def _clean(vault: Vault, text: str, wanted: Sequence[str] = ()) -> str:
    """Return a text as one line. Raise Refused if it holds something sensitive other than `wanted`: files of keys
    have no other gate."""
    if kinds := sensitive_in(vault, text, wanted):
        raise Refused("it holds {KINDS}", KINDS=kinds)
    return one_line(text)
