"""What a person should look at: facts that disagree, memories that say the same, what is unsure, what ends soon.

Rules that anyone can follow, and that only ever ask: two facts disagree when they say the same but for a number or a
not, or give one thing (`the office's address is …`, `Office: …`, 办公室的地址是…) another value. `settle` does what a person
answers, as one write that `mem undo` takes back. Nothing is deleted.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations, pairwise
from math import ceil

from memcli.errors import UsageError
from memcli.remember import keyed, retention
from memcli.remember.change import archiving, edit
from memcli.text import words
from memcli.vault import edit as text_edit
from memcli.vault import journal, preferences, profile, snapshots, yaml_list
from memcli.vault.entries import ID_LENGTH, Entry
from memcli.vault.layout import JOURNAL
from memcli.vault.preferences import Preference
from memcli.vault.vault import Filter, Vault
from memcli.vault.write import Edit, Written, write

REVIEW = "review"  # the journal of what was left as it is, so that it is not asked again
ALIKE = 0.75  # likeness of the words, numbers and negations aside, from which two memories are compared
SAME_WITHIN = 7  # days: what a log says again later happened again
LONG_OPEN = 30  # days until a task is asked after, and asked after again
ENDING = timedelta(days=2)
SMALLEST = 3  # words and pairs of signs that a memory must have to be compared
NEIGHBOURS = 20  # memories with the same rare word that are compared: what stands everywhere tells nothing
LONGEST = 300  # characters of what can be one fact

KINDS = {  # kind → what can be answered, and why it is asked
    "conflict": ("keep archive edit skip", "these disagree: which holds?"),
    "preference": ("keep archive skip", "what was said and what was gathered disagree: which holds?"),
    "unsure": ("confirm keep archive skip", "not sure enough to be used: is it so?"),
    "expiring": ("keep archive edit skip", "ends soon: keep it for another week?"),
    "task": ("done keep archive edit skip", "long open: still to be done?"),
    "duplicate": ("merge keep archive edit skip", "these say the same"),
}
FACTS = frozenset({"memory", "insight", "project", "profile", "note"})
TYPES = frozenset({"fact", "preference", "label", "profile", "decision"})

_LEAD = re.compile(r"^(?:\d{4}-\d\d-\d\d[ T,:：]*)?(?:\d{1,2}:\d\d\s+)?")
_NUMBER = re.compile(r"\d+(?:[.,:：/-]\d+)*|[一二三四五六七八九十百千万两]+(?=[个点号月日天年岁元块人次米层楼])")
_NOT = re.compile(
    r"\b(?:not?|never|none|without|cannot|\w+n['’]t)\b|不(?![过错但同])|没(?!关系)|别(?=再|走|去|吃|喝|用|买|做|说)",
    re.I,
)
_CLAIM = re.compile(
    r"([^.:;!?。！？：；\n]{2,60}?)"
    r"(\s+(?:is|are)\s+(?:now\s+)?(?:in\s+|at\s+)?|\s+(?:lives in|works (?:at|for))\s+"
    r"|\s*[:：=]\s*|现在是|是|叫|住在?|(?<!现)在(?!住))"
    r"([^\n]+?)[.。!！]?"
)
_OWNED = re.compile(r"(?:the|my|our|his|her|their)\s|.*(?:['’]s\s|\sof\s|的)|我", re.I)
_ASIDE = re.compile(r"^(?:the|my|our)\s+|的|\s+|现在$", re.I)
_IS = ("is", "is now", "are", "are now", "是", "叫")  # what a thing is may be many things; what its owner's is, one
_VALUE = re.compile(r"\S*\d\S*(?:\s\S+){0,3}")
_NAME = re.compile(rf"[A-Z][\w'’-]*(?:\s+[A-Z\d][\w'’-]*){{0,3}}|[{words.CJK}]{{1,8}}")


@dataclass(frozen=True)
class Doubt:
    """One question to a person. Of several memories the older comes first."""

    kind: str
    entries: tuple[Entry, ...] = ()
    preferences: tuple[Preference, ...] = ()

    @property
    def id(self) -> str:
        said = [each.hash for each in self.entries] or [f"{p.key} {p.scope} {p.value}" for p in self.preferences]
        return hashlib.sha1("\n".join([self.kind, *said]).encode()).hexdigest()[:7]

    @property
    def why(self) -> str:
        return KINDS[self.kind][1]

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be answered; a number means that this one of several holds."""
        several = max(len(self.entries), len(self.preferences))
        return (*(str(n + 1) for n in range(several if several > 1 else 0)), *KINDS[self.kind][0].split())


def doubts(vault: Vault) -> list[Doubt]:
    """All there is to look at and was not looked at yet, the gravest first."""
    known = {str(each.get("id")): str(each.get("at")) for each in journal.read(vault.root, REVIEW, vault.notice)}
    found = [*_preferences(vault), *_snapshots(vault), *_memories(vault)]
    order = list(KINDS)
    return sorted((each for each in found if not _answered(each, known, vault.now)), key=lambda d: order.index(d.kind))


def _answered(doubt: Doubt, known: dict[str, str], now: datetime) -> bool:
    at = known.get(doubt.id)
    if at is None or doubt.kind != "task":
        return at is not None
    return at[:10] > (now - timedelta(days=LONG_OPEN)).date().isoformat()


def _preferences(vault: Vault) -> Iterator[Doubt]:
    held = preferences.held(vault)
    rivals: set[int] = set()
    for one, other in combinations(held, 2):
        same = (one.key, one.scope) == (other.key, other.scope)
        if same and one.value != other.value and {one.source, other.source} > {"explicit"}:
            first, second = sorted((one, other), key=lambda each: each.source != "explicit")
            rivals.add(id(second))
            yield Doubt("preference", preferences=(first, second))
    for each in held:
        if not each.confident and id(each) not in rivals:
            yield Doubt("unsure", preferences=(each,))


def _snapshots(vault: Vault) -> Iterator[Doubt]:
    for document in vault.documents(Filter(kinds=frozenset({"snapshot"}))):
        ends = snapshots.ends(document)
        if ends and document.entries and vault.now <= ends <= vault.now + ENDING:
            yield Doubt("expiring", document.entries[:1])


def _memories(vault: Vault) -> Iterator[Doubt]:
    live = [entry for entry in vault.entries() if not entry.superseded and entry.kind != "snapshot"]
    live.sort(key=lambda entry: (str(entry.day or ""), entry.path, entry.line))
    before = vault.today - timedelta(days=LONG_OPEN)
    yield from (Doubt("task", (each,)) for each in live if each.task == "open" and each.day and each.day <= before)
    short = [entry for entry in live if len(entry.raw) <= LONGEST and not entry.task]
    found = {pair: _between(*pair) for pair in _alike(short)} | dict.fromkeys(_claims(short), "conflict")
    yield from (Doubt(kind, pair) for pair, kind in found.items() if kind)


def _between(one: Entry, other: Entry) -> str:
    """What two memories of the same words are to each other. Where one has a number more, it only tells more."""
    numbers, more = (frozenset(_NUMBER.findall(_words(each))) for each in (one, other))
    if numbers != more or bool(_NOT.search(_words(one))) != bool(_NOT.search(_words(other))):
        return "conflict" if bool(numbers) == bool(more) and _is_fact(one) and _is_fact(other) else ""
    near = one.day and other.day and abs((other.day - one.day).days) <= SAME_WITHIN
    return "duplicate" if near or "log" not in (one.kind, other.kind) else ""


def _is_fact(entry: Entry) -> bool:
    return entry.kind in FACTS or entry.type in TYPES


def _words(entry: Entry) -> str:
    return _LEAD.sub("", entry.words)


def _alike(entries: list[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Pairs that share most of their words. Two such share two of their rarest words, so only those are compared."""
    cores = [words.features(_NOT.sub("", _NUMBER.sub(" ", _words(entry)))) for entry in entries]
    common = Counter(word for core in cores for word in core)
    seen: dict[str, list[int]] = defaultdict(list)
    for at, core in enumerate(cores):
        if len(core) < SMALLEST:
            continue
        rarest = sorted(core, key=lambda word: (common[word], word))[: len(core) - ceil(ALIKE * len(core)) + 2]
        shares = Counter(each for word in rarest for each in seen[word][-NEIGHBOURS:])
        for before in sorted(each for each, number in shares.items() if number > 1):
            shared = len(core & cores[before])
            if shared >= ALIKE * (len(core) + len(cores[before]) - shared):
                yield entries[before], entries[at]
        for word in rarest:
            seen[word].append(at)


def _claims(entries: list[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Pairs of facts that give one thing another name or number."""
    given: dict[str, list[tuple[str, Entry]]] = defaultdict(list)
    for entry in filter(_is_fact, entries):
        claim = _CLAIM.fullmatch(_words(entry))
        if claim and (claim[2].strip() not in _IS or _OWNED.match(claim[1])):
            value = " ".join(claim[3].split())
            kind = "number" if _VALUE.fullmatch(value) else "name" if _NAME.fullmatch(value) else ""
            if kind:
                given[f"{kind} {_ASIDE.sub('', claim[1]).casefold()}"].append((value.casefold(), entry))
    for said in given.values():
        for (first, one), (second, other) in pairwise(said):
            if first not in second and second not in first:
                yield one, other


def settle(vault: Vault, doubt: Doubt, answer: str, text: str = "") -> Written:
    """Do one of the doubt's choices; `text` is the new wording for `edit`. What is skipped will be asked again."""
    if answer not in doubt.choices:
        raise UsageError(f"'{answer}' is no answer to {doubt.id}", f"one of {', '.join(doubt.choices)}")
    if answer == "skip":
        return Written(REVIEW, ())
    if answer == "edit":
        return edit(vault, doubt.entries[-1], text)
    holds = doubt.preferences[int(answer) - 1] if doubt.preferences and answer.isdigit() else None
    if answer == "confirm" or (holds and holds.source != "explicit"):
        each, source = holds or doubt.preferences[0], "confirmed" if answer == "confirm" else "explicit"
        return keyed.prefer(vault, each.key, each.value, scope=each.scope, source=source).written
    return write(vault, REVIEW, _edits(vault, doubt, answer), [entry.id for entry in doubt.entries])


def _edits(vault: Vault, doubt: Doubt, answer: str) -> list[tuple[str, Edit]]:
    if answer == "keep" and doubt.kind == "expiring":
        until = vault.today + snapshots.HOLDS
        return [(doubt.entries[0].path, lambda text: profile.with_value(text, "expires", until))]
    if answer == "keep":
        return [_left(vault, doubt)]
    if doubt.preferences:
        return _archived(vault, doubt.preferences[-1])
    first, last = doubt.entries[0], doubt.entries[-1]
    if answer == "archive":
        return archiving(vault, first)
    if answer == "merge":
        return [*archiving(vault, first), _changed(last, _united(first, last))]
    if answer == "done":
        ticked = first.raw.replace("[ ]", "[x]", 1)
        return [_changed(first, text_edit.with_fields(ticked, done=vault.today.isoformat()))]
    loser, holds = (last, first) if answer == "1" else (first, last)
    if doubt.kind == "duplicate":
        return archiving(vault, loser)
    return [_changed(loser, text_edit.with_fields(loser.raw, superseded=holds.block_id or holds.hash[:ID_LENGTH]))]


def _left(vault: Vault, doubt: Doubt) -> tuple[str, Edit]:
    """A line of the journal, so that it is not asked again, here or on another machine."""
    said = {"at": vault.now.isoformat(timespec="seconds"), "by": vault.actor, "id": doubt.id, "kind": doubt.kind}
    line = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return (
        f"{JOURNAL}/{REVIEW}.jsonl",
        lambda text: f"{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{line}\n",
    )


def _archived(vault: Vault, preference: Preference) -> list[tuple[str, Edit]]:
    found = [r for r in yaml_list.read(vault, preferences.FILE, "key") if preferences.of_record(r) == preference]
    if not found:
        raise UsageError(f"the preference {preference.key} was changed in the meantime", "mem review looks again")
    return retention.without(vault, preferences.FILE, found)


def _changed(entry: Entry, raw: str) -> tuple[str, Edit]:
    return entry.path, lambda text: text_edit.replaced(entry.path, text, entry, raw)


def _united(first: Entry, last: Entry) -> str:
    """The newer memory with what only the older one has: tags, fields, and the higher importance."""
    fields = {name: value for name, value in first.fields.items() if name not in last.fields and name != "date"}
    if first.importance and last.importance and first.importance > last.importance:
        fields["importance"] = f"{first.importance:g}"
    raw = text_edit.with_fields(last.raw, **fields)
    return text_edit.with_notes(raw, *(f"#{tag}" for tag in first.tags if tag not in last.tags))
