"""What a question asks for: words, phrases, tags, filters, dates, kind and whose words."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memcli.bounds import QUESTION, TERMS
from memcli.recall.query import ASSISTANT, PHRASE, USER, Query, names_of_speaker, parse
from memcli.text.words import COMMON
from tests.recall.vaults import TODAY
from tests.rows import check_rows


def read(question: str, **tags: list[str]) -> Query:
    return parse(question, TODAY, tags)


def words(question: str) -> set[str]:
    return {term.text for term in read(question).terms}


def finds(question: str, line: str) -> bool:
    return any(term.times_in(line.lower()) for term in read(question).terms)


# -- words ---------------------------------------------------------------------------------------------------------


def test_words_of_every_question_are_left_out() -> None:
    assert words("what did we decide about the cache?") == {"decide", "cache"}
    assert words("我们的缓存是什么") >= {"缓存"}
    assert words("what is the") == words("是什么呢") == set()


def test_a_question_of_stop_words_alone_is_an_empty_one() -> None:
    for nothing in ("", "   ", "?!", "what is the", "是什么呢", "--- ***", "🎉🎉"):
        assert read(nothing).empty, nothing
    assert not read("cache").empty


def test_both_languages_may_stand_in_one_question() -> None:
    assert {"redis", "缓存"} <= words("把Redis缓存换掉")


def test_a_time_of_day_is_one_word_and_not_two_numbers() -> None:
    assert words("17:30 standup") == {"17:30", "standup"}
    assert {"9:30", "开会"} <= words("明天9:30开会") and not {"9", "30"} & words("明天9:30开会")
    assert words("localhost:8080 down") >= {"localhost", "8080"}
    line = "- 17:30 standup"
    assert finds("17:30", line) and finds("at 17:30?", line) and not finds("17:45", line) and not finds("8:30", line)
    assert finds("9:30", "- 09:30 tea") and not finds("7:30", line)


def test_full_width_letters_and_figures_are_also_plain_ones() -> None:
    assert {"3.5万", "abc"} <= {term.text for term in parse("ＡＢＣ ３.５万", TODAY).terms}


def test_a_day_and_time_in_iso_form_is_the_day() -> None:
    asked = parse("what happened on 2026-10-14T08:40", TODAY)
    assert [term.text for term in asked.terms] == ["08:40"] and asked.spans[0].first == date(2026, 10, 14)


@pytest.mark.parametrize("question", ["open todos", "my todo list", "what do I have to do today", "outstanding tasks"])
def test_words_for_tasks_are_not_looked_for(question: str) -> None:
    assert parse(question, TODAY).kind == "task" and not parse(question, TODAY).terms


def test_the_same_word_twice_counts_once() -> None:
    assert len(read("cache caches cached CACHE").terms) == 1


def test_a_quoted_date_leaves_no_empty_phrase() -> None:
    assert [term.text for term in read('is "tomorrow" or "  " the cache day').terms] == ["cache", "day"]


@pytest.mark.parametrize(
    "question",
    ['what about "two level cache"', "什么是“two level cache”", "「two level cache」", "《two level cache》"],
)
def test_a_quoted_phrase_is_looked_for_as_it_stands(question: str) -> None:
    phrase = next(term for term in read(question).terms if term.text.startswith('"'))
    assert phrase.weight == PHRASE > 1
    assert phrase.times_in("a two level cache")
    assert not phrase.times_in("a cache on two levels")


@pytest.mark.parametrize(
    ("question", "term", "has", "has_not"),
    [
        ("do we use C++", "c++", "moved to c++ 20", "moved to c"),
        ("C# or F#", "c#", "a c# service", "a c service"),
        ("the node.js build", "node.js", "node.js 22", "nodexjs"),
        ("what is in /etc/hosts", "/etc/hosts", "edit /etc/hosts first", "edit etc hosts"),
        ("MAX_POOL_SIZE", "max_pool_size", "set max_pool_size to 5", "the max pool size"),
        ("does a.*b hold", "a.*b", "the rule a.*b holds", "aab"),
        ("192.168.0.1", "168", "host 192.168.0.1 is up", "1168"),
    ],
)
def test_signs_of_a_regex_are_just_characters(question: str, term: str, has: str, has_not: str) -> None:
    found = next(each for each in read(question).terms if each.text == term)
    assert found.times_in(has)
    assert not found.times_in(has_not)


def test_a_question_that_is_a_regex_is_its_words() -> None:
    assert {"foo", "bar"} <= words("^(?:foo|bar)[0-9]+$")
    assert finds("foo(bar)[x]", "the foo") and finds("foo(bar)[x]", "a bar")


def test_a_very_long_question_is_read_at_its_beginning() -> None:
    said = read("cache " + "x" * 10_000 + " redis")
    assert "cache" in {term.text for term in said.terms}
    assert "redis" not in {term.text for term in said.terms}
    assert len(said.raw) <= QUESTION


def test_of_many_words_the_weightiest_are_kept() -> None:
    long = "推荐" + "".join(chr(0x4E00 + at) for at in range(0, 600, 3)) + ' and "a phrase"'
    terms = read(long).terms
    assert len(terms) == TERMS
    assert '"a phrase"' in {term.text for term in terms}
    assert min(term.weight for term in terms) > COMMON


@given(st.text(st.characters(), max_size=80))
@example('\udc80caf\udce9 "\ud800 x" a\udc80.b')
@example("\x1b[31m#tag\x00 path:\x07")
@example("ſ K İ ß #İ")
def test_any_text_is_a_question(text: str) -> None:
    said = parse(text, TODAY, {text: [text]})
    for term in said.terms:
        for form in term.forms:
            form.regex.encode("utf-8")  # what ripgrep can be asked for


# -- tags and filters ----------------------------------------------------------------------------------------------


def test_tags_are_asked_for_by_their_sign() -> None:
    assert read("cache #work/api #缓存").tags == ("work/api", "缓存")
    assert read("issue #12").tags == ()


def test_a_tag_is_also_a_word() -> None:
    assert "cangqiong" in words("#cangqiong")


def test_filters_are_no_words() -> None:
    said = read("cache path:projects/ type:decision tag:#redis tag:work")
    assert (said.path, said.types, said.tags) == ("projects/", ("decision",), ("redis", "work"))
    assert {term.text for term in said.terms} == {"cache", "redis", "work"}


def test_a_type_may_have_its_name_in_either_language() -> None:
    assert read("type:决定 type:待办 type:decisions type:recipe 缓存").types == (
        "decision",
        "task",
        "decision",
        "recipe",
    )


def test_a_filter_stands_alone_or_it_is_none() -> None:
    assert read("the classpath:foo").path == ""


def test_a_word_leads_to_the_tag_it_stands_for() -> None:
    tags = {"缓存": ["cache", "redis"], "妈妈六十": ["mum", "妈妈生日"], "oncall": ["on-call"]}
    assert set(read("what about caching", **tags).hinted_tags) == {"缓存"}
    assert set(read("妈妈生日怎么安排", **tags).hinted_tags) == {"妈妈六十"}
    assert set(read("who is on-call", **tags).hinted_tags) == {"oncall"}
    assert set(read("缓存怎么样", **tags).hinted_tags) == {"缓存"}  # the tag's own name
    assert not read("the scache", **tags).hinted_tags


def test_a_tag_that_is_asked_for_is_not_hinted_as_well() -> None:
    assert not read("#缓存 redis", 缓存=["redis"]).hinted_tags


# -- dates ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what happened yesterday", date(2026, 11, 20), date(2026, 11, 20)),
        ("前天做了什么", date(2026, 11, 19), date(2026, 11, 19)),
        ("notes of 2026-11-03", date(2026, 11, 3), date(2026, 11, 3)),
        ("last week", date(2026, 11, 9), date(2026, 11, 15)),
        ("德国客人 明年 五月", date(2027, 5, 1), date(2027, 5, 31)),
        ("2026年4月27号", date(2026, 4, 27), date(2026, 4, 27)),
    ],
)
def test_dates_become_days(question: str, first: date, last: date) -> None:
    assert [(span.first, span.last) for span in read(question).spans] == [(first, last)]


@pytest.mark.parametrize(
    "question", ["上周五（2026-11-13）11月13号家长会", "昨天11月20号", "下周一11月23号", "tomorrow, 22 November"]
)
def test_a_day_without_a_year_beside_a_date_is_that_day(question: str) -> None:
    assert len({span.first for span in read(question).spans}) == 1


@pytest.mark.parametrize(
    ("question", "is_rule"),
    [
        ("周日开门吗", True), ("店里周日休息吗", True), ("周末营业吗", True), ("星期一上班吗", True),
        ("are we open on Sunday", True), ("is the shop shut on Monday", True), ("do you deliver at the weekend", True),
        ("这周日开门吗", False), ("周日开门了吗", False), ("周日休息做什么", False), ("are we open this Sunday", False),
        ("what do we do on Sunday", False),
    ],
)  # fmt: skip
def test_a_question_for_a_rule_is_for_no_day(question: str, is_rule: bool) -> None:
    assert (not read(question).spans) == is_rule


def test_words_of_a_date_are_not_looked_for() -> None:
    assert words("the cache meeting two weeks ago") == {"cache", "meeting"}
    assert "周五" not in words("上周五的会议")


def test_a_weekday_or_month_is_looked_for_as_a_word_too() -> None:
    """What says "the shop opens on Monday" was not written on one."""
    assert words("the cache meeting last Tuesday") == {"cache", "meeting", "tuesday"}
    assert words("what is due in April 2027") >= {"april"}
    assert words("what do I have on 12 December") == words("what did I do last Tuesday") == set()


# -- kinds ---------------------------------------------------------------------------------------------------------


@check_rows(
    ("kind", "questions"),
    [
        ("who", ["who am I", "what is my occupation", "我是谁", "我叫什么"]),
        (
            "decision",
            ["what did we decide about the cache", "which one did we choose", "缓存最后定了什么", "选了哪个方案"],
        ),
        ("preference", ["what tea do I like", "my favourite band", "我喜欢喝什么", "我不吃什么"]),
        ("task", ["what is left to do", "my todos", "还有哪些待办", "有什么没做"]),
        ("howto", ["how do I roll back", "steps to deploy", "怎么配置网关", "部署步骤"]),
        ("when", ["when is the review", "which day do we leave", "什么时候体检", "哪天去绍兴"]),
        ("number", ["how many pods", "how much is the rent", "房租多少", "有几个人"]),
        ("name", ["where is the film lab", "who took over", "谁值班", "哪家餐厅"]),
        ("recent", ["what have I been up to lately", "最近怎么样", "继续刚才的"]),
        ("open", ["redis eviction", "缓存", "the cat and the vet"]),
    ],
)
def test_the_kind_of_a_question(kind: str, questions: list[str]) -> None:
    assert {question: read(question).kind for question in questions} == dict.fromkeys(questions, kind)


@pytest.mark.parametrize(
    ("question", "is_whole"),
    [
        ("what did I do last week, write it up", True),
        ("Draft a report about what I did last week", True),
        ("what did I do last week? I need to write my report", True),
        ("上周我都干了啥，帮我写周报", True),
        ("帮我写一份上周的工作总结", True),
        ("根据我上周的笔记写一份周报", True),
        ("把昨天的事写成日报", True),
        ("上周我都干了啥，写成周报发老板", True),
        ("where is last week's report", False),
        ("write to Keiran about last week", False),
        ("上周的周报交给谁了", False),
        ("上周的工作安排", False),
    ],
)
def test_an_order_to_write_up_a_time_asks_for_all_of_it(question: str, is_whole: bool) -> None:
    asked = read(question)
    assert asked.spans and asked.is_general is is_whole


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("what did I say about tea", USER),
        ("我说过什么", USER),
        ("what did you suggest", ASSISTANT),
        ("你推荐了哪本书", ASSISTANT),
        ("你还记得我喜欢什么吗", USER),
        ("can you remember what I ordered", USER),
        ("what did Anna paint", ""),
    ],
)
def test_whose_words_are_asked_for(question: str, about: str) -> None:
    assert read(question).about == (names_of_speaker(about) if about else frozenset())


def test_a_thing_with_a_number_is_one_word_in_figures_and_in_words() -> None:
    for question in ("3号棚", "三号棚"):
        (term,) = parse(question, TODAY).terms[:1]
        noted = {text: bool(term.times_in(text)) for text in ("给3号棚浇水", "三号棚", "13号棚", "3个棚", "4号棚")}
        assert [text for text, found in noted.items() if found] == ["给3号棚浇水", "三号棚"]


def test_a_code_is_found_with_and_without_its_hyphen() -> None:
    for question in ("WD-1219", "wd1219"):
        (term,) = parse(question, TODAY).terms[:1]
        noted = {text: bool(term.times_in(text)) for text in ("单号wd-1219", "wd1219", "wd 1219", "wd-12190", "12 19")}
        assert [text for text, found in noted.items() if found] == ["单号wd-1219", "wd1219", "wd 1219"]


def test_a_share_is_one_word_and_no_part_of_another() -> None:
    (term,) = parse("35%", TODAY).terms
    noted = {text: bool(term.times_in(text)) for text in ("要35%，太狠", "35 percent", "135%", "35", "35 pounds")}
    assert [text for text, found in noted.items() if found] == ["要35%，太狠", "35 percent"]


@pytest.mark.parametrize(
    ("question", "noted", "other"),
    [
        ("how fast was my 5k", "ran 5 k flat, 28:10", "bought 5 kites"),
        ("who has the 3 kg bag", "3kg of flour for Rui", "3 kings"),
        ("how much did I quote Mrs Hanley", "Hanley quote sent", "Mrs Pickles wants a gate"),
        ("how many times did my back go", "my back is bad again", "three times round the park"),
    ],
)
def test_an_amount_is_one_word_and_a_title_none(question: str, noted: str, other: str) -> None:
    assert finds(question, noted) and not finds(question, other)


def test_a_day_that_can_be_read_two_ways_is_named_once() -> None:
    spans = parse("5/11", date(2026, 11, 30)).spans
    assert [str(span.first) for span in spans] == ["2026-11-05", "2026-05-11", "2027-05-11"]


@check_rows("question", ["十二月还有哪些没做完的事", "12月我还有哪些事得交", "12月还没做的", "12月还要做什么"])
def test_what_is_still_to_do_in_a_month_means_the_coming_one(question: str) -> None:
    asked = parse(question, date(2026, 11, 30))
    assert (asked.kind, [str(span.first) for span in asked.spans]) == ("task", ["2026-12-01"])
