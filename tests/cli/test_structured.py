"""`mem prefer`, `mem label`, `mem profile`, `mem state`, as a person types them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.cli.commands import import_command, members
from memcli.vault import labels
from tests.conftest import Ran, git, opened

Mem = Callable[..., Ran]
GROUPS = ("prefer", "label", "profile", "state")


def test_every_command_of_a_group_teaches_by_example() -> None:
    for group in GROUPS:
        import_command(group)
        for name, spec in members(group).items():
            shown = "\n".join(spec.examples)
            assert f"mem {group} {name}" in shown or (name == "list" and spec.examples[0] == f"mem {group}")


def test_a_preference_from_the_first_word_to_why(mem: Mem) -> None:
    assert mem("prefer", "list").err.startswith("no preferences yet")
    assert mem("prefer", "set", "drink", "coffee", "--source", "inferred").out == "drink: coffee (new)\n"
    nothing = mem("prefer", "get", "drink")
    assert (nothing.code, nothing.out) == (1, "") and "not sure enough" in nothing.err
    mem("prefer", "accept", "drink")
    assert mem("prefer", "get", "drink").out == "coffee\n"
    assert "coffee (contradicted: 0.8 → 0.56)" in mem("prefer", "set", "drink", "tea, no coffee").out
    assert mem("prefer", "get", "drink").out == "tea, no coffee\n"
    why = mem("prefer", "why", "drink").lines
    assert why[0].split() == ["✓", "tea,", "no", "coffee", "explicit", "counts"]
    assert "it takes more than 0.7" in why[1]
    refused = mem("prefer", "set", "drink", "coffee", "--source", "inferred")
    assert (refused.code, refused.out) == (4, "") and "explicitly" in refused.err
    assert [each["counts"] for each in json.loads(mem("prefer", "list", "--json").out)["preferences"]] == [False, True]
    assert "prefers drink: tea, no coffee" in mem("recall", "what to drink").out
    mem("undo")
    assert mem("prefer", "get", "drink").out == "coffee\n"


def test_list_and_forget_point_to_a_preference_that_holds_the_words(mem: Mem) -> None:
    hint = "note: that is kept as a preference: mem prefer list"
    assert hint not in mem("list", "--type", "preference").err
    mem("prefer", "set", "code_style", "named exports")
    mem("prefer", "set", "dance", "named steps, 硬切")
    assert all(hint in mem("list", *words).err for words in (["named"], ["exports", "named"], ["--type", "preference"]))
    assert all(hint not in mem("list", *words).err for words in (["port"], ["named", "zebra"], ["--type", "fact"]))
    assert "mem prefer unset code_style" in mem("forget", "named", "exports").err
    assert "mem prefer unset dance" in mem("forget", "硬切").err
    assert "mem prefer list shows them" in mem("forget", "named").err
    assert "prefer" not in mem("forget", "zebra").err


def test_the_key_of_a_preference_shows_it_and_a_question_keeps_nothing(mem: Mem) -> None:
    mem("prefer", "set", "饮料", "只喝热的")
    assert mem("prefer", "饮料").out == "只喝热的\n"
    asked = mem("prefer", "what do I like to drink?")
    assert (asked.code, asked.out) == (2, "") and "a question tells no preference" in asked.err
    assert mem("prefer", "get", "饮料").out == "只喝热的\n"


def test_a_list_that_is_asked_for_a_day_names_the_command_that_shows_one(mem: Mem) -> None:
    hint = "the memories of a day: mem show"
    assert f"{hint} 'last week'" in mem("list", "last", "week").err
    mem("add", "ring the bank yesterday")
    assert all(hint not in mem("list", word).err for word in ("yesterday", "zebra"))


def test_a_scene_has_its_own(mem: Mem) -> None:
    mem("prefer", "set", "database", "PostgreSQL")
    mem("prefer", "set", "database", "SQLite", "--scope", "project:tideline")
    assert mem("prefer", "get", "database").out == "PostgreSQL\n"
    assert mem("prefer", "get", "database", "--scope", "tideline").out == "SQLite\n"
    assert mem("prefer", "unset", "database", "--scope", "project:tideline").code == 0
    assert json.loads(mem("prefer", "why", "database", "--json").out)["preferences"][0]["value"] == "PostgreSQL"


def test_a_label_is_kept_looked_up_and_used(mem: Mem, repository: Path) -> None:
    assert mem("label", "set", "home", "12 Example Road", "-a", "家").out == "home (家): 12 Example Road\n"
    before = git(repository, "status", "--porcelain")
    assert "label home: 12 Example Road" in mem("recall", "导航回家").out
    assert mem("recall", "redis").code == 0
    assert git(repository, "status", "--porcelain") == before
    assert json.loads(mem("label", "get", "家", "--json").out)["use_count"] == 1
    rough = mem("label", "get", "hme")
    assert rough.out == "12 Example Road\n" and "home is the nearest" in rough.err
    assert mem("label", "get", "station").code == 2
    assert mem("label", "unset", "home").code == 0
    assert json.loads(mem("label", "list", "--json").out)["labels"] == []


def test_a_label_is_found_by_the_name_in_its_value(mem: Mem) -> None:
    mem("label", "set", "dad", "Emrys, Llandysul")
    mem("label", "set", "home", "Pudong")
    assert mem("label", "get", "emrys").out == "Emrys, Llandysul\n"
    assert "label dad: Emrys, Llandysul" in mem("recall", "where does Emrys live").out
    assert "label home" not in mem("recall", "restaurants in Pudong").out
    mem("label", "set", "Emrys", "a colleague")
    assert mem("label", "get", "Emrys").out == "a colleague\n" and "Emrys, Llandysul" in mem("label", "list").out


def test_a_line_of_the_profile_that_is_removed_is_named(mem: Mem) -> None:
    mem("profile", "set", "choir", "altos")
    assert mem("profile", "unset", "choir").out == "choir is removed\n"
    assert mem("state", "unset", "response_length").out == "medium\n"


def test_a_label_is_shown_with_all_that_is_stored(mem: Mem) -> None:
    place = ("--phone", "+49 30 1234567", "--address", "Hauptstr. 4", "--lat", "52.5")
    whole = "Hauptstr. 4; Tierklinik Süd; +49 30 1234567; lat 52.5\n"
    assert mem("label", "set", "vet", "Tierklinik Süd", *place).out == f"vet: {whole}"
    assert mem("label", "get", "vet").out == whole
    assert mem("label", "list").out.endswith(whole)


def test_recall_of_a_vault_that_can_not_be_written_counts_nothing_and_says_nothing(mem: Mem, folder: Path) -> None:
    (folder / "labels.yaml").write_text("home: 12 Example Road\n", encoding="utf-8")
    (folder / "journal").write_text("in the way", encoding="utf-8")
    ran = mem("recall", "navigate home")
    assert (ran.code, ran.err) == (0, "") and "12 Example Road" in ran.out
    assert labels.add_uses(opened(folder), labels.read_labels(opened(folder)))[0].uses == 0


def test_why_tells_what_counts_and_what_set_it_so(mem: Mem, folder: Path) -> None:
    mem("label", "set", "gym", "Rock", "Street", "9", "-a", "岩馆")
    mem("profile", "set", "city", "苏州")
    mem("state", "set", "response_length", "short")
    assert mem("label", "why", "岩馆").out.startswith("Rock Street 9  since 2026-")
    assert "mem profile" in mem("profile", "why", "city").out
    assert json.loads(mem("state", "why", "response_length", "--json").out)["value"] == "short"
    assert mem("state", "why", "session_mode").out.split() == ["casual", "the", "default"]
    (folder / "USER.md").write_text("---\nmbti: INTP\n---\n", encoding="utf-8")
    assert mem("profile", "why", "mbti").out.split()[0] == "INTP"
    assert mem("label", "why", "station").code == mem("profile", "why", "name").code == 2


@pytest.mark.parametrize(("group", "key"), [("prefer", "tea"), ("profile", "city"), ("state", "language")])
def test_what_is_set_to_nothing_is_refused_and_the_way_named(mem: Mem, group: str, key: str) -> None:
    ran = mem(group, "set", key, "")
    assert ran.code == 2 and f"mem {group} unset {key}" in ran.err


def test_a_profile_and_a_state(mem: Mem) -> None:
    assert mem("profile", "set", "interests", "tea,摄影", "climbing").out == "tea, 摄影, climbing\n"
    assert mem("profile", "set", "mbti", "nope").code == 2
    assert "did you mean 'interests'" in mem("profile", "set", "interessts", "x").err
    assert mem("profile", "get", "nam").code == 2
    assert json.loads(mem("profile", "list", "--json").out)["interests"] == ["tea", "摄影", "climbing"]
    assert mem("state", "set", "response_length", "tiny").code == 2
    assert mem("state", "set", "response_length", "short").out == "short\n"
    assert mem("state", "reset").code == 0
    assert json.loads(mem("state", "list", "--json").out)["last_reset"] == "2026-11-21"


def test_a_language_that_mem_does_not_speak_is_told(mem: Mem) -> None:
    for language, told in (("火星文", True), ("Deutsch", True), ("中文", False), ("English", False), ("en_GB", False)):
        assert ("mem itself speaks English" in mem("state", "set", "language", language).err) is told, language


def test_a_state_that_can_not_be_is_told_by_doctor(mem: Mem, folder: Path) -> None:
    (folder / "state.yaml").write_text("response_length: tiny\n", encoding="utf-8")
    assert "'tiny'" in mem("doctor").out
    listed = mem("state", "list")
    assert "response_length  medium" in listed.out and "'tiny'" in listed.err


@pytest.mark.parametrize("group", GROUPS)
def test_history_of_nothing_is_told(mem: Mem, group: str) -> None:
    ran = mem(group, "history", "nothing")
    assert (ran.code, ran.out) == (0, "") and "no history" in ran.err
    told = json.loads(mem(group, "history", "nothing", "--json").out)
    assert (told["schema"], told["name"], told["history"]) == (1, "nothing", [])
