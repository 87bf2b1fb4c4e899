"""What one does to memories at the keyboard: edit and open them, pick one, see what changed, take it back."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.terminal import at_terminal
from tests.cli.test_commands import LOG, Mem, editor, put, text
from tests.conftest import Ran

YESTERDAY = "logs/2026-11-20.md"


@pytest.fixture
def notes(folder: Path) -> Path:
    put(folder, YESTERDAY, "# 2026-11-20 Fri\n\n- 09:10 The kiln is booked\n- 10:00 Glaze is out of stock\n")
    put(folder, "MEMORY.md", "# Memory\n\n- Ana likes oolong\n")
    return folder


def arguments(tmp_path: Path, name: str) -> tuple[str, Path]:
    """An editor of this name, and the file into which it writes what it was started with."""
    told = tmp_path / "told"
    program = tmp_path / name
    program.write_text(f"#!{sys.executable}\nimport sys\nopen({str(told)!r}, 'w').write('\\n'.join(sys.argv[1:]))\n")
    program.chmod(0o755)
    return shlex.quote(str(program)), told


def id_of(mem: Mem, place: str) -> str:
    return str(json.loads(mem("show", place, "--json").out)["id"])


# -- edit ------------------------------------------------------------------------------------------------------------


def test_edit_says_the_new_id_and_the_old_one_still_finds_the_memory(mem: Mem, notes: Path, tmp_path: Path) -> None:
    old = id_of(mem, "MEMORY.md:3")
    first = editor(tmp_path, "path.write_text(path.read_text('utf-8').replace('oolong', 'sencha'), 'utf-8')")
    ran = mem("edit", old, EDITOR=first)
    new = id_of(mem, "MEMORY.md:3")
    assert (new != old, ran.out) == (True, f"MEMORY.md:3 changed; its id is {new} now\n")
    assert "sencha" in mem("show", old).out
    second = editor(tmp_path, "path.write_text(path.read_text('utf-8').replace('sencha', 'hojicha'), 'utf-8')")
    ran = mem("edit", old, "--json", EDITOR=second)
    assert json.loads(ran.out)["id"] == id_of(mem, "MEMORY.md:3")
    for known in (old, new):
        assert "hojicha" in mem("show", known).out
    assert mem("forget", old, "--yes").code == 0


def test_the_old_id_finds_the_memory_after_an_undo_and_another_edit(mem: Mem, notes: Path) -> None:
    old = id_of(mem, "MEMORY.md:3")
    for words in ("Lin drinks sencha", "Lin drinks hojicha"):
        assert mem("edit", old, "--text", words).code == 0
        shown = mem("show", old).out
        assert words in shown
        mem("undo")
    assert mem("edit", old, "--text", "Lin drinks milk").code == 0 and "milk" in mem("show", old).out


def test_settings_that_an_edit_breaks_are_told_and_can_be_mended(mem: Mem, notes: Path, tmp_path: Path) -> None:
    spoil = editor(tmp_path, "path.write_text('# mine\\nrecall:\\n  budget: lots\\n', 'utf-8')")
    ran = mem("edit", "mem.yaml", EDITOR=spoil)
    assert (ran.code, ran.out) == (0, "mem.yaml changed\n")
    assert "note: mem.yaml:3: recall.budget: 'lots' is not a whole number, 0 or more; mem edit mem.yaml" in ran.err
    ran = mem("recall", "tea")
    assert ran.code == 2 and "mem edit mem.yaml opens it" in ran.err
    ran = mem("undo")
    assert (ran.code, ran.err) == (0, "")
    mem("edit", "mem.yaml", EDITOR=spoil)
    mended = editor(tmp_path, "path.write_text('recall:\\n  budget: 900\\n', 'utf-8')")
    ran = mem("edit", "mem.yaml", EDITOR=mended)
    assert (ran.code, ran.out, ran.err) == (0, "mem.yaml changed\n", "")
    spoil = editor(tmp_path, "path.write_text('# mine\\n\\n- a\\n', 'utf-8')")
    assert "note: mem.yaml:3: expected 'key: value' lines" in mem("edit", "mem.yaml", EDITOR=spoil).err


def test_an_id_that_nothing_ever_had_finds_nothing(mem: Mem, notes: Path, tmp_path: Path) -> None:
    change = editor(tmp_path, "path.write_text('- something else', 'utf-8')")
    mem("edit", id_of(mem, "MEMORY.md:3"), EDITOR=change)
    ran = mem("show", "0000000")
    assert (ran.code, "there is no memory '0000000'" in ran.err) == (2, True)


def test_a_file_that_was_emptied_in_the_editor_is_put_back(mem: Mem, notes: Path, tmp_path: Path) -> None:
    before = text(notes, YESTERDAY)
    ran = mem("edit", "yesterday", EDITOR=editor(tmp_path, "path.write_text('\\n', 'utf-8')"))
    assert (ran.code, f"an empty text would delete {YESTERDAY}" in ran.err) == (2, True)
    assert text(notes, YESTERDAY) == before


def test_edit_takes_a_day_in_words_as_show_does(mem: Mem, notes: Path, tmp_path: Path) -> None:
    change = editor(tmp_path, "path.write_text(path.read_text('utf-8') + '- added\\n', 'utf-8')")
    assert mem("edit", "yesterday", EDITOR=change).out == f"{YESTERDAY} changed\n"
    assert mem("edit", "昨天", EDITOR=change).out == f"{YESTERDAY} changed\n"
    assert text(notes, YESTERDAY).count("- added\n") == 2
    ran = mem("edit", "last", "week", EDITOR=change)
    assert (ran.code, "each day has a log of its own" in ran.err) == (2, True)


# -- open and pick ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "told"),
    [("vi", "+4 FILE"), ("nano", "+4 FILE"), ("code", "--goto FILE:4"), ("hx", "FILE:4"), ("notepad", "FILE")],
)
def test_open_leads_each_editor_to_the_line(mem: Mem, notes: Path, tmp_path: Path, program: str, told: str) -> None:
    command, started = arguments(tmp_path, program)
    assert mem("open", f"{YESTERDAY}:4", EDITOR=command).out == f"{YESTERDAY} unchanged\n"
    assert started.read_text().replace("\n", " ") == told.replace("FILE", str(notes.resolve() / YESTERDAY))


def test_an_id_of_before_an_edit_opens_the_memory(mem: Mem, notes: Path, tmp_path: Path) -> None:
    old = id_of(mem, "MEMORY.md:3")
    mem("edit", old, "--text", "Ana likes sencha")
    command, started = arguments(tmp_path, "vi")
    assert mem("open", old, EDITOR=command).code == 0
    assert started.read_text().startswith("+3\n")


def test_a_text_given_to_a_memory_keeps_the_marks_that_it_lacks(mem: Mem, notes: Path) -> None:
    line = "- 09:30 no new car this year #car [type:: decision] [date:: 2026-11-02] ^car1\n"
    (notes / "cars.md").write_text(line, encoding="utf-8")
    mem("edit", "cars.md:1", "--text", "no new car next year")
    assert text(notes, "cars.md") == line.replace("this year", "next year")
    mem("edit", "cars.md:1", "--text", "10:00 a bike #bike [type:: fact]")
    assert text(notes, "cars.md") == "- 10:00 a bike #bike [type:: fact] [date:: 2026-11-02] ^car1\n"
    mem(
        "edit",
        "cars.md:1",
        "--text",
        "a bike",
        "--unchanged",
        json.loads(mem("show", "cars.md:1", "--json").out)["hash"],
    )
    assert text(notes, "cars.md") == "- a bike\n"  # somebody who names the hash saw them


def test_open_by_words_that_one_memory_holds_needs_no_picking(mem: Mem, notes: Path, tmp_path: Path) -> None:
    command, started = arguments(tmp_path, "vi")
    assert mem("open", "glaze", "stock", EDITOR=command).code == 0
    assert started.read_text().startswith("+4\n")
    assert mem("open", "MEMORY.md", EDITOR=command).code == 0
    assert started.read_text() == str(notes.resolve() / "MEMORY.md")
    assert "no memory has this id or these words: 'nothing'" in mem("open", "nothing", EDITOR=command).err


def test_what_was_typed_into_an_opened_file_is_journalled_and_can_be_undone(
    mem: Mem, notes: Path, tmp_path: Path
) -> None:
    before = text(notes, "MEMORY.md")
    script = "path = Path(sys.argv[-1])\npath.write_text(path.read_text('utf-8') + '- more\\n', 'utf-8')"
    assert mem("open", "oolong", EDITOR=editor(tmp_path, script)).out == "MEMORY.md changed\n"
    assert mem("undo").code == 0
    assert text(notes, "MEMORY.md") == before


def test_without_a_name_a_memory_is_picked_by_its_number(notes: Path, tmp_path: Path) -> None:
    command, started = arguments(tmp_path, "vi")
    at = {"cwd": notes, "MEM_VAULT": str(notes), "EDITOR": command}
    assert at_terminal("open", answers=("2",), **at).code == 0  # type: ignore[arg-type]
    assert started.read_text().startswith("+3\n")
    assert "Glaze" in at_terminal("show", answers=("1",), **at).out  # type: ignore[arg-type]
    ran = at_terminal("show", answers=("",), **at)  # type: ignore[arg-type]
    assert (ran.code, "nothing was picked" in ran.out) == (2, True)


@pytest.mark.parametrize("command", ["show", "open", "forget"])
def test_where_nobody_can_pick_it_is_asked_for_an_id(mem: Mem, notes: Path, command: str) -> None:
    ran = mem(command)
    assert (ran.code, ran.out, "give its id" in ran.err) == (2, "", True)


# -- what changed ----------------------------------------------------------------------------------------------------


def test_two_writes_of_two_commands_are_taken_back_one_by_one(mem: Mem, folder: Path) -> None:
    mem("add", "tea")
    mem("add", "coffee")
    mem("undo")
    assert "tea" in text(folder) and "coffee" not in text(folder)


def test_log_shows_words_of_what_changed(mem: Mem, repository: Path) -> None:
    mem("add", "The kiln is booked")
    mem("add", "Glaze is out")
    mem("forget", f"{LOG}:3", "--yes")
    lines = mem("log").lines
    assert "The kiln is booked" in lines[0] and "Glaze is out" in lines[1] and "The kiln is booked" in lines[2]
    assert [step["words"] for step in json.loads(mem("log", LOG, "--json").out)["changes"]][1] == "14:30 Glaze is out"


def test_log_shows_the_new_words_and_not_those_they_replace(mem: Mem, repository: Path) -> None:
    old = json.loads(mem("add", "The price is 30", "--date", "2026-11-20", "--json").out)["id"]
    mem("add", "The price is 35 now", "--replaces", old)
    assert "The price is 35 now" in mem("log", "-n", "1").out
    mem("undo")
    assert "The price is 35 now" in mem("log", "-n", "1").out


# -- settings --------------------------------------------------------------------------------------------------------


def test_config_unset_gives_a_setting_its_default_back_and_leaves_the_rest(mem: Mem, folder: Path) -> None:
    put(folder, "mem.yaml", "# mine\nrecall:\n  budget: 800 # small\n  preset: classic\nwrite: {commit: false}\n")
    ran = mem("config", "unset", "recall.budget")
    assert (ran.code, ran.out) == (0, "recall.budget = 1000 (default)\n")
    assert text(folder, "mem.yaml") == "# mine\nrecall:\n  preset: classic\nwrite: {commit: false}\n"
    mem("config", "set", "recall.budget", "600", "--user")
    mem("config", "set", "recall.budget", "500")
    assert mem("config", "unset", "recall.budget").out.startswith("recall.budget = 600 (")
    assert json.loads(mem("config", "unset", "recall.budget", "--user", "--json").out)["value"] == 1000
    assert "recall.budget" in mem("config", "unset", "recall.bugdet").err


def test_an_unknown_setting_is_a_remark_of_doctor_and_can_be_removed(mem: Mem, folder: Path) -> None:
    (folder / "mem.yaml").write_text("recall:\n  bugdet: 800\n  budget: 700\n", encoding="utf-8")
    ran = mem("doctor")
    assert ran.code == 0 and "· settings: mem.yaml:2: unknown setting 'recall.bugdet'" in ran.out
    assert mem("config", "unset", "recall.bugdet").out == f"recall.bugdet is no longer set in {folder / 'mem.yaml'}\n"
    assert (folder / "mem.yaml").read_text(encoding="utf-8") == "recall:\n  budget: 700\n"


def test_config_repairs_a_wrong_value_and_names_the_one_that_is_left(mem: Mem, folder: Path) -> None:
    file = folder / "mem.yaml"
    file.write_text("recall:\n  budget: lots\n  bugdet: 3\n  mmr: 7\n", encoding="utf-8")
    assert mem("list").code == 2
    for words, left in (
        (("set", "recall.budget", "500"), "recall:\n  budget: 500\n  bugdet: 3\n  mmr: 7\n"),
        (("unset", "recall.bugdet"), "recall:\n  budget: 500\n  mmr: 7\n"),
    ):
        ran = mem("config", *words)
        assert ran.code == 0 and "recall.mmr: 7 is not a number from 0 to 1" in ran.err
        assert file.read_text(encoding="utf-8") == left
    assert mem("config", "unset", "recall.mmr").out == "recall.mmr = 0.7 (default)\n"
    assert mem("list").code == 0


def test_settings_for_all_vaults_need_no_vault(mem: Mem, tmp_path: Path) -> None:
    def config(*words: str) -> Ran:
        return mem("config", *words, "--user", cwd=tmp_path, MEM_VAULT="")

    assert config("set", "recall.mmr", "0.6").code == 0
    assert config("get", "recall.mmr").out == "0.6\n"
    listed = {each["name"]: each["value"] for each in json.loads(config("list", "--json").out)["settings"]}
    assert listed["recall.mmr"] == 0.6
    assert config("unset", "recall.mmr").out == "recall.mmr = 0.7 (default)\n"


def test_a_word_means_the_beginning_of_one_there(mem: Mem, folder: Path) -> None:
    put(folder, YESTERDAY, "# 2026-11-20 Fri\n\n- 09:10 Pick up the parents\n- [ ] 10:00 Buy steak\n")
    assert (mem("forget", "rent", "--yes").code, mem("done", "tea").code) == (2, 2)
    assert mem("done", "stea").code == mem("forget", "parent", "--yes").code == 0


def test_done_offers_no_memory_for_a_small_word(mem: Mem) -> None:
    mem("add", "Isla and me at the Airlie Arms, nothing like this haddock")
    assert "Isla" not in mem("done", "nothing", "like", "this").err
    assert "Isla" in mem("done", "airlie", "haddock").err


def test_a_day_in_figures_is_shown_where_only_one_of_its_two_readings_has_notes(mem: Mem, folder: Path) -> None:
    put(folder, "logs/2026-11-05.md", "- 10:00 Sowed the broad beans\n")
    assert all("broad beans" in mem("show", day).out for day in ("5/11", "11/5"))
    unclear = mem("show", "1/2")
    assert unclear.code == 2 and "'1/2' may mean 2026-01-02 or 2026-02-01" in unclear.err
    assert mem("list", "1/2").code == 0


def test_done_without_words_lists_the_next_deadline_first(mem: Mem, folder: Path) -> None:
    tasks = "- [ ] 10:00 Call Ines\n- [ ] 10:10 Order oil by 2 December\n- [ ] 10:20 Pay Tom (2026-11-24)\n"
    put(folder, YESTERDAY, f"# 2026-11-20 Fri\n\n{tasks}")
    assert re.findall("Tom|oil|Ines", mem("done").out) == ["Tom", "oil", "Ines"]


def test_done_without_words_lists_what_is_open_however_old(mem: Mem, folder: Path) -> None:
    assert (mem("done").code, mem("done").err) == (0, "no task is open\n")
    put(folder, YESTERDAY, "# 2026-11-20 Fri\n\n- [ ] 10:00 Buy steak\n" + "- [x] 11:00 Ring Sioned again\n" * 30)
    ran = mem("done")
    assert ran.code == 0 and "Buy steak" in ran.out and "Sioned" not in ran.out + ran.err


def test_words_without_accents_find_those_with_them(mem: Mem) -> None:
    mem("add", "todo: send the offer to Ruairí and Siobhán")
    assert "Ruairí" in mem("list", "ruairi", "Siobhan").out
    assert mem("list", "ruai", "niamh").out == "" and mem("list", "Ruairí").out != ""
    assert mem("done", "siobhan").code == 0


@pytest.mark.parametrize("words", ["消防回执", "宏运的依维柯", "年审报告"])
def test_a_chinese_word_is_found_in_parts_where_no_memory_has_it_whole(mem: Mem, words: str) -> None:
    for noted in ("灭火器整改回执交消防", "宏运来了三台依维柯", "报告：今年不审了", "年审过了", "年审的报告交上去"):
        mem("add", f"待办：{noted}")
    assert len(mem("list", words).out.splitlines()) == 1 and mem("done", words).code == 0
    mem("add", f"{words}贴在前台的墙上")
    assert len(mem("list", words).out.splitlines()) == 1 and f"{words}贴在前台" in mem("list", words).out
    assert mem("list", "执回").out == mem("list", "防执").out == ""


def test_done_takes_several_ids_and_undo_opens_them_together(mem: Mem, folder: Path) -> None:
    ids = [json.loads(mem("add", f"todo: {text}", "--json").out)["id"] for text in ("ring the vet", "buy hay")]
    assert mem("done", *ids, "0000000").code != 0
    ran = mem("done", *ids, "--json")
    assert [one["task"] for one in json.loads(ran.out)["done"]] == ["done", "done"]
    mem("undo")
    assert "ring the vet" in mem("done").out and "buy hay" in mem("done").out


def test_the_time_and_the_dates_of_a_memory_are_no_words_of_it(mem: Mem) -> None:
    mem("add", "call Sioned about the van by Friday", "--type", "task")
    for name in ("11", "2026", "20"):
        assert (mem("done", name).code, mem("forget", name, "--yes").code) == (2, 2), name
    assert mem("done", "call").code == 0


def test_an_open_task_that_was_replaced_is_open_no_longer_and_what_replaces_it_is_told_to_be_none(mem: Mem) -> None:
    old = json.loads(mem("add", "send Gwen the abstract by Tuesday", "--type", "task", "--json").out)["id"]
    ran = mem("add", "Gwen wants the abstract by Wednesday instead", "--replaces", old)
    assert f"{old} was an open task, and this is none" in ran.err
    assert mem("done", "abstract").code == 2
    told = mem("add", "Gwen wants the abstract by Thursday", "--replaces", ran.out.split()[0], "--type", "task")
    assert "none" not in told.err and mem("done", "abstract").code == 0


def test_what_is_no_memory_is_named_with_the_command_for_it_but_the_profile_to_nobody_else(
    mem: Mem, folder: Path
) -> None:
    put(folder, "USER.md", "---\nmaiden_name: Brandt\n---\n")
    put(folder, "preferences.yaml", "- {key: cilantro, value: never}\n")
    assert "it is a preference: mem prefer unset cilantro" in mem("forget", "cilantro").err
    assert "it stands in the profile: mem profile unset maiden_name" in mem("forget", "maiden_name").err
    assert "profile" not in mem("forget", "maiden_name", "--agent", "rex").err
    put(folder, "preferences.yaml", "- [broken\n")
    assert "there is no memory 'maiden_name'" in mem("forget", "maiden_name").err


def test_what_an_editor_saves_before_it_fails_goes_through_the_gates(mem: Mem, notes: Path, tmp_path: Path) -> None:
    before = (notes / "MEMORY.md").read_text("utf-8")
    untouched = mem("edit", "MEMORY.md", EDITOR=editor(tmp_path, "sys.exit(1)"))
    assert untouched.code == 2 and "nothing was taken over" in untouched.err
    secret = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    for line in ("- tea at nine", f"- token {secret}"):
        failing = f"path.write_text(path.read_text('utf-8') + '{line}\\n', 'utf-8'); sys.exit(1)"
        mem("edit", "MEMORY.md", EDITOR=editor(tmp_path, failing))
    after = (notes / "MEMORY.md").read_text("utf-8")
    assert after.startswith(before) and "tea at nine" in after and secret not in after


def test_a_text_that_is_not_kept_is_refused_once(mem: Mem, notes: Path, tmp_path: Path) -> None:
    secret = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    ran = mem(
        "edit",
        "MEMORY.md",
        EDITOR=editor(tmp_path, f"path.write_text('- token {secret}\\n', 'utf-8')"),
        MEM_GATES_API_KEY="refuse",
    )
    assert "not kept: not kept" not in ran.err


@pytest.mark.parametrize("reloads", [True, False])
@pytest.mark.parametrize("there", [True, False])
def test_what_mem_writes_while_the_editor_is_open_stays_whatever_the_editor_saves(
    mem: Mem, notes: Path, tmp_path: Path, reloads: bool, there: bool
) -> None:
    path = "logs/2026-11-21.md"
    if there:
        mem("add", "The mill by the river is old")
    written = f"{sys.executable} -m memcli --vault {notes} add 'Booked the night train to Vienna'"
    mine = "before = path.read_text('utf-8') if path.exists() else ''\n"
    add = f"import subprocess; subprocess.run({written!r}, shell=True, check=True)\n"
    typed = "path.write_text({} + '- {}\\n', 'utf-8')\n"
    source = "path.read_text('utf-8')" if reloads else "before"

    def text() -> str:
        return (notes / path).read_text("utf-8")

    secret = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    refused = mem("edit", path, EDITOR=editor(tmp_path, mine + add + typed.format(source, f"token {secret}")))
    assert refused.code == 4 and secret not in text() and text().count("night train") == 1
    mem("undo")
    assert mem("edit", path, EDITOR=editor(tmp_path, mine + add + typed.format(source, "typed by hand"))).code == 0
    assert text().count("night train") == text().count("typed by hand") == 1
    assert text().count("mill by the river") == there
    mem("undo")
    assert "typed by hand" not in text() and "night train" in text()


@pytest.mark.parametrize("text", ["", "  ", "-"])
def test_an_empty_text_deletes_no_memory(mem: Mem, notes: Path, text: str) -> None:
    mem("add", "The mill by the river is old")
    refused = mem("edit", "logs/2026-11-21.md:3", "--text", text, stdin="")
    assert refused.code == 2 and "would delete the memory" in refused.err
    assert "The mill by the river" in (notes / "logs/2026-11-21.md").read_text("utf-8")


def test_words_mean_a_memory_also_where_json_is_wanted(mem: Mem, folder: Path) -> None:
    mem("add", "todo: pay the credit card")
    mem("add", "the wedding is in May")
    assert json.loads(mem("done", "credit", "card", "--json").out)["task"] == "done"
    (gone,) = json.loads(mem("forget", "wedding", "--yes", "--json").out)["archived"]
    assert gone["text"] == "14:30 the wedding is in May"


def test_an_id_in_the_fields_of_another_memory_is_no_word_of_it(mem: Mem, folder: Path) -> None:
    put(folder, "list.md", "- the old price [superseded:: 1234abc]\n")
    assert mem("forget", "1234abc", "--yes").code == 2 and not (folder / "archive").exists()


def test_what_was_forgotten_together_comes_back_together(mem: Mem, folder: Path) -> None:
    ids = [mem("add", words, "--to", "list", "--json").out for words in ("tea is green", "rent is due", "the cat eats")]
    before = (folder / "list.md").read_text(encoding="utf-8")
    assert mem("forget", *(json.loads(each)["id"] for each in ids[:2]), "--yes").code == 0
    assert mem("undo").out.startswith("undid `forget`")
    assert (folder / "list.md").read_text(encoding="utf-8") == before
    assert not (folder / "archive/list.md").exists()


def test_a_day_without_a_year_is_the_nearest_one(mem: Mem) -> None:
    for said, day in (
        ("24 dec", "2026-12-24"),
        ("1-15", "2027-01-15"),
        ("11-16", "2026-11-16"),
        ("11.17", "2026-11-17"),
        ("18.11.", "2026-11-18"),
        ("5.1.", "2027-01-05"),
        ("friday", "2026-11-20"),
    ):
        assert mem("add", f"Dinner with the whole family, {said}", "--date", said).out.endswith(f"logs/{day}.md:3\n"), (
            said
        )
    assert mem("add", "Dinner with Ulrike", "--date", "24 dec 2025").out.endswith("logs/2025-12-24.md:3\n")
    assert mem("add", "Supper with Tomas", "--date", "20 nov 25").out.endswith("logs/2025-11-20.md:3\n")


def test_a_budget_too_small_for_what_was_found_is_told(mem: Mem) -> None:
    mem("add", "The kitchen renovation offer from the firm in the old brewery includes tiles")
    ran = mem("recall", "-b", "20", "kitchen tiles")
    assert "tiles" not in ran.out and ran.err == "the budget is too small for any of the memories found\n"
    assert mem("recall", "-b", "200", "kitchen tiles").err == ""


def test_a_file_is_no_place_for_a_vault(mem: Mem, folder: Path) -> None:
    (folder / "list.md").write_text("- tea\n", encoding="utf-8")
    ran = mem("--vault", str(folder / "list.md"), "list")
    assert ran.code == 3 and "is not a folder" in ran.err and "mem init" not in ran.err


def test_log_shows_all_changes_with_0(mem: Mem) -> None:
    mem("add", "tea is in the blue tin")
    mem("add", "coffee is in the red tin")
    assert [len(mem("log", "-n", number).lines) for number in ("0", "1")] == [2, 1]


@pytest.mark.parametrize(
    ("said", "day", "place", "text"),
    [
        ("昨天给老王转了 360", "昨天", "logs/2026-11-20.md", "- 2026-11-20 给老王转了 360"),
        ("明天的事先记着", "明天", "logs/2026-11-22.md", "- 明天（2026-11-22）的事先记着"),
        ("paid Stu yesterday", "2026-11-10", "logs/2026-11-10.md", "- paid Stu yesterday (2026-11-09)"),
        ("前天买的牛奶坏了", "", "logs/2026-11-21.md", "前天（2026-11-19）买的牛奶坏了"),
    ],
)
def test_a_day_in_the_text_and_the_same_in_date_count_from_today(
    mem: Mem, folder: Path, said: str, day: str, place: str, text: str
) -> None:
    mem("add", said, *(("--date", day) if day else ()))
    assert text in (folder / place).read_text()


def test_a_time_that_does_not_fit_into_the_budget_is_told(mem: Mem, folder: Path) -> None:
    put(
        folder,
        YESTERDAY,
        "# 2026-11-20 Fri\n\n" + "".join(f"- 09:{at} met guest number {at}\n" for at in range(10, 60)),
    )
    assert "more of that time did not fit" in mem("recall", "yesterday", "--budget", "300").err
    assert "did not fit" not in mem("recall", "which guest did I meet", "--budget", "300").err


def test_new_words_of_a_memory_are_read_as_those_of_a_new_one(mem: Mem, folder: Path) -> None:
    name = json.loads(mem("add", "ring Howarths tomorrow", "--json").out)["id"]
    shown = json.loads(mem("edit", name, "--text", "- [ ] ring Howarths and Laver tomorrow", "--json").out)
    line = text(folder, LOG).splitlines()[-1]
    assert re.fullmatch(r"- \[ \] \d\d:\d\d ring Howarths and Laver tomorrow \(2026-11-22\)", line), line
    undated = json.loads(mem("edit", shown["id"], "--text", "ring Howarths and Laver tomorrow", "--json").out)
    assert text(folder, LOG).splitlines()[-1].endswith("ring Howarths and Laver tomorrow")
    assert mem("edit", undated["id"], "--text", "[ ] ring Laver").code == 0 and mem("done", "Laver").code == 0


def test_today_and_a_number_are_said_as_elsewhere(mem: Mem) -> None:
    for word in ("lemon", "ginger"):
        mem("add", f"the {word} tea is in the cupboard")
    assert mem("today").out == mem("show", "today").out and "lemon" in mem("today").out
    assert mem("recall", "tea", "-n", "1").out == mem("recall", "tea", "-k", "1").out


def test_done_without_words_says_when_more_is_open_than_it_shows(mem: Mem, folder: Path) -> None:
    tasks = [f"- [ ] 10:{minute} Call number {minute}\n" for minute in range(10, 31)]
    put(folder, YESTERDAY, "# 2026-11-20 Fri\n\n" + "".join(tasks[:20]))
    assert (mem("done").out.count("Call number"), mem("done").err) == (20, "")
    put(folder, YESTERDAY, "# 2026-11-20 Fri\n\n" + "".join(tasks))
    ran = mem("done")
    assert ran.out.count("Call number") == 20
    assert ran.err == "there are more; mem list --type task -n 0 shows all\n"
