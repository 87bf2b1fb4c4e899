"""What was said against what is known: asked, queued or told, and never dropped in silence."""

from __future__ import annotations

from datetime import datetime

import pytest

from memcli.remember import Doubt, Memory, add, doubts, label, prefer, profile, proposals, settle
from memcli.remember.atoms import Atom
from memcli.remember.proposals import Addition, OpenQuestion, Repetition
from memcli.vault import history, labels, preferences
from memcli.vault import profile as profiles
from memcli.vault.vault import Vault
from tests.conftest import opened

CITY = Atom("profile", "I now live in Leipzig", "city", "Leipzig")
UNSURE = [
    Atom("fact", "We keep two budgies", confidence=0.5),
    Atom("preference", "no olives", "olives", "no olives", confidence=0.5),
    Atom("profile", "in Leipzig", "city", "Leipzig", confidence=0.5),
    Atom("label", "My sister Kasia", "sister", "Kasia", confidence=0.5),
    Atom("task", "call Ana", confidence=0.5),
]


def one(vault: Vault) -> Doubt:
    (found,) = doubts(vault)
    return found


def tastes(vault: Vault) -> list[tuple[str, object]]:
    return [(each.key, each.value) for each in preferences.read_preferences(vault)]


@pytest.fixture
def berlin(vault: Vault) -> Vault:
    profile(vault, "city", "Berlin")
    return vault


def test_another_city_waits_for_review_and_says_so(berlin: Vault) -> None:
    kept = proposals.keep(berlin, CITY)
    assert isinstance(kept, OpenQuestion) and (kept.why_not, kept.before) == ("USER.md says city: Berlin", "Berlin")
    assert profiles.read_profile(berlin) == {"city": "Berlin"}
    doubt = one(berlin)
    assert doubt.kind == "change"
    assert doubt.choices == ("1", "2", "keep", "skip")
    assert kept.doubts == (doubt,)


def test_the_new_value_holds_and_the_old_one_keeps_its_time(berlin: Vault) -> None:
    proposals.keep(berlin, CITY)
    doubt = one(berlin)
    settle(berlin, doubt, "2")
    assert profiles.read_profile(berlin) == {"city": "Leipzig", "city_before": ["Berlin until 2026-11"]}
    assert doubt.outcome("2") == "city: Leipzig — holds; city: Berlin — is kept as what it was until now"
    assert doubts(berlin) == []
    history.undo(berlin)
    assert profiles.read_profile(berlin) == {"city": "Berlin"}


@pytest.mark.parametrize("answer", ["1", "keep"])
def test_what_is_known_may_stay_and_is_not_asked_again(berlin: Vault, answer: str) -> None:
    proposals.keep(berlin, CITY)
    settle(berlin, one(berlin), answer)
    proposals.keep(berlin, CITY)
    assert (profiles.read_profile(berlin), doubts(berlin)) == ({"city": "Berlin"}, [])


def test_it_is_asked_once_however_often_it_is_heard_and_of_two_the_later(berlin: Vault) -> None:
    for value in ("Leipzig", "Leipzig", "Dresden", "Dresden"):
        proposals.keep(berlin, Atom("profile", value, "city", value))
    change = one(berlin).change
    assert change is not None
    assert change.value == "Dresden"


def test_nothing_is_asked_when_it_was_set_by_hand_meanwhile(berlin: Vault) -> None:
    proposals.keep(berlin, CITY)
    profile(berlin, "city", "Leipzig")
    assert doubts(berlin) == []


def test_who_has_looked_changes_it_at_once(berlin: Vault) -> None:
    assert proposals.replaced_value(berlin, CITY) == "Berlin"
    assert proposals.keep(berlin, CITY, confirmed=True) == Addition(CITY, "USER.md city", before="Berlin")
    assert profiles.read_profile(berlin)["city_before"] == ["Berlin until 2026-11"]


def test_what_says_as_much_contradicts_nothing(vault: Vault) -> None:
    profile(vault, "name", "林舟 (Zhou Lin)")
    for name in ("Zhou", "zhou lin", "林舟"):
        atom = Atom("profile", name, "name", name)
        assert (proposals.replaced_value(vault, atom), type(proposals.keep(vault, atom))) == ("", Repetition)
    assert proposals.replaced_value(vault, Atom("profile", "x", "name", "陈默")) == "林舟 (Zhou Lin)"


def test_a_label_that_says_otherwise_waits_too(vault: Vault) -> None:
    home = Atom("label", "home is Karl-Liebknecht-Str. 3", "home", "Karl-Liebknecht-Str. 3")
    proposals.keep(vault, Atom("label", "home", "home", "Elbchaussee 5"))
    assert proposals.keep(vault, home).why_not == "labels.yaml says home: Elbchaussee 5"
    settle(vault, one(vault), "2")
    (home_label,) = labels.read_labels(vault)
    assert (home_label.value, home_label.record["before"]) == (
        "Karl-Liebknecht-Str. 3",
        ["Elbchaussee 5 until 2026-11"],
    )


def test_what_somebody_is_called_takes_the_place_of_no_address(vault: Vault) -> None:
    label(vault, "wife", address="1 Oak Lane", phone="+49 170 111")
    assert isinstance(proposals.keep(vault, Atom("label", "My wife is called Greta", "wife", "Greta")), Addition)
    assert (
        proposals.keep(vault, Atom("label", "My wife is called Ada", "wife", "Ada")).why_not
        == "labels.yaml says wife: Greta"
    )
    settle(vault, one(vault), "2")
    (kept,) = labels.read_labels(vault)
    assert (kept.record["address"], kept.record["value"], kept.record["phone"]) == ("1 Oak Lane", "Ada", "+49 170 111")
    assert kept.record["before"] == ["Greta until 2026-11"]


def test_another_address_takes_the_place_of_one_that_was_set_as_it_is(vault: Vault) -> None:
    label(vault, "home", "12 Elm Street")
    moved = Atom("label", "My home is at 4 Quay Road", "home", "4 Quay Road", "address")
    assert proposals.replaced_value(vault, moved) == "12 Elm Street"
    proposals.keep(vault, moved, confirmed=True)
    assert [each.value for each in labels.read_labels(vault)] == ["4 Quay Road"]
    assert "12 Elm Street" not in {held.record.get("value") for held in labels.read_labels(vault)}


def test_a_taste_said_outright_changes_and_tells_what_it_was(vault: Vault) -> None:
    prefer(vault, "温度", "22度")
    kept = proposals.keep(vault, Atom("preference", "空调24度", "温度", "24度"))
    assert (kept.place, kept.before) == ("preferences.yaml 温度", "22度")
    assert 'before: ["22度（至 2026-11）"]' in (vault.root / "preferences.yaml").read_text(encoding="utf-8")


def test_a_habit_against_what_was_said_outright_is_asked(vault: Vault) -> None:
    prefer(vault, "drink", "tea")
    habit = Atom("preference", "I usually drink coffee", "drink", "coffee", stated=False)
    assert proposals.keep(vault, habit).why_not == "preferences.yaml says drink: tea"
    settle(vault, one(vault), "2")
    assert tastes(vault) == [("drink", "coffee")]


def test_a_fact_against_another_is_kept_and_asked(vault: Vault) -> None:
    add(vault, Memory("The standup begins at 9:30 every day", type="fact"))
    said = "The standup begins at 10:00 every day"
    kept = proposals.keep(vault, Atom("fact", said))
    assert (kept.place, kept.before) == ("MEMORY.md:2", "The standup begins at 9:30 every day")
    assert [doubt.id for doubt in kept.doubts] == [one(vault).id]
    assert proposals.keep(vault, Atom("fact", "Lunch is at noon on Fridays")).doubts == ()


def test_nothing_sensitive_waits_in_the_journal(berlin: Vault) -> None:
    secret = "sk-" + "a1B2c3D4" * 6
    kept = proposals.keep(berlin, Atom("profile", "x", "city", f"Leipzig {secret}"))
    assert "API key" in kept.why_not
    assert not (berlin.root / "journal/changes.jsonl").exists()


def test_a_damaged_line_of_the_journal_asks_nothing(berlin: Vault) -> None:
    proposals.keep(berlin, CITY)
    place = berlin.root / "journal/changes.jsonl"
    place.write_text('{"kind": 7}\nno json\n{"kind": "pet", "key": []}\n' + place.read_text(encoding="utf-8"))
    assert one(opened(berlin.root)).kind == "change"


@pytest.mark.parametrize("atom", UNSURE, ids=lambda atom: atom.type)
def test_what_is_not_sure_waits_for_review_until_it_is_confirmed(vault: Vault, atom: Atom) -> None:
    proposals.queue_doubt(vault, atom)
    proposals.queue_doubt(vault, atom)
    doubt = one(vault)
    assert (doubt.kind, doubt.choices) == ("heard", ("confirm", "drop", "skip"))
    settle(vault, doubt, "confirm")
    assert doubts(vault) == []
    assert isinstance(proposals.queue_doubt(vault, atom), Repetition)


@pytest.mark.parametrize("atom", UNSURE, ids=lambda atom: atom.type)
def test_what_is_not_sure_and_dropped_is_not_asked_again(vault: Vault, atom: Atom) -> None:
    proposals.queue_doubt(vault, atom)
    settle(vault, one(vault), "drop")
    proposals.queue_doubt(vault, atom)
    assert doubts(vault) == []


def test_what_is_not_sure_and_speaks_against_what_is_known_is_asked_as_a_change(berlin: Vault) -> None:
    proposals.queue_doubt(berlin, UNSURE[2])
    assert one(berlin).kind == "change"


def test_a_secret_does_not_wait_for_review(vault: Vault) -> None:
    proposals.queue_doubt(vault, Atom("fact", "My card is 4111 1111 1111 1111", confidence=0.5))
    assert doubts(vault) == []


@pytest.mark.parametrize(
    ("key", "known", "said", "kept"),
    [
        ("occupation", "nurse", "nurse at St James's", "nurse at St James's"),
        ("occupation", "nurse at St James's", "nurse", "nurse at St James's"),
        ("occupation", "老师", "数学老师", "数学老师"),
        ("name", "Zhou", "Zhou Lin", "Zhou Lin"),
    ],
)
def test_a_fuller_value_contradicts_nothing(vault: Vault, key: str, known: str, said: str, kept: str) -> None:
    profile(vault, key, known)
    proposals.keep(vault, Atom("profile", said, key, said))
    assert profiles.read_profile(vault) == {key: kept}
    assert doubts(vault) == []


@pytest.mark.parametrize(("known", "said"), [("nurse", "nursery teacher"), ("York", "New York")])
def test_a_value_that_only_looks_fuller_is_asked_about(vault: Vault, known: str, said: str) -> None:
    profile(vault, "city", known)
    assert isinstance(proposals.keep(vault, Atom("profile", said, "city", said)), OpenQuestion)


def test_a_day_in_words_counts_from_the_talk(vault: Vault) -> None:
    proposals.keep(vault, Atom("fact", "the team moves to Mill Lane next Monday", at=datetime(2026, 10, 14, 9)))
    assert "next Monday (2026-10-19)" in (vault.root / "MEMORY.md").read_text("utf-8")
