"""`docs/serve.md` says what is true: its examples are run in their order, and no path is left out."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from memcli.cli.command import DEFINED
from memcli.cli.commands import COMMANDS, import_command
from memcli.features.serve import paths
from tests.docs.transcripts import NOW, matches
from tests.features import MISSING
from tests.features.serve.conftest import served

TABLE = paths.rows()
ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```http\n(.*?)```(?:\n```text\n(.*?)```)?", PAGE, re.S)  # a block shows what its last one answers
EXAMPLES = [
    (example, shown * last)
    for block, shown in BLOCKS
    for *others, final in [block.strip().split("\n\n")]
    for example, last in [*((other, False) for other in others), (final, True)]
]
ALIKE = [  # as the page says in one sentence
    "DELETE /v1/profile/occupation", "GET /v1/profile",
    'PUT /v1/state/session_mode\n{"value": ["deep_dive"]}', "GET /v1/state/session_mode",
    "DELETE /v1/state/session_mode", "POST /v1/state/reset", "GET /v1/state",
    'PUT /v1/preferences/seat\n{"value": ["aisle"]}', "GET /v1/preferences/seat",
    "GET /v1/labels/gym", "DELETE /v1/labels/gym", "GET /v1/labels",
]  # fmt: skip
EXAMPLES += [(example, "") for example in ALIKE]
NEEDS = {"GET /v1/jobs/ab1f5a2c34020538": "learn"}  # the job of an example → the feature that queues it
UNSHOWN = {("POST", "/v1/review")}  # which ids there are to decide about changes with the rules


def test_the_command_of_every_row_exists() -> None:
    for name in COMMANDS:
        import_command(name)
    unknown = {row.command for row in paths.TABLE if row.command} - DEFINED.keys()
    assert not unknown or MISSING, f"rows of serve/paths.py or of a feature name commands that are not there: {unknown}"


@pytest.mark.slow
def test_what_the_page_shows_is_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEM_NOW", NOW)
    shutil.copytree(ROOT / "sample_vault", tmp_path / "vault", ignore=shutil.ignore_patterns(".mem"))
    with served(tmp_path / "vault") as client:
        begun = ""
        for example, shown in EXAMPLES:
            first, *rest = example.strip().split("\n")
            method, path = first.split()
            path = re.sub(r"/sessions/\d{8}-[\w-]+", f"/sessions/{begun}", path)  # its last four signs are chance
            here = any(re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", row.path), path.split("?")[0]) for row in TABLE)
            if not here or NEEDS.get(first) in MISSING:
                continue  # a feature may be missing
            headers = dict(line.split(": ", 1) for line in rest if not line.startswith("{"))
            body = next((json.loads(line) for line in rest if line.startswith("{")), None)
            answer = client.request(method, path, json=body, headers=headers)
            assert answer.status_code < 300 or str(answer.status_code) in shown, f"{first}: {answer.text}"
            assert not shown or matches(shown, answer.text), f"{first} answered\n{answer.text}"
            begun = answer.json()["id"] if first == "POST /v1/sessions" else begun
        client.warm.vaults.close()


def test_every_path_has_an_example() -> None:
    shown = {tuple(example.split("\n")[0].split("?")[0].split()) for example, _ in EXAMPLES}
    for row in TABLE:
        pattern = re.compile(re.sub(r"\{\w+\}", "[^/]+", row.path))
        here = any(method == row.method and pattern.fullmatch(path) for method, path in shown)
        assert here or (row.method, row.path) in UNSHOWN, f"{row.method} {row.path} has no example"
