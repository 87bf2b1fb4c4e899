"""Define the inputs and answers that several rows of the table share."""

from __future__ import annotations

from typing import Any

from memcli import bounds
from memcli.rest_rows import STDIN, WORD, Input, JsonSchema, flag, integer, many, text

# -- what is answered ------------------------------------------------------------------------------------------------

STRING = {"type": "string"}
STRING_OR_NULL = {"type": ["string", "null"]}
STRINGS = {"type": "array", "items": {"type": "string"}}
MEMORY: JsonSchema = {
    "type": "object",
    "required": ["id", "hash", "path", "line", "text"],
    "properties": {
        "id": STRING, "hash": STRING, "path": STRING,
        "line": {"type": "integer"}, "last_line": {"type": "integer"},
        "day": STRING_OR_NULL, "time": STRING_OR_NULL, "kind": STRING, "type": STRING_OR_NULL,
        "task": STRING_OR_NULL, "tags": STRINGS, "importance": {"type": ["number", "null"]},
        "superseded": STRING_OR_NULL, "trail": STRINGS, "fields": {"type": "object"}, "links": STRINGS,
        "text": STRING,
    },
}  # fmt: skip


def holds(**properties: Any) -> JsonSchema:
    """Return the schema of an object that has at least these properties."""
    return {"type": "object", "properties": properties, "required": list(properties)}


LIST: JsonSchema = {"type": "array", "items": {"type": "object"}}
KEPT = holds(kept={"type": "boolean"}, dry_run={"type": "boolean"})
JOB = holds(job=STRING, state=STRING)

# -- what is taken ---------------------------------------------------------------------------------------------------

QUESTION = Input("query", text("A question."), WORD, needed=True)
AGENT = Input("agent", text("With the memories of this agent, too.", 100, 1))
BUDGET = Input("budget", integer("At most this many tokens.", 1, 1_000_000))
SINCE = Input("since", text("Nothing older: 2026-11-01, last week.", 100))
UNTIL = Input("until", text("Nothing newer.", 100))
ONLY_TAGS = Input("tag", many(text("Only with it.", 100, 1)))
NEW_TAGS = Input("tag", many(text("A tag.", 100, 1)))
TYPES = Input("type", many(text("Only this type: decision, task, fact …", 100, 1)))
PATH = Input("path", text("Only this file, folder or glob.", 1000))
PROJECT = Input("project", text("Only this project.", 100))
SENSITIVE = Input("allow_sensitive", flag("Keep addresses, numbers and secrets in plain words."))
KEY = Input("key", text("One of the keys that the list shows.", 200, 1), WORD, needed=True)
NAME = Input("name", text("Its name or an alias.", 200, 1), WORD, needed=True)
ID = Input("id", text("An id, or path:line as recall cites it.", 1000, 1), WORD, needed=True)
IF_MATCH = Input("If-Match", text("The ETag that showing it gave.", 200), "--unchanged", header=True)
VALUE = Input("value", many(text("Its value; several make a list.", 2000, 1), least=1), WORD, needed=True)
SCOPE = Input("scope", text("global, session, or a scene like project:tideline.", 200))


def limit(standard: int) -> Input:
    """Return the input that limits the length of a list. The default is `standard`."""
    return Input("limit", integer(f"At most this many; {standard} if not said.", 1, 1000))


def most(what: str) -> Input:
    return Input("most", integer(f"At most this many {what}.", 1, 1000))


def piped_text(what: str) -> Input:
    """Return an input for a whole text, which is piped into the command."""
    return Input("text", text(what, bounds.TEXT, 1), STDIN, needed=True)
