"""Profile, preferences and labels go out with the memories and come back as what they were, not as memories."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli import remember
from memcli.features.move import archives, formats, keyed_records, sorter
from memcli.features.move import bring as bringing
from memcli.features.move import export as exporting
from memcli.features.move.import_plan import ImportOptions
from memcli.vault import history, labels, preferences, profile
from memcli.vault.vault import Filter, Vault
from tests.conftest import Ran, opened

Mem = Callable[..., Ran]
WHOLE = ("mem", "json", "jsonl", "pam", "mem0")  # all that a record says
WORDS = ("csv", "markdown", "obsidian", "openclaw")  # what it says in words
ENDINGS = {"mem": "jsonl", "jsonl": "jsonl", "csv": "csv", "markdown": "md"}

NAMES = st.text("abcdeö茶", min_size=1, max_size=8)
SAID = st.lists(NAMES, min_size=1, max_size=3).map(" ".join)


@st.composite
def vaults(draw: st.DrawFn) -> list[keyed_records.KeyedRecord]:
    """What somebody keeps by keys."""
    found = [keyed_records.KeyedRecord("profile", {"key": key, "value": draw(SAID)}) for key in ("city", "name", "dog")]
    found.append(
        keyed_records.KeyedRecord(
            "profile", {"key": "interests", "value": draw(st.lists(NAMES, min_size=1, unique=True))}
        )
    )
    slots = st.tuples(NAMES, st.sampled_from(["global", "project:tideline"]))
    for name, scope in draw(st.lists(slots, unique_by=lambda slot: (slot[0].casefold(), slot[1]), max_size=3)):
        source = draw(st.sampled_from(preferences.SOURCES))
        sure = 1.0 if source == "explicit" else draw(st.sampled_from([0.6, 0.85]))
        day = "2026-03-01"
        record = {"key": name, "value": draw(SAID), "scope": scope, "source": source, "confidence": sure}
        found.append(
            keyed_records.KeyedRecord("preference", {**record, "category": "food", "created": day, "updated": day})
        )
    for name in draw(st.lists(NAMES, unique_by=str.casefold, max_size=2)):
        found.append(keyed_records.KeyedRecord("label", {"name": name, "aliases": ["x"], "value": draw(SAID)}))
    return found


def kept(vault: Vault) -> list[keyed_records.KeyedRecord]:
    return [each for kind in keyed_records.FILES for each in keyed_records.read_keyed_records(vault, kind)]


def filled(folder: Path, records: list[keyed_records.KeyedRecord]) -> Vault:
    folder.mkdir()
    vault = opened(folder)
    for path, edit in keyed_records.edits(vault, records):
        (folder / path).write_text(str(edit("")), encoding="utf-8")
    return vault


def sent(vault: Vault, to: str, place: Path, redact: bool = False) -> Path:
    exported = exporting.export(vault, Filter(), to, redact)
    if exported.format.write_files:
        exporting.write_folder(exported, place)
        return place
    place.mkdir()
    file = place / f"m.{ENDINGS.get(to, 'json')}"
    exporting.write_new_file(exported, file)
    return file


def brought(folder: Path, place: Path) -> tuple[Vault, bringing.ImportResult]:
    folder.mkdir()
    vault = opened(folder)
    tree = archives.open_tree(place)
    return vault, bringing.bring_items(vault, tree, ImportOptions(formats.detect_format(tree)))


@pytest.mark.slow
@pytest.mark.parametrize("to", WHOLE)
@settings(max_examples=8, deadline=None)
@given(records=vaults())
def test_all_that_is_kept_by_keys_comes_back_field_by_field(
    to: str, records: list[keyed_records.KeyedRecord], tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("x")
    there = filled(place / "a", records)
    back, _ = brought(place / "b", sent(there, to, place / "out"))
    assert profile.read_profile(back) == profile.read_profile(there)
    assert preferences.read_preferences(back) == preferences.read_preferences(there)
    assert [each.record for each in labels.read_labels(back)] == [each.record for each in labels.read_labels(there)]
    assert not list(back.entries(Filter(path="imported")))


@pytest.mark.slow
@pytest.mark.parametrize("to", WORDS)
@settings(max_examples=8, deadline=None)
@given(records=vaults())
def test_a_format_of_words_brings_back_what_they_say_and_how_sure_it_is(
    to: str, records: list[keyed_records.KeyedRecord], tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("x")
    there = filled(place / "a", records)
    back, _ = brought(place / "b", sent(there, to, place / "out"))
    assert {(each.slot, each.content) for each in kept(back)} == {(each.slot, each.content) for each in kept(there)}
    assert [each.confidence for each in preferences.read_preferences(back)] == [
        each.confidence for each in preferences.read_preferences(there)
    ]
    assert not list(back.entries(Filter(path="imported")))


@pytest.fixture
def own(tmp_path: Path) -> Vault:
    return filled(
        tmp_path / "own",
        [
            keyed_records.KeyedRecord("profile", {"key": "city", "value": "Graz"}),
            keyed_records.KeyedRecord(
                "preference", {"key": "tea", "value": "green", "scope": "global", "source": "explicit"}
            ),
            keyed_records.KeyedRecord("label", {"name": "home", "address": "12 Example Road"}),
        ],
    )


def test_run_again_nothing_is_new_and_undo_takes_all_of_it_back(own: Vault, tmp_path: Path) -> None:
    file = sent(own, "json", tmp_path / "out")
    vault, done = brought(tmp_path / "b", file)
    assert done.plan.memories == 3 and "USER.md" in done.paths
    tree = archives.open_tree(file)
    again = sorter.plan_import(vault, tree, ImportOptions("mem"))
    assert (again.fresh, again.same) == (0, 3)
    assert history.undo(vault)[0] == "import" and not kept(vault)


def test_what_the_vault_says_otherwise_stays_and_waits_for_review(own: Vault, tmp_path: Path) -> None:
    file = sent(own, "json", tmp_path / "out")
    vault = filled(tmp_path / "b", [keyed_records.KeyedRecord("profile", {"key": "city", "value": "Linz"})])
    tree = archives.open_tree(file)
    done = bringing.bring_items(vault, tree, ImportOptions("mem"))
    assert (done.plan.memories, done.plan.disputed) == (2, 1)
    assert profile.read_profile(vault)["city"] == "Linz"
    assert [doubt.change.value for doubt in remember.doubts(vault) if doubt.change] == ["Graz"]


def test_what_the_profile_takes_comes_back_from_an_export(tmp_path: Path) -> None:
    there = filled(tmp_path / "a", [])
    remember.profile(there, "phone", "087 222 3333")
    vault, done = brought(tmp_path / "b", sent(there, "json", tmp_path / "out"))
    assert not done.plan.refused and profile.read_profile(vault)["phone"] == "087 222 3333"


def test_a_secret_is_no_line_of_a_profile_wherever_it_comes_from(tmp_path: Path) -> None:
    line = {"mem": 1, "text": "wifi: x", "source": "mem:USER.md/wifi", "type": "profile"}
    line["record"] = {"key": "wifi", "value": "the password is Blue-Kettle-42"}
    place = tmp_path / "m.jsonl"
    place.write_text(json.dumps(line), encoding="utf-8")
    vault, done = brought(tmp_path / "b", place)
    assert done.plan.refused and not kept(vault) and not list(vault.entries(Filter()))


@pytest.mark.parametrize("record", [{"key": 3, "value": 1}, {"value": "x"}, {"key": "a b", "value": "x"}, {"name": []}])
def test_a_record_that_can_be_none_becomes_a_memory_like_others(tmp_path: Path, record: dict[str, object]) -> None:
    line = {"mem": 1, "text": "tea is green", "source": "mem:USER.md/x", "type": "profile", "record": record}
    place = tmp_path / "m.jsonl"
    place.write_text(json.dumps(line), encoding="utf-8")
    vault, _ = brought(tmp_path / "b", place)
    assert not profile.read_profile(vault) and [each.words for each in vault.entries(Filter(path="imported"))] == [
        "tea is green"
    ]


def test_what_is_blacked_out_on_its_way_out_is_no_record(tmp_path: Path) -> None:
    there = filled(tmp_path / "a", [keyed_records.KeyedRecord("label", {"name": "Anna", "phone": "+43 664 1234567"})])
    text = sent(there, "json", tmp_path / "out", redact=True).read_text(encoding="utf-8")
    assert "1234567" not in text and "REDACTED" in text
