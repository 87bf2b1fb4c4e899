"""List the paths of `mem serve` for prompts and sessions."""

from __future__ import annotations

from memcli.rest_inputs import AGENT, BUDGET, LIST, QUESTION, STRING, STRING_OR_NULL, holds, limit, whole
from memcli.rest_rows import WORD, WRITE, Input, Row, flag, many, one_of, text

SESSION = holds(id=STRING, started=STRING_OR_NULL, ended=STRING_OR_NULL)
TALK = Input("id", text("Its id, or a beginning or the last part of it, or last.", 200, 1), WORD, needed=True)
ROLE = Input("role", text("The role it is led in.", 200))
KNOWLEDGE = Input("knowledge", flag("Whether documents are searched, too; else as set."), tri=True)


def rows() -> tuple[Row, ...]:
    return (
        Row(
            "POST", "/v1/prompt", "prompt", "Build a whole prompt: role, state, memories, last messages.",
            (
                QUESTION, Input("session", text("In this session.", 200)), ROLE, BUDGET, KNOWLEDGE, AGENT,
                Input("format", one_of("json if not said; text is the prompt itself.", "json", "text", "messages")),
            ),
            answer={"type": ["object", "array"]}, words=(), for_agents=True,
            formats=(("json", "application/json"), ("text", "text/plain"), ("messages", "application/json")),
        ),
        Row(
            "POST", "/v1/sessions", "session start", "Begin a session.",
            (
                Input("title", text("What it will be about.", 500), WORD), ROLE, KNOWLEDGE,
                Input("agent", text("In this agent's own space.", 100, 1)),
            ),
            lane=WRITE, answer=SESSION, status=201, for_agents=True,
        ),
        Row("GET", "/v1/sessions", "session list", "List sessions, newest first.", (limit(20),),
            answer=holds(sessions=LIST), for_agents=True),
        Row(
            "GET", "/v1/sessions/{id}", "session show", "Show what was said, and what holds for all of it.",
            (TALK, Input("window", flag("Only what a prompt would get of it."))), answer=SESSION, for_agents=True,
        ),
        Row(
            "POST", "/v1/sessions/{id}/messages", "session say", "Add what somebody said.",
            (
                Input("id", TALK.schema, "--session", needed=True),
                whole("What was said."),
                Input("role", one_of("Who said it; user if not said.", "user", "assistant", "system", "tool")),
                Input("tool", many(text("A tool called with it.", 200, 1))),
            ),
            words=("--json", "-"), lane=WRITE, answer=holds(session=STRING, said=LIST), status=201,
            for_agents=True,
        ),
        Row("POST", "/v1/sessions/{id}/end", "session end", "End a session.", (TALK,), lane=WRITE, answer=SESSION,
            for_agents=True),
    )  # fmt: skip
