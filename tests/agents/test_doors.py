"""Every door asked by one agent for what only another knows: by words, id, path and tag. A door without a row fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli import api, remember
from memcli.cli.command import DEFINED
from memcli.cli.commands import COMMANDS
from memcli.cli.typer_app import load
from memcli.errors import MemError
from memcli.jobs import catch_up
from memcli.recall import Request, recall
from memcli.vault.vault import Vault
from memcli.watch.resident import Resident
from tests.agents.conftest import MARK, SECRET, TwoMinds
from tests.conftest import NOW, Ran, opened
from tests.features import needs
from tests.index.tiny import build
from tests.watch.conftest import start
from tests.watch.test_resident import answering

Mem = Callable[..., Ran]
for name in COMMANDS:
    load(name)

# Command → how it is asked for what is bob's; what begins with `!` must show it to bob, so that a row can fail.
DOORS: dict[str, list[list[str]]] = {
    "recall": [
        ["!{word}"], ["!#{word}"], ["{word}", "--path", "agents/bob"], ["{word}", "--path", "*.md"], ["{word}", "--path", "archive"],
        ["!{word}", "--format", "json", "--fill"], ["!{word}", "--preset", "layered"], ["!{word}", "--preset", "classic"],
        ["!what is left to do"], ["!", "--tag", "{word}"], ["!print"], ["xylogarph"], ["!where is the depot"], ["!which plate do I like"],
    ],
    "show": [["!{id}"], ["!{place}"], ["!{path}"], ["!{block}"], ["{sneaky}"], ["!{absolute}"], ["{upper}:1"], ["!linked.md"],
             ["!today"], ["!^sold"], ["^eve"], ["archive/agents/eve/MEMORY.md"], ["!{snapshot}"], ["agents/bob/preferences.yaml"],
             ["agents/bob/insight"]],
    "list": [["!{word}"], ["!--tag", "{word}"], ["!--path", "agents/bob"], ["!--type", "decision"], ["!-n", "0"]],
    "export": [["!"], ["!--path", "agents/bob"], ["--to", "markdown", "--path", "archive"]],
    "prompt": [["!{word}"], ["!and the {word}?", "--session", "{talk}"], ["上次聊到哪了"]],
    "ask": [["!{word}", "--evidence", "--source", "memory"], ["{word}", "--evidence", "--session", "{talk}"], ["--read"]],
    "session list": [["!"]],
    "session show": [["!{talk}"], ["!last"], ["!"]],
    "session say": [["hello", "--session", "{talk}"]],
    "session end": [["{talk}"]],
    "session resume": [["{talk}"]],
    "session start": [["on the museum"]],
    "add": [["a museum is a house", "--replaces", "{id}"],
            ["it is dusty", "--to", "{absolute}"], ["another plate ^plate", "--dry-run"]],
    "learn": [["!{talk_file}", "--dry-run", "--json"], ["{path}", "--dry-run"], ["agents/bob", "--dry-run"]],
    "done": [["{id}"], ["{place}"], ["hang the {word}"]],
    "edit": [["{id}"], ["{path}"], ["{sneaky}"]],
    "open": [["{id}"], ["{word}"], ["{absolute}"]],
    "forget": [["{id}", "--yes"], ["{place}", "--yes"], ["!{block}", "--dry-run"]],
    "supersede": [["{id}", "^museum"], ["^museum", "{place}"]],
    "cite": [["{place}"], ["!linked.md:1", "--json"]],
    "prefer list": [["!"]],
    "prefer get": [["!plate"]],
    "prefer why": [["!plate"]],
    "prefer set": [["plate", "none"]],
    "prefer keep": [["I like no {word}"]],
    "prefer unset": [["plate"]],
    "prefer accept": [["plate"]],
    "prefer correct": [["plate"]],
    "label list": [["!"]],
    "label get": [["!depot"]],
    "label set": [["depot", "a shed"]],
    "label unset": [["depot"]],
    "chat": [["--session", "{talk}"]],
    "agent share": [["{id}"], ["{place}", "--to", "ada"]],
    "reflect": [["!"], ["--project", "museum"]],
    "pattern list": [["!"]],
    "pattern show": [["!hang the {word}"]],
    "pattern offer": [["!how should I hang the {word}", "--unproven"]],
    "pattern add": [["hang a print", "--step", "measure"]],
    "pattern fail": [["hang a print", "--wrong", "it fell"]],
    "pattern tried": [["hang the {word}", "good"]],
    "pattern forget": [["hang the {word}"]],
    "hook": [["prompt"], ["start"]],
    "mcp": [["--read-only"]],  # asked in full below
}  # fmt: skip
DOORS = {name: asked for name, asked in DOORS.items() if name.split()[0] in COMMANDS}  # a feature may be missing
# Commands that show an agent nothing but what it gave them. All others need a row that must show what is bob's.
WRITES = frozenset({
    "add", "agent share", "chat", "cite", "done", "edit", "forget", "hook", "label set", "label unset", "mcp", "open",
    "pattern add", "pattern fail", "pattern forget", "pattern tried", "prefer accept", "prefer correct", "prefer keep",
    "prefer set", "prefer unset", "session end", "session resume", "session say", "session start", "supersede",
})  # fmt: skip
# What each MCP tool is asked; the features' own tools ask for the same in their tests.
TOOLS = {"recall": {"question": SECRET}, "show": {"place": "{place}"}, "forget": {"place": "{place}"}, "remember": {}}
# What gives out what a vault holds and is not a command → the test that asks it.
ROOMS = {
    "api": "test_python_keeps_them_apart",
    "features.hook": "test_a_hook_tells_an_agent_what_it_may_see",
    "features.serve": "test_a_token_of_an_agent_asks_as_that_agent",
    "features.serve.mcp": "test_a_client_sees_what_is_shared_and_its_own",
}


def test_every_command_that_agents_have_is_asked() -> None:
    agents_have = {name for name, command in DEFINED.items() if command.agents}
    assert DOORS.keys() == agents_have, "DOORS: words for each; ! marks those that must print what another agent sees"


def test_every_command_that_reads_has_a_row_that_can_fail() -> None:
    blind = {name for name, rows in DOORS.items() if not any(row[0].startswith("!") for row in rows)}
    assert blind <= WRITES, f"give each of {sorted(blind - WRITES)} a row with `!`, or name it in WRITES"


@needs("serve")
def test_every_tool_of_mcp_is_asked() -> None:
    from memcli.features.serve.mcp.tools import TOOLS as OWN

    assert TOOLS.keys() == {tool["name"] for tool in OWN}, (
        "TOOLS: give each tool words with which it shows what is bob's"
    )


def test_every_room_that_gives_memories_away_is_asked() -> None:
    assert all(test in globals() for test in ROOMS.values())


@pytest.mark.parametrize(
    "name", [name for name, command in DEFINED.items() if not command.agents and name != "token add"]
)
def test_what_is_the_owners_no_agent_can_ask(mem: Mem, name: str) -> None:
    refused = mem(*name.split(), "--agent", "ada")
    assert refused.code == 2 and "--agent" in refused.err


def asked(minds: TwoMinds, mem: Mem, name: str, row: list[str], agent: str) -> Ran:
    words = minds.words(*(word.removeprefix("!") for word in row))
    payload = json.dumps(
        {"prompt": f"where is our {SECRET}, the one of the museum?", "session_id": "s", "cwd": str(minds.root)}
    )
    said = [*name.split(), *filter(None, words), "--agent", agent]
    return mem(*said, stdin=payload if name == "hook" else "", EDITOR="cat")


@pytest.mark.parametrize(("name", "row"), [(name, row) for name, rows in DOORS.items() for row in rows])
def test_no_door_tells_what_another_knows(minds: TwoMinds, mem: Mem, name: str, row: list[str]) -> None:
    before = {path: path.read_text() for path in sorted((minds.root / "agents/bob").rglob("*.*"))}
    told = asked(minds, mem, name, row, "ada")
    assert MARK not in told.out + told.err, told
    assert {path: path.read_text() for path in before} == before, "what is another's was changed"
    if row[0].startswith("!"):
        shown = asked(minds, mem, name, row, "bob")
        assert MARK in shown.out + shown.err, "a row that could not fail"


# -- through what stays, what is cached, and what means the same -------------------------------------------------------


def test_a_watcher_keeps_them_apart(minds: TwoMinds, mem: Mem) -> None:
    """The watcher has all files in memory, and answers for whoever asks."""
    with start(minds.root) as watched:
        asked = ["recall", SECRET], ["prompt", SECRET], ["ask", "--evidence", SECRET, "--source", "memory"]
        for words in (words for words in asked if words[0] in COMMANDS):  # a feature may be missing
            hers = watched.answers(lambda words=words: mem(*words, "--agent", "ada"))
            his = watched.answers(lambda words=words: mem(*words, "--agent", "bob"))
            again = watched.answers(lambda words=words: mem(*words, "--agent", "ada"))
            assert MARK in his.out and MARK not in hers.out + again.out
        added = mem("add", f"The {SECRET} of the museum lies in {MARK} seven", "--agent", "ada")
        assert "agents/ada/" in added.out  # what another wrote is not a duplicate


def test_meaning_keeps_them_apart(minds: TwoMinds, tmp_path: Path) -> None:
    vault = opened(minds.root, index__model=str(build(tmp_path / "model")))
    catch_up(vault)
    (minds.root / "linked.md").unlink()  # the owner's own link, which shows it to the owner
    for agent, knows in (("ada", False), ("bob", True), ("", False)):
        found = recall(vault.seen_by(agent), Request(f"the {SECRET}", semantic=True, fill=True)).text
        assert (MARK in found) is knows


def test_a_file_changed_under_a_watcher_stays_its_agents(minds: TwoMinds) -> None:
    resident = Resident(minds.root)
    (minds.root / "agents/bob/new.md").write_text(f"- a second {SECRET}\n")
    resident.reread(["agents/bob/new.md"])
    for agent, knows in (("ada", False), ("bob", True)):
        vault = answering(resident, NOW).seen_by(agent)
        assert (f"second {SECRET}" in recall(vault, Request(SECRET)).text) is knows
        with_name = [line for line in vault.notices if "bob" in line]
        assert knows or not with_name


def test_a_file_that_is_left_out_is_told_to_none_but_its_agent(minds: TwoMinds) -> None:
    (minds.root / f"agents/bob/{SECRET}.md").write_bytes(b"- \xff\xfe\n" * 500_000)
    for agent, knows in (("ada", False), ("bob", True)):
        vault = opened(minds.root).seen_by(agent)
        recall(vault, Request("museum"))
        assert any(SECRET in line for line in vault.notices) is knows


@needs("ask")
def test_the_answer_to_a_question_left_for_later_is_for_who_asked(minds: TwoMinds, mem: Mem) -> None:
    for agent in ("bob", "ada"):
        assert mem("ask", SECRET, "--later", "--agent", agent).code == 0
    assert mem("work").code == 0
    assert MARK not in mem("ask", "--read", "--agent", "ada").out
    assert MARK in mem("ask", "--read", "--agent", "bob").out
    assert mem("ask", "--read").code != 0


@needs("learn")
def test_what_is_learnt_later_is_learnt_by_who_left_it(minds: TwoMinds, mem: Mem) -> None:
    talk = "user: We decided to use cold boxes for the prints\n"
    for agent in ("ada", "bob"):
        mem("learn", "-", "--later", "--agent", agent, stdin=talk)
    mem("work")
    for agent in ("ada", "bob"):
        assert "cold boxes" in mem("recall", "what do we use for the prints", "--agent", agent).out
    assert "cold boxes" not in mem("recall", "what do we use for the prints").out


# -- the rooms ---------------------------------------------------------------------------------------------------------


def views(root: Path) -> tuple[Vault, Vault, Vault]:
    vault = opened(root)
    return vault, vault.seen_by("ada"), vault.seen_by("bob")


def test_python_keeps_them_apart(minds: TwoMinds) -> None:
    vault = api.Vault.open(minds.root, lambda: NOW)
    assert MARK in vault.recall("museum", agent="bob").text and MARK not in vault.recall("museum", agent="ada").text
    assert vault.add("Prints like the dark", agent="ada").path.startswith("agents/ada/")


@needs("ask")
def test_a_search_keeps_them_apart(minds: TwoMinds) -> None:
    from memcli.features.ask import pipeline as deep

    (minds.root / "linked.md").unlink()
    owner, ada, bob = views(minds.root)
    for vault, knows in ((owner, False), (ada, False), (bob, True)):
        found = deep.ask(vault, deep.AskRequest("the plate of the museum", evidence=True)).items
        assert any(MARK in item.text for item in found) is knows


@needs("hook")
def test_a_hook_tells_an_agent_what_it_may_see(minds: TwoMinds) -> None:
    from memcli.features.hook import handler as hook

    typed = hook.Payload(prompt=f"where is our {SECRET}, the one of the museum?", session="s", cwd=str(minds.root))
    for agent, knows in (("ada", False), ("bob", True), ("", False)):
        if not agent:  # the owner may read what their own link leads to
            (minds.root / "linked.md").unlink()
        told = json.dumps(hook.handle(opened(minds.root).seen_by(agent), "prompt", typed))
        assert (MARK in told) is knows


@needs("serve")
@pytest.mark.slow
def test_a_client_sees_what_is_shared_and_its_own(minds: TwoMinds) -> None:
    from tests.features.serve.mcp.client import Client

    for name, knows in (("ada", False), ("bob", True)):
        with Client("--vault", str(minds.root), "mcp") as client:
            client.shake_hands(name=name)
            for place in (minds.names["id"], minds.names["place"], "^plate"):
                text, failed = client.call("show", place=place)
                assert (MARK in text, failed) == (knows, not knows)
            for tool, given in TOOLS.items():
                arguments = {key: minds.words(value)[0] for key, value in given.items()}
                assert not given or (MARK in client.call(tool, **arguments)[0]) is knows, tool


@needs("serve")
@pytest.mark.slow
def test_a_client_of_another_name_asks_as_it_is_told(minds: TwoMinds) -> None:
    from tests.features.serve.mcp.client import Client

    with Client("--vault", str(minds.root), "mcp", "--agent", "bob") as client:
        client.shake_hands(name="ada")
        assert MARK in client.says("recall", question=SECRET)


@needs("serve")
def test_a_token_of_an_agent_asks_as_that_agent(minds: TwoMinds) -> None:
    pytest.importorskip("starlette")
    from tests.features.serve.conftest import AGENT, served

    ways = [f"/v1/memories?words={SECRET}", "/v1/memories", f"/v1/memories/{minds.names['id']}", "/v1/sessions"]
    ways += [f"/v1/sessions/{minds.names['talk']}", "/v1/preferences", "/v1/preferences/plate", "/v1/labels/depot"]
    with served(minds.root) as client:  # the token is coder's, who has nothing
        told = [client.get(way, headers=client.as_(AGENT)).text for way in ways]
        asked = {"query": f"where is our {SECRET}"}
        told += [
            client.post(f"/v1/{door}", json=asked, headers=client.as_(AGENT)).text for door in ("recall", "prompt")
        ]
        assert MARK not in "".join(told)
        assert MARK in client.get("/v1/memories?agent=bob").text, "the owner may ask as bob"
        client.warm.close()


def test_one_agent_can_not_become_another(minds: TwoMinds) -> None:
    ada = opened(minds.root).seen_by("ada")
    with pytest.raises(MemError):
        ada.seen_by("bob")
    with pytest.raises(MemError):
        remember.add(ada, remember.Memory("a note", to=minds.names["absolute"]))
