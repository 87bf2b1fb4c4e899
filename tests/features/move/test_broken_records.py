"""A record that is broken takes no other along, and no attachment goes without a word."""

from __future__ import annotations

import base64
import json
import zipfile
from pathlib import Path

from memcli.features.move.archives import open_tree
from memcli.features.move.bring import bring_items
from memcli.features.move.import_plan import ImportOptions
from memcli.features.move.sorter import plan_import
from memcli.format import Attachment, ImportedTalk, Page, Statement, UnreadableItem
from tests.conftest import opened
from tests.features.move.test_formats import of, read
from tests.rows import check_rows

_OK = {"id": "1", "memory": "tea at four"}
_SAID = {"author": {"role": "user"}, "content": {"parts": ["tea at four"]}}
_KEPT = {"userEditedTimestampUsec": 1, "textContent": "tea at four"}
_ENTRY = {"uuid": "u", "creationDate": "2026-03-01T10:00:00Z", "text": "tea at four"}
_PAM = {"id": "1", "content": "tea at four"}


@check_rows(
    ("form", "name", "values"),
    [
        ("mem0", "a.json", [_OK, 5, {**_OK, "metadata": 5}, {**_OK, "created_at": [1]}, _OK]),
        ("mem0", "a.json", [_OK, {**_OK, "metadata": {"superseded": [1], "tags": 5}}, _OK]),
        ("dayone", "a.json", {"entries": [_ENTRY, {**_ENTRY, "photos": 5}, 5, _ENTRY]}),
        ("dayone", "a.json", {"entries": [_ENTRY, {**_ENTRY, "location": "x"}, _ENTRY]}),
        ("pam", "a.json", {"schema": "portable-ai-memory", "memories": [_PAM, 5, {**_PAM, "temporal": "x"}, _PAM]}),
        ("mem", "a.json", [{"mem": 1, "text": "x"}, {"mem": 1, "text": 5}, {"mem": 1, "text": "y"}]),
        ("mem", "a.json", [{"mem": 1, "text": "x"}, {"mem": 1, "text": "y", "record": 5}, {"mem": 1, "text": "y"}]),
        ("mem", "a.json", [{"mem": 1, "text": "x"}, 5, {"mem": 1, "text": "y"}]),
        ("chatgpt", "conversations.json", [{"mapping": {"a": {"message": _SAID}}}, {"mapping": {"a": {"message": {**_SAID, "metadata": ["x"]}}}}, {"mapping": {"a": {"message": _SAID}}}]),
        ("claude", "a.json", [{"uuid": "1", "docs": [{"content": "x"}]}, {"uuid": "2", "docs": ["x"]}, {"uuid": "3", "docs": [{"content": "x"}]}]),
        ("roam", "a.json", [{"title": "x", "children": [{"string": "y"}]}, 5, {"title": "x", "children": [{"string": "y"}]}]),
        ("jsonl", "a.json", [{"text": "x"}, {"text": "y", "created": [1]}, {"text": ["y"]}, {"text": "z"}]),
        ("server-memory", "a.jsonl", [{"type": "entity", "name": "a", "entityType": "b", "observations": ["x"]}, {"type": "entity", "name": "a", "entityType": "b", "observations": 5}, {"type": "entity", "name": "c", "entityType": "b", "observations": ["x"]}]),
    ],
)  # fmt: skip
def test_what_follows_a_broken_record_is_read(tmp_path: Path, form: str, name: str, values: object) -> None:
    lines = "\n".join(map(json.dumps, values)) if name.endswith(".jsonl") and isinstance(values, list) else ""
    (tmp_path / name).write_text(lines or json.dumps(values), "utf-8")
    items = read(tmp_path / name, form)
    assert not isinstance(items[0], UnreadableItem) and not isinstance(items[-1], UnreadableItem), items
    assert len(items) >= 2
    vault = tmp_path / "vault"
    vault.mkdir(exist_ok=True)
    assert plan_import(opened(vault), open_tree(tmp_path / name), ImportOptions(form)).fresh


def test_a_broken_note_of_keep_leaves_the_others(tmp_path: Path) -> None:
    for name, value in {"a": _KEPT, "b": {**_KEPT, "userEditedTimestampUsec": "abc"}, "c": [1], "d": _KEPT}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(value), "utf-8")
    items = read(tmp_path, "keep")
    assert [type(item) for item in items] == [Page, UnreadableItem, UnreadableItem, Page]


def test_a_broken_bundle_leaves_the_others(tmp_path: Path) -> None:
    for name in "abc":
        bundle = tmp_path / f"{name}.textbundle"
        bundle.mkdir()
        (bundle / "text.md").write_text("tea", "utf-8")
        (bundle / "info.json").write_text("[1]" if name == "b" else "{}", "utf-8")
    assert [type(item) for item in read(tmp_path, "bear")] == [Page, UnreadableItem, Page]


def test_a_confidence_that_is_a_text_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"mem": 1, "text": "x", "confidence": "0.9", "importance": true}\n', "utf-8")
    assert [(each.confidence, each.importance) for each in of(read(tmp_path / "a.jsonl"), Statement)] == [(0.9, None)]


def test_one_category_is_one_tag(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps([{**_OK, "categories": "food"}]), "utf-8")
    assert of(read(tmp_path / "a.json", "mem0"), Statement)[0].tags == ("food",)


def test_a_line_feed_in_a_cell_stays(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('text,tags\n"line one\nline two","x; y"\nnext,\n', "utf-8")
    first, second = of(read(tmp_path / "a.csv"), Statement)
    assert (first.text, first.tags, second.text) == ("line one\nline two", ("x", "y"), "next")


def test_half_of_a_sign_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "\\ud83d tea"}\n', "utf-8")
    assert len(of(read(tmp_path / "a.jsonl", "jsonl"), Statement)) == 1


def test_a_colon_in_a_name_does_not_lead_out_of_an_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in ("Meeting: plan.md", "C:evil.md"):
            archive.writestr(name, "- tea")
    tree = open_tree(tmp_path / "a.zip")
    assert tree.names == ["Meeting: plan.md"] and tree.left_out == [("C:evil.md", "leads out of the archive")]


def test_a_page_with_signs_that_grow_in_lower_case_is_cut_at_its_end(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f"<html><body><p>{'İ' * 12} tea</p></body><footer>x</footer></html>", "utf-8")
    assert of(read(tmp_path / "a.html", "markdown"), Page)[0].text.rstrip() == f"{'İ' * 12} tea"


def _enex(*notes: tuple[str, list[tuple[str, bytes]]]) -> str:
    def resource(name: str, data: bytes) -> str:
        packed = base64.b64encode(data).decode()
        named = f"<resource-attributes><file-name>{name}</file-name></resource-attributes>"
        return f"<resource><data>{packed}</data><mime>image/png</mime>{named}</resource>"

    shown = '<img src="data:image/png;base64,{}"/>'
    return "<en-export>" + "".join(
        f"<note><title>{title}</title><content><![CDATA[<en-note>tea {shown.format(base64.b64encode(title.encode() + bytes([number])).decode())}</en-note>]]></content>"
        f"<tag>R&amp;D</tag>{''.join(resource(*file) for file in files)}</note>"
        for number, (title, files) in enumerate(notes)
    ) + "</en-export>"  # fmt: skip


def test_files_of_one_name_do_not_hide_each_other(tmp_path: Path) -> None:
    notes = (("Caf&#xE9;", [("image.png", b"1"), ("image.png", b"2")]), ("Caf&#xE9;", [("image.png", b"3")]))
    (tmp_path / "a.enex").write_text(_enex(*notes), "utf-8")
    items = read(tmp_path / "a.enex")
    files = of(items, Attachment)
    assert len(files) == 5 and len({each.path for each in files}) == 5
    assert {(page.title, page.tags) for page in of(items, Page)} == {("Café", ("R&D",))}
    for place in ("x", "y"):
        bundle = tmp_path / "bear" / place / "T.textbundle"
        (bundle / "assets").mkdir(parents=True)
        (bundle / "assets/p.png").write_text(place, "utf-8")
        (bundle / "text.md").write_text(f"{place} ![](assets/p.png)", "utf-8")
    vault = tmp_path / "vault"
    vault.mkdir()
    done = bring_items(opened(vault), open_tree(tmp_path / "bear"), ImportOptions("bear"))
    assert (done.plan.attachments, done.plan.unread) == (2, [])
    for place in ("x", "y"):
        assert f"{place} ![](T%20files/p.png)" in (vault / f"imported/bear/{place}/T.md").read_text("utf-8")
        assert (vault / f"imported/bear/{place}/T files/p.png").read_text("utf-8") == place


def test_an_attachment_whose_place_is_taken_is_reported(tmp_path: Path) -> None:
    vault, notes = tmp_path / "vault", tmp_path / "notes"
    for folder in (vault, notes):
        folder.mkdir()
    (notes / "a.md").write_text("![](p.png)", "utf-8")
    (notes / "p.png").write_bytes(b"1")
    assert bring_items(opened(vault), open_tree(notes), ImportOptions("markdown")).plan.attachments == 1
    again = plan_import(opened(vault), open_tree(notes), ImportOptions("markdown"))
    assert (again.attachments, again.unread) == (0, [])
    (notes / "p.png").write_bytes(b"22")
    again = plan_import(opened(vault), open_tree(notes), ImportOptions("markdown"))
    assert again.unread == [("p.png", "another file has this name already")]


def test_a_conversation_without_words_is_named(tmp_path: Path) -> None:
    (tmp_path / "conversations.json").write_text(json.dumps([{"mapping": {}}, {"mapping": {"a": {"message": _SAID}}}]))
    empty, talk = read(tmp_path / "conversations.json", "chatgpt")
    assert empty == UnreadableItem("conversations.json, conversation 1", "no messages in it") and isinstance(
        talk, ImportedTalk
    )
