"""Formats of other tools: each is known by its files, and what is in them comes over whole."""

from __future__ import annotations

import html
import io
import json
import tarfile
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time
from html.parser import HTMLParser
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memcli.errors import UsageError
from memcli.features.move import bring, export, formats
from memcli.features.move.archives import open_tree
from memcli.features.move.import_plan import ImportOptions
from memcli.file_tree import _values
from memcli.format import Attachment, ImportedTalk, Item, Page, Statement, UnreadableItem
from memcli.text.messages import translated
from memcli.vault.entries import says_when
from memcli.vault.vault import Filter
from tests.conftest import opened
from tests.rows import check_rows

T = TypeVar("T")
SAMPLES = Path(__file__).parent / "samples"


def read(place: Path, name: str = "") -> list[Item]:
    tree = open_tree(place)
    return list(formats.load(name or formats.detect_format(tree)).read(tree))


def of(items: Sequence[Item], kind: type[T]) -> list[T]:
    return [item for item in items if isinstance(item, kind)]


def test_every_format_has_a_chinese_title() -> None:
    for name in formats.FORMATS:
        title = formats.load(name).title
        assert translated(title, "zh") != title, f"{name}: its title needs a row in zh/messages.txt of the feature move"


@check_rows(
    ("place", "name"),
    [
        ("pam/example-memory-store.json", "pam"),
        ("letta/memgpt_agent_with_convo.af", "letta"),
        ("claude/conversations.json", "claude"),
        ("obsidian-importer/keep", "keep"),
        ("obsidian-importer/evernote", "evernote"),
        ("obsidian-importer/bear/tags.bear2bk", "bear"),
        ("obsidian-importer/bear/example.textpack", "bear"),
        ("obsidian-importer/bear/backup-2.bear2bk", "bear"),
        ("obsidian-importer/sample.csv", "csv"),
        ("obsidian-importer/comprehensive-test.csv", "csv"),
        ("obsidian-importer/notion/notion-testspace.zip", "notion"),
        ("obsidian-importer/roam", "roam"),
    ],
)
def test_a_sample_is_known_and_read_whole(place: str, name: str) -> None:
    tree = open_tree(SAMPLES / place)
    assert formats.detect_format(tree) == name
    items = read(SAMPLES / place)
    assert items and all("trash" in item.why or "locked" in item.why for item in of(items, UnreadableItem))


def test_pam_keeps_what_is_known_of_a_memory() -> None:
    first, *rest = of(read(SAMPLES / "pam/example-memory-store.json"), Statement)
    assert first.text.startswith("User is fluent in multiple languages") and len(rest) == 4
    assert (first.source, first.type, first.tags[0], first.confidence) == (
        "pam:mem-001-identity", "identity", "identity", 1.0,
    )  # fmt: skip


def test_claude_talks_have_their_words_and_times() -> None:
    talks = of(read(SAMPLES / "claude/conversations.json"), ImportedTalk)
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
    talk, other = of(items, ImportedTalk)
    assert [said.text for said in talk.messages] == ["where does the tea come from", "from Fujian", "thank you"]
    assert (talk.source, talk.title) == ("chatgpt:t1", "Tea")
    assert other.messages[-1].text == "thank you"  # no current node is told: the last leaf
    assert [item.why for item in of(items, UnreadableItem)] == ["no messages in it"]


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
    assert of(items, UnreadableItem) == [UnreadableItem("memory.jsonl:3", "is not of the form that is expected")]


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
    assert of(items, UnreadableItem) == [UnreadableItem("1 file", "of other kinds")]


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
    assert [each.name for each in of(items, UnreadableItem)] == ["CLAUDE.md: @missing.md"]


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


def test_joplin_links_reach_their_notes_and_files_from_any_notebook(tmp_path: Path) -> None:
    note, other, home, file = ("abcd"[n] * 32 for n in range(4))
    told = "created_time: 2026-03-01T10:00:00.000Z\nis_todo: 1\ntodo_completed: 0\nauthor: Anna\ntype_: 1"
    body = f"see [the other](:/{other}#part), ![](:/{file}) and [gone](:/{'e' * 32})"
    (tmp_path / f"{note}.md").write_text(f"Tea\n\n{body}\n\nid: {note}\nparent_id: {home}\n{told}", "utf-8")
    (tmp_path / f"{other}.md").write_text(f"Other\n\nx\n\nid: {other}\nencryption_applied: 0\ntype_: 1", "utf-8")
    (tmp_path / f"{home}.md").write_text(f"Kitchen\n\nid: {home}\ntype_: 2", "utf-8")
    (tmp_path / "locked.md").write_text(f"id: {'f' * 32}\nencryption_applied: 1\ntype_: 1", "utf-8")
    (tmp_path / "resources").mkdir()
    (tmp_path / f"resources/{file}.png").write_bytes(b"1")
    items = read(tmp_path)
    tea = next(page for page in of(items, Page) if page.title == "Tea")
    assert f"[the other](<../Other.md#part>), ![](<../resources/{file}.png>)" in tea.text and "gone](:/e" in tea.text
    assert (tea.path, tea.fields) == ("Kitchen/Tea.md", {"author": "Anna", "todo": "open"})
    assert [item.why for item in of(items, UnreadableItem)] == ["is encrypted"]


def test_a_day_of_day_one_is_the_day_where_it_was_written(tmp_path: Path) -> None:
    entry = {
        "uuid": "C0FFEE11",
        "creationDate": "2026-03-01T20:00:00Z",
        "timeZone": "Asia/Tokyo",
        "text": "a\\/b\\! \\*c",
    }
    (tmp_path / "Journal.json").write_text(json.dumps({"entries": [entry]}), encoding="utf-8")
    page = of(read(tmp_path), Page)[0]
    assert (page.path, page.text) == ("Journal/2026-03-02 C0FFEE.md", "a/b! \\*c")


def test_talks_of_one_title_without_ids_are_all_there(tmp_path: Path) -> None:
    talks = json.loads(chatgpt(tmp_path).read_text(encoding="utf-8"))[:1] * 2
    named = [{**{k: v for k, v in talk.items() if k != "id"}, "create_time": 1.7e9 + n} for n, talk in enumerate(talks)]
    (tmp_path / "conversations.json").write_text(json.dumps(named), encoding="utf-8")
    assert len({talk.source for talk in of(read(tmp_path), ImportedTalk)}) == 2


def test_a_graph_of_logseq_may_have_org_files(tmp_path: Path) -> None:
    for name, text in {
        "logseq/config.edn": "{}",
        "logseq/bak/old.org": "* gone",
        "journals/2026_03_01.org": "* TODO call Anna",
        "pages/tea.md": "- green",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    pages = {page.path: page.text for page in of(read(tmp_path), Page)}
    assert pages == {"journals/2026-03-01.md": "- [ ] call Anna\n", "pages/tea.md": "- green"}


def test_a_format_that_nobody_knows_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"\0\1")
    with pytest.raises(UsageError, match="of no kind that is known"):
        formats.detect_format(open_tree(tmp_path))
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
ALL = {"text", "type", "at", "tags", "confidence", "importance", "author"}
CARRIED = {"mem": ALL, "json": ALL, "jsonl": ALL, "mem0": ALL, "pam": ALL, "csv": ALL, "server-memory": {"text"}}
ENDINGS = {"csv": "csv", "mem": "jsonl", "jsonl": "jsonl", "server-memory": "jsonl"}


def with_time_in_text(each: Statement) -> Statement:
    """Our own format puts the time of day back at the head of a text that says none, where the export took it from."""
    if not each.at or each.at.time() == time():
        return each
    text = each.text if says_when(each.text) else f"{each.at:%H:%M} {each.text}"
    return replace(each, text=text, at=datetime.combine(each.at, time()))


@pytest.mark.slow
@pytest.mark.parametrize("name", CARRIED)
@given(statements=st.lists(STATEMENTS, min_size=1, max_size=4, unique_by=lambda each: each.text))
@example(statements=[Statement(word, source=f"mem:{word}") for word in ("mapping", "chat_messages", "string")])
def test_what_a_format_carries_comes_back_field_by_field(
    name: str, statements: list[Statement], tmp_path_factory: pytest.TempPathFactory
) -> None:
    format = formats.load(name)
    assert format.write
    place = tmp_path_factory.mktemp("x") / f"m.{ENDINGS.get(name, 'json')}"
    place.write_text("".join(format.write(statements)), encoding="utf-8")
    assert formats.detect_format(open_tree(place)) == {"json": "mem", "jsonl": "mem"}.get(name, name)
    back = of(read(place), Statement)
    assert len(back) == len(statements)
    if name in ("mem", "json", "jsonl"):
        statements = [with_time_in_text(each) for each in statements]
    for field in CARRIED[name]:
        told, came = ([getattr(each, field) for each in listed] for listed in (statements, back))
        assert sorted(map(repr, came)) == sorted(map(repr, told)) if name == "server-memory" else came == told


PLAIN = st.lists(st.text("abcdeé茶酒ß", min_size=1, max_size=8), min_size=1, max_size=6).map(" ".join)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["markdown", "obsidian", "openclaw"])
@settings(max_examples=25)
@given(statements=st.lists(STATEMENTS, min_size=1, max_size=4, unique_by=lambda each: each.text), texts=st.data())
def test_notes_that_were_taken_out_are_the_same_memories_where_they_come_in(
    name: str, statements: list[Statement], texts: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A folder of Markdown is read by the vault itself: what stands behind the words is known again."""
    place = tmp_path_factory.mktemp("x")
    words = texts.draw(st.lists(PLAIN, min_size=len(statements), max_size=len(statements), unique=True))
    sent = [replace(each, text=text) for each, text in zip(statements, words, strict=True)]
    format = formats.load(name)
    if format.write_files:
        export.write_folder(export.ExportResult(format, files=format.write_files(sent)), place / "out")
    elif format.write:
        (place / "out").mkdir()
        (place / "out/x.md").write_text("".join(format.write(sent)), encoding="utf-8")
    (place / "v").mkdir()
    vault = opened(place / "v")
    tree = open_tree(place / "out")
    bring.bring_items(vault, tree, ImportOptions(name))
    came = list(export.statements(vault, Filter(path="imported")))
    minutes = [replace(each, at=each.at and each.at.replace(second=0)) for each in sent]
    assert sorted(map(repr, came)) == sorted(map(repr, minutes))


@pytest.mark.slow
@pytest.mark.parametrize("name", export.exportable())
@given(statements=st.lists(STATEMENTS, min_size=1, max_size=3, unique_by=lambda each: each.text))
def test_what_a_format_is_said_to_lose_is_not_in_it_and_what_it_is_not_said_to_lose_is(
    name: str, statements: list[Statement]
) -> None:
    format = formats.load(name)
    written = format.write(statements) if format.write else map("".join, format.write_files(statements))  # type: ignore[misc]
    text = html.unescape("".join(written))
    for each in statements:
        for field, value in (("id", each.source.removeprefix("mem:")), ("date", each.at and str(each.at.date()))):
            assert not value or (value in text) is (field not in format.loses), field


@given(
    texts=st.lists(
        st.text()
        | st.sampled_from(["<script>alert(1)</script>", "[x](javascript:alert(1))", '" onclick="x', "</style>"]),
        min_size=1,
    )
)
def test_a_page_to_read_runs_nothing_and_fetches_nothing(texts: list[str]) -> None:
    write = formats.load("html").write
    assert write
    page = "".join(write([Statement(text, text, text, tags=(text,), author=text) for text in texts]))

    class Seen(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag not in ("script", "img", "link", "iframe", "object", "base", "form")
            for name, value in attrs:
                assert not name.startswith("on") and name not in ("src", "style")
                assert name != "href" or str(value).startswith(("#", "http://", "https://"))

    Seen().feed(page)
    assert "default-src 'none'" in page and "@media print" in page and "color-scheme: light dark" in page


def test_a_page_to_read_has_days_tags_and_links() -> None:
    write = formats.load("html").write
    assert write
    at = datetime(2026, 11, 8, 14, 15)
    known = [
        Statement(
            "see https://example.org/tides, [a map](https://example.org/map)", "mem:1", "fact", at, ("tideline",)
        ),
        Statement("no day & no <tag>", "mem:2"),
    ]
    page = "".join(write(known))
    assert '<h2 id="d2026-11-08">' in page and '<a href="#y2026">' in page and "14:15" in page
    assert '<a href="https://example.org/tides" rel="noreferrer">' in page and ">a map</a>" in page
    assert (
        'id="t-tideline"' in page and '<a href="#m0-0">2026-11-08</a>' in page and "no day &amp; no &lt;tag&gt;" in page
    )


@given(
    values=st.lists(
        st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)), max_size=6
    ),
    indent=st.sampled_from([None, 1]),
)
def test_a_long_list_is_read_a_value_at_a_time(values: list[object], indent: int | None) -> None:
    stream = io.TextIOWrapper(io.BytesIO(json.dumps(values, indent=indent).encode()), "utf-8")
    assert list(_values(stream, "x")) == values


def test_mem0_markdown_is_a_memory_a_block(tmp_path: Path) -> None:
    """As its plugin for coding agents exports them; a rule of hyphens in a memory is none of its fences."""
    blocks = """---
id: m1
created_at: 2026-03-01T10:00:00+08:00
type: decision
confidence: 0.9
branch: main
files: src/a.py, src/b.py
categories: coding, tea
---
Use one file for the tides.

---

and nothing else

---
id: m2
created_at:
type:
confidence:
branch:
files:
categories:
---
Likes green tea.
"""
    (tmp_path / "mem0-export-x-2026-03-02.md").write_text(blocks, encoding="utf-8")
    assert formats.detect_format(open_tree(tmp_path)) == "mem0"
    first, second = of(read(tmp_path), Statement)
    assert first == Statement(
        "Use one file for the tides.\n\n---\n\nand nothing else", "mem0:m1", "decision",
        datetime(2026, 3, 1, 10), ("coding", "tea"), 0.9,
    )  # fmt: skip
    assert second == Statement("Likes green tea.", "mem0:m2")


@pytest.mark.parametrize("listed", [True, False])
def test_memories_of_claude_come_in_both_shapes(tmp_path: Path, listed: bool) -> None:
    told = {
        "conversations_memory": "**Work**\n\nLin builds gateways.",
        "project_memories": {"p1": "Tideline is in Go."},
        "account_uuid": "x",
    }
    (tmp_path / "memories.json").write_text(json.dumps([told] if listed else told), encoding="utf-8")
    assert formats.detect_format(open_tree(tmp_path)) == "claude"
    assert [page.text for page in of(read(tmp_path), Page)] == [told["conversations_memory"], "Tideline is in Go."]


def test_numbered_zips_in_a_folder_are_one_export(tmp_path: Path) -> None:
    for number in range(2):
        talk = {"uuid": f"c{number}", "name": "Tea", "chat_messages": [{"sender": "human", "text": "hello there"}]}
        with zipfile.ZipFile(tmp_path / f"data-batch-000{number}.zip", "w") as made:
            made.writestr("conversations.json", json.dumps([talk]))
    assert formats.detect_format(open_tree(tmp_path)) == "claude"
    assert [talk.source for talk in of(read(tmp_path), ImportedTalk)] == ["claude:c0", "claude:c1"]


@pytest.mark.parametrize("beside", ["journal/audit.jsonl", "prices.csv", "package.json"])
def test_a_folder_of_notes_with_one_file_of_rows_is_one_of_notes(tmp_path: Path, beside: str) -> None:
    (tmp_path / "journal").mkdir()
    (tmp_path / beside).write_text('{"at": "2026-11-20", "action": "add"}\n', encoding="utf-8")
    for name in ("MEMORY.md", "2026-11-20.md"):
        (tmp_path / name).write_text("- tea is in the blue tin\n", encoding="utf-8")
    assert formats.detect_format(open_tree(tmp_path)) == "markdown"


def test_an_openclaw_workspace_has_its_memories_and_not_the_soul_of_its_agent(tmp_path: Path) -> None:
    for name in ("SOUL.md", "AGENTS.md", "MEMORY.md", "USER.md", "memory/2026-03-01.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"- {name}\n", encoding="utf-8")
    assert formats.detect_format(open_tree(tmp_path)) == "openclaw"
    assert sorted(page.path for page in of(read(tmp_path), Page)) == ["MEMORY.md", "USER.md", "memory/2026-03-01.md"]


def test_the_memory_of_a_coding_agent_comes_with_its_talks(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "session/transcripts/simonw/sample_session.jsonl"
    project = tmp_path / "-code-tideline"
    (project / "memory").mkdir(parents=True)
    (project / "s1.jsonl").write_bytes(sample.read_bytes())
    (project / "memory/MEMORY.md").write_text("- tides come from Luchao\n", encoding="utf-8")
    items = read(tmp_path)
    assert len(of(items, ImportedTalk)) == 1 and [page.text for page in of(items, Page)] == [
        "- tides come from Luchao\n"
    ]
    assert not of(items, UnreadableItem)


def test_apple_notes_come_with_their_days_folders_and_pictures(tmp_path: Path) -> None:
    home = tmp_path / "Apple Notes"
    (home / "Kitchen").mkdir(parents=True)
    (home / "Kitchen/Tea.html").write_text(
        '<html><body><h1>Tea</h1><div>from Fujian</div><ul><li>Dan Cong</li></ul><img src="data:image/png;base64,iVBORw=="></body></html>',
        encoding="utf-8",
    )
    stamped = home / "Shopping-2024-05-01T10_00_00Z"
    stamped.mkdir()
    (stamped / "Shopping-2024-05-01T10_00_00Z.txt").write_text("eggs\n", encoding="utf-8")
    assert formats.detect_format(open_tree(tmp_path)) == "apple-notes"
    items = read(tmp_path)
    pages = {page.path: page for page in of(items, Page)}
    assert "- Dan Cong" in pages["Kitchen/Tea.md"].text and "](Tea%20files/1.png)" in pages["Kitchen/Tea.md"].text
    assert of(items, Attachment) == [Attachment("Kitchen/Tea files/1.png", "Tea files/1.png", b"\x89PNG")]
    assert pages["Shopping.md"].at == datetime(2024, 5, 1, 18)


def test_roam_has_blocks_in_blocks_boxes_and_days(tmp_path: Path) -> None:
    blocks = [
        {"string": "{{[[TODO]]}} call Anna #[[tea house]]", "uid": "b1", "children": [{"string": "about the __boat__"}]}
    ]
    pages = [{"title": "March 1st, 2026", "uid": "03-01-2026", "children": blocks}, {"title": "Empty", "children": []}]
    (tmp_path / "backup.json").write_text(json.dumps(pages), encoding="utf-8")
    assert formats.detect_format(open_tree(tmp_path)) == "roam"
    page, empty = read(tmp_path)
    assert isinstance(page, Page) and page.path == "daily/2026-03-01.md"
    assert page.text == "# March 1st, 2026\n\n- [ ] call Anna #tea-house\n  - about the *boat*\n"
    assert empty == UnreadableItem("Empty", "is empty")


def test_joplin_comes_from_its_own_archive(tmp_path: Path) -> None:
    text = f"Tea\n\nfrom Fujian\n\nid: {'a' * 32}\ncreated_time: 2026-03-01T10:00:00.000Z\ntype_: 1".encode()
    with tarfile.open(tmp_path / "notes.jex", "w") as made:
        for name, kind in (
            (f"{'a' * 32}.md", tarfile.REGTYPE),
            ("../out.md", tarfile.REGTYPE),
            ("l.md", tarfile.SYMTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            info.size = len(text) if kind == tarfile.REGTYPE else 0
            made.addfile(info, io.BytesIO(text))
    tree = open_tree(tmp_path / "notes.jex")
    assert formats.detect_format(tree) == "joplin" and [
        page.path for page in of(read(tmp_path / "notes.jex"), Page)
    ] == ["Tea.md"]
    assert tree.left_out == [("../out.md", "leads out of the archive"), ("l.md", "is a link")]


def test_talks_with_coding_agents_are_talks() -> None:
    place = Path(__file__).parents[2] / "session/transcripts/simonw/sample_session.jsonl"
    tree = open_tree(place)
    assert formats.detect_format(tree) == "transcripts"
    (talk,) = of(read(place), ImportedTalk)
    assert talk.messages[0].role == "user" and talk.at


SPOKEN = [
    {"role": "system", "content": "You are kind."},
    {"role": "user", "content": "I live in Oslo", "created_at": "2026-11-20T10:00:00"},
    {"role": "assistant", "content": "That sounds nice, how old are you?"},
]


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"{json.dumps(each)}\n" for each in SPOKEN),
        json.dumps(SPOKEN, indent=2),
        json.dumps({"messages": SPOKEN}),
        f"{json.dumps({'messages': SPOKEN[:2]})}\n{json.dumps({'messages': SPOKEN[2:]})}\n",
        json.dumps(
            [{"sender": each["role"], "text": each["content"], "ts": each.get("created_at")} for each in SPOKEN]
        ),
    ],
)
@pytest.mark.parametrize("name", ["chat.json", "chat"])
def test_json_that_says_what_a_role_said_is_a_talk(tmp_path: Path, text: str, name: str) -> None:
    name = name if text[:1] == "[" or text.count("\n") < 2 else name.replace(".json", ".jsonl")
    (tmp_path / name).write_text(text, encoding="utf-8")
    (talk,) = of(read(tmp_path / name), ImportedTalk)
    assert [(each.role, each.text) for each in talk.messages] == [
        ("user", "I live in Oslo"), ("assistant", "That sounds nice, how old are you?"),
    ]  # fmt: skip
    assert talk.messages[0].at == datetime(2026, 11, 20, 10)


def test_talks_of_one_name_are_two_and_rows_beside_one_are_memories(tmp_path: Path) -> None:
    sources = set()
    for place, said in (("a", "I live in Oslo"), ("b", "I live in Graz")):
        (tmp_path / place).mkdir()
        (tmp_path / place / "chat.json").write_text(json.dumps([{"role": "user", "content": said}]), encoding="utf-8")
        sources |= {talk.source for talk in of(read(tmp_path / place / "chat.json"), ImportedTalk)}
    assert len(sources) == 2
    (tmp_path / "a/rows.jsonl").write_text('{"text": "Oslo is wet", "role": "note"}\n', encoding="utf-8")
    (tmp_path / "a/more.jsonl").write_text('{"text": "Graz is dry", "of": {"role": "user"}}\n', encoding="utf-8")
    assert [type(item) for item in read(tmp_path / "a")] == [ImportedTalk, Statement, Statement]


def test_a_table_has_its_days_as_people_and_spreadsheets_write_them() -> None:
    from memcli.features.move.formats.csv_rows import _statement

    days = [
        _statement({"text": "tyres", "日期": day}, "t.csv:2") for day in ("2026/10/3", "2026年10月3日", "2026.10.03")
    ]
    assert {each and each.at for each in days} == {datetime(2026, 10, 3)}
