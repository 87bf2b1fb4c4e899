"""`mem work`, `mem audit`, `mem tidy` as processes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.remember.conflicts import change_queue
from memcli.vault import queue
from memcli.vault.vault import Vault
from tests.cli.terminal import at_terminal
from tests.conftest import Ran, inside, opened
from tests.features import needs

mem = inside  # in this process: what is tested here is what the commands do


def test_an_empty_queue_is_no_failure(mem: Callable[..., Ran]) -> None:
    ran = mem("work")
    assert (ran.code, ran.out) == (0, "0 done, 0 failed, 0 waiting\n")
    assert json.loads(mem("work", "--json").out)["waiting"] == []


def test_what_waits_is_shown_in_work_status_and_doctor_and_can_be_dropped(
    vault: Vault, mem: Callable[..., Ran]
) -> None:
    queue.queue_job(vault, "dream", "tonight", {"secret": "words"})
    assert mem("work", "--dry-run").lines == ["dream  tonight  2026-11-21 14:30"]
    (shown,) = json.loads(mem("work", "--dry-run", "--json").out)["waiting"]
    assert shown["id"] == "tonight"
    assert "payload" not in shown
    assert "1 waiting" in mem("status").out
    assert "queue: 1 job(s) wait, since 2026-11-21T14:30" in mem("doctor").out
    assert mem("work", "--drop", "tomorrow").code == 2
    assert mem("work", "--drop", "tonight").code == 0
    assert "queue" not in mem("status").out


def test_the_audit_tells_who_did_what(mem: Callable[..., Ran]) -> None:
    mem("add", "tea", MEM_ACTOR="bot")
    mem("add", "coffee", "--to", "list", MEM_NOW="2026-11-22T09:00")
    first, second = mem("audit").lines
    assert first.split()[:4] == ["2026-11-22", "09:00", "lin", "add"]
    assert second.split()[2:4] == ["bot", "add"]
    assert second.endswith("logs/2026-11-21.md")
    assert len(mem("audit", "--since", "2026-11-22").lines) == 1
    (one,) = json.loads(mem("audit", "--id", second.split()[4], "--json").out)["writes"]
    assert one["paths"] == ["logs/2026-11-21.md"]
    assert json.loads(mem("audit", "--id", "ffff", "--json").out)["writes"] == []


def test_the_audit_of_a_memory_has_nothing_of_what_waits_for_review(mem: Callable[..., Ran], vault: Vault) -> None:
    id = mem("add", "tea").out.split()[0]
    change_queue.ask_later(vault, "event", "the boiler was serviced")
    with (vault.root / "journal/audit.jsonl").open("a", encoding="utf-8") as audit:  # as it was written before
        audit.write(
            '{"at":"2026-11-21T14:31:00","by":"me","action":"contest","ids":[""],"paths":["journal/changes.jsonl"]}\n'
        )
    assert [one["action"] for one in json.loads(mem("audit", "--id", id, "--json").out)["writes"]] == ["add"]


def test_tidy_shows_first_and_archives_when_told(vault: Vault, mem: Callable[..., Ran]) -> None:
    place = vault.root / "snapshots" / "a.md"
    place.parent.mkdir()
    place.write_text("---\nexpires: 2026-11-01\n---\ntea\n", encoding="utf-8")
    shown = mem("tidy")
    assert shown.out == "snapshot  2026-11-01  snapshots/a.md  → archive/snapshots/a.md\n"
    assert "--yes archives" in shown.err
    assert json.loads(mem("tidy", "--json").out)["archived"] is False
    assert json.loads(mem("tidy", "--json", "--yes", "--dry-run").out)["archived"] is False
    assert place.exists()
    assert json.loads(mem("tidy", "--json", "--yes").out)["archived"] is True
    assert not place.exists()
    assert "nothing is out of date" in mem("tidy", "--yes").err
    assert mem("undo").out == "undid `tidy`: archive/snapshots/a.md, snapshots/a.md\n"
    assert place.exists()


OFFICE = "- Office: Berlin [date:: 2026-10-01]\n- else\n- Office: Hamburg [date:: 2026-11-01]\n- [ ] paint it [date:: 2026-09-01]\n"


def test_review_over_a_pipe(vault: Vault, mem: Callable[..., Ran]) -> None:
    (vault.root / "MEMORY.md").write_text(OFFICE, encoding="utf-8")
    assert "these disagree: which holds?" in mem("review").out
    conflict, task = json.loads(mem("review", "--json").out)["doubts"]
    assert conflict["choices"] == ["1", "2", "keep", "archive", "edit", "skip"]
    assert [each["line"] for each in conflict["memories"]] == [1, 3]
    answers = json.dumps(
        [{"id": conflict["id"], "answer": "2"}, {"id": "beef", "answer": "keep"}, {**task, "answer": "fly"}]
    )
    ran = mem("review", "--apply", "-", stdin=answers)
    said = f"{conflict['id']} Office: Hamburg — holds; Office: Berlin — is marked as superseded"
    assert (ran.code, ran.lines) == (1, [said, "1 settled"])
    assert "no question has the id 'beef'" in ran.err
    assert "'fly' is not an answer" in ran.err
    left = json.loads(mem("review", "--json").out)
    assert [each["kind"] for each in left["doubts"]] == ["task"]
    left["doubts"][0]["answer"] = "done"
    (vault.root / "answers.json").write_text(json.dumps(left), encoding="utf-8")
    assert json.loads(mem("review", "--apply", "answers.json", "--json").out)["answers"][0]["error"] is None
    assert "nothing to decide" in mem("review").err
    assert mem("review", "--apply", "-", stdin="[1]").code == 2
    assert mem("review", "--apply", "gone.json").code == 2


@pytest.mark.slow
def test_review_at_a_terminal_takes_one_key_each(vault: Vault) -> None:
    (vault.root / "MEMORY.md").write_text(OFFICE, encoding="utf-8")
    ran = at_terminal("review", answers=("x1", "d"), cwd=vault.root, MEM_VAULT=str(vault.root))
    assert ran.code == 0
    assert "Office: Berlin — holds; Office: Hamburg — is marked as superseded" in ran.out + ran.err
    text = (vault.root / "MEMORY.md").read_text(encoding="utf-8").splitlines()
    assert "[superseded:: " in text[2]
    assert text[3].startswith("- [x] paint it")


@pytest.mark.slow
def test_review_edits_with_the_editor_and_can_be_left(vault: Vault) -> None:
    (vault.root / "MEMORY.md").write_text(OFFICE, encoding="utf-8")
    ran = at_terminal(
        "review", answers=("e", "q"), cwd=vault.root, MEM_VAULT=str(vault.root), EDITOR="sed -i s/Hamburg/Bremen/"
    )
    assert ran.code == 0
    assert "Office: Bremen" in (vault.root / "MEMORY.md").read_text(encoding="utf-8")


def test_work_brings_an_index_in_line_and_makes_none(vault: Vault, mem: Callable[..., Ran]) -> None:
    (vault.root / "MEMORY.md").write_text(OFFICE, encoding="utf-8")
    assert json.loads(mem("work", "--json").out)["index"] is None
    mem("index")
    assert mem("work").out == "0 done, 0 failed, 0 waiting\n"
    mem("add", "tea at four in the garden")
    assert mem("work").lines[1] == "index: 1 changed, 0 removed"


@pytest.mark.slow
def test_what_was_just_settled_is_not_asked_again(vault: Vault, mem: Callable[..., Ran]) -> None:
    for value, source in (("window", "inferred"), ("aisle", "inferred"), ("middle", "explicit")):
        mem("prefer", "set", "seat", value, "--source", source)
    ran = at_terminal("review", answers=("2",), cwd=vault.root, MEM_VAULT=str(vault.root))
    assert "1 more depended on these answers" in ran.out
    assert "in the meantime" not in ran.out


BROKEN = {"labels.yaml": "a: [b\n", "preferences.yaml": "a: [b\n", "USER.md": "---\na: [b\n---\n"}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_of_yaml_stops_no_review(inside: Callable[..., Ran], folder: Path, name: str) -> None:
    (folder / "MEMORY.md").write_text("- The build runs on Jenkins\n- The build runs on Jenkins!\n", encoding="utf-8")
    for kind, key in (("profile", "city"), ("label", "home"), ("preference", "tea")):
        change_queue.queue_change(opened(folder), change_queue.PendingChange(kind, key, "", "Rome", day="2026-11-21"))
    (folder / name).write_text(BROKEN[name], encoding="utf-8")
    ran = inside("review", "--json")
    kinds = [each["kind"] for each in json.loads(ran.out)["doubts"]]
    assert (ran.code, kinds.count("heard"), kinds.count("duplicate")) == (0, 2, 1)
    assert ran.err.count("broken YAML") == 1


@needs("move")
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_of_yaml_stops_no_export(inside: Callable[..., Ran], folder: Path, name: str) -> None:
    (folder / "MEMORY.md").write_text("- The build runs on Jenkins\n", encoding="utf-8")
    (folder / name).write_text(BROKEN[name], encoding="utf-8")
    ran = inside("export", "--to", "csv")
    assert (ran.code, "Jenkins" in ran.out, ran.err.count("broken YAML")) == (0, True, 1)


@needs("learn")
@pytest.mark.parametrize(
    ("name", "words"), [("labels.yaml", "Dr. Weber"), ("preferences.yaml", "green tea"), ("USER.md", "Leipzig")]
)
def test_a_broken_file_of_yaml_costs_learn_only_what_belongs_into_it(
    inside: Callable[..., Ran], folder: Path, name: str, words: str
) -> None:
    said = "I live in Leipzig now", "I prefer green tea over coffee", "my dentist is Dr. Weber, 5 Main Street"
    (folder / name).write_text(BROKEN[name], encoding="utf-8")
    ran = inside(
        "learn", "-", "--yes", stdin="".join(f"User: {each}.\n" for each in (*said, "we decided to use Postgres"))
    )
    kept = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file())
    there = [each for each in ("Leipzig", "green tea", "Postgres") if each in kept]
    assert (ran.code, there) == (0, [each for each in ("Leipzig", "green tea", "Postgres") if each != words])
