"""Export records with keys as statements, and import them into their own file again.

The records are the profile, the preferences and the labels. A format without records has them as text, `city: Graz`,
which is enough to import them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from memcli.errors import UsageError, VaultError
from memcli.format import Statement
from memcli.remember import Atom
from memcli.vault import labels, preferences, profile, yaml_list
from memcli.vault.vault import Filter, Vault
from memcli.vault.write import Edit
from memcli.vault.yaml_list import Record

FILES = {"profile": profile.FILE, "preference": preferences.FILE, "label": labels.FILE}
REACH = ("email", "phone")  # sensitive kinds that a label may hold, since that is its purpose
_SOURCE = re.compile(rf"(?:^|[:/])(?:{'|'.join(map(re.escape, FILES.values()))})/.")
_SCOPED = re.compile(r"(?s)(.+) \(([^()]+)\)")
_LINE = re.compile(r"^- (?P<text>.+?) \[type:: (?P<type>\w+)\](?P<more>.*) \[source:: (?P<source>[^\]\n]+)\]\n?", re.M)
_SURE = re.compile(r"\[confidence:: ([\d.]+)\]")
_DAYS = ("created", "updated", "last_used")  # of a record


@dataclass(frozen=True)
class KeyedRecord:
    """Hold a record of one of the files."""

    kind: str
    record: Record

    @property
    def slot(self) -> tuple[str, ...]:
        """Return the identity of the record: its name, and for a preference its scope."""
        return (self.kind, self.name.casefold(), self.scope)

    @property
    def name(self) -> str:
        return str(self.record.get("name" if self.kind == "label" else "key") or "")

    @property
    def scope(self) -> str:
        return str(self.record.get("scope") or preferences.GLOBAL) if self.kind == "preference" else ""

    @property
    def content(self) -> str:
        """Return the content of the record as text, for comparing and for the gates."""
        keys = labels.VALUE_FIELDS if self.kind == "label" else ("value",)
        return "\n".join(_shown(self.record[key]) for key in keys if self.record.get(key) not in (None, "", []))

    @property
    def atom(self) -> Atom:
        """Return the record as a statement of the user, for `mem review`."""
        return Atom(self.kind, f"{self.name}: {self.content}", self.name, self.content, scope=self.scope)


def export_keyed_records(vault: Vault, want: Filter) -> Iterator[Statement]:
    """Yield all records as statements, or none when the filter asks for a day, a tag or words."""
    if want.since or want.until or want.tags or want.words:
        return
    for kind, path in FILES.items():
        if (not want.types or kind in want.types) and (not want.path or want.path == path):
            yield from (_statement(each) for each in read_keyed_records(vault, kind) if each.content)


def read_keyed_records(vault: Vault, kind: str) -> list[KeyedRecord]:
    """Return all records of a kind. A file that can't be read causes a notice and is skipped."""
    try:
        return list(_records(vault, kind))
    except VaultError as error:
        vault.notice(error.message)
        return []


def _records(vault: Vault, kind: str) -> Iterator[KeyedRecord]:
    if kind == "profile":
        known = profile.read_profile(vault)
        yield from (KeyedRecord(kind, {"key": key, "value": value}) for key, value in known.items() if key != "source")
    elif kind == "preference":
        yield from (KeyedRecord(kind, each._asdict()) for each in preferences.read_preferences(vault))
    else:
        yield from (KeyedRecord(kind, {"name": each.name, **each.record}) for each in labels.read_labels(vault))


def _statement(each: KeyedRecord) -> Statement:
    called = each.name + (f" ({each.scope})" if each.scope not in ("", preferences.GLOBAL) else "")
    record = {key: value for key, value in each.record.items() if value not in ("", None)}
    return Statement(
        f"{called}: {'; '.join(each.content.splitlines())}", f"mem:{FILES[each.kind]}/{called}", each.kind,
        confidence=record.get("confidence") if each.kind == "preference" else None,
        record=json.loads(json.dumps(record, default=str)),
    )  # fmt: skip


def keyed_record_of(item: Statement) -> KeyedRecord | None:
    """Return the record in a statement, or None when it is an ordinary memory."""
    if item.type not in FILES or not _SOURCE.search(item.source) or "[REDACTED_" in item.text:
        return None
    record = {key: _day(key, value) for key, value in item.record.items()} or _from_words(item)
    keyed = KeyedRecord(item.type, record)
    try:
        if item.type == "profile":
            profile.check_value(keyed.name, record.get("value"))
    except UsageError:
        return None
    return keyed if keyed.content and keyed.name else None


def _day(key: str, value: Any) -> Any:
    try:
        return date.fromisoformat(value) if key in _DAYS else value
    except (TypeError, ValueError):
        return value


def _from_words(item: Statement) -> Record:
    called, _, value = item.text.partition(": ")
    if item.type == "label":
        return {"name": called, "value": value}
    if item.type == "profile":
        several = called in profile.KNOWN and isinstance(profile.ProfileFields.settings[called].default, tuple)
        return {"key": called, "value": value.split(", ") if several else value}
    match, sure = _SCOPED.fullmatch(called), 1.0 if item.confidence is None else item.confidence
    record: Record = {"key": match[1] if match else called, "value": value}
    if match:
        record["scope"] = match[2]
    return {**record, "source": "explicit" if sure == 1 else "inferred", "confidence": sure}


def split_off_records(text: str) -> tuple[str, list[Statement]]:
    """Return a note without the lines that are records, and the records."""
    found: list[Statement] = []

    def take(match: re.Match[str]) -> str:
        sure = _SURE.search(match["more"])
        item = Statement(match["text"], match["source"], match["type"], confidence=float(sure[1]) if sure else None)
        if keyed_record_of(item) is None:
            return match[0]
        found.append(item)
        return ""

    return _LINE.sub(take, text), found


def edits(vault: Vault, new: Iterable[KeyedRecord]) -> list[tuple[str, Edit]]:
    """Return the edits for `write_vault`. A record that was added to the file in the meantime is not replaced."""
    kinds: dict[str, list[KeyedRecord]] = {}
    for each in new:
        kinds.setdefault(each.kind, []).append(each)
    made: list[tuple[str, Edit]] = []
    for kind, listed in kinds.items():
        if kind == "profile":
            made.append((profile.FILE, partial(_with_profile, listed)))
        else:
            made.append((vault.space + FILES[kind], partial(_with_records, listed, FILES[kind])))
    return made


def _with_profile(new: list[KeyedRecord], text: str) -> str:
    for each in new:
        if each.record["key"] not in profile.profile_in(text):
            text = profile.with_value(text, each.record["key"], each.record["value"])
    return text


def _with_records(new: list[KeyedRecord], path: str, text: str) -> str:
    records = [{key: value for key, value in each.record.items() if value not in ("", None)} for each in new]
    name = "name" if path == labels.FILE else "key"
    return yaml_list.edited(text, path, name, lambda known: [*known, *records])


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
