"""Find what a person should decide: contradicting facts, duplicate memories, unsure memories, things that end soon.

The other functions only collect questions. `settle` carries out the answer, in one write that `mem undo` takes back.
Nothing is deleted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from datetime import timedelta
from itertools import combinations
from typing import TYPE_CHECKING

from memcli import contributions
from memcli.errors import MemError, UsageError
from memcli.message import Message
from memcli.remember import keyed_values, retention
from memcli.remember.change import archiving, edit, superseding, ticking
from memcli.remember.conflicts import change_queue, compare, same_sense
from memcli.remember.conflicts.change_queue import PendingChange
from memcli.text import phrases
from memcli.text.clean import one_line
from memcli.text.digest import digest
from memcli.vault import edit as text_edit
from memcli.vault import journal, labels, preferences, profile, snapshots, yaml_list
from memcli.vault.entries import Entry
from memcli.vault.preferences import Preference
from memcli.vault.vault import Filter, Vault
from memcli.vault.write import Edit, WriteResult, write_vault

if TYPE_CHECKING:
    from memcli.extend import TalkFinding

REVIEW = "review"  # the journal of answers that changed nothing, so that the question is not asked again
LASTING = frozenset({"memory", "insight", "project", "profile"})  # files whose facts are compared with a new one
LONG_OPEN = 30  # days after which an open task is asked about, and asked about again
ENDING = timedelta(days=2)

_KINDS = {  # kind → the possible answers, and why it is asked
    "change": ("keep skip", "you said otherwise than what is known: which holds?"),
    "conflict": ("keep archive edit skip", "these disagree: which holds?"),
    "preference": ("keep archive skip", "what you said and what was inferred disagree: which holds?"),
    "unsure": ("confirm keep archive skip", "not sure enough to be used: is it so?"),
    "heard": ("confirm drop skip", "said or written, but it is not certain: is it true?"),
    "expiring": ("keep archive edit skip", "ends soon: keep it for another week?"),
    "task": ("done keep archive edit skip", "long open: still to be done?"),
    "duplicate": ("merge keep archive edit skip", "these say the same"),
}


def kinds() -> dict[str, tuple[str, str]]:
    """Return every kind of question, the most serious first, with the possible answers and the reason for asking."""
    every = list(_KINDS.items())
    for each in contributions.questions():
        at = next((number for number, (kind, _) in enumerate(every, 1) if kind == each.after), len(every))
        every.insert(at, (each.name, (each.choices, each.why)))
    return dict(every)


# The effect of an answer: on the memory that was not chosen, by the kind of doubt; and of answers that are words.
_EFFECTS_ON_OTHER = {
    "change": "is kept as what it was until now",
    "conflict": "is marked as superseded",
    "preference": "gives way",
    "duplicate": "is archived",
}
_EFFECTS = {
    "keep": "left as it is",
    "skip": "asked again next time",
    "archive": "archived",
    "merge": "stays, with what the other had",
    "done": "done",
    "edit": "changed",
    "confirm": "confirmed",
    "drop": "not kept",
}
ACCEPTED = frozenset({"2", "confirm", "edit"})
_ABOUT_THE_LAST = frozenset({"merge", "edit"})


@dataclass(frozen=True)
class Doubt:
    """Hold one question to a person. Of several memories the older comes first."""

    kind: str
    entries: tuple[Entry, ...] = ()
    preferences: tuple[Preference, ...] = ()
    change: PendingChange | None = None  # answer 1 means the known value, 2 the new one; 1 may be missing
    heard: TalkFinding | None = None  # the finding of a feature that asks this question

    @property
    def id(self) -> str:
        """Return an id made of what the question is about, so that it stays the same while that does."""
        parts = [each.hash for each in self.entries] or [f"{p.key} {p.scope} {p.value}" for p in self.preferences]
        if self.change:
            parts = [*astuple(self.change)]
        if self.heard:
            parts = [*self.heard.marks]
        return digest("\n".join([self.kind, *parts]), 7)

    @property
    def why(self) -> str:
        return kinds()[self.kind][1]

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the possible answers; a number means that this one of several holds."""
        several = 2 if self.kind == "change" else max(len(self.entries), len(self.preferences))
        return (*(str(n + 1) for n in range(several if several > 1 else 0)), *kinds()[self.kind][0].split())

    def outcome(self, answer: str) -> str:
        """Return the effect of an answer, in words."""
        shown = [one_line(entry.words, 60) for entry in self.entries]
        shown += [f"{each.key}: {one_line(preferences.value_text(each), 60)}" for each in self.preferences]
        if self.change:
            shown = [*([f"{self.change.key}: {self.change.had}"] if self.change.had else ()), self.change.summary]
        if self.heard:
            shown = [self.heard.summary]
        if answer.isdecimal() and len(shown) > 1:
            holds, other = shown[int(answer) - 1], shown[2 - int(answer)]
            fate = _EFFECTS_ON_OTHER[self.kind] if not (self.change and answer == "1") else "is not taken over"
            return Message("{holds} — holds; {other} — {FATE}", holds=holds, other=other, FATE=fate)
        about_last = answer in _ABOUT_THE_LAST or (answer == "archive" and self.preferences)
        done = "kept for another week" if (self.kind, answer) == ("expiring", "keep") else _EFFECTS[answer]
        return Message("{shown} — {FATE}", shown=shown[-1] if about_last else shown[0], FATE=done)


def doubts(vault: Vault) -> list[Doubt]:
    """Return all open questions, the most serious first."""
    found = [*waiting_doubts(vault), *unanswered(vault, [*_snapshot_doubts(vault), *_memory_doubts(vault)])]
    order = list(kinds())
    return sorted(found, key=lambda doubt: order.index(doubt.kind))


def waiting_doubts(vault: Vault) -> list[Doubt]:
    """Return the waiting contradictions, unsure memories and preferences, without reading memories."""
    waiting = change_queue.waiting_changes(vault)
    changes = [Doubt("change" if change.had else "heard", change=change) for change in waiting]
    findings = [
        Doubt(question.name, heard=each) for question in contributions.questions() for each in question.waiting(vault)
    ]
    return unanswered(vault, [*changes, *findings, *_preference_doubts(vault)])


def unanswered(vault: Vault, found: list[Doubt]) -> list[Doubt]:
    """Return the doubts that nobody has answered yet. An open task is asked about again after a while."""
    answers = journal.read_journal(vault.root, REVIEW, vault.notice)
    answered = {str(each.get("id")): str(each.get("at")) for each in answers}
    again = (vault.today - timedelta(days=LONG_OPEN)).isoformat()
    return [
        each for each in found
        if each.id not in answered or (each.kind == "task" and answered[each.id][:10] <= again)
    ]  # fmt: skip


def _preference_doubts(vault: Vault) -> Iterator[Doubt]:
    stored = preferences.read_or_notice(vault)
    rivals: set[int] = set()
    for one, other in combinations(stored, 2):
        same = (one.key, one.scope) == (other.key, other.scope)
        if same and one.value != other.value and {one.source, other.source} > {"explicit"}:
            first, second = sorted((one, other), key=lambda each: each.source != "explicit")
            rivals.add(id(second))
            yield Doubt("preference", preferences=(first, second))
    for each in stored:
        if not each.confident and id(each) not in rivals:
            yield Doubt("unsure", preferences=(each,))


def _snapshot_doubts(vault: Vault) -> Iterator[Doubt]:
    for document in vault.documents(Filter(kinds=frozenset({"snapshot"}))):
        ends = snapshots.ends(document)
        if ends and document.entries and vault.now <= ends <= vault.now + ENDING:
            yield Doubt("expiring", document.entries[:1])


def _memory_doubts(vault: Vault) -> Iterator[Doubt]:
    live = [entry for entry in vault.entries() if not entry.superseded and entry.kind != "snapshot"]
    live.sort(key=lambda entry: (str(entry.day or ""), entry.path, entry.line))
    before = vault.today - timedelta(days=LONG_OPEN)
    yield from (Doubt("task", (each,)) for each in live if each.task == "open" and each.day and each.day <= before)
    found = compare.pairs(live, same_sense.find_pairs(vault, [each for each in live if compare.is_fact(each)]))
    yield from (Doubt(kind, pair) for pair, kind in found.items())


def conflicts(vault: Vault, entry: Entry) -> list[Doubt]:
    """Return the lasting facts that a new memory contradicts."""
    lasting = [each for each in vault.entries(Filter(kinds=LASTING)) if not each.superseded and each.hash != entry.hash]
    found = compare.pairs([*lasting, entry])
    return [Doubt(kind, pair) for pair, kind in found.items() if kind == "conflict" and entry in pair]


def contradicted(vault: Vault, entry: Entry) -> Entry | None:
    """Return the lasting fact that a new memory contradicts, or None. Only a lasting memory contradicts one."""
    found = conflicts(vault, entry) if entry.kind in LASTING else []
    return next((each for doubt in found[:1] for each in doubt.entries if each != entry), None)


def contradicted_value(vault: Vault, entry: Entry) -> str:
    """Return the value in the profile or the labels that a new memory contradicts, or "". An agent has no profile.

    `I now live in Leipzig` contradicts a profile that says Berlin. It waits for `mem review`, as in `mem learn`.
    """
    own = phrases.pattern("differs", "of oneself", phrases.LANGUAGES)
    text = entry.words
    if vault.agent or entry.task or len(text) > compare.LONGEST or not own.search(text):
        return ""
    try:
        known = profile.read_profile(vault) or labels.read_labels(vault)
    except MemError:  # the next command that reads these files reports it
        known = None
    if not known:
        return ""
    from memcli.remember import learning, proposals  # the rules load slowly

    for atom in learning.find_in_sentence(text):
        if atom.type in ("profile", "label") and atom.lasting and proposals.replaced_value(vault, atom):
            outcome = proposals.keep(vault, atom)
            return outcome.why_not if isinstance(outcome, proposals.OpenQuestion | proposals.Refusal) else ""
    return ""


def settle(vault: Vault, doubt: Doubt, answer: str, text: str = "") -> WriteResult:
    """Carry out an answer; `text` is the new wording for `edit`. What is skipped is asked again."""
    if answer not in doubt.choices:
        raise UsageError(
            "'{answer}' is not an answer to {id}",
            Message("one of {names}", names=", ".join(doubt.choices)),
            answer=answer,
            id=doubt.id,
        )
    if answer == "skip":
        return WriteResult(REVIEW, ())
    if doubt.change or doubt.kind == "unsure":
        journal.count(vault, "proposal", "accepted" if answer in ACCEPTED else "declined", doubt.kind)
    if answer == "edit":
        return edit(vault, doubt.entries[-1], text)
    if doubt.change or doubt.heard:
        if answer not in ("2", "confirm"):
            return write_vault(vault, REVIEW, [_answer_line(vault, doubt)])
        if doubt.change:
            return change_queue.apply(vault, doubt.change)
        return next(each for each in contributions.questions() if each.name == doubt.kind).take(vault, doubt.heard)
    holds = doubt.preferences[int(answer) - 1] if doubt.preferences and answer.isdecimal() else None
    if answer == "confirm" or (holds and holds.source != "explicit"):
        each, source = holds or doubt.preferences[0], "confirmed" if answer == "confirm" else "explicit"
        return keyed_values.prefer(vault, each.key, each.value, scope=each.scope, source=source).written
    return write_vault(vault, REVIEW, _edits_for(vault, doubt, answer), [entry.id for entry in doubt.entries])


def _edits_for(vault: Vault, doubt: Doubt, answer: str) -> list[tuple[str, Edit]]:
    """Return the edits that an answer about memories or preferences asks for."""
    if answer == "keep" and doubt.kind == "expiring":
        until = vault.today + snapshots.HOLDS
        return [(doubt.entries[0].path, lambda text: profile.with_value(text, "expires", until))]
    if answer == "keep":
        return [_answer_line(vault, doubt)]
    if doubt.preferences:
        return _archiving_preference(vault, doubt.preferences[-1])
    first, last = doubt.entries[0], doubt.entries[-1]
    if answer == "archive":
        return archiving(vault, first)
    if answer == "merge":
        raw = _merge_older(first, last)
        return [*archiving(vault, first), (last.path, lambda text: text_edit.replace_entry(last.path, text, last, raw))]
    if answer == "done":
        return [ticking(vault, first)]
    loser, holds = (last, first) if answer == "1" else (first, last)
    if doubt.kind == "duplicate":
        return archiving(vault, loser)
    return superseding(loser, holds.path, lambda: holds)


def _answer_line(vault: Vault, doubt: Doubt) -> tuple[str, Edit]:
    """Return the edit that records the answer in the journal, so that no machine asks again."""
    answered = {"at": vault.now.isoformat(timespec="seconds"), "by": vault.actor, "id": doubt.id, "kind": doubt.kind}
    return change_queue.journal_line(REVIEW, answered)


def _archiving_preference(vault: Vault, preference: Preference) -> list[tuple[str, Edit]]:
    stored = yaml_list.read_records(vault, preferences.FILE, "key")
    found = [each for each in stored if preferences.preference_of(each) == preference]
    if not found:
        raise UsageError(
            "the preference {key} was changed in the meantime", "mem review looks again", key=preference.key
        )
    return retention.edits_archiving(vault, preferences.FILE, found)


def _merge_older(first: Entry, last: Entry) -> str:
    """Return the newer memory with the tags and fields that only the older one has, and the higher importance."""
    fields = {name: value for name, value in first.fields.items() if name not in last.fields and name != "date"}
    if first.importance and last.importance and first.importance > last.importance:
        fields["importance"] = f"{first.importance:g}"
    raw = text_edit.with_fields(last.raw, **fields)
    return text_edit.with_notes(raw, *(f"#{tag}" for tag in first.tags if tag not in last.tags))
