"""The numbers of docs/promises.md, each by what it does on both sides of it; `tests/mutants.py` changes them all."""

from __future__ import annotations

import json
import math
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from memcli import remember
from memcli.index import texts
from memcli.index.embed import Embedder
from memcli.index.models import Model
from memcli.recall import direct, engine, layers, score, select
from memcli.recall.paths import PATHS, file
from memcli.recall.paths import time as time_path
from memcli.recall.score import PRESETS, ScoredMemory
from memcli.remember import doubts, expired
from memcli.remember.gates import duplicate, sensitive
from memcli.text import tables, tokens
from memcli.vault import entries, layout, snapshots
from memcli.vault.vault import Vault
from memcli.watch import resident
from tests import mutants
from tests.conftest import NOW, opened
from tests.recall.vaults import TODAY, ask, ground, lay, log


def scored(number: int, words: str, worth: float, **parts: float) -> ScoredMemory:
    entry = entries.parse_document("notes/a.md" if "sums" not in parts else "MEMORY.md", f"- {words}\n").entries[0]
    return ScoredMemory(entry, worth, dict.fromkeys(PRESETS["default"], 0.0) | parts, ("text",), ())


# -- recall ----------------------------------------------------------------------------------------------------------


def test_a_block_has_a_thousand_tokens_and_uses_them(folder: Path) -> None:
    lay(folder, {"MEMORY.md": "".join(f"- tea number {n} came from garden {n * 7} by boat\n" for n in range(200))})
    assert 930 < ask(folder, "tea", fill=True).tokens <= 1000


def test_without_a_day_in_the_question_the_last_three_days_count(folder: Path) -> None:
    lay(folder, {log(TODAY - timedelta(days=ago)): f"- {ago} days ago\n" for ago in range(6)})
    found = {entry.words for entry in time_path.find_entries(ground(opened(folder), "xyzzy"))}
    assert found == {f"{ago} days ago" for ago in range(4)}


def test_files_come_by_their_priority(folder: Path) -> None:
    names = ("MEMORY.md", "insights.md", "projects.md", "USER.md")
    lay(folder, dict.fromkeys(names, "- tea\n"))
    search = ground(opened(folder), "tea")
    assert [file.priority(search, entry) for entry in file.find_entries(search)] == [1.0, 0.9, 0.8, 0.7]


def test_time_fades_as_published(vault: Vault) -> None:
    search = ground(vault, "tea")
    faded = [round(search.age_factor(TODAY - timedelta(days=ago)), 2) for ago in (0, 1, 3, 7)]
    assert faded == [1.0, 0.83, 0.62, 0.42]
    assert score.citation_recency(search, NOW - timedelta(days=20)) == pytest.approx(math.exp(-1))


def test_what_is_superseded_counts_less(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- the tea is green [superseded:: abc1234]\n"})
    search = ground(opened(folder), "which tea is green")
    (old,) = engine.find_candidates(search)
    weights = score.find_weights(search)
    assert old.score == pytest.approx(
        score.SUPERSEDED * sum(weights[part] * value for part, value in old.parts.items())
    )


def test_the_two_latest_snapshots_of_three_days_have_a_place_of_their_own(folder: Path) -> None:
    days = {ago: (TODAY - timedelta(days=ago)).isoformat() for ago in (3, 4)}
    lay(folder, {f"snapshots/{day}-1.md": f"- {ago} days ago\n" for ago, day in days.items()})
    assert [entry.words for entry in direct.find_latest_snapshots(ground(opened(folder), "tea"))] == ["3 days ago"]
    lay(folder, {f"snapshots/{TODAY}-{n}.md": f"- {n}\n" for n in range(3)})
    assert len(direct.find_latest_snapshots(ground(opened(folder), "tea"))) == 2


def test_the_layers_are_five_three_and_two() -> None:
    words = ("apple", "boat", "cedar", "dune", "elm", "fern", "goat", "heron", "iris", "jay")
    near = [scored(n, f"{word} near", 1.0, meaning=0.9) for n, word in enumerate(words)]
    sums = [scored(n, f"{word} sums", 0.5, sums=1) for n, word in enumerate(words)]
    latest = [scored(n, f"{word} late", 0.1) for n, word in enumerate(words)]
    names = [layers.layer_of(each) for each in layers.choose_by_layer([*near, *sums], latest, 0.7)]
    assert [names.count(name) for name in ("recent", "semantic", "summary")] == [5, 3, 2]


@pytest.mark.parametrize(("lead", "first"), [(0.13, "other"), (0.19, "alike")])
def test_novelty_weighs_three_tenths_of_it(vault: Vault, lead: float, first: str) -> None:
    """What is a third like the best one comes before another when it leads by more than three sevenths of that."""
    best = scored(0, "anna drinks tea daily", 1.0)
    alike = scored(1, "anna drinks milk weekly", 0.5 + lead)
    other = scored(2, "boats sail south", 0.5)
    order = select.order_diverse([best, alike, other], 3, vault.settings.recall.mmr)
    assert order[1] is (other if first == "other" else alike)


@pytest.mark.parametrize(("place", "moves"), [(29, True), (30, False)])
def test_three_times_as_many_are_compared_as_are_kept(place: int, moves: bool) -> None:
    same = "anna drinks her tea in the garden at "
    ranked = [scored(n, f"{same} {n}", 1.0 - n / 1000) for n in range(40)]
    ranked[place] = scored(place, "boats sail south", ranked[place].score)
    order = select.order_diverse(ranked, 10, 0.7)
    assert (order.index(ranked[place]) == 1) is moves


# -- the index -------------------------------------------------------------------------------------------------------


def test_the_vectors_of_2048_questions_stay_in_memory(tmp_path: Path) -> None:
    asked: list[str] = []

    class Counting(Embedder):
        def _query(self, text: str) -> Any:
            asked.append(text)
            return np.zeros(1, np.float32)

    (tmp_path / "m.onnx").touch()
    embedder = Counting(Model("m", ("en",), 1, 1, "m.onnx", folder=str(tmp_path)), {})
    for number in [*range(2048), 0]:
        embedder.query(str(number))
    assert len(asked) == 2048
    for number in (2048, 1):
        embedder.query(str(number))
    assert asked[-2:] == ["2048", "1"]


def test_an_entry_of_300_tokens_is_one_row_and_a_longer_one_more() -> None:
    sentence = "the tea of the garden is green. "
    for number, rows in ((36, 1), (39, 2)):
        document = entries.parse_document("a.md", f"- {sentence * number}\n")
        assert abs(tokens.count(document.entries[0].words) - 300) < 25
        assert (len(texts.rows(document)) > 1) is (rows > 1)


@pytest.mark.parametrize(("words", "shared"), [(8, 3), (9, 2)])
def test_the_rows_of_a_long_entry_share_30_tokens_at_most(words: int, shared: int) -> None:
    sentences = "".join(f"{'tea ' * (words - 1)}tea{chr(97 + n % 26)}. " for n in range(80))
    assert tokens.count(sentences[: sentences.index(".") + 1]) == {8: 10, 9: 11}[words]
    first, second = (row.text.rstrip() for row in texts.rows(entries.parse_document("a.md", f"- {sentences}\n"))[:2])
    parts = [part.strip() for part in first.split(".") if part.strip()]
    assert second.startswith(". ".join(parts[-shared:])) and not second.startswith(". ".join(parts[-shared - 1 :]))


# -- what is kept ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "same"), [(20, False), (21, True)])
def test_texts_are_the_same_above_95_of_a_hundred(words: int, same: bool) -> None:
    one = tuple(f"word{chr(97 + n)}x" for n in range(words))
    assert duplicate.are_alike(one, (*one[:-1], one[-1] + "s")) is same


@pytest.mark.parametrize(("ago", "same"), [(7, True), (8, False)])
def test_what_was_said_within_seven_days_is_not_written_again(folder: Path, ago: int, same: bool) -> None:
    lay(folder, {log(TODAY - timedelta(days=ago)): "- the boiler was serviced by Kowalski\n"})
    assert bool(duplicate.find_duplicate(opened(folder), "the boiler was serviced by Kowalski", "", TODAY)) is same


def test_said_again_a_memory_gains_a_tenth(folder: Path) -> None:
    lay(folder, {log(TODAY): "- the boiler was serviced by Kowalski\n"})
    vault = opened(folder)
    assert remember.add(vault, remember.Memory("the boiler was serviced by Kowalski")).again
    assert "[importance:: 0.6]" in (folder / log(TODAY)).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("likeness", "ago", "found"), [(0.96, 1, True), (0.94, 1, False), (0.99, 7, True), (0.99, 8, False)]
)
def test_by_meaning_too(folder: Path, monkeypatch: pytest.MonkeyPatch, likeness: float, ago: int, found: bool) -> None:
    lay(folder, {log(TODAY - timedelta(days=ago)): "- the vacation is booked\n"})
    known = resident.Resident(folder)
    model = SimpleNamespace(reads=lambda text: True)
    embedder = SimpleNamespace(model=model, passages=lambda all: np.array([[1.0, 0.0]]))
    known.vectors = SimpleNamespace(embedder=embedder)  # type: ignore[assignment]
    vector = np.array([likeness, math.sqrt(1 - likeness**2)])
    monkeypatch.setattr(resident, "own_vectors", lambda cache, model, hashes: dict.fromkeys(hashes, vector))
    assert bool(known.alike(opened(folder), "the holiday is booked", TODAY)) is found


def test_a_card_number_is_one_by_its_last_digit(vault: Vault) -> None:
    rules = sensitive.policy(vault.settings.gates)
    for digit, card in (("7", True), ("8", False)):
        assert ("card" in sensitive.redacted(f"Anna pays by card 4539 1488 0343 646{digit}", rules)[1]) is card


def test_a_snapshot_holds_seven_days_and_two_of_the_likest_ten_are_recalled() -> None:
    document = entries.parse_document("snapshots/a.md", "---\ncreated: 2026-11-14T10:00\n---\n- tea\n")
    assert snapshots.ends(document) == datetime(2026, 11, 21, 10)
    assert snapshots.best("", "abcdefghijkl", "abcdefghijkl".index, str) == ["j", "i"]


# -- upkeep ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("left", "asked"), [(timedelta(days=2), True), (timedelta(days=2, hours=1), False)])
def test_a_snapshot_is_asked_about_two_days_before_it_ends(folder: Path, left: timedelta, asked: bool) -> None:
    made = NOW + left - timedelta(days=7)
    lay(folder, {"snapshots/a.md": f"---\ncreated: {made.isoformat()}\n---\n- tea\n"})
    assert any(doubt.kind == "expiring" for doubt in doubts(opened(folder))) is asked


@pytest.mark.parametrize(("path", "days"), [("sessions/a.jsonl", 30), ("preferences.yaml", 1)])
def test_what_has_had_its_time_is_archived_and_not_before(folder: Path, path: str, days: int) -> None:
    for more, old in ((timedelta(hours=1), True), (timedelta(hours=-1), False)):
        at = (NOW - timedelta(days=days) - more).isoformat()
        record = {"key": "tone", "value": "dry", "scope": "session", "last_used": at}
        said = {"role": "user", "content": "tea", "at": at}
        text = json.dumps(said) + "\n" if path.endswith("jsonl") else json.dumps([record])
        lay(folder, {path: text})
        assert bool(expired(opened(folder))) is old


@pytest.mark.parametrize(("more", "read"), [(-1000, True), (1000, False)])
def test_a_note_of_two_megabytes_is_read_and_a_larger_one_is_left_out(folder: Path, more: int, read: bool) -> None:
    lay(folder, {"a.md": "- tea\n" + "x" * (2 * 2**20 + more)})
    assert list(layout.walk(folder)) == ["a.md"] * read


def test_of_a_large_file_250_pieces_are_weighed(folder: Path) -> None:
    lay(folder, {"a.md": "".join(f"- the tea of day {n} is green and hot\n" for n in range(5000))})
    assert 250 <= len(ground(opened(folder), "green tea").entries("a.md")) <= 254


def test_every_path_has_a_part_of_the_score() -> None:
    assert {path.part for path in PATHS} <= set(PRESETS["default"])
    assert PRESETS["classic"] == {"time": 0.3, "tag": 0.4, "file": 0.3}


def test_what_is_changed_to_try_the_tests_stands_there_and_so_do_they() -> None:
    for row in tables.rows(mutants.HERE / "mutants.txt"):
        file = mutants.HERE.parent / row["file"][0]
        if "features" in file.parts and not file.parent.exists():
            continue  # the feature is missing
        text = file.read_text(encoding="utf-8")
        changed = [mutants.mutants(line)[0][0] for line in row.get("number", ())]
        changed += [line.split(" => ")[0] for line in row.get("change", ())]
        assert [text.count(old) for old in changed] == [1] * len(changed), row
        for path, _, name in (test.partition("::") for line in row["tests"] for test in line.split()):
            if "features" in Path(path).parts and not (mutants.HERE.parent / path).parent.exists():
                continue
            assert f"def {name}" in (mutants.HERE.parent / path).read_text(encoding="utf-8"), (path, name)
