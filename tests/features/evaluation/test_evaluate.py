"""`recall.evaluate`: what counts as found, why something was missed, and the sample vault's own questions."""

from __future__ import annotations

import re
from datetime import datetime
from itertools import count
from pathlib import Path

import pytest

from memcli.errors import UsageError
from memcli.features.evaluation import evaluate
from memcli.features.evaluation.evaluate import (
    ABSENT,
    CUT,
    ELSEWHERE,
    OUTSIDE,
    UNFOUND,
    UNWANTED,
    Case,
    CaseResult,
    Report,
)
from memcli.text import dates
from memcli.text.words import CJK_RUN
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.rows import check_rows

SAMPLE = Path(__file__).parents[3] / "sample_vault"
ASKED_ON = datetime(2026, 11, 21, 12)

NOTES = """# 2026-11-18

- 10:00 Decided: the route cache gets two levels, Caffeine
  before Redis ^two-level
- 11:00 The cat weighs 5.6 kg.
- 12:00 缓存评审定在下周三下午两点。
"""


@pytest.fixture
def notes(folder: Path) -> Vault:
    (folder / "logs").mkdir()
    (folder / "logs/2026-11-18.md").write_text(NOTES, encoding="utf-8")
    return opened(folder)


def asked(vault: Vault, case: Case, budget: int | None = None) -> CaseResult:
    """One case, timed by a clock that ticks once a look."""
    return evaluate.evaluate(vault, [case], count(step=1.0).__next__, budget=budget).results[0]


def kinds(result: CaseResult) -> list[str]:
    return [reason.kind for reason in result.reasons]


# -- reading cases -----------------------------------------------------------------------------------------------------


def test_a_case_may_say_all_it_can_say() -> None:
    text = '- {ask: why, want: one, path: a.md, paths: [b.md], not: ["x", "y"], budget: 300}'
    assert evaluate.read_cases(text, "c.yaml") == [Case("why", ("one",), ("a.md", "b.md"), ("x", "y"), 300)]


@check_rows(
    ("text", "said"),
    [
        ("- ask: a\n\twant: b\n", "c.yaml:2: broken YAML"),
        ("", "c.yaml: expected a list"),
        ("ask: what\nwant: x\n", "c.yaml: expected a list"),
        ("- just words\n", "c.yaml: case 1: expected 'ask: …'"),
        ("- {ask: a, want: b}\n- {want: b}\n", "c.yaml: case 2: 'ask' must be"),
        ("- {ask: ' ', want: b}\n", "c.yaml: case 1: 'ask' must be"),
        ("- {ask: what now, wnat: b}\n", "c.yaml: case 1: unknown key 'wnat'"),
        ("- {ask: what now}\n", "c.yaml: case 1 ('what now'): says neither"),
        ("- {ask: what now, want: 2026-11-18}\n", "which is not text"),
        ("- {ask: what now, want: [true]}\n", "'want' holds True"),
        ("- {ask: what now, want: ['']}\n", "'want' holds an empty text"),
        ("- {ask: what now, want: b, budget: -1}\n", "'budget' must be"),
        ("- {ask: what now, want: b, budget: true}\n", "'budget' must be"),
    ],
)
def test_a_malformed_case_is_named_with_its_file(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        evaluate.read_cases(text, "c.yaml")
    assert said in caught.value.message and caught.value.message.startswith("c.yaml")


def test_a_mistyped_key_comes_with_the_right_one() -> None:
    with pytest.raises(UsageError) as caught:
        evaluate.read_cases("- {ask: a, wnat: b}", "c.yaml")
    assert "'want'" in caught.value.hint


# -- what counts as found ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("want", ["Caffeine before Redis", "Caffeine\n  before   Redis", "^two-level", "id:^two-level"])
def test_a_memory_is_wanted_by_its_text_whatever_its_line_breaks_or_by_its_id(notes: Vault, want: str) -> None:
    result = asked(notes, Case("what about the route cache", (want,)))
    assert result.passed and result.found == 1 and result.rank == 1


def test_the_beginning_of_an_id_is_enough(notes: Vault) -> None:
    cat = next(entry for entry in notes.entries() if "cat" in entry.raw)
    assert asked(notes, Case("how heavy is the cat", (f"id:{cat.hash[:6]}",))).passed
    assert not asked(notes, Case("how heavy is the cat", ("id:0123456789",))).passed


def test_a_fact_read_directly_stands_first(folder: Path) -> None:
    (folder / "labels.yaml").write_text("- name: home\n  address: 12 Water Lane\n", encoding="utf-8")
    result = asked(opened(folder), Case("where is home", ("12 Water Lane",), ("labels.yaml",)))
    assert result.passed and result.rank == 1


# -- why something was missed ------------------------------------------------------------------------------------------


def test_a_miss_outside_the_budget_says_where_it_ranked(notes: Vault) -> None:
    result = asked(notes, Case("the cat weighs the route cache", ("5.6 kg", "Caffeine before Redis")), budget=45)
    assert kinds(result) == [OUTSIDE]
    assert re.fullmatch(r"logs/2026-11-18\.md:3, ranked [23] where 1 fit", result.reasons[0].detail)


def test_a_memory_that_was_cut_is_told_from_one_that_is_not_there(folder: Path) -> None:
    long = "- The pump needs oil. " + "It hums at night and nobody minds. " * 60 + "The spare key is blue."
    (folder / "2026-11-18.md").write_text(long + "\n", encoding="utf-8")
    result = asked(opened(folder), Case("what does the pump need", ("needs oil", "spare key is blue")), budget=100)
    assert kinds(result) == [CUT] and result.found == 1


def test_what_nothing_of_the_question_leads_to_is_shown_with_its_place(notes: Vault) -> None:
    (notes.root / "elsewhere.md").write_text("Umbrellas dry in the hall.\n", encoding="utf-8")
    result = asked(notes, Case("how heavy is the cat", ("Umbrellas dry",)))
    assert kinds(result) == [UNFOUND] and result.reasons[0].detail == "elsewhere.md:1"


def test_what_no_memory_says_is_the_fault_of_the_case(notes: Vault) -> None:
    assert kinds(asked(notes, Case("how heavy is the cat", ("seven kilos",)))) == [ABSENT]


def test_the_right_words_from_the_wrong_file_are_a_miss(notes: Vault) -> None:
    result = asked(notes, Case("how heavy is the cat", ("5.6 kg",), ("MEMORY.md",)))
    assert kinds(result) == [ELSEWHERE] and result.found == 1
    assert "logs/2026-11-18.md" in result.reasons[0].detail


def test_what_must_not_be_said_fails_the_case(notes: Vault) -> None:
    assert kinds(asked(notes, Case("how heavy is the cat", never=("5.6 kg",)))) == [UNWANTED]
    assert asked(notes, Case("how heavy is the cat", never=("seven kilos",))).passed


# -- figures -----------------------------------------------------------------------------------------------------------


def test_the_figures_are_those_of_the_results() -> None:
    two = Case("a", ("x", "y"))
    miss = evaluate.Reason(OUTSIDE, "y")
    report = Report(
        "default",
        (
            CaseResult(two, 2, 1, 100, 0.010),
            CaseResult(two, 1, 4, 300, 0.030, (miss,)),
            CaseResult(two, 0, None, 200, 0.020, (miss, miss)),
            CaseResult(Case("b", paths=("f.md",)), 0, None, 200, 0.040),
        ),
    )
    assert report.accuracy == 0.5
    assert report.found_share == 0.5
    assert report.reciprocal_rank == pytest.approx((1 + 1 / 4 + 0) / 3)  # only where a memory was wanted
    assert report.token_sizes == (200.0, 300)
    assert (report.latency(0.5), report.latency(0.95)) == (0.020, 0.040)
    assert len(report.misses) == 2


def test_no_cases_have_figures_too() -> None:
    empty = Report("default", ())
    assert (empty.accuracy, empty.reciprocal_rank, empty.token_sizes, empty.latency(0.95)) == (0.0, 0.0, (0.0, 0), 0.0)


def test_time_is_taken_by_the_clock_that_is_handed_in(notes: Vault) -> None:
    assert asked(notes, Case("how heavy is the cat", ("5.6 kg",))).seconds == 1.0


def test_a_case_with_its_own_budget_keeps_it(notes: Vault) -> None:
    assert asked(notes, Case("route cache", ("Caffeine",), budget=45), budget=900).tokens <= 45
    assert not asked(notes, Case("route cache", ("Caffeine",)), budget=0).passed


def test_another_preset_is_measured_without_changing_the_vault(notes: Vault) -> None:
    case = Case("how heavy is the cat", ("5.6 kg",))
    assert evaluate.evaluate(notes, [case], count().__next__, "classic").preset == "classic"
    assert notes.settings.recall.preset == "default"
    with pytest.raises(UsageError, match="clasic") as caught:
        evaluate.evaluate(notes, [case], count().__next__, "clasic")
    assert "classic" in caught.value.hint


# -- the sample vault --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sample() -> list[Case]:
    return evaluate.read_cases((SAMPLE / "eval.yaml").read_text(encoding="utf-8"), "eval.yaml")


def test_the_sample_asks_sixty_questions_half_in_chinese_and_a_quarter_about_time(sample: list[Case]) -> None:
    assert len(sample) >= 60
    chinese = [case for case in sample if CJK_RUN.search(case.ask)]
    assert len(chinese) >= len(sample) / 2
    timed = [case for case in sample if dates.find_dates(case.ask, ASKED_ON.date())]
    assert len(timed) >= len(sample) / 4


def test_every_text_the_sample_wants_is_in_its_files(sample: list[Case]) -> None:
    every = [path.read_text(encoding="utf-8") for path in SAMPLE.rglob("*") if path.suffix in (".md", ".yaml")]
    notes = " ".join(" ".join(every).split())
    for case in sample:
        for want in case.want:
            assert notes.count(" ".join(want.split())) >= 2, f"only the question itself says {want!r}"


def test_nine_of_ten_questions_on_the_sample_vault_are_answered(sample: list[Case]) -> None:
    report = evaluate.evaluate(opened(SAMPLE, ASKED_ON), sample, count().__next__)
    assert report.accuracy >= 0.9, [(miss.case.ask, miss.reasons) for miss in report.misses]
    assert report.token_sizes[1] <= 1000
