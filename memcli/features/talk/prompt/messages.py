"""Convert a prompt into the messages that chat APIs take: a system message, then user and assistant in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memcli.features.talk.prompt import layers
from memcli.features.talk.prompt.layers import Layer

if TYPE_CHECKING:
    from memcli.session import SessionMessage


def as_messages(ordered: Sequence[Layer], turns: Sequence[SessionMessage], words: str) -> tuple[dict[str, str], ...]:
    """Return one system message with all that is known, then user and assistant in turn, with the user's words last.
    Many models' templates refuse a talk that the assistant begins, or in which one speaks twice in a row, so what
    the assistant began is quoted in the system message."""
    known = "".join(layer.text for layer in ordered if layer.name not in ("recent", "words")).strip()
    begins = next((at for at, turn in enumerate(turns) if turn.role == "user"), len(turns))
    if begins:
        head = next(layer.text for layer in ordered if layer.name == "recent").split("\n")[0]
        known = f"{known}\n\n{head}\n{''.join(map(layers.shown, turns[:begins]))}".strip()
    made = [{"role": "system", "content": known}] if known else []
    for turn in (*map(layers.message, turns[begins:]), *({"role": "user", "content": words},) * bool(words)):
        if made and made[-1]["role"] == turn["role"]:
            made[-1] = {**turn, "content": f"{made[-1]['content']}\n\n{turn['content']}"}
        else:
            made.append(turn)
    return tuple(made)
