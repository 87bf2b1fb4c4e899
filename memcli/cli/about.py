"""Define `mem profile`, `mem label` and `mem state`: show, set and explain facts about a person."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any

from memcli import remember
from memcli.cli import options
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import CYAN, DIM, GREEN, YELLOW
from memcli.cli.terminal import Terminal
from memcli.errors import NotFound, UsageError
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.text.later import compile_later
from memcli.text.messages import table_language
from memcli.vault import labels
from memcli.vault import profile as profiles
from memcli.vault import state as states
from memcli.vault.labels import Label
from memcli.vault.settings import nearest
from memcli.vault.vault import Vault

_ENGLISH = compile_later(r"en|英", re.I)
_STANDING = compile_later(r" \((explicit|confirmed|inferred)( [\d.]+)?\)")
Key = Annotated[str, "KEY", "One of the keys that list shows.", options.keys]
Name = Annotated[str, "NAME", "Its name or an alias.", options.keys]
Values = Annotated[list[str], "VALUE...", "Its value; several make a list."]


# -- what several of them have ---------------------------------------------------------------------------------------


def add_list_get_unset(
    kind: str,
    key: str,
    read: Callable[[Vault], dict[str, Any]],
    change: Callable[..., Any],
    called: Callable[[Vault, str], str] = lambda vault, key: key,
) -> None:
    """Define the commands `list`, `get`, `unset`, `why` and `history` for the group `kind`, profile or state."""

    @command(f"{kind} list", f"mem {kind}", f"mem {kind} list --json")
    def list_(terminal: Terminal) -> Result:
        """Show all that is set, and the defaults in use."""
        values = read(terminal.vault())
        rows = [[one_line(name), _plain(value)] for name, value in values.items() if profiles.is_told(value)]
        empty = Message("nothing is set yet; {command} does it", command=f"mem {kind} set {key} VALUE")
        return Result(values, Table(rows, (CYAN, ""), clip=True), "" if rows else empty)

    @command(f"{kind} get", f"mem {kind} get {key}")
    def get(terminal: Terminal, key: Key, /) -> Result:
        """Show one value."""
        return _value(terminal, read(terminal.vault()), called(terminal.vault(), key), kind, key)

    @command(f"{kind} unset", f"mem {kind} unset {key}")
    def unset(terminal: Terminal, key: Key, /) -> Result:
        """Remove one value, or give it its default back."""
        key = called(terminal.vault(), key)
        change(terminal.vault(), key, None)
        left = read(terminal.vault()).get(key)
        return Result({key: left}, _plain(left) or terminal.translate("{name} is removed", name=one_line(key)))

    add_why(kind, lambda vault, name: (called(vault, name), _plain(_one(read(vault), called(vault, name), kind))), key)
    add_history(kind, key)


def add_why(kind: str, read: Callable[[Vault, str], tuple[str, str]], example: str) -> None:
    """Define the command `why` for a group. Preferences compete with each other, so they have a `why` of their own."""

    @command(f"{kind} why", f"mem {kind} why {example}")
    def why(terminal: Terminal, name: Name, /) -> Result:
        """Show the value in use, since when, and what set it."""
        name, value = read(terminal.vault(), name)
        step, text = next(iter(remember.value_history(terminal.vault(), kind, name)), (None, ""))
        default = _plain(states.DEFAULTS.get(name)) if kind == "state" else ""
        if (step is None or (step.id and not text)) and value == default:
            since, how = "", "the default"
        else:
            since, how = (f"{step.at:%Y-%m-%d %H:%M}", step.what) if step else ("", "written by hand")
        row = [one_line(value) or "not set", since and Message("since {time}", time=since), one_line(how)]
        row[1:] = map(terminal.translate, row[1:])
        return Result(
            {"name": name, "value": value, "since": since or None, "why": how}, Table([row], ("", DIM, YELLOW))
        )


def add_history(kind: str, example: str) -> None:
    """Define the command `history` for a group."""

    @command(f"{kind} history", f"mem {kind} history {example}")
    def history(terminal: Terminal, name: Name, /) -> Result:
        """Show its values over time, latest first, from git; without git only when it was changed."""
        steps = remember.value_history(terminal.vault(), kind, name)
        data = [{"at": step.at.isoformat(), "commit": step.id or None, "said": text} for step, text in steps]
        rows = [[f"{step.at:%Y-%m-%d %H:%M}", step.id, _in_words(terminal, text) or "-"] for step, text in steps]
        return Result(
            {"name": name, "history": data},
            Table(rows, (GREEN, YELLOW, ""), clip=True),
            "" if steps else Message("no history of '{name}'", name=name),
        )


def _in_words(terminal: Terminal, text: str) -> str:
    """Return a past value in the user's language, together with its source (explicit, confirmed, inferred)."""
    said, bracketed = terminal.translate, terminal.speech.bracketed
    return _STANDING.sub(lambda found: bracketed(said(found[1]) + (found[2] or "")), text)


def _value(terminal: Terminal, values: dict[str, Any], key: str, kind: str, asked: str = "") -> Result:
    value = _one(values, key, kind, asked)
    return Result({key: value}, _plain(value) or terminal.translate("not set"))


def _one(values: dict[str, Any], key: str, kind: str, asked: str = "") -> Any:
    """Return the value of a key. An error calls the key as the user `asked` for it."""
    if key not in values:
        hint = nearest(key, list(values)) or Message("mem {kind} list shows what there is", kind=kind)
        raise NotFound("there is no '{name}'", hint, name=asked or key)
    return values[key]


def _plain(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        value = ", ".join(map(str, value))
    if isinstance(value, bool):
        value = str(value).lower()
    return one_line(str(value)) if profiles.is_told(value) else ""


# -- profile and state -----------------------------------------------------------------------------------------------


def _called(vault: Vault, key: str) -> str:
    """Return the name of the profile field that a key means."""
    return profiles.matching_key(profiles.read_profile(vault), key)


def _state(vault: Vault) -> dict[str, Any]:
    return dict(vars(states.read_state(vault)))


@command("profile set", 'mem profile set name "Lin Zhou"', "mem profile set interests climbing 摄影 tea")
def profile_set(terminal: Terminal, key: Key, value: Values, /) -> Result:
    """Change one line of the profile; all else in USER.md stays as it is."""
    asked, key = key, _called(terminal.vault(), key)
    is_number = all(re.fullmatch(r"\+?[\d()/.-]+", text) for text in value)  # a phone number has spaces
    many = key == "interests" or (len(value) > 1 and key not in profiles.KNOWN and not is_number)
    parts = [part for text in value for part in re.split(r"[,，、]\s*", text) if part]
    remember.profile(terminal.vault(), key, parts if many else " ".join(value))
    result = _value(terminal, profiles.read_profile(terminal.vault()), key, "profile")
    close = nearest(key, list(profiles.KNOWN)) if key not in profiles.KNOWN else ""
    renamed = Message("{key} is kept as {name} in USER.md", key=asked, name=key) if asked != key else "kept in USER.md"
    if many and key not in profiles.KNOWN and len(parts) == len(value) > 1:  # "favourite colour green"
        renamed = Message("{n} values of {key}; one of several words stands in quotes", n=len(parts), key=key)
    return result._replace(
        note=Message("{key} is a line of your own; {hint}", key=key, hint=close) if close else renamed
    )


@command("state set", "mem state set session_mode deep_dive", "mem state set avoid_topics 房价 crypto")
def state_set(terminal: Terminal, key: Key, value: Values, /) -> Result:
    """Change how an assistant should talk with you now."""
    remember.state(terminal.vault(), key, value if len(value) > 1 else value[0])
    result = _value(terminal, _state(terminal.vault()), key, "state")
    unspoken = key == "language" and not _ENGLISH.match(str(value[0])) and not table_language(str(value[0]))
    return result._replace(note="mem itself speaks English and Chinese, and English for any other" if unspoken else "")


@command("state reset", "mem state reset")
def state_reset(terminal: Terminal) -> Result:
    """Give everything but the language its default back."""
    remember.reset(terminal.vault())
    now = _state(terminal.vault())
    return Result({states.RESET: now[states.RESET]}, terminal.translate("all but the language has its default again"))


add_list_get_unset("profile", "occupation", profiles.read_profile, remember.profile, _called)
add_list_get_unset("state", "response_length", _state, remember.state)


# -- labels ------------------------------------------------------------------------------------------------------------


@command("label list", "mem label", "mem label list --json | jq '.labels[].name'", agents=True)
def label_list(terminal: Terminal) -> Result:
    """Show all labels, those used most first."""
    stored = labels.add_uses(terminal.vault(), labels.read_labels(terminal.vault()))
    stored.sort(key=lambda label: -label.uses)
    rows = [[label.name, _used(label), ", ".join(label.aliases), label.details] for label in stored]
    return Result(
        {"labels": [_as_json(label) for label in stored]},
        Table([[one_line(cell) for cell in row] for row in rows], (CYAN, DIM, GREEN, ""), clip=True),
        "" if rows else 'no labels yet: mem label set home "12 Example Road"',
    )


@command("label get", "mem label get home", "mem label get 公司 --json | jq .lat", agents=True)
def label_get(terminal: Terminal, name: Name, /) -> Result:
    """Show a label. When none has the name, it shows the one whose name is most like it, and says so."""
    label, likeness = _nearest(terminal.vault(), name)
    if likeness < 1.0:
        terminal.tell("no label is called '{name}'; {other} is the nearest", name=name, other=one_line(label.name))
    return Result({**_as_json(label), "exact": likeness == 1.0}, one_line(label.details))


@command(
    "label set",
    'mem label set home "12 Example Road" --alias 家 --alias "our flat"',
    'mem label set partner "Su Qing, illustrator" --alias 苏晴',
    "mem label set home --lat 31.2101 --lon 121.5523",
    agents=True,
)
def label_set(
    terminal: Terminal,
    name: Name,
    told: Annotated[list[str] | None, "[TEXT]...", "What it stands for."] = None,
    /,
    alias: Annotated[list[str] | None, "-a", "Another name; may be repeated."] = None,
    address: Annotated[str, "Where it is."] = "",
    phone: Annotated[str, "Its phone number."] = "",
    poi_id: Annotated[str, "Its id on a map."] = "",
    lat: Annotated[float | None, "Degrees north."] = None,
    lon: Annotated[float | None, "Degrees east."] = None,
) -> Result:
    """Keep a label, or change the one that has this name or alias; what you leave out stays."""
    place: dict[str, Any] = {"address": address, "phone": phone, "poi_id": poi_id, "lat": lat, "lon": lon}
    label, _ = remember.label(terminal.vault(), name, " ".join(told or ()), aliases=alias or (), **place)
    also = f" ({', '.join(label.aliases)})" if label.aliases else ""
    return Result(_as_json(label), one_line(f"{label.name}{also}{terminal.speech.colon}{label.details}"))


@command("label unset", "mem label unset gym", agents=True)
def label_unset(terminal: Terminal, name: Name, /) -> Result:
    """Move a label to archive/labels.yaml."""
    remember.unlabel(terminal.vault(), name)
    return Result({"unset": name}, terminal.translate("{name} is archived", name=one_line(name)))


def _nearest(vault: Vault, name: str) -> tuple[Label, float]:
    matches = labels.find_labels(labels.add_uses(vault, labels.read_labels(vault)), name)
    if not matches:
        raise NotFound("there is no label '{name}', nor one like it", "mem label list shows them", name=name)
    if len(matches) > 1 and matches[0][1] - matches[1][1] < 0.05:
        close = ", ".join(one_line(label.name) for label, _ in matches[:5])
        raise UsageError("'{name}' could be any of {list}", "type more of the name", name=name, list=close)
    return matches[0]


def _name_and_text(vault: Vault, name: str) -> tuple[str, str]:
    label, _ = _nearest(vault, name)
    return label.name, label.value


add_why("label", _name_and_text, "home")
add_history("label", "home")


def _used(label: Label) -> str:
    return f"{label.uses}× {label.last_used}".rstrip() if label.uses else ""


def _as_json(label: Label) -> dict[str, Any]:
    known = {"name": label.name, "aliases": list(label.aliases), "told": label.value}
    return {**label.record, **known, "use_count": label.uses, "last_used": label.last_used or None}
