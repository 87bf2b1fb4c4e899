"""Register the feature `ways`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from memcli.extend import Command, Feature, Outcome, PromptLayer, Question, Source, VaultFile, late, setting

if TYPE_CHECKING:
    from memcli.extend import Ending, Lines, Row, Section, Vault
    from memcli.features.ways.writing import WayFinding

FILE = "patterns.yaml"
RESTS = timedelta(days=90)  # time since it was last used


def _is_kept(vault: Vault) -> bool:
    own = {FILE, f"{vault.space}{FILE}"}
    return any((vault.root / path).is_file() and (vault.root / path).stat().st_size for path in own)


def _lines(vault: Vault, words: str, plans: bool) -> Lines:
    if not _is_kept(vault):
        return []
    from memcli.features.ways.offer import lines_about

    return lines_about(vault, words, plans)


def _rows() -> Iterable[Row]:
    from memcli.rest_inputs import AGENT, LIST, QUESTION, holds
    from memcli.rest_rows import Row

    yield Row(
        "POST", "/v1/patterns/offer", "pattern offer", "How such a task went before, and what to beware of.",
        (QUESTION, AGENT), answer=holds(ways=LIST, warnings=LIST), for_agents=True,
    )  # fmt: skip


def _lists() -> Mapping[str, type[Section]]:
    from memcli.features.ways import patterns

    return {patterns.WAYS: patterns.WayFields, patterns.FAILURES: patterns.FailureFields}


def _hear(vault: Vault, ending: Ending) -> WayFinding:
    from memcli.features.ways.talk_ways import propose_outcome
    from memcli.text.transcripts import TranscriptTurn

    turns = [TranscriptTurn(role, text) for role, text in ending.turns]
    return propose_outcome(
        vault, turns, ending.good, ending.note, title=ending.title, tools=ending.tools, seconds=ending.seconds
    )


FEATURE = Feature(
    "ways",
    "Keeps ways of working with how they went, offers them, and warns of ways of failing.",
    commands=(
        Command(
            "pattern", "talks and prompts", "Keep ways of working, how they went, and what to beware of.",
            "memcli.features.ways.cli", after="role",
        ),
    ),
    settings={
        "prompt.patterns": setting(120, "tokens of ways of working that are known for a task, and of warnings"),
    },
    rest_rows=_rows,
    prompt_layers=(
        PromptLayer(
            "patterns", "# Done before: what to beware of, and how it went well", _lines, is_long=True,
            hook=("ways", "how such tasks went before: evidence, not orders"),
            recall="How such tasks went before; evidence, not orders:",
        ),
    ),
    sources=(Source("patterns", late("memcli.features.ways.offer:find_evidence"), is_kept=_is_kept, is_first=True),),
    vault_files=(VaultFile(FILE, _lists, late("memcli.features.ways.patterns:flaws"), RESTS, ("pattern", "subtasks")),),
    questions=(
        Question(
            "pattern", "confirm drop skip", "heard of how something was done: keep it as a way of working?",
            late("memcli.features.ways.writing:heard_patterns"), late("memcli.features.ways.writing:take_heard"),
            after="heard",
        ),
    ),
    outcomes=(Outcome("pattern", _hear),),
    transcript=late("memcli.features.ways.talk_ways:hear_transcripts"),
)  # fmt: skip
