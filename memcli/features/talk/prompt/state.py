"""Make the state layer of a prompt: how to answer the user, from settings, anchors of the conversation and
preferences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memcli import contributions
from memcli.errors import MemError
from memcli.features.talk.prompt.layers import ANCHOR, PREFERENCE, Count, Layer, Lines, bulleted, listed
from memcli.vault import preferences, profile, state
from memcli.vault.vault import Vault

if TYPE_CHECKING:
    from memcli.session import Session

_SPEAKS = {
    "response_length": "replies", "session_mode": "mode", "topics_of_interest": "likes to talk about",
    "avoid_topics": "avoid",
}  # fmt: skip
FIRST_MEETING = "a first meeting: the user's profile is still empty"
PROPOSE = (
    "nudge",
    "worth remembering: lasting tastes, habits, people, addresses; nothing for once. Ask once before, not after a no",
)
_ANCHORED = {"language": "language", "length": "response_length"}  # anchor → the state that it overrides


def lines(vault: Vault, session: Session | None, said: str, applying: Sequence[str] = ()) -> Lines:
    """Return lines about how to answer: first the state, then anchors of this conversation, then preferences.
    `applying` has the keys of those that apply to the user's words."""
    anchors = dict(session.anchors) if session else {}
    now = state.read_state(vault)
    main = {"language": now.language, "response_length": now.response_length, "session_mode": now.session_mode}
    main = {
        key: value for key, value in main.items() if value and key not in {_ANCHORED.get(anchor) for anchor in anchors}
    }
    made = [(state.FILE, "; ".join(f"{_SPEAKS.get(key, key)}: {value}" for key, value in main.items()))]
    rules = [f"{key}: {value}" for key, values in anchors.items() for value in values.split("; ")]
    made += [(ANCHOR + rule, f"in this talk, above all else: {rule}") for rule in rules]
    for name, topics in (("topics_of_interest", now.topics_of_interest), ("avoid_topics", now.avoid_topics)):
        made += [(f"{state.FILE} {name}", f"{_SPEAKS[name]}: {', '.join(topics)}")] if topics else []
    made += [(profile.FILE, FIRST_MEETING)] if _is_first_meeting(vault) else []
    return made + [
        (PREFERENCE + preference.key, preferences.as_model_text(preference))
        for preference in _preferences(vault, session, said, applying)
        if preference.key not in anchors
    ]


def proposing(vault: Vault, session: Session | None) -> Lines:
    """Return the line that lets a model offer to remember something, unless the user has refused in this
    conversation."""
    initiative = contributions.initiative() if session else None
    return [PROPOSE] if session and initiative and initiative.may_propose(vault, session.id) else []


def _is_first_meeting(vault: Vault) -> bool:
    try:
        return not any(profile.read_profile(vault).values())
    except MemError:
        return False  # it exists, and recall reports that it can't be read


def _preferences(
    vault: Vault, session: Session | None, said: str, applying: Sequence[str]
) -> list[preferences.Preference]:
    """Return the preferences in force here: first those about talking, then those that apply. If the file is broken,
    return none."""
    low = said.lower()
    scenes = preferences.scene_names(session.id) if session else set()
    try:
        unexpired = preferences.drop_expired(preferences.read_preferences(vault), vault.now)
    except MemError as error:
        vault.notice(error.message)
        return []
    found = preferences.choose_effective(unexpired, lambda scene: scene in scenes or scene.lower() in low)
    return sorted(found, key=lambda each: (each.category != "communication", each.key not in applying))


def layer(head: str, stated: Lines, budget: int, room: int, count: Count) -> Layer:
    """Return the layer with all anchors of this conversation, even beyond the budget, and as many of the other lines as
    fit."""
    anchored = [line for line in stated if line[0].startswith(ANCHOR)]
    whole = listed("state", head, anchored, budget, room, count)
    shown = [line for line in anchored if line[0] in whole.items]
    for line in stated:
        if line not in anchored and count(bulleted(head, [*shown, line])) <= min(budget, room):
            shown.append(line)
    shown.sort(key=stated.index)
    text = bulleted(head, shown) if shown else ""
    return Layer("state", budget, count(text), tuple(at for at, _ in shown), len(stated) - len(shown), text=text)
