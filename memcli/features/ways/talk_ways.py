"""Find in a conversation how a task was done: the request, the steps, and whether the user was content.

The rules are in `language/*/outcomes.txt`. All three parts must be present; a conversation without a statement of its
outcome yields nothing. Findings are proposed, and `mem review` asks about them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from memcli.errors import UsageError
from memcli.features.ways import patterns
from memcli.features.ways.lessons import lessons, words_of_haste
from memcli.features.ways.likeness import ALIKE, likeness, task_words
from memcli.features.ways.patterns import PARALLEL, SEQUENTIAL, Way
from memcli.features.ways.writing import STEPS as MOST_STEPS
from memcli.features.ways.writing import WayFinding, hear_pattern
from memcli.message import Message
from memcli.text import phrases, requests, small_talk, tokens
from memcli.text.clean import one_line
from memcli.text.sentences import beginning, sentences
from memcli.text.transcripts import ASSISTANT, USER, TranscriptTurn
from memcli.vault import talk_files
from memcli.vault.snapshots import moment
from memcli.vault.vault import Vault

STEPS = (2, 12)  # number of items of a list that may be the steps of a task
STEP, GOAL = 80, 100  # characters of a step and of a goal
OUTCOME = 200  # characters at the beginning of a message that may say how it went
NAMES = 2  # things that a request must name
SAME_STEPS = 0.6  # from this similarity on two lists of steps are the same way

_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,2}[.)、]|[①-⑩]|步骤\s*\d+[:：])[ \t]*(?:\[[ xX]\][ \t]*)?(\S.*)$")
_BOLD = re.compile(r"\*\*(.+?)\*\*|__(.+?)__")
_MARKS = re.compile(r"[*_`#]+")


def propose_outcome(
    vault: Vault, turns: Sequence[TranscriptTurn], good: bool, note: str = "", *, title: str = "",
    tools: Sequence[str] = (), seconds: int = 0,
) -> WayFinding:  # fmt: skip
    """Propose a way from a whole conversation whose outcome is given, and return it. Raise UsageError if it names no
    task or no steps."""
    asked = next((turn.text for turn in turns if turn.role == USER and _goal(turn.text)), "")
    goal = _goal(asked) or one_line(title, GOAL)
    if not goal:
        raise UsageError("no task was asked for in it", 'mem pattern add "what it was" --step …')
    lists = [steps for turn in turns if turn.role == ASSISTANT and (steps := steps_in(turn.text))]
    at_once = any(_says("at once", turn.text) for turn in turns if turn.role == ASSISTANT)
    cost = sum(tokens.estimate(turn.text) for turn in turns)
    made = WayFinding(
        "way", goal, good, (lists[-1] if lists else tuple(tools)[:MOST_STEPS]),
        PARALLEL if at_once else SEQUENTIAL, tuple(tools),
        note=one_line(note), tokens=cost, seconds=seconds, at=f"{vault.now:%Y-%m-%dT%H:%M}",
        agent=vault.agent,
    )  # fmt: skip
    made = _of_known(vault, made)
    if not (made.steps or made.way):
        raise UsageError(
            "no steps were heard in it", Message('mem pattern add "{goal}" --step … keeps it by hand', goal=goal)
        )
    hear_pattern(vault, made)
    return made


def propose_ended(vault: Vault, turns: Sequence[TranscriptTurn]) -> list[WayFinding]:
    """Propose ways from a conversation whose messages state the outcome, and return the new proposals."""
    found = [_of_known(vault, replace(each, agent=vault.agent)) for each in _ended(turns)]
    return [each for each in found if hear_pattern(vault, each)]


def hear_transcripts(vault: Vault, place: Path) -> list[WayFinding]:
    """Propose ways from the new part of an agent's transcript, or of each one in a folder, and return them. Nothing is
    marked as read."""
    found = []
    for talk in talk_files.find_new_turns(vault, place) if place.exists() else ():
        found += propose_ended(vault, talk.said)
    return found


def propose_lessons(vault: Vault) -> list[WayFinding]:
    """Propose lessons from failures, and return them: a way that failed twice for one reason deserves a warning."""
    found = []
    ways = patterns.read_patterns(vault).ways
    for way in ways:
        rivals = [way, *(each for each in ways if each is not way and likeness(way.goal, each.goal) > ALIKE)]
        for lesson in (each for each in lessons(rivals) if each.places[0].startswith(way.place)):
            failure = lesson.failure
            finding = WayFinding(
                "failure", failure.what, False, note=failure.went_wrong, indicators=failure.indicators,
                mitigation=failure.mitigation, severity=failure.severity, at=lesson.at, agent=vault.agent,
            )  # fmt: skip
            found += [finding] if hear_pattern(vault, finding) else []
    return found


def steps_in(text: str) -> tuple[str, ...]:
    """Return the last list in an assistant's message if it may be one of steps, else ()."""
    lists: list[list[str]] = [[]]
    for line in text.split("\n"):
        if item := _ITEM.match(line):
            lists[-1].append(item[1])
        elif line.strip() and lists[-1] and not line.startswith((" ", "\t")):  # an indented line belongs to an item
            lists.append([])
    steps = [tuple(filter(None, map(_step, items))) for items in lists]
    return next((found for found in reversed(steps) if STEPS[0] <= len(found) <= STEPS[1]), ())


def _step(item: str) -> str:
    bold = _BOLD.match(item)
    text = next(filter(None, bold.groups())) if bold else item
    text = _MARKS.sub("", text).strip()
    head = re.split(r"\s+[—–-]\s+|[:：;；]\s*|[.。](?:\s|$)", text, maxsplit=1)[0]
    return one_line(beginning(head if len(head) > 2 else text, STEP))


def _ended(turns: Sequence[TranscriptTurn]) -> Iterator[WayFinding]:
    """Yield a task each time the user reports its outcome, if the assistant had listed steps for it."""
    goal = asked = ""
    steps: tuple[str, ...] = ()
    at_once = False
    begun = ""
    for turn in turns:
        if turn.role == ASSISTANT:
            steps = steps_in(turn.text) or steps
            at_once = at_once or _says("at once", turn.text)
        elif turn.role == USER:
            outcome = outcome_in(turn.text)
            if outcome is not None and goal and steps:
                ended = moment(turn.at)
                yield WayFinding(
                    "way", goal, outcome, steps, PARALLEL if at_once else SEQUENTIAL,
                    note="" if outcome else one_line(beginning(turn.text, OUTCOME)),  # praise explains nothing
                    seconds=_between(begun, turn.at), at=f"{ended:%Y-%m-%dT%H:%M}" if ended else "",
                    indicators=() if outcome else tuple(words_of_haste(asked)),
                )  # fmt: skip
                steps, at_once, begun = (), False, turn.at
                goal = "" if outcome else goal  # after a failure the task is tried another way
            if outcome is None and (found := _goal(turn.text)):
                goal, asked, steps, at_once, begun = found, turn.text, (), False, turn.at


def outcome_in(text: str) -> bool | None:
    """Return True if the user says that it went well, False for wrong, None for neither or both."""
    opening = text.strip()[:OUTCOME]
    if opening.endswith(("?", "？")):
        return None
    good, bad = _says("good", opening), _says("bad", opening)
    return good if good != bad else None


def _goal(text: str) -> str:
    """Return the task that a message asks for, in a line, or ""."""
    first = next((one_line(each) for each in sentences(text) if len(task_words(each)) >= NAMES), "")
    if not first or small_talk.is_small_talk(first) or requests.talk_request(text) or outcome_in(text) is not None:
        return ""
    bare = phrases.pattern("ways/outcomes", "ask", phrases.languages(first)).sub("", first, count=1)
    bare = phrases.pattern("ways/outcomes", "haste", phrases.languages(bare)).sub("", bare)
    return one_line(beginning(bare.strip(" ,，.。!！?？"), GOAL)) if task_words(bare) else ""


def _of_known(vault: Vault, heard: WayFinding) -> WayFinding:
    """Return a finding as a try of a known way, if the task is the same, and the steps are the same or missing."""
    ways = [each for each in patterns.read_patterns(vault).ways if likeness(each.goal, heard.goal) > ALIKE]
    told = heard.steps != heard.tools[:MOST_STEPS]
    same = [each for each in ways if not told or _same_steps(each, heard)]
    if not same:
        return heard
    way = max(same, key=lambda each: (likeness(each.goal, heard.goal), each.last_used))
    return replace(heard, kind="tried", goal=way.goal, way=way.id, steps=way.steps, strategy=way.strategy)


def _same_steps(way: Way, heard: WayFinding) -> bool:
    if way.strategy != heard.strategy:
        return False
    mine, theirs = "\n".join(way.steps), "\n".join(heard.steps)
    return likeness(mine, theirs) > SAME_STEPS and likeness(theirs, mine) > SAME_STEPS


def _says(sign: str, text: str) -> bool:
    return phrases.find_phrase("ways/outcomes", sign, text) is not None


def _between(begun: str, ended: str) -> int:
    first, last = moment(begun), moment(ended)
    return max(0, int((last - first).total_seconds())) if first and last else 0
