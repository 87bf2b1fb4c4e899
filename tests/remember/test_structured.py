"""Preferences, labels, profile and state: what a person sets stays, what goes is archived, files keep their shape."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli import remember
from memcli.errors import MemError, Refused, UsageError
from memcli.vault import history, journal, labels, preferences, profile, state, yaml_list, yaml_read
from memcli.vault.vault import Vault
from tests.conftest import git, opened
from tests.recall.test_direct import anything
from tests.recall.vaults import SAMPLE
from tests.rows import check_rows

PREFERENCES = """\
# mine
- key: drink
  value: coffee   # since the office has a machine
  source: confirmed
  confidence: 0.9
  note: kept as it is
"""


def lay(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def text(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


def held(folder: Path) -> list[tuple[object, str, float]]:
    return [(each.value, each.source, each.confidence) for each in preferences.read_preferences(opened(folder))]


# -- preferences -----------------------------------------------------------------------------------------------------


def test_a_preference_is_one_record_with_its_dates(folder: Path) -> None:
    remember.prefer(opened(folder), "Train seat", "window", category="travel", scope="project:trip", source="inferred")
    assert text(folder, "preferences.yaml") == (
        '- key: Train_seat\n  value: window\n  category: travel\n  scope: "project:trip"\n  source: inferred\n'
        "  confidence: 0.6\n  created: 2026-11-21\n  updated: 2026-11-21\n"
    )


def test_what_contradicts_a_confirmed_one_weakens_it_and_touches_nothing_else(folder: Path) -> None:
    lay(folder, "preferences.yaml", PREFERENCES)
    done = remember.prefer(opened(folder), "drink", "tea")
    assert [step.why for step in done.steps] == ["contradicted: 0.9 → 0.63", "new"]
    after = text(folder, "preferences.yaml")
    assert after.startswith(
        PREFERENCES.replace("0.9", "0.63").replace("kept as it is\n", "kept as it is\n  updated: 2026-11-21\n")
    )
    assert held(folder) == [("coffee", "confirmed", 0.63), ("tea", "explicit", 1.0)]


def test_an_inference_against_what_was_said_is_refused_and_nothing_is_written(folder: Path) -> None:
    vault = opened(folder)
    remember.prefer(vault, "drink", "tea")
    before = text(folder, "preferences.yaml")
    with pytest.raises(Refused, match="explicitly"):
        remember.prefer(vault, "drink", "coffee", source="inferred")
    assert text(folder, "preferences.yaml") == before
    assert remember.prefer(vault, "drink", "tea", source="inferred").written.changes == ()


def test_a_suggestion_corrected_too_often_is_archived_and_can_be_taken_back(folder: Path) -> None:
    vault = opened(folder)
    remember.prefer(vault, "seat", "window", source="inferred")
    remember.weigh(vault, "seat", True)
    assert held(folder) == [("window", "inferred", 0.8)]
    remember.weigh(vault, "seat", False)
    remember.weigh(vault, "seat", False)
    assert held(folder) == []
    (gone,) = yaml_list.read_records(vault, "archive/preferences.yaml", "key")
    assert (gone["value"], str(gone["archived"])) == ("window", "2026-11-21")
    history.undo(vault)
    assert held(folder) == [("window", "inferred", 0.4)]
    assert not (folder / "archive" / "preferences.yaml").exists()


def test_a_suggestion_without_a_scope_is_about_the_whole_world(folder: Path) -> None:
    vault = opened(folder)
    remember.prefer(vault, "seat", "aisle", scope="project:trip", source="confirmed")
    remember.prefer(vault, "seat", "window", source="inferred")
    remember.weigh(vault, "seat", True)
    assert held(folder) == [("aisle", "confirmed", 0.8), ("window", "inferred", 0.8)]
    remember.weigh(vault, "seat", False, "project:trip")
    assert held(folder) == [("aisle", "confirmed", 0.4), ("window", "inferred", 0.8)]


def test_what_was_said_is_not_weighed_and_what_is_not_there_is_named(folder: Path) -> None:
    vault = opened(folder)
    remember.prefer(vault, "drink", "tea")
    with pytest.raises(UsageError, match="explicitly"):
        remember.weigh(vault, "drink", False)
    with pytest.raises(UsageError, match="no preference 'dirnk'") as error:
        remember.unprefer(vault, "dirnk")
    assert "drink" in error.value.hint
    with pytest.raises(UsageError, match="no value"):
        remember.prefer(vault, "drink", "")
    with pytest.raises(UsageError, match="can't be guessed"):
        remember.prefer(vault, "drink", "x", source="guessed")


def test_what_is_unset_is_in_the_archive(folder: Path) -> None:
    vault = opened(folder)
    remember.prefer(vault, "db", "PostgreSQL")
    remember.prefer(vault, "db", "SQLite", scope="project:x")
    remember.unprefer(vault, "db", "project:x")
    assert [each.value for each in preferences.read_preferences(vault)] == ["PostgreSQL"]
    remember.unprefer(vault, "db")
    assert preferences.read_preferences(vault) == []
    assert [each["value"] for each in yaml_list.read_records(vault, "archive/preferences.yaml", "key")] == [
        "SQLite",
        "PostgreSQL",
    ]


@pytest.mark.parametrize("value", ["yes", "no", "12:30", "# tea", "a: b", "- x", "多\n行", 22, 21.5, True, ["a", "5"]])
def test_any_value_set_is_the_value_read(folder: Path, value: object) -> None:
    remember.prefer(opened(folder), "k", value)
    assert preferences.read_preferences(opened(folder))[0].value == value


def test_control_characters_do_not_get_in(folder: Path) -> None:
    remember.prefer(opened(folder), "k\x1b[31m", "te\x1b[2Ja\u202e")
    assert (preferences.read_preferences(opened(folder))[0].key, held(folder)[0][0]) == ("k", "tea")


def test_a_source_or_confidence_that_can_not_be_is_corrected_and_told(folder: Path) -> None:
    lay(folder, "preferences.yaml", "- {key: tea, value: green, source: hearsay, confidence: 7}\n")
    vault = opened(folder)
    (tea,) = preferences.read_preferences(vault)
    assert (tea.source, tea.confidence) == ("inferred", 1.0)
    assert ["'hearsay'" in vault.notices[0], "7 is not a number from 0 to 1; 1 counts" in vault.notices[1]] == [
        True,
        True,
    ]


def test_a_broken_file_is_named_and_stays(folder: Path) -> None:
    lay(folder, "preferences.yaml", "- key: [\n")
    with pytest.raises(MemError, match=r"preferences\.yaml:1"):
        remember.prefer(opened(folder), "k", "v")
    assert text(folder, "preferences.yaml") == "- key: [\n"


# -- the sensitive gate ----------------------------------------------------------------------------------------------

KEY = "sk-proj-" + "Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"


def test_what_is_sensitive_does_not_get_in_and_labels_are_for_phones(folder: Path) -> None:
    vault = opened(folder)
    for refused in (
        lambda: remember.prefer(vault, "editor", KEY),
        lambda: remember.prefer(vault, "editor", ["vim", KEY]),
        lambda: remember.label(vault, "server", KEY),
        lambda: remember.label(vault, "server", "x", aliases=[KEY]),
        lambda: remember.label(vault, "server", address=KEY),
        lambda: remember.label(vault, "server", "x", poi_id=KEY),
        lambda: remember.profile(vault, "token", KEY),
        lambda: remember.profile(vault, "contact", "lin@example.org"),
        lambda: remember.state(vault, "avoid_topics", ["tea", KEY]),
    ):
        with pytest.raises(Refused, match="not kept: it holds an"):
            refused()
    assert not list(folder.rglob("*.*ml"))
    remember.label(
        vault, "partner", "Su Qing, su@example.org", phone="138 0013 8000", poi_id="ChIJN1t_tDeuEmsRUsoyG83frY4"
    )
    allowing = opened(folder, gates__email="allow")
    remember.profile(allowing, "contact", "lin@example.org")


# -- labels ----------------------------------------------------------------------------------------------------------


def test_a_label_is_set_and_found_by_any_of_its_names(folder: Path) -> None:
    vault = opened(folder)
    remember.label(vault, "home", "12 Example Road", aliases=["家", "our flat", "家"])
    remember.label(vault, "家", "7 Side Street", aliases=["花木"], lat=31.2, lon=121.5, poi_id="p1")
    (home,) = labels.read_labels(vault)
    assert (home.name, home.aliases, home.value) == ("home", ("家", "our flat", "花木"), "7 Side Street")
    assert text(folder, "labels.yaml") == (
        "- name: home\n  aliases: [家, our flat, 花木]\n  value: 7 Side Street\n  lat: 31.2\n  lon: 121.5\n  poi_id: p1\n"
    )


@check_rows(
    ("asked", "name", "exact"),
    [
        ("家", "home", True), ("HOME", "home", True), ("my home", "home", True), ("ｈｏｍｅ", "home", True),
        ("我的家", "home", True), ("offce", "office", False), ("公司楼下", "office", False), ("工作室", "studio", False),
        ("parents house", "parents' home", False), ("climbing", "gym", False), ("大家", "", False), ("xyz", "", False),
        ("", "", False),
    ],
)  # fmt: skip
def test_labels_are_looked_up_exactly_and_roughly(asked: str, name: str, exact: bool) -> None:
    names = {
        "home": ["家"], "office": ["公司"], "studio": ["苏晴的工作室"], "parents' home": ["爸妈家"], "gym": ["climbing gym"]
    }  # fmt: skip
    held = [labels.make_label({"name": each, "aliases": also, "value": "x"}) for each, also in names.items()]
    found = labels.find_labels(held, asked)
    assert (found[0][0].name if found else "") == name
    assert exact == bool(found and found[0][1] == 1.0)


def test_two_labels_do_not_share_a_name_and_none_is_empty(folder: Path) -> None:
    vault = opened(folder)
    remember.label(vault, "office", "7 Work Street", aliases=["公司"])
    with pytest.raises(UsageError, match="'office' already"):
        remember.label(vault, "home", "12 Example Road", aliases=["公司"])
    with pytest.raises(UsageError, match="says nothing"):
        remember.label(vault, "home")
    with pytest.raises(UsageError, match="lat: 91"):
        remember.label(vault, "home", "x", lat=91.0)
    assert [each.name for each in labels.read_labels(vault)] == ["office"]


def test_a_label_taken_out_is_archived_with_all_it_had(folder: Path) -> None:
    lay(folder, "labels.yaml", "# a\n- name: vet\n  aliases: [兽医]\n  phone: 555-0100\n  own: kept\n# z\n")
    vault = opened(folder)
    remember.unlabel(vault, "兽医")
    assert text(folder, "labels.yaml") == "# a\n# z\n"
    assert yaml_list.read_records(vault, "archive/labels.yaml", "name")[0]["own"] == "kept"
    with pytest.raises(UsageError, match="no label 'vet'"):
        remember.unlabel(vault, "vet")


def test_uses_counted_here_add_to_those_the_file_states(folder: Path) -> None:
    lay(
        folder,
        "labels.yaml",
        "- {name: home, address: x, use_count: 41, last_used: 2026-11-20}\n- {name: gym, address: y}\n",
    )
    vault = opened(folder)
    labels.count_uses(vault, ["home"])
    labels.count_uses(opened(folder, datetime(2026, 11, 22)), ["home", "gym"])
    for odd in ("x", 5, [["y"]], None):
        journal.append(folder, labels.USES, {"labels": odd})
    found = labels.add_uses(vault, labels.read_labels(vault))
    assert [(each.uses, each.last_used) for each in found] == [(43, "2026-11-22"), (1, "2026-11-22")]


def test_a_use_is_nothing_to_git(repository: Path) -> None:
    labels.count_uses(opened(repository), ["home"])
    assert git(repository, "status", "--porcelain", "--ignored=no") == ""


# -- profile ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "---\ncity: Shanghai\n---\n"),
        ("# About me\n", "---\ncity: Shanghai\n---\n# About me\n"),
        ("---\n# who\n---\nprose\n", "---\n# who\ncity: Shanghai\n---\nprose\n"),
        (
            "---\nname: Lin # me\ncity: Hangzhou # now\n---\nprose",
            "---\nname: Lin # me\ncity: Shanghai # now\n---\nprose",
        ),
        ("---\r\nname: Lin\r\n---\r\nx\r\n", "---\r\nname: Lin\r\ncity: Shanghai\r\n---\r\nx\r\n"),
    ],
)
def test_a_line_of_the_profile_changes_and_all_else_stays(folder: Path, before: str, after: str) -> None:
    (folder / "USER.md").write_bytes(before.encode())
    remember.profile(opened(folder), "city", "Shanghai")
    assert (folder / "USER.md").read_bytes() == after.encode()
    assert profile.read_profile(opened(folder))["city"] == "Shanghai"


def test_a_line_of_the_profile_goes(folder: Path) -> None:
    lay(folder, "USER.md", "---\nname: Lin\nmbti: INTP\n---\n")
    remember.profile(opened(folder), "mbti", None)
    assert text(folder, "USER.md") == "---\nname: Lin\n---\n"
    with pytest.raises(UsageError, match="no 'mbti'"):
        remember.profile(opened(folder), "mbti", None)


@pytest.mark.parametrize(
    ("key", "value"), [("mbti", "INXX"), ("language", "7"), ("timezone", "Mars/Olympus"), ("a b", "x"), ("5", "x")]
)
def test_a_profile_holds_nothing_impossible(folder: Path, key: str, value: str) -> None:
    with pytest.raises(UsageError):
        remember.profile(opened(folder), key, value)
    assert not (folder / "USER.md").exists()


# -- state -----------------------------------------------------------------------------------------------------------


def test_what_is_missing_has_its_default(folder: Path) -> None:
    assert vars(state.read_state(opened(folder))) == state.DEFAULTS


@pytest.mark.parametrize(
    ("written", "key", "counts", "told"),
    [
        ("response_length: tiny", "response_length", "medium", "'tiny'"),
        ("response_length: [short]", "response_length", "medium", "short"),
        ("session_mode: 5", "session_mode", "casual", "5 is not one of casual"),
        ("language: 7", "language", "", "language: 7"),
        ("last_reset: notadate", "last_reset", "", "'notadate' is not a day"),
        ("last_reset: 2026-11-16", "last_reset", "2026-11-16", ""),
        ("session_mode: Deep-Dive", "session_mode", "deep_dive", ""),
        ("response_length: 长", "response_length", "long", ""),
        ("role: pirate", "role", "default", "pirate"),
        ("topics_of_interest: tea", "topics_of_interest", ("tea",), ""),
        ("avoid_topics: [房价, 5]", "avoid_topics", ("房价", "5"), ""),
        ("avoid_topics:", "avoid_topics", (), ""),
        ("sesion_mode: casual", "session_mode", "casual", "sesion_mode"),
        ("- a list", "session_mode", "casual", "state.yaml:1"),
        ("a: [", "session_mode", "casual", "state.yaml:1"),
    ],
)
def test_what_can_not_be_is_corrected_and_told(folder: Path, written: str, key: str, counts: object, told: str) -> None:
    vault = opened(lay(folder, "state.yaml", written + "\n"))
    assert getattr(state.read_state(vault), key) == counts
    assert [told in notice for notice in vault.notices] == ([True] if told else [])
    assert text(folder, "state.yaml") == written + "\n"


def test_the_state_is_set_unset_and_reset_and_its_comments_stay(folder: Path) -> None:
    lay(folder, "state.yaml", "# how\nresponse_length: medium   # short | medium | long\nown: x\n")
    vault = opened(folder)
    remember.state(vault, "response_length", "long")
    remember.state(vault, "avoid_topics", ["房价"])
    assert text(folder, "state.yaml").splitlines() == [
        "# how", "response_length: long     # short | medium | long", "own: x", "avoid_topics: [房价]",
    ]  # fmt: skip
    remember.state(vault, "avoid_topics", None)
    remember.reset(vault)
    assert text(folder, "state.yaml").splitlines() == [
        "# how", "response_length: medium   # short | medium | long", "own: x", "last_reset: 2026-11-21",
    ]  # fmt: skip
    wrong = {"response_length": "tiny", "role": "pirate", "mood": "x", "last_reset": "2026"}
    for key, value in [*wrong.items(), ("mood", None)]:
        with pytest.raises(UsageError):
            remember.state(vault, key, value)


# -- history ---------------------------------------------------------------------------------------------------------


def test_a_reset_keeps_the_language(folder: Path) -> None:
    vault = opened(lay(folder, "state.yaml", "language: zh\nsession_mode: deep_dive\n"))
    remember.reset(vault)
    assert (state.read_state(vault).language, state.read_state(vault).session_mode) == ("zh", "casual")


def test_history_tells_every_value_and_who_only_looks_changes_nothing(repository: Path) -> None:
    vault = opened(repository)
    remember.prefer(vault, "drink", "coffee", source="inferred")
    remember.prefer(vault, "drink", "tea")
    remember.prefer(vault, "seat", "window")
    said = [said for _, said in remember.value_history(vault, "prefer", "drink")]
    assert said == ["coffee (inferred 0.42); tea (explicit)", "coffee (inferred 0.6)"]
    lay(repository, "preferences.yaml", "- {key: drink, value: water}\n")
    step, said = remember.value_history(vault, "prefer", "drink")[0]
    assert (said, step.id) == ("water (explicit)", "")
    lay(repository, "preferences.yaml", "- {key: [\n")
    assert len(remember.value_history(vault, "prefer", "drink")) == 2


def test_without_git_history_tells_when(folder: Path) -> None:
    vault = opened(folder)
    remember.profile(vault, "city", "Shanghai")
    remember.profile(vault, "name", "Lin")
    assert [step.at for step, _ in remember.value_history(vault, "profile", "city")] == [vault.now]


# -- odd files -------------------------------------------------------------------------------------------------------

ACTS = (
    lambda vault: remember.prefer(vault, "drink", "tea"), lambda vault: remember.weigh(vault, "drink", False),
    lambda vault: remember.unprefer(vault, "drink"), lambda vault: remember.label(vault, "home", "x", aliases=["家"]),
    lambda vault: remember.unlabel(vault, "home"), lambda vault: remember.profile(vault, "name", "x"),
    lambda vault: remember.state(vault, "response_length", "long"), remember.reset,
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=60)
@given(
    st.sampled_from(["preferences.yaml", "labels.yaml", "state.yaml", "USER.md"]), anything, st.booleans(),
    st.sampled_from(ACTS), st.sampled_from(["\n", "\r\n"]),
)  # fmt: skip
def test_a_file_however_odd_is_changed_or_left_alone_and_named(
    folder: Path, name: str, content: object, flow: bool, act: Callable[[Vault], object], newline: str
) -> None:
    inner = yaml.safe_dump(content, allow_unicode=True, default_flow_style=flow)
    before = (f"---\n{inner}\n---\nbody\n" if name == "USER.md" else inner).replace("\n", newline)
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / name).write_bytes(before.encode())
    try:
        act(opened(folder))
    except MemError:
        assert (folder / name).read_bytes() == before.encode()


# -- the living example ----------------------------------------------------------------------------------------------


def test_the_sample_vault_holds_nothing_that_would_have_to_be_corrected() -> None:
    vault = opened(SAMPLE)
    assert state.read_state(vault).response_length == "short"
    assert len(preferences.read_preferences(vault)) == len(
        yaml_read.load((SAMPLE / "preferences.yaml").read_text("utf-8"), "")
    )
    assert all(each.value for each in labels.read_labels(vault))
    for key, value in profile.read_profile(vault).items():
        assert profile.check_value(key, value) == value
    assert vault.notices == []
