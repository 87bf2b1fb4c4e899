"""Register the feature `talk`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from memcli.extend import Command, Feature, late, setting
from memcli.features.talk.sizes import PromptSizes

if TYPE_CHECKING:
    from memcli.extend import Row, Vault
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


def _rows() -> Iterable[Row]:
    from memcli.rest_inputs import AGENT, BUDGET, LIST, QUESTION, STRING, STRING_OR_NULL, holds, limit, piped_text
    from memcli.rest_rows import WORD, WRITE, Input, Row, flag, many, one_of, text

    session = holds(id=STRING, started=STRING_OR_NULL, ended=STRING_OR_NULL)
    talk = Input("id", text("Its id, or a beginning or the last part of it, or last.", 200, 1), WORD, needed=True)
    role = Input("role", text("The role it is led in.", 200))
    knowledge = Input("knowledge", flag("Whether documents are searched, too; else as set."), tri=True)
    return (
        Row(
            "POST", "/v1/prompt", "prompt", "Build a whole prompt: role, state, memories, last messages.",
            (
                QUESTION, Input("session", text("In this session.", 200)), role, BUDGET, knowledge, AGENT,
                Input("format", one_of("json if not said; text is the prompt itself.", "json", "text", "messages")),
            ),
            answer={"type": ["object", "array"]}, words=(), for_agents=True,
            formats=(("json", "application/json"), ("text", "text/plain"), ("messages", "application/json")),
        ),
        Row(
            "POST", "/v1/sessions", "session start", "Begin a session.",
            (
                Input("title", text("What it will be about.", 500), WORD), role, knowledge,
                Input("agent", text("In this agent's own space.", 100, 1)),
            ),
            lane=WRITE, answer=session, status=201, for_agents=True,
        ),
        Row("GET", "/v1/sessions", "session list", "List sessions, newest first.", (limit(20),),
            answer=holds(sessions=LIST), for_agents=True),
        Row(
            "GET", "/v1/sessions/{id}", "session show", "Show what was said, and what holds for all of it.",
            (talk, Input("window", flag("Only what a prompt would get of it."))), answer=session, for_agents=True,
        ),
        Row(
            "POST", "/v1/sessions/{id}/messages", "session say", "Add what somebody said.",
            (
                Input("id", talk.schema, "--session", needed=True),
                piped_text("What was said."),
                Input("role", one_of("Who said it; user if not said.", "user", "assistant", "system", "tool")),
                Input("tool", many(text("A tool called with it.", 200, 1))),
            ),
            words=("--json", "-"), lane=WRITE, answer=holds(session=STRING, said=LIST), status=201,
            for_agents=True,
        ),
        Row("POST", "/v1/sessions/{id}/end", "session end", "End a session.", (talk,), lane=WRITE, answer=session,
            for_agents=True),
    )  # fmt: skip


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
    rest_rows=_rows,
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
