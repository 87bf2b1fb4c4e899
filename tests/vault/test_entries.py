"""Reading memories out of Markdown as people and their editors write it."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given

from memcli.vault import entries, layout
from memcli.vault.entries import SHORT_SECTION, Document, Entry
from tests.rows import check_rows
from tests.vault import texts


def read(text: str, path: str = "notes.md") -> Document:
    return entries.parse_document(path, text)


def only(text: str, path: str = "notes.md") -> Entry:
    (entry,) = read(text, path).entries
    return entry


def raws(text: str) -> list[str]:
    return [entry.raw for entry in read(text).entries]


# -- spans -----------------------------------------------------------------------------------------------------------


@given(texts.files)
def test_every_entry_is_the_text_it_says_it_is(text: str) -> None:
    for entry in read(text).entries:
        assert text[entry.start : entry.stop] == entry.raw
        assert entry.line == text.count("\n", 0, entry.start) + 1
        assert entry.last_line == text.count("\n", 0, entry.stop) + 1
        assert entry.raw.strip()


@given(texts.files)
def test_no_two_entries_share_a_line(text: str) -> None:
    found = read(text).entries
    for one, next_one in pairwise(found):
        assert one.last_line < next_one.line


@given(texts.files)
def test_whatever_a_file_holds_every_question_about_an_entry_has_an_answer(text: str) -> None:
    for entry in read(text, "logs/2026-11-21.md").entries:
        assert entry.day
        assert entry.id
        assert entry.importance is None or 0 <= entry.importance <= 1
        assert all(tag and "#" not in tag and not tag.isspace() for tag in entry.tags)
        assert isinstance(entry.words, str) and isinstance(entry.fields, dict)
        assert entry.task in (None, "open", "done", "cancelled")


@given(texts.files)
def test_entries_of_one_file_never_share_a_hash(text: str) -> None:
    hashes = [entry.hash for entry in read(text).entries]
    assert len(set(hashes)) == len(hashes)


def test_no_word_of_prose_or_list_is_left_out() -> None:
    text = "intro\n\n# One\npara\n- a\n- b\nlazy\n\n| t |\n\n```\ncode\n```\n"
    assert raws(text) == ["intro", "para", "- a", "- b\nlazy", "| t |\n\n```\ncode\n```"]


# -- what is one memory ----------------------------------------------------------------------------------------------


def test_a_bullet_with_what_is_indented_under_it_is_one_entry() -> None:
    text = "- a\n  - b\n\n    c\n- d\n"
    assert raws(text) == ["- a\n  - b\n\n    c", "- d"]


def test_a_bullet_with_nested_code_is_one_entry() -> None:
    text = "- deploy:\n\n  ```sh\n  # now\n\n- x\n  ```\n- next\n"
    assert raws(text) == ["- deploy:\n\n  ```sh\n  # now\n\n- x\n  ```", "- next"]


def test_the_marks_of_chinese_lists_are_bullets() -> None:
    items = ["1、买菜", "12、交电费", "一、打电话", "①修车", "•洗车", "（2）退货\n普通一行"]
    assert raws("\n".join(items) + "\n") == items
    assert raws("１、买菜\n２、牛奶\n") == ["１、买菜", "２、牛奶"]
    no_marks = "（2026）年的\n一家人\n(415) 555-2671\n三、四月份去日本\n5、6号去上海"
    assert raws(no_marks + "\n") == [no_marks]


def test_numbered_tab_and_windows_bullets_are_entries() -> None:
    assert raws("1. one\r\n2) two\r\n-\tthree\r\n\tmore\r\n") == ["1. one", "2) two", "-\tthree\r\n\tmore"]


def test_a_short_section_of_prose_is_one_entry() -> None:
    assert raws("# Plan\nfirst thought\n\nsecond thought\n\n# Next\nx\n") == ["first thought\n\nsecond thought", "x"]


def test_every_paragraph_of_a_long_section_is_an_entry() -> None:
    long = "word " * (SHORT_SECTION // 5)
    assert raws(f"# Essay\n{long}\n\nsecond\n") == [long.rstrip(), "second"]


def test_prose_above_a_list_is_an_entry_of_its_own() -> None:
    assert raws("# Team\nWho we are.\n\nAnd why.\n\n- Lin\n- Wang\n") == ["Who we are.\n\nAnd why.", "- Lin", "- Wang"]


def test_a_list_that_grows_leaves_the_prose_above_it_as_it_was() -> None:
    before = "# Team\nWho we are.\n\nAnd why.\n"
    assert raws(before + "\n- Lin\n")[:1] == raws(before)


def test_tables_and_fences_are_never_split() -> None:
    table = "| a | b |\n|---|---|\n" + "| x | y |\n" * 200
    fence = "```\n" + "line\n\n" * 200 + "```\n"
    assert raws(f"# T\n{table}\n{fence}") == [table.rstrip(), fence.rstrip()]


def test_comments_rules_and_front_matter_are_no_memories() -> None:
    assert raws("---\ntags: [a]\n---\n<!-- a note to myself -->\n\n***\n\n- a\n") == ["- a"]


def test_bare_markers_remember_nothing() -> None:
    assert raws("-\n- [ ]\n- [key:: value]\n- ^id\n- a\n") == ["- a"]


def test_an_empty_file_holds_nothing_and_complains_of_nothing() -> None:
    for text in ("", "\n\n", "\ufeff", "---\n---\n", "# Title\n"):
        assert (read(text).entries, read(text).problem) == ((), "")


# -- headings --------------------------------------------------------------------------------------------------------


def test_the_trail_names_the_headings_above() -> None:
    text = "# A\n## B\n- one\n### C\n- two\n## D\n- three\n# E\n- four\n"
    trails = [entry.trail for entry in read(text).entries]
    assert trails == [("A", "B"), ("A", "B", "C"), ("A", "D"), ("E",)]


# -- days and times --------------------------------------------------------------------------------------------------


@check_rows(
    ("path", "text", "day"),
    [
        ("logs/2026-11-21.md", "- a", date(2026, 11, 21)),
        ("logs/2026-11-21.md", "# 2026-11-20\n- a", date(2026, 11, 20)),
        ("logs/2026-11-21.md", "# 2026-11-20\n- a [date:: 2026-11-19]", date(2026, 11, 19)),
        ("logs/2026-11-21.md", "# 2026-11-20\n- 2026-11-18 a", date(2026, 11, 18)),
        ("notes.md", "# 2026-11-20\n## Work\n- a", date(2026, 11, 20)),
        ("notes.md", "# 2026年11月20日 周五\n- a", date(2026, 11, 20)),
        ("notes.md", "# Fri, 20 Nov 2026\n- a", date(2026, 11, 20)),
        ("notes.md", "---\ndate: 2026-11-02\n---\n- a", date(2026, 11, 2)),
        ("notes.md", "- 2026-13-45 a", None),
        ("notes.md", "- a", None),
    ],
)
def test_the_day_is_its_own_else_the_headings_else_the_files(path: str, text: str, day: date | None) -> None:
    assert only(text, path).day == day


@check_rows(
    ("path", "day"),
    [
        ("2026-11-21.md", date(2026, 11, 21)),
        ("memory/2026-11-21.md", date(2026, 11, 21)),
        ("Daily/2026-11-21 Sat.md", date(2026, 11, 21)),
        ("20261121.md", date(2026, 11, 21)),
        ("日记/2026年11月21日.md", date(2026, 11, 21)),
        ("2026-11-21/standup.md", date(2026, 11, 21)),
        ("Nov 21, 2026.md", date(2026, 11, 21)),
        ("release-1.2.3.md", None),
        ("call-2026112100.md", None),
        ("2026-02-30.md", None),
    ],
)
def test_a_day_in_a_file_name_makes_a_daily_log_wherever_it_lies(path: str, day: date | None) -> None:
    assert layout.day_of(path) == day
    assert layout.kind_of(path) == ("log" if day else "note")


@check_rows(
    ("text", "time"),
    [
        ("- 14:30 a", "14:30"), ("- 9:05: a", "09:05"), ("- **08:15** a", "08:15"), ("- 2026-11-20 07:45 a", "07:45"),
        ("# 10:20 standup\n- a", "10:20"), ("- a 14:30", None), ("- 25:00 a", None), ("- 1:2 a", None),
    ],
)  # fmt: skip
def test_the_time_stands_at_the_head_of_an_entry_or_heading(text: str, time: str | None) -> None:
    assert only(text).time == time


# -- tags ------------------------------------------------------------------------------------------------------------


@check_rows(
    ("text", "tags"),
    [
        ("a #work b", ["work"]),
        ("#work/api-v2 #snake_case", ["work/api-v2", "snake_case"]),
        ("上线了#缓存,然后#监控。完", ["缓存", "监控"]),
        ("(#这个)「#那个」#最后！", ["这个", "那个", "最后"]),
        ("आज #हिन्दी।", ["हिन्दी"]),
        ("#عربي، ثم #كتب؟", ["عربي", "كتب"]),
        ("#한국어 #日本語 #Ελληνικά #русский #ไทย", ["한국어", "日本語", "Ελληνικά", "русский", "ไทย"]),
        ("done #🎉 and #👩‍💻", ["🎉", "👩‍💻"]),
        ("issue #1, PR #2048 but #2026goals and #1a", ["2026goals", "1a"]),
        ("#a#b", ["a"]),
        ("one #tag. two #tag, #other;", ["tag", "tag", "other"]),
        ("'#quoted' \"#double\" *#star*", ["quoted", "double", "star"]),
        ("x#y a_#b C#", []),
        ("\\#escaped &#39; &#x27;", []),
        ("see https://example.org/page#section and www/x#frag", []),
        ("[text](page.md#part) [[Note#Heading]] ![[img#x]] <a href='#top'>", []),
        ("`#code` and ``a ` #b`` then #real", ["real"]),
        ("# heading\n## Two", []),
        ("```\n#in_code\n```\n#out", ["out"]),
        ("```make``` runs it\n#out", ["out"]),
        ("<!-- #hidden --> #seen", ["seen"]),
        ("the colour #1a2b3c, not #A1B2C3 #decade #e2e", ["decade", "e2e"]),
        ("#", []),
        ("#- #/ #_", []),
    ],
)
def test_tags_are_tags_in_any_script_and_nothing_else_is(text: str, tags: list[str]) -> None:
    assert entries.tags_in(text) == tags


@pytest.mark.parametrize(
    "front", ["tags: [a, b/c]", "tags: a, b/c", "tags:\n  - a\n  - '#b/c'", "tag: a b/c", "tags: '#a #b/c'"]
)
def test_front_matter_tags_are_tags_of_every_entry(front: str) -> None:
    assert only(f"---\n{front}\n---\n- x #own").tags == ("own", "a", "b/c")


def test_strange_front_matter_tags_are_passed_over() -> None:
    assert only("---\ntags: [1984, [nested], {a: b}, null, ok]\n---\n- x").tags == ("1984", "ok")


# -- fields, ids, links, boxes ---------------------------------------------------------------------------------------


def test_inline_fields_in_both_forms() -> None:
    entry = only("- Redis [Type:: decision] (importance:: 0.8) [see:: [[Cache]]] [空:: 值] [empty::]")
    assert entry.fields == {"type": "decision", "importance": "0.8", "see": "[[Cache]]", "空": "值", "empty": ""}
    assert (entry.type, entry.importance, entry.words) == ("decision", 0.8, "Redis")


def test_what_is_no_field_stays_text() -> None:
    entry = only("- std::vector and a[i::2] and (see: this) and http://[::1]/")
    assert entry.words == "std::vector and a[i::2] and (see: this) and http://[::1]/"


def test_an_importance_out_of_range_is_clamped_and_nonsense_is_none() -> None:
    assert [only(f"- x [importance:: {v}]").importance for v in ("7", "-1", "high", "nan", "inf")] == [
        1.0, 0.0, None, None, None,
    ]  # fmt: skip


def test_a_block_id_wins_over_the_hash_and_survives_fields_behind_it() -> None:
    assert only("- Redis ^cache-redis").id == "^cache-redis"
    assert only("- Redis\n  more ^late\n").id == "^late"
    assert only("- 2^10 is 1024").block_id is None


def test_the_id_survives_moves_fields_boxes_and_spacing_but_not_other_words() -> None:
    one = only("- [ ] call  Lin", "logs/2026-11-21.md")
    moved = only("# H\n* [x] call Lin [type:: task] [done:: 2026-11-22]\n", "x/2026-11-21.md")
    assert one.id == moved.id
    assert only("- call Wang", "logs/2026-11-21.md").id != one.id
    assert only("- call Lin", "logs/2026-11-22.md").id != one.id


def test_the_same_words_twice_have_two_ids() -> None:
    first, second = read("- tea\n- tea\n").entries
    assert first.id != second.id


def test_links_are_read_without_heading_alias_or_embed_mark() -> None:
    assert only("- [[A]] ![[B#part]] [[C|see]] [[D^x]] [[A]]").links == ("A", "B", "C", "D")


def test_boxes_are_tasks() -> None:
    found = read("- [ ] a\n- [x] b\n- [X] c\n- [/] d\n- [-] e\n- [y] f\n").entries
    assert [entry.task for entry in found] == ["open", "done", "done", "open", "cancelled", None]
    assert [entry.type for entry in found] == ["task", "task", "task", "task", "task", None]


def test_the_body_is_the_text_without_marker_and_indent() -> None:
    assert only("- [ ] a\n  - b\n\n    c\n").body == "a\n- b\n\n  c"


# -- files from elsewhere --------------------------------------------------------------------------------------------


def test_an_obsidian_note_reads_as_its_author_meant() -> None:
    text = (
        "---\naliases: [缓存]\ntags:\n  - project/cangqiong\n---\n# Cache\n> [!note] Callout #idea\n> second line\n\n"
        "- see [[Redis#Eviction|eviction]] ^ev\n\t- [ ] try it ⏫ 📅 2026-11-30\n\n%% private %%\n"
    )
    callout, bullet = read(text).entries
    assert callout.raw == "> [!note] Callout #idea\n> second line"
    assert callout.tags == ("idea", "project/cangqiong")
    assert (bullet.id, bullet.links, bullet.trail) == ("^ev", ("Redis",), ("Cache",))


def test_a_windows_file_with_byte_order_mark_reads_the_same() -> None:
    text = "---\ntags: a\n---\n# 2026-11-20\n\n- 9:00 x #b [type:: fact] ^id\n  more\n"
    here, there = only(text), only("\ufeff" + text.replace("\n", "\r\n"))
    for name in ("body", "tags", "fields", "id", "day", "time", "trail", "line", "last_line", "hash", "words"):
        assert getattr(here, name) == getattr(there, name), name


# -- what is broken --------------------------------------------------------------------------------------------------


def test_broken_front_matter_is_named_by_file_and_line_and_the_rest_is_read() -> None:
    found = read("---\ntitle: ok\ntags: [a\nb: c\n---\n- kept\n", "projects/x.md")
    assert found.problem.startswith("projects/x.md:")
    assert int(found.problem.split(":")[1]) in (3, 4)
    assert [entry.raw for entry in found.entries] == ["- kept"]


def test_front_matter_that_is_no_mapping_is_named() -> None:
    assert read("---\n- a\n- b\n---\n- kept\n").problem.startswith("notes.md:2: expected 'key: value'")


def test_front_matter_made_to_explode_is_harmless() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}]\n" for a, b in zip("abcdefghij", "bcdefghijk", strict=True))  # fmt: skip
    assert only(f"---\n{bomb}tags: *k\n---\n- kept\n").tags == ()
    deep = "tags: " + "[" * 5_000
    assert read(f"---\n{deep}\n---\n- kept\n").problem


# -- what other programs write ---------------------------------------------------------------------------------------


@check_rows(
    "text",
    [
        "# <% tp.file.title %>\n\nMood: <% tp.system.prompt('mood') %>\n",
        "- created {{date:YYYY-MM-DD}}\n",
        "{{title}} was written at {{time}}\n",
        "- {{query (and [[project]] (task NOW))}}\n",
        "```dataview\nTABLE birthday FROM \"People\"\n```\n",
        "```tasks\nnot done\n```\n",
        "%% ask Anna before this is shown %%\n",
        "%%\nseveral lines\nof a comment\n%%\n",
        "---\nexcalidraw-plugin: parsed\n---\n# Text Elements\nBox ^a1b2\n",
    ],
)  # fmt: skip
def test_templates_queries_and_comments_are_no_memories(text: str) -> None:
    assert raws(text) == []
    assert raws(f"{text}\n- Hana likes oolong\n"[0 if "excalidraw" not in text else len(text) :]) == [
        "- Hana likes oolong"
    ]


@pytest.mark.parametrize(
    "text",
    ["- in Jinja `{{ date }}` prints the day", "- ERB writes `<% if x %>`", "- 100%% sure", "- {{name}} is how we mark names", "- a < b, 5 % of c", "- throughput <% of the target, and falling",
     "```python\nprint(1)\n```"],
)  # fmt: skip
def test_what_only_looks_like_a_template_is_kept(text: str) -> None:
    assert raws(text) == [text]


def test_what_is_written_around_a_comment_is_kept() -> None:
    assert raws("one\n%% aside %%\ntwo\n") == ["one", "two"]
    assert raws("%% never closed\n- here\n") == ["%% never closed", "- here"]


def test_properties_of_a_line_are_fields_and_stay_words() -> None:
    entry = only(
        "- Hana Sato\n  birthday:: 1990-03-01\n  id:: 6312aa10-0000-4000-8000-3b1f6cd0a111\n  collapsed:: true\n"
    )
    assert (entry.fields["birthday"], entry.fields["id"][:4]) == ("1990-03-01", "6312")
    assert entry.words == "Hana Sato\nbirthday:: 1990-03-01"
    assert entry.hash == only("- Hana Sato\n  birthday:: 1990-03-01\n").hash
