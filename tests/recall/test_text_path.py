"""The text path: ripgrep's matches, how common a word is, and what neighbours and headings give."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.recall.nature import find_conversation_traits
from memcli.recall.paths import text
from memcli.recall.search_state import VaultSearch
from memcli.text.words import lead_of
from memcli.vault.grep import LineSearch, grep
from memcli.vault.vault import Vault
from tests.conftest import opened
from tests.recall.vaults import ask, ground, lay, places, texts
from tests.rows import check_rows


def found_in(folder: Path, question: str) -> list[str]:
    """What the words of a question lead to, without the newest and the favoured files."""
    return [each.scored.entry.place for each in ask(folder, question, fill=True).chosen if each.scored.matched]


def test_no_match_of_a_rare_word_is_lost_because_a_common_one_filled_the_list(folder: Path) -> None:
    common = {f"notes/{n:03}.md": "".join(f"- server {n} {m} server log\n" for m in range(50)) for n in range(100)}
    lay(folder, {**common, "notes/zz.md": "- the zebra bit the server\n"})
    assert places(ask(folder, "server zebra"))[0] == "notes/zz.md:1"


def test_a_rare_word_is_found_in_the_middle_of_a_long_file(folder: Path) -> None:
    lines = [f"- server {n} restarted\n" for n in range(5000)]
    lines[3210] = "- zebra at the server room\n"
    lay(folder, {"logs/2026-01-01.md": "".join(lines)})
    assert places(ask(folder, "which server had the zebra"))[0] == "logs/2026-01-01.md:3211"


def test_of_more_files_than_are_read_those_that_know_most_are(folder: Path) -> None:
    many = {f"notes/{n:03}.md": "- cache\n" for n in range(text.MOST_FILES * 3)}
    lay(folder, {**many, "notes/zz.md": "- the cache moved to redis\n"})
    assert places(ask(folder, "redis cache"))[0] == "notes/zz.md:1"


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("where did we eat", "We ate in Suzhou"),
        ("who bought the lamp", "Lulu buys a lamp"),
        ("the children and the mice", "a child saw a mouse"),
        ("mum's birthday", "Mother turns sixty, bday cake ordered"),
        ("缓存方案", "今天把缓存的方案定下来了"),
        ("成都好玩吗", "下个月飞成都，待三天"),
        ("redis怎么配置", "用Redis做缓存，配置写在wiki"),
        ("POOL size", "set MAX_POOL_SIZE=5"),
        ("max_pool_size", "set MAX_POOL_SIZE=5"),
        ("what about C++", "moved the parser to C++ 20"),
        ("foo(bar)[x]", "calls foo(bar)[x] twice"),
        ("книга", "дала мне две книги"),
        ("京都旅行", "来年は京都へ旅行したい"),
        ("CAFÉ", "a café by the river"),
        ("how do I roll back a release", "Rollback is just a tag"),
        ("rollback", "roll back with the last tag"),
        ("the setup of the mill", "set up in two hours"),
        ("what do I write in Go", "a server in Go"),
        ("what did I promise to Will", "Will gets the book back"),
    ],
)
def test_a_line_is_found_by_the_words_of_the_question(folder: Path, question: str, line: str) -> None:
    lay(folder, {"notes/a.md": f"- {line}\n", "notes/b.md": "- nothing of the kind\n- 毫不相干\n"})
    assert found_in(folder, question) == ["notes/a.md:1"]


@pytest.mark.parametrize("pattern", [".*", "a|b", "(?i)x", "^", "$", "[a-z]+", r"\w", "x{1,3}", "(((", "\\"])
def test_a_question_that_is_a_regex_matches_nothing_but_itself(folder: Path, pattern: str) -> None:
    lay(folder, {"notes/a.md": "- quite another thing\n"})
    assert found_in(folder, pattern) == []


def test_a_name_that_is_a_common_word_is_not_its_other_forms(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- the pixel went to Mum, 7 pounds a go\n- parsers are written in Go\n- nothing else\n"})
    assert texts(ask(folder, "what do I write in Go"))[0] == "parsers are written in Go"


def test_a_quoted_phrase_beats_its_scattered_words(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- cache for the level, two of it\n", "notes/b.md": "- a two level cache\n"})
    assert places(ask(folder, '"two level cache"'))[0] == "notes/b.md:1"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_any_line_end_will_do(folder: Path, end: str) -> None:
    lay(folder, {"notes/a.md": end.join(["# Work", "- the cache", "  is redis", "- other", ""])})
    assert texts(ask(folder, "redis"))[0] == "the cache\nis redis"


def test_a_match_deep_in_an_entry_brings_the_whole_entry(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- Meeting:\n  - one\n  - two\n\n  ```\n  zebra\n  ```\n- other\n"})
    assert places(ask(folder, "zebra"))[0] == "notes/a.md:1"
    assert "zebra" in texts(ask(folder, "zebra"))[0]


def test_in_a_talk_what_stands_next_to_the_word_is_better_than_what_does_not(folder: Path) -> None:
    said = ("far", "away", "off", "who is there", "We looked at the zebra", "It was tired")
    lay(folder, {"logs/2026-01-02.md": "".join(f"- {'AB'[n % 2]}nn: {line}\n" for n, line in enumerate(said))})
    near = {each.text[5:]: each.scored.parts["near"] for each in ask(folder, "zebra", fill=True).chosen}
    assert near["It was tired"] > near.get("far", 0.0)


def test_among_notes_a_neighbour_without_a_word_of_the_question_stays_away(folder: Path) -> None:
    lay(folder, {"logs/2026-01-02.md": "- the port is 5433\n- we dropped the cache\n- the dentist is Dr Moreau\n"})
    assert texts(ask(folder, "which port is it")) == ["the port is 5433"]


def test_the_headings_of_the_templates_say_nothing_of_the_lines_below(folder: Path) -> None:
    for file in (Path(__file__).parents[2] / "templates").rglob("*.md"):
        heads = [line.lstrip("# ").lower() for line in file.read_text(encoding="utf-8").split("\n") if line[:1] == "#"]
        known = text.TEMPLATE_TITLES | text.TEMPLATE_SECTIONS
        assert file.name == "USER.md" or known.issuperset(heads), f"{file}: its headings stand in recall/paths/text.py"
    lay(folder, {"MEMORY.md": "# Memory\n## People\n- Ana is a nurse\n## Work\n- guest WiFi by ticket\n"})
    assert texts(ask(folder, "how do I stop the memory leak at work")) == []
    assert texts(ask(folder, "people")) == ["Ana is a nurse"]


def test_a_word_in_the_heading_speaks_for_the_entries_below(folder: Path) -> None:
    lay(folder, {"notes/a.md": "# Zebra\n- striped\n# Horse\n- brown\n- see the zebra page\n"})
    scores = {each.text: each.scored.parts["text"] for each in ask(folder, "zebra").chosen}
    assert scores["striped"] > scores.get("brown", 0.0)


def test_neighbours_in_another_section_are_strangers(folder: Path) -> None:
    lay(folder, {"notes/a.md": "# One\n- the zebra\n# Two\n- something else\n"})
    assert texts(ask(folder, "zebra")) == ["the zebra"]


@pytest.mark.parametrize("files", [{"a.md": "- the zebra\n"}, {"a.md": "- the zebra \x1f striped\n"}])
def test_a_vault_of_one_file_is_searched_like_any_other(folder: Path, files: dict[str, str]) -> None:
    lay(folder, files)
    assert found_in(folder, "zebra") == ["a.md:1"]


def test_a_vault_without_files_has_nothing_and_says_so(folder: Path) -> None:
    said = ask(folder, "zebra")
    assert (said.chosen, said.matched) == ((), False)


def test_what_git_ignores_is_still_remembered(repository: Path) -> None:
    (repository / ".gitignore").write_text("private/\n*.md\n", encoding="utf-8")
    (repository / "private").mkdir()
    (repository / "private" / "a.md").write_text("- the zebra\n", encoding="utf-8")
    (repository / "b.md").write_text("- another zebra\n", encoding="utf-8")
    assert sorted(found_in(repository, "zebra")) == ["b.md:1", "private/a.md:1"]


@pytest.mark.parametrize(
    "place",
    ["sessions/s1.md", "knowledge/k.md", "archive/2025.md", "journal/j.md", "roles/default.md", ".hidden/a.md", ".mem/c.md",
     ".git/x.md", ".note.md", "agents/other/logs/2026-11-20.md", "agents/other/MEMORY.md", "notes/a.txt", "node_modules/a.md"],
)  # fmt: skip
def test_what_is_no_memory_is_never_recalled(folder: Path, place: str) -> None:
    lay(folder, {place: "- the zebra\n", "notes/a.md": "- a horse\n"})
    assert "zebra" not in ask(folder, "zebra").text
    assert "zebra" not in ask(folder, "").text


def test_an_agent_sees_what_is_shared_and_its_own(folder: Path) -> None:
    lay(folder, {
        "agents/ada/logs/2026-11-20.md": "- zebra of ada\n",
        "agents/bob/logs/2026-11-20.md": "- zebra of bob\n",
        "notes/a.md": "- zebra of all\n",
    })  # fmt: skip
    assert sorted(texts(ask(folder, "zebra", agent="ada"))) == ["zebra of ada", "zebra of all"]
    assert texts(ask(folder, "zebra")) == ["zebra of all"]


def test_who_names_a_place_gets_what_lies_there(folder: Path) -> None:
    lay(folder, {"archive/2025.md": "- the zebra\n", "notes/a.md": "- a zebra\n"})
    assert texts(ask(folder, "zebra", path="archive")) == ["the zebra"]


def test_a_file_name_may_be_anything(folder: Path) -> None:
    names = ["a b.md", "ü.md", "缓存.md", "c++ (1).md", "x:12:.md", "# h.md", "-dash.md", "line\nfeed.md", "é.markdown"]
    lay(folder, {f"notes/{name}": "- the zebra\n" for name in names})
    recalled = {each.scored.entry.path for each in ask(folder, "zebra", most=20).chosen}
    # The same words are said once, whoever says them; but every file that ripgrep can name was seen.
    assert recalled <= {f"notes/{name}" for name in names}
    assert ground(opened(folder), "zebra").findings.touched() == {f"notes/{name}" for name in names if "\n" not in name}


def test_a_name_that_begins_entries_tells_who_speaks(folder: Path) -> None:
    talk = "".join(f"- Anna: I like thing number {n}\n- Ben: so do I, thing {n}\n" for n in range(20))
    lay(folder, {"logs/2026-01-02.md": talk + "- Anna: the zebra was mine\n- Ben: my zebra is tired\n"})
    assert texts(ask(folder, "what did Anna say of the zebra"))[0] == "Anna: the zebra was mine"
    assert texts(ask(folder, "what did Ben say of the zebra"))[0] == "Ben: my zebra is tired"


@check_rows(
    ("raw", "lead"),
    [
        ("- Anna: hello", "anna"),
        ("- 14:30 Anna: hello", "anna"),
        ("- **Anna**: hello", "anna"),
        ("- [ ] Anna: hello", "anna"),
        ("老王：下午开会", "老王"),
        ("- 14:30 lunch", ""),
        ("- no lead here", ""),
        ("- 14:30", ""),
        ("", ""),
    ],
)
def test_a_lead_is_the_name_an_entry_begins_with(raw: str, lead: str) -> None:
    assert lead_of(raw) == lead


line = st.text(st.sampled_from("zebra cache 缓存 \t-*#:.\r\x1f\x00é"), max_size=12)


@settings(max_examples=40)
@given(
    st.dictionaries(st.sampled_from(["a.md", "logs/2026-11-20.md", "b c.md"]), st.lists(line, max_size=5), min_size=1)
)
def test_every_hit_is_a_line_of_its_file(folder: Path, files: dict[str, list[str]]) -> None:
    """And every line with the word is a hit, as long as it can be text at all."""
    lay(folder, {name: "\n".join(lines) + "\n" for name, lines in files.items()})
    hits = grep(folder, sorted(files), LineSearch(["zebra", "缓存"]))
    for name, lines in files.items():
        expected = {n for n, each in enumerate(lines, 1) if "zebra" in each.lower() or "缓存" in each}
        if "\0" not in "".join(lines):
            assert {hit.line for hit in hits.get(name, [])} == expected
            assert all(hit.text.rstrip("\r") == lines[hit.line - 1].rstrip("\r") for hit in hits.get(name, []))


def test_nothing_is_searched_for_a_question_without_words(vault: Vault) -> None:
    assert grep(vault.root, ["a.md"], LineSearch([])) == {}
    assert grep(vault.root, [], LineSearch(["x"])) == {}


def test_a_note_is_found_by_the_name_of_its_file(folder: Path) -> None:
    lay(folder, {"Kyoto trip.md": "- book the ryokan\n", "other.md": "- a trip to the dentist\n"})
    assert places(ask(folder, "what about the Kyoto trip"))[0] == "Kyoto trip.md:1"


def test_a_property_of_front_matter_answers_for_whom_the_file_is_named_after(folder: Path) -> None:
    front = "---\ntype: person\naliases: [Hana-chan]\nbirthday: 1990-03-02\nlikes:\n  - kiwi\n---\n"
    lay(
        folder,
        {"People/Hana Sato.md": f"{front}# About\n- met at the fair\n", "notes/b.md": "- a birthday, and kiwi\n"},
    )
    assert texts(ask(folder, "when is Hana's birthday"))[0] == "birthday: 1990-03-02"
    assert "kiwi" in texts(ask(folder, "what does Hana-chan like"))[0]


def test_a_property_that_programs_keep_for_themselves_is_no_memory(folder: Path) -> None:
    lay(folder, {"People/Hana.md": "---\ntype: person\nid: 17\ntags: [friend]\n---\n- met at the fair\n"})
    assert found_in(folder, "what type of blood") == []


def test_a_number_that_another_word_goes_with_is_not_looked_for_alone(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- RFC 12 talks of keys\n\n## Kitchen\n- 12 eggs\n"})
    assert found_in(folder, "RFC 12 keys") == ["notes/a.md:1"]
    assert sorted(found_in(folder, "12")) == ["notes/a.md:1", "notes/a.md:4"]


def test_a_note_covers_more_of_a_short_question_when_it_has_characters_of_its_words(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- 外婆搬进了新房\n- 外婆昨天摔了，躺在骨科十二床\n- 妈妈摔了，躺在床上\n"})
    search = ask_ground(folder, "外婆摔伤在哪个病床")
    found = {entry.words[:4]: match for entry, match in text.match_words(search).items()}
    assert found["外婆昨天"].covers > found["外婆搬进"].covers > 0
    assert found["外婆昨天"].words > found["外婆搬进"].words > found["妈妈摔了"].words > 0
    assert found["外婆昨天"].matched == ("外婆", "摔", "床"), "and not the characters of a word that it has"


def test_a_short_question_finds_a_word_that_shares_a_character(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- 小店的做账请小蒋接手\n- 小店门口换了灯泡\n- 给婆婆挂了号\n"})
    assert texts(ask(folder, "小店谁记账"))[0] == "小店的做账请小蒋接手"


def test_a_character_is_found_in_traditional_notes(folder: Path) -> None:
    lay(folder, {"notes/a.md": "- 小店的做帳請小蔣接手\n- 小店門口換了燈泡\n"})
    assert texts(ask(folder, "小店谁记账"))[0] == "小店的做帳請小蔣接手"


@pytest.mark.parametrize("question", ["外婆摔伤之后住进医院，护士安排的病床在走廊东头还是西头", "外婆摔伤时 Anna 在吗"])
def test_beside_many_words_or_a_foreign_one_characters_do_not_count(folder: Path, question: str) -> None:
    lay(folder, {"notes/a.md": "- 外婆昨天摔了，躺在骨科十二床\n"})
    search = ask_ground(folder, question)
    assert {match.matched for match in text.match_words(search).values()} == {("外婆",)}


def ask_ground(folder: Path, question: str) -> VaultSearch:
    search = ground(opened(folder), question)
    list(text.find_entries(search))
    return search


@pytest.mark.parametrize("prefix", ["boat: ", ""])
def test_lines_around_a_hit_come_only_where_people_talk(folder: Path, prefix: str) -> None:
    notes = [f"- {prefix}line {n} of the sails\n" for n in range(12)]
    notes[5] = f"- {prefix}the autoclave is broken\n"
    lay(folder, {"MEMORY.md": "".join(notes)})
    assert places(ask(folder, "autoclave")) == ["MEMORY.md:6"]


@pytest.mark.parametrize("turns", [1, 3])
def test_people_who_answer_each_other_talk_also_in_several_lines_each(folder: Path, turns: int) -> None:
    said = [f"- {name}: word {n} {m}\n" for n in range(6) for name in ("Ana", "Ben") for m in range(turns)]
    lay(folder, {"notes/talk.md": "".join(said)})
    vault = ground(opened(folder), "word")
    vault.document("notes/talk.md")
    assert find_conversation_traits(vault).share > 0.9


def test_a_code_is_one_word_and_its_letters_are_none(folder: Path) -> None:
    lay(folder, {"MEMORY.md": "- he recommends a new switch\n- the culture is HE-12, on slants\n- room 12 is warm\n"})
    assert places(ask(folder, "what is HE-12")) == ["MEMORY.md:2"]


@pytest.mark.parametrize("question", ["1310", "1,310"])
def test_a_number_is_the_same_with_and_without_its_comma(folder: Path, question: str) -> None:
    lay(folder, {"MEMORY.md": "- rent rises to 1,310 from May\n- the key has number 310\n- the plate ends in 1310\n"})
    assert sorted(places(ask(folder, question))) == ["MEMORY.md:1", "MEMORY.md:3"]
