"""Register the feature `talk`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from memcli.extend import Command, Feature, late, setting
from memcli.features.talk.sizes import PromptSizes

if TYPE_CHECKING:
    from memcli.extend import Vault
    from memcli.features.talk.ending import EndResult
    from memcli.features.talk.prompt import BuiltPrompt
    from memcli.features.talk.saying import SayResult
    from memcli.session import Session


def _say(
    vault: Vault, text: str, role: str = "user", *, session: Session | str = "", tools: Iterable[str] = ()
) -> SayResult:
    """Add a message to a session and return its consequences."""
    from memcli.features.talk.saying import say
    from memcli.session import SessionMessage, find_session

    talk = find_session(vault, session) if isinstance(session, str) else session
    return say(vault, talk, SessionMessage(role, text, tools=tuple(tools)))


def _end(vault: Vault, session: Session | str = "") -> EndResult:
    """End a session and return the result. If anything was done in it, a snapshot stays for a week."""
    from memcli.features.talk.ending import end_session
    from memcli.session import find_session

    return end_session(vault, find_session(vault, session) if isinstance(session, str) else session)


def _prompt(vault: Vault, query: str, *, session: str = "", sent: bool = True, **more: Any) -> BuiltPrompt:
    """Return a whole prompt, with `.text` and `.messages`.

    `role`, `budget`, `knowledge` and `agent` are as in `mem prompt`. `pick` has the numbers of the offered memories to
    use. `sent` means that a model will get it.
    """
    from memcli.features.talk import prompt

    seen = vault.seen_by(more.pop("agent", None))
    built = prompt.build(seen, prompt.PromptRequest(query, session, **more))
    if sent:
        prompt.note_sent(seen, built)
    return built


def _command(name: str, line: str) -> Command:
    return Command(name, "talks and prompts", line, f"memcli.features.talk.cli.{name}", before="cite")


FEATURE = Feature(
    "talk",
    "Builds prompts, keeps track of conversations, and talks with the language model.",
    commands=(
        _command("prompt", "Build a whole prompt: role, state, memories, last messages."),
        _command("chat", "Talk with the language model, which gets what mem knows."),
        _command("session", "Record a conversation: its messages and what was done in it."),
        _command("role", "Choose who an assistant should be: the files in roles/."),
    ),
    rest_rows=late("memcli.features.talk.rows:rows"),
    settings={
        **{f"prompt.{name}": key for name, key in PromptSizes.settings.items()},
        "nudge.keep": setting(
            "ask",
            "what mem chat keeps of what you say: on a terminal it asks first",
            choices=("ask", "always", "never"),
        ),
    },
    jobs={"session": late("memcli.features.talk.model_rewrite:improve")},
    checks=late("memcli.features.talk.prompt.roles:checks"),
    verbs={"say": _say, "end": _end, "prompt": _prompt},
)
