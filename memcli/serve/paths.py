"""The table of paths: each a command of `mem`, with what it takes. Routes, `openapi.json`, tests and docs are made of it.

A path does what its command does, with the same gates, and answers what the command prints under `--json`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memcli.serve.rows import (
    JSON_LINE,
    LONGEST_TEXT,
    SLOW,
    STDIN,
    WORD,
    WRITE,
    Input,
    JsonSchema,
    Row,
    flag,
    integer,
    many,
    number,
    one_of,
    text,
)  # fmt: skip

V1 = "/v1"

# -- what is answered ------------------------------------------------------------------------------------------------

_STRING_OR_NULL = {"type": ["string", "null"]}
_STRINGS = {"type": "array", "items": {"type": "string"}}
_MEMORY: JsonSchema = {
    "type": "object",
    "required": ["id", "hash", "path", "line", "text"],
    "properties": {
        "id": {"type": "string"}, "hash": {"type": "string"}, "path": {"type": "string"},
        "line": {"type": "integer"}, "last_line": {"type": "integer"},
        "day": _STRING_OR_NULL, "time": _STRING_OR_NULL, "kind": {"type": "string"}, "type": {"type": ["string", "null"]},
        "task": _STRING_OR_NULL, "tags": _STRINGS, "importance": {"type": ["number", "null"]},
        "superseded": _STRING_OR_NULL, "trail": _STRINGS, "fields": {"type": "object"}, "links": _STRINGS,
        "text": {"type": "string"},
    },
}  # fmt: skip


def _answer(**properties: Any) -> JsonSchema:
    """An object that has these at least."""
    return {"type": "object", "properties": properties, "required": list(properties)}


_OBJECT: JsonSchema = {"type": "object"}
_LIST: JsonSchema = {"type": "array", "items": {"type": "object"}}
_KEPT = _answer(kept={"type": "boolean"}, dry_run={"type": "boolean"})
_SESSION = _answer(id={"type": "string"}, started=_STRING_OR_NULL, ended=_STRING_OR_NULL)
_JOB = _answer(job={"type": "string"}, state={"type": "string"})

# -- what is taken ---------------------------------------------------------------------------------------------------

_QUESTION = Input("query", text("A question."), WORD, needed=True)
_AGENT = Input("agent", text("With the memories of this agent, too.", 100, 1))
_BUDGET = Input("budget", integer("At most this many tokens.", 1, 1_000_000))
_SINCE = Input("since", text("Nothing older: 2026-11-01, last week.", 100))
_UNTIL = Input("until", text("Nothing newer.", 100))
_TAGS = Input("tag", many(text("Only with it.", 100, 1)))
_TYPES = Input("type", many(text("Only this type: decision, task, fact …", 100, 1)))
_PLACE = Input("path", text("Only this file, folder or glob.", 1000))
_PROJECT = Input("project", text("Only this project.", 100))
_SENSITIVE = Input("allow_sensitive", flag("Keep addresses, numbers and secrets in plain words."))
_KEY = Input("key", text("One of the keys that the list shows.", 200, 1), WORD, needed=True)
_NAME = Input("name", text("Its name or an alias.", 200, 1), WORD, needed=True)
_ID = Input("id", text("An id, or path:line as recall cites it.", 1000, 1), WORD, needed=True)
_TALK = Input("id", text("Its id, or a beginning or the last part of it, or last.", 200, 1), WORD, needed=True)
_VALUE = Input("value", many(text("Its value; several make a list.", 2000, 1), least=1), WORD, needed=True)
_SCOPE = Input("scope", text("global, session, or a scene like project:tideline.", 200))
_ROLE = Input("role", text("The role it is led in.", 200))
_KNOWLEDGE = Input("knowledge", flag("Whether documents are searched, too; else as set."), tri=True)


def _limit(standard: int) -> Input:
    return Input("limit", integer(f"At most this many; {standard} if not said.", 1, 1000))


def _most(what: str) -> Input:
    return Input("most", integer(f"At most this many {what}.", 1, 1000))


def _shown(kind: str, keys: str) -> tuple[Row, ...]:
    """The rows that profile and state have in common."""
    at, change = f"{V1}/{kind}", (_KEY, _VALUE)
    return (
        Row("GET", at, f"{kind} list", f"Show the {kind}: all that is set, and the defaults in use."),
        Row("GET", f"{at}/{{key}}", f"{kind} get", f"Show one {keys}.", (_KEY,)),
        Row("PUT", f"{at}/{{key}}", f"{kind} set", f"Set one {keys}.", change, lane=WRITE),
        Row("DELETE", f"{at}/{{key}}", f"{kind} unset", f"Give one {keys} its default back.", (_KEY,), lane=WRITE),
    )


TABLE: tuple[Row, ...] = (
    Row(
        "POST", f"{V1}/recall", "recall", "Find the memories that matter for a question.",
        (
            _QUESTION, _BUDGET, _most("memories"), _SINCE, _UNTIL, _TAGS, _PLACE, _AGENT,
            Input("format", one_of("json if not said; md is the block itself.", "json", "md", "xml", "plain")),
            Input("preset", one_of("The scoring formula.", "default", "classic", "layered")),
            Input("semantic", flag("Search by meaning, too; else as set."), tri=True),
            Input("fill", flag("Fill the budget, also with what is unlikely to help."), tri=True),
        ),
        answer=_answer(matched={"type": "boolean"}), words=(), for_agents=True,
        formats=(("json", "application/json"), ("md", "text/markdown"), ("xml", "text/xml"), ("plain", "text/plain")),
    ),
    Row(
        "POST", f"{V1}/prompt", "prompt", "Build a whole prompt: role, state, memories, last messages.",
        (
            _QUESTION, Input("session", text("In this session.", 200)), _ROLE, _BUDGET, _KNOWLEDGE, _AGENT,
            Input("format", one_of("json if not said; text is the prompt itself.", "json", "text", "messages")),
        ),
        answer={"type": ["object", "array"]}, words=(), for_agents=True,
        formats=(("json", "application/json"), ("text", "text/plain"), ("messages", "application/json")),
    ),
    Row(
        "POST", f"{V1}/ask", "ask", "Answer a question from memories, documents and other sources.",
        (
            _QUESTION, Input("evidence", flag("What was found, ranked and numbered; no answer.")),
            _most("pieces of evidence"), Input("source", many(text("Ask only this source.", 100, 1))),
            _TAGS, _TYPES, _PROJECT, _SINCE, _UNTIL, _AGENT, Input("session", text("In this session.", 200)),
        ),
        lane=SLOW, streams=True, for_agents=True,
        answer=_answer(query={"type": "string"}, answer={"type": "string"}, evidence=_LIST),
    ),
    Row(
        "POST", f"{V1}/memories", "add", "Remember something.",
        (
            Input("text", text("What to remember.", LONGEST_TEXT, 1), STDIN, needed=True),
            Input("tag", many(text("A tag.", 100, 1))),
            Input("to", text("FILE or FILE#HEADING; else today's log, or the file of the type.", 1000)),
            Input("type", text("decision, fact, preference, task, insight … or any word.", 100)),
            Input("importance", number("0 to 1.", 0, 1)),
            Input("replaces", text("The id of the memory that this one takes the place of.", 1000)),
            Input("agent", text("Into this agent's own space.", 100, 1)),
            Input("force", flag("Keep it even if it looks worthless or is there already.")),
            _SENSITIVE, Input("dry_run", flag("Say what would be written, and what the checks say.")),
        ),
        words=("--json", "-"), lane=WRITE, answer=_KEPT, status=201, for_agents=True,
    ),
    Row(
        "GET", f"{V1}/memories", "list", "List memories, newest first, a page at a time.",
        (
            Input("words", many(text("Only what holds all of these words.", 200, 1)), WORD), _SINCE, _UNTIL, _TAGS, _TYPES,
            _PLACE, _AGENT, _limit(20), Input("cursor", text("Where the page before ended.", 2000), "--after"),
        ),
        answer={"type": "array", "items": _MEMORY}, for_agents=True,
    ),
    Row(
        "GET", f"{V1}/memories/{{id}}", "show", "Show one memory; its hash is the ETag.", (_ID, _AGENT), answer=_MEMORY, for_agents=True
    ),
    Row(
        "PATCH", f"{V1}/memories/{{id}}", "edit", "Change a memory, with If-Match only while it is still the same.",
        (
            _ID, Input("text", text("The whole of it, as it shall stand in its file.", LONGEST_TEXT, 1), STDIN, needed=True),
            _SENSITIVE, Input("If-Match", text("The ETag that showing it gave.", 200), "--unchanged", header=True),
        ),
        words=("--json", "--text=-"), lane=WRITE, answer=_answer(id={"type": "string"}, changed={"type": "boolean"}), for_agents=True,
    ),
    Row(
        "DELETE", f"{V1}/memories/{{id}}", "forget", "Move a memory to the archive.", (_ID, _AGENT),
        words=("--json", "--yes"), lane=WRITE, answer=_answer(archived=_LIST), for_agents=True,
    ),
    Row(
        "GET", f"{V1}/memories/{{id}}/history", "audit", "Who wrote, changed or archived a memory, latest first.",
        (Input("id", _ID.schema, "--id", needed=True), _SINCE, _limit(20)), answer=_LIST,
    ),
    Row("POST", f"{V1}/undo", "undo", "Take back the last change.", lane=WRITE, answer=_answer(undone={"type": "string"})),
    Row(
        "POST", f"{V1}/learn", "learn", "Leave a conversation to be learnt from.",
        (
            Input("text", text("A conversation: JSON lines, an export, Markdown or text.", LONGEST_TEXT, 1), STDIN, needed=True),
            Input("me", many(text("What you are called in it.", 100, 1))),
            Input("rules", flag("By rules, even where a language model is set up.")),
        ),
        words=("--json", "--later", "-"), lane=WRITE, answer=_JOB, status=202,
    ),
    Row("GET", f"{V1}/jobs", "work", "What waits to be done.", words=("--json", "--dry-run"), answer=_answer(waiting=_LIST)),
    Row(
        "GET", f"{V1}/jobs/{{id}}", "work", "How it stands with one job.",
        (Input("id", text("As learn named it.", 200, 1), "--job", needed=True),), answer=_JOB,
    ),
    Row(
        "POST", f"{V1}/sessions", "session start", "Begin a session.",
        (Input("title", text("What it will be about.", 500), WORD), _ROLE, _KNOWLEDGE, Input("agent", text("In this agent's own space.", 100, 1))),
        lane=WRITE, answer=_SESSION, status=201, for_agents=True,
    ),
    Row("GET", f"{V1}/sessions", "session list", "List sessions, newest first.", (_limit(20),), answer=_answer(sessions=_LIST)),
    Row(
        "GET", f"{V1}/sessions/{{id}}", "session show", "Show what was said, and what holds for all of it.",
        (_TALK, Input("window", flag("Only what a prompt would get of it."))), answer=_SESSION,
    ),
    Row(
        "POST", f"{V1}/sessions/{{id}}/messages", "session say", "Add what somebody said.",
        (
            Input("id", _TALK.schema, "--session", needed=True),
            Input("text", text("What was said.", LONGEST_TEXT, 1), STDIN, needed=True),
            Input("role", one_of("Who said it; user if not said.", "user", "assistant", "system", "tool")),
            Input("tool", many(text("A tool called with it.", 200, 1))),
        ),
        words=("--json", "-"), lane=WRITE, answer=_answer(session={"type": "string"}, said=_LIST), status=201,
    ),
    Row("POST", f"{V1}/sessions/{{id}}/end", "session end", "End a session.", (_TALK,), lane=WRITE, answer=_SESSION),
    *_shown("profile", "line of the profile"),
    Row("GET", f"{V1}/preferences", "prefer list", "Show all preferences, and which of them count.", answer=_LIST),
    Row("GET", f"{V1}/preferences/{{key}}", "prefer get", "Show the value that counts.", (_KEY, _SCOPE)),
    Row("GET", f"{V1}/preferences/{{key}}/why", "prefer why", "Which one counts, and why the others do not.", (_KEY, _SCOPE), answer={"type": ["array", "object"]}),
    Row(
        "PUT", f"{V1}/preferences/{{key}}", "prefer set", "Keep a preference.",
        (
            _KEY, _VALUE, Input("category", text("food, music, navigation … or any word.", 200)), _SCOPE,
            Input("source", one_of("How it is known.", "explicit", "confirmed", "inferred")),
        ),
        lane=WRITE,
    ),
    Row("DELETE", f"{V1}/preferences/{{key}}", "prefer unset", "Archive a preference.", (_KEY, _SCOPE), lane=WRITE),
    Row("GET", f"{V1}/labels", "label list", "Show all labels, those used most first.", answer=_LIST),
    Row("GET", f"{V1}/labels/{{name}}", "label get", "Show a label, or the one whose name is most like it.", (_NAME,), answer=_answer(name={"type": "string"}, exact={"type": "boolean"})),
    Row(
        "PUT", f"{V1}/labels/{{name}}", "label set", "Keep a label, or change it; what is left out stays.",
        (
            _NAME, Input("text", text("What it stands for.", 2000), WORD), Input("alias", many(text("Another name.", 200, 1))),
            Input("address", text("Where it is.", 1000)), Input("phone", text("Its phone number.", 100)),
            Input("poi_id", text("Its id on a map.", 200)), Input("lat", number("Degrees north.", -90, 90)),
            Input("lon", number("Degrees east.", -180, 180)),
        ),
        lane=WRITE, answer=_answer(name={"type": "string"}),
    ),
    Row("DELETE", f"{V1}/labels/{{name}}", "label unset", "Archive a label.", (_NAME,), lane=WRITE),
    *_shown("state", "key of the state"),
    Row("POST", f"{V1}/state/reset", "state reset", "Give all of the state its default back.", lane=WRITE),
    Row("GET", f"{V1}/review", "review", "What waits for a decision.", answer=_answer(doubts=_LIST)),
    Row(
        "POST", f"{V1}/review", "review", "Decide.",
        (Input("answers", many(_answer(id=text("Of the question.", 200), answer=text("One of its choices.", 200))
                | {"additionalProperties": False, "properties": {
                    "id": text("Of the question.", 200), "answer": text("One of its choices.", 200),
                    "text": text("With the answer edit: the new words.", LONGEST_TEXT)}}, least=1), JSON_LINE, needed=True),),
        words=("--json", "--apply=-"), lane=WRITE, answer=_answer(answers=_LIST), failed=422,
    ),
    Row(
        "POST", f"{V1}/knowledge", "knowledge add", "Add a document to search.",
        (
            Input("text", text("The document: Markdown, text or HTML.", LONGEST_TEXT, 1), STDIN, needed=True),
            Input("title", text("Its title.", 500)), Input("tag", many(text("A tag.", 100, 1))),
            Input("meta", many(text("KEY=VALUE: anything else to know of it.", 1000, 1))),
            Input("type", text("What kind of text: paper, manual, role, …", 100)), _PROJECT,
            Input("keep", flag("Archive an older version instead of replacing it.")),
        ),
        words=("--json", "-"), lane=SLOW, answer=_answer(documents={"type": "integer"}), status=201, failed=422,
    ),
    Row(
        "GET", f"{V1}/knowledge", "knowledge list", "List the documents.",
        (_TAGS, _TYPES, _PROJECT, Input("all", flag("Archived versions, too.")), _limit(50)), answer=_LIST,
    ),
    Row(
        "POST", f"{V1}/knowledge/search", "ask", "Search the documents alone; no model is asked.",
        (_QUESTION, _most("passages"), _TAGS, _TYPES, _PROJECT, _SINCE, _UNTIL),
        words=("--json", "--evidence", "--source=knowledge"), lane=SLOW, answer=_answer(evidence=_LIST),
    ),
    Row("GET", f"{V1}/stats", "stats", "How much there is, and how it is used."),
    Row("GET", "/health", "", "Whether the server runs.", answer=_answer(status={"type": "string"})),
    Row("GET", "/ready", "", "Whether it answers from memory already; 503 until then.", answer=_answer(status={"type": "string"})),
    Row("GET", "/openapi.json", "", "This description."),
)  # fmt: skip


def offered(commands: Iterable[str]) -> tuple[Row, ...]:
    """The rows whose command is there."""
    known = set(commands)
    return tuple(row for row in TABLE if not row.command or row.command in known)
