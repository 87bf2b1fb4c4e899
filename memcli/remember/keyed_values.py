"""Change memories that have keys: preferences, labels, the profile and the state. Each function changes one record of
its file and archives the replaced one; `vault.preferences` decides which value wins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from memcli.errors import NotFound, NotKept, Refused, UsageError
from memcli.message import Message
from memcli.remember.change import archive_path
from memcli.remember.gates import sensitive
from memcli.remember.gates.gate import sensitive_in
from memcli.remember.times import BEFORE, end_value, has_name
from memcli.text.clean import harmless, one_line
from memcli.vault import labels, preferences, yaml_edit, yaml_list, yaml_read
from memcli.vault import profile as profiles
from memcli.vault import state as states
from memcli.vault.labels import Label
from memcli.vault.preferences import Preference, PreferenceStep, folded
from memcli.vault.setting import flaws
from memcli.vault.settings import nearest
from memcli.vault.vault import Vault
from memcli.vault.write import WriteResult, write_vault
from memcli.vault.yaml_list import Record

Rule = Callable[[list[Record]], Sequence[Record | None]]


@dataclass(frozen=True)
class PreferenceResult:
    """Hold what happened to each preference that was touched."""

    steps: tuple[PreferenceStep, ...]
    written: WriteResult


# -- preferences -------------------------------------------------------------------------------------------------------


def prefer(
    vault: Vault, key: str, value: Any, *, category: str = "", scope: str = preferences.GLOBAL,
    source: str = "explicit", past: bool = False,
) -> PreferenceResult:  # fmt: skip
    """Keep a preference. Raise Refused if an inference contradicts an explicit one. With `past`, the old value of an
    explicit one is kept with its time."""
    key, scope = "_".join(_require_name(key, "a preference has a name").split()), one_line(scope) or preferences.GLOBAL
    if source not in preferences.SOURCES:
        raise UsageError(
            "a preference can't be {source}",
            Message("one of {names}", names=", ".join(preferences.SOURCES)),
            source=source,
        )
    _require_value("prefer", key, "" if value is None else value)
    _refuse_sensitive(vault, key, value, category, scope)
    new = Preference(key, _clean(value), one_line(category), scope, source, preferences.STARTS[source])
    at = str(_at(vault, new))
    new = new._replace(created=at, updated=at)

    # Explicit ones apply to all agents.
    shared = preferences.read_preferences(vault.with_values(agent="")) if vault.agent else []

    def learn(stored: list[Preference]) -> list[PreferenceStep]:
        steps, _ = preferences.learn_preference(stored, new)
        if why := preferences.learn_preference([*stored, *shared], new)[1]:
            raise Refused(
                why,
                Message(
                    "mem prefer why {key}; what you say yourself counts: mem prefer set {rest} …", key=key, rest=key
                ),
            )
        return steps

    return _preferences(vault, key, learn, past)


def weigh(vault: Vault, key: str, accepted: bool, scope: str = "") -> PreferenceResult:
    """Raise or lower the trust in a preference, after a suggestion built on it was accepted or corrected."""

    def step(stored: list[Preference]) -> list[PreferenceStep]:
        found = _find_called(stored, key, scope)
        learnt = [each for each in found if each.source != "explicit"]
        if not learnt:
            raise UsageError(
                "{key} was said explicitly, it is not weighed",
                Message("mem prefer set {key} … changes it", key=key),
                key=key,
            )
        near = learnt if scope else [each for each in learnt if not each.scene] or learnt
        best = preferences.rank_rivals(near, lambda scene: True, vault.now)[0][0]
        return [preferences.judge_preference(best, accepted, vault.today.isoformat())]

    return _preferences(vault, key, step)


def unprefer(vault: Vault, key: str, scope: str = "") -> PreferenceResult:
    """Archive a preference, in all scopes or in one."""
    return _preferences(
        vault, key, lambda held: [PreferenceStep(each, None, "taken out") for each in _find_called(held, key, scope)]
    )


def _preferences(
    vault: Vault, key: str, rule: Callable[[list[Preference]], list[PreferenceStep]], past: bool = False
) -> PreferenceResult:
    steps: list[PreferenceStep] = []

    def change(found: list[Record]) -> list[Record | None]:
        stored = [preferences.preference_of(each) for each in found]
        steps[:] = rule([each for each in stored if each])
        after = {id(step.before): step.after for step in steps if step.before}
        result: list[Record | None] = []
        for record, each in zip(found, stored, strict=True):
            then = after.get(id(each), each)
            result.append(record if then is each else _record(vault, then, each, record) if then else None)
            if past and each and then and then.value != each.value:
                result[-1] = {**(result[-1] or {}), BEFORE: end_value(record.get(BEFORE), each.value, vault.today)}
        return [*result, *(_record(vault, step.after) for step in steps if step.before is None and step.after)]

    written = _rewritten(vault, "prefer", vault.space + preferences.FILE, "key", key, change)
    return PreferenceResult(tuple(steps), written)


def _record(vault: Vault, new: Preference, old: Preference | None = None, record: Record | None = None) -> Record:
    """Return a preference as its record. Change only what differs from the old one."""
    values = {name: value for name, value in new._asdict().items() if old is None or value != getattr(old, name)}
    if not values.get("category"):
        values.pop("category", None)
    return {**(record or {}), **values, **{name: _at(vault, new) for name in ("created", "updated") if name in values}}


def _at(vault: Vault, preference: Preference) -> date:
    """Return when it was said: the day, or the minute if it holds for a session only."""
    return vault.now.replace(second=0, microsecond=0) if preference.of_session else vault.today


def _find_called(stored: list[Preference], key: str, scope: str) -> list[Preference]:
    found = [p for p in stored if preferences.is_key(p, key) and (not scope or folded(p.scope) == folded(scope))]
    if not found:
        where = f" for {scope}" if scope else ""
        raise NotFound(
            "there is no preference '{key}'{where}",
            nearest(key, [each.key for each in stored]) or "mem prefer list shows them",
            key=key,
            where=where,
        )
    return found


# -- labels ------------------------------------------------------------------------------------------------------------


def label(
    vault: Vault, name: str, told: str = "", *, aliases: Sequence[str] = (), past: bool = False, **more: Any
) -> tuple[Label, WriteResult]:
    """Keep a label, or change the one with this name or alias. `told` is its address or value; `address`, `value`,
    `phone`, `poi_id`, `lat` and `lon` set single fields. With `past` the old value is kept with its time."""
    name = _require_name(name, "a label has a name")
    fields = {key: _clean(value) for key, value in more.items() if value not in (None, "")}
    for flaw in flaws(labels.LabelFields, fields, name):
        raise flaw
    _refuse_sensitive(
        vault, name, told, *aliases, *(fields.get(key, "") for key in labels.VALUE_FIELDS), but=sensitive.REACH
    )
    _refuse_sensitive(vault, fields.get("poi_id", ""), but=("high_entropy",))
    new_names = [one_line(alias) for alias in aliases if one_line(alias)]
    done: list[Label] = []

    def change(found: list[Record]) -> list[Record]:
        stored = [labels.make_label(each) for each in found]
        at = next((n for n, each in enumerate(stored) if has_name(each, name)), len(stored))
        for other in (each for n, each in enumerate(stored) if n != at):
            if taken := next((each for each in new_names if has_name(other, each)), ""):
                raise UsageError("'{name}' is a name of the label '{other}' already", name=taken, other=other.name)
        record: Record = dict(found[at]) if at < len(found) else {"name": name}
        was, known = dict(record), labels.make_label(record)
        extra = [each for each in dict.fromkeys(new_names) if not has_name(known, each)]
        if extra:
            record["aliases"] = [*known.aliases, *extra]
        if told:
            record[next((key for key in labels.VALUE_FIELDS if record.get(key)), "value")] = one_line(told)
        record.update(fields)
        gone = [was[key] for key in labels.VALUE_FIELDS if past and was.get(key) not in (None, record.get(key))]
        for each in gone:
            record[BEFORE] = end_value(record.get(BEFORE), each, vault.today)
        done[:] = [labels.make_label(record)]
        if not done[0].value:
            hint = Message('say what it stands for, too: mem label set {name} "12 Example Road"', name=name)
            raise UsageError("the label '{name}' says nothing", hint, name=name)
        return [*found[:at], record, *found[at + 1 :]]

    written = _rewritten(vault, "label", vault.space + labels.FILE, "name", name, change)
    return done[0], written


def unlabel(vault: Vault, name: str) -> WriteResult:
    """Archive the label that has this name or alias."""

    def change(found: list[Record]) -> list[Record | None]:
        result = [None if has_name(labels.make_label(each), name) else each for each in found]
        if None not in result:
            raise NotFound("there is no label '{name}'", "mem label list shows them", name=name)
        return result

    return _rewritten(vault, "label", vault.space + labels.FILE, "name", name, change)


# -- profile and state -------------------------------------------------------------------------------------------------


def profile(vault: Vault, key: str, value: Any, *, past: bool = False) -> WriteResult:
    """Set a line of the profile, or remove it if the value is None. With `past` the old value is kept with its time."""
    if value is not None:  # a line written by hand can be removed whatever it holds
        _refuse_sensitive(vault, key, value)
    key = profiles.matching_key(profiles.read_profile(vault), key)
    value = None if value is None else profiles.check_value(key, _clean(value))
    _require_value("profile", key, value)
    if value is None and key not in profiles.read_profile(vault):
        raise NotFound("there is no '{key}' in the profile", nearest(key, list(profiles.read_profile(vault))), key=key)

    def edit(text: str) -> str:
        stored, before = profiles.profile_in(text), f"{key}_{BEFORE}"
        if past and profiles.is_told(stored.get(key)):
            text = profiles.with_value(text, before, end_value(stored.get(before), stored[key], vault.today))
        return profiles.with_value(text, key, value)

    return write_vault(vault, "profile", [(profiles.FILE, edit)], [key])


def state(vault: Vault, key: str, value: Any) -> WriteResult:
    """Check and set a key of the state; None restores its default."""
    value = value if value is None else _clean(states.check_value(vault, key, value))
    if key not in states.DEFAULTS or key == states.RESET:
        raise UsageError("'{key}' can't be set in the state", "mem state list shows what can", key=key)
    _require_value("state", key, value)
    _refuse_sensitive(vault, value)
    return write_vault(vault, "state", [(states.FILE, lambda text: _with_state(text, key, value))], [key])


def reset(vault: Vault) -> WriteResult:
    """Reset the state to its defaults, except for the language, and note the day."""
    new = {**{key: None for key in states.DEFAULTS if key != "language"}, states.RESET: vault.today}
    edits = [(states.FILE, partial(_with_state, key=key, value=value)) for key, value in new.items()]
    return write_vault(vault, "state", edits, [states.RESET])


def _with_state(text: str, key: str, value: Any) -> str:
    if value is None and key in yaml_read.mapping(text, states.FILE):
        value = states.DEFAULTS[key] or None  # write a default if possible, so that its line and comment stay
    return yaml_edit.with_value(text, states.FILE, [key], value)


# -- all of them -------------------------------------------------------------------------------------------------------


def _rewritten(vault: Vault, action: str, path: str, key: str, name: str, rule: Rule) -> WriteResult:
    """Change a file of records by a rule. Archive removed records first, so that after a crash they exist twice and are
    not lost."""

    def gone() -> list[Record]:
        stored = yaml_list.read_records(vault, path, key)
        return [was for was, now in zip(stored, rule(stored), strict=False) if now is None]

    edits = [(path, lambda text: yaml_list.edited(text, path, key, rule))]
    if gone():
        edits.insert(0, yaml_list.archiving(vault, archive_path(path), key, gone))
    return write_vault(vault, action, edits, [name])


def _refuse_sensitive(vault: Vault, *values: Any, but: Sequence[str] = ()) -> None:
    """Raise NotKept if a value, or the agent's name, is sensitive by the settings `gates.*`; it is of no use hidden."""
    listed = [value if isinstance(value, (list, tuple)) else [value or ""] for value in (*values, vault.agent)]
    # A sentence may have been split at its commas; joined, its parts can be judged together.
    text = "\n\n".join("，".join(map(str, parts)) + "\n\n" + "\n".join(map(str, parts)) for parts in listed)
    if what := sensitive_in(vault, text, but):
        hint = "leave that out; mem config set gates.KIND allow keeps all of that kind, mem config list shows the kinds"
        raise NotKept(Message("it holds {KINDS}", KINDS=what), hint)


def _require_value(kind: str, key: str, value: Any) -> None:
    if value in ("", [], ()):
        raise UsageError(
            "{key} has no value", Message("mem {kind} unset {key} takes it away", kind=kind, key=key), key=key
        )


def _require_name(name: str, otherwise: str) -> str:
    if not (name := one_line(name)):
        raise UsageError(otherwise)
    return name


def _clean(value: Any) -> Any:
    """Return texts, and lists of them, without control characters."""
    if isinstance(value, str):
        return harmless(value).strip()
    return [_clean(each) for each in value] if isinstance(value, (list, tuple)) else value
