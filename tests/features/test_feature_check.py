"""What a feature declares is checked before it is used: types, names, and what belongs together."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from memcli import contributions, extend, feature_check
from memcli.errors import UsageError
from memcli.extend import Command, Feature, McpTool, PageView, PromptLayer, RecallPath, Row, Secret, setting
from tests.features import import_feature

pytestmark = pytest.mark.quick
COMMAND = Command("birds", "your data", "List birds.", "mem_birds.commands")
TOOL = McpTool("birds", "List birds.", {"kind": {"type": "string"}}, "kind", str)
VIEW = PageView("/birds", str)
LAYER = PromptLayer("birds", "# Birds", lambda *given: [])


def check(**brought: Any) -> None:
    feature = Feature("birds", "Knows birds.", **brought)
    feature_check.check_contents(feature)
    feature_check.check_names(feature, [{"jobs": ["learn"]}])


def test_what_is_right_passes() -> None:
    check(
        commands=(COMMAND,), mcp_tools=(TOOL,), page_views=(VIEW,), health_parts=list,
        prompt_layers=(LAYER,), settings={"prompt.birds": setting(80, "tokens")}, secrets=(Secret("birds", "x"),),
        jobs={"birds": str}, recall_paths=list,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("brought", "why"),
    [
        ({"commands": COMMAND}, "is not of the type tuple"),
        ({"commands": ("birds",)}, "is not of the type tuple"),
        ({"commands": (COMMAND._replace(module=None),)}, "commands: module: None"),
        ({"commands": (COMMAND._replace(name="add"),)}, "commands: add is there already"),
        ({"mcp_tools": (TOOL._replace(name="recall"),)}, "mcp_tools: recall is there already"),
        ({"mcp_tools": (TOOL._replace(properties={"kind": "string"}),)}, "have no schema"),
        ({"mcp_tools": (TOOL._replace(properties=["kind"]),)}, "mcp_tools: properties"),
        ({"mcp_tools": (TOOL._replace(required="nope"),)}, "have no schema"),
        ({"page_views": (VIEW._replace(name="birds"),)}, "does not begin with /"),
        ({"page_views": (VIEW._replace(name="/days"),)}, "page_views: /days is there already"),
        ({"page_views": (VIEW._replace(view="x"),)}, "page_views: view"),
        ({"prompt_layers": (LAYER,)}, "the setting prompt.birds is missing"),
        ({"prompt_layers": (LAYER._replace(hook=("x",)),)}, "prompt_layers: hook"),
        ({"jobs": {"learn": str}}, "jobs: learn is there already"),
        ({"checks": "x"}, "checks: 'x'"),
    ],
)
def test_what_is_wrong_is_named(brought: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why.replace("/", ".")):
        check(**brought)


def test_the_names_that_are_taken_are_those_of_the_page_and_the_server() -> None:
    """A feature must not take the place of a view or tool; one that has a folder of its own may be missing."""
    app = import_feature("memcli.features.page.app")
    tools = import_feature("memcli.features.serve.mcp.tools")
    own = {each.name for each in contributions.page_views()}
    assert set(feature_check.TAKEN["page_views"]) == set(app.VIEWS) - own
    own = [each["name"] for each in tools.TOOLS]
    assert list(feature_check.TAKEN["mcp_tools"]) == own, f"TAKEN in memcli/feature_check.py has to be {own}"


def test_every_name_of_the_interface_can_be_imported() -> None:
    """Also those that a row, a view and a job are made with: all other modules may change."""
    names = re.findall(r"^    from [\w.]+ import (\w+) as \1$", Path(extend.__file__).read_text("utf-8"), re.M)
    assert {"Input", "queue_job", "tag"} < set(names)
    assert all(hasattr(extend, name) for name in names)


@pytest.mark.parametrize("kind", [Row, RecallPath])
def test_what_a_function_makes_is_of_its_kind(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memcli.registry.failed_now", {})
    assert contributions._made("birds", lambda: ["x"], kind.__name__) == []
    assert contributions.left_out() == [f"the feature birds is left out: TypeError: str is not a {kind.__name__}"]
