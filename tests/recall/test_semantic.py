"""The semantic path: other words for the same, with a model; and nothing lost without one."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memcli.index import download, refresh
from memcli.index.embed import Embedder
from memcli.recall import Block, Request, find_relevant, layers, recall, seek
from memcli.recall.score import BESIDE_MEANING, find_weights
from memcli.vault.vault import Vault
from memcli.watch.resident import Resident
from tests.conftest import NOW, opened
from tests.index import tiny
from tests.recall.vaults import lay, texts

if TYPE_CHECKING:
    from memcli.index.embed import Vectors

NOTES = {
    "logs/2026-10-01.md": "- the puppy sleeps on the sofa\n- we painted the fence\n- lamps for the hall\n",
    "logs/2026-10-02.md": "- a sabbatical in June, by train\n- 缓存 moved\n",
    "notes/old.md": "- nothing of note\n",
}


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.build(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def meant(folder: Path, model_folder: Path) -> Vault:
    """A vault with a model and an index."""
    download.register(model_folder, dict(os.environ))
    lay(folder, {"mem.yaml": "index: {model: tiny}\n", **NOTES})
    vault = opened(folder)
    refresh.refresh(vault)
    return vault


def ask(vault: Vault, question: str, **request: object) -> Block:
    return recall(opened(vault.root), Request(question, semantic=True, **request))  # type: ignore[arg-type]


def test_other_words_for_the_same_are_found(meant: Vault) -> None:
    assert texts(ask(meant, "holiday"))[0] == "a sabbatical in June, by train"
    assert "semantic" in ask(meant, "holiday").chosen[0].scored.paths
    assert recall(meant, Request("holiday")).matched  # words find nothing, so the chosen model is asked
    assert not recall(meant, Request("holiday", semantic=False)).matched


def test_a_chosen_model_is_used_also_where_words_match(meant: Vault) -> None:
    """Without a watcher and without a flag; neither LanceDB nor fastembed is loaded for it, as each takes a second."""
    found = recall(opened(meant.root), Request("puppy sabbatical"))
    assert max(each.scored.parts["meaning"] for each in found.chosen) == 1
    script = (
        "import os, sys; from pathlib import Path; from datetime import datetime\n"
        "from memcli.vault.vault import open_vault; from memcli.recall import Request, recall\n"
        f"vault = open_vault(Path({str(meant.root)!r}), datetime.now, os.environ)\n"
        "assert 'semantic' in recall(vault, Request('holiday')).chosen[0].scored.paths\n"
        "assert not {'lancedb', 'pyarrow', 'fastembed', 'huggingface_hub'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_with_a_model_the_parts_of_words_keep_their_odds(meant: Vault) -> None:
    """The score has one part more, so each counts less; but the published preset and the user's weights stay."""

    def weights(semantic: bool, **recall_settings: object) -> dict[str, float]:
        changed = {f"recall__{name}": value for name, value in recall_settings.items()}
        return find_weights(seek(opened(meant.root, **changed), Request("puppy", semantic=semantic)).search)

    by_words = weights(False)
    assert weights(True) == {part: BESIDE_MEANING * weight for part, weight in by_words.items()} != by_words
    assert weights(True, preset="classic") == weights(False, preset="classic")
    assert weights(True, weights={"text": 2.0})["text"] == 2


def test_nearness_that_many_memories_share_counts_less_but_finds_them(meant: Vault) -> None:
    alone = ask(meant, "holiday").chosen[0].scored.parts["meaning"]
    logs = "".join(f"- a sabbatical in year {year}\n" for year in range(2001, 2016))
    others = "".join(f"- lamp {number} for the hall\n" for number in range(60))
    lay(meant.root, {"mem.yaml": "index: {model: tiny}\n", "MEMORY.md": logs, "USER.md": others})
    refresh.refresh(opened(meant.root))
    crowd = ask(meant, "holiday")
    assert alone == 1 and len(crowd.chosen) > 1
    assert 0 < max(each.scored.parts["meaning"] for each in crowd.chosen) < 0.5


def test_a_later_change_is_shown_that_means_the_same_in_other_words(meant: Vault) -> None:
    """The change shares no word with the question, nor with the old note."""
    others = {f"logs/2026-09-{day:02}.md": f"- lamp {day} in the hall\n" for day in range(1, 20)}
    old, new = "dog drill, six sharp", "puppy: nine instead"
    logs = {"logs/2026-10-01.md": f"- {old}\n", "logs/2026-11-01.md": f"- {new}\n"}
    lay(meant.root, {"mem.yaml": "index: {model: tiny}\n", **others, **logs})
    refresh.refresh(opened(meant.root))
    assert texts(ask(meant, "drill")) == [old, new]
    assert texts(ask(meant, "drill in October")) == [old]
    assert texts(recall(opened(meant.root), Request("drill", semantic=False))) == [old]


@pytest.mark.parametrize(
    ("change", "question", "said"),
    [
        (lambda vault: refresh.forget(vault), "holiday", "has no vectors of this model yet; mem index"),
        (
            lambda vault: (vault.root / "notes/new.md").write_text("- tea\n"),
            "holiday",
            "1 file changed since the last mem index",
        ),
        (lambda vault: shutil.rmtree(Path(os.environ["XDG_DATA_HOME"])), "holiday", "no model is called 'tiny'"),
        (lambda vault: None, "狗在哪里", "tiny does not know the language"),
        (lambda vault: None, "holiday", ""),
    ],
)
def test_where_a_chosen_model_is_not_used_one_line_says_why(
    meant: Vault, change: Callable[[Vault], object], question: str, said: str
) -> None:
    change(meant)
    vault = opened(meant.root)
    recall(vault, Request(question))
    assert [said in notice for notice in vault.notices] == ([True] if said else [])


def test_a_catalogue_with_vectors_of_another_size_is_named_and_words_answer(meant: Vault) -> None:
    with sqlite3.connect(meant.cache / "index.db") as base:
        base.execute("update meanings set vectors = x'00'")
    base.close()
    vault = opened(meant.root)
    assert texts(recall(vault, Request("puppy")))[0] == "the puppy sleeps on the sofa"
    assert "damaged" in vault.notices[0]


def test_words_and_meaning_are_summed_and_shown(meant: Vault) -> None:
    best = ask(meant, "puppy on the sofa").chosen[0].scored
    assert best.parts["text"] == 1 and best.parts["meaning"] == 1
    assert ask(meant, "holiday").weights["meaning"] > 0


@pytest.mark.parametrize("setting, asked, expected", [
    ("auto", None, True), ("auto", False, False), ("auto", True, True), ("always", None, True), ("always", False, False),
    ("never", None, False), ("never", True, True),
])  # fmt: skip
def test_when_meaning_is_asked_for(meant: Vault, setting: str, asked: bool | None, expected: bool) -> None:
    vault = opened(meant.root, recall__semantic=setting)
    assert recall(vault, Request("holiday", semantic=asked)).matched is expected


@pytest.mark.parametrize(("least", "matched"), [({}, True), ({"all": 0.99999}, False), ({"log": 0.99999}, False),
                                                ({"all": 0.99999, "log": 0.1}, True), ({"memory": 0.99999}, True)])  # fmt: skip
def test_what_is_less_like_than_is_set_for_its_kind_is_not_found(
    meant: Vault, least: dict[str, float], matched: bool
) -> None:
    vault = opened(meant.root, recall__likeness=least)
    assert recall(vault, Request("a holiday soon", semantic=True)).matched is matched


def test_a_watcher_answers_as_the_command_does_by_itself(meant: Vault) -> None:
    live = Resident(meant.root)
    live.catch_up(opened(meant.root))
    for question in ("dog", "sabbatical", "zebra crossing", "holiday by train", "what is a lamp", "缓存", ""):
        for semantic in (True, False):
            warm = live.vault(lambda: NOW, dict(os.environ), {}, "me")
            asked = Request(question, semantic=semantic)
            cold = opened(meant.root)
            assert recall(warm, asked).as_json() == recall(cold, asked).as_json()
            assert warm.notices == cold.notices
    assert recall(live.vault(lambda: NOW, dict(os.environ), {}, "me"), Request("holiday")).matched  # auto


def test_what_changes_is_seen_in_its_new_meaning(meant: Vault) -> None:
    live = Resident(meant.root)
    live.catch_up(opened(meant.root))
    lay(meant.root, {"mem.yaml": "index: {model: tiny}\n", "notes/new.md": "- a second sabbatical\n"})
    live.reread(None)
    live.catch_up(opened(meant.root))
    assert texts(recall(live.vault(lambda: NOW, dict(os.environ), {}, "me"), Request("holiday"))) == [
        "a second sabbatical"
    ]
    assert live.vectors is not None and len(live.vectors) == 1


def test_a_row_of_a_line_that_is_no_more_points_nowhere(meant: Vault) -> None:
    (meant.root / "logs/2026-10-02.md").write_text("- the cat sleeps\n", encoding="utf-8")
    assert "sabbatical" not in ask(meant, "holiday").text


def test_without_a_model_words_answer_and_it_is_said_when_meaning_was_asked_for(folder: Path) -> None:
    lay(folder, NOTES)
    vault = opened(folder)
    found = recall(vault, Request("puppy", semantic=True))
    assert texts(found)[0] == "the puppy sleeps on the sofa"
    assert any("words alone" in notice and "mem model use" in notice for notice in vault.notices)
    quiet = opened(folder)
    recall(quiet, Request("puppy"))
    assert not quiet.notices


@pytest.mark.parametrize("trouble", ["gone", "corrupt", "no index", "another model"])
def test_a_broken_model_or_index_never_breaks_a_recall(
    meant: Vault, trouble: str, model_folder: Path, tmp_path: Path
) -> None:
    if trouble == "gone":
        (meant.root / "mem.yaml").write_text("index: {model: nobody}\n", encoding="utf-8")
    elif trouble == "corrupt":
        (meant.cache / "index.db").write_bytes(b"no database at all" * 100)
    elif trouble == "no index":
        refresh.forget(meant)
    else:
        download.register(tiny.build(tmp_path / "other", dim=48), dict(os.environ), name="other")
        (meant.root / "mem.yaml").write_text("index: {model: other}\n", encoding="utf-8")
    vault = opened(meant.root)
    found = recall(vault, Request("puppy sofa", semantic=True))
    assert texts(found)[0] == "the puppy sleeps on the sofa"
    assert any("words alone" in notice for notice in vault.notices)


def test_a_model_is_not_asked_in_a_language_it_does_not_know(meant: Vault) -> None:
    """It would give numbers all the same, and they would mean nothing."""
    assert not any(each.scored.parts["meaning"] for each in ask(meant, "狗在哪里").chosen)


def test_filters_hold_for_meaning_too(meant: Vault) -> None:
    assert not ask(meant, "holiday", path="notes").matched
    assert ask(meant, "holiday", path="logs").matched


def test_an_old_snapshot_is_nearer_than_it_counts(meant: Vault) -> None:
    for day in ("2026-11-20", "2026-11-16", "2026-09-20", "2026-08-20"):
        path = meant.root / "snapshots" / f"{day}-1000-abcd.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"---\nexpires: 2027-01-01\n---\nthe sabbatical of {day}\n", encoding="utf-8")
    refresh.refresh(meant)
    found = {
        each.scored.entry.path: each.scored for each in ask(meant, "holiday").chosen if "semantic" in each.scored.paths
    }
    snapshots = [path for path in found if path.startswith("snapshots")]
    assert snapshots == ["snapshots/2026-11-20-1000-abcd.md", "snapshots/2026-11-16-1000-abcd.md"]
    assert found[snapshots[0]].parts["meaning"] > 1.5 * found[snapshots[1]].parts["meaning"] > 0


def test_layers_give_the_latest_the_nearest_and_what_sums_up(meant: Vault) -> None:
    lay(meant.root, {
        "mem.yaml": "index: {model: tiny}\nrecall: {preset: layered}\n",
        "MEMORY.md": "".join(f"- the holiday at place {n}\n" for n in "abcd"),
        **{f"logs/2026-11-{d:02}.md": f"- day {d} was long\n- day {d} ended well\n" for d in range(10, 21)},
        **{f"logs/2026-09-{d:02}.md": f"- sabbatical at {d} o'clock, part {'abcdefghij'[d]}\n" for d in range(1, 8)},
    })  # fmt: skip
    refresh.refresh(opened(meant.root))
    found = recall(opened(meant.root), Request("holiday", semantic=True))
    parts = [layers.layer_of(each.scored) for each in found.chosen]
    assert {name: parts.count(name) for name in parts} == {"recent": 5, "semantic": 3, "summary": 2}
    assert len({each.scored.entry for each in found.chosen}) == 10
    assert {each.scored.entry.day for each in found.chosen if layers.layer_of(each.scored) == "recent"} <= {
        NOW.date().replace(day=day) for day in (18, 19, 20)
    }


# -- words and meaning judge together ----------------------------------------------------------------------------------


def test_a_word_that_is_in_the_notes_is_no_answer_where_the_meaning_is_far(meant: Vault) -> None:
    asked = "is there money in the fence"
    assert recall(opened(meant.root), Request(asked, semantic=False)).matched
    assert not ask(meant, asked).matched
    assert ask(meant, "who painted the fence").matched


def test_words_that_somebody_types_to_look_for_are_found_whatever_they_mean(meant: Vault) -> None:
    assert texts(ask(meant, "fence budget"))[0] == "we painted the fence"


def test_what_changed_since_the_index_is_judged_by_its_words(meant: Vault) -> None:
    (meant.root / "notes/new.md").write_text("- gave money for the fence\n", encoding="utf-8")
    assert texts(ask(meant, "who gave money for the fence"))[0] == "gave money for the fence"


def test_a_single_memory_is_near_or_far(meant: Vault) -> None:
    lay(meant.root, {"mem.yaml": "index: {model: tiny}\n", "MEMORY.md": "- sabbatical by train\n"})
    refresh.refresh(opened(meant.root))
    assert ask(meant, "holiday plans").matched
    assert not ask(meant, "puppy food").matched


def test_a_prompt_gets_what_is_near_in_meaning_and_no_other(meant: Vault) -> None:
    def brought(said: str, semantic: bool = True) -> list[str]:
        result = seek(opened(meant.root), Request(said, semantic=semantic, fill=True))
        return [memory.entry.words for memory in find_relevant(result, said)]

    said = "holiday plans"
    assert brought(said)[0] == "a sabbatical in June, by train"
    assert brought(said, semantic=False) == []
    assert brought("sort lamps by budget") == []


# -- preferences -------------------------------------------------------------------------------------------------------

TASTES = (
    "- {key: visits, value: scared near crowds}\n- {key: fences, value: painted blue}\n- {key: lamps, value: dim}\n"
)


def preferences_for(vault: Vault, question: str, **request: object) -> list[str]:
    return [fact.preference for fact in ask(vault, question, **request).facts if fact.preference]


def test_a_preference_applies_that_says_the_same_in_other_words(meant: Vault) -> None:
    (meant.root / "preferences.yaml").write_text(TASTES)
    assert preferences_for(meant, "shall I invite anna") == ["visits"]
    found = recall(opened(meant.root), Request("shall I invite anna", semantic=False))
    assert not [fact for fact in found.facts if fact.preference]
    assert not preferences_for(meant, "what budget fits")
    assert not preferences_for(meant, "did I invite anna last year")  # it asks what was, not what to do


def test_very_many_preferences_are_not_embedded(meant: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    more = "".join(f"- {{key: key{number}, value: dim}}\n" for number in range(200))
    (meant.root / "preferences.yaml").write_text(TASTES + more)
    monkeypatch.setattr(Embedder, "stored", lambda embedder, texts: pytest.fail("embedded"))
    assert not preferences_for(meant, "shall I invite anna")


def test_a_preference_is_embedded_once(meant: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    (meant.root / "preferences.yaml").write_text(TASTES)
    embedded: list[str] = []
    passages = Embedder.passages

    def listed(embedder: Embedder, texts: Sequence[str]) -> Vectors:
        embedded.extend(texts)
        return passages(embedder, texts)

    monkeypatch.setattr(Embedder, "passages", listed)
    assert preferences_for(meant, "shall I invite anna") == ["visits"]
    assert len([text for text in embedded if "scared" in text]) == 1
    assert preferences_for(meant, "shall I visit anna") == ["visits"]
    assert len([text for text in embedded if "scared" in text]) == 1
