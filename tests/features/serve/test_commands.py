"""Each path does what its command does: the same answer to the byte, from the same vault."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memcli import session
from memcli.cli.commands import COMMANDS
from memcli.vault.vault import open_vault
from tests.conftest import NOW, Ran
from tests.features.serve.conftest import Served, served
from tests.session.records import record

SAMPLE = Path(__file__).parents[3] / "sample_vault"


class Case(NamedTuple):
    """A request, and the words that are the same command."""

    method: str
    path: str
    words: list[str]
    body: Any = None
    stdin: str = ""
    varies: tuple[str, ...] = ()  # keys of the answer that can't be the same twice


READS = [
    Case("POST", "/v1/recall", ["recall", "--json", "what did we decide about the cache"], {"query": "what did we decide about the cache"}),
    Case("POST", "/v1/recall", ["recall", "上周五和老王聊了什么"], {"query": "上周五和老王聊了什么", "format": "md"}),
    Case("POST", "/v1/recall", ["recall", "--format=xml", "--budget=300", "--tag=cache", "redis"],
         {"query": "redis", "format": "xml", "budget": 300, "tag": ["cache"]}),
    Case("POST", "/v1/recall", ["recall", "--json", "--since=last month", "--no-fill", "--", "--help"],
         {"query": "--help", "since": "last month", "fill": False}),
    Case("POST", "/v1/prompt", ["prompt", "--json", "what is left to do"], {"query": "what is left to do"}),
    Case("POST", "/v1/prompt", ["prompt", "下午去哪里喝茶"], {"query": "下午去哪里喝茶", "format": "text"}),
    Case("POST", "/v1/prompt", ["prompt", "--format=messages", "and then?"], {"query": "and then?", "format": "messages"}),
    Case("POST", "/v1/ask", ["ask", "--json", "--evidence", "which cache"], {"query": "which cache", "evidence": True},
         varies=("seconds", "steps")),
    Case("POST", "/v1/knowledge/search", ["ask", "--json", "--evidence", "--source=knowledge", "which cache"],
         {"query": "which cache"}, varies=("seconds", "steps")),
    Case("GET", "/v1/memories?words=cache&limit=5", ["list", "--json", "-n5", "cache"]),
    Case("GET", "/v1/memories?type=decision&since=2026-11-01", ["list", "--json", "--type=decision", "--since=2026-11-01"]),
    Case("GET", "/v1/memories/433f257", ["show", "--json", "433f257"]),
    Case("GET", "/v1/memories/MEMORY.md%3A52", ["show", "--json", "MEMORY.md:52"]),
    Case("GET", "/v1/memories/433f257/history", ["audit", "--json", "--id=433f257"]),
    Case("GET", "/v1/jobs", ["work", "--json", "--dry-run"]),
    Case("GET", "/v1/sessions", ["session", "list", "--json"]),
    Case("GET", "/v1/sessions/last", ["session", "show", "--json", "last"]),
    Case("GET", "/v1/sessions/last?window=true", ["session", "show", "--json", "--window", "last"]),
    Case("GET", "/v1/profile", ["profile", "--json"]),
    Case("GET", "/v1/profile/occupation", ["profile", "get", "occupation", "--json"]),
    Case("GET", "/v1/state", ["state", "--json"]),
    Case("GET", "/v1/state/response_length", ["state", "get", "response_length", "--json"]),
    Case("GET", "/v1/preferences", ["prefer", "--json"]),
    Case("GET", "/v1/preferences/database", ["prefer", "get", "database", "--json"]),
    Case("GET", "/v1/preferences/database/why", ["prefer", "why", "database", "--json"]),
    Case("GET", "/v1/labels", ["label", "--json"]),
    Case("GET", "/v1/labels/home", ["label", "get", "home", "--json"]),
    Case("GET", "/v1/review", ["review", "--json"]),
    Case("GET", "/v1/knowledge", ["knowledge", "list", "--json"]),
]  # fmt: skip

WRITES = [
    Case("POST", "/v1/memories", ["add", "--json", "--tag=tea", "--type=decision", "We drink oolong from now on"],
         {"text": "We drink oolong from now on", "tag": ["tea"], "type": "decision"}),
    Case("POST", "/v1/memories", ["add", "--json", "--dry-run", "-"], {"text": "A line\n  and another", "dry_run": True}, "A line\n  and another"),
    Case("PATCH", "/v1/memories/433f257", ["edit", "433f257", "--json", "--text=21:40 the tooth is out"], {"text": "21:40 the tooth is out"}),
    Case("DELETE", "/v1/memories/433f257", ["forget", "--json", "--yes", "433f257"]),
    Case("POST", "/v1/undo", ["undo", "--json"]),
    Case("POST", "/v1/learn", ["learn", "--json", "--later", "-"], {"text": "User: I live in Leipzig now."},
         "User: I live in Leipzig now.", ("state",)),
    Case("POST", "/v1/sessions", ["session", "start", "--json", "a trip"], {"title": "a trip"}, varies=("id", "path")),
    Case("POST", "/v1/sessions/last/messages", ["session", "say", "--json", "--session=last", "--role=assistant", "It is booked."],
         {"text": "It is booked.", "role": "assistant"}),
    Case("POST", "/v1/sessions/last/end", ["session", "end", "--json", "last"]),
    Case("PUT", "/v1/profile/occupation", ["profile", "set", "--json", "occupation", "gardener"], {"value": ["gardener"]}),
    Case("DELETE", "/v1/profile/occupation", ["profile", "unset", "--json", "occupation"]),
    Case("PUT", "/v1/state/session_mode", ["state", "set", "--json", "session_mode", "deep_dive"], {"value": ["deep_dive"]}),
    Case("DELETE", "/v1/state/session_mode", ["state", "unset", "--json", "session_mode"]),
    Case("POST", "/v1/state/reset", ["state", "reset", "--json"]),
    Case("PUT", "/v1/preferences/drink", ["prefer", "set", "--json", "--category=food", "drink", "tea"], {"value": ["tea"], "category": "food"}),
    Case("DELETE", "/v1/preferences/database", ["prefer", "unset", "--json", "database"]),
    Case("PUT", "/v1/labels/gym", ["label", "set", "--json", "--alias=健身房", "gym", "5 Example Road"],
         {"text": "5 Example Road", "alias": ["健身房"]}),
    Case("DELETE", "/v1/labels/home", ["label", "unset", "--json", "home"]),
    Case("POST", "/v1/knowledge", ["knowledge", "add", "--json", "--title=Tea", "-"], {"text": "# Tea\n\nOolong is half way.", "title": "Tea"},
         "# Tea\n\nOolong is half way.", ("seconds",)),
]  # fmt: skip
READS, WRITES = (
    [case for case in cases if case.words[0] in COMMANDS] for cases in (READS, WRITES)
)  # features may be missing


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("example") / "vault"
    shutil.copytree(SAMPLE, place, ignore=shutil.ignore_patterns(".mem"))
    vault = open_vault(place, lambda: NOW, {})
    record(vault, session.start(vault, title="tea"), session.SessionMessage("user", "answer in German from now on"))
    return place


@pytest.fixture
def reading(example: Path) -> Iterator[Served]:
    with served(example) as made:
        yield made
        made.warm.vaults.close()


def same(case: Case, answer: str, printed: str) -> None:
    if case.varies:
        left, right = json.loads(answer), json.loads(printed)
        assert left.keys() == right.keys()
        assert {**left, **dict.fromkeys(case.varies)} == {**right, **dict.fromkeys(case.varies)}
    else:
        assert answer == printed


@pytest.mark.parametrize("case", READS, ids=lambda case: " ".join(case.words[:4]))
def test_what_is_read_is_what_the_command_prints(
    case: Case, reading: Served, example: Path, mem: Callable[..., Ran]
) -> None:
    answer = reading.request(case.method, case.path, json=case.body)
    ran = mem("--vault", str(example), *case.words)
    assert ran.code == 0, ran.err
    assert answer.status_code == 200, answer.text
    same(case, answer.text, ran.out)


@pytest.mark.parametrize("case", WRITES, ids=lambda case: " ".join(case.words[:4]))
def test_what_is_written_is_what_the_command_writes(
    case: Case, example: Path, tmp_path: Path, mem: Callable[..., Ran]
) -> None:
    ours, theirs = tmp_path / "a" / "vault", tmp_path / "b" / "vault"
    for place in (ours, theirs):
        shutil.copytree(example, place, ignore=shutil.ignore_patterns(".mem"))
        if case.path == "/v1/undo":
            mem("--vault", str(place), "add", "the shed key is to be taken back")
    with served(ours) as client:
        answer = client.request(case.method, case.path, json=case.body)
        client.warm.vaults.close()
    ran = mem("--vault", str(theirs), *case.words, stdin=case.stdin or None, MEM_ACTOR="owner")
    assert ran.code == 0, ran.err
    assert answer.status_code in (200, 201, 202), answer.text
    same(case, answer.text, ran.out)
    if not case.varies:
        assert contents(ours) == contents(theirs)


def contents(root: Path) -> dict[str, str]:
    files = (
        path for path in root.rglob("*") if path.is_file() and not {".mem", "queue"} & {*path.relative_to(root).parts}
    )
    return {path.relative_to(root).as_posix(): path.read_text("utf-8", "replace") for path in files}
