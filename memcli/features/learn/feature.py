"""Register the feature `learn`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memcli.extend import Command, Feature, Learner, late

if TYPE_CHECKING:
    from memcli.extend import Row


def _rows() -> Iterable[Row]:
    from memcli.rest_inputs import JOB, piped_text
    from memcli.rest_rows import WRITE, Input, Row, flag, many, text

    yield Row(
        "POST", "/v1/learn", "learn", "Leave a conversation to be learnt from.",
        (
            piped_text("A conversation: JSON lines, an export, Markdown or text."),
            Input("me", many(text("What you are called in it.", 100, 1))),
            Input("rules", flag("By rules, even where a language model is set up.")),
        ),
        words=("--json", "--later", "-"), lane=WRITE, answer=JOB, status=202, for_agents=True,
    )  # fmt: skip


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
    learner=Learner(
        late("memcli.features.learn.proposing:propose"), late("memcli.features.learn.proposing:find_in_sentence"),
        late("memcli.features.learn.proposing:taste"),
    ),
    jobs={
        "learn": late("memcli.features.learn.backlog:work"),
        "transcript": late("memcli.features.learn.backlog:work_transcripts"),
    },
)  # fmt: skip
