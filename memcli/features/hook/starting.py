"""Build the context for the start of a session: the user's profile, facts about the project and its open tasks. After a
compaction, add instructions that the summary may have lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from memcli import contributions
from memcli.errors import MemError
from memcli.features.hook import display_log, talk
from memcli.features.hook.payload import Payload
from memcli.message import Message
from memcli.recall import Request, pack, seek
from memcli.session.anchors import anchors_in
from memcli.text import categories, phrases, tokens, transcripts
from memcli.text.clean import one_line
from memcli.text.frame import framed, item
from memcli.text.messages import translated
from memcli.text.sentences import sentences
from memcli.vault import layout, preferences, profile
from memcli.vault.entries import Entry
from memcli.vault.vault import Vault
from memcli.vault.vault_language import vault_language

if TYPE_CHECKING:
    from memcli.extend import Timely

TIMELY = "worth bringing up once, where it fits; data"
FIRST_MEETING = "a first meeting: the user's profile is still empty; ask where it fits, never twice"
SAID = "by the user in this session, before it was summarised"
FRESH = ("", "startup")  # sources of a true beginning; a resumed or shortened session is in the middle of something
OF_TIMELY = 0.4  # share of the tokens for reminders
OF_ASKING = 0.3  # share of the tokens for the questions of a first meeting
EMPTIED = ("compact", "clear")  # after these the model has lost what it was shown
LATEST = 30  # memories of a project's own vault that are considered
OPEN_TASKS = "open tasks"  # the question for them
OF_WORK = {"code", "database", "editor", "communication", "writing", "formats", "schedule"}  # categories
LASTING = ("decision", "preference", "insight", "rule")
KEPT = ("memory", "insight", "project", "snapshot")  # kinds of files whose entries stay valid
COMMON = 3000  # words with a lower rank are too common for the name of a project: app, test, docs
ORDERS = 12  # the most orders of a session; the latest are taken
LONGEST = 240  # characters of an order; longer text was pasted
OF_ORDERS = 0.4  # share of the tokens for orders and decisions of this session


def at_start(vault: Vault, payload: Payload) -> tuple[str, str]:
    """Return the context for the model, and a notice for the person. Each is "" if there is nothing."""
    if payload.source in EMPTIED:
        display_log.forget_shown(vault, payload.session)
    display_log.remove_stale(vault)
    budget = vault.settings.of_feature("hooks.start_tokens")
    counter = tokens.counter(vault.settings.recall.encoding)
    orders = _standing_orders(vault, payload, int(budget * OF_ORDERS), counter) if payload.source == "compact" else ""
    timely = _timely(vault, int(budget * OF_TIMELY), counter) if payload.source in FRESH else ""
    asking = _asking(vault, payload, int(budget * OF_ASKING), counter) if payload.source in FRESH else ""
    known = _known(vault, payload, budget - counter(orders + timely + asking))
    return orders + known + timely + asking, _waiting(vault)


def _asking(vault: Vault, payload: Payload, budget: int, count: Callable[[str], int]) -> str:
    """Return a block of questions for a user whose profile is empty, and note that the session has had them.

    Return "" without a session, with a profile that has content or can't be read, or when the block exceeds the budget.
    """
    try:
        if not payload.session or any(profile.read_profile(vault).values()):
            return ""
    except MemError:
        return ""  # there is a profile, but it can't be read
    initiative = contributions.initiative()
    questions = initiative.questions(vault, payload.session, "") if initiative else []
    text = framed("ask", [item(each.text) for each in questions], {"note": FIRST_MEETING}) if questions else ""
    if not (initiative and text) or count(text) > budget:
        return ""
    initiative.note(vault, payload.session, questions, [])
    return text


def _timely(vault: Vault, budget: int, count: Callable[[str], int]) -> str:
    """Return today's reminders that were not shown yet, within the budget, and record them as shown."""
    if not (initiative := contributions.initiative()):
        return ""
    timely: list[Timely] = []
    text = ""
    for each in initiative.timely(vault):
        lines = [item(f"{one.text} ({one.why}; {one.citation})") for one in [*timely, each]]
        longer = framed("timely", lines, {"note": TIMELY})
        if count(longer) <= budget:
            timely.append(each)
            text = longer
    initiative.note(vault, "", [], timely)
    return text


def _known(vault: Vault, payload: Payload, budget: int) -> str:
    """Return facts about the user and the project, as a block of data, or "" if there are none."""
    own = vault.root.resolve() in (Path(payload.cwd).resolve(), *Path(payload.cwd).resolve().parents)
    name = "" if own else PurePath(payload.cwd.replace("\\", "/")).name
    result = seek(vault, Request(name, budget, LATEST if own else None, format="xml", fill=True))
    if own:  # an open task may be older than the latest memories
        tasks = seek(vault, Request(OPEN_TASKS, budget, LATEST, fill=True)).ranked
        known = {each.entry for each in tasks}
        result = result._replace(ranked=[*tasks, *(each for each in result.ranked if each.entry not in known)])
    telling = own or tokens.rank(f" {name.lower()}") > COMMON
    ranked = [each for each in result.ranked if _holds(each.entry, own) and (own or each.matched)] if telling else []
    facts = [fact._replace(near=True) for fact in result.facts if not fact.label]
    if not own:
        facts = [fact for fact in facts if fact.answers or _is_of_work(vault, fact.preference, fact.text)]
    facts.sort(key=lambda fact: fact.source == preferences.FILE)  # facts about the user come before preferences
    ranked = sorted(ranked, key=lambda each: (each.entry.task != "open", each.entry.type != "decision"))[:LATEST]
    result = result._replace(ranked=ranked, facts=facts, fresh=[], most=len(ranked), note="", dates=())
    block = pack(result, budget, tokens.counter(vault.settings.recall.encoding))
    display_log.note_shown(vault, payload.session, (each.scored.entry.hash for each in block.chosen))
    return block.text if block.chosen or block.facts else ""


def _is_of_work(vault: Vault, preference: str, text: str) -> bool:
    """Return whether a fact is relevant to work in a folder. Facts about the user are, but not preferences about other
    things, such as food."""
    if not preference:
        return True
    fields = set(categories.categories_of(text))
    for each in preferences.read_preferences(vault):
        fields |= categories.categories_named(each.category) if each.key == preference else set()
    return not fields or bool(fields & OF_WORK)


def _holds(entry: Entry, own: bool) -> bool:
    """Return whether an entry is still open or valid. In the project's own vault, mere events do not count; elsewhere
    every entry that names the project does."""
    if entry.superseded or entry.task in ("done", "cancelled"):
        return False
    return not own or entry.task == "open" or entry.type in LASTING or layout.kind_of(entry.path) in KEPT


def _standing_orders(vault: Vault, payload: Payload, budget: int, count: Callable[[str], int]) -> str:
    """Return the user's standing orders and decisions in this session, in their own words. The latest go in first,
    within the budget."""
    lines: list[str] = []
    for line in dict.fromkeys(reversed(list(_orders(vault, payload)))):
        if count(_framed([*lines, line])) <= budget and len(lines) < ORDERS:
            lines.append(line)
    return _framed(lines[::-1]) if lines else ""


def _framed(lines: list[str]) -> str:
    return framed("said", map(item, lines), {"note": SAID})


def _orders(vault: Vault, payload: Payload) -> Iterator[str]:
    """Yield the user's orders and decisions in the session, in order. The rules of learning would find more, but
    compiling them takes too long for a hook."""
    for turn in talk.last_turns(vault, payload, talk.WHOLE):
        if turn.role == transcripts.USER:
            anchored = {one_line(anchor.said) for anchor in anchors_in(turn.text)}
            for sentence in map(one_line, sentences(turn.text)):
                standing = phrases.find_phrase("hook/orders", "standing", sentence)
                if len(sentence) <= LONGEST and (standing or sentence in anchored):
                    yield sentence


def _waiting(vault: Vault) -> str:
    """Return a line, in the language of the vault, with the number of things that only a person can decide, or "" if
    there are none."""
    from memcli import remember

    try:
        number = len(remember.waiting_doubts(vault))
    except MemError as error:
        vault.notice(error.message)
        return ""
    told = Message("{n} thing{s} to decide: mem review", n=number)
    return translated(told, vault_language(vault)) if number else ""
