"""Formats of other tools: each is known by its files, and what is in them comes over whole."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.errors import UsageError
from memcli.move import formats
from memcli.move.items import Attachment, Item, Page, Statement, Talk, Unread
from memcli.move.tree import _values, open_tree

T = TypeVar("T")
SAMPLES = Path(__file__).parent / "samples"


def read(place: Path, name: str = "") -> list[Item]:
    tree = open_tree(place)
    return list(formats.load(name or formats.known(tree)).read(tree))


def of(items: Sequence[Item], kind: type[T]) -> list[T]:
    return [item for item in items if isinstance(item, kind)]


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("pam/example-memory-store.json", "pam"),
        ("letta/memgpt_agent_with_convo.af", "letta"),
        ("claude/conversations.json", "claude"),
        ("obsidian-importer/keep", "keep"),
        ("obsidian-importer/evernote", "evernote"),
        ("obsidian-importer/bear/tags.bear2bk", "bear"),
        ("obsidian-importer/sample.csv", "csv"),
    ],
)
def test_a_sample_is_known_and_read_whole(place: str, name: str) -> None:
    tree = open_tree(SAMPLES / place)
    assert formats.known(tree) == name
    items = read(SAMPLES / place)
    assert items and all("trash" in item.why for item in of(items, Unread))


def test_pam_keeps_what_is_known_of_a_memory() -> None:
    first, *rest = of(read(SAMPLES / "pam/example-memory-store.json"), Statement)
    assert first.text.startswith("User is fluent in multiple languages") and len(rest) == 4
    assert (first.source, first.type, first.tags[0], first.confidence) == (
        "pam:mem-001-identity", "identity", "identity", 1.0,
    )  # fmt: skip


def test_claude_talks_have_their_words_and_times() -> None:
    talks = of(read(SAMPLES / "claude/conversations.json"), Talk)
    assert [len(talk.messages) for talk in talks] == [2, 4]
    assert talks[0].messages[0].role == "user" and all(talk.at for talk in talks)


def test_keep_has_boxes_labels_and_days() -> None:
    pages = {page.title: page for page in of(read(SAMPLES / "obsidian-importer/keep"), Page)}
    assert "- [ ] First item" in pages["Checklist note"].text
    assert "label with spaces" in pages["Labelled note"].tags
    assert "Deleted note" not in pages


def test_evernote_has_boxes_and_pictures() -> None:
    items = read(SAMPLES / "obsidian-importer/evernote")
    tasks = next(page for page in of(items, Page) if page.title == "Task lists")
    assert "- [ ] Open task" in tasks.text and "- [x] Done task" in tasks.text
    assert [item.path.rpartition("/")[2] for item in of(items, Attachment)]


def test_bear_tags_of_several_words_become_one() -> None:
    text = next(
        page.text for page in of(read(SAMPLES / "obsidian-importer/bear/tags.bear2bk"), Page) if "two" in page.text
    )
    assert "#two-words" in text and "#项目-计划" in text


def chatgpt(tmp_path: Path) -> Path:
    def node(id: str, parent: str | None, role: str, text: str, children: list[str]) -> dict[str, object]:
        said = {
            "author": {"role": role},
            "content": {"content_type": "text", "parts": [text]},
            "create_time": 1700000000,
        }
        return {"id": id, "parent": parent, "message": said if text else None, "children": children}

    mapping = {
        "root": node("root", None, "system", "", ["a"]),
        "a": node("a", "root", "user", "where does the tea come from", ["b", "c"]),
        "b": node("b", "a", "assistant", "an answer that was thrown away", []),
        "c": node("c", "a", "assistant", "from Fujian", ["d"]),
        "d": node("d", "c", "tool", "searched the web", ["e"]),
        "e": node("e", "d", "user", "thank you", []),
    }
    talk = {"title": "Tea", "id": "t1", "create_time": 1700000000.5, "mapping": mapping, "current_node": "e"}
    place = tmp_path / "conversations.json"
    place.write_text(json.dumps([talk, {**talk, "id": "t2", "current_node": None}, {"mapping": {}}]), encoding="utf-8")
    return place


def test_chatgpt_shows_the_branch_that_was_shown_last(tmp_path: Path) -> None:
    items = read(chatgpt(tmp_path))
    talk, other = of(items, Talk)
    assert [said.text for said in talk.messages] == ["where does the tea come from", "from Fujian", "thank you"]
    assert (talk.source, talk.title) == ("chatgpt:t1", "Tea")
    assert other.messages[-1].text == "thank you"  # no current node is told: the last leaf
    assert [item.why for item in of(items, Unread)] == ["no messages in it"]


def test_server_memory_is_a_graph_of_facts(tmp_path: Path) -> None:
    lines = [
        {
            "type": "entity",
            "name": "Anna",
            "entityType": "person",
            "observations": ["allergic to nuts", "lives in Leipzig"],
        },
        {"type": "relation", "from": "Anna", "to": "Bob", "relationType": "is_married_to"},
    ]
    place = tmp_path / "memory.jsonl"
    place.write_text("\n".join([*map(json.dumps, lines), "{broken"]), encoding="utf-8")
    items = read(place)
    assert [each.text for each in of(items, Statement)] == [
        "Anna: allergic to nuts", "Anna: lives in Leipzig", "Anna is married to Bob",
    ]  # fmt: skip
    assert of(items, Unread) == [Unread("memory.jsonl:3", "is no entity and no relation")]


def test_obsidian_leaves_templates_and_settings_out(tmp_path: Path) -> None:
    for name, text in {
        ".obsidian/templates.json": '{"folder": "Templates"}',
        "Templates/day.md": "# {{date}}",
        "Daily/2026-03-01.md": "- met Anna",
        "People/Anna.md": "![[anna.png]] allergic",
        "anna.png": "not really a picture",
        "plan.canvas": "{}",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    items = read(tmp_path)
    assert sorted(page.path for page in of(items, Page)) == ["Daily/2026-03-01.md", "People/Anna.md"]
    assert [each.path for each in of(items, Attachment)] == ["anna.png"]
    assert of(items, Unread) == [Unread("1 file", "of other kinds")]


def test_logseq_states_become_boxes_and_journals_have_days(tmp_path: Path) -> None:
    for name, text in {
        "logseq/config.edn": "{}",
        "logseq/bak/old.md": "- gone",
        "journals/2026_03_01.md": "- TODO call Anna\n  collapsed:: true\n- DONE pay rent\n",
        "pages/people%2FAnna.md": "birthday:: 3 May\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    pages = {page.path: page.text for page in of(read(tmp_path), Page)}
    assert pages == {
        "journals/2026-03-01.md": "- [ ] call Anna\n- [x] pay rent\n", "pages/people/Anna.md": "birthday:: 3 May\n",
    }  # fmt: skip


def test_instructions_for_agents_bring_what_they_import(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("Use tabs.\n@docs/style.md\n@missing.md\n", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/style.md").write_text("No emojis. @../CLAUDE.md\n", encoding="utf-8")
    (tmp_path / "main.py").write_text("print()", encoding="utf-8")
    items = read(tmp_path)
    assert [page.path for page in of(items, Page)] == ["CLAUDE.md", "docs/style.md"]
    assert [each.name for each in of(items, Unread)] == ["CLAUDE.md: @missing.md"]


def test_joplin_day_one_and_org(tmp_path: Path) -> None:
    joplin, dayone, org = tmp_path / "j", tmp_path / "d", tmp_path / "o"
    for folder in (joplin, dayone, org):
        folder.mkdir()
    id, home = "a" * 32, "b" * 32
    (joplin / f"{id}.md").write_text(
        f"Tea\n\nfrom Fujian\n\nid: {id}\nparent_id: {home}\ncreated_time: 2026-03-01T10:00:00.000Z\ntype_: 1",
        encoding="utf-8",
    )
    (joplin / f"{home}.md").write_text(f"Kitchen\n\nid: {home}\ntype_: 2", encoding="utf-8")
    assert [(page.path, page.text) for page in of(read(joplin), Page)] == [("Kitchen/Tea.md", "# Tea\n\nfrom Fujian\n")]
    entry = {"uuid": "C0FFEE11", "creationDate": "2026-03-01T10:00:00Z", "text": "Met Anna\\.", "tags": ["friends"]}
    (dayone / "Journal.json").write_text(json.dumps({"metadata": {}, "entries": [entry]}), encoding="utf-8")
    page = of(read(dayone), Page)[0]
    assert (page.path, page.text, page.tags) == ("Journal/2026-03-01 C0FFEE.md", "Met Anna.", ("friends",))
    (org / "life.org").write_text(
        "#+TITLE: Life\n* TODO call Anna :family:\nSCHEDULED: <2026-03-01 Sun 10:00>\n* Notes\n[[https://example.org][a page]]\n",
        encoding="utf-8",
    )
    text = of(read(org), Page)[0].text
    assert "- [ ] call Anna #family" in text and "2026-03-01 10:00" in text and "[a page](https://example.org)" in text


def test_a_format_that_nobody_knows_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"\0\1")
    with pytest.raises(UsageError, match="of no kind that is known"):
        formats.known(open_tree(tmp_path))
    with pytest.raises(UsageError, match="no format is called"):
        formats.load("nosuch")


# -- there and back ----------------------------------------------------------------------------------------------------

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=12)
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
STATEMENTS = st.builds(
    Statement,
    text=TEXTS,
    source=st.uuids().map("mem:{}".format),
    type=st.sampled_from(["", "fact", "decision", "preference"]),
    at=st.none()
    | st.datetimes(datetime(2000, 1, 1), datetime(2030, 1, 1)).map(lambda at: at.replace(microsecond=0, fold=0)),
    tags=st.lists(st.sampled_from(["tea", "茶", "work/api"]), unique=True, max_size=2).map(tuple),
    confidence=st.none() | st.sampled_from([0.25, 0.5, 1.0]),
    importance=st.none() | st.sampled_from([0.25, 0.5, 1.0]),
    author=st.sampled_from(["", "claude"]),
)
CARRIED = {
    "mem": {"text", "type", "at", "tags", "confidence", "importance", "author"},
    "mem0": {"text", "type", "at", "tags", "confidence", "importance", "author"},
    "pam": {"text", "at", "tags", "confidence", "importance"},
    "csv": {"text", "type", "at", "tags", "confidence", "importance", "author"},
    "server-memory": set(),
}


@pytest.mark.parametrize("name", CARRIED)
@given(statements=st.lists(STATEMENTS, min_size=1, max_size=4, unique_by=lambda each: each.text))
def test_what_a_format_carries_comes_back_field_by_field(
    name: str, statements: list[Statement], tmp_path_factory: pytest.TempPathFactory
) -> None:
    format = formats.load(name)
    assert format.write
    place = tmp_path_factory.mktemp("x") / (
        "m.csv" if name == "csv" else "m.jsonl" if name in ("mem", "server-memory") else "m.json"
    )
    place.write_text("".join(format.write(statements)), encoding="utf-8")
    assert formats.known(open_tree(place)) == name
    back = of(read(place), Statement)
    assert len(back) == len(statements)
    for field in CARRIED[name]:
        assert [getattr(each, field) for each in back] == [getattr(each, field) for each in statements]


@given(
    values=st.lists(
        st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)), max_size=6
    ),
    indent=st.sampled_from([None, 1]),
)
def test_a_long_list_is_read_a_value_at_a_time(values: list[object], indent: int | None) -> None:
    stream = io.TextIOWrapper(io.BytesIO(json.dumps(values, indent=indent).encode()), "utf-8")
    assert list(_values(stream, "x")) == values


def test_talks_with_coding_agents_are_talks() -> None:
    place = next(iter((Path(__file__).parents[1]).rglob("sample_session.jsonl")))
    tree = open_tree(place)
    assert formats.known(tree) == "transcripts"
    (talk,) = of(read(place), Talk)
    assert talk.messages[0].role == "user" and talk.at
