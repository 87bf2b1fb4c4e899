"""Every input of the HTTP interface has a bound; within it, anything is answered."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette")

from memcli import bounds
from tests.features.serve.conftest import Served
from tests.recall.vaults import lay
from tests.test_bounds import HOSTILE, NOTES


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/v1/recall", "/v1/prompt"])
def test_a_question_may_be_anything_up_to_a_bound(client: Served, path: str) -> None:
    if path not in {row.path for row in client.api.rows}:
        pytest.skip("a feature may be missing")
    lay(client.api.tokens.root, NOTES)  # type: ignore[attr-defined]
    name = "query" if path == "/v1/recall" else "text"
    assert client.post(path, json={name: "x" * (bounds.TEXT + 1)}).status_code == 400
    for text in HOSTILE[::3]:
        assert client.post(path, json={name: text}).status_code < 500, text[:40]


def test_every_text_and_list_of_the_interface_has_a_bound(client: Served) -> None:
    for row in client.api.rows:
        for one in row.takes:
            for schema in (one.schema, one.schema.get("items", {})):
                if schema.get("type") == "string" and "enum" not in schema:
                    assert schema["maxLength"] <= bounds.TEXT, (row.path, one.name)
                if schema.get("type") == "array":
                    assert schema["maxItems"] <= 1000, (row.path, one.name)
