"""Open tasks as people ask for them: what is due in a time, what is late, all of them, the next one first."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.recall import Request, find_relevant, seek
from memcli.recall.told_days import find_due
from tests.conftest import NOW, opened
from tests.recall.vaults import ask, entry, lay, texts
from tests.rows import check_rows

TASKS = {  # today is Saturday, 21 November 2026
    "logs/2026-11-05.md": "- [ ] 09:00 return the ladder to Ines (2026-11-17)\n",
    "logs/2026-11-12.md": "- [ ] 09:00 send the November timesheets (2026-11-24)\n- 10:00 the gutter leaks\n",
    "logs/2026-11-18.md": "- [ ] 09:00 ring the roofer\n- [x] 09:10 pay the rates (2026-11-20)\n",
    "logs/2026-11-20.md": "- [ ] 09:00 renew the passport by 15 December\n- [ ] 12月2号前交房租\n",
}
LATE, NEXT, ANY, RENT, FAR = "ladder", "timesheets", "roofer", "房租", "passport"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lay(tmp_path, TASKS)


def named(lines: list[str]) -> list[str]:
    return [next((name for name in (LATE, NEXT, ANY, RENT, FAR) if name in line), line) for line in lines]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("open tasks", [LATE, NEXT, RENT, FAR, ANY]), ("unfinished tasks", [LATE, NEXT, RENT, FAR, ANY]),
        ("未完成的任务", [LATE, NEXT, RENT, FAR, ANY]), ("哪些事情快到期了", [LATE, NEXT, RENT, FAR, ANY]),
        ("what's overdue", [LATE]), ("逾期的事情", [LATE]), ("what is due next week", [NEXT, ANY]),
        ("what have I got to do by Wednesday", [LATE, NEXT, ANY]), ("tasks for December 1st", [RENT, ANY]),
        ("下个月要做的事", [RENT, FAR, ANY]),
    ],
)  # fmt: skip
def test_a_question_for_tasks_brings_those_of_its_time_the_next_one_first(
    folder: Path, question: str, wanted: list[str]
) -> None:
    assert named(texts(ask(folder, question))) == wanted


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("list my open tasks for next week", [NEXT, ANY]), ("what do I still have to do", [LATE, NEXT, RENT, FAR, ANY]),
        ("做一张12月待办日历", [RENT, FAR, ANY]), ("帮我排12月的值班表", [FAR, RENT]), ("draft the rota for next week", [NEXT]),
        ("what tasks are left in this plan", []),
    ],
)  # fmt: skip
def test_a_prompt_for_the_tasks_of_the_user_brings_them(folder: Path, prompt: str, wanted: list[str]) -> None:
    found = find_relevant(seek(opened(folder), Request(prompt, 1000, fill=True)), prompt)
    assert named([each.entry.raw for each in found]) == wanted


@check_rows(
    ("text", "last"),
    [
        ("- [ ] send the November timesheets (2026-11-24)", "2026-11-24"), ("- [ ] ring the roofer", ""),
        ("- [ ] sort the papers this month, for Wednesday's talk the slides", "2026-11-25"),
        ("- [ ] 12月2号前交房租", "2026-12-01"), ("- [ ] renew it [due:: 2026-12-09]", "2026-12-09"),
    ],
)  # fmt: skip
def test_a_task_is_due_on_the_day_that_it_names(text: str, last: str) -> None:
    due = find_due(entry(text), NOW.date())
    assert str(due.last if due else "") == last
