"""Run the gates in order. Sensitive data is blacked out or turned away first, so that no other gate sees it; then
come worth, duplicate and confidence. The settings `gates.*` switch each on or off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from memcli.errors import NotKept, Refused
from memcli.message import Message
from memcli.remember.gates import duplicate, sensitive, worth
from memcli.vault import files, journal, json_read
from memcli.vault.entries import Entry
from memcli.vault.snapshots import moment
from memcli.vault.vault import Vault

KEEP, REFUSE, REDACT, MERGE = "keep", "refuse", "redact", "merge"
HOUR = timedelta(hours=1)
AUDIT_LINE = 400  # bytes of a line of the audit, to estimate how much of its end to read


@dataclass(frozen=True)
class Verdict:
    """Hold the verdict of one gate. The reason names kinds and places, never the sensitive text itself."""

    gate: str
    action: str
    reason: str = ""
    hint: str = ""


@dataclass(frozen=True)
class GateResult:
    """Hold the result of the gates: the text to write, or the memory that has it already."""

    text: str
    verdicts: tuple[Verdict, ...]
    merged: Entry | None = None

    @property
    def refused(self) -> Verdict | None:
        return next((verdict for verdict in self.verdicts if verdict.action == REFUSE), None)


class TurnedAway(NotKept):
    """Signal that a gate refused a memory; `verdicts` holds all verdicts."""

    def __init__(self, passed: GateResult) -> None:
        no = passed.refused or passed.verdicts[-1]
        super().__init__(no.reason, no.hint)
        self.verdicts = passed.verdicts


def judge(
    vault: Vault,
    text: str,
    path: str = "",
    *,
    names: Sequence[str] = (),
    day: date | None = None,
    day_is_named: bool = False,
    force: bool = False,
    allow_sensitive: bool = False,
    confidence: float | None = None,
    is_labelled: bool = False,
) -> GateResult:
    """Return the verdicts on a text that would be written into `path` on `day` (today by default). `names` are its tags
    and headings; the agent's name is checked with them. If somebody named the day, only a memory of that day says the
    same.

    A text that a person labelled is no chatter. `force` skips worth and duplicate; only `allow_sensitive` opens the
    sensitive gate.
    """
    wanted = vault.settings.gates
    verdicts, hidden = [], ""
    if wanted.worth and not force and (long := worth.is_document(text))[0]:
        return GateResult("", (_unworthy(*long),))
    if not allow_sensitive:
        text, hidden, verdict = _blacked_out(text, (*names, vault.agent), sensitive.policy(wanted), wanted.contacts)
        verdicts.append(verdict)
    if wanted.worth and not force and not _refused(verdicts):
        reason, hint = worth.why_worthless(text, is_labelled)
        if reason and hidden:
            reason = Message("nothing worth keeping is left without {KINDS}", KINDS=hidden)
            verdicts.append(Verdict("worth", REFUSE, reason, verdicts[0].hint))
        else:
            verdicts.append(_unworthy(reason, hint) if reason else Verdict("worth", KEEP))
    merged = None
    if wanted.duplicate and not force and not _refused(verdicts):
        merged = duplicate.find_duplicate(vault, text, path, day or vault.today, day_is_named)
        reason = Message("{place} says the same ({id})", place=merged.place, id=merged.id) if merged else ""
        verdicts.append(Verdict("duplicate", MERGE if merged else KEEP, reason, "--force writes it again"))
    if confidence is not None and not merged and not _refused(verdicts):
        verdicts.append(_believed(confidence))
    return GateResult(text, tuple(verdicts), merged)


def check_hourly_limit(vault: Vault) -> None:
    """Raise Refused for an agent that has added its maximum of memories to its space within the hour."""
    most = vault.settings.gates.agent_hourly
    if most <= 0 or not vault.agent:
        return
    space, since, count = vault.space, vault.now - HOUR, 0
    for record in json_read.parse_records(
        files.tail(journal.place(vault.root, journal.AUDIT), AUDIT_LINE * (most + 100))
    ):
        at = moment(record.get("at"))
        ours = record.get("action") == "add" and any(path.startswith(space) for path in journal.paths_of(record))
        count += bool(ours and at and at > since)
    if count >= most:
        raise Refused(
            "{agent} has added {count} memories within the hour",
            "gates.agent_hourly is the limit",
            agent=vault.agent,
            count=most,
        )


def sensitive_in(vault: Vault, text: str, but: Sequence[str] = ()) -> str:
    """Return the kinds of sensitive data in a text, in words, except those in `but`; "" if there is none. For text
    that we must not change."""
    rules = sensitive.policy(vault.settings.gates) | dict.fromkeys(but, "allow")
    return sensitive.name_kinds(sensitive.redacted(text, rules)[1])


def check_agent_name(vault: Vault, name: str) -> None:
    """Raise NotKept for the name of an agent with a secret in it; it becomes the name of a folder."""
    if kinds := sensitive_in(vault, name):
        raise NotKept(Message("it holds {KINDS}", KINDS=kinds), "another name")


def _blacked_out(text: str, names: Sequence[str], rules: dict[str, str], contacts: bool) -> tuple[str, str, Verdict]:
    """Return the text without its sensitive parts, the removed kinds in words, and the verdict."""
    shown, kinds = sensitive.redacted(text, rules, contacts)
    beside = sensitive.redacted("\n".join(names), rules)[1]
    refused = [kind for kind in kinds if rules[kind] == REFUSE]
    if refused or beside:
        where = "it holds {KINDS}" if refused else "a tag, heading or file name holds {KINDS}"
        hint = "write it without; --allow-sensitive keeps it in plain words"
        reason = Message(where, KINDS=sensitive.name_kinds(refused or beside))
        return shown, "", Verdict("sensitive", REFUSE, reason, hint)
    if not kinds:
        return text, "", Verdict("sensitive", KEEP)
    if kinds[0] in sensitive.REACH:
        hint = "--allow-sensitive keeps it, or a label: mem label set NAME …"
    else:
        hint = Message(
            "--allow-sensitive keeps it, `{command}` always", command=f"mem config set gates.{kinds[0]} allow"
        )
    hidden = sensitive.name_kinds(kinds)
    return shown, hidden, Verdict("sensitive", REDACT, Message("blacked out {KINDS}", KINDS=hidden), hint)


def _believed(confidence: float) -> Verdict:
    """Return the verdict on a confidence: refuse a memory that is hardly believed, keep one that was inferred."""
    from memcli.vault.preferences import CONFIDENT, FORGOTTEN  # few memories have a confidence

    if confidence < FORGOTTEN:
        return Verdict(
            "confidence",
            REFUSE,
            Message("confidence {n} is below {least}", n=f"{confidence:g}", least=f"{FORGOTTEN:g}"),
        )
    doubt = Message(
        "confidence {n}: it counts once it is confirmed, above {least}", n=f"{confidence:g}", least=f"{CONFIDENT:g}"
    )
    return Verdict("confidence", KEEP, "" if confidence > CONFIDENT else doubt)


def _unworthy(reason: str, hint: str) -> Verdict:
    return Verdict("worth", REFUSE, reason, Message("{HINT}; --force keeps it as it is", HINT=hint))


def _refused(verdicts: list[Verdict]) -> bool:
    return any(verdict.action == REFUSE for verdict in verdicts)
