"""The worth gate: what nobody will ever look for is turned away, and nothing else."""

from __future__ import annotations

import re

import pytest

from memcli.remember.gates.worth import LONGEST, is_document, lessons, programs, why_worthless
from memcli.text.messages import translated
from memcli.text.tables import LANGUAGE_FOLDER, Row, rows
from tests.rows import check_rows

TRACE = """Traceback (most recent call last):
  File "/srv/app/main.py", line 12, in <module>
    run()
  File "/srv/app/run.py", line 7, in run
    raise ValueError("no such thing")
ValueError: no such thing"""
JAVA = """Exception in thread "main" java.lang.NullPointerException: name
    at com.acme.shop.Cart.total(Cart.java:41)
    at com.acme.shop.Main.main(Main.java:9)
Caused by: java.io.IOException: closed
    ... 3 more"""
NODE = """TypeError: Cannot read properties of undefined (reading 'map')
    at render (/srv/web/app.js:10:15)
    at Object.<anonymous> (/srv/web/index.js:3:1)"""


@check_rows(
    "text", ["x", "ok", "42", "2026", "!!!", "茶", "😀", "#tag", "[type:: fact]", "…", "a b", "^id", "[REDACTED_EMAIL]"]
)
def test_too_short(text: str) -> None:
    assert "too short" in why_worthless(text)[0]


@check_rows(
    "text",
    [
        "hello", "Hi there!", "thanks a lot", "Thank you so much!!", "ok thanks", "okay, sounds good", "haha nice", "good morning everyone",
        "How are you?", "see you tomorrow", "lol", "hmm", "you're welcome", "got it, thanks", "what's up", "Never mind.", "sure, no problem",
        "你好", "謝謝", "沒問題", "唔該", "您好！", "好的，谢谢", "谢谢你啊", "哈哈哈哈", "嗯嗯", "在吗？", "早上好呀", "晚安", "辛苦了", "没事没事", "吃了吗", "收到，好的", "今天天气真好啊",
        "知道了", "太好了！", "ok好的", "你好呀，最近怎么样",
    ],
)  # fmt: skip
def test_small_talk(text: str) -> None:
    assert why_worthless(text)[0] == "it is small talk"


@check_rows(
    "text",
    [
        TRACE, JAVA, NODE, f"```\n{TRACE}\n```", "ValueError: no such thing", "bash: foo: command not found", "Segmentation fault (core dumped)",
        "npm ERR! code ENOENT\nnpm ERR! syscall open", "fatal: not a git repository (or any of the parent directories): .git",
        "error[E0382]: borrow of moved value: `x`\n  --> src/main.rs:4:20", "panic: runtime error: index out of range\n\ngoroutine 1 [running]:",
        "2026-11-21 14:30:00,123 ERROR worker failed\n2026-11-21 14:30:01,456 ERROR worker failed again", "make: *** [all] Error 2",
    ],
)  # fmt: skip
def test_the_output_of_an_error(text: str) -> None:
    assert why_worthless(text)[0] == "it is the output of a program"


@check_rows(
    "text",
    [
        "tea", "milk", "喝茶", "Lin", "猫叫年糕", "buy milk", "thanks to Lin the cache works", "hello world is the first program", "Good coffee at Bonanza",
        "no sugar for Anna", "妈妈说你好吗要写成繁体", "好的咖啡店在静安寺", "ok is the name of the dog", "谢谢小林帮我搬家", "可以用公司的卡报销", "morning run 5 km",
        "TypeError in the cart came from a missing price; fixed by a default", "ENOSPC means that inotify watches ran out",
        f"{TRACE}\nIt happens when the config is missing; run init first", "报错 KeyError: 'id'，原因是缓存没有刷新", "the error page needs a new picture",
        "Error handling: we return codes, never exceptions, because callers are C", "ValueError 那个问题升级到 3.11 就好了", "[ ] fix the panic in the parser",
        "fatal accident on the A9, take the train", "day 3 of the fever", "Warning: the blue cable is live",
        "Exception: Fridays we close at 3", "error: pool exhausted at 10 connections, raised to 40", "Clean the gutters this weekend",
        "Visiting grandma this weekend", "The strategy is to sell the app", "Good restaurant: Sakura", "Team meeting 2026-11-27 14:00", "组会 12月3日 14:00",
        "收银机又死机了", "小雅又迟到", "空调又漏水", "又失眠了", "感冒了", "下雨了，没跑步", "12/8领膜", "Nev off sick", "Dai back full time", "Saltire ready", "Kofi likes stout.", "Gwen quit.", "The fan is broken.",
    ],
)  # fmt: skip
def test_what_may_be_asked_for_one_day_is_kept(text: str) -> None:
    assert why_worthless(text) == ("", "")


@check_rows("text", ["又来了", "怎么又这样", "你又来了", "我们又赢了", "我真的又困了", "这题又错了"])
def test_what_happens_again_to_nobody_named_is_chatter(text: str) -> None:
    assert why_worthless(text)[0] == "it is chatter of the moment"


def test_what_a_person_labels_is_no_chatter() -> None:
    assert why_worthless("阿坤今天又请假")[0] and not why_worthless("阿坤今天又请假", is_labelled=True)[0]
    assert not why_worthless("lol that was fun again", is_labelled=True)[0]
    assert why_worthless("ok thanks", is_labelled=True)[0] == "it is small talk"


def test_a_document_is_no_memory() -> None:
    reason, hint = is_document("word " * LONGEST)
    assert "a document" in reason and "knowledge/" in hint


@check_rows("row", list(rows(LANGUAGE_FOLDER / "errors.txt", examples=True)), ids=lambda row: row["error"][0])
def test_what_a_program_prints_is_known_by_its_table(row: Row) -> None:
    cues, printed, sure = programs()
    assert set(row) <= {"error", "cue", "sure", "says", "takes", "leaves"}
    assert "takes" in row and "leaves" in row, f"{row['error']} has no examples: it needs lines `takes:` and `leaves:`"
    assert all(re.match(printed, line) for line in row["takes"]), f"{row['error']} does not take what it says it takes"
    assert not any(re.match(printed, line) for line in row["leaves"]), f"{row['error']} takes what it says it leaves"
    assert any(cue in "\n".join(row["takes"]) for cue in cues)
    assert ("sure" in row) <= all(re.match(sure, line) for line in row["takes"])
    assert [line for line in row["leaves"] if why_worthless(line)[0]] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_was_learnt_from_it_is_known_by_its_table(language: str) -> None:
    for row in rows(LANGUAGE_FOLDER / language / "worth.txt", examples=True):
        assert all(re.search(lessons(), line, re.I) for line in row["takes"])
        assert not any(re.search(lessons(), line, re.I) for line in row["leaves"])


@pytest.mark.parametrize("text", ["qwertzuiop", "asdfasdf", "fdsjkalfjdks", "aaaaaaaa", "的的的的得得", "poiuytrewq"])
def test_keys_pressed_at_random_are_not_kept(text: str) -> None:
    assert why_worthless(text)[0]


@pytest.mark.parametrize(
    "text", ["Mississippi", "tsundoku", "typewriter", "Angstschweiß", "哈尔滨啤酒", "hjklm is my layout"]
)
def test_a_word_alone_is_no_run_along_the_keyboard(text: str) -> None:
    assert why_worthless(text) == ("", "")


def test_words_that_only_hold_others_together_say_nothing() -> None:
    assert why_worthless("which of those was it")[0] and why_worthless("who are they?")[0]
    assert why_worthless("not before 9") == why_worthless("who has the key: Ben") == ("", "")


def test_a_line_that_nobody_writes_by_hand_teaches_nothing_by_its_own_words() -> None:
    line = "2026-05-06 09:11:43.201 INFO retry happens after 3 s because of the lock"
    assert why_worthless(line)[0] == "it is the output of a program"
    assert why_worthless(f"{line}\nthe lock is held by the nightly job, so start at 10") == ("", "")


@pytest.mark.parametrize("text", ["yesssss", "wooohoooo", "sooo goood thanks", "hmmmmm"])
def test_stretched_words_are_the_words_they_stretch(text: str) -> None:
    assert why_worthless(text)[0] == "it is small talk"


@pytest.mark.parametrize(
    ("line", "with_its_cure"),
    [
        ("ImportError: libGL.so.1: cannot open shared object file", "ImportError: libGL.so.1 -> apt-get install libgl1"),
        ("CUDA error: out of memory", "CUDA error: out of memory, batch 32 → 12 fits on the 3080"),
        ("curl: (60) SSL certificate problem", "curl: (60) SSL certificate problem: the clock was wrong, fixed with ntp"),
    ],
)  # fmt: skip
def test_an_error_with_its_cure_is_worth_keeping(line: str, with_its_cure: str) -> None:
    assert why_worthless(line)[0]
    assert why_worthless(with_its_cure) == ("", "")


@check_rows(
    "line",
    [
        "72c0b4d  2026-11-02 10:00  trips/2026-11-02.md:1  rain all day at the lake",
        "6094571  2026-11-21 12:00  +14 -0  mem add: logs/2026-11-21.md (024afce)  the boiler",
        "2026-11-21 12:00  me  add  024afce  logs/2026-11-21.md",
        "20261121-1200-dc80  ended 2026-11-21 12:00  1 round  book a table",
        "user  12:00  the heron stood by the weir",
        "b6e5612d  v3    Handbook  docs/handbook.md",
        "✓  drink  explicit  2026-11-21  tea",
        "home           41× 2026-11-20  our flat   12 Example Road",
        "rex  memories: 1, sessions: 0, preferences: 0, labels: 0  2026-11-21",
        "66489ae  4 of 4 good  2026-10-26  replace a data source: dual write",
        "- 以后不走延安高架 (MEMORY.md:56)",
        "- Next: game day (comes in 13 days, on 2026-12-04; projects.md:8)",
        "snapshot  2026-11-05  snapshots/a.md  → archive/snapshots/a.md",
        "✓ search: by python-ripgrep",
        "memories     10 in 9 files",
        "occupation  backend engineer",
        "Usage: mem recall [OPTIONS] [QUERY]...",
        "✓  reviewer  1  a reviewer, strict and kind",
        "bge-small-en-v1.5                      en     67 MB   384 numbers",
        'write.log                "logs/%Y-%m-%d.md"      where the log lies',
        "2026-11-22 22:31    mem add: logs/2026-11-22.md (4860275)",
        "2026-11-22 22:30    tea, no coffee (explicit); coffee (confirmed 0.63)",
        '{"mem": 1, "text": "rain all day"}',
        "0d0b398,2026-10-18T00:00:00,,rain all day,,,,,",
        "documents  5, none archived",
        "doc: bc97e7e18e992a0cacc1",
        "        decision: to be looked at again, next week; noted on 2026-11-20 (logs/2026-11-20.md:12)",
    ],
)
def test_a_line_of_any_list_that_mem_prints_is_known_again(line: str) -> None:
    assert why_worthless(f"look:\n{line}")[0] == "it is what mem itself had printed"


@pytest.mark.parametrize(
    "line",
    [
        "the parser fails at docs/grammar.md:12 when the table is empty", "2026-11-21 12:00 dentist", "Anna 4× a week, swims",
        "user at 12:00 reported the heron", "4 of 4 good tries with the new glue", "✓ milk: bought at Lidl, 1.19 euros", "see (notes.md) for the rest of it",
        "Latency has to stay < 50 ms", "The regression came in with 3f2a9c1d8e", "Oxygen sensors 0x1A2B3C4D swap bytes",
        "running the tests takes eleven minutes", "Лодка стоит 650 фунтов", "배는 650파운드다", "断网了", "货收到了，没错",
    ],
)  # fmt: skip
def test_a_line_that_only_looks_like_it_is_kept(line: str) -> None:
    assert why_worthless(line) == ("", "")


@check_rows("text", ["x", "ok thanks", "asdfgh", TRACE])
def test_every_reason_has_its_words_in_chinese(text: str) -> None:
    assert all(each and translated(each, "zh", part=True) != each for each in why_worthless(text))
