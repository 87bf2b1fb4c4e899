"""What the tools do: the same as the commands, within the budget, and signed by the client."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.features.serve.mcp import tools
from memcli.features.serve.mcp.calls import HEADS
from tests.cl100k import count
from tests.conftest import Ran
from tests.features import needs
from tests.features.serve.mcp.client import STATELESS, Client
from tests.watch.conftest import start

QUESTION = "what did we decide about the cache"


def lay(folder: Path, name: str, text: str) -> None:
    """One more file."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def notes(folder: Path) -> Path:
    """Two weeks of notes."""
    lines = [
        "# Memory",
        "",
        "- Wang leads the gateway team [date:: 2026-11-02] ^wang",
        "- Tea is drunk at four [date:: 2026-11-03]",
    ]
    lay(folder, "MEMORY.md", "\n".join(lines) + "\n")
    for day in range(1, 15):
        rows = [
            f"- 09:{n:02d} The cache of service {day}-{n} was decided to be a Redis cache, for reason {n}"
            for n in range(20)
        ]
        lay(folder, f"logs/2026-11-{day:02d}.md", f"# 2026-11-{day:02d}\n\n" + "\n".join(rows) + "\n")
    return folder


@pytest.fixture
def mine(home: Path) -> Path:
    """The user's own vault, in its usual place."""
    place = home / "data" / "mem" / "vault"
    place.mkdir(parents=True)
    lay(place, "MEMORY.md", "# Memory\n\n- I like my cache decisions short [date:: 2026-11-04] ^short\n")
    return place


def test_a_recall_is_the_block_of_the_command(notes: Path, mem: Callable[..., Ran]) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        assert client.says("recall", question=QUESTION) == mem("recall", QUESTION).out
        assert client.says("recall", question="who is Wang") == mem("recall", "who is Wang").out
        narrowed = mem("recall", "cache", "--since", "2026-11-10", "--budget", "300").out
        assert client.says("recall", question="cache", since="2026-11-10", budget=300) == narrowed


def test_a_recall_that_a_watcher_answers_is_the_same(notes: Path) -> None:
    with Client("--vault", str(notes), "mcp", MEM_LANE="off") as alone:
        expected = [alone.says("recall", question=question, budget=300) for question in (QUESTION, "nothing of it")]
    with start(notes) as watched, Client("--vault", str(notes), "mcp") as client:
        for question, block in zip((QUESTION, "nothing of it"), expected, strict=True):
            assert (
                watched.answers(lambda question=question: client.says("recall", question=question, budget=300)) == block
            )
        assert "not a day" in client.refuses("recall", question="cache", since="nonsense")


@pytest.mark.parametrize("budget", [100, 150, 400, 1000, 3000])
def test_no_answer_is_longer_than_asked_for(notes: Path, mine: Path, budget: int) -> None:
    with Client("mcp", "--scope", "both", "--vault", str(notes)) as client:
        assert count(client.says("recall", question=QUESTION, budget=budget)) <= budget
        assert count(client.says("recall", question="no such thing", budget=budget)) <= budget
        assert count(client.says("show", place="logs/2026-11-03.md:5", budget=budget)) <= budget


def test_a_long_memory_is_shown_as_far_as_the_budget_goes(folder: Path) -> None:
    lay(folder, "MEMORY.md", "- " + "The meeting about tea went on. " * 200 + "\n")
    with Client("--vault", str(folder), "mcp") as client:
        shown = client.says("show", place="MEMORY.md:1", budget=200)
        assert 100 < count(shown) <= 200 and shown.rstrip().endswith("…")
    lay(
        folder, "MEMORY.md", "\n".join("abcdefgh"[at % 8] for at in range(600)) + "\n"
    )  # each line costs its indent, too
    with Client("--vault", str(folder), "mcp") as client:
        for budget in (100, 300, 1000):
            assert count(client.says("show", place="MEMORY.md:1", budget=budget)) <= budget


def test_what_is_remembered_is_signed_by_the_client_in_the_note_and_in_the_journal(notes: Path) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        client.shake_hands(name="some agent/1.2")
        said = client.says("remember", text="The gateway is deployed on Mondays", type="fact", tags=["deploy"])
        place = re.fullmatch(r"kept as [0-9a-f]{7} in (MEMORY\.md:\d+)", said)
        assert place
        assert "The gateway is deployed on Mondays" in client.says("show", place=place[1])
    note = (notes / "MEMORY.md").read_text(encoding="utf-8").splitlines()[-1]
    assert "[source:: some-agent-1.2]" in note and "#deploy" in note and "[type:: fact]" in note
    assert json.loads((notes / "journal/audit.jsonl").read_text().splitlines()[-1])["by"] == "some-agent-1.2"


@needs("learn")
def test_what_the_profile_says_otherwise_is_said_and_asked(notes: Path) -> None:
    (notes / "USER.md").write_text("---\ncity: Berlin\n---\n", encoding="utf-8")
    with Client("--vault", str(notes), "mcp") as client:
        said = client.says("remember", text="I now live in Leipzig")
        assert said.endswith(", but USER.md says city: Berlin; the user says which holds: mem review")
    assert "Leipzig" in (notes / "journal/changes.jsonl").read_text(encoding="utf-8")
    assert "Berlin" in (notes / "USER.md").read_text(encoding="utf-8")


def test_a_client_of_the_stateless_era_signs_each_call(notes: Path) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        arguments = {"text": "The gateway is deployed on Mondays"}
        client.result("tools/call", name="remember", arguments=arguments, _meta=STATELESS)
    assert json.loads((notes / "journal/audit.jsonl").read_text().splitlines()[-1])["by"] == "new-agent"


def test_the_name_of_a_client_can_write_nothing_but_a_name(notes: Path) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        client.shake_hands(name="x] ^id\n- forged [importance:: 1")
        client.says("remember", text="The gateway is deployed on Mondays")
    written = (notes / "logs/2026-11-21.md").read_text(encoding="utf-8")
    assert "[source:: x-id---forged-importance-1]" in written and len(written.strip().splitlines()) == 3


def test_what_is_there_already_is_said_to_be_known(notes: Path) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        client.says("remember", text="The gateway is deployed on Mondays")
        assert client.says("remember", text="The gateway is deployed on Mondays").startswith("known already")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ok", "too short"),
        ("The key is AKIAQ7L2MZ4TRWXKE3VN and sk-ant-REDACTED", "not kept"),
        ("x" * 70_000, "at most 10000 characters"),
    ],
)
def test_what_a_gate_refuses_is_an_error_that_says_why_and_names_no_option(notes: Path, text: str, why: str) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        said = client.refuses("remember", text=text)
    assert why in said and "--" not in said


def test_a_preference_becomes_one_that_the_user_sees_in_the_list(notes: Path, mem: Callable[..., Ran]) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        assert client.says("remember", text="no meetings before ten", type="preference").startswith(
            "kept as a preference"
        )
    assert "no meetings before ten" in mem("prefer").out


def test_show_gives_a_memory_with_its_neighbours(notes: Path) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        for place in ("MEMORY.md:3", "^wang"):
            shown = client.says("show", place=place)
            assert shown.startswith("MEMORY.md:3 · ^wang · 2026-11-02")
            assert ":3 - Wang leads" in shown and ":4 - Tea" in shown


@pytest.mark.parametrize(
    "place", ["MEMORY.md:99", "nowhere.md:1", "../secret.md:1", "zzz", "/etc/passwd:1", "a\x00b:1"]
)
def test_a_place_that_is_none_is_an_error(notes: Path, place: str) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        assert client.refuses("show", place=place)
        assert client.refuses("forget", place=place)


def test_what_is_forgotten_is_archived_and_can_be_had_back(notes: Path, mem: Callable[..., Ran]) -> None:
    with Client("--vault", str(notes), "mcp") as client:
        said = client.says("forget", place="^wang")
        assert "archive/MEMORY.md" in said and "Wang leads" in said and "mem undo" in said
        assert "Wang leads" not in client.says("recall", question="who leads the gateway team")
    assert mem("undo").code == 0
    assert "Wang leads" in (notes / "MEMORY.md").read_text(encoding="utf-8")


def test_a_server_that_only_reads_offers_nothing_that_writes(notes: Path) -> None:
    with Client("--vault", str(notes), "mcp", "--read-only") as client:
        assert "recall" in client.tools() and not tools.writing_tools() & {*client.tools()}
        reply = client.request("tools/call", name="remember", arguments={"text": "The gateway is deployed on Mondays"})
        assert reply["error"]["code"] == -32602
    assert not (notes / "journal").exists()


# -- two memories ------------------------------------------------------------------------------------------------------


def test_the_project_speaks_first_and_then_the_user(notes: Path, mine: Path) -> None:
    (notes / "mem.yaml").touch()
    with Client("mcp", "--scope", "both", cwd=notes) as client:
        block = client.says("recall", question="what about cache decisions", budget=600)
        project, user = block.index(HEADS["project"]), block.index(HEADS["user"])
        assert project < block.index("Redis cache") < user < block.index("short")
        assert "short" in client.says("show", place="user:MEMORY.md:3")
        assert client.says("show", place="^short").startswith("user:MEMORY.md:3")
        assert client.says("show", place="MEMORY.md:3").startswith("MEMORY.md:3 · ^wang")


def test_the_memory_that_knows_nothing_is_left_out(notes: Path, mine: Path) -> None:
    (notes / "mem.yaml").touch()
    with Client("mcp", "--scope", "both", cwd=notes) as client:
        block = client.says("recall", question="when is tea drunk")
        assert "Tea is drunk at four" in block and HEADS["user"] not in block


def test_who_owns_a_new_memory_is_said_in_the_call(notes: Path, mine: Path) -> None:
    (notes / "mem.yaml").touch()
    with Client("mcp", "--scope", "both", cwd=notes) as client:
        assert "in logs/" in client.says("remember", text="The gateway is deployed on Mondays")
        assert "in user:logs/" in client.says("remember", text="My sister lives in Suzhou", owner="user")
        client.says("remember", text="no meetings before ten", type="preference")
    assert (mine / "logs/2026-11-21.md").exists() and (mine / "preferences.yaml").exists()


def test_one_broken_memory_does_not_silence_the_other(notes: Path, mine: Path) -> None:
    (notes / "mem.yaml").write_text("recall: [broken\n", encoding="utf-8")
    with Client("mcp", "--scope", "both", cwd=notes) as client:
        block = client.says("recall", question="what about cache decisions")
        assert "can't be read" in block and "short" in block


def test_a_scope_names_whose_memory_it_is(notes: Path, mine: Path, tmp_path: Path) -> None:
    (notes / "mem.yaml").touch()
    for scope, own in (("user", True), ("project", False)):
        with Client("mcp", "--scope", scope, cwd=notes) as client:
            assert ("short" in client.says("recall", question="what about cache decisions")) is own
    with Client("mcp", "--scope", "both", cwd=tmp_path) as client:
        assert "short" in client.says("recall", question="what about cache decisions")
        assert '["user", "agent"]' in json.dumps(client.result("tools/list"))


def test_the_vault_of_the_environment_is_the_users_own(notes: Path, mine: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    lay(other, "MEMORY.md", "- Cache decisions are made by Anna [date:: 2026-11-04]\n")
    (notes / "mem.yaml").touch()
    with Client("mcp", "--scope", "both", cwd=notes, MEM_VAULT=str(other)) as client:
        block = client.says("recall", question="what about cache decisions")
        assert "Redis" in block and "Anna" in block and "short" not in block


# -- documents ---------------------------------------------------------------------------------------------------------


@needs("ask", "knowledge")
def test_documents_can_be_asked_once_there_are_any(notes: Path, mem: Callable[..., Ran], tmp_path: Path) -> None:
    paper = tmp_path / "merging.md"
    paper.write_text(
        "# Merging\n\nSegments of an index are merged in tiers of ten, the smallest first.\n", encoding="utf-8"
    )
    with Client("--vault", str(notes), "mcp") as client:
        assert "ask" not in client.tools()
        assert mem("knowledge", "add", str(paper)).code == 0
        assert client.tools() == [*(tool["name"] for tool in tools.TOOLS), "ask"]
        question = "how are segments of an index merged"
        answer = client.says("ask", question=question, budget=300)
        assert "tiers of ten" in answer and "merging.md" in answer and count(answer) <= 300
        with start(notes) as watched:
            assert watched.answers(lambda: client.says("ask", question=question, budget=300)) == answer
