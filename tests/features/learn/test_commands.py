"""`mem learn` at the command line, and what `mem add` finds by its rules."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from memcli.vault import preferences
from memcli.vault.vault import Vault
from tests.cli.terminal import at_terminal
from tests.cli.test_commands import Mem, put, text


def test_undo_takes_back_all_that_one_learn_kept(mem: Mem, folder: Path, tmp_path: Path) -> None:
    put(folder, "USER.md", "---\nname:\n---\n")
    put(folder, "MEMORY.md", "# Memory\n\n- Ana likes oolong\n")
    before = {path: text(folder, path) for path in ("USER.md", "MEMORY.md")}
    talk = tmp_path / "talk.txt"
    talk.write_text(
        "user: My name is Lin. I live in Hamburg. We decided to use Redis for the cache.\n", encoding="utf-8"
    )
    assert "3 of 3 kept" in mem("learn", str(talk), "--yes").err
    assert mem("undo").out == "undid `learn`: MEMORY.md, USER.md  We decided to use Redis for the cache\n"
    assert {path: text(folder, path) for path in before} == before
    assert "no write left" in mem("undo").err


def test_a_learn_that_was_changed_since_is_taken_back_whole_or_not_at_all(
    mem: Mem, folder: Path, tmp_path: Path
) -> None:
    put(folder, "USER.md", "---\nname:\n---\n")
    talk = tmp_path / "talk.txt"
    talk.write_text("user: My name is Lin. I am allergic to nuts.\n", encoding="utf-8")
    assert mem("learn", str(talk), "--yes").code == 0
    put(folder, "USER.md", text(folder, "USER.md").replace("name: Lin", "name: Lin Zhou"))
    before = {path: text(folder, path) for path in ("USER.md", "MEMORY.md")}
    assert mem("undo").code == 4
    assert {path: text(folder, path) for path in before} == before


def test_at_a_terminal_it_asks_before_something_takes_the_place_of_what_is_known(vault: Vault) -> None:
    (vault.root / "USER.md").write_text("---\ncity: Berlin\n---\n", encoding="utf-8")
    (vault.root / "talk.txt").write_text("I have a cat called Tom.\nI live in Leipzig.\n", encoding="utf-8")
    ran = at_terminal("learn", "talk.txt", answers=("a", "y"), cwd=vault.root, MEM_VAULT=str(vault.root))
    assert '"city: Leipzig", no longer "Berlin"' in ran.out + ran.err
    text = (vault.root / "USER.md").read_text(encoding="utf-8")
    assert text == "---\ncity: Leipzig\ncity_before: [Berlin until 2026-11]\n---\n"


def test_all_the_rest_includes_what_is_unsure_and_what_holds_once(folder: Path) -> None:
    said = "我：我老婆叫李蔓\n我：我好像有点乳糖不耐受\n我：今天先走内环吧\n"
    (folder / "talk.txt").write_text(said, encoding="utf-8")
    ran = at_terminal("learn", "talk.txt", answers=("a",), cwd=folder, MEM_VAULT=str(folder))
    assert "left out: too uncertain" in ran.out and "left out: holds for one" in ran.out
    assert "3 of 3 kept" in ran.out and "mem review" not in ran.out


def test_it_asks_in_chinese(folder: Path) -> None:
    (folder / "state.yaml").write_text("language: 中文\n", encoding="utf-8")
    (folder / "talk.txt").write_text("用户：我叫陈默，我住在苏州\n", encoding="utf-8")
    ran = at_terminal("--vault", str(folder), "learn", "talk.txt", answers=("n", "n", "n"), cwd=folder)
    assert "记下这条资料吗：“name: 陈默”（y 记 / " in ran.out


def test_add_says_what_the_profile_and_the_labels_say_otherwise(vault: Vault, mem: Mem) -> None:
    mem("profile", "set", "city", "Berlin")
    mem("label", "set", "wife", "Ingrid")
    told = mem("add", "I now live in Leipzig")
    assert (told.code, told.err) == (0, "against: USER.md says city: Berlin; mem review asks which holds\n")
    told = mem("add", "My wife is called Eva", "--json")
    assert json.loads(told.out)["against"] == "labels.yaml says wife: Ingrid"
    assert mem("profile", "get", "city").out == "Berlin\n"
    asked = mem("review").out
    assert "city: Leipzig" in asked and "wife: Eva" in asked
    for said in ("I live in Berlin", "She lives in Leipzig", "Do I live in Leipzig?", "Remember the day in Leipzig"):
        assert "against" not in mem("add", said, "--force").err


def test_the_rules_of_learning_are_read_only_where_something_could_be_otherwise(vault: Vault, mem: Mem) -> None:
    def code() -> int:
        script = (
            f"import sys\nfrom memcli.__main__ import main\nsys.argv[1:] = ['--vault', {str(vault.root)!r}, 'add', "
            "'I now live in Leipzig', '--force']\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
            "sys.exit(7 * ('memcli.features.learn.find' in sys.modules))"
        )
        return subprocess.run([sys.executable, "-c", script], capture_output=True).returncode

    assert code() == 0
    mem("profile", "set", "city", "Berlin")
    assert code() == 7


def test_a_new_preference_names_the_one_that_shares_a_word_of_its_key(vault: Vault, mem: Mem) -> None:
    assert not mem("prefer", "I prefer window seats on trains").err
    told = mem("prefer", "I prefer aisle seats").err
    assert told == (
        "note: does 'I prefer window seats on trains' still hold as well? If not: mem prefer unset window_seats_trains\n"
    )
    assert not mem("prefer", "I like green tea").err


def test_preferences_of_other_things_are_not_asked_about(mem: Mem) -> None:
    for words in ("I prefer window seats on trains", "I prefer aisle seats on planes", "I like my meetings short"):
        assert not mem("prefer", words).err
    assert not mem("prefer", "short answers please, no emojis").err
    assert "does 'I like my meetings short' still hold" in mem("prefer", "I like long meetings").err


def test_a_word_of_a_later_sentence_does_not_make_the_category(mem: Mem, vault: Vault) -> None:
    words = "no more than one pint on school nights. writing it down makes it law"
    mem("add", words, "--type", "preference")
    mem("add", "I prefer tabs in Python code. I write so over lunch", "--type", "preference")
    kept = (vault.root / "preferences.yaml").read_text("utf-8")
    assert "category: writing" not in kept and "category: code" in kept
    assert "pint" not in mem("recall", "draft a blog post about container shipping").out
    assert "pint" in mem("recall", "how many pints on school nights").out


def test_a_key_that_only_lacks_a_negation_is_told_of(mem: Mem) -> None:
    assert not mem("prefer", "我喝茶不加糖").err
    assert (
        mem("prefer", "我喝茶加糖了").err
        == "note: does '我喝茶不加糖' still hold as well? If not: mem prefer unset 茶_不加糖\n"
    )


def test_a_sentence_that_begins_with_a_known_key_is_about_that_key(vault: Vault, mem: Mem) -> None:
    stored = {"coffee": "flat white", "咖啡": "美式", "code_style": "named exports"}
    for key, value in stored.items():
        mem("prefer", "set", key, value)
    for said, key in (
        ("coffee - one a day, after that it's rooibos", "coffee"),
        ("咖啡：一天一杯", "咖啡"),
        ("咖啡——戒了，改喝苦丁茶", "咖啡"),
        ("Code style: no classes", "code_style"),
        ("coffee-free days on Sunday", "coffee_free_days"),
        ("tea - only green", "tea"),
        ("剪辑口味：不喜欢花哨转场", "剪辑口味"),
        ("I prefer: trains over planes", "trains_planes"),
    ):
        would = mem("add", said, "--type", "preference", "--dry-run").out
        assert f"preferences.yaml {key}: {said}" in would
        mem("add", said, "--type", "preference")
        stored[key] = said
    assert {each.key: each.value for each in preferences.read_preferences(vault)} == stored
