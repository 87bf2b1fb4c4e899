"""List the paths: each is a command of `mem`, with its inputs. Routes, `openapi.json` and tests are made from this
table.

A path does what its command does, with the same gates, and answers what the command prints under `--json`.
"""

from __future__ import annotations

from memcli import bounds, contributions
from memcli.cli.commands import COMMANDS
from memcli.recall.score import PRESETS
from memcli.rest_inputs import (
    AGENT,
    BUDGET,
    ID,
    IF_MATCH,
    JOB,
    KEPT,
    KEY,
    LIST,
    MEMORY,
    NAME,
    NEW_TAGS,
    ONLY_TAGS,
    PATH,
    QUESTION,
    SCOPE,
    SENSITIVE,
    SINCE,
    STRING,
    TYPES,
    UNTIL,
    VALUE,
    holds,
    limit,
    most,
    piped_text,
)  # fmt: skip
from memcli.rest_rows import (
    JSON_LINE,
    WORD,
    WRITE,
    Input,
    Row,
    flag,
    many,
    number,
    one_of,
    text,
)  # fmt: skip

DECISION = {
    "type": "object", "required": ["id", "answer"], "additionalProperties": False,
    "properties": {
        "id": text("Of the question.", 200), "answer": text("One of its choices.", 200),
        "text": text("With the answer edit: the new words.", bounds.TEXT),
    },
}  # fmt: skip


def _rows_of_keys(kind: str, keys: str) -> tuple[Row, ...]:
    """Return the rows that profile and state have in common."""
    at, change = f"/v1/{kind}", (KEY, VALUE)
    return (
        Row("GET", at, f"{kind} list", f"Show the {kind}: all that is set, and the defaults in use."),
        Row("GET", f"{at}/{{key}}", f"{kind} get", f"Show one {keys}.", (KEY,)),
        Row("PUT", f"{at}/{{key}}", f"{kind} set", f"Set one {keys}.", change, lane=WRITE),
        Row("DELETE", f"{at}/{{key}}", f"{kind} unset", f"Give one {keys} its default back.", (KEY,), lane=WRITE),
    )


_OWN: tuple[Row, ...] = (
    Row(
        "POST", "/v1/recall", "recall", "Find the memories that matter for a question.",
        (
            QUESTION, BUDGET, most("memories"), SINCE, UNTIL, ONLY_TAGS, PATH, AGENT,
            Input("format", one_of("json if not said; md is the block itself.", "json", "md", "xml", "plain")),
            Input("preset", one_of("The scoring formula.", *PRESETS)),
            Input("semantic", flag("Search by meaning, too; else as set."), tri=True),
            Input("fill", flag("Fill the budget, also with what is unlikely to help."), tri=True),
        ),
        answer=holds(matched={"type": "boolean"}), words=(), for_agents=True,
        formats=(("json", "application/json"), ("md", "text/markdown"), ("xml", "text/xml"), ("plain", "text/plain")),
    ),
    Row(
        "POST", "/v1/memories", "add", "Remember something.",
        (
            piped_text("What to remember."),
            NEW_TAGS,
            Input("to", text("FILE or FILE#HEADING; else today's log, or the file of the type.", 1000)),
            Input("type", text("decision, fact, preference, task, insight … or any word.", 100)),
            Input("importance", number("0 to 1.", 0, 1)),
            Input("replaces", text("The id of the memory that this one takes the place of.", 1000)),
            Input("agent", text("Into this agent's own space.", 100, 1)),
            Input("force", flag("Keep it even if it looks worthless or is there already.")),
            SENSITIVE, Input("dry_run", flag("Say what would be written, and what the checks say.")),
        ),
        words=("--json", "-"), lane=WRITE, answer=KEPT, status=201, for_agents=True,
    ),
    Row(
        "GET", "/v1/memories", "list", "List memories, newest first, a page at a time.",
        (
            Input("words", many(text("Only what holds all of these words.", 200, 1)), WORD), SINCE, UNTIL, ONLY_TAGS,
            TYPES, PATH, AGENT, limit(20), Input("cursor", text("Where the page before ended.", 2000), "--after"),
        ),
        answer=holds(memories={"type": "array", "items": MEMORY}), for_agents=True,
    ),
    Row(
        "GET", "/v1/memories/{id}", "show", "Show one memory; its hash is the ETag.", (ID, AGENT),
        answer=MEMORY, for_agents=True,
    ),
    Row(
        "PATCH", "/v1/memories/{id}", "edit", "Change a memory, with If-Match only while it is still the same.",
        (
            ID, piped_text("The whole of it, as it shall stand in its file."),
            SENSITIVE, IF_MATCH,
        ),
        words=("--json", "--text=-"), lane=WRITE, for_agents=True,
        answer=holds(id=STRING, changed={"type": "boolean"}),
    ),
    Row(
        "DELETE", "/v1/memories/{id}", "forget", "Move a memory to the archive, with If-Match only as it was.",
        (ID, AGENT, IF_MATCH),
        words=("--json", "--yes"), lane=WRITE, answer=holds(archived=LIST), for_agents=True,
    ),
    Row(
        "GET", "/v1/memories/{id}/history", "audit", "Who wrote, changed or archived a memory, latest first.",
        (Input("id", ID.schema, "--id", needed=True), SINCE, limit(20)), answer=holds(writes=LIST),
    ),
    Row("POST", "/v1/undo", "undo", "Undo the last change.", lane=WRITE, answer=holds(undone=STRING)),
    Row("GET", "/v1/jobs", "work", "What waits to be done.", words=("--json", "--dry-run"), answer=holds(waiting=LIST)),
    Row(
        "GET", "/v1/jobs/{id}", "work", "How it stands with one job.",
        (Input("id", text("As learn named it.", 200, 1), "--job", needed=True),), answer=JOB,
    ),
    *_rows_of_keys("profile", "line of the profile"),
    Row("GET", "/v1/preferences", "prefer list", "Show all preferences, and which of them count.",
        answer=holds(preferences=LIST), for_agents=True),
    Row("GET", "/v1/preferences/{key}", "prefer get", "Show the value that counts.", (KEY, SCOPE),
        for_agents=True),
    Row("GET", "/v1/preferences/{key}/why", "prefer why", "Which one counts, and why not the others.", (KEY, SCOPE),
        for_agents=True),
    Row(
        "PUT", "/v1/preferences/{key}", "prefer set", "Keep a preference.",
        (
            KEY, VALUE, Input("category", text("food, music, navigation … or any word.", 200)), SCOPE,
            Input("source", one_of("How it is known.", "explicit", "confirmed", "inferred")),
        ),
        lane=WRITE, for_agents=True,
    ),
    Row("DELETE", "/v1/preferences/{key}", "prefer unset", "Archive a preference.", (KEY, SCOPE), lane=WRITE,
        for_agents=True),
    Row("GET", "/v1/labels", "label list", "Show all labels, those used most first.",
        answer=holds(labels=LIST), for_agents=True),
    Row("GET", "/v1/labels/{name}", "label get", "Show a label, or the one whose name is most like it.", (NAME,),
        answer=holds(name=STRING, exact={"type": "boolean"}), for_agents=True),
    Row(
        "PUT", "/v1/labels/{name}", "label set", "Keep a label, or change it; what is left out stays.",
        (
            NAME, Input("text", text("What it stands for.", 2000), WORD),
            Input("alias", many(text("Another name.", 200, 1))), Input("address", text("Where it is.", 1000)),
            Input("phone", text("Its phone number.", 100)),
            Input("poi_id", text("Its id on a map.", 200)), Input("lat", number("Degrees north.", -90, 90)),
            Input("lon", number("Degrees east.", -180, 180)),
        ),
        lane=WRITE, answer=holds(name=STRING), for_agents=True,
    ),
    Row("DELETE", "/v1/labels/{name}", "label unset", "Archive a label.", (NAME,), lane=WRITE, for_agents=True),
    *_rows_of_keys("state", "key of the state"),
    Row("POST", "/v1/state/reset", "state reset", "Give all of the state its default back.", lane=WRITE),
    Row("GET", "/v1/review", "review", "What waits for a decision.", answer=holds(doubts=LIST)),
    Row(
        "POST", "/v1/review", "review", "Decide.",
        (Input("answers", many(DECISION, least=1), JSON_LINE, needed=True),),
        words=("--json", "--apply=-"), lane=WRITE, answer=holds(answers=LIST), failed=422,
    ),
    Row("GET", "/health", "", "Whether the server runs.", answer=holds(status=STRING)),
    Row("GET", "/ready", "", "Whether it answers from memory already; 503 until then.", answer=holds(status=STRING)),
    Row("GET", "/openapi.json", "", "This description."),
)  # fmt: skip


# The rows of features come before the server's own, which are last.
_LAST = next(number for number, row in enumerate(_OWN) if not row.command)
TABLE = (*_OWN[:_LAST], *contributions.rest_rows(), *_OWN[_LAST:])


def rows() -> tuple[Row, ...]:
    """Return the rows whose command exists, and those of the server itself."""
    return tuple(row for row in TABLE if not row.command or row.command.split()[0] in COMMANDS)
