"""The tools as a client sees them: few words, honest hints, and mistakes that say what to send instead."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from memcli.extend import McpTool
from memcli.features.serve.mcp import tools
from memcli.features.serve.mcp.tools import WrongArguments, check_arguments, list_tools
from memcli.features.serve.paths import TABLE
from memcli.recall import Request
from tests.cl100k import count
from tests.features import needs
from tests.rows import check_rows

ROOT = Path(__file__).parents[4]
NAMES = [tool["name"] for tool in tools.TOOLS]
# Inputs of a recall that agents don't get: each word of a schema is paid for in every session.
NOT_FOR_AGENTS = {"most", "until", "path", "format", "semantic", "fill"}


def cost(**how: Any) -> int:
    """The tokens that a session pays for the tools and the instructions."""
    served = json.dumps({"tools": list_tools(has_owners=True, **how)}, ensure_ascii=False, separators=(",", ":"))
    return count(served) + count(tools.INSTRUCTIONS)


@needs("ask")
def test_a_tool_is_offered_where_it_can_do_something() -> None:
    assert [tool["name"] for tool in list_tools()] == [*NAMES, "ask"]
    assert [tool["name"] for tool in list_tools(homes=[("project", "/nowhere")])] == NAMES  # without documents
    reads = {tool["name"] for tool in list_tools(read_only=True)}
    assert {"recall", "show", "ask"} <= reads and not reads & {"remember", "forget"}


@needs("ask")
def test_the_pages_name_each_tool_and_what_all_cost() -> None:
    page = (ROOT / "docs/agents.md").read_text("utf-8")
    listed = page.partition("## The tools")[2].partition("\n## ")[0]
    names = [tool["name"] for tool in list_tools()]
    assert re.findall(r"^\| `(\w+)` \|", listed, re.M) == names, "docs/agents.md: a row for each tool, in this order"
    costs = f"take {cost()} tokens of the agent's context, {cost(homes=[('project', '/nowhere')])} without documents"
    assert costs in " ".join(page.split()), f"every session pays for the tools; docs/agents.md has to say: {costs}"
    skill = (ROOT / "plugin/skills/memory/SKILL.md").read_text("utf-8")
    assert not [name for name in names if f"`{name}`" not in skill], "plugin/skills/memory/SKILL.md: when to use each"


def test_an_input_of_a_recall_is_an_argument_or_left_out_for_a_reason() -> None:
    taken = {"query" if name == "question" else name for name in tool("recall")["inputSchema"]["properties"]}
    assert set(Request._fields) - taken == NOT_FOR_AGENTS
    row = next(row for row in TABLE if row.path == "/v1/recall")
    assert set(Request._fields) <= {"tags" if each.name == "tag" else each.name for each in row.takes}


def test_every_tool_says_whether_it_writes_and_that_it_stays_at_home() -> None:
    for tool in list_tools():
        hints = tool["annotations"]
        assert hints["readOnlyHint"] is (tool["name"] not in tools.writing_tools())
        assert hints["openWorldHint"] is False
        assert hints["readOnlyHint"] or hints["destructiveHint"] is (tool["name"] == "forget")
        assert "outputSchema" not in tool


def test_the_instructions_are_two_sentences() -> None:
    assert len(re.findall(r"\.(?:\s|$)", tools.INSTRUCTIONS)) == 2


def test_schemas_are_closed_objects_whose_required_words_exist() -> None:
    for tool in list_tools(has_owners=True):
        schema = tool["inputSchema"]
        assert schema["type"] == "object" and schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])


def tool(name: str, **how: Any) -> dict[str, Any]:
    return next(one for one in list_tools(**how) if one["name"] == name)


@check_rows(
    ("name", "arguments", "mend"),
    [
        ("recall", {}, "question is missing: recall takes question, budget, since, tags"),
        ("recall", {"question": "  "}, "question is missing"),
        ("recall", {"question": 7}, "question must be a string"),
        ("recall", {"question": "x", "budget": "400"}, "budget must be a whole number from 100 to 8000"),
        ("recall", {"question": "x", "budget": 5}, "from 100 to 8000"),
        ("recall", {"question": "x", "budget": True}, "a whole number"),
        ("recall", {"question": "x", "tags": "cache"}, 'a list of strings: ["cache"]'),
        ("recall", {"question": "x", "tags": [1]}, "a list of strings"),
        ("recall", {"query": "x"}, "there is no argument 'query': recall takes question"),
        ("recall", [], "the arguments must be an object"),
        ("remember", {"text": "x", "type": "idea"}, "type must be one of fact, decision"),
        ("remember", {"text": "x", "owner": "project"}, "owner must be one of user, agent"),
        ("show", {}, "place is missing: show takes place, budget"),
    ],
)
def test_wrong_input_is_told_what_to_send(name: str, arguments: Any, mend: str) -> None:
    with pytest.raises(WrongArguments, match=re.escape(mend)):
        check_arguments(tool(name), arguments)


def test_right_input_is_taken_as_it_is() -> None:
    given = {"question": "cache", "budget": 100, "since": "last week", "tags": []}
    assert check_arguments(tool("recall"), given) == given
    assert check_arguments(tool("remember", has_owners=True), {"text": "x", "owner": "user"})
    same = {"question": "cache", "budget": 100.0, "since": None}  # what clients send that know one kind of number
    assert repr(check_arguments(tool("recall"), same)) == "{'question': 'cache', 'budget': 100}"


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        ({"type": "integer"}, [0, 9000, -3, 4.0], ["4", True, 4.5]),
        ({"type": "number"}, [0, 0.5], ["4", True]),
        ({"type": "boolean"}, [True, False], ["true", 1]),
        ({"type": "object"}, [{"a": 1}], ["{}"]),
        ({"type": "array", "items": {"type": "integer"}}, [[1, 2], []], ["1", ["x"]]),
        ({"type": "array"}, [["x"]], [[1], "x"]),
        ({"type": "array", "items": {}}, [[1, "x"]], ["x"]),
    ],
)
def test_a_tool_of_a_feature_may_take_any_kind_of_value(
    schema: dict[str, Any], right: list[Any], wrong: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = McpTool("theirs", "x", {"given": schema}, "given", lambda vault, arguments: "")
    monkeypatch.setattr("memcli.features.serve.mcp.tools._of_features", lambda: [theirs._asdict()])
    for value in right:
        assert check_arguments(tool("theirs"), {"given": value}) == {"given": value}
    for value in wrong:
        with pytest.raises(WrongArguments, match="given must be "):
            check_arguments(tool("theirs"), {"given": value})
