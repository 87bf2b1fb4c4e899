"""A look back: ten lines at most, each with the memories that say so, and nothing written without a yes."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from memcli import llm, remember
from memcli.errors import Refused
from memcli.features.reflect import lookback as reflect
from memcli.features.reflect import model
from memcli.features.reflect.lookback import Line, by_rules, entries_of
from memcli.text import phrases
from memcli.text.tables import rows
from memcli.vault.vault import Vault
from tests.conftest import NOW, opened

TODAY = NOW.date()


def lay(folder: Path, days: dict[int, str], **others: str) -> Vault:
    """Logs of so many days ago, and other files."""
    for ago, text in days.items():
        path = folder / f"logs/{TODAY - timedelta(days=ago)}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name, text in others.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return opened(folder)


def texts(vault: Vault, kind: str, **more: object) -> list[str]:
    return [line.text for line in reflect.look_back(vault, **more).lines if line.kind == kind]  # type: ignore[arg-type]


def test_each_kind_is_told_from_what_stands_there(folder: Path) -> None:
    vault = lay(
        folder,
        {
            1: "- 09:00 We go with sqlite for the offline cache\n- 10:00 Anna no longer works at the port\n- [ ] renew the certificate\n",
            2: "- [x] pay the rent\n- who has the second key?\n- 14:00 tea in the garden\n",
        },
    )  # fmt: skip
    assert texts(vault, "decided") == ["We go with sqlite for the offline cache"]
    assert texts(vault, "changed") == ["Anna no longer works at the port"]
    assert texts(vault, "open") == ["renew the certificate", "who has the second key?"]


def test_chinese_is_read_as_well(folder: Path) -> None:
    vault = lay(folder, {1: "- 决定周五发布\n- 缓存换成了 Redis\n- [ ] 续签证书\n- 还没决定去哪\n"})
    assert (texts(vault, "decided"), texts(vault, "changed"), texts(vault, "open")) == (
        ["决定周五发布"], ["缓存换成了 Redis"], ["续签证书"],
    )  # fmt: skip


def test_a_long_memory_shows_the_sentence_that_tells_of_the_change(folder: Path) -> None:
    talk = "Tea in the garden with Nora, who brought the plums and told me all about the choir and its tour. " * 2
    vault = lay(folder, {1: f"- 21:00 {talk}Anna no longer works at the port. The paint went up to 12 litres.\n"})
    assert texts(vault, "changed") == ["Anna no longer works at the port."]
    moved = "These days the mint is thick. " + talk + "Dinner at 8 for 12 people.\n"  # no new number
    assert not texts(lay(folder, {1: f"- 21:00 {moved}"}), "changed")


def test_what_is_open_since_longer_is_open(folder: Path) -> None:
    vault = lay(folder, {12: "- [ ] ask Dr Shah about the tablets\n- [x] ring the bank\n", 1: "- tea in the garden\n"})
    assert texts(vault, "open") == ["ask Dr Shah about the tablets"]


def test_a_change_stands_once_and_a_month_is_no_topic(folder: Path) -> None:
    vault = lay(
        folder,
        {
            3: "- 09:00 the knee surgery is set to 12 December [superseded:: b2]\n",
            2: "- 09:00 the knee surgery moved to 19 December ^b2\n- paid the rent for December\n",
            1: "- ordered the Christmas tree for December\n",
        },
    )
    assert len(texts(vault, "changed")) == 1
    assert texts(vault, "again") == []


@pytest.mark.parametrize(
    "line",
    [
        "rent went up to 950", "got a pay rise, 3200 from March", "we've moved to Hill Road", "the gym is now 52",
        "started at Kestrel Labs as a planner", "房租涨到2800了", "工资涨了两千", "我们搬进新家了", "宽带现在99", "我入职青禾科技了",
    ],
)  # fmt: skip
def test_what_changed_for_the_user_is_told(folder: Path, line: str) -> None:
    assert texts(lay(folder, {1: f"- {line}\n- tea in the garden\n"}), "changed") == [line]


def test_what_others_decided_comes_after_ones_own(folder: Path) -> None:
    vault = lay(folder, {1: "- Anna decided to quit\n- Ben chose oak\n", 5: "- decided to keep the flat\n"})
    assert texts(vault, "decided")[0] == "decided to keep the flat"
    vault = lay(folder, {1: "- 小周决定学画\n", 5: "- 决定续租\n"})
    assert texts(vault, "decided").index("决定续租") < texts(vault, "decided").index("小周决定学画")


def test_a_number_is_no_topic(folder: Path) -> None:
    vault = lay(
        folder,
        {ago: f"- four eggs on the {n} of us, twelve spoons\n" for ago, n in ((1, "two"), (2, "six"), (3, "four"))},
    )
    assert not any(name in line.text for line in reflect.look_back(vault).lines for name in ("four", "twelve"))


def test_that_something_was_decided_is_no_topic(folder: Path) -> None:
    vault = lay(folder, {3: "- 决定减肥，晚饭不吃主食\n", 2: "- 决定租宜山路那套\n", 1: "- 决定不戒咖啡了\n"})
    assert texts(vault, "again") == []


def test_what_took_the_place_of_something_cites_both(folder: Path) -> None:
    vault = lay(folder, {1: "- the standup is at nine [superseded:: abc-1]\n- the standup is at ten ^abc-1\n"})
    (line,) = [line for line in reflect.look_back(vault).lines if line.kind == "changed"]
    assert line.text == "the standup is at ten (before: the standup is at nine)" and len(line.places) == 2


def test_what_came_up_on_three_days_is_a_topic_and_on_two_it_is_not(folder: Path) -> None:
    vault = lay(
        folder,
        {ago: f"- 0{ago}:00 the grafana dashboard was slow, {ago}\n" for ago in (1, 2, 3)}
        | {4: "- Kyoto tickets\n", 5: "- Kyoto hotel\n"},
    )
    (line,) = [line for line in reflect.look_back(vault).lines if line.kind == "again"]
    assert "3 times on 3 days" in line.text and len(line.places) == 3
    assert not any("kyoto" in line.text.lower() for line in reflect.look_back(vault).lines)


def test_there_are_never_more_than_ten_lines_and_each_says_where_it_stands(folder: Path) -> None:
    many = "".join(f"- decided on plan {n}\n- [ ] task number {n}\n- moved to room {n}\n" for n in range(20))
    vault = lay(folder, dict.fromkeys(range(4), many))
    looked = reflect.look_back(vault)
    assert len(looked.lines) == 10
    for line in looked.lines:
        assert line.places and all(entry.place in line.cited for entry in line.entries)
        assert all(vault.find_entry(entry.place).words == entry.words for entry in line.entries)


def test_a_week_is_seven_days_and_a_project_is_all_of_it(folder: Path) -> None:
    vault = lay(
        folder, {0: "- decided on a #tideline name\n", 6: "- agreed on tea\n", 7: "- agreed on coffee #tideline/db\n"}
    )
    assert len(texts(vault, "decided")) == 2
    assert [text[:6] for text in texts(vault, "decided", project="Tideline")] == ["decide", "agreed"]
    assert texts(vault, "decided", since=TODAY - timedelta(days=7), until=TODAY - timedelta(days=7)) == [
        "agreed on coffee #tideline/db"
    ]


def test_an_agents_notes_are_told_to_nobody_else(folder: Path) -> None:
    (folder / "agents/rex/logs").mkdir(parents=True)
    (folder / f"agents/rex/logs/{TODAY}.md").write_text("- decided on oak\n", encoding="utf-8")
    assert not reflect.look_back(opened(folder)).lines and not reflect.look_back(opened(folder).seen_by("ada")).lines
    assert texts(opened(folder).seen_by("rex"), "decided") == ["decided on oak"]


def test_nothing_is_written_by_itself_and_a_line_is_kept_with_its_citation(folder: Path) -> None:
    vault = lay(folder, {1: "- We go with sqlite for the offline cache\n"})
    (line,) = reflect.look_back(vault).lines
    assert not (folder / "insights.md").exists()
    reflect.keep_line(vault, line)
    assert f"We go with sqlite for the offline cache (logs/{TODAY - timedelta(days=1)}.md:1)" in (
        folder / "insights.md"
    ).read_text(encoding="utf-8")


def test_a_line_that_was_kept_is_not_kept_again(folder: Path) -> None:
    vault = lay(folder, {1: "- We go with sqlite for the offline cache\n"})
    (line,) = reflect.look_back(vault).lines
    reflect.keep_line(vault, line)
    with pytest.raises(Refused):
        reflect.keep_line(vault, line)
    assert (folder / "insights.md").read_text(encoding="utf-8").count("sqlite") == 1


def test_a_line_that_an_agent_kept_is_not_kept_again(folder: Path) -> None:
    vault = lay(folder, {1: "- We go with sqlite for the offline cache\n"}).seen_by("rex")
    (line,) = reflect.look_back(vault).lines
    reflect.keep_line(vault, line)
    with pytest.raises(Refused):
        reflect.keep_line(vault, line)


def test_where_nobody_can_be_asked_the_review_asks_once(folder: Path) -> None:
    vault = lay(folder, {1: "- We go with sqlite for the offline cache\n"})
    for _ in range(2):
        reflect.propose_line(vault, reflect.look_back(vault).lines[0])
    (doubt,) = remember.waiting_doubts(vault)
    remember.settle(vault, doubt, "confirm")
    assert "sqlite" in (folder / "insights.md").read_text(encoding="utf-8") and not remember.waiting_doubts(vault)


# -- a model -----------------------------------------------------------------------------------------------------------

NOTES = {1: "- We go with sqlite for the offline cache\n- the index took 40 s again\n", 2: "- Anna left the team\n"}


def said(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    monkeypatch.setattr(llm, "available", lambda vault: True)
    monkeypatch.setattr(llm, "ask", lambda *words, **more: SimpleNamespace(text=answer))


def test_a_line_whose_citation_does_not_carry_it_is_dropped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(folder, NOTES)
    vault = opened(folder, llm__url="http://127.0.0.1:9/v1")
    said(
        monkeypatch,
        "decided: sqlite it is for the offline cache [2]\n"
        "decided: the cache moves to PostgreSQL [2]\n"  # a name that nobody said
        "open: the index took 400 s [3]\n"  # another number
        "changed: Anna left the team [2]\n"  # said elsewhere
        "changed: Anna left the team [9]\n"  # there is no such note
        "again: everything is wonderful and bright\n"  # cites nothing
        "Here is what I found:\n",
    )
    looked = reflect.look_back(vault)
    assert [(line.kind, line.text) for line in looked.lines] == [("decided", "sqlite it is for the offline cache")]
    assert (looked.by, looked.dropped) == ("model", 6)
    assert any("6 of the model's lines were dropped" in notice for notice in vault.notices)


def test_a_model_that_says_nothing_true_leaves_it_to_the_rules(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(folder, NOTES)
    said(monkeypatch, "decided: we buy a boat [1]")
    looked = reflect.look_back(opened(folder, llm__url="http://127.0.0.1:9/v1"))
    assert looked.by == "rules" and looked.lines


def test_a_number_that_is_part_of_another_carries_nothing(folder: Path) -> None:
    vault = lay(folder, NOTES)
    entries = [entry for entry in entries_of(vault, None, TODAY) if "40 s" in entry.words]
    assert model.carries(entries, "the index took 40 s")
    assert not model.carries(entries, "the index took 4 s")


def test_what_is_denied_does_not_carry_what_says_it(folder: Path) -> None:
    vault = lay(folder, {1: "- Anna did not leave the team\n- 缓存没有换成 Redis\n"})
    first, second = entries_of(vault, None, TODAY)
    assert not model.carries([first], "Anna left the team") and model.carries([first], "Anna did not leave the team")
    assert not model.carries([second], "缓存换成 Redis")


def test_another_day_than_the_one_noted_carries_nothing(folder: Path) -> None:
    vault = lay(folder, {1: "- the release moved to Friday, said Ana\n- 决定发布改到周五\n"})
    first, second = entries_of(vault, None, TODAY)
    assert model.carries([first], "the release moved to Friday") and model.carries([second], "发布改到周五")
    assert not model.carries([first], "the release moved to thursday") and not model.carries([second], "发布改到周四")
    assert model.carries([second], "决定发布改到周五，说了三天")  # how many days is not a day


def test_every_way_of_saying_it_takes_its_examples() -> None:
    for language in phrases.LANGUAGES:
        for row in rows(Path(model.__file__).parent / "language" / language / "reflect.txt", examples=True):
            pattern = phrases.pattern("reflect/reflect", row["sign"][0], (language,))
            assert all(pattern.search(text) for text in row["takes"]), row
            assert row["leaves"] and not any(pattern.search(text) for text in row["leaves"]), row


def test_an_empty_vault_has_nothing_to_look_back_on(vault: Vault) -> None:
    assert reflect.look_back(vault, date(2026, 1, 1)).lines == () and by_rules([]) == ()
    assert Line("open", "x", ()).places == ()


def test_a_name_is_not_cut_in_half(folder: Path) -> None:
    said = ("蔺老师爱问统计", "给蔺老师发了邮件", "蔺老师说可以")
    vault = lay(folder, {ago: f"- {text}\n" for ago, text in enumerate(said, 1)})
    assert [line.partition(":")[0] for line in texts(vault, "again")] == ["蔺老师"]
