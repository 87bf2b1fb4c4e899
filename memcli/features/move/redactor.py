"""Redact the items of an import, and record in its plan the kinds of sensitive data."""

from __future__ import annotations

from dataclasses import replace

from memcli.features.move import keyed_records
from memcli.features.move.import_plan import NAME_LENGTH, Plan
from memcli.features.move.keyed_records import KeyedRecord
from memcli.format import ImportedTalk, Page, Statement
from memcli.remember import redacted
from memcli.text.clean import harmless, one_line
from memcli.vault.gates import ALLOW, KINDS, REFUSE, Gates

_SECRETS = ("password", "private_key", "api_key")  # in a name or an id; its numbers stay, since most are a day


class Redactor:
    """Apply the gates of a vault to an import. With `keep_sensitive` texts are unchanged, but still counted.

    Metadata is redacted as well: titles, tags, names of files.
    """

    def __init__(self, gates: Gates, plan: Plan, keep_sensitive: bool) -> None:
        self.keep_sensitive = keep_sensitive
        self._plan, self._contacts = plan, gates.contacts
        self._rules: dict[str, str] = {kind: getattr(gates, kind) for kind in KINDS}

    def redact_text(self, text: str) -> tuple[str, list[str]]:
        """Return a redacted text, and the kinds of sensitive data in it."""
        text = harmless(text)
        plain, kinds = self._scan(text, self._rules, self._contacts)
        return (text if self.keep_sensitive else plain), kinds

    def record(self, name: str, kinds: list[str]) -> None:
        """Record in the plan the kinds found in a note or conversation."""
        self._plan.blacked_out.update(kinds)
        if kinds:
            listed = self._plan.sensitive.setdefault(one_line(name, NAME_LENGTH), [])
            listed += [kind for kind in kinds if kind not in listed]

    def redact_statement(self, item: Statement) -> Statement:
        """Return a statement with its metadata redacted, but not its text."""
        tags, author, type = tuple(map(self._redact, item.tags)), self._redact(item.author), self._redact(item.type)
        return replace(item, source=self.redact_path(item.source), tags=tags, author=author, type=type)

    def redact_page(self, item: Page) -> Page:
        """Return a page with its metadata redacted, but not its text."""
        fields = {key: self._redact(f"{key}: {value}").partition(": ")[2] for key, value in item.fields.items()}
        path, title, tags = self.redact_path(item.path), self._redact(item.title), tuple(map(self._redact, item.tags))
        return replace(item, source=self.redact_path(item.source), path=path, title=title, tags=tags, fields=fields)

    def redact_talk(self, item: ImportedTalk) -> ImportedTalk:
        """Return a conversation with its metadata redacted, but not its messages."""
        return replace(item, source=self.redact_path(item.source), title=self._redact(item.title))

    def redact_messages(self, talk: ImportedTalk) -> ImportedTalk:
        """Return a conversation with its messages redacted."""
        messages = []
        for message in talk.messages:
            text, kinds = self.redact_text(message.text)
            self.record(talk.title or talk.source, kinds)
            messages.append(replace(message, text=text))
        return replace(talk, messages=tuple(messages))

    def redact_path(self, path: str) -> str:
        """Return a file's name, or an id that may hold one, without a secret in it; links lead to its numbers."""
        stem, dot, suffix = path.rpartition(".")  # with its ending the gate takes it for a file and finds nothing
        rules = {kind: rule if kind in _SECRETS else ALLOW for kind, rule in self._rules.items()}
        return f"{self._redact(stem, rules)}.{suffix}" if dot else self._redact(path, rules)

    def refusal_of_text(self, kinds: list[str]) -> str:
        """Return why a text is refused, given the kinds found in it, or "" if it may enter the vault."""
        refused = [kind for kind in kinds if self._rules[kind] == REFUSE]
        return KINDS[refused[0]] if refused and not self.keep_sensitive else ""

    def refusal_of_record(self, record: KeyedRecord) -> str:
        """Return why a record is refused, or "". Redacted it would be useless, so anything sensitive refuses it, as the
        command does that sets it."""
        rules = {**self._rules, **(dict.fromkeys(keyed_records.REACH, ALLOW) if record.kind == "label" else {})}
        kinds = self._scan(harmless(f"{record.name}\n{record.content}"), rules)[1]
        return KINDS[kinds[0]] if kinds and not self.keep_sensitive else ""

    def _redact(self, text: str, rules: dict[str, str] | None = None) -> str:
        if self.keep_sensitive:
            return harmless(text)
        plain, kinds = self._scan(harmless(text), rules or self._rules)
        self._plan.blacked_out.update(kinds)
        return plain

    def _scan(self, text: str, rules: dict[str, str], contacts: bool = False) -> tuple[str, list[str]]:
        """Return what the gate's `redacted` returns, at once for a text that was found clean before."""
        mark = hash(
            (text, contacts, *rules.values())
        )  # the seed differs in each process, so nobody can craft a collision
        if mark in self._plan.clean:
            return text, []
        plain, kinds = redacted(text, rules, contacts)
        if not kinds:
            self._plan.clean.add(mark)
        return plain, kinds
