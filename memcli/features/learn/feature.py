"""Register the feature `learn`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memcli.extend import Command, Feature, Learner

if TYPE_CHECKING:
    from memcli.extend import Atom, LearnResult, Row, Vault


def _rows() -> Iterable[Row]:
    from memcli.rest_inputs import JOB, whole
    from memcli.rest_rows import WRITE, Input, Row, flag, many, text

    yield Row(
        "POST", "/v1/learn", "learn", "Leave a conversation to be learnt from.",
        (
            whole("A conversation: JSON lines, an export, Markdown or text."),
            Input("me", many(text("What you are called in it.", 100, 1))),
            Input("rules", flag("By rules, even where a language model is set up.")),
        ),
        words=("--json", "--later", "-"), lane=WRITE, answer=JOB, status=202, for_agents=True,
    )  # fmt: skip


def _propose(vault: Vault, text: str, names: Sequence[str], rules: bool) -> LearnResult:
    from memcli.features.learn.proposing import propose

    return propose(vault, text, names, rules)


def _find(text: str) -> list[Atom]:
    from memcli.features.learn.proposing import find_in_sentence

    return find_in_sentence(text)


def _taste(text: str) -> Atom:
    from memcli.features.learn.proposing import taste

    return taste(text)


def _work(vault: Vault, payload: Mapping[str, Any]) -> None:
    from memcli.features.learn.backlog import work

    work(vault, payload)


def _work_transcripts(vault: Vault, payload: Mapping[str, Any]) -> None:
    from memcli.features.learn.backlog import work_transcripts

    work_transcripts(vault, payload)


FEATURE = Feature(
    "learn",
    "Finds what is worth keeping in conversations.",
    commands=(
        Command(
            "learn", "every day", "Read a conversation and keep what is worth remembering.",
            "memcli.features.learn.cli", after="ask",
        ),
    ),
    rest_rows=_rows,
    learners=(Learner("learn", _propose, _find, _taste),),
    jobs={"learn": _work, "transcript": _work_transcripts},
)  # fmt: skip
