"""Define `mem prefer list|get|set|keep|unset|why|accept|correct|history`."""

from __future__ import annotations

import re
from typing import Annotated, Any

from memcli import remember
from memcli.cli import options
from memcli.cli.about import Values, add_history
from memcli.cli.command import Result, Table, command
from memcli.cli.looks import CYAN, DIM, GREEN, YELLOW
from memcli.cli.terminal import Terminal
from memcli.errors import CheckFailed, NotFound, UsageError
from memcli.message import Message
from memcli.text.clean import one_line
from memcli.vault import preferences
from memcli.vault.preferences import Preference, PreferenceStep, folded
from memcli.vault.settings import nearest

_NEGATION = re.compile(r"\bnot\b|不| ")
Key = Annotated[str, "KEY", "Its name, like drink.", options.keys]
Scope = Annotated[str, "SCOPE", "global, session, or a scene like project:tideline."]


@command("prefer list", "mem prefer", "mem prefer list --json | jq '.preferences[] | select(.counts)'", agents=True)
def list_(terminal: Terminal) -> Result:
    """Show all preferences; ✓ marks those that count, in their scope."""
    stored = preferences.read_preferences(terminal.vault())
    lasting = preferences.drop_expired(stored, terminal.vault().now)
    counting = [
        preference
        for scope in dict.fromkeys(preference.scope for preference in lasting)
        for preference in preferences.choose_effective([p for p in lasting if p.scope == scope], lambda scene: True)
    ]
    rows = [
        ["✓" if one in counting else "·", one.key, _standing(terminal, one), one.updated, _value(one)] for one in stored
    ]
    return Result(
        {"preferences": [{**preference._asdict(), "counts": preference in counting} for preference in stored]},
        Table(rows, (GREEN, CYAN, DIM, DIM, ""), clip=True),
        "" if rows else 'no preferences yet: mem prefer set drink "tea, no coffee after noon"',
    )


@command("prefer get", "mem prefer get drink", "mem prefer get database --scope project:tideline", agents=True)
def get(terminal: Terminal, key: Key, /, scope: Scope = "") -> Result:
    """Show the value that counts (in the session of MEM_SESSION, if set); exit 1 if none is certain enough."""
    first, why = _contest(terminal, key, scope)[0]
    if why != "counts":
        raise CheckFailed("nothing counts for {key}: {WHY}", f"mem prefer why {first.key}", key=first.key, WHY=why)
    return Result(first._asdict(), _value(first))


@command(
    "prefer set",
    'mem prefer set drink "tea, no coffee after noon" --category food',
    "mem prefer set database SQLite --scope project:tideline",
    "mem prefer set seat window --source inferred",
    agents=True,
)
def set_(
    terminal: Terminal,
    key: Key,
    value: Values,
    /,
    category: Annotated[str, "food, music, navigation … or any word."] = "",
    scope: Scope = preferences.GLOBAL,
    source: Annotated[str, "explicit, confirmed or inferred."] = "explicit",
) -> Result:
    """Keep a preference. It replaces what you said before; anything else that was inferred is trusted less."""
    if scope == preferences.SESSION:  # means the open session, or the one that MEM_SESSION names
        from memcli import session

        scope = f"{preferences.SESSION}:{session.find_session(terminal.vault()).id}"
    values = [_typed(text) for text in value]
    new = values[0] if len(values) == 1 else values
    return _changed(
        terminal, remember.prefer(terminal.vault(), key, new, category=category, scope=scope, source=source)
    )


@command(
    "prefer keep",
    'mem prefer keep "no meetings before ten"',
    'mem prefer "no meetings before ten"     the same',
    agents=True,
)
def keep(terminal: Terminal, text: Annotated[list[str], "TEXT...", "What you prefer, in a sentence."], /) -> Result:
    """Keep a preference as you would say it, under the key that mem learn would give it. The key of one shows it."""
    words = " ".join(text)
    if words.rstrip().endswith(("?", "？")):
        raise UsageError("a question tells no preference", "mem prefer list shows what is kept")
    is_key = any(folded(one.key) == folded(words) for one in preferences.read_preferences(terminal.vault()))
    result = get(terminal, words) if is_key else keep_sentence(terminal, words)
    assert result
    return result


def keep_sentence(
    terminal: Terminal, words: str, dry_run: bool = False, has_more: bool = False, is_told: bool = True
) -> Result | None:
    """Keep the preference in a sentence. Return None if `is_told` is false and the rules find no preference in it."""
    from memcli.remember import learning, proposals

    taste = learning.find_preference(words)
    if not (is_told or taste.line):  # the rules give a line number to what they find
        return None
    if has_more:
        terminal.vault().notice("a preference has no tags and no importance, and takes the place of its own key alone")
    if dry_run:
        taste, kept = learning.with_known_key(terminal.vault(), taste), None
    else:
        kept = learning.keep_preference(terminal.vault(), taste)
    place = f"{preferences.FILE} {kept.atom.key if kept else taste.key}"
    again = isinstance(kept, proposals.Repetition)
    message = "would write to {place}" if dry_run else "known already: {place}" if again else "remembered in {place}"
    instead = kept.before if isinstance(kept, proposals.Addition) else ""
    if isinstance(kept, proposals.Addition) and not instead:
        _name_alike(terminal, kept.atom.key, kept.atom.category)
    before = Message(", no longer: {before}", before=one_line(instead, 60)) if instead else ""
    facts = {
        "kept": kept is not None,
        "key": kept.atom.key if kept else taste.key,
        "value": taste.value,
        "place": place,
        "dry_run": dry_run,
    }
    became = terminal.translate(message, place=one_line(place))
    return Result(facts, f"{became}{terminal.speech.colon}{one_line(taste.value)}{terminal.translate(before)}")


def _name_alike(terminal: Terminal, key: str, category: str) -> None:
    """Ask about another preference of the category that shares half of the words of a key, or differs by a 不 (茶_不加糖,
    茶加糖), because only the user knows whether both apply."""
    words, bare = set(folded(key).split()), _NEGATION.sub("", folded(key))
    for one in preferences.read_preferences(terminal.vault()):
        other = folded(one.key)
        shared, least = words & set(other.split()), min(len(words), len(other.split()))
        is_near = 2 * len(shared) >= least and (one.category or category) == (category or one.category)
        if one.key != key and (is_near or _NEGATION.sub("", other) == bare):
            terminal.vault().notice(
                "does '{value}' still hold as well? If not: mem prefer unset {key}", value=_value(one), key=one.key
            )


@command("prefer unset", "mem prefer unset drink", "mem prefer unset database --scope project:tideline", agents=True)
def unset(terminal: Terminal, key: Key, /, scope: Scope = "") -> Result:
    """Move all preferences with this key, or those of one scope, to archive/preferences.yaml."""
    return _changed(terminal, remember.unprefer(terminal.vault(), key, scope))


@command("prefer why", "mem prefer why drink", "mem prefer why database --scope project:tideline", agents=True)
def why(terminal: Terminal, key: Key, /, scope: Scope = "") -> Result:
    """Show all preferences with this key: which one counts, and why the others do not."""
    contest = _contest(terminal, key, scope)
    data = [{**one._asdict(), "counts": reason == "counts", "why": reason} for one, reason in contest]
    rows = [
        ["✓" if reason == "counts" else "·", _value(one), _standing(terminal, one), terminal.translate(reason)]
        for one, reason in contest
    ]
    return Result({"key": key, "preferences": data}, Table(rows, (GREEN, "", DIM, YELLOW)))


@command("prefer accept", "mem prefer accept train_seat", agents=True)
def accept(terminal: Terminal, key: Key, /, scope: Scope = "") -> Result:
    """Note that a suggestion based on it was taken: what was inferred or confirmed is trusted more (+0.2)."""
    return _changed(terminal, remember.weigh(terminal.vault(), key, True, scope))


@command("prefer correct", "mem prefer correct train_seat", agents=True)
def correct(terminal: Terminal, key: Key, /, scope: Scope = "") -> Result:
    """Note that a suggestion based on it was wrong: it is trusted less (-0.4), and archived below 0.1."""
    return _changed(terminal, remember.weigh(terminal.vault(), key, False, scope))


add_history("prefer", "drink")


def _contest(terminal: Terminal, key: str, scope: str) -> list[tuple[Preference, str]]:
    stored = preferences.read_preferences(terminal.vault())
    matches = [preference for preference in stored if preferences.is_key(preference, key)]
    if not matches:
        raise NotFound(
            Message("there is no preference '{key}'", key=key),
            nearest(key, [preference.key for preference in stored]) or "mem prefer list shows them",
        )
    wanted = {folded(scope.rpartition(":")[2])}
    if not scope or scope == preferences.SESSION:
        wanted |= _here(terminal, scope)
    return preferences.rank_rivals(matches, lambda scene: folded(scene) in wanted, terminal.vault().now)


def _here(terminal: Terminal, scope: str) -> set[str]:
    """Return the scenes of the session that MEM_SESSION names, or of the open one if the scope is `session`; else
    none."""
    if not scope and not terminal.environ.get("MEM_SESSION", "").strip():
        return set()
    from memcli import session  # few preferences belong to one session

    return {folded(scene) for scene in preferences.scene_names(session.find_session(terminal.vault()).id)}


def _standing(terminal: Terminal, preference: Preference) -> str:
    """Return where a preference comes from, how sure it is and where it holds, in the user's language."""
    source, _, more = one_line(preference.standing).partition(" ")
    return f"{terminal.translate(source)} {more}".strip()


def _changed(terminal: Terminal, change: Any) -> Result:
    lines = []
    for step in change.steps[::-1]:
        preference = step.after or step.before
        why = terminal.paint(
            terminal.speech.bracketed(
                f"{terminal.translate(step.why)}{'' if step.after else terminal.translate(', archived')}"
            ),
            DIM,
        )
        old = _value(step.before) if step.before and step.after else ""
        before = (
            Message(", no longer: {before}", before=one_line(old, 60)) if old not in ("", _value(preference)) else ""
        )
        named = terminal.paint(one_line(preference.key), CYAN)
        lines.append(f"{named}: {_value(preference)}{terminal.translate(before)}{why}")
    return Result({"changes": [_facts(step) for step in change.steps]}, lines)


def _facts(step: PreferenceStep) -> dict[str, Any]:
    before, after = (each._asdict() if each else None for each in (step.before, step.after))
    return {"before": before, "after": after, "why": step.why}


def _typed(text: str) -> Any:
    """Return a number or a boolean if the text is one, else the text itself."""
    if re.fullmatch(r"-?(0|[1-9]\d{0,14})(\.\d+)?", text):
        return float(text) if "." in text else int(text)
    return {"true": True, "false": False}.get(text, text)


def _value(preference: Preference) -> str:
    return one_line(preferences.value_text(preference))
