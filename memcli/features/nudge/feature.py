"""Register the feature `nudge`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memcli.extend import Command, Feature, Initiative, PageView, late, setting

if TYPE_CHECKING:
    from memcli.extend import ProfileQuestion, Reply, Vault

WINDOW = 65536  # bytes at the end of the journal in which an open question is looked for
HOURS = r"(?:[01]\d|2[0-3]):[0-5]\d"


def _note(vault: Vault, session: str, asked: Sequence[ProfileQuestion], timely: Sequence[Any]) -> None:
    from memcli.features.nudge import choose, outcomes

    choose.note_asked(vault, session, asked)
    outcomes.note_brought(vault, timely, session)


def _hear(vault: Vault, session: str, said: str) -> Reply | None:
    """Return the outcome of a question asked in this session, or None. An answer settles all open questions, so the
    last line about a question shows whether one is open."""
    from memcli.vault import files, journal

    lines = files.tail(journal.place(vault.root, "nudges"), WINDOW).split("\n")
    own = (line for line in reversed(lines) if f'"session":"{session}"' in line and '"event":"brought"' not in line)
    if '"event":"asked"' not in next(own, ""):
        return None
    from memcli.features.nudge import choose  # few messages answer a question

    return choose.note_reply(vault, session, said)


def _look(vault: Vault, payload: object) -> None:
    from memcli.features.nudge import propose

    propose.proposals(vault)  # its results are kept for callers that can't wait


FEATURE = Feature(
    "nudge",
    "Chooses what an assistant may ask or bring up on its own.",
    commands=(
        Command(
            "nudge", "talks and prompts", "Show what is worth bringing up now, and say what came of it.",
            "memcli.features.nudge.cli", before="role",
        ),
    ),
    settings={
        "nudge.most": setting(3, "things worth bringing up in a day, at most; 0 brings up none"),
        "nudge.quiet": setting(
            "22:00-07:00", "two times, like 22:00-07:00, between which only mem nudge brings something up; empty: none",
            like=f"{HOURS}-{HOURS}",
        ),
        "nudge.task": setting(True, "bring up open tasks, promises, and what is waited for"),
        "nudge.day": setting(True, "bring up days that come: birthdays, trips, contracts that end"),
        "nudge.decision": setting(True, "bring up decisions to look at again, or whose reason is gone"),
        "nudge.topic": setting(True, "bring up topics that keep returning without an end"),
        "nudge.disagree": setting(True, "bring up notes that disagree"),
        "nudge.person": setting(True, "bring up people who were not written about for long"),
        "nudge.insight": setting(True, "bring up what several days have taught"),
    },
    initiative=Initiative(
        late("memcli.features.nudge.choose:questions"), late("memcli.features.nudge.propose:unsaid_nudges"), _note,
        late("memcli.features.nudge.choose:may_propose"), _hear,
    ),
    page_views=(
        PageView(
            "/today", late("memcli.features.nudge.page:view"), "Today", "t", before="review",
            act=late("memcli.features.nudge.page:answer"),
        ),
    ),
    jobs={"nudge": _look},
)  # fmt: skip
