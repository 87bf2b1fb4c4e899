"""The time, tag and file paths: what each names as a candidate."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from memcli import contributions
from memcli.recall import paths
from memcli.recall.paths import file, tag, time
from memcli.recall.score import OTHER_PARTS, PRESETS
from memcli.vault.vault import Filter
from tests.conftest import opened
from tests.recall.vaults import SAMPLE, TODAY, ask, ask_sample, entry, ground, lay, log, places, texts
from tests.rows import check_rows

NAMED = {path.name: path for path in paths.PATHS}


def found(folder: Path, path: str, question: str, want: Filter | None = None, **tags: list[str]) -> list[str]:
    """What one path brings for a question, sorted."""
    return sorted(each.words for each in NAMED[path].find(ground(opened(folder), question, want, **tags)))


def ago(days: int) -> date:
    return TODAY - timedelta(days)


def test_a_path_that_has_a_file_is_in_the_list_and_in_the_score() -> None:
    folder = Path(paths.__file__).parent
    written = {file.stem for file in folder.glob("*.py") if "PATH = RecallPath(" in file.read_text(encoding="utf-8")}
    brought = contributions.recall_paths()
    own = set(NAMED) - {path.name for path in brought}
    assert written == own, "a path counts when its PATH stands in PATHS (recall/paths/__init__.py)"
    assert {path.part for path in paths.PATHS if path not in brought} <= set(PRESETS["default"])
    assert len({path.part for path in paths.PATHS} | set(OTHER_PARTS)) == len(paths.PATHS) + len(OTHER_PARTS)


# -- time ----------------------------------------------------------------------------------------------------------


def test_without_a_date_the_last_days_are_candidates(folder: Path) -> None:
    lay(folder, {log(ago(n)): f"- {n} days ago\n" for n in range(7)} | {log(ago(-1)): "- tomorrow\n"})
    assert found(folder, "time", "anything") == [f"{n} days ago" for n in range(4)]


def test_how_far_back_is_a_setting(folder: Path) -> None:
    lay(folder, {log(ago(n)): f"- {n} days ago\n" for n in range(7)})
    vault = opened(folder, recall__recent_days=1)
    assert sorted(each.words for each in time.find_entries(ground(vault, "anything"))) == ["0 days ago", "1 days ago"]


def test_with_a_date_only_its_days_are_candidates(folder: Path) -> None:
    lay(folder, {log(ago(n)): f"- {n} days ago\n" for n in range(7)})
    assert found(folder, "time", "what happened yesterday") == ["1 days ago"]
    assert found(folder, "time", "前天和昨天") == ["1 days ago", "2 days ago"]


@pytest.mark.parametrize(
    "heading",
    ["2026-10-03", "2026/10/3", "2026.10.03", "20261003", "2026年10月3日", "3 October 2026", "3rd Oct 2026", "October 3, 2026",
     "Oct. 3rd, 2026", "Sat, 3 Oct 2026, evening", "于2026-10-03"],
)  # fmt: skip
def test_a_day_is_found_by_the_heading_it_is_written_in(folder: Path, heading: str) -> None:
    lay(folder, {"notes/diary.md": f"# Diary\n## {heading}\n- the day\n## other\n- no day\n"})
    assert found(folder, "time", "what happened on 3 October 2026") == ["the day"]
    assert texts(ask(folder, "what happened in the last two months")) == ["2026-10-03 the day"]


def test_a_day_is_found_by_front_matter_field_or_lead(folder: Path) -> None:
    lay(folder, {
        "notes/a.md": "---\ndate: 2026-10-03\n---\n- by front matter\n",
        "notes/b.md": "- by field [date:: 2026-10-03]\n- of no day\n",
        "MEMORY.md": "# Decisions\n- 2026-10-03 by its lead\n- 2026-10-04 the next day\n",
        "2026-10-03/talk.md": "- by folder\n",
        "Daily/2026-10-03 Sat.md": "- by file name\n",
    })  # fmt: skip
    expected = ["2026-10-03 by its lead", "by field", "by file name", "by folder", "by front matter"]
    assert found(folder, "time", "what happened on 2026-10-03") == expected


def test_every_month_of_a_span_is_looked_through(folder: Path) -> None:
    days = [date(2026, 1, 31), date(2026, 2, 14), date(2026, 3, 20), date(2026, 4, 2)]
    lay(folder, {f"notes/{n}.md": f"## {day}\n- {day}\n" for n, day in enumerate(days)})
    said = found(folder, "time", "between 2026-01-31 and 2026-04-02")
    assert said == [str(day) for day in days]


def test_of_a_long_span_the_newest_days_are_read(folder: Path) -> None:
    lay(folder, {log(ago(n)): f"- day {n}\n" for n in range(200)})
    said = found(folder, "time", "this year")
    assert len(said) == time.MOST_FILES
    assert "day 0" in said and "day 199" not in said


def test_a_day_of_a_long_span_with_a_word_of_the_question_is_read_too(folder: Path) -> None:
    lay(folder, {log(ago(n)): f"- day {n} {'zebra' if n == 180 else ''}\n" for n in range(200)})
    assert "day 180 zebra" in found(folder, "time", "zebra this year")


SAMPLE_DAYS = sorted(date.fromisoformat(path.stem) for path in (SAMPLE / "logs").glob("*.md"))


ENGLISH = ("what happened on {0:%Y-%m-%d}", "what did I do on {0:%B} {0.day}", "{0.day} {0:%B} {0.year}, how was it?")
CHINESE = ("{0.month}月{0.day}日发生了什么", "{0.year}年{0.month}月{0.day}号我做了什么", "{0.month}月{0.day}号那天")


@pytest.mark.slow
@check_rows("day", SAMPLE_DAYS, ids=str)
def test_a_question_that_names_a_day_gets_that_day_first(day: date) -> None:
    for question in (ENGLISH[day.day % 3], CHINESE[day.day % 3]):
        days = [each.scored.entry.day for each in ask_sample(question.format(day)).chosen]
        assert days[:5] == [day] * 5, question


def test_a_word_besides_the_date_picks_within_the_day() -> None:
    assert "logs/2026-11-13.md:5" in places(ask_sample("what did Lao Wang say on 2026-11-13"))[:5]
    assert "logs/2026-11-13.md:12" in places(ask_sample("11月13号那天高架堵车"))[:3]


# -- tag -----------------------------------------------------------------------------------------------------------


def test_a_tag_brings_what_carries_it(folder: Path) -> None:
    lay(folder, {
        "notes/a.md": "- one #cache\n- two #cached\n- three #Cache/redis\n- four cache\n",
        "notes/b.md": "---\ntags: [cache, work]\n---\n- five\n",
        "notes/c.md": "---\ntags:\n  - cache\n---\n- six\n",
        "notes/d.md": "---\ntag: cache\n---\n- seven\n",
    })  # fmt: skip
    carried = ["five", "one #cache", "seven", "six", "three #Cache/redis"]
    assert found(folder, "tag", "#cache") == carried
    assert found(folder, "tag", "#CACHE") == carried
    assert found(folder, "tag", "tag:cache") == carried
    assert found(folder, "tag", "#cache/redis") == ["three #Cache/redis"]
    assert found(folder, "tag", "cache") == []


def test_a_word_brings_the_tag_it_stands_for(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- one #缓存\n- two\n", "tags.yaml": "缓存: [cache, redis]\n"})
    assert found(folder, "tag", "about redis", 缓存=["redis"]) == ["one #缓存"]
    assert texts(ask(folder, "redis", most=1))[0].startswith("one")  # and recall reads tags.yaml by itself


def test_a_tag_asked_for_is_surer_than_one_meant(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- one #cache\n"})
    vault = opened(folder)
    for question, hints, low, high in (
        ("#cache", [], 1.0, 1.0),
        ("redis", ["redis"], 0.1, 0.9),
        ("redis", [], 0.0, 0.0),
    ):
        over = ground(vault, question, None, cache=hints)
        assert low <= tag.strength(over, over.entries("notes/a.md")[0]) <= high


def test_a_broken_list_of_tags_is_noticed_and_the_question_answered(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- about redis\n", "tags.yaml": "a: [b\n"})
    vault = opened(folder)
    from memcli.recall import Request, recall

    assert texts(recall(vault, Request("redis"))) == ["about redis"]
    assert [notice for notice in vault.notices if "tags.yaml" in notice]


@pytest.mark.parametrize("question", ["what are my open tasks", "todos", "还有哪些待办", "还有什么没做"])
def test_a_question_for_tasks_brings_the_empty_boxes(folder: Path, question: str) -> None:
    lay(folder, {
        log(ago(200)): "- [ ] an old one\n- [x] a done one\n- [-] a cancelled one\n- no task, but a note about tasks\n",
        "notes/a.md": "1. [ ] a numbered one\n* [ ] a starred one\n",
    })  # fmt: skip
    open_ones = ["a numbered one", "a starred one", "an old one"]
    assert found(folder, "tag", question) == open_ones
    assert sorted(texts(ask(folder, question))) == [f"[ ] {each}" for each in open_ones]


@pytest.mark.parametrize("question", ["which tasks are done", "what have I finished", "哪些任务做完了", "已完成的待办"])
def test_a_question_for_what_is_done_brings_the_ticked_boxes(folder: Path, question: str) -> None:
    lay(folder, {log(ago(200)): "- [ ] an old one\n- [x] a done one\n- [-] a cancelled one\n- a task is done\n"})
    assert texts(ask(folder, question)) == ["[x] a done one"]


def test_what_was_finished_in_a_time_was_ticked_in_it(folder: Path) -> None:
    lay(folder, {
        log(ago(9)): f"- [x] paint the door [done:: {ago(1)}]\n- [x] buy paint\n",
        log(ago(1)): "- [ ] pay the plumber\n- fixed the pump\n",
    })  # fmt: skip
    assert texts(ask(folder, "what did I finish yesterday")) == ["[x] paint the door"]


def test_who_ticks_no_tasks_finished_all_of_that_day(folder: Path) -> None:
    lay(folder, {log(ago(1)): "- [ ] pay the plumber\n- fixed the pump\n", log(ago(9)): "- a quiet day\n"})
    assert sorted(texts(ask(folder, "what did I finish yesterday"))) == ["[ ] pay the plumber", "fixed the pump"]


def test_what_begins_with_decided_is_a_decision(folder: Path) -> None:
    lay(
        folder,
        {log(ago(1)): "- 10:40 Decided: no cache\n- **决定**：用 pnpm\n- decided on tea\n- [ ] Decision: ask Kim\n"},
    )
    of_type = [each.words for each in opened(folder).document(log(ago(1))).entries if each.type == "decision"]
    assert of_type == ["10:40 Decided: no cache", "**决定**：用 pnpm"]


def test_tasks_of_a_subject_come_before_other_tasks(folder: Path) -> None:
    lay(folder, {"a.md": "- [ ] buy a tyre\n", "b.md": "- [ ] print the album\n", "c.md": "- the album is nice\n"})
    assert texts(ask(folder, "what is left to do for the album"))[0] == "[ ] print the album"


def test_who_asks_when_something_is_due_gets_no_other_task(folder: Path) -> None:
    lay(folder, {"a.md": "- [ ] pay the plumber\n", "b.md": "- the baby is due in May\n"})
    assert texts(ask(folder, "when is the baby due")) == ["the baby is due in May"]


def test_what_is_due_in_a_time_is_open_or_planned_for_it(folder: Path) -> None:
    lay(folder, {
        log(ago(1)): "- [x] pay the rent\n- fixed the pump\n- [ ] pay the plumber\n",
        log(ago(9)): f"- dinner with Nadia on {TODAY + timedelta(days=1)}\n",
    })  # fmt: skip
    due = texts(ask(folder, f"what is due from {ago(2)} to {TODAY + timedelta(days=2)}"))
    assert sorted(due) == ["[ ] pay the plumber", f"dinner with Nadia on {TODAY + timedelta(days=1)}"]


def test_a_line_found_by_its_box_does_not_say_what_only_looks_like_a_word(folder: Path) -> None:
    lay(folder, {"a.md": "- [ ] sort the categories\n", "b.md": "- [ ] feed the cat\n"})
    said = {each.text: each.scored.matched for each in ask(folder, "tasks about the cat", fill=True).chosen}
    assert said == {"[ ] feed the cat": ("cat",), "[ ] sort the categories": ()}


def test_no_box_is_opened_by_any_other_question(folder: Path) -> None:
    lay(folder, {log(ago(200)): "- [ ] an old one\n"})
    assert found(folder, "tag", "cache") == []


# -- file ----------------------------------------------------------------------------------------------------------


def test_files_that_matter_are_candidates_whatever_is_asked(folder: Path) -> None:
    lay(
        folder,
        {
            "MEMORY.md": "- m\n",
            "insights.md": "- i\n",
            "projects.md": "- p\n",
            "USER.md": "- u\n",
            "notes/x.md": "- x\n",
        },
    )
    assert [each.words for each in file.find_entries(ground(opened(folder), "anything"))] == ["m", "i", "p", "u"]


def test_priorities_are_a_setting(folder: Path) -> None:
    lay(folder, {"MEMORY.md": "- m\n", "notes/x.md": "- x\n"})
    vault = opened(folder, recall__priorities={"notes/x.md": 1, "gone.md": 1, "MEMORY.md": 0})
    over = ground(vault, "anything")
    assert [each.words for each in file.find_entries(over)] == ["x", "m"]
    assert tuple(file.priority(over, entry("- x\n", path)) for path in ("notes/x.md", "MEMORY.md", "a.md")) == (
        1,
        0,
        0,
    )


# -- filters hold on every path ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", NAMED)
def test_no_path_brings_what_a_filter_shuts_out(folder: Path, path: str) -> None:
    lay(folder, {
        log(ago(0)): "- zebra today #t\n",
        log(ago(9)): "- zebra then #t\n",
        "MEMORY.md": "- zebra undated #t\n- 2026-11-21 zebra dated #t [type:: fact]\n- zebra untagged\n",
        "notes/zebra.md": "- zebra note #t\n",
    })  # fmt: skip
    for want in (
        Filter(since=ago(3)),
        Filter(until=ago(3)),
        Filter(tags=("t",)),
        Filter(path="notes"),
        Filter(path="*.md"),
        Filter(types=("fact",)),
    ):
        vault = opened(folder)
        for each in NAMED[path].find(ground(vault, "zebra #t today", want)):
            assert want.admits(each) and want.admits_file(each.path)
