"""Scoring: the published formula to the letter, parts within [0, 1], weights from settings, ties that stay."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.errors import UsageError
from memcli.recall import Request, recall
from memcli.recall.engine import find_candidates
from memcli.recall.score import PRESETS, SHIFTS, SUPERSEDED, ScoredMemory, find_weights
from memcli.text.messages import translated
from memcli.vault.settings import PARTS
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.recall.vaults import TODAY, ask, ground, lay, log, places, texts


def scores(vault: Vault, question: str, **tags: list[str]) -> dict[str, ScoredMemory]:
    """Every candidate of a question by its words."""
    return {each.entry.words: each for each in find_candidates(ground(vault, question, None, **tags))}


def ago(days: int) -> date:
    return TODAY - timedelta(days)


# -- the published formula -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("days", "worth"), [(0, 1.0), (1, 0.83), (3, 0.62), (7, 0.42)])
def test_time_decays_as_published(folder: Path, days: int, worth: float) -> None:
    lay(folder, {log(ago(days)): "- cache\n"})
    assert scores(opened(folder), "cache")["cache"].parts["time"] == pytest.approx(worth, abs=0.006)


def test_classic_is_the_published_formula_to_the_letter(folder: Path) -> None:
    lay(folder, {
        log(ago(0)): "- cache today #redis\n",
        log(ago(4)): "- cache then [importance:: 1.0]\n- Anna: cache, decided for good #redis\n",
        "MEMORY.md": "- cache of old\n- 2026-11-20 cache #redis\n",
        "insights.md": "- cache insight\n",
    })  # fmt: skip
    found = scores(opened(folder, recall__preset="classic"), "what did Anna decide about the cache #redis")
    by_hand = {
        "cache today #redis": 0.3 * 1.0 + 0.4 * 1.0 + 0.3 * 0.0,
        "cache then": 0.3 * (1 / 1.8),
        "Anna: cache, decided for good #redis": 0.3 * (1 / 1.8) + 0.4 * 1.0,
        "cache of old": 0.3 * 1.0,
        "2026-11-20 cache #redis": 0.3 * (1 / 1.2) + 0.4 * 1.0 + 0.3 * 1.0,
        "cache insight": 0.3 * 0.9,
    }
    assert {words: each.score for words, each in found.items()} == pytest.approx(by_hand)


def test_no_kind_of_question_shifts_the_classic_weights(folder: Path) -> None:
    vault = opened(lay(folder, {"a.md": "- cache\n"}), recall__preset="classic")
    for question in ("who am I", "what did we decide yesterday", "#cache", "what is left to do now", "最近怎么样"):
        assert {part: weight for part, weight in find_weights(ground(vault, question)).items() if weight} == {
            "time": 0.3, "tag": 0.4, "file": 0.3,
        }  # fmt: skip


# -- weights -------------------------------------------------------------------------------------------------------


def test_a_date_raises_time_and_a_tag_raises_tag(vault: Vault) -> None:
    plain, dated, tagged = (
        find_weights(ground(vault, question)) for question in ("cache", "cache yesterday", "#cache")
    )
    assert dated["time"] > plain["time"]
    assert tagged["tag"] > plain["tag"]
    assert {part for part in plain if plain[part] != dated[part]} == {"time"}


def test_a_named_day_outweighs_everything_else_together() -> None:
    others = {**PRESETS["default"]}
    for shift in SHIFTS.values():
        others = {part: max(weight, shift.get(part, 0.0)) for part, weight in others.items()}
    del others["time"]
    assert SHIFTS["whole"]["time"] > sum(others.values()) - others["tag"], "recall/score.py: raise it"


def test_the_settings_name_every_part_of_a_score() -> None:
    assert {*PRESETS["default"]} == {*PARTS}, "vault/settings.py: PARTS are what `recall.weights` may name"


def test_every_part_has_its_word_in_chinese() -> None:
    unsaid = [part for part in PARTS if translated(part, "zh") == part]
    assert not unsaid, f"language/zh/messages.txt: add a row for {unsaid}"


def test_weights_of_the_vault_replace_those_of_the_preset(folder: Path) -> None:
    lay(folder, {"mem.yaml": "recall:\n  weights: {text: 0, file: 2.5}\n", "MEMORY.md": "- cache\n"})
    vault = opened(folder)
    assert scores(vault, "cache")["cache"].score == pytest.approx(
        sum(
            find_weights(ground(vault, "cache"))[part] * value
            for part, value in scores(vault, "cache")["cache"].parts.items()
        )
    )
    assert (find_weights(ground(vault, "cache"))["text"], find_weights(ground(vault, "cache"))["file"]) == (0, 2.5)


def test_weights_of_the_vault_hold_against_the_kind_of_question(folder: Path) -> None:
    vault = opened(folder, recall__weights={"time": 0.01})
    assert find_weights(ground(vault, "cache yesterday"))["time"] == 0.01


def test_an_unknown_weight_is_refused_with_the_known_ones(folder: Path) -> None:
    lay(folder, {"mem.yaml": "recall:\n  weights: {freshness: 1}\n", "a.md": "- cache\n"})
    with pytest.raises(UsageError) as refused:
        ask(folder, "cache")
    assert "freshness" in refused.value.message
    assert "text" in refused.value.hint and "importance" in refused.value.hint


@pytest.mark.parametrize(("decay", "worth"), [(0.0, 1.0), (1.0, 1 / 6), (1e308, 0.0)])
def test_the_decay_is_a_setting(folder: Path, decay: float, worth: float) -> None:
    lay(folder, {log(ago(5)): "- cache\n"})
    found = scores(opened(folder, recall__decay=decay), "cache")
    assert found["cache"].parts["time"] == pytest.approx(worth)


def test_a_decay_that_would_grow_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"recall\.decay"):
        opened(folder, recall__decay=-0.2)


# -- parts ---------------------------------------------------------------------------------------------------------


def test_importance_counts_as_marked_and_only_between_0_and_1(folder: Path) -> None:
    lay(
        folder,
        {
            "a.md": "- one cache [importance:: 0.8]\n- two cache [importance:: 99]\n- three cache\n- four cache [importance:: -1]\n- five cache [importance:: nan]\n"
        },
    )
    found = scores(opened(folder), "cache")
    assert [found[f"{n} cache"].parts["importance"] for n in ("one", "two", "three", "four", "five")] == [
        0.8,
        1,
        0,
        0,
        0,
    ]


def test_a_decision_fits_the_question_what_was_decided(folder: Path) -> None:
    lay(
        folder,
        {
            "a.md": "- Ann: we decided that the cache goes to redis\n",
            "b.md": "- Ann: the cache is slow\n" + "- Bob: yes\n- Ann: no\n" * 4,
        },
    )
    found = scores(opened(folder), "what did we decide about the cache")
    assert (
        found["Ann: we decided that the cache goes to redis"].parts["fit"]
        > found["Ann: the cache is slow"].parts["fit"]
        == 0
    )


def test_an_open_task_fits_the_question_what_is_left(folder: Path) -> None:
    lay(folder, {"a.md": "- [ ] order cache\n- [x] sell cache\n"})
    found = scores(opened(folder), "cache todos")
    assert found["order cache"].parts["fit"] > found["sell cache"].parts["fit"]


def test_a_memory_that_was_cited_lately_counts_more(folder: Path) -> None:
    lay(folder, {"a.md": "- cache one\n- cache two\n- cache three\n"})
    ids = {each.words: each.hash for each in opened(folder).entries()}
    uses = [
        {"id": ids["cache one"], "at": "2026-11-21T14:00:00"},
        {"id": ids["cache two"], "at": "2026-08-01T10:00:00"},
        {"id": ids["cache two"], "at": "nonsense"},
    ]
    lay(folder, {"a.md": "- cache one\n- cache two\n- cache three\n", "journal/use.jsonl": "".join(json.dumps(u) + "\n" for u in uses) + '{"torn'})  # fmt: skip
    part = {words: each.parts["use"] for words, each in scores(opened(folder), "cache").items()}
    assert 1 >= part["cache one"] > part["cache two"] > part["cache three"] == 0


def test_a_use_ahead_of_time_counts_as_one_of_now(folder: Path) -> None:
    lay(folder, {"a.md": "- cache\n"})
    name = next(iter(opened(folder).entries())).hash
    lay(folder, {"a.md": "- cache\n", "journal/use.jsonl": json.dumps({"id": name, "at": "2027-01-01T00:00:00"})})
    assert scores(opened(folder), "cache")["cache"].parts["use"] == 1


def test_what_another_memory_replaced_counts_less_and_says_so(folder: Path) -> None:
    lay(
        folder,
        {
            "a.md": "- the cache is Caffeine in every pod [superseded:: ^redis]\n- the cache is Redis, one for all ^redis\n"
        },
    )
    said = ask(folder, "where is the cache")
    assert texts(said)[0] == "the cache is Redis, one for all"
    assert texts(said)[1].endswith("(superseded by a.md:2)")
    old = said.chosen[1].scored
    weight = find_weights(ground(opened(folder), "where is the cache"))
    assert old.score == pytest.approx(SUPERSEDED * sum(weight[part] * value for part, value in old.parts.items()))


raw = st.lists(
    st.sampled_from(["cache", "redis?", "Anna:", "缓存", "#tag", "[importance:: 7]", "[superseded:: x]", "decided", "2026-11-20", "\n  more", "[date:: 2026-11-30]"]),
    min_size=1, max_size=5,
).map(" ".join)  # fmt: skip
question = st.sampled_from(
    [
        "cache",
        "what did Anna decide",
        "缓存 #tag",
        "yesterday",
        "since May",
        "who am I",
        "tomorrow",
        "cache in 2025",
        "redis now",
    ]
)


@settings(max_examples=60)
@given(
    st.dictionaries(
        st.sampled_from(["MEMORY.md", log(ago(0)), log(ago(40)), log(ago(-3)), "x/y.md"]), st.lists(raw, max_size=4)
    ),
    question,
    st.sampled_from(["default", "classic"]),
)
def test_every_part_is_between_0_and_1_and_the_score_is_their_sum(
    folder: Path, files: dict[str, list[str]], question: str, preset: str
) -> None:
    lay(folder, {name: "".join(f"- {each}\n" for each in entries) for name, entries in files.items()})
    vault = opened(folder, recall__preset=preset, recall__priorities={"MEMORY.md": 1, "x/y.md": 0})
    over = ground(vault, question, None, tag=["redis"])
    weight = find_weights(over)
    for each in find_candidates(over):
        assert set(each.parts) == set(PRESETS["default"])
        assert all(0 <= value <= 1 for value in each.parts.values()), each
        total = sum(weight[part] * value for part, value in each.parts.items())
        assert each.score == pytest.approx(total * (SUPERSEDED if each.entry.superseded else 1))


# -- ties ----------------------------------------------------------------------------------------------------------


def test_equal_scores_fall_to_the_newer_then_to_path_and_line(folder: Path) -> None:
    lay(folder, dict.fromkeys(("notes/b.md", "notes/a.md", "notes/c.md"), "- cache one\n- cache two\n"))
    vault = opened(folder, recall__weights=dict.fromkeys(PRESETS["default"], 0.0))
    found = find_candidates(ground(vault, "cache"))
    assert [each.entry.place for each in found] == [f"notes/{name}.md:{line}" for name in "abc" for line in (1, 2)]


def test_the_same_vault_and_question_give_the_same_block(folder: Path, tmp_path: Path) -> None:
    """Whatever the order in which the files were made, and in which ripgrep's threads found them."""
    files = {f"notes/{n:02}.md": f"- cache {n % 3}\n- redis and the cache of {n}\n" for n in range(40)}
    blocks = set()
    for at in range(4):
        place = tmp_path / f"v{at}"
        place.mkdir()
        order = sorted(files, reverse=bool(at % 2), key=lambda name: (hash((name, at)) if at > 1 else 0, name))
        lay(place, {name: files[name] for name in order})
        blocks |= {ask(place, "redis cache").text, ask(place, "redis cache").text}
    assert len(blocks) == 1


def test_the_hour_of_the_day_changes_nothing(folder: Path) -> None:
    from datetime import datetime

    lay(folder, {log(ago(n)): f"- cache {n}\n" for n in range(9)})
    said = {recall(opened(folder, datetime(2026, 11, 21, hour)), Request("cache")).text for hour in (0, 12, 23)}
    assert len(said) == 1


# -- snapshots -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expires", "there"),
    [("2026-11-20T09:00:00+08:00", False), ("2026-11-20", False), ("2026-11-21", True), ("2026-11-28T09:00:00+08:00", True), ("", True),
     ("[never]", True), ("soon", True)],
)  # fmt: skip
def test_a_snapshot_is_recalled_until_it_expires(folder: Path, expires: str, there: bool) -> None:
    lay(
        folder,
        {
            "snapshots/2026-11-14-1000-c7f2.md": f"---\nsession: s1\nexpires: {expires}\n---\nMoved the cache to Redis.\n"
        },
    )
    assert ("Moved the cache" in ask(folder, "cache").text) is there
    assert places(ask(folder, "")) == (["snapshots/2026-11-14-1000-c7f2.md:5"] if there else [])


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("how much is the kennel cough vaccine?", "£46"),
        ("kennel cough vaccine, current price", "£46"),
        ("how much was the kennel cough vaccine?", "£42"),
        ("kennel cough vaccine", "£42"),
    ],
)
def test_what_tells_of_a_change_leads_where_a_question_asks_what_holds(folder: Path, question: str, first: str) -> None:
    lay(folder, {"MEMORY.md": "- kennel cough vaccine: £42\n- the kennel cough vaccine goes up to £46 from today\n"})
    best = max(scores(opened(folder), question).values(), key=lambda each: each.score)
    assert first in best.entry.words and bool(best.parts["change"]) == ("£46" in first)


def test_a_note_without_a_day_is_not_older_than_all_others(folder: Path) -> None:
    lay(folder, {"notes/band.md": "- fiddle strings: Tonica\n", log(ago(100)): "- fiddle strings: Dominant\n"})
    block = ask(folder, "The E is whistling. Which strings for the fiddle?")
    assert max(block.chosen, key=lambda each: each.scored.score).text == "fiddle strings: Tonica"
