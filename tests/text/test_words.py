"""How a word of a question finds its forms in any text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memcli.text import lexicon, words
from memcli.text.lexicon import irregular, stop_words
from tests.rows import check_rows


def finds(word: str, text: str) -> bool:
    return any(form.times_in(text.lower()) for form in words.forms(word))


@check_rows(
    ("word", "texts"),
    [
        ("paint", "paints painted painting painter paintings"),
        ("painting", "paint painted"),
        ("study", "studies studied studying"),
        ("decide", "decided deciding decides"),
        ("running", "run runs ran"),
        ("cat", "cats cat's kitten"),
        ("plan", "planned planning plans"),
        ("cache", "caches cached caching"),
        ("книга", "книги книгу"),
        ("montaña", "montañas"),
        ("drink", "drinks drinking drank drunk"),
        ("ride", "ride rides rider riding rode"),
        ("take", "take takes taking took taken"),
        ("ache", "ache aches ached"),
        ("redis", "Redis REDIS"),
        ("retries", "retry retries retried retrying"),
        ("families", "family families"),
        ("bake", "bakes baked baking baker bakers"),
        ("taste", "tasted tasting tasty"),
        ("movies", "movie movies"),
    ],
)
def test_a_word_finds_its_forms(word: str, texts: str) -> None:
    assert [text for text in texts.split() if not finds(word, text)] == []


@pytest.mark.parametrize(
    ("word", "texts"),
    [
        ("cat", "category concatenate scatter vacation"),
        ("art", "start party artificial"),
        ("tea", "team steam teach"),
        ("car", "care card scar cargo"),
        ("27", "2027 127 270"),
        ("redis", "rediscover"),
        ("cookies", "cook cooking"),
        ("wine", "winter winner winning"),
        ("bake", "Bakker"),
        ("cane", "cancer"),
        ("care", "cars Carter"),
        ("file", "filter"),
        ("line", "linter linking"),
        ("store", "story stormed"),
        ("rate", "ration"),
        ("plan", "plane planet plant"),
        ("bar", "barked"),
    ],
)
def test_a_short_word_is_not_found_inside_others(word: str, texts: str) -> None:
    assert [text for text in texts.split() if finds(word, text)] == []


@check_rows(
    ("one", "other"),
    [("go", "went"), ("buy", "bought"), ("child", "children"), ("mouse", "mice"), ("write", "wrote"), ("teach", "taught"),
     ("good", "better"), ("person", "people"), ("tooth", "teeth"), ("choose", "chosen"), ("drive", "driven")],
)  # fmt: skip
def test_irregular_forms_find_each_other(one: str, other: str) -> None:
    assert finds(one, f"we {other} there")
    assert finds(other, f"we {one} there")


def test_regular_endings_lead_to_irregular_forms() -> None:
    assert finds("going", "we went there")
    assert finds("writing", "she wrote it")


def test_a_synonym_counts_less_than_the_word_itself() -> None:
    weight = {form.literal: form.weight for form in words.forms("mum")}
    assert weight["mum"] == 1.0
    assert weight["mother"] == lexicon.SYNONYM < 1.0


@check_rows(
    ("asked", "note"),
    [("bicycles", "the bike"), ("purchased", "we buy"), ("bought", "a purchase"), ("companies", "our firm"),
     ("relocated", "she moved"), ("moved", "she relocated"),
     ("open", "closed on Sunday"), ("opening", "we shut at six"), ("closed", "shut in August"), ("shut", "we are closed")],
)  # fmt: skip
def test_any_form_of_a_word_leads_to_its_synonyms(asked: str, note: str) -> None:
    assert finds(asked, note)


@check_rows(
    ("asked", "note"),
    [("flight", "we planned it"), ("closed", "open on Sunday"), ("ache", "the painting"), ("planned", "a flight")],
)
def test_a_synonym_is_found_in_its_own_forms_alone(asked: str, note: str) -> None:
    assert not finds(asked, note)


@check_rows(
    ("asked", "note"),
    [("instrument", "she plays the cello"), ("instruments", "two guitars"), ("antibiotic", "got amoxicillin"),
     ("vehicle", "the van"), ("pets", "our puppies")],
)  # fmt: skip
def test_a_general_word_finds_the_special_ones_alone(asked: str, note: str) -> None:
    assert finds(asked, note)
    assert not any(finds(word, f"any {asked}") for word in words.words(note))


@check_rows(
    ("asked", "note"),
    [("dentist", "60 crowns of meconopsis"), ("dentist", "a filling for the pie"), ("cards", "the bridge is shut"),
     ("surgery", "the bypass was closed"), ("insect", "tick the box"), ("injury", "burn the leaves"),
     ("music", "rock salt")],
)  # fmt: skip
def test_a_general_word_finds_no_word_that_often_means_something_else(asked: str, note: str) -> None:
    assert not finds(asked, note)


def test_special_words_of_one_kind_do_not_find_each_other() -> None:
    assert not finds("piano", "the guitar")
    assert not any(term.times_in("学吉他") for term in words.cjk_terms("钢琴") if len(term.text) > 1)


@check_rows(("asked", "note"), [("什么乐器", "学吉他"), ("哪家快递", "顺丰寄的"), ("吃的什么药", "开了布洛芬")])
def test_a_general_word_of_chinese_finds_the_special_ones(asked: str, note: str) -> None:
    assert any(term.times_in(note) for term in words.cjk_terms(asked))


@check_rows("language", ["en", "zh"])
def test_no_general_word_answers_itself(language: str) -> None:
    for word, special in lexicon.special_words(language).items():
        assert word not in special.split()
    assert not lexicon.special_words(language).keys() & {""}


def test_every_listed_word_knows_the_others_of_its_row() -> None:
    for word, others in irregular().items():
        assert word not in others
        assert all(word in irregular()[other] for other in others)
    for language in ("en", "zh"):
        for word in lexicon.synonym_groups(language):
            others = lexicon.synonyms(language, word)
            assert others and word not in others
            assert all(word in lexicon.synonyms(language, other) for other in others)


def test_a_word_of_the_chinese_table_is_found_by_what_stands_for_it() -> None:
    terms = {term.text: term for term in words.cjk_terms("打疫苗那天")}
    assert 0 < terms["打疫苗"].times_in("今天去打了预防针") < terms["打疫苗"].times_in("打疫苗")


def test_a_pair_across_the_edge_of_a_known_word_counts_less() -> None:
    weight = {term.text: term.weight for term in words.cjk_terms("西红柿炒鸡蛋")}
    assert weight["柿炒"] < weight["西红柿"] == weight["鸡蛋"]


def test_of_known_words_the_longest_is_taken() -> None:
    assert [slice(*each) for each in lexicon.find_synonyms("宠物医院")] == [slice(0, 4)]


@pytest.mark.parametrize("text", ["我们用Redis做缓存", "把redis换掉", "Redis挂了", "（Redis）"])
def test_a_latin_word_is_found_in_chinese_that_leaves_no_space(text: str) -> None:
    assert finds("redis", text)


@pytest.mark.parametrize("text", ["MAX_POOL_SIZE=5", "pool_size", "set _pool here", "connection_pools"])
def test_a_word_is_found_in_snake_case(text: str) -> None:
    assert finds("pool", text)


def test_words_are_lower_case_without_possessive_and_without_chinese() -> None:
    assert words.words("Anna's CACHE, Lin’s 用Redis做缓存 don't v2 naïve") == [
        "anna", "cache", "lin", "redis", "don't", "v2", "naïve",
    ]  # fmt: skip


def test_stop_words_are_words_of_every_question() -> None:
    assert {"the", "what", "did", "we", "about", "where", "my"} <= stop_words("en")
    assert not {"cache", "name", "live", "work", "drink"} & stop_words("en")


def test_a_run_of_chinese_is_looked_for_in_pairs() -> None:
    found = words.cjk("缓存方案")
    assert found == {"缓存": 1.0, "存方": 1.0, "方案": 1.0}


def test_a_chinese_sign_that_stands_alone_only_supports() -> None:
    assert words.cjk("我的猫和缓存")["猫"] == words.SINGLE
    assert words.cjk("猫呢")["猫"] == words.COMMON


def test_chinese_stop_words_are_not_looked_for() -> None:
    assert words.cjk("我们的是什么") == {}
    assert [part for part, weight in words.cjk("我们的缓存是什么").items() if weight == 1.0] == ["缓存"]


@check_rows("word", ["成都", "部署", "问题", "会议", "过敏", "性能", "请假", "京都"])
def test_a_stop_word_that_is_half_of_a_word_does_not_tear_it(word: str) -> None:
    assert word in words.cjk(f"{word}那件事")


def test_words_of_asking_count_less() -> None:
    found = words.cjk("推荐书名")
    assert found["推荐"] == words.COMMON < found["书名"]


def test_japanese_and_korean_run_together_too() -> None:
    assert "京都" in words.cjk("京都旅行")
    assert "서울" in words.cjk("서울여행")


def test_likeness_is_judged_by_words_and_pairs() -> None:
    assert words.features("Redis 缓存方案") == {"redis", "缓存", "存方", "方案"}


words_of_any_kind = st.one_of(
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=10),
    st.sampled_from(
        [
            *irregular(),
            *lexicon.synonym_groups("en"),
            "café",
            "straße",
            "книга",
            "λόγος",
            "שלום",
            "مرحبا",
            "v2",
            "3000",
            "o'neil",
        ]
    ),
)
signs_around = st.text(st.sampled_from(" _-.,:#用做é2(\t"), max_size=3)


@settings(max_examples=60)
@given(words_of_any_kind, signs_around, st.sampled_from(["", "s", "ed", "ing", "er", "ies", "xyzzy"]), signs_around)
@example("redis", "用", "", "做")
@example("pool", "_", "", "_")
def test_ripgrep_finds_every_line_that_counts(tmp_path: Path, word: str, before: str, ending: str, after: str) -> None:
    """The one pass of ripgrep may find more, never less: what it misses is lost for good."""
    import python_ripgrep

    line = f"x{before}{word}{ending}{after}y"
    for name in ("a.md", "b.md"):  # with a single file the path would be missing
        (tmp_path / name).write_text(line + "\n", encoding="utf-8")
    for form in words.forms(word):
        if form.times_in(line):
            found = python_ripgrep.search([f"(?i)(?:{form.regex})"], [str(tmp_path / "a.md"), str(tmp_path / "b.md")])
            assert len(found) == 2


@given(words_of_any_kind)
def test_a_word_always_finds_itself(word: str) -> None:
    assert finds(word, f"so {word.upper()} it is")


@given(st.text(max_size=20))
def test_a_literal_is_just_its_characters(text: str) -> None:
    form = words.literal(text)
    assert re.search(form.regex, text.lower()) or not text


@pytest.mark.parametrize(
    ("asked", "note"), [("機車驗車", "机车年检，验车"), ("手机号码", "新的手機號碼"), ("頭髮", "头发剪短了")]
)
def test_traditional_and_simplified_signs_are_one(asked: str, note: str) -> None:
    assert any(len(term.text) > 1 and term.times_in(note) for term in words.cjk_terms(asked))
