"""The description holds: Schemathesis calls every path with what `openapi.json` allows, and with what it does not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("schemathesis")  # .ci/run installs it for this test alone

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import checks

from memcli.features.serve.openapi import document
from memcli.features.serve.paths import rows
from tests.features.serve.process import TOKEN, started

SAMPLE = Path(__file__).parents[3] / "sample_vault"
schema: Any = schemathesis.openapi.from_dict(document(rows()))
# A value of the right shape may still mean nothing here: no such day, a gate that refuses, nothing of that name.
CHECKS = [
    checks.not_a_server_error, checks.status_code_conformance, checks.content_type_conformance,
    checks.response_schema_conformance, checks.response_headers_conformance, checks.negative_data_rejection,
]  # fmt: skip
EXAMPLES = 15
PATIENCE = 120  # seconds: the first list of documents loads the index, which takes long on a busy machine
ANSWERS = [200, 201, 202, 404, 409, 412, 422]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("contract")
    shutil.copytree(SAMPLE, place / "vault", ignore=shutil.ignore_patterns(".mem"))
    server = started(place / "vault", place / "log")
    yield f"http://127.0.0.1:{server.port}"
    server.process.kill()
    server.process.wait()


@schema.parametrize()
@settings(max_examples=EXAMPLES, phases=[Phase.generate], deadline=None, suppress_health_check=list(HealthCheck))
def test_every_path_answers_as_it_is_described(case: Any, address: str) -> None:
    response = case.call(base_url=address, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE)
    case.validate_response(response, checks=CHECKS[: -1 if response.status_code == 413 else None])
    if case.meta.generation.mode.is_positive:
        assert response.status_code in ANSWERS, response.text
