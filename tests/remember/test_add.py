"""`add`: one memory, in the place it belongs to, as a person would have written it."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memcli.errors import Refused, UsageError
from memcli.remember import Memory, forget, supersede
from memcli.text.clean import harmless
from memcli.vault import history, journal, layout
from memcli.vault.vault import Vault
from tests.conftest import NOW, opened
from tests.remember.ungated import add
from tests.vault import texts

LOG = "logs/2026-11-21.md"


def text(vault: Vault, path: str = LOG) -> str:
    return (vault.root / path).read_bytes().decode()


@settings(max_examples=60)
@given(texts.documents(), texts.anything)
def test_adding_any_text_gives_exactly_one_memory_with_all_its_words(
    tmp_path_factory: pytest.TempPathFactory, before: str, said: str
) -> None:
    vault = opened(tmp_path_factory.mktemp("vault"))
    (vault.root / "logs").mkdir()
    (vault.root / LOG).write_bytes(before.encode())
    old = Counter(entry.raw for entry in vault.entries())
    try:
        added = add(vault, Memory(said))
    except UsageError:
        assert not harmless(said).strip() or not any(sign.isalnum() for sign in said) or "::" in said or "^" in said
        assert text(vault) == before
        return
    except Refused:
        assert "```" in before or "~~~" in before
        assert text(vault) == before
        return
    new = Counter(entry.raw for entry in vault.entries()) - old
    assert list(new.values()) == [1]
    assert not old - Counter(entry.raw for entry in vault.entries())
    if before.strip():
        assert text(vault).startswith(before)
    assert vault.find_entry(added.entry.place).raw == added.entry.raw
    said_words = [word for word in harmless(said).split() if word not in ("-", "*", "+", "[x]", "[X]", "[", "]", "[ ]")]
    kept = Counter(added.entry.raw.split())
    assert not Counter(said_words) - kept


@settings(max_examples=30)
@given(st.lists(texts.line, min_size=2, max_size=5))
def test_memories_added_one_after_the_other_are_all_there(
    tmp_path_factory: pytest.TempPathFactory, said: list[str]
) -> None:
    vault = opened(tmp_path_factory.mktemp("vault"), write__commit=False)
    added = []
    for each in said:
        try:
            added.append(add(vault, Memory(each, to="list.md")).entry)
        except UsageError:
            continue
    assume(added)
    there = {entry.id: entry.raw for entry in vault.entries()}
    assert len(there) == len(added)
    for entry in added:
        assert there[entry.id] == entry.raw


# -- where -----------------------------------------------------------------------------------------------------------


def test_without_more_a_memory_goes_to_todays_log_with_its_time(vault: Vault) -> None:
    added = add(vault, Memory("lunch with Lin"))
    assert text(vault) == "# 2026-11-21 Sat\n\n- 14:30 lunch with Lin\n"
    assert (added.entry.path, added.entry.line, added.entry.time) == (LOG, 3, "14:30")


@pytest.mark.parametrize("name", ["Daily/2026-11-21 Sat.md", "2026-11-21.md", "日记/2026年11月21日.md"])
def test_a_log_of_today_found_elsewhere_is_used(vault: Vault, name: str) -> None:
    (vault.root / name).parent.mkdir(exist_ok=True)
    (vault.root / name).write_text("- a\n", encoding="utf-8")
    add(vault, Memory("b"))
    assert text(vault, name) == "- a\n- 14:30 b\n"
    assert not (vault.root / "logs").exists()


@pytest.mark.parametrize(
    ("kind", "path"),
    [("fact", "MEMORY.md"), ("insight", "insights.md"), ("project", "projects.md"), ("decision", "MEMORY.md")],
)
def test_lasting_types_have_files_of_their_own(vault: Vault, kind: str, path: str) -> None:
    assert add(vault, Memory("x", type=kind)).entry.path == path


def test_outside_a_log_the_date_is_written_down(vault: Vault) -> None:
    assert add(vault, Memory("tea", to="list.md")).entry.raw == "- tea [date:: 2026-11-21]"
    assert add(vault, Memory("tea [date:: 2025-01-01]", to="list.md")).entry.raw == "- tea [date:: 2025-01-01]"


def test_a_name_without_suffix_is_a_markdown_file(vault: Vault) -> None:
    assert add(vault, Memory("x", to="people/lin")).entry.path == "people/lin.md"
    assert add(vault, Memory("x", to="v1.2")).entry.path == "v1.2.md"


def test_under_a_heading(vault: Vault) -> None:
    (vault.root / "MEMORY.md").write_text("# M\n\n## People\n\n## Work\n", encoding="utf-8")
    assert add(vault, Memory("Lin", to="MEMORY.md#people")).entry.trail == ("M", "People")
    assert add(vault, Memory("Wang", to="MEMORY.md#New one\n# x")).entry.trail == ("M", "New one # x")


def test_an_agents_memories_lie_in_its_own_space(vault: Vault) -> None:
    assert add(vault.seen_by("bot"), Memory("x")).entry.path == "agents/bot/logs/2026-11-21.md"
    assert add(vault.seen_by("bot"), Memory("x", to="list")).entry.path == "agents/bot/list.md"


@pytest.mark.parametrize("agent", ["..", "../..", "a/b", ".hidden", "/etc", "a.", "nul", "x" * 65])
def test_an_agents_name_can_not_lead_elsewhere(vault: Vault, agent: str) -> None:
    with pytest.raises(UsageError, match="not a name"):
        vault.seen_by(agent)


@pytest.mark.parametrize("to", ["../../etc/passwd", "/etc/passwd", "../x.md", "a/../../x", "notes/../.git/hooks/x"])
def test_a_place_outside_the_vault_is_refused_and_nothing_is_written(vault: Vault, to: str) -> None:
    with pytest.raises(Refused):
        add(vault, Memory("x", to=to))
    assert list(vault.root.iterdir()) == []


@pytest.mark.parametrize(
    "to", [".hidden", ".obsidian/x.md", ".git/config", "sub/.git/x", ".GIT/x", ".mem/x", "node_modules/x.md"]
)
def test_hidden_places_are_refused(vault: Vault, to: str) -> None:
    with pytest.raises(Refused):
        add(vault, Memory("x", to=to))


def test_an_absolute_path_into_the_vault_is_fine(vault: Vault) -> None:
    assert add(vault, Memory("x", to=str(vault.root / "list.md"))).entry.path == "list.md"


def test_links_out_of_the_vault_are_refused_and_links_within_are_followed(vault: Vault, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (vault.root / "away").symlink_to(outside)
    (vault.root / "loop").symlink_to("loop")
    (vault.root / "a").symlink_to("b")
    (vault.root / "b").symlink_to("a")
    (vault.root / "real.md").write_text("- a\n", encoding="utf-8")
    (vault.root / "link.md").symlink_to("real.md")
    for to in ("away/x", "loop/x", "a/x"):
        with pytest.raises(Refused):
            add(vault, Memory("x", to=to))
    assert add(vault, Memory("x", to="link.md")).entry.path == "real.md"
    assert (vault.root / "link.md").is_symlink()
    assert list(outside.iterdir()) == []


def test_another_kind_of_file_is_not_written_into(vault: Vault) -> None:
    (vault.root / "mem.yaml").write_text("# settings\n", encoding="utf-8")
    with pytest.raises(UsageError, match="not Markdown"):
        add(vault, Memory("x", to="mem.yaml"))


@pytest.mark.parametrize("to", ["foo.txt", "notes/list.json", "mem.yaml", "page.html#Tea"])
def test_a_name_of_another_kind_makes_no_file(vault: Vault, to: str) -> None:
    with pytest.raises(UsageError, match="not Markdown"):
        add(vault, Memory("x", to=to))
    assert list(vault.root.iterdir()) == []


def test_a_name_in_capitals_is_a_markdown_file(vault: Vault) -> None:
    assert add(vault, Memory("x", to="list.MD")).entry.path == "list.md"


def test_what_will_not_be_recalled_is_said(vault: Vault) -> None:
    add(vault, Memory("x", to="knowledge/redis"))
    assert any("knowledge/redis.md is kept, but not recalled" in notice for notice in vault.notices)


# -- how -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "raw"),
    [
        ("9:05 standup", "- 9:05 standup"),
        ("- a bullet already", "- 14:30 a bullet already"),
        ("- 9:05 standup", "- 9:05 standup"),
        ("2026-11-13 met Lin", "- 2026-11-13 met Lin"),
        ("**2026-11-13** met Lin", "- **2026-11-13** met Lin"),
        ("- [ ] 2026-12-03 a cake", "- [ ] 2026-12-03 a cake"),
        ("2026-11-135 is no day", "- 14:30 2026-11-135 is no day"),
        ("[ ] buy milk", "- [ ] 14:30 buy milk"),
        ("- [x] bought", "- [x] 14:30 bought"),
        ("one\ntwo\n\nthree", "- 14:30 one\n  two\n\n  three"),
        ("- a\n- b", "- 14:30\n  - a\n  - b"),
        ("- a\n  - b\n\n  c", "- 14:30 a\n  - b\n\n  c"),
        ("*   a\n    - b", "- 14:30 a\n  - b"),
        ("- [ ] 9:05 a\n\t- b", "- [ ] 9:05 a\n  - b"),
        ("- ```py\n  x\n  ```", "- 14:30\n  ```py\n  x\n  ```"),
        ("```py\nx\n```", "- 14:30\n  ```py\n  x\n  ```"),
        ("| a |\n|---|", "- 14:30\n  | a |\n  |---|"),
        ("# Title\n\ntext", "- 14:30\n  # Title\n\n  text"),
        ("  \n indented", "- 14:30\n\n   indented"),
        ("\x1b[31mred\x1b[0m \x07bell \u202eback", "- 14:30 red bell back"),
        ("a\r\nb\rc", "- 14:30 a\n  b\n  c"),
        ("broken \udce4 byte", "- 14:30 broken \ufffd byte"),
    ],
)
def test_the_text_as_it_was_meant(vault: Vault, said: str, raw: str) -> None:
    assert add(vault, Memory(said)).entry.raw == raw


def test_a_day_of_its_own_at_the_head_of_a_text_is_its_day(vault: Vault) -> None:
    assert add(vault, Memory("2026-11-13 met Lin")).entry.day == date(2026, 11, 13)


def test_an_id_that_is_taken_is_refused_and_one_of_the_archive_is_free(vault: Vault) -> None:
    add(vault, Memory("the cache is redis ^cache", to="MEMORY.md"))
    before = text(vault, "MEMORY.md")
    with pytest.raises(Refused, match=r"\^cache is the id of MEMORY.md:1 already"):
        add(vault, Memory("another ^cache"))
    assert (text(vault, "MEMORY.md"), vault.files()) == (before, ["MEMORY.md"])
    add(vault, Memory("it says ^cache in the middle"))
    add(vault, Memory("one more ^cache-2"))
    forget(vault, vault.find_entry("^cache"))
    assert add(vault, Memory("again ^cache")).entry.id == "^cache"


def test_flags_are_written_as_a_person_would(vault: Vault) -> None:
    memory = Memory("Redis #cache ^redis", ("cache", "#work/api", "缓存"), "idea", 0.8)
    entry = add(vault, memory).entry
    assert entry.raw == "- 14:30 Redis #cache #work/api #缓存 [type:: idea] [importance:: 0.8] ^redis"
    assert (entry.id, entry.type, entry.importance) == ("^redis", "idea", 0.8)


def test_tags_stay_out_of_code(vault: Vault) -> None:
    entry = add(vault, Memory("```sh\nmake\n```", ("build",), "snippet")).entry
    assert (entry.tags, entry.type) == (("build",), "snippet")
    assert entry.raw == "- 14:30 #build [type:: snippet]\n  ```sh\n  make\n  ```"


def test_a_field_said_in_the_text_is_changed_not_doubled(vault: Vault) -> None:
    assert add(vault, Memory("x [type:: idea]", type="quote")).entry.raw == "- 14:30 x [type:: quote]"


@pytest.mark.parametrize(
    "memory",
    [
        Memory(""), Memory("  \n\t"), Memory("\x1b[31m"), Memory("[a:: b]", to="x"), Memory("^id", to="x"), Memory("x", ("1",)),
        Memory("x", ("a b",)), Memory("x", ("",)), Memory("x", importance=1.5), Memory("x", importance=float("nan")),
        Memory("x", type="a]\n- b"), Memory("x", type="two words"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_before_anything_is_written(vault: Vault, memory: Memory) -> None:
    with pytest.raises(UsageError):
        add(vault, memory)
    assert list(vault.root.iterdir()) == []


def test_a_windows_file_stays_one(vault: Vault) -> None:
    (vault.root / "list.md").write_bytes(b"\xef\xbb\xbf- a\r\n")
    add(vault, Memory("b\nc [date:: 2026-01-01]", to="list"))
    assert (vault.root / "list.md").read_bytes() == b"\xef\xbb\xbf- a\r\n- b\r\n  c [date:: 2026-01-01]\r\n"


def test_the_same_words_twice_are_two_memories_with_two_ids(vault: Vault) -> None:
    one, two = add(vault, Memory("tea")).entry, add(vault, Memory("tea")).entry
    assert one.id != two.id
    assert [vault.find_entry(entry.id).line for entry in (one, two)] == [3, 4]


def test_a_trial_writes_nothing_and_shows_what_would_be(vault: Vault) -> None:
    add(vault, Memory("first"))
    before = text(vault)
    entry = add(vault, Memory("second"), dry_run=True).entry
    assert (entry.raw, entry.line, text(vault)) == ("- 14:30 second", 4, before)


@pytest.mark.slow
def test_a_file_does_not_grow_beyond_what_can_be_read(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "LARGEST_NOTE", 2**20)
    add(vault, Memory("small"))
    with pytest.raises(Refused, match="would grow beyond 1 MB"):
        add(vault, Memory("word\n" * 2**18))
    assert [entry.words for entry in vault.entries()] == ["14:30 small"]


def test_each_write_leaves_a_line_in_the_journal(vault: Vault) -> None:
    entry = add(vault, Memory("tea")).entry
    (record,) = journal.read_journal(vault.root, journal.AUDIT)
    said = {"at": "2026-11-21T14:30:00", "by": "me", "action": "add", "paths": [LOG], "ids": [entry.id]}
    assert {**record, **said} == record


def test_a_journal_that_leads_elsewhere_is_not_followed(vault: Vault, tmp_path: Path) -> None:
    outside = tmp_path / "bashrc"
    outside.write_text("precious\n", encoding="utf-8")
    (vault.root / "journal").mkdir()
    (vault.root / "journal" / "audit.jsonl").symlink_to(outside)
    add(vault, Memory("tea"))
    assert outside.read_text(encoding="utf-8") == "precious\n"
    assert "tea" in text(vault)
    assert any("not journalled" in notice for notice in vault.notices)


@pytest.mark.parametrize("log", ["notes/today.txt", "../%Y.md", "/srv/%Y.md", ".git/%d.md"])
def test_a_setting_for_the_log_can_not_lead_out_or_astray(folder: Path, log: str) -> None:
    vault = opened(folder, write__log=log)
    if log.endswith(".txt"):
        assert add(vault, Memory("x")).entry.path == "notes/today.txt.md"
        return
    with pytest.raises(Refused):
        add(vault, Memory("x"))


def test_what_was_said_on_another_day_goes_to_the_log_of_that_day_at_its_hour(vault: Vault) -> None:
    add(vault, Memory("saw the dentist", at=datetime(2026, 11, 3, 9, 5)))
    assert (vault.root / "logs/2026-11-03.md").read_text(encoding="utf-8") == (
        "# 2026-11-03 Tue\n\n- 09:05 saw the dentist\n"
    )
    assert add(vault, Memory("likes tea", type="fact", at=datetime(2026, 11, 3))).entry.day == date(2026, 11, 3)
    assert add(vault, Memory("a talk without a time", at=datetime(2026, 11, 3))).entry.raw.startswith("- a talk")


# -- where a type belongs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("heading", ["Decisions", "决定"])
def test_a_decision_goes_where_the_template_says_decisions_live(vault: Vault, heading: str) -> None:
    (vault.root / "MEMORY.md").write_text(f"# M\n\n## {heading}\n\n## Other\n\n- x\n", encoding="utf-8")
    assert add(vault, Memory("We take Valkey", type="decision")).entry.trail == ("M", heading)
    assert add(vault, Memory("Lunch is at noon", type="fact")).entry.trail == ("M", "Other")
    assert add(vault, Memory("We take oak", type="decision", to="MEMORY.md#Other")).entry.trail == ("M", "Other")


@pytest.mark.parametrize("heading", ["Other facts", "其他事实"])
def test_a_fact_does_not_go_under_a_heading_that_a_person_added_at_the_end(vault: Vault, heading: str) -> None:
    (vault.root / "MEMORY.md").write_text(f"# M\n\n## {heading}\n\n## Rex the dog\n\n- brown\n", encoding="utf-8")
    assert add(vault, Memory("Lunch is at noon", type="fact")).entry.trail == ("M", heading)


def test_a_decision_stands_at_the_end_where_there_is_no_heading_for_it(vault: Vault) -> None:
    (vault.root / "MEMORY.md").write_text("- a fact\n", encoding="utf-8")
    assert add(vault, Memory("We take Valkey", type="decision")).entry.place == "MEMORY.md:2"


@pytest.mark.parametrize("text", ["buy milk", "[ ] buy milk", "- [ ] buy milk"])
def test_a_task_is_a_box(vault: Vault, text: str) -> None:
    entry = add(vault, Memory(text, type="task")).entry
    assert (entry.raw, entry.task, entry.type) == ("- [ ] 14:30 buy milk", "open", "task")


@pytest.mark.parametrize(
    "text",
    [
        "todo: buy milk", "todo buy milk", "TODO: buy milk", "to-do : buy milk", "待办：buy milk", "待办事项: buy milk",
        "TODO buy milk", "待办 buy milk", "don't forget to buy milk", "remember to buy milk", "别忘了buy milk",
        "记得去buy milk", "不要忘记 buy milk",
    ],
)  # fmt: skip
def test_a_text_that_begins_as_a_task_is_one(vault: Vault, text: str) -> None:
    assert add(vault, Memory(text)).entry.raw == "- [ ] 14:30 buy milk"


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("have to send the P60s before the end of the month", "send the P60s before the end of the month"),
        ("I need to call Ana before Christmas", "call Ana before Christmas"),
        ("I must pay the roofer by the 5th", "pay the roofer by the 5th"),
        ("I've got to ring the bank by 1 June", "ring the bank by 1 June"),
        ("我得在年底前把发票寄出去", "在年底前把发票寄出去"), ("我必须6月5号前交台账", "6月5号前交台账"),
        ("要在12月8号前把报价发给老周", "在12月8号前把报价发给老周"), ("得月底前换滤芯", "月底前换滤芯"),
    ],
)  # fmt: skip
def test_what_must_be_done_by_a_day_is_a_task(vault: Vault, text: str, done: str) -> None:
    raw = add(vault, Memory(text)).entry.raw
    assert raw.startswith("- [ ] ") and done[:3] in raw


@pytest.mark.parametrize(
    "text",
    [
        "the todo: buy milk", "note: buy milk", "Anna: buy milk", "todo list of the choir is long", "todo app of the choir crashed",
        "记得小时候爱吃外婆做的糖", "别忘了我的好", "我记得他搬家", "I have to be home by the 5th", "I need to leave by 5",
        "I need to clean the pens by the 5th every month", "have to finish before Ann arrives", "我得饭前洗手",
        "我要三年前的账单", "要是12月8号前到不了就退票", "得了感冒，12月8号前好不了", "要12月前台的值班表", "要月底前后发货",
    ],
)  # fmt: skip
def test_any_other_beginning_is_kept(vault: Vault, text: str) -> None:
    assert add(vault, Memory(text)).entry.raw == f"- 14:30 {text}"


def test_what_is_done_already_stays_so(vault: Vault) -> None:
    assert add(vault, Memory("[x] buy milk", type="task")).entry.task == "done"


# -- what takes the place of something ---------------------------------------------------------------------------------


def test_a_memory_may_take_the_place_of_another_in_one_write(vault: Vault) -> None:
    old = add(vault, Memory("The office is on the 2nd floor", type="fact")).entry
    new = add(vault, Memory("The office is on the 3rd floor", type="fact", replaces=old.id)).entry
    assert [(e.words, e.superseded) for e in vault.entries()] == [
        ("The office is on the 2nd floor", new.id),
        ("The office is on the 3rd floor", None),
    ]
    history.undo(vault)
    assert [(e.words, e.superseded) for e in vault.entries()] == [("The office is on the 2nd floor", None)]


def test_it_may_stand_in_another_file_and_have_a_block_id(vault: Vault) -> None:
    old = add(vault, Memory("Redis only", at=datetime(2026, 10, 14))).entry
    add(vault, Memory("two levels ^cache", type="decision", replaces=old.id))
    assert vault.find_entry(old.id).superseded == "cache"


def test_what_is_replaced_must_be_there(vault: Vault) -> None:
    with pytest.raises(UsageError, match="there is no memory 'beef'"):
        add(vault, Memory("Redis", replaces="beef"))
    assert list(vault.entries()) == []


def test_one_of_two_that_are_there_takes_the_place_of_the_other(vault: Vault) -> None:
    old, new = (add(vault, Memory(f"The standup is at {hour}", type="fact")).entry for hour in (9, 10))
    supersede(vault, old, new)
    assert vault.find_entry(old.id).superseded == new.id
    with pytest.raises(UsageError, match="can't take its own place"):
        supersede(vault, new, new)


@pytest.mark.parametrize("steps", [1, 2])
@pytest.mark.parametrize("mark", ["", " ^m"])
def test_what_holds_again_is_superseded_no_longer(vault: Vault, steps: int, mark: str) -> None:
    said = [f"The standup is at {hour}{mark}{hour if mark else ''}" for hour in range(steps + 1)]
    ids = [add(vault, Memory(text, type="fact")).entry.id for text in said]
    for old, new in (*pairwise(ids), (ids[-1], ids[0])):
        supersede(vault, vault.find_entry(old), vault.find_entry(new))
    marks = [vault.find_entry(id).superseded for id in ids]
    assert marks == [None, *(id.removeprefix("^") for id in [*ids[2:], ids[0]])]
    assert "[superseded" not in vault.find_entry(ids[0]).raw


def test_an_agent_adds_as_often_as_it_may_within_an_hour(folder: Path) -> None:
    def added(minutes: int, agent: str | None = "alice", most: int = 2) -> str:
        vault = opened(folder, NOW + timedelta(minutes=minutes), gates__agent_hourly=most)
        try:
            return add(vault.seen_by(agent), Memory(f"The heron nested {minutes} times in the old mill")).entry.place
        except Refused as error:
            return error.message

    assert added(0) and added(10)
    assert added(20) == "alice has added 2 memories within the hour"
    assert "heron" not in added(21, "bob") and added(22, None) and added(23, most=0)
    assert added(90).startswith("agents/alice/")


@pytest.mark.parametrize(
    "target", ["../../MEMORY.md", "../coder/x.md", "../ada2/x.md", "/{root}/MEMORY.md", "x/../../../MEMORY.md"]
)
def test_an_agent_writes_nowhere_else(vault: Vault, target: str) -> None:
    with pytest.raises(Refused, match="not in the space of ada"):
        add(
            vault.seen_by("ada"), Memory("Ada writes to the shared file", to=target.replace("/{root}", str(vault.root)))
        )
    assert not (vault.root / "agents").exists() or not list((vault.root / "agents").rglob("*.md"))
    add(vault.seen_by("ada"), Memory("Ada writes to her own file", to="deep/../notes.md"))
    assert (vault.root / "agents/ada/notes.md").exists()


@pytest.mark.parametrize(("given", "meant"), [("decison", "decision"), ("insigt", "insight"), ("recipe", "")])
def test_a_type_that_is_probably_a_slip_is_kept_and_named(vault: Vault, given: str, meant: str) -> None:
    assert add(vault, Memory("no AU before 1.0", type=given)).entry.type == given
    told = [notice for notice in vault.notices if "did you mean" in notice]
    assert [f"'{meant}'" in notice for notice in told] == [True] * bool(meant)
